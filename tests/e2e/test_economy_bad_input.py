"""Bad input to the economy gets the right refusal, with its code and field, and leaves no trace in Redis or SQL."""
import json
import random

from economy import ECONOMY
from harness import AMOUNT_MAX, SEED, TracelessCase, main, raw_exchange, redis_cli
from bad_input import BAD_IDS, BAD_OF_KIND, BAD_UTF8, BAD_WHOLE, BODY_MAX, JUNK

REALM = f"{ECONOMY}/main"
TAKEN = ["lb", "items", "score_x", "score_", "ajobus", "ajobus-inventory", "bomb", "bomb-due", "bombs",
         "bombs-schedule", "catalogue", "catalogue-data", "catalogue-source", "craft", "drop-rate", "events", "once",
         "roulette"]
BAD_USERS = [*BAD_IDS, "a:b", "u" * 65, "a~b", "a=b"]

# Pieces of JSON that are not values of their kind.
BAD = {
    "id": [*JUNK, "1", "1.5", *map(json.dumps, BAD_USERS)],
    "player": [*JUNK, "1", "1.5", *map(json.dumps, BAD_USERS + TAKEN)],
    "positive": BAD_OF_KIND["positive"],
    "stake": [text for text in BAD_OF_KIND["positive"] if text != '"all"'] + ['"ALL"', '"all "', '"half"'],
    "seconds": [*BAD_WHOLE, '"5"', "28801"],
    "seed": [*BAD_WHOLE, '"5"', "2147483648", "4294967296"],
    "name": [*JUNK, "1", '""', json.dumps("x" * 65), json.dumps("é" * 65), '"a\\u0000"'],
    "item": [*JUNK, "1", '""', json.dumps("x" * 65), json.dumps("é" * 65)],
}
COMMON = {"guild_id": "id", "seed": "seed"}
# Path, a body that would be right, and the kinds of its fields.
ROUTES = [
    ("/players/ann/farm", {"name": "Ann"}, {"name": "name"}),
    ("/players/ann/pay", {"to": "bob", "amount": 1}, {"to": "player", "amount": "positive"}),
    ("/players/ann/rewards/daily", {}, {}),
    ("/players/ann/gamble", {"amount": 1}, {"amount": "stake"}),
    ("/players/ann/discombobulate", {"target": "bob", "amount": 50}, {"target": "player", "amount": "positive"}),
    ("/players/ann/trade", {"to": "bob", "item": "herb", "quantity": 1},
     {"to": "player", "item": "item", "quantity": "positive"}),
    ("/players/ann/sell", {"item": "herb", "quantity": 1}, {"item": "item", "quantity": "positive"}),
    ("/players/ann/craft", {"item": "gear"}, {"item": "item"}),
    ("/players/ann/use", {"item": "wand", "target": "bob"}, {"item": "item", "target": "player"}),
    ("/players/ann/bomb", {"seconds": 5}, {"seconds": "seconds"}),
    ("/players/ann/inspect", {"target": "bob"}, {"target": "player"}),
    ("/roulettes", {}, {}),
    ("/roulettes/loaded/shots", {"player": "ann"}, {"player": "player"}),
]
VIEWS = ["/players/ann", "/players/ann/events", "/leaderboard", "/items", "/events"]


def escape(text):
    return "".join(f"%{byte:02X}" for byte in (text if isinstance(text, bytes) else text.encode()))


def with_raw(body, name, text):
    """The body as bytes, with this piece of JSON as one of its values."""
    return json.dumps(body | {name: "@@"}).encode().replace(b'"@@"', text if isinstance(text, bytes)
                                                            else text.encode())


class BadInputCase(TracelessCase):
    server_args = ("--set", "economy.allow_seed=true")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for command in (["ZADD", "{main}:lb", 100, "ann", 100, "bob"],
                        ["HSET", "{main}:ann:inventory", ":herb:", 5, ":magic_wand:", 1, ":bomb:", 1],
                        ["HSET", "{main}:roulette:loaded", "left", 5, "drawn", 6, "seed", 1]):
            redis_cli(cls.server.redis_socket, *command)
        client = cls.server.client()
        opened = client.post(f"{REALM}/players/cat/rewards/daily")
        assert opened.status == 200, opened
        client.get(f"{REALM}/events")  # waits until the events are in SQL
        client.close()

    def assert_refused(self, answer, status=400, code="invalid_request", field=None):
        """`field`: the name of the field, or ... if any field may be named."""
        self.assertLess(answer.status, 500, answer)
        self.assert_problem(answer, status, code, answer.json.get("field") if field is ... else field)

    def post(self, path, body, **more):
        return self.client.post(REALM + path, body, **more)


class Moves(BadInputCase):
    def test_a_bad_value_of_any_field_is_refused_by_name(self):
        for path, body, kinds in ROUTES:
            for name, kind in (kinds | COMMON).items():
                for text in BAD[kind]:
                    with self.subTest(path=path, name=name, text=text[:100]):
                        self.assert_refused(self.post(path, with_raw(body, name, text)), field=name)

    def test_the_range_is_told_and_that_a_stake_may_be_a_word(self):
        whole = f"must be a whole number from 1 to {AMOUNT_MAX}"
        for path, body, detail in (("/players/ann/gamble", {"amount": "half"}, f'amount {whole}, or "all"'),
                                   ("/players/ann/gamble", {"amount": 0}, f'amount {whole}, or "all"'),
                                   ("/players/ann/pay", {"to": "bob", "amount": "all"}, f"amount {whole}")):
            with self.subTest(path=path, body=body):
                self.assertEqual(self.post(path, body).json["detail"], detail)

    def test_a_field_that_is_required_is_required_by_name(self):
        for path, body, _ in ROUTES:
            for name in body:
                with self.subTest(path=path, name=name):
                    self.assert_refused(self.post(path, body | {name: None}), field=name)
                    rest = {other: value for other, value in body.items() if other != name}
                    self.assert_refused(self.post(path, rest), field=name)

    def test_an_unknown_or_doubled_field_is_refused_by_name(self):
        for path, body, _ in ROUTES:
            for name in ("x", "Amount", "__proto__", "guild_id ", "🍕", "realm", "id", "roll"):
                with self.subTest(path=path, name=name):
                    self.assert_refused(self.post(path, body | {name: 1}), field=name)
            whole = body | {"guild_id": "1"}
            for name, value in whole.items():
                twice = json.dumps(whole)[:-1] + f", {json.dumps(name)}: {json.dumps(value)}}}"
                self.assert_refused(self.post(path, twice), field=name)

    def test_a_body_of_another_shape_is_refused(self):
        for path, body, _ in ROUTES:
            whole = json.dumps(body | {"guild_id": "1"})
            for text in ("null", "true", "1", '"x"', "[]", "[{}]", f"[{whole}]", "{", whole[1:], whole[:-1], whole * 2,
                         whole + "x", "{]", "\x00", '{"a":' * 20 + "1" + "}" * 20, json.dumps(whole)):
                with self.subTest(path=path, text=text[:100]):
                    self.assert_refused(self.post(path, text.encode()))
            answer = self.post(path, whole, headers={"Content-Type": "text/plain"})
            self.assert_refused(answer, 415, "unsupported_media_type")
            self.assert_refused(self.post(path, whole + " " * BODY_MAX), 413, "body_too_large")

    def test_bad_utf8_in_any_text_is_refused(self):
        for path, body, kinds in ROUTES:
            for name, kind in (kinds | COMMON).items():
                if kind in ("id", "player", "name", "item"):
                    for bad in BAD_UTF8:
                        with self.subTest(path=path, name=name, bad=bad):
                            self.assert_refused(self.post(path, with_raw(body, name, b'"a' + bad + b'"')))

    def test_random_bytes_in_place_of_a_body_are_refused(self):
        rng = random.Random(SEED)
        # Always refused: a few random bytes cannot correct three faults.
        whole = json.dumps({"to": "{}", "amount": -1, "item": "", "quantity": 0, "steal": True}).encode()
        for _ in range(300):
            body = bytearray(whole)
            for _ in range(rng.randint(1, 4)):
                at = rng.randrange(len(body))
                body[at:at + rng.randint(0, 3)] = rng.randbytes(rng.randint(0, 3))
            self.assert_refused(self.post(rng.choice(ROUTES)[0], bytes(body)), field=...)

    def test_what_a_rule_refuses_leaves_no_trace_either(self):
        refused = [("/players/ann/pay", {"to": "ann", "amount": 1}, "self_target"),
                   ("/players/ann/pay", {"to": "bob", "amount": 101}, "insufficient_balance"),
                   ("/players/cat/rewards/daily", None, "reward_not_ready"),
                   ("/players/cat/rewards/hourly", None, "reward_not_found"),
                   ("/players/eve/gamble", {"amount": "all"}, "insufficient_balance"),
                   ("/players/ann/discombobulate", {"target": "bob", "amount": 1}, "offer_too_low"),
                   ("/players/ann/trade", {"to": "bob", "item": "herb", "quantity": 6}, "not_enough_items"),
                   ("/players/ann/trade", {"to": "bob", "item": "wand", "quantity": 1}, "not_tradable"),
                   ("/players/ann/trade", {"to": "bob", "item": "\n", "quantity": 1}, "unknown_item"),
                   ("/players/ann/sell", {"item": "herb", "quantity": 1}, "not_sellable"),
                   ("/players/ann/craft", {"item": "wand"}, "stack_full"),
                   ("/players/bob/craft", {"item": "wand"}, "not_enough_items"),
                   ("/players/bob/craft", {"item": "herb"}, "not_craftable"),
                   ("/players/ann/use", {"item": "herb"}, "not_usable"),
                   ("/players/bob/use", {"item": "cross"}, "not_enough_items"),
                   ("/players/bob/bomb", {"seconds": 1}, "not_enough_items"),
                   ("/players/eve/inspect", {"target": "ann"}, "insufficient_balance"),
                   ("/roulettes/never/shots", {"player": "ann"}, "roulette_not_found")]
        for path, body, code in refused:
            with self.subTest(path=path, body=body):
                answer = self.post(path, body)
                self.assertEqual((answer.status, answer.json["code"]),
                                 (404 if code.endswith("not_found") else 409, code), answer)


class Targets(BadInputCase):
    def requests(self):
        return [("POST", path, body) for path, body, _ in ROUTES] + [("GET", path, None) for path in VIEWS]

    def send(self, method, path, body):
        return self.client.send(method, path, body)

    def test_a_bad_realm_is_refused_by_name(self):
        for method, path, body in self.requests():
            for bad in [*BAD_IDS, "a:b", "a@b", "a+b", "r" * 65]:
                if bad and len(bad) < 2000:
                    with self.subTest(path=path, bad=bad):
                        answer = self.send(method, f"{ECONOMY}/{escape(bad)}{path}", body)
                        # With a NUL, the text is not even a path.
                        self.assert_refused(answer, field=None if "\x00" in bad else "realm")

    def test_a_bad_or_taken_player_is_refused_by_name(self):
        for method, path, body in self.requests():
            if "/ann" not in path:
                continue
            for bad in [*BAD_USERS, *TAKEN]:
                if bad and len(bad) < 2000:
                    with self.subTest(path=path, bad=bad):
                        answer = self.send(method, REALM + path.replace("ann", escape(bad)), body)
                        self.assert_refused(answer, field=None if "\x00" in bad else "id")

    def test_a_bad_roulette_or_reward_is_refused_by_name(self):
        for bad in [*BAD_IDS, "a_b", "a.b", "r" * 33]:
            if bad and len(bad) < 2000:
                with self.subTest(bad=bad):
                    answer = self.post(f"/roulettes/{escape(bad)}/shots", {"player": "ann"})
                    self.assert_refused(answer, field=None if "\x00" in bad else "id")
        self.assert_refused(self.post(f"/players/ann/rewards/{'x' * 33}", None), field="reward")
        for bad in ("Daily", "daily ", "*", "🍕", "{daily}", "daily\n"):
            self.assert_refused(self.post(f"/players/ann/rewards/{escape(bad)}", None), 404, "reward_not_found")

    def test_bad_percent_encoding_and_bad_utf8_are_refused(self):
        for bad in ("%", "%2", "%zz", "%00", *map(escape, BAD_UTF8)):
            with self.subTest(bad=bad):
                self.assert_refused(self.send("GET", f"{REALM}/players/{bad}", None))
                self.assert_refused(self.send("POST", f"{ECONOMY}/{bad}/roulettes", None))
                self.assert_refused(self.send("GET", f"{REALM}/leaderboard?around={bad}", None), field="around")
                self.assert_refused(self.send("GET", f"{REALM}/events?type={bad}", None), field="type")

    def test_raw_bytes_in_the_request_line_are_refused(self):
        for bad in (*BAD_UTF8, b"\x00", b"\x01", b" ", b"\x7f"):
            target = b"/v1/economy/main/players/a" + bad
            request = (b"GET " + target + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "
                       + self.server.token.encode() + b"\r\n\r\n")
            self.assertEqual(raw_exchange(self.server.address, request).status, 400, target)

    def test_bad_parameters_of_a_query_are_refused_by_name(self):
        pages = [("limit=0", "limit"), ("limit=501", "limit"), ("limit=-1", "limit"), ("limit=ten", "limit"),
                 ("limit=", "limit"), ("limit=1&limit=2", "limit")]
        lists = [*pages, ("cursor=", "cursor"), ("cursor=x", "cursor"), ("cursor=1-1-x", "cursor"),
                 ("cursor=" + "9" * 30 + "-1-p", "cursor"), ("type=", "type"), ("type=" + "x" * 65, "type"),
                 ("user=ann", "user"), ("x=1", "x")]
        cases = {"/leaderboard": [*pages, ("around=", "around"), ("around=a%20b", "around"), ("around=a:b", "around"),
                                  ("around=" + "u" * 65, "around"), ("cursor=1", "cursor"), ("x=1", "x")],
                 "/events": lists, "/players/ann/events": lists, "/players/ann": [("x=1", "x"), ("limit=5", "limit")],
                 "/items": [("x=1", "x")]}
        for path, queries in cases.items():
            for query, field in queries:
                with self.subTest(path=path, query=query):
                    self.assert_refused(self.send("GET", f"{REALM}{path}?{query}", None), field=field)

    def test_a_query_or_another_method_is_not_for_a_move(self):
        for path, body, _ in ROUTES:
            with self.subTest(path=path):
                self.assert_refused(self.post(f"{path}?amount=1", body), field="amount")
                for method in ("GET", "PUT", "PATCH", "DELETE"):
                    self.assert_refused(self.send(method, REALM + path, None if method == "GET" else body), 405,
                                        "method_not_allowed")


if __name__ == "__main__":
    main()
