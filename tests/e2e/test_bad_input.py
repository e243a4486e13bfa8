"""Whatever is sent: the right refusal, with its code and field, and no trace in Redis or SQL."""
import json
import random
import uuid

from harness import AMOUNT_MAX, SEED, TracelessCase, eventually, main, raw_exchange, run_larder

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

# Pieces of JSON that are no value of their kind.
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
        client.entry(order_id="seed", op="add", type=cls.type, domain="main", uid="u", amount=100)
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
        """A whole entry whose one value is this piece of JSON."""
        return json.dumps(self.entry(**{name: "@@"})).encode().replace(b'"@@"', text if isinstance(text, bytes)
                                                                        else text.encode())

    def assert_refused(self, answer, status=400, code="invalid_request", field=None):
        """`field`: its name; ... if any may be named."""
        self.assertLess(answer.status, 500, answer)
        self.assert_problem(answer, status, code, answer.json.get("field") if field is ... else field)


class Bodies(BadInputCase):
    def test_a_body_that_is_no_json_object_is_refused(self):
        whole = json.dumps(self.entry())
        cases = ["", " ", "nul", "'x'", "{", "}", "{}}", "[", "{a:1}", '{"a":1,}', '{"a" 1}', '{"a":}', '{,}',
                 "//x\n{}", "01", "+1", ".5", "1.", "NaN", "Infinity", '"\t"', '"\\x"', '"\\ud800"', '"\\udc00x"',
                 '"\\u12"',
                 whole[1:], whole + whole, whole + "x", whole.replace(":", "=", 1), "\ufeff" + whole, "\x00",
                 whole + "\x00"]
        cases += [whole[:cut] for cut in range(1, len(whole), 7)]
        for path in (TYPES, ORDERS, ENTRIES):
            for body in cases:
                with self.subTest(path=path, body=body):
                    self.assert_refused(self.client.post(path, body.encode()))
            for body in ("null", "true", "1", '"x"', "[]", "[{}]"):
                with self.subTest(path=path, body=body):
                    self.assert_refused(self.client.post(path, body))

    def test_nesting_without_end_is_refused(self):
        for opening, closing in (("[", "]"), ('{"a":', "}")):
            for depth in (17, 1000, 100_000):
                body = opening * depth + "1" + closing * depth
                self.assert_refused(self.client.post(ENTRIES, body))
                self.assert_refused(self.client.post(ENTRIES, opening * depth))
                self.assert_refused(self.client.post(ENTRIES, self.body_with("remark", body)))

    def test_a_body_that_is_too_large_is_refused_before_it_is_read(self):
        body = json.dumps(self.entry(remark="x" * BODY_MAX)).encode()
        self.assert_refused(self.client.post(ENTRIES, body), 413, "body_too_large")
        host = b"Host: x\r\nAuthorization: Bearer " + self.server.token.encode() + b"\r\n"
        head = b"POST /v1/ledger/entries HTTP/1.1\r\n" + host + b"Content-Type: application/json\r\n"
        for length in (BODY_MAX + 1, 10**12, 2**63 - 1):
            answer = raw_exchange(self.server.address, head + b"Content-Length: %d\r\n\r\n{" % length)
            self.assert_refused(answer, 413, "body_too_large")
        chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        answer = raw_exchange(self.server.address, head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 17)
        self.assert_refused(answer, 413, "body_too_large")

    def test_a_body_just_within_the_limit_is_judged_by_its_content(self):
        padding = json.dumps(self.entry(amount=-1))
        self.assert_refused(self.client.post(ENTRIES, padding + " " * (BODY_MAX - len(padding))), field="amount")

    def test_another_content_type_is_refused(self):
        for media in ("text/plain", "application/x-www-form-urlencoded", "application/jsonx", "application", "json",
                      "*/*", "multipart/form-data; boundary=x", "application/json-patch+json", "", None):
            with self.subTest(media=media):
                answer = self.client.post(ENTRIES, self.entry(), headers={"Content-Type": media})
                self.assert_refused(answer, 415, "unsupported_media_type")

    def test_a_name_that_is_there_twice_is_refused(self):
        for name, value in self.entry().items():
            body = json.dumps(self.entry())[:-1] + f', {json.dumps(name)}: {json.dumps(value)}}}'
            self.assert_refused(self.client.post(ENTRIES, body), field=name)
        body = json.dumps(self.entry())[:-1] + ', "amo\\u0075nt": 5}'
        self.assert_refused(self.client.post(ENTRIES, body), field="amount")
        self.assert_refused(self.client.post(TYPES, '{"name": "x", "name": "y"}'), field="name")

    def test_bad_utf8_in_a_body_is_refused(self):
        for bad in BAD_UTF8:
            for name in ("remark", "uid", "order_id", "domain", "op"):
                self.assert_refused(self.client.post(ENTRIES, self.body_with(name, b'"a' + bad + b'"')))
            self.assert_refused(self.client.post(ENTRIES, b'{"' + bad + b'": 1}'))

    def test_an_unknown_field_is_refused_by_its_clipped_name(self):
        for name in ("x", "__proto__", "Amount", "amount ", "🍕", "x" * 64):
            self.assert_refused(self.client.post(ENTRIES, self.entry() | {name: 1}), field=name)
        self.assert_refused(self.client.post(ENTRIES, self.entry() | {"x" * 100_000: 1}), field="x" * 64)
        answer = self.client.post(ENTRIES, self.entry() | {"é" * 1000: 1})
        self.assert_refused(answer, field="é" * 32)


class Values(BadInputCase):
    def test_an_amount_that_is_none_is_refused(self):
        cases = ["-1", "-0.5", "1.5", "0.1", "1e-1", "1e300", "-1e300", "1e400", "9007199254740991.5", str(2**53),
                 str(2**53 + 1), str(2**63 - 1), str(2**63), str(2**64), str(-(2**63)), "9" * 400, '"5"', '""', '"all"',
                 "true", "false", "null", "[]", "[5]", "{}", '{"value": 5}']
        for op in ("add", "deduct", "reset"):
            for text in cases:
                with self.subTest(op=op, text=text):
                    body = self.body_with("amount", text).replace(b'"add"', b'"%s"' % op.encode())
                    answer = self.client.post(ENTRIES, body)
                    # Numbers beyond a double are no JSON to the parser.
                    field = None if text == "1e400" and "malformed" in answer.json["detail"] else "amount"
                    self.assert_refused(answer, field=field)
        for op in ("add", "deduct"):
            for zero in ("0", "-0", "0.0", "0e5"):
                body = self.body_with("amount", zero).replace(b'"add"', b'"%s"' % op.encode())
                self.assert_refused(self.client.post(ENTRIES, body), field="amount")

    def test_an_id_with_another_character_is_refused(self):
        for name in ("uid", "domain", "order_id"):
            for bad in BAD_IDS:
                with self.subTest(name=name, bad=bad):
                    self.assert_refused(self.client.post(ENTRIES, self.entry(**{name: bad})), field=name)
                    if name != "order_id":
                        body = {"type": self.type, "domain": "main", "uid": "u"} | {name: bad}
                        self.assert_refused(self.client.post(ORDERS, body), field=name)
        for name, bad in (("uid", "a:b"), ("uid", "u" * 65), ("domain", "d" * 65), ("domain", "a@b"),
                          ("order_id", "a|b")):
            self.assert_refused(self.client.post(ENTRIES, self.entry(**{name: bad})), field=name)

    def test_other_fields_are_held_to_their_rules(self):
        cases = [("op", ["", "ADD", "add ", "transfer", 1, None, [], "add\x00"]),
                 ("type", [0, -1, 1.5, 2**53, 2**63, "", "x", "1x", " 1", "-1", "9" * 30, True, None, [], {}]),
                 ("remark", ["x" * 257, "🍕" * 257, "a\x00b", "\x00", 1, True, [], {}])]
        for name, values in cases:
            for value in values:
                with self.subTest(name=name, value=value):
                    self.assert_refused(self.client.post(ENTRIES, self.entry(**{name: value})), field=name)

    def test_a_type_is_held_to_its_rules(self):
        cases = [("name", ["", "x" * 65, "é" * 65, "a\x00", 1, None, True, []]),
                 ("starts_at", ["", "now", "2024-01-01", "2024-01-01T00:00:00", "2024-13-01T00:00:00Z",
                                "2024-02-30T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z",
                                "2024-01-01T00:00:00+25:00", "2024-01-01T00:00:00.Z", "2024-01-01 00:00:00Z",
                                "-024-01-01T00:00:00Z", "2024-01-01T00:00:00Zx", 0, 1.7e12, True, {}]),
                 ("order_ttl_days", [0, -1, 3651, 1.5, "7", True, 1e300]),
                 ("order_age_days_max", [0, -1, 3651, 1.5, "7", True, 1e300]),
                 ("remark", ["x" * 257, "a\x00b", 1])]
        for name, values in cases:
            for value in values:
                with self.subTest(name=name, value=value):
                    body = {"name": "never-made"} | {name: value}
                    self.assert_refused(self.client.post(TYPES, body), field=name)

    def test_random_bytes_in_place_of_a_body_are_refused(self):
        rng = random.Random(SEED)
        # Refused in any case: no few bytes put three faults right.
        whole = json.dumps(self.entry(amount=-1, op="steal", uid="{}")).encode()
        for _ in range(500):
            body = bytearray(whole)
            for _ in range(rng.randint(1, 4)):
                at = rng.randrange(len(body))
                body[at:at + rng.randint(0, 3)] = rng.randbytes(rng.randint(0, 3))
            self.assert_refused(self.client.post(ENTRIES, bytes(body)), field=...)
        for _ in range(100):
            self.assert_refused(self.client.post(ENTRIES, b"\xff" + rng.randbytes(rng.randint(0, 300))))


class Moves(BadInputCase):
    """Every route of the ledger that takes a body, beyond plain entries."""

    def routes(self):
        """Method, path, a body that would be right, and the kinds of its fields; times that must come yet are "end"."""
        order = {"order_id": uuid.uuid4().hex, "domain": "main", "amount": 1}
        ids = dict.fromkeys(("order_id", "domain", "uid", "from", "to"), "id")
        known = ids | {"type": "type", "from_type": "type", "to_type": "type", "amount": "positive", "remark": "remark",
                       "effective_at": "time", "expires_at": "end"}
        types = {"name": "name", "starts_at": "time", "ends_at": "time", "order_ttl_days": "days",
                 "order_age_days_max": "days", "remark": "remark"}
        return [
            ("POST", "/entries", self.lot(), known | {"op": "op"}),
            ("POST", "/transfers", order | {"type": self.type, "from": "u", "to": "v", "remark": "why"}, known),
            ("POST", "/exchanges", order | {"uid": "u", "from_type": self.type, "to_type": self.other_type}, known),
            ("POST", "/holds", order | {"type": self.type, "uid": "u", "expires_at": FUTURE, "remark": "why"}, known),
            ("POST", "/holds/u/held/capture", {"amount": 1}, known),
            ("PUT", f"/rates/{self.type}/{self.other_type}", {"numerator": 1, "denominator": 1},
             {"numerator": "positive", "denominator": "positive"}),
            ("PATCH", f"/types/{self.type}", {"name": "never-made", "starts_at": PAST, "ends_at": FUTURE,
                                              "order_ttl_days": 1, "order_age_days_max": 1, "remark": "x"}, types),
        ]

    def lot(self):
        return self.entry(effective_at=PAST, expires_at=FUTURE, remark="why")

    def send(self, method, path, body):
        return self.client.send(method, LEDGER + path, body)

    @staticmethod
    def with_raw(body, name, text):
        """The body as bytes, with this piece of JSON as one of its values."""
        return json.dumps(body | {name: "@@"}).encode().replace(b'"@@"', text if isinstance(text, bytes)
                                                                else text.encode())

    def values(self, kind):
        return BAD_OF_KIND["time"] + BAD_OF_KIND["end"] if kind == "end" else BAD_OF_KIND[kind]

    def test_a_bad_value_of_any_field_is_refused_by_name(self):
        for method, path, body, kinds in self.routes():
            for name in body:
                for text in self.values(kinds[name]):
                    with self.subTest(path=path, name=name, text=text[:100]):
                        answer = self.send(method, path, self.with_raw(body, name, text))
                        self.assert_refused(answer, field=name)

    def test_a_field_that_is_required_is_required_by_name(self):
        for method, path, body, _ in self.routes():
            optional = {"remark", "effective_at", "expires_at"} if method == "POST" else set()
            if method == "PATCH" or path.endswith("capture"):
                optional = set(body)
            for name in set(body) - optional:
                with self.subTest(path=path, name=name):
                    self.assert_refused(self.send(method, path, body | {name: None}), field=name)
                    rest = {other: value for other, value in body.items() if other != name}
                    self.assert_refused(self.send(method, path, rest), field=name)

    def test_an_unknown_or_doubled_field_is_refused_by_name(self):
        for method, path, body, _ in self.routes():
            for name in ("x", "Amount", "__proto__", "expires_at ", "🍕", "mode", "id"):
                with self.subTest(path=path, name=name):
                    self.assert_refused(self.send(method, path, body | {name: 1}), field=name)
            for name, value in body.items():
                twice = json.dumps(body)[:-1] + f", {json.dumps(name)}: {json.dumps(value)}}}"
                self.assert_refused(self.send(method, path, twice), field=name)

    def test_a_body_of_another_shape_is_refused(self):
        for method, path, body, _ in [*self.routes(), ("POST", "/entries/batch", {"mode": "atomic",
                                                                                 "entries": [self.entry()]}, {})]:
            whole = json.dumps(body)
            for text in ("null", "true", "1", '"x"', "[]", "[{}]", f"[{whole}]", "{", whole[1:], whole[:-1], whole * 2,
                         whole + "x", "{]", "\x00", '{"a":' * 20 + "1" + "}" * 20, json.dumps(whole)):
                with self.subTest(path=path, text=text[:100]):
                    self.assert_refused(self.send(method, path, text.encode()))
            if not path.endswith("capture"):
                self.assert_refused(self.send(method, path, b""))
            answer = self.client.send(method, LEDGER + path, whole, headers={"Content-Type": "text/plain"})
            self.assert_refused(answer, 415, "unsupported_media_type")
            self.assert_refused(self.send(method, path, whole + " " * BODY_MAX), 413, "body_too_large")

    def test_bad_utf8_in_any_text_is_refused(self):
        for method, path, body, kinds in self.routes():
            for name in body:
                if kinds[name] in ("id", "remark", "name", "time", "end", "op"):
                    for bad in BAD_UTF8:
                        with self.subTest(path=path, name=name, bad=bad):
                            raw = self.with_raw(body, name, b'"a' + bad + b'"')
                            self.assert_refused(self.send(method, path, raw))

    def test_a_bad_entry_of_a_batch_is_refused_with_its_place(self):
        _, _, body, kinds = self.routes()[0]
        first, second = self.entry(), self.entry()
        for name in body:
            # Amount 0 and a time that is over are judged entry by entry.
            values = BAD_OF_KIND["amount" if name == "amount" else "time" if kinds[name] == "end" else kinds[name]]
            for mode in ("continue", "atomic"):
                for text in values:
                    with self.subTest(mode=mode, name=name, text=text[:100]):
                        batch = {"mode": mode, "entries": [first, second, body | {name: "@@"}, {"junk": 1}]}
                        raw = json.dumps(batch).replace('"@@"', text)
                        self.assert_refused(self.send("POST", "/entries/batch", raw), field=f"entries[2].{name}")
        for mode in ("continue", "atomic"):
            for change, field in (({"x": 1}, "x"), ({"uid": None}, "uid"), ({"order_id": None}, "order_id"),
                                  ({"entries": []}, "entries")):
                batch = {"mode": mode, "entries": [first, second | change]}
                self.assert_refused(self.send("POST", "/entries/batch", batch), field=f"entries[1].{field}")

    def test_a_batch_of_another_shape_is_refused_by_name(self):
        entry = self.entry()
        shapes = [(None, "entries"), ([], "entries"), ({}, "entries"), ("x", "entries"), (1, "entries"),
                  (True, "entries"), ({"0": entry}, "entries"), ([entry] * 1001, "entries"),
                  ([None], "entries[0]"), ([1], "entries[0]"), (["x"], "entries[0]"), ([[]], "entries[0]"),
                  ([[entry]], "entries[0]"), ([entry, {}], "entries[1].order_id")]
        for mode in ("continue", "atomic"):
            for entries, field in shapes:
                with self.subTest(mode=mode, entries=str(entries)[:100]):
                    answer = self.send("POST", "/entries/batch", {"mode": mode, "entries": entries})
                    self.assert_refused(answer, field=field)
            self.assert_refused(self.send("POST", "/entries/batch", {"mode": mode}), field="entries")
            self.assert_refused(self.send("POST", "/entries/batch", {"mode": mode, "entries": [entry], "x": 1}),
                                field="x")
        for text in ["null", *BAD_OF_KIND["mode"]]:
            with self.subTest(mode=text):
                raw = self.with_raw({"entries": [entry]}, "mode", text)
                self.assert_refused(self.send("POST", "/entries/batch", raw), field="mode")

    def test_a_release_takes_nothing_along(self):
        for body in ({"amount": 1}, {"x": 1}):
            self.assert_refused(self.send("POST", "/holds/u/held/release", body), field=next(iter(body)))
        for body in ("[]", "1", "{", b"\xff"):
            self.assert_refused(self.send("POST", "/holds/u/held/release", body))

    def test_the_range_of_an_amount_is_told_as_it_is(self):
        order = {"order_id": uuid.uuid4().hex, "domain": "main", "amount": -1}
        whole = order | {"type": self.type, "uid": "u"}
        for path, body, least in (("/entries", whole | {"op": "add"}, 1), ("/entries", whole | {"op": "deduct"}, 1),
                                  ("/entries", whole | {"op": "reset"}, 0), ("/holds", whole, 1),
                                  ("/transfers", order | {"type": self.type, "from": "u", "to": "v"}, 1),
                                  ("/exchanges", order | {"uid": "u", "from_type": self.type,
                                                          "to_type": self.other_type}, 1),
                                  ("/holds/u/held/capture", {"amount": -1}, 1)):
            for amount in (-1, *range(least), AMOUNT_MAX + 1, "1"):
                with self.subTest(path=path, body=body, amount=amount):
                    refused = self.send("POST", path, body | {"amount": amount})
                    self.assert_refused(refused, field="amount")
                    self.assertEqual(refused.json["detail"],
                                     f"amount must be a whole number from {least} to {AMOUNT_MAX}")

    def test_a_bad_id_or_number_in_a_path_is_refused_by_name(self):
        for bad in BAD_IDS:
            if len(bad) > 2000 or bad == "":
                continue
            text = Targets.escape(bad)
            for method, path, field in (("POST", f"/holds/{text}/held/capture", "uid"),
                                        ("POST", f"/holds/u/{text}/capture", "order_id"),
                                        ("POST", f"/holds/{text}/held/release", "uid"),
                                        ("POST", f"/holds/u/{text}/release", "order_id"),
                                        ("GET", f"/accounts/{self.type}/main/{text}/at?time={PAST}", "uid"),
                                        ("GET", f"/accounts/{self.type}/{text}/u/at?time={PAST}", "domain")):
                with self.subTest(path=path):
                    # With a NUL it is not even a path.
                    self.assert_refused(self.send(method, path, None), field=None if "\x00" in bad else field)
        rate = {"numerator": 1, "denominator": 1}
        for bad in ("0", "-1", "1.5", "x", "1x", "%201", "+1", "9007199254740992", "0x1", "%F0%9F%8D%95"):
            for method, path, body, field in (("PUT", f"/rates/{bad}/{self.type}", rate, "from_type"),
                                              ("PUT", f"/rates/{self.type}/{bad}", rate, "to_type"),
                                              ("GET", f"/rates/{bad}/{self.type}", None, "from_type"),
                                              ("GET", f"/rates/{self.type}/{bad}", None, "to_type"),
                                              ("PATCH", f"/types/{bad}", {"remark": "x"}, "id"),
                                              ("GET", f"/accounts/{bad}/main/u/at?time={PAST}", None, "type")):
                with self.subTest(path=path):
                    self.assert_refused(self.send(method, path, body), field=field)

    def test_what_a_rule_refuses_leaves_no_trace_either(self):
        unknown = 999_999
        order = {"order_id": uuid.uuid4().hex, "domain": "main", "amount": 1}
        transfer = order | {"type": self.type, "from": "u", "to": "v"}
        exchange = order | {"uid": "u", "from_type": self.type, "to_type": self.other_type}
        hold = order | {"type": self.type, "uid": "u"}
        rate = {"numerator": 1, "denominator": 1}
        refused = [
            ("POST", "/transfers", transfer | {"to": "u"}, 409, "self_target"),
            ("POST", "/transfers", transfer | {"type": unknown}, 404, "type_not_found"),
            ("POST", "/transfers", transfer | {"order_id": "seed"}, 409, "order_conflict"),
            ("POST", "/exchanges", exchange | {"to_type": self.type}, 409, "self_target"),
            ("POST", "/exchanges", exchange | {"to_type": unknown}, 404, "type_not_found"),
            ("POST", "/exchanges", exchange | {"to_type": self.third_type}, 404, "rate_not_found"),
            ("POST", "/exchanges", exchange | {"amount": 9}, 409, "nothing_to_credit"),
            ("POST", "/exchanges", exchange | {"order_id": "seed"}, 409, "order_conflict"),
            ("POST", "/holds", hold | {"type": unknown}, 404, "type_not_found"),
            ("POST", "/holds", hold | {"order_id": "held"}, 409, "order_conflict"),
            ("POST", "/holds/u/seed/capture", None, 404, "hold_not_found"),
            ("POST", "/holds/u/never/release", None, 404, "hold_not_found"),
            ("POST", "/holds/v/held/release", None, 404, "hold_not_found"),
            ("POST", "/holds/u/held/capture", {"amount": 6}, 409, "hold_too_small"),
            ("POST", "/holds/u/gone/capture", None, 409, "hold_closed"),
            ("PUT", f"/rates/{self.type}/{self.type}", rate, 409, "self_target"),
            ("PUT", f"/rates/{self.type}/{unknown}", rate, 404, "type_not_found"),
            ("PATCH", f"/types/{unknown}", {"remark": "x"}, 404, "type_not_found"),
            ("PATCH", f"/types/{self.type}", {"name": "others"}, 409, "type_exists"),
            ("PATCH", f"/types/{self.type}", {"starts_at": FUTURE, "ends_at": PAST}, 400, "invalid_request"),
            ("POST", "/entries/batch", {"mode": "atomic", "entries": [self.entry(), self.entry(op="deduct",
                                                                                              amount=10**9)]},
             409, "batch_refused"),
            ("POST", "/entries/batch", {"mode": "atomic", "entries": [self.entry(), self.entry(amount=0)]}, 400,
             "invalid_request"),
        ]
        for method, path, body, status, code in refused:
            with self.subTest(path=path, code=code):
                answer = self.send(method, path, body)
                self.assertEqual((answer.status, answer.json["code"]), (status, code), answer)


class Targets(BadInputCase):
    @staticmethod
    def escape(text):
        return "".join(f"%{byte:02X}" for byte in (text if isinstance(text, bytes) else text.encode()))

    def test_a_path_with_a_bad_id_is_refused(self):
        for bad in BAD_IDS:
            if len(bad) > 2000 or bad == "":
                continue
            text = self.escape(bad)
            nul = "\x00" in bad  # not even a path
            for path, field in ((f"/v1/ledger/accounts/{self.type}/main/{text}", "uid"),
                                (f"/v1/ledger/accounts/{self.type}/{text}/u", "domain"),
                                (f"/v1/ledger/orders/{text}/o", "uid"), (f"/v1/ledger/orders/u/{text}", "order_id")):
                with self.subTest(path=path):
                    self.assert_refused(self.client.get(path), field=None if nul else field)

    def test_a_path_with_a_bad_number_is_refused(self):
        for bad in ("0", "-1", "1.5", "x", "1x", "%201", "+1", "9007199254740992", "99999999999999999999", "0x1",
                    "%F0%9F%8D%95"):
            with self.subTest(bad=bad):
                self.assert_refused(self.client.get(f"{TYPES}/{bad}"), field="id")
                self.assert_refused(self.client.get(f"/v1/ledger/accounts/{bad}/main/u"), field="type")

    def test_bad_percent_encoding_and_bad_utf8_are_refused(self):
        for bad in ("%", "%2", "%zz", "%00", "a%00b", *map(self.escape, BAD_UTF8)):
            with self.subTest(bad=bad):
                self.assert_refused(self.client.get(f"/v1/ledger/orders/u/{bad}"))
                self.assert_refused(self.client.get(f"/v1/ledger/flows?uid={bad}"), field="uid")
                self.assert_refused(self.client.get(f"/v1/ledger/flows?uid=u&{bad}=1"), field="query")

    def test_raw_bytes_in_the_request_line_are_refused(self):
        for bad in (*BAD_UTF8, b"\x00", b"\x01", b" ", b"\x7f", b"\t"):
            for target in (b"/v1/ledger/orders/u/a" + bad, b"/v1/ledger/flows?uid=" + bad):
                with self.subTest(target=target):
                    request = (b"GET " + target + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "
                               + self.server.token.encode() + b"\r\n\r\n")
                    answer = raw_exchange(self.server.address, request)
                    self.assertEqual(answer.status, 400, answer)
                    self.assertTrue(answer.json["code"], answer)

    def test_bad_parameters_of_a_query_are_refused_by_name(self):
        cases = [("", "uid"), ("uid=", "uid"), ("uid=a%20b", "uid"), ("uid=%7Bu%7D", "uid"), ("uid=u&uid=v", "uid"),
                 ("uid=" + "u" * 65, "uid"), ("uid=u&type=0", "type"), ("uid=u&type=x", "type"),
                 ("uid=u&type=", "type"),
                 ("uid=u&type=1e3", "type"), ("uid=u&type=9007199254740992", "type"), ("uid=u&domain=", "domain"),
                 ("uid=u&domain=a/b", "domain"), ("uid=u&from=yesterday", "from"), ("uid=u&to=2024-01-01", "to"),
                 ("uid=u&limit=0", "limit"), ("uid=u&limit=501", "limit"), ("uid=u&limit=-1", "limit"),
                 ("uid=u&limit=ten", "limit"), ("uid=u&limit=1.0", "limit"), ("uid=u&limit=", "limit"),
                 ("uid=u&cursor=", "cursor"), ("uid=u&cursor=x", "cursor"), ("uid=u&cursor=-1", "cursor"),
                 ("uid=u&cursor=0", "cursor"), ("uid=u&cursor=" + "9" * 30, "cursor"),
                 ("uid=u&cursor=" + "x" * 257, "cursor"), ("uid=u&order=o", "order"), ("uid=u&Uid=u", "Uid"),
                 ("uid=u&" + "x" * 100 + "=1", "x" * 64)]
        for query, field in cases:
            with self.subTest(query=query):
                self.assert_refused(self.client.get(f"/v1/ledger/flows?{query}"), field=field)
        for query, field in (("limit=0", "limit"), ("cursor=x", "cursor"), ("name=x", "name")):
            self.assert_refused(self.client.get(f"{TYPES}?{query}"), field=field)
        for query, field in (("limit=0", "limit"), ("cursor=x", "cursor"), ("cursor=1", "cursor"), ("cursor=1-", "cursor"),
                             ("cursor=0-1", "cursor"), ("cursor=1-2-3", "cursor"), ("from_type=1", "from_type")):
            self.assert_refused(self.client.get(f"{LEDGER}/rates?{query}"), field=field)
        self.assert_refused(self.client.get("/readyz?verbose=maybe"), field="verbose")

    def test_requests_that_are_no_http_get_a_4xx_and_the_end_of_the_connection(self):
        host = b"Host: x\r\n"
        cases = [b"hello\r\n\r\n", b"GET / HTTP/9.9\r\n" + host + b"\r\n", b"GET /livez HTTP/1.1\r\n\r\n",
                 b"GET /livez HTTP/1.1\r\n" + host + host + b"\r\n",
                 b"GET /livez HTTP/1.1\r\n" + host + b"bad header\r\n\r\n",
                 b"GET /livez HTTP/1.1\r\n" + host + b"X: " + b"x" * 10_000 + b"\r\n\r\n",
                 b"GET /" + b"x" * 10_000 + b" HTTP/1.1\r\n" + host + b"\r\n",
                 b"POST /v1/ledger/entries HTTP/1.1\r\n" + host + b"Content-Length: -1\r\n\r\n",
                 b"POST /v1/ledger/entries HTTP/1.1\r\n" + host + b"Content-Length: x\r\n\r\n",
                 b"POST /v1/ledger/entries HTTP/1.1\r\n" + host + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
                 b"POST /v1/ledger/entries HTTP/1.1\r\n" + host
                 + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
                 b"POST /v1/ledger/entries HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"]
        for data in cases:
            with self.subTest(data=data[:80]):
                answer = raw_exchange(self.server.address, data)
                self.assertIn(answer.status, range(400, 500), answer)
                self.assertTrue(answer.json["code"])
        self.assertEqual(self.client.get("/livez").status, 200)


class TokenCase(BadInputCase):
    def requests(self):
        return [("GET", TYPES, None), ("POST", TYPES, {"name": "never-made"}),
                ("POST", ORDERS, {"type": self.type, "domain": "main", "uid": "u"}), ("POST", ENTRIES, self.entry()),
                ("GET", f"/v1/ledger/accounts/{self.type}/main/u", None), ("GET", "/v1/ledger/orders/u/seed", None),
                ("GET", "/v1/ledger/flows?uid=u", None), ("POST", ENTRIES, "not even JSON"),
                ("POST", f"{ENTRIES}/batch", {"mode": "continue", "entries": [self.entry()]}),
                ("POST", f"{LEDGER}/transfers", {"order_id": "t", "type": self.type, "domain": "main", "from": "u",
                                                 "to": "v", "amount": 1}),
                ("POST", f"{LEDGER}/exchanges", {"order_id": "x", "uid": "u", "domain": "main", "amount": 10,
                                                 "from_type": self.type, "to_type": self.other_type}),
                ("POST", f"{LEDGER}/holds", {"order_id": "h", "type": self.type, "domain": "main", "uid": "u",
                                             "amount": 1}),
                ("POST", f"{LEDGER}/holds/u/held/capture", None), ("POST", f"{LEDGER}/holds/u/held/release", None),
                ("PUT", f"{LEDGER}/rates/{self.type}/{self.other_type}", {"numerator": 1, "denominator": 1}),
                ("GET", f"{LEDGER}/rates/{self.type}/{self.other_type}", None), ("GET", f"{LEDGER}/rates", None),
                ("PATCH", f"{TYPES}/{self.type}", {"remark": "changed"}),
                ("GET", f"{LEDGER}/accounts/{self.type}/main/u/at?time={PAST}", None)]

    def assert_all_refused(self, authorization, status, code):
        for method, path, body in self.requests():
            with self.subTest(authorization=authorization, path=path):
                answer = self.client.send(method, path, body, headers={"Authorization": authorization})
                self.assert_refused(answer, status, code)
                if status == 401:
                    self.assertEqual(answer.headers["WWW-Authenticate"], "Bearer")

    @classmethod
    def new_key(cls, scope):
        done = run_larder("key", "create", "--data", cls.server.data, "--name", "bot", "--scope", scope)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


class Tokens(TokenCase):
    def test_without_a_right_token_nothing_is_told_or_done(self):
        token = self.server.token
        wrong_end = token[:-1] + ("0" if token[-1] != "0" else "1")
        cases = [None, "", "Bearer", "Bearer ", "Basic dTpw", token, "Bearer x", "Bearer lk_", "Bearer lk__",
                 f"Bearer {token}x", f"Bearer {token[:-1]}", f"Bearer {wrong_end}", f"Bearer  {token}",
                 f"Bearer {token} x",
                 f"Token {token}",
                 f"Bearer {token.upper()}", "Bearer lk_unknown_" + "0" * 64, "Bearer lk_admin1_" + "0" * 64,
                 "Bearer " + "x" * 7000, "Bearer lk_'; DROP TABLE service_key; --_" + "0" * 64]
        for authorization in cases:
            self.assert_all_refused(authorization, 401, "unauthorized")

    def test_the_scheme_of_a_token_is_case_insensitive(self):
        for scheme in ("Bearer", "bearer", "BEARER"):
            answer = self.client.get(TYPES, headers={"Authorization": f"{scheme} {self.server.token}"})
            self.assertEqual(answer.status, 200, answer)


class OtherKeys(TokenCase):
    """Keys are made before the traces are taken."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.tokens = {scope: cls.new_key(scope) for scope in ("economy", "messages", "ledger")}

    def test_a_token_without_the_scope_is_forbidden(self):
        for scope in ("economy", "messages"):
            authorization = f"Bearer {self.tokens[scope]}"
            probe = self.client.get(TYPES, headers={"Authorization": authorization})
            self.assertIn(probe.status, (401, 403))
            eventually(lambda: self.client.get(TYPES, headers={"Authorization": authorization}).status == 403,
                       "the new key is known")
            self.assert_all_refused(authorization, 403, "forbidden")

    def test_the_right_scope_alone_opens_its_routes(self):
        authorization = f"Bearer {self.tokens['ledger']}"
        eventually(lambda: self.client.get(TYPES, headers={"Authorization": authorization}).status == 200,
                   "the new key is known")


class RevokedKey(TokenCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.revoked = cls.new_key("ledger")
        client = cls.server.client(token=cls.revoked)
        eventually(lambda: client.get(TYPES).status == 200, "the new key is known")
        done = run_larder("key", "revoke", "--data", cls.server.data, cls.revoked.split("_")[1])
        assert done.returncode == 0, done.stderr
        eventually(lambda: client.get(TYPES).status == 401, "the key is revoked")
        client.close()

    def test_a_revoked_token_opens_nothing(self):
        self.assert_all_refused(f"Bearer {self.revoked}", 401, "unauthorized")


if __name__ == "__main__":
    main()
