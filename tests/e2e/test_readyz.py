"""/readyz where all is not well. Every row of the table in docs/operating.md is seen here."""
import re
import time
import uuid

import harness
from accounts import Player
from harness import (ROOT, Case, PostgresServer, RedisCluster, RedisServer, Server, TempDir, eventually, now_ms,
                     redis_cli, run_larder, stamp)
from moved_clock import MovedServer

DAYS_400_S = 400 * 86_400
OUTBOXES = [f"{{{shard}}}:score_outbox" for shard in range(4)]


def documented():
    """Pairs of the check and what it says, from the table."""
    text = (ROOT / "docs" / "operating.md").read_text().split("## What does readyz say?")[1].split("\n#")[0]
    rows = re.findall(r"^\| [^|]* \| `(\w+)`: ([^|]*?) \|", text, re.M)
    assert rows, "the table is missing"
    return rows


seen = set()


def tearDownModule():
    if harness.sys.argv[1:]:
        return  # only some tests ran
    missing = set(documented()) - seen
    assert not missing, f"no test has seen these rows of the table: {missing}"


class ReadyCase(Case):
    def open_client(self, server, **more):
        client = server.client(**more)
        self.addCleanup(client.close)
        return client

    def entry(self, type_id, **more):
        return {"order_id": uuid.uuid4().hex, "op": "add", "type": type_id, "domain": "main", "uid": "u",
                "amount": 1} | more

    def assert_says(self, client, check, words, status=503):
        """/readyz is not well because of this check only, in these words, and the table has them."""
        def says():
            answer = client.get("/readyz?verbose")
            problems = answer.json.get("problems", {})
            return answer if answer.status == status and list(problems) == [check] else None
        answer = eventually(says, f"{check} is not well")
        self.assertIn(words, answer.json["problems"][check])
        self.assertEqual(answer.json["checks"][check], "failed" if status == 503 else "degraded")
        if status == 503:
            self.assert_problem(answer, 503, "not_ready", checks=answer.json["checks"],
                                problems=answer.json["problems"])
            self.assert_problem(client.get("/readyz"), 503, "not_ready")
        else:
            self.assertEqual(client.get("/readyz").json, {"status": "degraded"})
        self.assertEqual(client.get("/livez").status, 200)
        rows = [row for row in documented() if row[0] == check and row[1] in words]
        self.assertTrue(rows, f"operating.md does not say what to do about {check}: {words}")
        seen.update(rows)

    def wait_until_well(self, client):
        eventually(lambda: client.get("/readyz").raw == b'{"status":"ok"}', "/readyz is well again")
        checks = client.get("/readyz?verbose").json["checks"]
        self.assertEqual(set(checks.values()), {"ok"}, checks)


class FullRedis(ReadyCase):
    def set_up(self, *args):
        redis = self.open(RedisServer())
        server = self.open(Server("--redis", redis.url, *args))
        client = self.open_client(server)
        return redis, server, client, client.new_type("points")

    @staticmethod
    def fill(redis, full=True):
        redis_cli(redis.socket, "CONFIG", "SET", "maxmemory", "1" if full else "0")

    def test_a_full_redis_refuses_what_is_new_and_answers_what_comes_again(self):
        redis, server, client, points = self.set_up()
        ann = Player(self, server.client()).register()
        self.assertEqual(ann.client.post("/v1/tribes/worlds/default/join").status, 201)
        requests = [
            (client, "/v1/ledger/entries", self.entry(points, amount=10), {}),
            (client, "/v1/ledger/entries", self.entry(points, amount=5, uid="lots",
                                                      expires_at=stamp(now_ms() + 10**8)), {}),
            (client, "/v1/ledger/holds", {"order_id": "hold", "type": points, "domain": "main", "uid": "u", "amount": 3,
                                          "expires_at": stamp(now_ms() + 10**7)}, {}),
            (client, "/v1/ledger/transfers", {"order_id": "transfer", "type": points, "domain": "main", "from": "u",
                                              "to": "bob", "amount": 2}, {}),
            (client, "/v1/ledger/types", {"name": "again"}, {"Idempotency-Key": "type"}),
            (client, "/v1/economy/main/players/111/farm", {"name": "ann"}, {"Idempotency-Key": "farm"}),
            (ann.client, "/v1/tribes/worlds/default/actions", {"type": "construct", "lot": "1", "building": "house"},
             {"Idempotency-Key": "house"}),
        ]
        send = lambda request: request[0].post(request[1], request[2], headers=request[3])
        first = [send(request) for request in requests]
        self.assertEqual({answer.status for answer in first}, {200, 201}, first)
        self.wait_until_well(client)
        self.fill(redis)
        self.assert_says(client, "redis", "its memory is full")
        for request, answer in zip(requests, first):
            again = send(request)
            self.assertEqual(again.status, answer.status, again)
            self.assertEqual(again.json | {"replayed": None}, answer.json | {"replayed": None})
        new = self.entry(points)
        self.assert_problem(client.entry(**new), 503, "store_unavailable", outcome_unknown=False)
        self.fill(redis, full=False)
        self.wait_until_well(client)
        self.assertEqual(client.entry(**new).status, 200)
        self.assertEqual(client.account(points, "main", "u")["balance"], 6)

    def test_after_an_outage_of_sql_a_full_redis_is_emptied(self):
        postgres = self.open(PostgresServer())
        redis, _, client, points = self.set_up("--sql", postgres.url)
        postgres.stop()
        for i in range(100):
            self.assertEqual(client.entry(**self.entry(points, uid=f"u{i}")).status, 200)
        self.fill(redis)
        postgres.start()
        waiting = lambda: sum(int(redis_cli(redis.socket, "XLEN", outbox)) for outbox in OUTBOXES)
        eventually(lambda: waiting() == 0, "the projector makes room")
        self.assert_says(client, "redis", "its memory is full")
        self.fill(redis, full=False)
        self.wait_until_well(client)
        self.assertEqual(len(client.flows("u7")), 1)

    def test_the_full_redis_of_the_cache_is_reported_apart(self):
        server = self.open(Server())
        client = self.open_client(server)
        self.wait_until_well(client)
        redis_cli(server.cache_socket, "CONFIG", "SET", "maxmemory", "1")
        self.assert_says(client, "cache_redis", "its memory is full")
        redis_cli(server.cache_socket, "CONFIG", "SET", "maxmemory", "0")
        self.wait_until_well(client)

    def test_a_full_node_of_a_cluster_is_enough(self):
        cluster = self.open(RedisCluster())
        server = self.open(Server("--redis", cluster.url, "--set", "redis.replicas_min=0"))
        client = self.open_client(server)
        self.wait_until_well(client)
        cluster.ask(cluster.ports[1], "CONFIG", "SET", "maxmemory", "1")
        self.assert_says(client, "redis", "its memory is full")
        cluster.ask(cluster.ports[1], "CONFIG", "SET", "maxmemory", "0")
        self.wait_until_well(client)


class Stores(ReadyCase):
    def test_a_redis_that_is_away(self):
        redis = self.open(RedisServer())
        client = self.open_client(self.open(Server("--redis", redis.url)))
        self.wait_until_well(client)
        redis.stop()
        self.assert_says(client, "redis", "it does not answer")
        redis.start()
        self.wait_until_well(client)

    def test_sql_that_is_away_and_events_that_wait_for_it(self):
        postgres = self.open(PostgresServer())
        server = self.open(Server("--sql", postgres.url, "--set", "server.outbox_lag_max_s=1"))
        client = self.open_client(server)
        points = client.new_type("points")
        self.wait_until_well(client)
        postgres.stop()
        self.assert_says(client, "sql", "it does not answer")
        self.assertEqual(client.entry(**self.entry(points)).status, 200)
        answer = eventually(lambda: (a := client.get("/readyz?verbose")).json["checks"]["outbox"] == "failed" and a,
                            "the event waits for too long")
        self.assertRegex(answer.json["problems"]["outbox"], r"\(.*ledger: \d+ s.*; 1 s are allowed\)")
        postgres.start()
        self.wait_until_well(client)

    def test_a_table_that_is_missing_makes_events_wait_and_kills_none(self):
        postgres = self.open(PostgresServer())
        server = self.open(Server("--sql", postgres.url, "--set", "server.outbox_lag_max_s=1"))
        client = self.open_client(server)
        points = client.new_type("points")
        for table in (0, 1):
            postgres.query(f"ALTER TABLE score_flow_{table} RENAME TO away_{table}")
        self.assertEqual(client.entry(**self.entry(points)).status, 200)
        self.assert_says(client, "outbox", "events wait too long to reach SQL")
        for table in (0, 1):
            postgres.query(f"ALTER TABLE away_{table} RENAME TO score_flow_{table}")
        self.wait_until_well(client)
        self.assertEqual(len(client.flows("u")), 1)


class Poison(ReadyCase):
    def dead(self, server, *args, code=0):
        done = run_larder("outbox", "dead", *args, "--data", server.data)
        self.assertEqual(done.returncode, code, done)
        return done.stdout + done.stderr

    def test_an_event_that_sql_refuses_is_reported_and_holds_up_nothing(self):
        server = self.open(Server())
        client = self.open_client(server)
        points = client.new_type("points")
        self.assertEqual(self.dead(server, "list"), "no event is dead\n")
        for outbox in (*OUTBOXES, "{accounts}:outbox"):
            redis_cli(server.redis_socket, "XADD", outbox, "*", "entry", "poison")
        for i in range(20):
            self.assertEqual(client.entry(**self.entry(points, uid=f"u{i}")).status, 200)
        for i in range(20):
            eventually(lambda: len(client.flows(f"u{i}")) == 1, "the others go on")
        self.assert_says(client, "dead_events", "SQL refuses events, so the journal lacks them", status=200)
        words = lambda: client.get("/readyz?verbose").json["problems"]["dead_events"]
        eventually(lambda: "accounts: 1" in words() and "ledger: 4" in words(), "all five are dead")
        self.assertIn("larder outbox dead list", words())
        self.assertIn('larder_outbox_dead{outbox="ledger"} 4', client.get("/metrics").raw.decode())

        listed = self.dead(server, "list", code=1)
        ids = dict(re.findall(r"^(\S+) (\d+-\d+) is dead$", listed, re.M))
        self.assertEqual(set(ids), {*OUTBOXES, "{accounts}:outbox"}, listed)
        self.assertIn("why: not an outbox entry of the ledger", listed)
        self.assertIn('entry = "poison"', listed)
        self.dead(server, "retry", OUTBOXES[0], ids[OUTBOXES[0]])
        eventually(lambda: (again := re.search(rf"^{re.escape(OUTBOXES[0])} (\S+) is dead$",
                                               self.dead(server, "list", code=1), re.M))
                   and again[1] != ids[OUTBOXES[0]], "what is refused again is dead again")
        for outbox in ids:
            self.assertIn("is dropped", self.dead(server, "drop", outbox, "all"))
        self.assertIn("no event of", self.dead(server, "drop", OUTBOXES[0], "all", code=1))
        self.assertIn("has no dead event", self.dead(server, "retry", OUTBOXES[0], "1-1", code=1))
        self.wait_until_well(client)

    def test_a_repaired_event_takes_its_place(self):
        postgres = self.open(PostgresServer())
        server = self.open(Server("--sql", postgres.url))
        client = self.open_client(server)
        points = client.new_type("points")
        for table in (0, 1):
            postgres.query(f"ALTER TABLE score_flow_{table} ADD CONSTRAINT small CHECK (amount < 100)")
        orders = [self.entry(points, amount=amount) for amount in (1, 500, 2)]
        for order in orders:
            self.assertEqual(client.entry(**order).status, 200)
        eventually(lambda: len(client.flows("u")) == 2, "the others arrive")
        self.assert_says(client, "dead_events", "SQL refuses events, so the journal lacks them", status=200)
        for table in (0, 1):
            postgres.query(f"ALTER TABLE score_flow_{table} DROP CONSTRAINT small")
        outbox = re.match(r"\S+", self.dead(server, "list", "--sql", postgres.url, code=1))[0]
        self.dead(server, "retry", outbox, "all")
        flows = eventually(lambda: len(found := client.flows("u")) == 3 and found, "the event is tried again")
        self.assertEqual([flow["order_id"] for flow in flows], [order["order_id"] for order in reversed(orders)])
        self.wait_until_well(client)


class Schedules(ReadyCase):
    def test_work_that_nobody_does(self):
        server = self.open(Server("--set", "server.schedule_lag_max_s=1"))
        client = self.open_client(server)
        self.assertEqual(client.post("/v1/economy/default/players/111/farm", {"name": "ann"}).status, 200)
        self.wait_until_well(client)
        redis_cli(server.redis_socket, "SET", "bombs-schedule:failures", "no hash")
        redis_cli(server.redis_socket, "ZADD", "bombs-schedule", "1", "111")
        self.assert_says(client, "schedule", "work that is due is not done")
        redis_cli(server.redis_socket, "DEL", "bombs-schedule:failures", "bombs-schedule")
        self.wait_until_well(client)

    def test_work_that_failed_too_often(self):
        server = self.open(Server())
        client = self.open_client(server)
        self.assertEqual(client.post("/v1/economy/default/players/111/farm", {"name": "ann"}).status, 200)
        redis_cli(server.redis_socket, "ZADD", "bombs-schedule:dead", "1", "111")
        self.assert_says(client, "dead_work", "work failed too often and waits for a person", status=200)
        redis_cli(server.redis_socket, "DEL", "bombs-schedule:dead")
        self.wait_until_well(client)


class LostData(ReadyCase):
    def test_a_redis_that_was_emptied_takes_nothing(self):
        redis = self.open(RedisServer())
        server = self.open(Server("--redis", redis.url))
        client = self.open_client(server)
        points = client.new_type("points")
        ann = Player(self, server.client()).register()
        self.assertEqual(client.entry(**self.entry(points)).status, 200)
        self.assertEqual(client.post("/v1/economy/main/players/111/farm", {"name": "ann"}).status, 200)
        self.assertEqual(len(client.flows("u")), 1)
        eventually(lambda: client.get("/v1/economy/main/events").json["items"], "SQL has the event")
        eventually(lambda: "0" == redis_cli(redis.socket, "XLEN", "{accounts}:outbox").strip(), "SQL has the account")
        self.wait_until_well(client)
        redis_cli(redis.socket, "FLUSHALL")
        for caller, path, body in ((client, "/v1/ledger/entries", self.entry(points)),
                                   (ann.client, "/v1/auth/register", {"username": "other", "password": "correct horse"})):
            self.assert_problem(caller.post(path, body), 503, "store_unavailable", outcome_unknown=False)
        for player in ("111", "222"):
            self.assert_problem(client.post(f"/v1/economy/main/players/{player}/farm", {"name": "ann"}), 503, "realm_lost")
        self.assert_says(client, "lost", "Redis or SQL has lost data")
        self.assertEqual(redis_cli(redis.socket, "KEYS", "*:score").split(), [])


class Clocks(ReadyCase):
    def test_a_server_whose_clock_jumps_does_nothing_until_it_is_right_again(self):
        redis = self.open(RedisServer())
        postgres = self.open(PostgresServer())
        stores = ("--redis", redis.url, "--sql", postgres.url)
        moved, right = self.open(MovedServer(*stores)), self.open(Server(*stores))
        client, other = self.open_client(moved), right.client(token=moved.token)
        self.addCleanup(other.close)
        ann = Player(self, moved.client()).register()
        points = client.new_type("points")
        lot = self.entry(points, amount=7, expires_at=stamp(now_ms() + 10**9))
        self.assertEqual(client.entry(**lot).status, 200)
        self.assertEqual(client.post("/v1/economy/main/players/111/farm", {"name": "ann"}).status, 200)
        for ahead_s, words in ((DAYS_400_S, "days ahead of"), (-DAYS_400_S, "days behind"),
                               (3600, "s ahead of"), (-3600, "s behind")):
            moved.move(ahead_s)
            new = self.entry(points, uid="new")
            for caller, path, body in ((client, "/v1/ledger/entries", new),
                                       (client, "/v1/economy/main/players/111/farm", {"name": "ann"}),
                                       (client, "/v1/messages/select", {"user_id": "1"}),
                                       (ann.client, "/v1/tribes/worlds/default/join", None)):
                self.assert_problem(caller.post(path, body), 503, "clock_off", outcome_unknown=False)
            self.assert_says(client, "clock", "the clock of this server is ")
            self.assertIn(words, client.get("/readyz?verbose").json["problems"]["clock"])
            time.sleep(3)  # longer than a scheduler takes to find what is due
            self.wait_until_well(other)
            self.assertEqual(other.account(points, "main", "u")["balance"], 7)
            self.assertEqual(other.account(points, "main", "new")["balance"], 0)
            moved.move(0)
            self.wait_until_well(client)
        self.assertEqual([flow["op"] for flow in other.flows("u")], ["add"])
        self.assertEqual(client.account(points, "main", "u")["balance"], 7)

    def test_a_server_whose_clock_is_off_does_not_start(self):
        redis = self.open(RedisServer())
        cluster = self.open(RedisCluster())
        for url in (redis.url, cluster.url):
            home = TempDir()  # all servers on one Redis share one SQL database
            self.addCleanup(home.remove)
            for ahead_s, words in ((DAYS_400_S, "days ahead of"), (-3600, "s behind")):
                server = MovedServer("--redis", url, "--set", "redis.replicas_min=0", ahead_s=ahead_s,
                                     data=home / "data")
                self.addCleanup(server.close)
                server.begin()
                self.assertEqual(server.wait(), 1)
                self.assertIn(words, server.log())
                done = run_larder("ledger", "verify", "--data", server.data, "--redis", url, env=server.env)
                self.assertEqual(done.returncode, 1)
                self.assertIn(words, done.stderr)
                server.move(0)
                self.wait_until_well(self.open_client(server.start()))
                self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    harness.main()
