"""Types that change, and points that begin to count or vanish at their time."""
from harness import AMOUNT_MAX, eventually, main, now_ms, stamp
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


if __name__ == "__main__":
    main()
