"""The limits of the server itself: a number of requests per key and route, then 429."""
import re
import time

from harness import SharedServerCase, main, run_larder

TYPES = "/v1/ledger/types"
LEFT = re.compile(r'"requests";r=(\d+);t=(\d+)')


def left(answer):
    return tuple(map(int, LEFT.fullmatch(answer.headers["RateLimit"]).groups()))


class RateLimit(SharedServerCase):
    server_args = ("--set", "server.rate_tokens=3", "--set", "server.rate_seconds=6")

    def new_client(self):
        made = run_larder("key", "create", "--name", "bot", "--scope", "ledger", "--data", self.server.data)
        token = re.search(r"lk_\S+", made.stdout)[0]
        client = self.server.client(token)
        self.addCleanup(client.close)
        deadline = time.monotonic() + 30
        while client.get("/v1/ledger/flows?uid=u").status == 401 and time.monotonic() < deadline:
            time.sleep(0.1)
        return client

    def test_one_too_many_is_refused_until_its_time_has_come(self):
        client, other = self.new_client(), self.new_client()
        answers = [client.get(TYPES) for _ in range(3)]
        self.assertEqual([answer.status for answer in answers], [200] * 3)
        self.assertEqual([answer.headers["RateLimit-Policy"] for answer in answers], ['"requests";q=3;w=6'] * 3)
        self.assertEqual(left(answers[0]), (2, 2))
        # On a slow machine, some tokens come back in the meantime.
        refused = next(answer for answer in iter(lambda: client.get(TYPES), None) if answer.status != 200)
        self.assertEqual((refused.status, refused.json["code"]), (429, "rate_limited"), refused)
        wait = refused.json["retry_after_s"]
        self.assertIn(wait, (1, 2))
        self.assertEqual(refused.headers["Retry-After"], str(wait))
        self.assertEqual(left(refused), (0, wait))
        self.assertEqual(other.get(TYPES).status, 200, "another key")
        self.assertEqual(client.post("/v1/ledger/orders", {}).status, 400, "another route")
        time.sleep(wait)
        self.assertEqual(client.get(TYPES).status, 200, "as Retry-After has promised")

    def test_what_needs_no_token_is_not_limited(self):
        for _ in range(10):
            for path in ("/livez", "/readyz", "/openapi.json", "/metrics"):
                answer = self.client.get(path, headers={"Authorization": None})
                self.assertEqual(answer.status, 200)
                self.assertNotIn("RateLimit", answer.headers)


class NoLimit(SharedServerCase):
    def test_by_default_there_is_none(self):
        for _ in range(200):
            answer = self.client.get(TYPES)
            self.assertEqual(answer.status, 200)
            self.assertFalse({"RateLimit", "RateLimit-Policy"} & set(answer.headers))


if __name__ == "__main__":
    main()
