"""What the end-to-end tests share. The test cases are here; the rest is imported here from its own modules."""
import http.client
import os
import random
import re
import sys
import unittest
from contextlib import contextmanager

from http_client import Answer, Client, raw_exchange  # noqa: F401
from larder_server import Server, choose_crashes, crash  # noqa: F401
from load_hand import Hand, Load  # noqa: F401
from processes import (BINARY, PATIENCE_S, ROOT, TempDir, children_of, die_with_parent, eventually,  # noqa: F401
                       is_alive, kill_quietly, now_ms, run_larder, stamp)
from store_servers import (PostgresServer, RedisCluster, RedisServer, free_port, redis_cli, redis_keys, redis_snapshot,  # noqa: F401
                           sqlite_query, sqlite_snapshot)
from symptoms import Symptom

LONG = os.environ.get("LARDER_LONG") == "1"
SEED = int(os.environ.get("LARDER_SEED", random.SystemRandom().getrandbits(32)))

AMOUNT_MAX = 2**53 - 1
TITLES = http.client.responses | {413: "Content Too Large", 422: "Unprocessable Content"}
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


class Case(unittest.TestCase):
    maxDiff = None

    def open(self, thing):
        """Starts something now, and closes it after the test."""
        self.addCleanup(thing.close)
        thing.start()
        return thing

    @contextmanager
    def symptom(self, name):
        """Makes sure that Larder says everything that this row of the table in docs/operating.md has, in the same words."""
        row = Symptom(self, name)
        yield row
        self.assertEqual(row.unheard, set(), f"Larder has not said all of the row '{name}'")

    def assert_problem(self, answer, status, code, field=None, **more):
        """Checks a complete problem document (RFC 9457). `more` has the other members."""
        self.assertEqual(answer.status, status, answer)
        self.assertEqual(answer.headers["Content-Type"], "application/problem+json", answer)
        body = answer.json
        self.assertEqual(body.get("code"), code, answer)
        self.assertEqual(body.get("field"), field, answer)
        self.assertEqual(body["type"], "about:blank")
        self.assertEqual(body["title"], TITLES[status])
        self.assertEqual(body["status"], status)
        self.assertTrue(body["detail"], answer)
        self.assertEqual(body["request_id"], answer.headers["X-Request-Id"])
        for name, value in more.items():
            self.assertEqual(body.get(name), value, answer)
        known = {"type", "title", "status", "detail", "code", "field", "request_id", *more}
        self.assertLessEqual(set(body), known, answer)


class SharedServerCase(Case):
    """One server for all tests of the class. Each test makes its own type."""

    server_args = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.server_args)
        cls.addClassCleanup(cls.server.close)
        cls.server.start()

    def setUp(self):
        self.client = self.server.client()
        self.addCleanup(self.client.close)


class TracelessCase(SharedServerCase):
    """Everything that a test asks for is refused and changes nothing."""

    def setUp(self):
        super().setUp()
        eventually(lambda: "lease" not in self.traces()[0][1], "the projector has given its lease back")
        before = self.traces()
        self.addCleanup(lambda: self.assertEqual(self.traces(), before, "a refused request left a trace"))

    def traces(self):
        return redis_snapshot(self.server.redis_socket), sqlite_snapshot(self.server.data / "larder.db")


def main():
    print(f"LARDER_SEED={SEED}", flush=True)
    if not os.access(BINARY, os.X_OK):
        sys.exit(f"{BINARY} is not there: tools/build release larder")
    unittest.main(module="__main__", verbosity=2)
