"""What the log says about requests, and about outages."""
import json
import re

from accounts import Player
from harness import Case, PostgresServer, RedisServer, Server, SharedServerCase, eventually, main

ASKED = 40


def entries(server):
    return [json.loads(line) for line in server.log().splitlines() if line.startswith("{") and line.endswith("}")]


class AccessLog(SharedServerCase):
    def line_of(self, answer):
        """The line about the request with this answer."""
        def found():
            return next((entry for entry in entries(self.server) if entry["message"] == "request"
                         and entry["request_id"] == answer.headers["X-Request-Id"]), None)
        return eventually(found, "the request is logged")

    def assert_logged(self, answer, **wanted):
        line = self.line_of(answer)
        self.assertEqual({name: line[name] for name in wanted}, wanted, answer)

    def test_a_line_says_who_asked_what_about_whom(self):
        answer = self.client.post("/v1/economy/main/players/111/farm", {"name": "Ann"})
        line = self.line_of(answer)
        self.assertEqual(set(line), {"at", "level", "message", "method", "route", "status", "code", "ms", "bytes", "request_id",
                                     "key_id", "player_id", "user", "realm", "world"})
        self.assert_logged(answer, method="POST", route="/v1/economy/{realm}/players/{id}/farm", status=200, code="",
                           key_id="admin1", player_id="", user="111", realm="main", world="")

    def test_a_refusal_has_its_code(self):
        kind = self.client.new_type("coins")
        stranger = self.server.client(token="lk_wrong")
        self.addCleanup(stranger.close)
        for answer, status, code, more in (
                (self.client.entry(order_id="o", op="deduct", type=kind, domain="main", uid="ann", amount=5), 409,
                 "insufficient_balance", {"user": "ann"}),
                (self.client.post("/v1/economy/main/players/111/pay", {"to": "111", "amount": 1}), 409, "self_target",
                 {"user": "111", "realm": "main"}),
                (self.client.get("/v1/ledger/types/999999"), 404, "type_not_found", {"user": ""}),
                (self.client.get("/v1/ledger/flows?uid=bob&nosuch=1"), 400, "invalid_request", {"user": "bob"}),
                (self.client.get("/nosuch"), 404, "route_not_found", {"route": "none"}),
                (stranger.get("/v1/ledger/types"), 401, "unauthorized", {"key_id": ""})):
            with self.subTest(code=code):
                self.assert_logged(answer, status=status, code=code, **more)

    def test_a_repeated_refusal_has_its_code_too(self):
        self.client.new_type("taken")
        first, again = (self.client.post("/v1/ledger/types", {"name": "taken"}, headers={"Idempotency-Key": "again"}) for _ in range(2))
        self.assertEqual(again.headers.get("Idempotency-Replayed"), "true")
        for answer in (first, again):
            self.assert_logged(answer, status=409, code=first.json["code"])

    def test_users_in_a_path_a_query_and_a_body_are_named(self):
        kind = self.client.new_type("wood")
        for answer, user in ((self.client.get(f"/v1/ledger/accounts/{kind}/main/cleo"), "cleo"),
                             (self.client.get("/v1/ledger/flows?uid=dora"), "dora"),
                             (self.client.post("/v1/ledger/transfers", {"order_id": "t", "type": kind, "domain": "main",
                                                                       "from": "eve", "to": "fay", "amount": 1}), "eve"),
                             (self.client.post("/v1/messages/select", {"user_id": "gil"}), "gil"),
                             (self.client.post("/v1/ledger/entries", [1, 2]), ""),
                             (self.client.post("/v1/ledger/entries", {"uid": {"x": 1}}), "")):
            with self.subTest(user=user):
                self.assert_logged(answer, user=user)

    def test_players_and_worlds_are_named(self):
        ann = Player(self, self.server.client()).register()
        own = ann.client.post("/v1/tribes/worlds/default/join")
        self.assert_logged(own, key_id="", world="default", realm="")
        line = self.line_of(own)
        self.assertEqual((line["player_id"], line["user"]), (ann.id, ann.id))
        for_ann = self.client.get(f"/v1/tribes/worlds/default/state?player={ann.id}")
        self.assert_logged(for_ann, status=200, key_id="admin1", player_id=ann.id, user=ann.id, world="default")

    def test_the_next_request_of_a_connection_does_not_inherit_a_user(self):
        self.client.get("/v1/economy/main/players/111")
        self.assert_logged(self.client.get("/v1/ledger/types"), user="", realm="", code="")

    def test_hostile_names_do_not_reach_the_log(self):
        for path in ("/v1/economy/a%0Ab/players/111", "/v1/economy/main/players/%22x%22", f"/v1/economy/{'x' * 3000}/players/111"):
            line = self.line_of(self.client.get(path))
            self.assertLess(len(json.dumps(line)), 600)
            self.assertNotIn("\n", line["realm"] + line["user"])


class Outages(Case):
    def burst(self, client, *requests):
        answers = [client.get(request) if isinstance(request, str) else client.post(*request)
                   for _ in range(ASKED) for request in requests]
        self.assertEqual({answer.status for answer in answers}, {503}, answers)

    def failures(self, server):
        return [entry for entry in entries(server) if entry["message"] == "store failed"]

    def assert_quiet(self, server):
        """While the outage goes on, the log does not: what the server does by itself has said once that it waits."""
        def warnings():
            return sum(entry["level"] in ("warn", "error") for entry in entries(server))
        eventually(lambda: "other realms were not looked for" in server.log(), "what comes last is told")
        self.wait_for_attempts(server)
        before = warnings()
        self.wait_for_attempts(server)
        self.assertEqual(warnings(), before)

    def wait_for_attempts(self, server):
        """The server has tried some more times to reach Redis."""
        def attempts():
            client = server.client()
            text = client.get("/metrics").raw.decode()
            client.close()
            return float(re.search(r"^larder_redis_connection_losses_total (\S+)$", text, re.M)[1])
        before = attempts()
        eventually(lambda: attempts() > before + 8, "the server tries again and again", pause_s=0.2)

    def ends(self, server, ask):
        def found():
            ask()
            return [entry for entry in entries(server) if entry["message"] == "requests no longer fail because of a store"]
        return eventually(found, "the end of the outage is told", pause_s=0.2)

    def test_an_outage_of_redis_is_one_line_and_its_end_another(self):
        redis = self.open(RedisServer())
        server = self.open(Server("--redis", redis.url))
        client = server.client()
        self.addCleanup(client.close)
        kind = client.new_type("coins")
        redis.kill()
        entry = {"op": "add", "type": kind, "domain": "main", "uid": "u", "amount": 1}
        for number in range(ASKED):
            self.assertEqual(client.entry(order_id=f"o-{number}", **entry).status, 503)
        self.burst(client, f"/v1/ledger/accounts/{kind}/main/u", "/v1/economy/main/players/111",
                   ("/v1/economy/main/players/111/farm", {"name": "Ann"}))
        self.assertEqual(len(self.failures(server)), 1, self.failures(server))
        self.assert_quiet(server)
        redis.start()
        eventually(lambda: client.entry(order_id="last", **entry).status == 200, "the server works again")
        end, = self.ends(server, lambda: client.get("/livez"))
        self.assertIn(str(redis.socket), end["store"])
        self.assertGreaterEqual(end["requests_failed"], 4 * ASKED)
        self.assertEqual(len(self.failures(server)), 1)

        redis.kill()
        eventually(lambda: client.get("/v1/economy/main/players/111").status == 503, "the next outage")
        eventually(lambda: len(self.failures(server)) == 2, "has a line of its own")

    def test_an_outage_of_sql_is_one_line(self):
        postgres = self.open(PostgresServer())
        server = self.open(Server("--sql", postgres.url))
        client = server.client()
        self.addCleanup(client.close)
        kind = client.new_type("coins")
        self.assertEqual(client.get("/v1/ledger/flows?uid=u").status, 200)
        postgres.stop()
        self.burst(client, "/v1/ledger/flows?uid=u", ("/v1/ledger/types", {"name": "later"}))
        self.assertEqual(len(self.failures(server)), 1, self.failures(server))
        postgres.start()
        eventually(lambda: client.get("/v1/ledger/flows?uid=u").status == 200, "the server works again")
        self.assertEqual(client.entry(order_id="o", op="add", type=kind, domain="main", uid="u", amount=1).status, 200)

    def test_every_failure_is_there_for_those_who_ask_for_all(self):
        redis = self.open(RedisServer())
        server = self.open(Server("--redis", redis.url, "--set", "log.level=debug"))
        client = server.client()
        self.addCleanup(client.close)
        redis.kill()
        self.burst(client, "/v1/economy/main/players/111")
        eventually(lambda: len(self.failures(server)) == ASKED, "each has a line")
        self.assertEqual(sum(entry["level"] == "warn" for entry in self.failures(server)), 1)


if __name__ == "__main__":
    main()
