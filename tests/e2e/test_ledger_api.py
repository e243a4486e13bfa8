"""The HTTP contract of the ledger: exact answers, replays, refusals, paging, and the document that describes it."""
import json
import random
import time
import uuid

from harness import AMOUNT_MAX, SEED, TIME, main
from ledger_case import TYPES, ORDERS, ENTRIES, PAST, FUTURE, LedgerCase


class Types(LedgerCase):
    def test_a_new_type_is_answered_whole_and_can_be_read_again(self):
        cases = [
            ({}, {"starts_at": None, "ends_at": None, "order_ttl_days": 7, "order_age_days_max": 7, "remark": ""}),
            ({"starts_at": PAST, "ends_at": FUTURE, "order_ttl_days": 1, "order_age_days_max": 3650,
              "remark": "Spaß 🍕"},
             {"starts_at": PAST, "ends_at": FUTURE, "order_ttl_days": 1, "order_age_days_max": 3650,
              "remark": "Spaß 🍕"}),
            ({"starts_at": "2024-02-29T12:30:00+02:00", "remark": ""},
             {"starts_at": "2024-02-29T10:30:00.000Z", "ends_at": None, "order_ttl_days": 7, "order_age_days_max": 7,
              "remark": ""}),
        ]
        for given, expected in cases:
            with self.subTest(given=given):
                name = f"é {uuid.uuid4().hex}"
                answer = self.client.post(TYPES, {"name": name, **given})
                self.assertEqual(answer.status, 201, answer)
                self.assertEqual(answer.headers["Content-Type"], "application/json")
                made = answer.json
                self.assertIsInstance(made["id"], int)
                self.assertRegex(made["created_at"], TIME)
                self.assertEqual(made, {"id": made["id"], "name": name, "created_at": made["created_at"], **expected})
                self.assertEqual(self.client.get(f"{TYPES}/{made['id']}").json, made)

    def test_a_name_is_given_once(self):
        name = uuid.uuid4().hex
        made = self.client.new_type(name)
        self.assert_problem(self.client.post(TYPES, {"name": name}), 409, "type_exists", id=made)

    def test_a_type_does_not_end_before_it_starts(self):
        for starts, ends in ((FUTURE, PAST), (PAST, PAST)):
            body = {"name": "backwards", "starts_at": starts, "ends_at": ends}
            self.assert_problem(self.client.post(TYPES, body), 400, "invalid_request", "ends_at")

    def test_types_are_listed_in_pages(self):
        ids = [self.client.new_type(uuid.uuid4().hex) for _ in range(5)]
        listed, cursor = [], None
        while True:
            answer = self.client.get(f"{TYPES}?limit=2" + (f"&cursor={cursor}" if cursor else ""))
            self.assertEqual(answer.status, 200, answer)
            self.assertEqual(set(answer.json), {"items", "next_cursor"})
            self.assertLessEqual(len(answer.json["items"]), 2)
            listed += answer.json["items"]
            cursor = answer.json["next_cursor"]
            if cursor is None:
                break
            self.assertEqual(len(answer.json["items"]), 2)
        numbers = [item["id"] for item in listed]
        self.assertEqual(numbers, sorted(set(numbers)))
        self.assertEqual(numbers[-5:], ids)

    def test_an_unknown_type_is_not_found_anywhere(self):
        unknown = 999_999
        answers = [
            self.client.get(f"{TYPES}/{unknown}"),
            self.client.post(ORDERS, {"type": unknown, "domain": "main", "uid": "u"}),
            self.client.entry(**(self.entry("add", 1) | {"type": unknown})),
            self.client.get(f"/v1/ledger/accounts/{unknown}/main/u"),
        ]
        for answer in answers:
            self.assert_problem(answer, 404, "type_not_found")

    def test_a_type_takes_entries_only_between_its_start_and_its_end(self):
        for window in ({"starts_at": FUTURE}, {"ends_at": PAST}):
            self.type = self.client.new_type(uuid.uuid4().hex, **window)
            self.assert_problem(self.post("add", 1), 409, "type_not_active")
            self.assertEqual(self.balance(), 0)

    def test_a_retry_gets_its_answer_after_the_end_of_its_type_too(self):
        ends = time.time() + 1.5
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ends)) + f".{int(ends % 1 * 1000):03}Z"
        self.type = self.client.new_type(uuid.uuid4().hex, ends_at=stamp)
        entry = self.entry("add", 5)
        self.assert_ok(self.client.entry(**entry), entry["order_id"], "add", 0, 5)
        time.sleep(max(0.0, ends - time.time()) + 0.01)
        self.assert_problem(self.post("add", 1), 409, "type_not_active")
        self.assert_ok(self.client.entry(**entry), entry["order_id"], "add", 0, 5, replayed=True)


class Orders(LedgerCase):
    def test_an_issued_order_is_never_given_twice_and_can_be_used(self):
        other = self.client.new_type(uuid.uuid4().hex)
        given = []
        for i in range(200):
            answer = self.client.post(ORDERS, {"type": (self.type, other)[i % 2], "domain": "main", "uid": f"u{i % 3}"})
            self.assertEqual(answer.status, 201, answer)
            self.assertEqual(set(answer.json), {"order_id"})
            given.append(answer.json["order_id"])
        self.assertEqual(len(set(given)), len(given))
        for order_id in given:
            self.assertRegex(order_id, r"^[A-Za-z0-9_:.-]{1,128}$")
        self.assert_ok(self.post("add", 3, given[0]), given[0], "add", 0, 3)

    def test_an_order_that_was_not_used_is_not_found(self):
        self.assert_problem(self.client.order("u", "never-used"), 404, "order_not_found")

    def test_an_order_belongs_to_its_user(self):
        self.assertEqual(self.post("add", 1, "o1", uid="a").status, 200)
        self.assert_problem(self.client.order("b", "o1"), 404, "order_not_found")
        self.assert_ok(self.post("add", 2, "o1", uid="b"), "o1", "add", 0, 2)

    def test_an_order_shows_its_recorded_outcome(self):
        self.post("add", 5, "first")
        self.post("deduct", 9, "refused")
        cases = [("first", "add", "ok", 0, 5, 5), ("refused", "deduct", "insufficient_balance", 5, 5, 9)]
        for order_id, op, status, old, new, amount in cases:
            order = self.client.order("u", order_id).json
            self.assertRegex(order["at"], TIME)
            self.assertEqual(order, {"order_id": order_id, "op": op, "status": status, "old_balance": old,
                                     "change": new - old, "balance": new, "type": self.type, "domain": "main",
                                     "uid": "u", "amount": amount, "at": order["at"]})


class Entries(LedgerCase):
    def test_entries_change_the_balance_as_their_names_say(self):
        balance = 0
        for op, amount, expected in (("add", 10, 10), ("deduct", 3, 7), ("reset", 100, 100), ("reset", 0, 0),
                                     ("add", AMOUNT_MAX, AMOUNT_MAX), ("deduct", AMOUNT_MAX, 0), ("add", 1, 1)):
            entry = self.entry(op, amount)
            self.assert_ok(self.client.entry(**entry), entry["order_id"], op, balance, expected)
            self.assertEqual(self.client.account(self.type, "main", "u"),
                             {"type": self.type, "domain": "main", "uid": "u", "balance": expected, "held": 0,
                              "pending": 0, "lots": [], "holds": []})
            balance = expected

    def test_accounts_do_not_touch_one_another(self):
        self.post("add", 1, uid="a")
        self.post("add", 2, uid="a", domain="other")
        self.post("add", 3, uid="b")
        other_type = self.client.new_type(uuid.uuid4().hex)
        self.client.entry(**(self.entry("add", 4, uid="a") | {"type": other_type}))
        self.assertEqual([self.balance("a"), self.balance("a", "other"), self.balance("b"), self.balance("c")],
                         [1, 2, 3, 0])
        self.assertEqual(self.client.account(other_type, "main", "a")["balance"], 4)

    def test_ids_of_every_allowed_kind_work_everywhere(self):
        cases = [("0", "0", "0"), ("a" * 64, "d" * 64, "o" * 128), ("user@example.org", "guild:1:season.2", "a:b:c"),
                 ("auth0|5f+x", "x_y-z.0:", ":.-_"), ("score_outbox", "score", "score_os"), ("..", ".", "..")]
        for uid, domain, order_id in cases:
            with self.subTest(uid=uid, domain=domain, order_id=order_id):
                answer = self.post("add", 7, order_id, uid=uid, domain=domain)
                self.assert_ok(answer, order_id, "add", 0, 7)
                account = self.client.account(self.type, domain, uid)
                self.assertEqual((account["uid"], account["domain"], account["balance"]), (uid, domain, 7))
                self.assertEqual(self.client.order(uid, order_id).json["domain"], domain)
                flows = self.client.flows(uid, type=self.type)
                self.assertEqual([(flow["order_id"], flow["domain"]) for flow in flows], [(order_id, domain)])

    def test_the_same_order_answers_the_same_again(self):
        entry = self.entry("add", 5)
        self.assert_ok(self.client.entry(**entry), entry["order_id"], "add", 0, 5)
        self.post("add", 10)
        for remark in (None, "", "another remark is no other parameter"):
            again = entry if remark is None else entry | {"remark": remark}
            self.assert_ok(self.client.entry(**again), entry["order_id"], "add", 0, 5, replayed=True)
        self.assertEqual(self.balance(), 15)
        self.assertEqual(len(self.client.flows("u", type=self.type)), 2)

    def test_the_same_order_with_other_parameters_is_a_conflict_that_names_them(self):
        other_type = self.client.new_type(uuid.uuid4().hex)
        entry = self.entry("add", 5)
        self.client.entry(**entry)
        cases = [({"op": "deduct"}, ["op"]), ({"type": other_type}, ["type"]), ({"domain": "other"}, ["domain"]),
                 ({"amount": 6}, ["amount"]),
                 ({"op": "reset", "type": other_type, "domain": "x", "amount": 0}, ["op", "type", "domain", "amount"])]
        for change, fields in cases:
            with self.subTest(change=change):
                self.assert_problem(self.client.entry(**(entry | change)), 409, "order_conflict", fields=fields)
        self.assertEqual(self.balance(), 5)
        self.assertEqual(self.client.account(other_type, "main", "u")["balance"], 0)
        self.assertEqual(len(self.client.flows("u")), len({flow["order_id"] for flow in self.client.flows("u")}))

    def test_a_refusal_is_remembered_for_its_order(self):
        cases = [("insufficient_balance", 3, "deduct", 4, ("add", 100)),
                 ("balance_limit", AMOUNT_MAX, "add", 1, ("reset", 0))]
        for code, start, op, amount, relief in cases:
            with self.subTest(code=code):
                self.type = self.client.new_type(uuid.uuid4().hex)
                self.post("add", start)
                entry = self.entry(op, amount)
                outcome = {"order_id": entry["order_id"], "op": op, "old_balance": start, "change": 0,
                           "balance": start}
                self.assert_problem(self.client.entry(**entry), 409, code, **outcome, replayed=False)
                self.post(*relief)
                self.assert_problem(self.client.entry(**entry), 409, code, **outcome, replayed=True)
                self.assertEqual(self.client.order("u", entry["order_id"]).json["status"], code)
                self.assert_ok(self.post(op, amount, "another-" + code), "another-" + code, op,
                               self.balance() - (amount if op == "add" else -amount), self.balance())

    def test_whole_numbers_count_however_they_are_written(self):
        for order, text in enumerate(("5", "5.0", "5e0", "50e-1")):
            body = json.dumps(self.entry("add", 0, f"o{order}")).replace('"amount": 0', f'"amount": {text}')
            answer = self.client.post(ENTRIES, body)
            self.assertEqual((answer.status, answer.json["change"]), (200, 5), answer)


class Flows(LedgerCase):
    def test_what_was_acknowledged_is_in_the_journal_at_once(self):
        rng = random.Random(SEED)
        expected = []
        for i in range(100):
            entry = self.entry(rng.choice(("add", "deduct", "reset")), rng.randint(1, 50), remark=f"Grund {i} 🍕")
            answer = self.client.entry(**entry)
            body = answer.json
            flows = self.client.get(f"/v1/ledger/flows?uid=u&type={self.type}&limit=1").json["items"]
            self.assertRegex(flows[0]["at"], TIME)
            self.assertRegex(flows[0]["id"], r"^\d{13}-\d+$")
            expected.insert(0, {"order_id": entry["order_id"], "op": entry["op"],
                                "status": "ok" if answer.status == 200 else body["code"],
                                "old_balance": body["old_balance"], "change": body["change"],
                                "balance": body["balance"], "id": flows[0]["id"], "type": self.type, "domain": "main",
                                "amount": entry["amount"], "remark": entry["remark"], "at": flows[0]["at"]})
            self.assertEqual(flows, expected[:1])
        self.assertEqual(self.client.flows("u", type=self.type), expected)

    def test_pages_follow_one_another_without_gaps_or_repeats(self):
        uid = uuid.uuid4().hex
        orders = [f"o{i}" for i in range(57)]
        for order_id in orders:
            self.post("add", 1, order_id, uid=uid)
        for limit, pages in ((1, 57), (10, 6), (19, 3), (56, 2), (57, 1), (500, 1), (None, 2)):
            with self.subTest(limit=limit):
                seen, cursor, count = [], None, 0
                while True:
                    query = (f"&limit={limit}" if limit else "") + (f"&cursor={cursor}" if cursor else "")
                    page = self.client.get(f"/v1/ledger/flows?uid={uid}{query}").json
                    self.assertEqual(set(page), {"items", "next_cursor"})
                    seen += [flow["order_id"] for flow in page["items"]]
                    count += 1
                    cursor = page["next_cursor"]
                    if cursor is None:
                        break
                    self.assertEqual(len(page["items"]), limit or 50)
                self.assertEqual((seen, count), (orders[::-1], pages))

    def test_new_flows_do_not_disturb_a_reader_between_two_pages(self):
        uid = uuid.uuid4().hex
        for i in range(6):
            self.post("add", 1, f"o{i}", uid=uid)
        first = self.client.get(f"/v1/ledger/flows?uid={uid}&limit=3").json
        self.post("add", 1, "late", uid=uid)
        second = self.client.get(f"/v1/ledger/flows?uid={uid}&limit=3&cursor={first['next_cursor']}").json
        self.assertEqual([flow["order_id"] for flow in first["items"] + second["items"]],
                         [f"o{i}" for i in range(5, -1, -1)])

    def test_filters_narrow_the_journal(self):
        uid = uuid.uuid4().hex
        other_type = self.client.new_type(uuid.uuid4().hex)
        self.post("add", 1, "a", uid=uid)
        self.post("add", 1, "b", uid=uid, domain="other")
        self.client.entry(**(self.entry("add", 1, "c", uid=uid) | {"type": other_type}))
        time.sleep(0.005)
        self.post("add", 1, "d", uid=uid)
        at = {flow["order_id"]: flow["at"] for flow in self.client.flows(uid)}
        cases = [({}, "dcba"), ({"type": self.type}, "dba"), ({"type": other_type}, "c"), ({"domain": "main"}, "dca"),
                 ({"domain": "other"}, "b"), ({"type": self.type, "domain": "main"}, "da"),
                 ({"type": other_type, "domain": "other"}, ""), ({"from": at["d"]}, "d"), ({"to": at["d"]}, "cba"),
                 ({"from": PAST, "to": FUTURE}, "dcba"), ({"from": FUTURE}, ""), ({"to": PAST}, "")]
        for filters, orders in cases:
            with self.subTest(filters=filters):
                self.assertEqual([flow["order_id"] for flow in self.client.flows(uid, **filters)], list(orders))

    def test_a_user_without_flows_has_an_empty_journal(self):
        answer = self.client.get("/v1/ledger/flows?uid=nobody")
        self.assertEqual((answer.status, answer.json), (200, {"items": [], "next_cursor": None}))


if __name__ == "__main__":
    main()
