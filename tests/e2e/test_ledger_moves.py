"""The ledger beyond plain entries: changed types, lots, transfers, exchanges and holds."""
import re

from harness import AMOUNT_MAX, ROOT, eventually, main
from moves import FUTURE, UNKNOWN_TYPE, MovesCase, new_id


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
        self.assertEqual(flow, said | {"id": flow["id"], "remark": "für die 🍕", "at": flow["at"]})
        flow = self.flows(self.bob)[-1]
        self.assertEqual(flow, self.outcome(transfer["order_id"], "transfer_in", 1, 5, status="ok", type=self.gold,
                                            domain="main", id=flow["id"], amount=4, remark="für die 🍕", at=flow["at"])
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
                                           to_type=self.silver, credited=7, to_balance=7, id=out["id"], at=out["at"], **more))
        self.assertEqual(into, self.outcome(exchange["order_id"], "exchange_in", 0, 7, type=self.silver, amount=7,
                                            from_type=self.gold, id=into["id"], at=out["at"], **more))

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
