"""Looking around in the ledger: what a user has, the journal of all users, totals, and types by name."""
import uuid
from urllib.parse import quote

from harness import eventually, main, now_ms, run_larder, stamp
from ledger_case import FUTURE, LedgerCase
from openapi import Document

LEDGER = "/v1/ledger"
JOURNAL = f"{LEDGER}/journal"
TOTALS = f"{LEDGER}/totals"


class ViewsCase(LedgerCase):
    # Totals leave out the last moments, as many as two clocks may differ.
    server_args = ("--set", "server.clock_off_max_s=1")

    def setUp(self):
        super().setUp()
        self.user = uuid.uuid4().hex

    def add(self, amount, uid=None, domain="main", **more):
        added = self.post("add", amount, uid=uid or self.user, domain=domain, **more)
        self.assertEqual(added.status, 200, added)
        return added.json["order_id"]

    def hold(self, amount, order_id, domain="main", **more):
        made = self.client.post(f"{LEDGER}/holds", {"order_id": order_id, "type": self.type, "domain": domain,
                                                    "uid": self.user, "amount": amount, **more})
        self.assertEqual(made.status, 200, made)

    def pages(self, path, limit):
        """The items of all pages."""
        items, cursor = [], None
        while True:
            sign = "&" if "?" in path else "?"
            page = self.client.get(f"{path}{sign}limit={limit}" + (f"&cursor={quote(cursor, safe='')}" if cursor else ""))
            self.assertEqual(page.status, 200, page)
            self.assertLessEqual(len(page.json["items"]), limit)
            items += page.json["items"]
            cursor = page.json["next_cursor"]
            if cursor is None:
                return items

    def assert_wrong(self, path, field):
        self.assert_problem(self.client.get(path), 400, "invalid_request", field=field)


class OfAUser(ViewsCase):
    def test_accounts_are_listed_with_everything_that_belongs_to_the_balance(self):
        other = self.client.new_type(uuid.uuid4().hex)
        path = f"{LEDGER}/users/{self.user}/accounts"
        self.assertEqual(self.client.get(path).json, {"items": [], "next_cursor": None})
        self.add(10)
        self.add(7, effective_at=FUTURE)
        self.hold(4, "h")
        self.add(5, domain="a:b")
        self.client.entry(order_id="other", op="add", type=other, domain="main", uid=self.user, amount=1)
        self.add(3, uid="somebody")
        expected = [
            {"type": self.type, "domain": "a:b", "balance": 5, "held": 0, "pending": 0, "waiting": 0},
            {"type": self.type, "domain": "main", "balance": 6, "held": 4, "pending": 0, "waiting": 7},
            {"type": other, "domain": "main", "balance": 1, "held": 0, "pending": 0, "waiting": 0}]
        for limit in (1, 2, 3, 500):
            self.assertEqual(self.pages(path, limit), expected)

    def test_open_holds_are_listed_until_they_are_closed(self):
        for domain in ("a", "b"):
            self.add(100, domain=domain)
            for i in range(3):
                self.hold(i + 1, f"{domain}-{i}", domain=domain, expires_at=FUTURE)
        self.client.post(f"{LEDGER}/holds/{self.user}/a-1/capture")
        self.client.post(f"{LEDGER}/holds/{self.user}/b-0/release")
        expected = [{"type": self.type, "domain": domain, "order_id": f"{domain}-{i}", "amount": i + 1,
                     "expires_at": FUTURE} for domain, i in (("a", 0), ("a", 2), ("b", 1), ("b", 2))]
        for limit in (1, 2, 3, 500):
            self.assertEqual(self.pages(f"{LEDGER}/users/{self.user}/holds", limit), expected)

    def test_no_transfer_is_under_way_on_one_redis(self):
        self.add(10)
        self.client.post(f"{LEDGER}/transfers", {"order_id": "t", "type": self.type, "domain": "main", "from": self.user,
                                                 "to": "bob", "amount": 1})
        self.assertEqual(self.client.get(f"{LEDGER}/users/{self.user}/transfers").json, {"items": [], "next_cursor": None})

    def test_wrong_questions_are_refused(self):
        for what in ("accounts", "holds", "transfers"):
            path = f"{LEDGER}/users/{self.user}/{what}"
            for cursor in ("x", "1", "1/", "x/main", "1/a b", "1/main/h/x", "/main/h"):
                self.assert_wrong(f"{path}?cursor={quote(cursor, safe='')}", "cursor")
            self.assert_wrong(f"{path}?limit=0", "limit")
            self.assert_wrong(f"{path}?nosuch=1", "nosuch")
            self.assert_wrong(f"{LEDGER}/users/{quote('a b')}/{what}", "uid")


class Journal(ViewsCase):
    def test_the_journal_has_the_flows_of_all_users_newest_first(self):
        begin = stamp(now_ms() - 1)
        users = [f"{self.user}-{i}" for i in range(4)]
        for i in range(12):
            self.add(i + 1, uid=users[i % 4])
        for user in users:
            self.client.flows(user)  # waits until the journal has them
        path = f"{JOURNAL}?type={self.type}&from={begin}"
        flows = self.pages(path, 500)
        self.assertCountEqual([(flow["uid"], flow["amount"]) for flow in flows], [(users[i % 4], i + 1) for i in range(12)])
        # The flows of one millisecond have an order only if they belong to one user.
        recorded = [int(flow["id"].split("-")[0]) for flow in flows]
        self.assertEqual(recorded, sorted(recorded, reverse=True))
        for user in users:
            own = [{name: value for name, value in flow.items() if name != "uid"} for flow in flows if flow["uid"] == user]
            self.assertEqual(own, self.client.flows(user))
        for limit in (1, 5, 12):
            self.assertEqual(self.pages(path, limit), flows)
        self.assertEqual(self.pages(f"{JOURNAL}?from={begin}", 3)[:12], flows)

    def test_filters_choose(self):
        begin = stamp(now_ms() - 1)
        self.add(5)
        self.add(6, domain="other")
        self.post("deduct", 1, uid=self.user)
        self.client.flows(self.user)

        def found(**filters):
            query = "&".join(f"{name}={value}" for name, value in {"type": self.type, "from": begin, **filters}.items())
            return [(flow["op"], flow["domain"]) for flow in self.pages(f"{JOURNAL}?{query}", 2)]

        self.assertEqual(found(), [("deduct", "main"), ("add", "other"), ("add", "main")])
        self.assertEqual(found(domain="main"), [("deduct", "main"), ("add", "main")])
        self.assertEqual(found(op="add"), [("add", "other"), ("add", "main")])
        self.assertEqual(found(domain="main", op="add"), [("add", "main")])
        self.assertEqual(found(to=begin), [])
        self.assertEqual(found(domain="nosuch"), [])

    def test_wrong_questions_are_refused(self):
        for query, field in (("type=0", "type"), ("type=x", "type"), ("domain=a%20b", "domain"), ("op=nosuch", "op"),
                             ("from=now", "from"), ("to=1", "to"), ("cursor=x", "cursor"), ("cursor=1-1", "cursor"),
                             ("cursor=1-1/u", "cursor"), ("cursor=1-1/u/o/x", "cursor"), ("cursor=-1-1/u/o", "cursor"),
                             ("uid=u", "uid")):
            self.assert_wrong(f"{JOURNAL}?{query}", field)


class Totals(ViewsCase):
    def total(self, since=None):
        """The sums of the type, once they are of a later moment than `since`."""
        since = stamp(since or now_ms())

        def look():
            answer = self.client.get(f"{TOTALS}?type={self.type}")
            self.assertEqual(answer.status, 200, answer)
            only, = answer.json["items"]
            return only if only["at"] > since else None

        return eventually(look, "the totals are of a later moment", pause_s=0.1)

    def test_totals_are_what_all_users_have_together(self):
        for i in range(5):
            self.add(10, uid=f"{self.user}-{i}")
        self.add(100)
        self.add(7, effective_at=FUTURE)
        self.hold(30, "h")
        self.hold(5, "h2")
        self.client.post(f"{LEDGER}/holds/{self.user}/h2/capture", {"amount": 2})
        self.post("deduct", 1, uid=self.user)
        self.post("deduct", 1000, uid=self.user)
        total = self.total()
        self.assertEqual({name: total[name] for name in ("type", "outstanding", "held", "pending", "waiting")},
                         {"type": self.type, "outstanding": 50 + 100 - 30 - 2 - 1, "held": 30, "pending": 0, "waiting": 7})
        self.assertLess(total["at"], stamp(now_ms()))

    def test_all_types_are_listed_with_their_names(self):
        names = {item["type"]: item["name"] for item in self.pages(TOTALS, 1)}
        self.assertEqual(names, {item["id"]: item["name"] for item in self.pages(f"{LEDGER}/types", 500)})
        self.assertEqual(self.client.get(f"{TOTALS}?type=999999").json["items"], [])

    def test_a_type_that_is_over_has_no_points(self):
        self.add(10)
        self.assertEqual(self.total()["outstanding"], 10)
        self.client.send("PATCH", f"{LEDGER}/types/{self.type}", {"ends_at": stamp(now_ms())})
        gone = eventually(lambda: (item := self.client.get(f"{TOTALS}?type={self.type}").json["items"][0])["outstanding"] == 0
                          and item, "the type is over")
        self.assertEqual((gone["held"], gone["waiting"]), (0, 0))

    def test_wrong_questions_are_refused(self):
        for query, field in (("type=0", "type"), ("cursor=x", "cursor"), ("cursor=0", "cursor"), ("limit=501", "limit")):
            self.assert_wrong(f"{TOTALS}?{query}", field)


class Types(ViewsCase):
    def test_a_type_is_found_by_its_name(self):
        name = f"gold {uuid.uuid4().hex} 🍕"
        made = self.client.new_type(name)
        self.assertEqual([item["id"] for item in self.client.get(f"{LEDGER}/types?name={quote(name)}").json["items"]], [made])
        self.assertEqual(self.client.get(f"{LEDGER}/types?name={quote(name[:-1])}").json["items"], [])
        self.assert_wrong(f"{LEDGER}/types?name=", "name")


class Documented(ViewsCase):
    def test_answers_are_as_documented(self):
        self.add(10)
        self.hold(4, "h")
        document = Document(self.client)
        for path in (f"{LEDGER}/users/{self.user}/accounts", f"{LEDGER}/users/{self.user}/holds",
                     f"{LEDGER}/users/{self.user}/transfers", JOURNAL, TOTALS, f"{LEDGER}/types?name=x"):
            answer = self.client.get(path)
            self.assertEqual(answer.status, 200, answer)
            self.assertEqual(document.faults_of("GET", path, answer), [], path)

    def test_only_keys_of_the_ledger_may_look(self):
        made = run_larder("key", "create", "--name", "bot", "--scope", "economy", "--data", self.server.data)
        other = self.server.client(made.stdout.strip())
        self.addCleanup(other.close)
        nobody = self.server.client("")
        self.addCleanup(nobody.close)
        for path in (f"{LEDGER}/users/u/accounts", f"{LEDGER}/users/u/holds", f"{LEDGER}/users/u/transfers", JOURNAL, TOTALS):
            self.assert_problem(other.get(path), 403, "forbidden")
            self.assert_problem(nobody.get(path), 401, "unauthorized")


if __name__ == "__main__":
    main()
