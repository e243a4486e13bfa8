"""What the tests of the ledger's routes share."""
import uuid

from harness import SharedServerCase, main

TYPES = "/v1/ledger/types"
ORDERS = "/v1/ledger/orders"
ENTRIES = "/v1/ledger/entries"
PAST, FUTURE = "2020-01-01T00:00:00.000Z", "2099-12-31T23:59:59.999Z"


class LedgerCase(SharedServerCase):
    def setUp(self):
        super().setUp()
        self.type = self.client.new_type(uuid.uuid4().hex)

    def entry(self, op, amount, order_id=None, uid="u", domain="main", **more):
        return {"order_id": order_id or uuid.uuid4().hex, "op": op, "type": self.type, "domain": domain, "uid": uid,
                "amount": amount, **more}

    def post(self, op, amount, *args, **more):
        return self.client.entry(**self.entry(op, amount, *args, **more))

    def assert_ok(self, answer, order_id, op, old, new, replayed=False):
        self.assertEqual(answer.status, 200, answer)
        self.assertEqual(answer.headers["Content-Type"], "application/json")
        self.assertEqual(answer.json, {"order_id": order_id, "op": op, "status": "ok", "old_balance": old,
                                       "change": new - old, "balance": new, "replayed": replayed})

    def balance(self, uid="u", domain="main"):
        return self.client.account(self.type, domain, uid)["balance"]
