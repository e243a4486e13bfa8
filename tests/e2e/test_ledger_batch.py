"""Many entries in one request, the balance at a past moment, and a journal with flows of every kind."""
import json
import time

from harness import AMOUNT_MAX, eventually, main, now_ms, stamp
from moves import FUTURE, PAST, UNKNOWN_TYPE, MovesCase, new_id


class Batches(MovesCase):
    def batch(self, mode, *entries):
        return self.post("/entries/batch", {"mode": mode, "entries": entries})

    def receipt(self, entry, old, new, replayed=False, status="ok"):
        return self.outcome(entry["order_id"], entry["op"], old, new, status=status, replayed=replayed)

    def test_each_entry_gets_a_result_of_its_own_in_order(self):
        first, lot = self.entry("add", 5), self.entry("add", 7, uid=self.bob, expires_at=FUTURE)
        too_much, less = self.entry("deduct", 6), self.entry("deduct", 2)
        conflict, over = first | {"amount": 6}, self.entry("add", 1, expires_at=PAST)
        unknown = self.entry("add", 1, type=UNKNOWN_TYPE)
        results = self.ok(self.batch("continue", first, lot, too_much, less, first, conflict, unknown, over))["results"]
        for refused in results[5:]:
            self.assertTrue(refused.pop("detail"))
        self.assertEqual(results, [
            self.receipt(first, 0, 5), self.receipt(lot, 0, 7),
            self.receipt(too_much, 5, 5, status="insufficient_balance"), self.receipt(less, 5, 3),
            self.receipt(first, 0, 5, replayed=True),
            {"order_id": first["order_id"], "status": "order_conflict", "fields": ["amount"]},
            {"order_id": unknown["order_id"], "status": "type_not_found"},
            {"order_id": over["order_id"], "status": "invalid_request", "field": "expires_at"}])
        again = self.ok(self.batch("continue", first, lot, too_much, less))["results"]
        self.assertEqual(again, [result | {"replayed": True} for result in results[:4]])
        self.assertEqual(self.history(), ["add 5 0>5", "insufficient_balance deduct 6 5>5", "deduct 2 5>3"])
        self.assert_account(7, uid=self.bob, lots=[(7, None, FUTURE)])

    def test_an_atomic_batch_is_done_as_a_whole(self):
        entries = [self.entry("add", 5), self.entry("add", 9, uid=self.bob), self.entry("deduct", 3),
                   self.entry("reset", 1, uid=self.bob), self.entry("add", 2, effective_at=FUTURE)]
        balances = [(0, 5), (0, 9), (5, 2), (9, 1), (2, 2)]
        for replayed in (False, True):
            results = self.ok(self.batch("atomic", *entries))["results"]
            self.assertEqual(results, [self.receipt(entry, *change, replayed=replayed)
                                       for entry, change in zip(entries, balances)])
        more = self.entry("add", 1)
        self.assertEqual(self.ok(self.batch("atomic", entries[0], more))["results"],
                         [self.receipt(entries[0], 0, 5, replayed=True), self.receipt(more, 2, 3)])
        self.assert_account(3, lots=[(2, FUTURE, None)])

    def test_an_atomic_batch_with_one_entry_that_cannot_be_done_leaves_no_trace(self):
        self.add(5)
        used = self.entry("deduct", 1)
        self.ok(self.post("/entries", used))
        ended = self.client.new_type(new_id(), ends_at=PAST)
        cases = [("insufficient_balance", self.entry("deduct", 100)), ("balance_limit", self.entry("add", AMOUNT_MAX)),
                 ("type_not_found", self.entry("add", 1, type=UNKNOWN_TYPE)),
                 ("type_not_active", self.entry("add", 1, type=ended)), ("order_conflict", used | {"amount": 2}),
                 ("invalid_request", self.entry("add", 1, expires_at=PAST))]
        before = self.flows()
        for reason, bad in cases:
            with self.subTest(reason=reason):
                good = [self.entry("add", 1), self.entry("deduct", 1)]
                self.assert_problem(self.batch("atomic", good[0], bad, good[1]), 409, "batch_refused", index=1,
                                    reason=reason, order_id=bad["order_id"])
                self.assert_problem(self.batch("atomic", bad), 409, "batch_refused", index=0, reason=reason,
                                    order_id=bad["order_id"])
                for entry in good:
                    self.assert_problem(self.send("GET", f"/orders/{self.alice}/{entry['order_id']}"), 404,
                                        "order_not_found")
        self.assertEqual(self.flows(), before)
        self.assert_account(4)

    def test_a_thousand_entries_are_taken_and_one_more_is_not(self):
        for mode in ("continue", "atomic"):
            with self.subTest(mode=mode):
                self.alice = new_id()
                entries = [self.entry("add", 1, f"o{i}") for i in range(1000)]
                results = self.ok(self.batch(mode, *entries))["results"]
                self.assertEqual(results, [self.receipt(entry, i, i + 1) for i, entry in enumerate(entries)])
                replays = self.ok(self.batch(mode, *entries))["results"]
                self.assertEqual(replays, [result | {"replayed": True} for result in results])
                self.assert_problem(self.batch(mode, *entries, self.entry("add", 1)), 400, "invalid_request",
                                    "entries")
                self.assert_account(1000)
                flows = self.client.flows(self.alice)
                self.assertEqual([flow["order_id"] for flow in flows], [f"o{i}" for i in range(999, -1, -1)])

    def test_a_bad_field_is_named_with_its_place(self):
        entries = [self.entry("add", 1) for _ in range(5)]
        for mode in ("continue", "atomic"):
            for change, field in (({"amount": -1}, "amount"), ({"op": "steal"}, "op"), ({"uid": ""}, "uid"),
                                  ({"what": 1}, "what"), ({"expires_at": "soon"}, "expires_at"),
                                  ({"amount": 0}, "amount"), ({"op": "reset", "expires_at": FUTURE}, "expires_at"),
                                  ({"effective_at": FUTURE, "expires_at": FUTURE}, "expires_at")):
                bad = entries[:3] + [entries[3] | change] + [entries[4] | {"amount": "x"}]
                self.assert_problem(self.batch(mode, *bad), 400, "invalid_request", f"entries[3].{field}")
            self.assert_problem(self.batch(mode, *entries[:4], 5), 400, "invalid_request", "entries[4]")
        self.assertEqual(self.flows(), [])


class ThePast(MovesCase):
    def at(self, when, uid=None):
        return self.ok(self.send("GET", f"/accounts/{self.gold}/main/{uid or self.alice}/at?time={when}"))

    def test_the_balance_is_told_as_it_was_at_any_moment(self):
        for op, amount in (("add", 10), ("deduct", 3), ("deduct", 100), ("reset", 50)):
            self.post("/entries", self.entry(op, amount))
            time.sleep(0.003)  # so that every flow has its own millisecond
        self.add(7, effective_at=stamp(now_ms() + 1000))
        eventually(lambda: self.account()["balance"] == 57, "the lot counts")
        flows = self.flows()
        self.assertEqual([flow["balance"] for flow in flows], [10, 7, 7, 50, 50, 57])
        for flow in flows:
            self.assertEqual(self.at(flow["at"]), {"type": self.gold, "domain": "main", "uid": self.alice,
                                                   "time": flow["at"], "balance": flow["balance"]})
        for when, balance in ((PAST, 0), (stamp(now_ms()), 57)):
            self.assertEqual(self.at(when)["balance"], balance)
        self.assertEqual(self.at(PAST, self.bob)["balance"], 0)
        self.assertEqual(self.at("2020-01-01T02:00:00%2B02:00")["time"], PAST)

    def test_a_bad_moment_or_type_is_refused(self):
        path = f"/accounts/{self.gold}/main/{self.alice}/at"
        for query, field in (("", "time"), ("?time=", "time"), ("?time=now", "time"), ("?time=2020-01-01", "time"),
                             (f"?time={PAST}&time={PAST}", "time"), (f"?time={PAST}&x=1", "x")):
            self.assert_problem(self.send("GET", path + query), 400, "invalid_request", field)
        self.assert_problem(self.send("GET", f"/accounts/{UNKNOWN_TYPE}/main/u/at?time={PAST}"), 404, "type_not_found")

    def test_the_future_is_not_known(self):
        for when in (FUTURE, stamp(now_ms() + 60_000)):
            refused = self.send("GET", f"/accounts/{self.gold}/main/{self.alice}/at?time={when}")
            self.assert_problem(refused, 400, "invalid_request", "time")
            self.assertIn("must not be in the future", refused.json["detail"])


class Journal(MovesCase):
    def test_pages_lead_through_flows_of_every_kind_without_gaps_or_repeats(self):
        self.ok(self.send("PUT", f"/rates/{self.gold}/{self.silver}", {"numerator": 1, "denominator": 2}))
        base = {"domain": "main", "uid": self.alice}
        soon = now_ms() + 1000
        self.add(100)
        self.add(5, effective_at=stamp(soon), expires_at=stamp(soon + 100))
        for number in range(4):
            self.ok(self.post("/transfers", {"order_id": f"t{number}", "type": self.gold, "domain": "main",
                                             "from": self.alice, "to": self.bob, "amount": 5}))
            self.ok(self.post("/transfers", {"order_id": f"b{number}", "type": self.gold, "domain": "main",
                                             "from": self.bob, "to": self.alice, "amount": 2}))
            self.ok(self.post("/exchanges", base | {"order_id": f"x{number}", "from_type": self.gold,
                                                    "to_type": self.silver, "amount": 4}))
            self.ok(self.post("/holds", base | {"order_id": f"h{number}", "type": self.gold, "amount": 3}))
            self.ok(self.post(f"/holds/{self.alice}/h{number}/capture", {"amount": 1}))
            self.ok(self.post("/entries", self.entry("deduct", 1)))
        eventually(lambda: self.history()[-1].startswith("expire"), "the lot came and went")
        self.ok(self.post("/entries", self.entry("reset", 0)))

        whole = self.flows()[::-1]
        self.assertEqual({flow["op"] for flow in whole},
                         {"add", "deduct", "reset", "transfer_out", "transfer_in", "exchange_out", "exchange_in",
                          "hold", "capture", "release", "mature", "expire"})
        self.assertEqual(len(whole), 2 + 4 * 8 + 2 + 1)
        for limit in (1, 2, 3, 7, len(whole) - 1, len(whole)):
            with self.subTest(limit=limit):
                seen, cursor = [], ""
                while cursor is not None:
                    page = self.ok(self.send("GET", f"/flows?uid={self.alice}&limit={limit}"
                                             + (f"&cursor={cursor}" if cursor else "")))
                    self.assertLessEqual(len(page["items"]), limit)
                    seen += page["items"]
                    cursor = page["next_cursor"]
                self.assertEqual(json.dumps(seen), json.dumps(whole))
        for type in (self.gold, self.silver):
            balance = 0
            for flow in self.flows(query=f"&type={type}"):
                self.assertEqual(flow["old_balance"], balance, flow)
                balance = flow["balance"]
            self.assert_account(balance, type=type)


if __name__ == "__main__":
    main()
