"""Bad input gets the right refusal, with its code and field, and leaves no trace in Redis or SQL."""
import json
import random

from bad_input import TYPES, ORDERS, ENTRIES, LEDGER, BODY_MAX, BAD_IDS, BAD_UTF8, BadInputCase
from harness import SEED, main, raw_exchange


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
                    # For the parser, numbers beyond a double are not JSON.
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
        # Always refused: a few random bytes cannot correct three faults.
        whole = json.dumps(self.entry(amount=-1, op="steal", uid="{}")).encode()
        for _ in range(500):
            body = bytearray(whole)
            for _ in range(rng.randint(1, 4)):
                at = rng.randrange(len(body))
                body[at:at + rng.randint(0, 3)] = rng.randbytes(rng.randint(0, 3))
            self.assert_refused(self.client.post(ENTRIES, bytes(body)), field=...)
        for _ in range(100):
            self.assert_refused(self.client.post(ENTRIES, b"\xff" + rng.randbytes(rng.randint(0, 300))))


class Targets(BadInputCase):
    def test_a_path_with_a_bad_id_is_refused(self):
        for bad in BAD_IDS:
            if len(bad) > 2000 or bad == "":
                continue
            text = self.escape(bad)
            nul = "\x00" in bad  # then the text is not even a path
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
        for query, field in (("limit=0", "limit"), ("cursor=x", "cursor"), ("names=x", "names")):
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


if __name__ == "__main__":
    main()
