"""The ledger beyond plain entries: changed types, lots, transfers, exchanges and holds."""
import re

from harness import AMOUNT_MAX, ROOT, eventually, main, now_ms, stamp
from moves import FUTURE, LATER, PAST, UNKNOWN_TYPE, MovesCase, new_id


class ChangedTypes(MovesCase):
    def test_each_field_is_changed_alone_and_null_takes_a_time_away(self):
        path = f"/types/{self.gold}"
        expected = self.ok(self.send("GET", path))
        changes = [{"name": new_id()}, {"starts_at": PAST}, {"ends_at": FUTURE}, {"starts_at": "2021-02-03T04:05:06Z"},
                   {"order_ttl_days": 1}, {"order_age_days_max": 3650}, {"remark": "Spaß 🍕"}, {"starts_at": None},
                   {"ends_at": None}, {"remark": ""}, {},
                   {"name": new_id(), "starts_at": PAST, "ends_at": FUTURE, "order_ttl_days": 2,
                    "order_age_days_max": 3, "remark": "all"}]
        for change in changes:
            with self.subTest(change=change):
                expected |= change
                if expected["starts_at"] == "2021-02-03T04:05:06Z":
                    expected["starts_at"] = "2021-02-03T04:05:06.000Z"
                self.assertEqual(self.ok(self.send("PATCH", path, change)), expected)
                self.assertEqual(self.ok(self.send("GET", path)), expected)
        for name in ("name", "order_ttl_days", "order_age_days_max", "remark"):
            self.assertEqual(self.ok(self.send("PATCH", path, {name: None})), expected, "only a time can be none")

    def test_a_name_of_another_type_is_refused_its_own_is_not(self):
        other = self.ok(self.send("GET", f"/types/{self.silver}"))["name"]
        self.assert_problem(self.send("PATCH", f"/types/{self.gold}", {"name": other}), 409, "type_exists")
        self.assertEqual(self.ok(self.send("PATCH", f"/types/{self.silver}", {"name": other}))["name"], other)

    def test_a_type_does_not_end_before_it_starts_whichever_of_both_is_changed(self):
        path = f"/types/{self.gold}"
        self.ok(self.send("PATCH", path, {"starts_at": PAST, "ends_at": FUTURE}))
        before = self.ok(self.send("GET", path))
        for change in ({"starts_at": FUTURE}, {"ends_at": PAST}, {"starts_at": LATER}, {"starts_at": LATER,
                                                                                      "ends_at": LATER}):
            self.assert_problem(self.send("PATCH", path, change), 400, "invalid_request", "ends_at")
        self.assertEqual(self.ok(self.send("GET", path)), before)
        self.ok(self.send("PATCH", path, {"starts_at": LATER, "ends_at": None}))

    def test_a_type_that_ended_long_ago_does_not_go_on(self):
        over = self.client.new_type(new_id(), ends_at=PAST)
        for change in ({"ends_at": FUTURE}, {"ends_at": None}, {"ends_at": FUTURE, "remark": "again"}):
            self.assert_problem(self.send("PATCH", f"/types/{over}", change), 409, "type_over")
        self.assertEqual(self.ok(self.send("PATCH", f"/types/{over}", {"remark": "it was good"}))["remark"],
                         "it was good")

    def test_an_unknown_type_cannot_be_changed(self):
        self.assert_problem(self.send("PATCH", f"/types/{UNKNOWN_TYPE}", {"remark": "x"}), 404, "type_not_found")

    def test_a_type_ended_by_a_change_takes_nothing_more_and_shows_empty_accounts(self):
        order = self.entry("add", 10)
        first = self.ok(self.post("/entries", order))
        self.add(5, expires_at=FUTURE)
        hold = {"order_id": new_id(), "type": self.gold, "domain": "main", "uid": self.alice, "amount": 2}
        self.ok(self.post("/holds", hold))
        self.ok(self.send("PUT", f"/rates/{self.gold}/{self.silver}", {"numerator": 1, "denominator": 1}))
        self.end(self.gold)

        self.assert_account(0)
        move = {"order_id": new_id(), "domain": "main", "amount": 1}
        requests = [("/entries", self.entry("add", 1)), ("/entries", self.entry("reset", 0)),
                    ("/transfers", move | {"type": self.gold, "from": self.alice, "to": self.bob}),
                    ("/exchanges", move | {"uid": self.alice, "from_type": self.gold, "to_type": self.silver}),
                    ("/exchanges", move | {"uid": self.alice, "from_type": self.silver, "to_type": self.gold}),
                    ("/holds", move | {"type": self.gold, "uid": self.alice})]
        self.ok(self.send("PUT", f"/rates/{self.silver}/{self.gold}", {"numerator": 1, "denominator": 1}))
        for path, body in requests:
            with self.subTest(path=path):
                self.assert_problem(self.post(path, body), 409, "type_not_active")
        self.assertEqual(self.ok(self.post("/entries", order)), first | {"replayed": True})
        self.assertEqual(self.ok(self.post("/holds", hold))["replayed"], True)

    def test_a_type_that_has_not_started_takes_nothing(self):
        self.ok(self.send("PATCH", f"/types/{self.gold}", {"starts_at": FUTURE}))
        self.assert_problem(self.post("/entries", self.entry("add", 1)), 409, "type_not_active")
        self.ok(self.send("PATCH", f"/types/{self.gold}", {"starts_at": None}))
        self.add(1)


class Lots(MovesCase):
    def test_a_lot_is_shown_until_it_is_spent_and_the_first_to_expire_goes_first(self):
        self.add(1)
        self.assertEqual(self.add(10, expires_at=LATER), 11)
        self.assertEqual(self.add(20, expires_at=FUTURE, effective_at=PAST), 31)
        self.assertEqual(self.add(40, effective_at=FUTURE, expires_at=LATER), 31)
        self.assertEqual(self.add(80, effective_at=LATER), 31)
        waiting = [(40, FUTURE, LATER), (80, LATER, None)]
        self.assert_account(31, lots=[(20, None, FUTURE), (10, None, LATER), *waiting])
        self.ok(self.post("/entries", self.entry("deduct", 25)))
        self.assert_account(6, lots=[(5, None, LATER), *waiting])
        self.ok(self.post("/entries", self.entry("deduct", 6)))
        self.assert_account(0, lots=waiting)

    def test_a_reset_takes_the_lots_that_count_and_leaves_those_that_wait(self):
        self.add(10, expires_at=FUTURE)
        self.add(20, effective_at=FUTURE)
        self.ok(self.post("/entries", self.entry("reset", 3)))
        self.assert_account(3, lots=[(20, FUTURE, None)])

    def test_the_same_order_answers_the_same_and_its_times_are_parameters(self):
        lot = self.entry("add", 5, effective_at=PAST, expires_at=FUTURE)
        first = self.ok(self.post("/entries", lot))
        self.assertEqual(first, self.outcome(lot["order_id"], "add", 0, 5, status="ok", replayed=False))
        self.add(7)
        self.assertEqual(self.ok(self.post("/entries", lot)), first | {"replayed": True})
        self.assert_conflicts("/entries", lot, [
            ({"effective_at": None}, ["effective_at"]), ({"expires_at": None}, ["expires_at"]),
            ({"expires_at": LATER}, ["expires_at"]), ({"amount": 6, "effective_at": FUTURE, "expires_at": LATER},
                                                      ["amount", "effective_at", "expires_at"])])
        order = self.ok(self.send("GET", f"/orders/{self.alice}/{lot['order_id']}"))
        self.assertEqual(order, self.outcome(lot["order_id"], "add", 0, 5, status="ok", type=self.gold, domain="main",
                                             uid=self.alice, amount=5, effective_at=PAST, expires_at=FUTURE))

    def test_times_that_make_no_sense_are_refused_by_name(self):
        for more, field in (({"expires_at": PAST}, "expires_at"),
                            ({"effective_at": FUTURE, "expires_at": FUTURE}, "expires_at"),
                            ({"effective_at": LATER, "expires_at": FUTURE}, "expires_at"),
                            ({"op": "deduct", "effective_at": FUTURE}, "effective_at"),
                            ({"op": "reset", "expires_at": FUTURE}, "expires_at")):
            with self.subTest(more=more):
                self.assert_problem(self.post("/entries", self.entry("add", 1) | more), 400, "invalid_request", field)
        self.assertEqual(self.flows(), [])

    def test_points_that_wait_count_towards_the_largest_balance(self):
        self.add(AMOUNT_MAX, effective_at=FUTURE)
        entry = self.entry("add", 1)
        self.assert_problem(self.post("/entries", entry), 409, "balance_limit",
                            **self.outcome(entry["order_id"], "add", 0, 0, replayed=False))

    def test_a_lot_matures_and_expires_at_its_moments(self):
        self.add(2)
        matures, expires = now_ms() + 1500, now_ms() + 2500
        self.add(5, effective_at=stamp(matures), expires_at=stamp(expires))
        self.assert_account(2, lots=[(5, stamp(matures), stamp(expires))])
        eventually(lambda: now_ms() >= matures, "it matures")
        while (account := self.account()) and now_ms() < expires:
            self.assertEqual((account["balance"], len(account["lots"])), (7, 1))
        eventually(lambda: self.account()["balance"] == 2, "the lot has expired")
        self.assert_account(2)
        self.assertEqual([(flow["op"], flow["amount"], flow["old_balance"], flow["balance"], flow["at"])
                          for flow in self.flows()[2:]],
                         [("mature", 5, 2, 7, stamp(matures)), ("expire", 5, 7, 2, stamp(expires))])

    def test_an_account_that_nobody_touches_changes_in_the_journal_by_itself(self):
        matures, expires = now_ms() + 1200, now_ms() + 1500
        self.add(5, effective_at=stamp(matures), expires_at=stamp(expires))
        self.add(3, expires_at=stamp(expires), uid=self.bob)
        eventually(lambda: self.history() == ["add 5 0>0", "mature 5 0>5", "expire 5 5>0"], "the lot came and went")
        eventually(lambda: self.history(self.bob) == ["add 3 0>3", "expire 3 3>0"], "the other lot went")
        self.assertEqual([flow["at"] for flow in self.flows()[1:]], [stamp(matures), stamp(expires)])
        self.assert_account(0)


class Transfers(MovesCase):
    def transfer(self, amount, order_id=None, **more):
        return {"order_id": order_id or new_id(), "type": self.gold, "domain": "main", "from": self.alice,
                "to": self.bob, "amount": amount} | more

    def moved(self, transfer, old, to_balance, replayed=False):
        left = old - transfer["amount"]
        return self.outcome(transfer["order_id"], "transfer_out", old, left, status="ok", type=self.gold,
                            domain="main", amount=transfer["amount"], to=transfer["to"], to_balance=to_balance,
                            replayed=replayed, state="done", from_balance=left) | {"from": transfer["from"]}

    def test_points_leave_one_user_and_reach_the_other(self):
        self.add(10)
        self.add(1, uid=self.bob)
        transfer = self.transfer(4, remark="für die 🍕")
        self.assertEqual(self.ok(self.post("/transfers", transfer)), self.moved(transfer, 10, 5))
        self.assert_account(6)
        self.assert_account(5, uid=self.bob)
        order = self.ok(self.send("GET", f"/orders/{self.alice}/{transfer['order_id']}"))
        said = self.outcome(transfer["order_id"], "transfer_out", 10, 6, status="ok", type=self.gold, domain="main",
                            amount=4, to=self.bob, to_balance=5)
        self.assertEqual(order, said | {"uid": self.alice})
        flow = self.flows()[-1]
        self.assertEqual(flow, said | {"remark": "für die 🍕", "at": flow["at"]})
        flow = self.flows(self.bob)[-1]
        self.assertEqual(flow, self.outcome(transfer["order_id"], "transfer_in", 1, 5, status="ok", type=self.gold,
                                            domain="main", amount=4, remark="für die 🍕", at=flow["at"])
                         | {"from": self.alice})
        self.assert_problem(self.send("GET", f"/orders/{self.bob}/{transfer['order_id']}"), 404, "order_not_found")

    def test_the_same_order_answers_the_same_again_and_moves_nothing(self):
        self.add(10)
        transfer = self.transfer(4)
        self.ok(self.post("/transfers", transfer))
        self.ok(self.post("/transfers", self.transfer(1)))
        for remark in ({}, {"remark": "another remark is no other parameter"}):
            self.assertEqual(self.ok(self.post("/transfers", transfer | remark)), self.moved(transfer, 10, 4, True))
        self.assert_account(5)
        self.assert_account(5, uid=self.bob)
        self.assert_conflicts("/transfers", transfer, [
            ({"type": self.silver}, ["type"]), ({"domain": "other"}, ["domain"]), ({"amount": 5}, ["amount"]),
            ({"to": "somebody"}, ["to"]),
            ({"type": self.silver, "domain": "x", "amount": 1, "to": "y"}, ["type", "domain", "amount", "to"])])
        self.assert_conflicts("/entries", self.entry("deduct", 4, transfer["order_id"]), [({}, ["op"])])

    def test_refusals_are_remembered_for_their_order(self):
        self.add(3)
        self.add(AMOUNT_MAX, uid=self.bob)
        cases = [("insufficient_balance", self.transfer(4)), ("balance_limit", self.transfer(3))]
        for replayed in (False, True):
            for code, transfer in cases:
                with self.subTest(code=code, replayed=replayed):
                    self.assert_problem(
                        self.post("/transfers", transfer), 409, code, replayed=replayed, to=self.bob,
                        **self.outcome(transfer["order_id"], "transfer_out", 3, 3))
            self.add(10, uid=f"carol-{new_id()}")
        self.assertEqual(self.history(), ["add 3 0>3", "insufficient_balance transfer_out 4 3>3",
                                          "balance_limit transfer_out 3 3>3"])
        self.assertEqual(len(self.flows(self.bob)), 1)

    def test_what_cannot_be_a_transfer_leaves_no_trace(self):
        self.add(3)
        for change, status, code, field in (({"to": self.alice}, 409, "self_target", None),
                                            ({"type": UNKNOWN_TYPE}, 404, "type_not_found", None),
                                            ({"amount": 0}, 400, "invalid_request", "amount")):
            transfer = self.transfer(1) | change
            self.assert_problem(self.post("/transfers", transfer), status, code, field)
            self.assert_problem(self.send("GET", f"/orders/{self.alice}/{transfer['order_id']}"), 404,
                                "order_not_found")
        self.assertEqual(self.history(), ["add 3 0>3"])

    def test_points_keep_their_expiry_on_the_way(self):
        self.add(5, expires_at=FUTURE)
        self.add(5)
        self.ok(self.post("/transfers", self.transfer(7)))
        self.assert_account(3)
        self.assert_account(7, uid=self.bob, lots=[(5, None, FUTURE)])


class Exchanges(MovesCase):
    def rate(self, numerator, denominator):
        path = f"/rates/{self.gold}/{self.silver}"
        self.assertEqual(self.ok(self.send("PUT", path, {"numerator": numerator, "denominator": denominator})),
                         {"from_type": self.gold, "to_type": self.silver, "numerator": numerator,
                          "denominator": denominator})

    def exchange(self, amount, order_id=None, **more):
        return {"order_id": order_id or new_id(), "uid": self.alice, "domain": "main", "from_type": self.gold,
                "to_type": self.silver, "amount": amount} | more

    def exchanged(self, exchange, old, credited, to_balance, replayed=False):
        amount = exchange["amount"]
        return self.outcome(exchange["order_id"], "exchange_out", old, old - amount, status="ok", type=self.gold,
                            domain="main", amount=amount, from_type=self.gold, to_type=self.silver, debited=amount,
                            credited=credited, from_balance=old - amount, to_balance=to_balance, replayed=replayed)

    def test_points_of_one_type_become_points_of_another_rounded_down(self):
        cases = [(1, 1, 5, 5), (3, 7, 7, 3), (3, 7, 9, 3), (3, 7, 3, 1), (7, 3, 2, 4), (1, 10, 19, 1),
                 (AMOUNT_MAX, AMOUNT_MAX, 3, 3), (2, 3, AMOUNT_MAX, AMOUNT_MAX * 2 // 3)]
        for numerator, denominator, amount, credited in cases:
            with self.subTest(numerator=numerator, denominator=denominator, amount=amount):
                self.alice = new_id()
                self.rate(numerator, denominator)
                self.add(AMOUNT_MAX)
                exchange = self.exchange(amount)
                self.assertEqual(self.ok(self.post("/exchanges", exchange)),
                                 self.exchanged(exchange, AMOUNT_MAX, credited, credited))
                self.assert_account(AMOUNT_MAX - amount)
                self.assert_account(credited, type=self.silver)

    def test_both_sides_are_in_the_journal(self):
        self.rate(3, 2)
        self.add(10)
        exchange = self.exchange(5)
        self.ok(self.post("/exchanges", exchange))
        more = {"status": "ok", "domain": "main", "remark": ""}
        flows = {flow["op"]: flow for flow in self.flows()}
        out, into = flows["exchange_out"], flows["exchange_in"]
        self.assertEqual(out, self.outcome(exchange["order_id"], "exchange_out", 10, 5, type=self.gold, amount=5,
                                           to_type=self.silver, credited=7, to_balance=7, at=out["at"], **more))
        self.assertEqual(into, self.outcome(exchange["order_id"], "exchange_in", 0, 7, type=self.silver, amount=7,
                                            from_type=self.gold, at=out["at"], **more))

    def test_a_changed_rate_counts_from_then_on_and_a_replay_keeps_the_old(self):
        self.rate(2, 1)
        self.add(10)
        first = self.exchange(3)
        self.assertEqual(self.ok(self.post("/exchanges", first)), self.exchanged(first, 10, 6, 6))
        self.rate(1, 3)
        second = self.exchange(3)
        self.assertEqual(self.ok(self.post("/exchanges", second)), self.exchanged(second, 7, 1, 7))
        self.assertEqual(self.ok(self.post("/exchanges", first)), self.exchanged(first, 10, 6, 6, replayed=True))
        self.assertEqual(self.history(type=self.silver), ["exchange_in 6 0>6", "exchange_in 1 6>7"])
        copper = self.client.new_type(new_id())
        self.assert_conflicts("/exchanges", first, [
            ({"from_type": copper}, ["from_type"]), ({"to_type": copper}, ["to_type"]), ({"amount": 4}, ["amount"]),
            ({"domain": "other"}, ["domain"])])

    def test_refusals_of_the_balance_are_remembered_for_their_order(self):
        self.rate(2, 1)
        self.add(3)
        self.add(AMOUNT_MAX - 5, type=self.silver)
        cases = [("insufficient_balance", self.exchange(4)), ("balance_limit", self.exchange(3))]
        for replayed in (False, True):
            for code, exchange in cases:
                self.assert_problem(
                    self.post("/exchanges", exchange), 409, code, replayed=replayed, to_type=self.silver,
                    **self.outcome(exchange["order_id"], "exchange_out", 3, 3))
            self.rate(1, 1)

    def test_more_than_any_balance_can_have_is_a_refusal_of_the_balance_too(self):
        self.add(3)
        self.rate(AMOUNT_MAX, 1)
        exchange = self.exchange(2)
        for replayed in (False, True):
            self.assert_problem(
                self.post("/exchanges", exchange), 409, "balance_limit", replayed=replayed, to_type=self.silver,
                **self.outcome(exchange["order_id"], "exchange_out", 3, 3))
            self.rate(1, 1)
        self.assertEqual(len(self.flows()), 2)

    def test_what_cannot_be_exchanged_leaves_no_trace(self):
        self.add(AMOUNT_MAX)
        exchange = self.exchange(9)
        self.assert_problem(self.post("/exchanges", exchange), 404, "rate_not_found")
        self.rate(1, 10)
        self.assert_problem(self.post("/exchanges", exchange), 409, "nothing_to_credit")
        self.rate(2, 1)
        for change, status, code, field in (({"to_type": self.gold}, 409, "self_target", None),
                                            ({"from_type": UNKNOWN_TYPE}, 404, "type_not_found", None),
                                            ({"to_type": UNKNOWN_TYPE}, 404, "type_not_found", None),
                                            ({"amount": 0}, 400, "invalid_request", "amount")):
            self.assert_problem(self.post("/exchanges", exchange | change), status, code, field)
        self.assertEqual(len(self.flows()), 1)
        self.assertEqual(self.ok(self.post("/exchanges", exchange))["credited"], 18, "the order was not used up")

    def test_rates_can_be_read_one_by_one(self):
        path = f"/rates/{self.gold}/{self.silver}"
        for numerator, denominator in ((3, 2), (1, AMOUNT_MAX)):
            self.rate(numerator, denominator)
            self.assertEqual(self.ok(self.send("GET", path)), {"from_type": self.gold, "to_type": self.silver,
                                                               "numerator": numerator, "denominator": denominator})
        for source, target in ((self.silver, self.gold), (self.gold, self.gold), (self.gold, UNKNOWN_TYPE),
                               (UNKNOWN_TYPE, self.gold)):
            self.assert_problem(self.send("GET", f"/rates/{source}/{target}"), 404, "rate_not_found")

    def test_rates_are_listed_in_pages_by_their_types(self):
        types = [self.client.new_type(new_id()) for _ in range(3)]
        made = [{"from_type": source, "to_type": target, "numerator": source, "denominator": target}
                for source in types for target in types if source != target]
        for rate in reversed(made):
            self.ok(self.send("PUT", f"/rates/{rate['from_type']}/{rate['to_type']}",
                              {name: rate[name] for name in ("numerator", "denominator")}))
        everything = self.ok(self.send("GET", "/rates?limit=500"))
        self.assertEqual(everything["next_cursor"], None)
        self.assertEqual([rate for rate in everything["items"] if rate["from_type"] in types], made)
        for limit in (1, 2, len(everything["items"])):
            seen, cursor = [], ""
            while cursor is not None:
                page = self.ok(self.send("GET", f"/rates?limit={limit}{cursor and '&cursor=' + cursor}"))
                self.assertLessEqual(len(page["items"]), limit)
                seen += page["items"]
                cursor = page["next_cursor"]
            self.assertEqual(seen, everything["items"])

    def test_a_rate_is_between_two_types_that_exist(self):
        rate = {"numerator": 1, "denominator": 1}
        for source, target, status, code in ((self.gold, UNKNOWN_TYPE, 404, "type_not_found"),
                                             (UNKNOWN_TYPE, self.gold, 404, "type_not_found"),
                                             (self.gold, self.gold, 409, "self_target")):
            self.assert_problem(self.send("PUT", f"/rates/{source}/{target}", rate), status, code)

    def test_what_is_got_is_new_and_does_not_expire(self):
        self.rate(1, 1)
        self.add(5, expires_at=FUTURE)
        self.ok(self.post("/exchanges", self.exchange(5)))
        self.assert_account(0)
        self.assert_account(5, type=self.silver)


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
                                                domain="main", amount=3, remark="reserved", at=flow["at"], **more),
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



class Dashboard(MovesCase):
    def test_every_metric_of_the_dashboard_is_there(self):
        self.add(10)
        self.ok(self.post("/holds", {"order_id": new_id(), "type": self.gold, "domain": "main", "uid": self.alice,
                                     "amount": 1}))
        dashboard = (ROOT / "deploy" / "grafana" / "ledger.json").read_text()
        named = set(re.findall(r"larder_[a-z_]+", dashboard))
        self.assertGreater(len(named), 8)

        def missing():
            shown = self.client.get("/metrics").raw.decode()
            return {name for name in named if f"\n{name}" not in f"\n{shown}"}
        eventually(lambda: not missing(), "every metric of the dashboard is shown")
        self.assertEqual(missing(), set())

if __name__ == "__main__":
    main()
