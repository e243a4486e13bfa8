"""Holds: captured, released and expired."""
from harness import eventually, main, now_ms, stamp
from moves import FUTURE, LATER, PAST, UNKNOWN_TYPE, MovesCase, new_id


class Holds(MovesCase):
    def setUp(self):
        super().setUp()
        self.add(10)

    def hold(self, amount, **more):
        return {"order_id": new_id(), "type": self.gold, "domain": "main", "uid": self.alice, "amount": amount} | more

    def held(self, amount, **more):
        hold = self.hold(amount, **more)
        self.ok(self.post("/holds", hold))
        return hold

    def close(self, hold, how, body=None):
        return self.post(f"/holds/{hold['uid']}/{hold['order_id']}/{how}", body)

    def closed(self, hold, state, captured, balance, replayed=False):
        return {"order_id": hold["order_id"], "uid": hold["uid"], "type": self.gold, "domain": "main",
                "amount": hold["amount"], "state": state, "captured": captured,
                "released": hold["amount"] - captured, "balance": balance, "replayed": replayed}

    def test_points_are_put_aside(self):
        for more in ({}, {"expires_at": FUTURE}):
            hold = self.hold(3, remark="reserved", **more)
            before = self.account()
            old = before["balance"]
            said = self.outcome(hold["order_id"], "hold", old, old - 3, status="ok", type=self.gold, domain="main",
                                amount=3, uid=self.alice, state="open", replayed=False, **more)
            self.assertEqual(self.ok(self.post("/holds", hold)), said)
            self.assertEqual(self.ok(self.post("/holds", hold)), said | {"replayed": True})
            after = self.account()
            self.assertEqual((after["balance"], after["held"]), (old - 3, before["held"] + 3))
            self.assertIn({"order_id": hold["order_id"], "amount": 3, "expires_at": more.get("expires_at")},
                          after["holds"])
            flow = self.flows()[-1]
            self.assertEqual(flow, self.outcome(hold["order_id"], "hold", old, old - 3, status="ok", type=self.gold,
                                                domain="main", amount=3, remark="reserved", id=flow["id"], at=flow["at"],
                                                **more),
                             "a flow is history: how the hold stands is for its order to tell")

    def test_its_order_is_decided_once(self):
        hold = self.held(3, expires_at=FUTURE)
        self.assert_conflicts("/holds", hold, [
            ({"type": self.silver}, ["type"]), ({"domain": "x"}, ["domain"]), ({"amount": 4}, ["amount"]),
            ({"expires_at": LATER}, ["expires_at"]), ({"expires_at": None}, ["expires_at"])])
        too_much = self.hold(8, expires_at=FUTURE)
        for replayed in (False, True):
            self.assert_problem(self.post("/holds", too_much), 409, "insufficient_balance", replayed=replayed,
                                expires_at=FUTURE, **self.outcome(too_much["order_id"], "hold", 7, 7))
            self.add(100)
            self.ok(self.post("/entries", self.entry("reset", 7)))

    def test_all_of_it_is_captured_once(self):
        hold = self.held(6)
        for body, replayed in ((None, False), (None, True), ({}, True), ({"amount": 6}, True), ({"amount": None},
                                                                                               True)):
            self.assertEqual(self.ok(self.close(hold, "capture", body)), self.closed(hold, "captured", 6, 4, replayed))
        self.assert_problem(self.close(hold, "capture", {"amount": 5}), 409, "hold_closed", state="captured")
        self.assert_problem(self.close(hold, "release"), 409, "hold_closed", state="captured")
        self.assert_account(4)
        self.assertEqual(self.history(), ["add 10 0>10", "hold 6 10>4", "capture 6 4>4"])
        again = self.ok(self.post("/holds", hold))
        self.assertEqual((again["state"], again["captured"], again["replayed"]), ("captured", 6, True))

    def test_a_part_is_captured_and_the_rest_comes_back(self):
        hold = self.held(6)
        self.assert_problem(self.close(hold, "capture", {"amount": 7}), 409, "hold_too_small")
        self.assert_problem(self.close(hold, "capture", {"amount": 0}), 400, "invalid_request", "amount")
        self.assertEqual(self.ok(self.close(hold, "capture", {"amount": 2})), self.closed(hold, "captured", 2, 8))
        self.add(100)
        self.assertEqual(self.ok(self.close(hold, "capture", {"amount": 2})),
                         self.closed(hold, "captured", 2, 8, replayed=True))
        for amount in (None, 1, 3, 6):
            self.assert_problem(self.close(hold, "capture", {"amount": amount}), 409, "hold_closed", state="captured")
        self.assertEqual(self.history(), ["add 10 0>10", "hold 6 10>4", "capture 2 4>4", "release 4 4>8",
                                          "add 100 8>108"])

    def test_it_is_given_back_once(self):
        hold = self.held(6)
        self.assertEqual(self.ok(self.close(hold, "release")), self.closed(hold, "released", 0, 10))
        self.assertEqual(self.ok(self.close(hold, "release")), self.closed(hold, "released", 0, 10, replayed=True))
        self.assert_problem(self.close(hold, "capture"), 409, "hold_closed", state="released")
        self.assert_account(10)
        order = self.ok(self.send("GET", f"/orders/{self.alice}/{hold['order_id']}"))
        self.assertEqual((order["op"], order["state"], order["captured"]), ("hold", "released", 0))

    def test_what_is_no_hold_cannot_be_closed(self):
        refused = self.hold(11)
        self.assert_problem(self.post("/holds", refused), 409, "insufficient_balance",
                            **self.outcome(refused["order_id"], "hold", 10, 10, replayed=False))
        entry = self.entry("add", 1)
        self.ok(self.post("/entries", entry))
        for body in (refused, entry, self.hold(1), self.held(1) | {"uid": self.bob}):
            for how in ("capture", "release"):
                self.assert_problem(self.close(body, how), 404, "hold_not_found")

    def test_what_cannot_be_a_hold_leaves_no_trace(self):
        for change, status, code, field in (({"type": UNKNOWN_TYPE}, 404, "type_not_found", None),
                                            ({"amount": 0}, 400, "invalid_request", "amount"),
                                            ({"expires_at": PAST}, 400, "invalid_request", "expires_at")):
            self.assert_problem(self.post("/holds", self.hold(1) | change), status, code, field)
        self.assertEqual(self.history(), ["add 10 0>10"])

    def test_an_expired_hold_is_released_by_itself(self):
        expires = now_ms() + 1500
        hold = self.held(6, expires_at=stamp(expires))
        self.assert_account(4, held=6, holds=[(hold["order_id"], 6, stamp(expires))])
        eventually(lambda: self.history() == ["add 10 0>10", "hold 6 10>4", "release 6 4>10"],
                   "it is released though nobody touches the account")
        self.assertEqual(self.flows()[-1]["at"], stamp(expires))
        self.assert_account(10)
        self.assert_problem(self.close(hold, "capture"), 409, "hold_closed", state="expired")
        self.assertEqual(self.ok(self.close(hold, "release")), self.closed(hold, "expired", 0, None, replayed=True))
        for told in (self.ok(self.post("/holds", hold)),
                     self.ok(self.send("GET", f"/orders/{self.alice}/{hold['order_id']}"))):
            self.assertEqual((told["state"], told["captured"], told["expires_at"]), ("expired", 0, stamp(expires)))

    def test_held_points_keep_their_expiry(self):
        self.ok(self.post("/entries", self.entry("reset", 0)))
        self.add(5, expires_at=LATER)
        self.add(5, expires_at=FUTURE)
        hold = self.held(7)
        self.assert_account(3, held=7, lots=[(3, None, LATER)], holds=[(hold["order_id"], 7, None)])
        self.ok(self.close(hold, "capture", {"amount": 6}))
        self.assert_account(4, lots=[(4, None, LATER)])


if __name__ == "__main__":
    main()
