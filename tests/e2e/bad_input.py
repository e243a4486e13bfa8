"""What the tests of bad input share: invalid values, and a server that must keep no trace of them."""
import json
import uuid

from harness import TracelessCase

TYPES = "/v1/ledger/types"
ORDERS = "/v1/ledger/orders"
ENTRIES = "/v1/ledger/entries"
LEDGER = "/v1/ledger"
FUTURE, PAST = "2099-12-31T23:59:59.999Z", "2020-01-01T00:00:00.000Z"
BODY_MAX = 1024 * 1024

BAD_IDS = ["", " ", "a b", "{u}", "}u{", "u}:x", "a/b", "../x", "a\\b", "a\nb", "a\rb", "a\tb", "a\x00b", "\x00",
           "\x7f", "a\x1bb", "🍕", "ü", "a*", "a?b", "a#b", "a%20b", "a'b", 'a"b', "a,b", "a;b", "$(x)", "a&b",
           "<uid>", "[a]", "\u202eabc", "\ufeffa", "a" * 129, "a" * 5000]
BAD_UTF8 = [b"\xff", b"\xc3", b"\xc3\x28", b"\xe2\x82", b"\xf0\x9f\x8d", b"\xed\xa0\x80", b"\xc0\xaf",
            b"\xf8\x88\x80\x80\x80",
            b"\xf4\x90\x80\x80"]

# Pieces of JSON that are not values of their kind.
JUNK = ["true", "[]", "[1]", "{}", '{"a": {"b": [{}]}}', "[[[[]]]]"]
BAD_WHOLE = [*JUNK, "-1", "-0.5", "1.5", "0.1", "1e-1", "1e300", "-1e300", "9007199254740991.5", str(2**53),
             str(2**53 + 1), str(2**63 - 1), str(2**63), str(2**64), str(-(2**63)), "9" * 400, '""', '"all"', '"5 "',
             '"0x5"', '"5.0"']
BAD_OF_KIND = {
    "amount": [*BAD_WHOLE, '"5"'],
    "positive": [*BAD_WHOLE, '"5"', "0", "-0", "0.0"],
    "type": [*BAD_WHOLE, "0", '"0"', '"-1"', '"+1"', '"%s"' % ("9" * 30)],
    "id": [*JUNK, "1", "1.5", *map(json.dumps, BAD_IDS)],
    "time": [*JUNK, "0", "1700000000000", '""', '"now"', '"2024-01-01"', '"2024-01-01T00:00:00"',
             '"2024-13-01T00:00:00Z"', '"2023-02-29T00:00:00Z"', '"2024-01-01T24:00:00Z"', '"2024-01-01 00:00:00Z"',
             '"2024-01-01T00:00:00Zx"', '"1700000000000"', '"99999-01-01T00:00:00Z"', '"2024-01-01T00:00:00+25:00"'],
    "end": [f'"{PAST}"', '"1960-01-01T00:00:00Z"', '"0001-01-01T00:00:00Z"'],
    "remark": [*JUNK, "1", json.dumps("x" * 257), json.dumps("🍕" * 257), '"a\\u0000b"'],
    "name": [*JUNK, "1", '""', json.dumps("x" * 65), json.dumps("é" * 65), '"a\\u0000"'],
    "days": [*JUNK, "0", "-1", "3651", "1.5", '"7"', "1e300"],
    "op": [*JUNK, "1", '""', '"ADD"', '"add "', '"transfer"', '"transfer_out"', '"hold"', '"mature"', '"add\\u0000"'],
    "mode": [*JUNK, "1", '""', '"Atomic"', '"atomic "', '"all"', '"CONTINUE"'],
}


class BadInputCase(TracelessCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        client = cls.server.client()
        cls.type = client.new_type("points")
        cls.other_type, cls.third_type = client.new_type("others"), client.new_type("thirds")
        client.entry(order_id="start", op="add", type=cls.type, domain="main", uid="u", amount=100)
        client.send("PUT", f"{LEDGER}/rates/{cls.type}/{cls.other_type}", {"numerator": 1, "denominator": 10})
        for order_id in ("held", "gone"):
            client.post(f"{LEDGER}/holds", {"order_id": order_id, "type": cls.type, "domain": "main", "uid": "u",
                                            "amount": 5})
        client.post(f"{LEDGER}/holds/u/gone/release")
        client.flows("u")
        client.close()

    def entry(self, **changes):
        return {"order_id": uuid.uuid4().hex, "op": "add", "type": self.type, "domain": "main", "uid": "u",
                "amount": 1} | changes

    def body_with(self, name, text):
        """A complete entry that has this piece of JSON as one of its values."""
        return json.dumps(self.entry(**{name: "@@"})).encode().replace(b'"@@"', text if isinstance(text, bytes)
                                                                        else text.encode())

    def assert_refused(self, answer, status=400, code="invalid_request", field=None):
        """`field`: the name of the field, or ... if any field may be named."""
        self.assertLess(answer.status, 500, answer)
        self.assert_problem(answer, status, code, answer.json.get("field") if field is ... else field)

    @staticmethod
    def escape(text):
        return "".join(f"%{byte:02X}" for byte in (text if isinstance(text, bytes) else text.encode()))
