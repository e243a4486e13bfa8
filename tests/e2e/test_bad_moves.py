"""Bad transfers, exchanges, holds and batches get the right refusal, with its code and field, and leave no trace."""
import json
import uuid

from bad_input import LEDGER, FUTURE, PAST, BODY_MAX, BAD_IDS, BAD_UTF8, BAD_OF_KIND, BadInputCase
from harness import AMOUNT_MAX, main


class Moves(BadInputCase):
    """Every route of the ledger that takes a body, except plain entries."""

    def routes(self):
        """Method, path, a body that would be right, and the kinds of its fields. "end" is a time that must be in the
        future."""
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
            # Amount 0 and a time in the past are refused entry by entry.
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
            text = self.escape(bad)
            for method, path, field in (("POST", f"/holds/{text}/held/capture", "uid"),
                                        ("POST", f"/holds/u/{text}/capture", "order_id"),
                                        ("POST", f"/holds/{text}/held/release", "uid"),
                                        ("POST", f"/holds/u/{text}/release", "order_id"),
                                        ("GET", f"/accounts/{self.type}/main/{text}/at?time={PAST}", "uid"),
                                        ("GET", f"/accounts/{self.type}/{text}/u/at?time={PAST}", "domain")):
                with self.subTest(path=path):
                    # With a NUL, the text is not even a path.
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
            ("POST", "/transfers", transfer | {"order_id": "start"}, 409, "order_conflict"),
            ("POST", "/exchanges", exchange | {"to_type": self.type}, 409, "self_target"),
            ("POST", "/exchanges", exchange | {"to_type": unknown}, 404, "type_not_found"),
            ("POST", "/exchanges", exchange | {"to_type": self.third_type}, 404, "rate_not_found"),
            ("POST", "/exchanges", exchange | {"amount": 9}, 409, "nothing_to_credit"),
            ("POST", "/exchanges", exchange | {"order_id": "start"}, 409, "order_conflict"),
            ("POST", "/holds", hold | {"type": unknown}, 404, "type_not_found"),
            ("POST", "/holds", hold | {"order_id": "held"}, 409, "order_conflict"),
            ("POST", "/holds/u/start/capture", None, 404, "hold_not_found"),
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


if __name__ == "__main__":
    main()
