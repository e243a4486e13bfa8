"""The rules of retries and of streams, from the cases that both clients share; paths, queries and keys."""
import json
import unittest

from fake_larder import CASES
from larder import Larder, Refusal, Unavailable
from larder.request import Place, make_request
from larder.retry import Attempts, Lost, Repetition, Said
from larder.sse import MessageParser


def cases(name):
    return json.loads((CASES / name).read_text(encoding="utf-8"))["cases"]


def failure_of(failure):
    if "lost" in failure:
        return Lost("no answer", failure["lost"].get("unsent", False))
    said = failure["said"]
    problem = {name: said[name] for name in ("code", "outcome_unknown") if name in said}
    return Said(said["status"], {**problem, "detail": "no"} if "code" in problem else None, said.get("retry_after_s"))


def end_of(error):
    if isinstance(error, Refusal):
        return {"refusal": {"status": error.status, "code": error.code, "outcome_unknown": error.outcome_unknown}}
    return {"unavailable": {"attempts": error.attempts, "outcome_unknown": error.outcome_unknown}}


class Retries(unittest.TestCase):
    def test_every_shared_case(self):
        for case in cases("retries.json"):
            with self.subTest(case["name"]):
                pauses, ended = self.play(case)
                self.assertEqual([round(pause * 1000) for pause in pauses], case["pauses_ms"])
                self.assertEqual(ended, case.get("end"))

    def play(self, case):
        attempts = Attempts(Repetition(case["repetition"]), case.get("deadline_ms", 90_000) / 1000, lambda: 1)
        now, pauses, ended = 0, [], None
        for failure in case["failures"]:
            self.assertIsNone(ended, "the request ended too early")
            now += failure.get("took_ms", 0) / 1000
            try:
                pauses.append(attempts.pause_after(failure_of(failure), now))
                now += pauses[-1]
            except (Refusal, Unavailable) as error:
                ended = end_of(error)
        return pauses, ended


class Streams(unittest.TestCase):
    def test_every_shared_case(self):
        for case in cases("streams.json"):
            data = case["text"].encode()
            for size in range(1, len(data) + 1):
                with self.subTest(case["name"], size=size):
                    parser = MessageParser()
                    found = [message for at in range(0, len(data), size) for message in parser.feed(data[at:at + size])]
                    self.assertEqual(found, case["messages"])


class Requests(unittest.TestCase):
    def make(self, method, path, query=None, key=None, at="http://127.0.0.1:7420", **values):
        return make_request(Place.of(at), "lk_test", method, path, values, query=query, key=key)

    def test_values_become_part_of_the_path(self):
        made = self.make("GET", "/v1/economy/{realm}/players/{id}/events", {"limit": 2, "type": None, "cursor": "a b"},
                         realm="main", id="1|/2")
        self.assertEqual(made.target, "/v1/economy/main/players/1%7C%2F2/events?limit=2&cursor=a+b")

    def test_lists_and_flags_in_a_query(self):
        made = self.make("GET", "/v1/events", {"system": ["ledger", "economy"], "raw": True})
        self.assertEqual(made.target, "/v1/events?system=ledger%2Ceconomy&raw=true")

    def test_what_a_path_cannot_have_is_refused(self):
        for values, why in (({"realm": ".."}, "must not be"), ({"realm": ""}, "is missing"), ({}, "is missing"),
                            ({"realm": "main", "id": "1"}, "has no {id}")):
            with self.subTest(values), self.assertRaisesRegex(TypeError, why):
                self.make("PUT", "/v1/economy/{realm}", **values)

    def test_a_path_that_would_break_the_request_is_refused(self):
        for path in ("/livez HTTP/1.1\r\nX: y", "/livez\n", "/a b", "/å", "livez", ""):
            with self.subTest(path), self.assertRaisesRegex(ValueError, "visible ASCII"):
                self.make("GET", path)

    def test_the_address_may_have_a_path(self):
        made = self.make("GET", "/livez", at="https://example.org/larder/")
        self.assertEqual((made.target, made.headers["Host"]), ("/larder/livez", "example.org"))
        self.assertEqual(self.make("GET", "/livez", at="http://[::1]:7420").headers["Host"], "[::1]:7420")

    def test_each_write_is_known_by_its_path_with_or_without_values(self):
        for method, path, repetition, has_key in (
                ("POST", "/v1/economy/{realm}/roulettes", Repetition.SAFE, True),
                ("POST", "/v1/economy/main/players/1/farm", Repetition.SAFE, True),
                ("POST", "/v1/messages/select", Repetition.SAFE, True),
                ("POST", "/v1/ledger/entries", Repetition.SAFE, False),
                ("POST", "/v1/ledger/holds/u/o/capture", Repetition.SAFE, False),
                ("POST", "/v1/discord/events", Repetition.SAFE, False),
                ("POST", "/v1/auth/login", Repetition.TWICE, False),
                ("POST", "/v1/admin/keys/5/rotate", Repetition.TWICE, False),
                ("PATCH", "/v1/admin/keys/5", Repetition.SAFE, True),
                ("POST", "/v9/new", Repetition.TWICE, False),
                ("GET", "/v1/ledger/types", Repetition.READS, False)):
            with self.subTest(path):
                values = {"realm": "main"} if "{" in path else {}
                made = self.make(method, path, **values)
                self.assertEqual((made.repetition, "Idempotency-Key" in made.headers), (repetition, has_key))

    def test_a_key_makes_an_unknown_route_safe_and_is_refused_where_it_means_nothing(self):
        self.assertEqual(self.make("POST", "/v9/new", key="k").repetition, Repetition.SAFE)
        for path, why in (("/v1/ledger/entries", "its order_id is the key"), ("/v1/discord/lookup", "takes no"),
                          ("/v1/admin/keys", "sent once"), ("/v1/admin/keys/5/rotate", "sent once")):
            with self.subTest(path), self.assertRaisesRegex(TypeError, why):
                self.make("POST", path, key="k")
        with self.assertRaisesRegex(ValueError, "128 visible"):
            self.make("POST", "/v1/messages", key="a\r\nb")

    def test_bad_options_are_refused(self):
        for options in ({"token": "lk\n"}, {"token": "lk", "deadline_s": 86400}, {"token": "lk", "url": "localhost"}):
            with self.subTest(options), self.assertRaises(ValueError):
                Larder(**options)


if __name__ == "__main__":
    unittest.main()
