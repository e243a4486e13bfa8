"""What the tests of the ledger beyond plain entries share. Every answer is also compared with /openapi.json."""
import uuid

from harness import TIME, SharedServerCase
from openapi import Document

LEDGER = "/v1/ledger"
PAST, FUTURE, LATER = "2020-01-01T00:00:00.000Z", "2099-12-31T23:59:59.999Z", "2150-01-01T00:00:00.000Z"
UNKNOWN_TYPE = 999_999


def new_id():
    return uuid.uuid4().hex


class MovesCase(SharedServerCase):
    """Each test has its own types and users."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        client = cls.server.client()
        cls.document = Document(client)
        client.close()

    def setUp(self):
        super().setUp()
        self.gold, self.silver = self.client.new_type(new_id()), self.client.new_type(new_id())
        self.alice, self.bob = f"alice-{new_id()}", f"bob-{new_id()}"

    def send(self, method, path, body=None):
        answer = self.client.send(method, LEDGER + path, body)
        self.assertEqual(self.document.faults_of(method, LEDGER + path, answer), [], answer)
        return answer

    def post(self, path, body=None):
        return self.send("POST", path, body)

    def ok(self, answer, status=200):
        """The members of the answer, without the time, which cannot be predicted."""
        self.assertEqual(answer.status, status, answer)
        body = answer.json
        if "at" in body:
            self.assertRegex(body.pop("at"), TIME)
        return body

    def entry(self, op, amount, order_id=None, **more):
        return {"order_id": order_id or new_id(), "op": op, "type": self.gold, "domain": "main", "uid": self.alice,
                "amount": amount} | more

    def add(self, amount, **more):
        return self.ok(self.post("/entries", self.entry("add", amount, **more)))["balance"]

    def outcome(self, order_id, op, old, new, **more):
        return {"order_id": order_id, "op": op, "old_balance": old, "change": new - old, "balance": new} | more

    def account(self, uid=None, type=None):
        return self.ok(self.send("GET", f"/accounts/{type or self.gold}/main/{uid or self.alice}"))

    def assert_account(self, balance, uid=None, type=None, held=0, lots=(), holds=()):
        """Lots are (amount, effective_at, expires_at), holds are (order_id, amount, expires_at)."""
        self.assertEqual(self.account(uid, type), {
            "type": type or self.gold, "domain": "main", "uid": uid or self.alice, "balance": balance, "held": held,
            "pending": 0, "lots": [dict(zip(("amount", "effective_at", "expires_at"), lot)) for lot in lots],
            "holds": [dict(zip(("order_id", "amount", "expires_at"), hold)) for hold in holds]})

    def flows(self, uid=None, query=""):
        """The flows, oldest first. Asks only the journal, which settles nothing."""
        answer = self.send("GET", f"/flows?limit=500&uid={uid or self.alice}{query}")
        self.assertEqual((answer.status, answer.json["next_cursor"]), (200, None), answer)
        return answer.json["items"][::-1]

    def history(self, uid=None, type=None):
        """Lines like "deduct 3 5>2". The line of a refused flow begins with its status."""
        lines = []
        for flow in self.flows(uid, f"&type={type or self.gold}"):
            refused = "" if flow["status"] == "ok" else flow["status"] + " "
            lines.append(f"{refused}{flow['op']} {flow['amount']} {flow['old_balance']}>{flow['balance']}")
        return lines

    def assert_conflicts(self, path, body, cases):
        """Each case: a change to the body, and the fields that the conflict must name."""
        for change, fields in cases:
            with self.subTest(path=path, change=change):
                self.assert_problem(self.post(path, body | change), 409, "order_conflict", fields=fields)

    def end(self, type):
        self.ok(self.send("PATCH", f"/types/{type}", {"ends_at": PAST}))
