"""/readyz when something is wrong."""
import re
import sqlite3
import time
import uuid

import harness
from accounts import Player
from discord import Discord, dispatch, user
from harness import (Case, PostgresServer, RedisCluster, RedisServer, Server, TempDir, eventually, now_ms,
                     redis_cli, run_larder, stamp)
from moved_clock import MovedServer

DAYS_400_S = 400 * 86_400
OUTBOXES = [f"{{{shard}}}:score_outbox" for shard in range(4)]


class ReadyCase(Case):
    def open_client(self, server, **more):
        client = server.client(**more)
        self.addCleanup(client.close)
        return client

    def entry(self, type_id, **more):
        return {"order_id": uuid.uuid4().hex, "op": "add", "type": type_id, "domain": "main", "uid": "u",
                "amount": 1} | more

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
        new = self.entry(points)
        with self.symptom("Redis has reached its `maxmemory`") as row:
            row.readyz(client, "redis")
            refused = client.entry(**new)
            self.assert_problem(refused, 503, "store_unavailable", outcome_unknown=False)
            row.answer(refused)
        for request, answer in zip(requests, first):
            again = send(request)
            self.assertEqual(again.status, answer.status, again)
            self.assertEqual(again.json | {"replayed": None}, answer.json | {"replayed": None})
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
        with self.symptom("Redis has reached its `maxmemory`") as row:
            row.readyz(client, "redis")
            row.answer(client.entry(**self.entry(points)))
        self.fill(redis, full=False)
        self.wait_until_well(client)
        self.assertEqual(len(client.flows("u7")), 1)

    def test_the_full_redis_of_the_cache_is_reported_apart(self):
        server = self.open(Server())
        client = self.open_client(server)
        self.wait_until_well(client)
        redis_cli(server.cache_socket, "CONFIG", "SET", "maxmemory", "1")
        with self.symptom("the Redis of the cache is full; all other systems go on") as row:
            row.readyz(client, "cache_redis")
            row.answer(Discord(self, client).send(dispatch("USER_UPDATE", user("9"))))
        for _ in range(10):
            self.assertEqual(client.get("/readyz").status, 503)
        redis_cli(server.cache_socket, "CONFIG", "SET", "maxmemory", "0")
        self.wait_until_well(client)

        def told():
            lines = [line for line in server.log().splitlines() if "cache_redis" in line]
            return [sum(f'"{news}"' in line for line in lines) for news in ("not ready", "ready again")]
        eventually(lambda: told()[1], "the log says that it is ready again")
        self.assertEqual(told(), [1, 1], server.log())

    def test_a_full_node_of_a_cluster_is_enough(self):
        cluster = self.open(RedisCluster())
        server = self.open(Server("--redis", cluster.url, "--set", "redis.replicas_min=0"))
        client = self.open_client(server)
        self.wait_until_well(client)
        points = client.new_type("points")
        cluster.ask(cluster.ports[1], "CONFIG", "SET", "maxmemory", "1")
        with self.symptom("Redis has reached its `maxmemory`") as row:
            row.readyz(client, "redis")
            answers = [client.entry(**self.entry(points, uid=f"u{i}")) for i in range(20)]
            row.answer(next(answer for answer in answers if answer.status != 200))
        cluster.ask(cluster.ports[1], "CONFIG", "SET", "maxmemory", "0")
        self.wait_until_well(client)


class Stores(ReadyCase):
    def test_a_redis_that_is_away(self):
        redis = self.open(RedisServer())
        client = self.open_client(self.open(Server("--redis", redis.url)))
        points = client.new_type("points")
        self.wait_until_well(client)
        redis.stop()
        with self.symptom("Redis, or a master of a cluster, is stopped, hangs or cannot be reached") as row:
            row.readyz(client, "redis")
            row.answer(client.entry(**self.entry(points)))
        redis.start()
        self.wait_until_well(client)

    def test_sql_that_is_away_and_events_that_wait_for_it(self):
        postgres = self.open(PostgresServer())
        server = self.open(Server("--sql", postgres.url, "--set", "server.outbox_lag_max_s=1"))
        client = self.open_client(server)
        points = client.new_type("points")
        self.wait_until_well(client)
        postgres.stop()
        with self.symptom("SQL is stopped, hangs or cannot be reached") as row:
            row.readyz(client, "sql")
            row.answer(client.get("/v1/ledger/types"))
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
        with self.symptom("SQL is too slow, lacks a table or a permission, or its disk is full") as row:
            row.readyz(client, "outbox")
            row.log(server)
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
        with self.symptom("SQL refuses an event because of what is in it; the others go on") as row:
            row.readyz(client, "dead_events")
            row.log(server)
            row.command("outbox dead list", run_larder("outbox", "dead", "list", "--data", server.data))
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
        eventually(lambda: client.get("/readyz").json == {"status": "degraded"}, "/readyz tells it")
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
        with self.symptom("nobody does the work of a schedule: a handler hangs, or a due set has a key of another type") as row:
            row.readyz(client, "schedule")
            row.log(server)
        redis_cli(server.redis_socket, "DEL", "bombs-schedule:failures", "bombs-schedule")
        self.wait_until_well(client)

    def test_work_that_failed_too_often(self):
        server = self.open(Server())
        client = self.open_client(server)
        self.assertEqual(client.post("/v1/economy/default/players/111/farm", {"name": "ann"}).status, 200)
        redis_cli(server.redis_socket, "ZADD", "bombs-schedule:dead", "1", "111")
        with self.symptom("work has failed too often") as row:
            row.readyz(client, "dead_work")
        redis_cli(server.redis_socket, "DEL", "bombs-schedule:dead")
        self.wait_until_well(client)

    def test_a_transfer_that_is_left_to_people(self):
        server = self.open(Server())
        client = self.open_client(server)
        points = client.new_type("points")
        self.assertEqual(client.entry(**self.entry(points, uid="ann", amount=10)).status, 200)
        more, dead = f"{{ann}}:main:{points}:score_more", "{0}:score_relay:dead"
        redis_cli(server.redis_socket, "HSET", more, "t:gift", f"3 bob {now_ms()} 0:3 ")
        redis_cli(server.redis_socket, "ZADD", dead, "1", f"ann {points} main gift")
        with self.symptom("a transfer between slots of a cluster is left to people") as row:
            row.readyz(client, "dead_work")
            row.command("ledger transfers list", run_larder("ledger", "transfers", "list", "--data", server.data))
        redis_cli(server.redis_socket, "DEL", more, dead)
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
        with self.symptom("Redis was emptied while servers run") as row:
            for caller, path, body in ((client, "/v1/ledger/entries", self.entry(points)),
                                       (ann.client, "/v1/auth/register", {"username": "other", "password": "correct horse"})):
                refused = caller.post(path, body)
                self.assert_problem(refused, 503, "store_unavailable", outcome_unknown=False)
                row.answer(refused)
            for player in ("111", "222"):
                refused = client.post(f"/v1/economy/main/players/{player}/farm", {"name": "ann"})
                self.assert_problem(refused, 503, "realm_lost")
                row.answer(refused)
            row.readyz(client, "lost")
            row.log(server)
        self.assertEqual(redis_cli(redis.socket, "KEYS", "*:score").split(), [])

    def test_an_sql_database_that_is_an_older_copy(self):
        server = self.open(Server())
        client = self.open_client(server)
        points = client.new_type("points")
        self.assertEqual(client.entry(**self.entry(points)).status, 200)
        self.assertEqual(len(client.flows("u")), 1)
        self.wait_until_well(client)

        def put_back(by_ms):
            with sqlite3.connect(server.data / "larder.db", timeout=30) as database:
                database.execute("UPDATE outbox_position SET event_ms = event_ms - ? WHERE event_ms > 0", (by_ms,))
            database.close()
        put_back(1000)
        self.assertEqual(client.entry(**self.entry(points)).status, 200, "events wait in Redis")
        with self.symptom("an older copy of SQL was put back while servers run") as row:
            row.readyz(client, "lost")
            row.log(server)
        put_back(-1000)
        self.wait_until_well(client)
        self.assertEqual(len(client.flows("u")), 2)


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
            with self.symptom("the clock of a running server is wrong") as row:
                for caller, path, body in ((client, "/v1/ledger/entries", new),
                                           (client, "/v1/economy/main/players/111/farm", {"name": "ann"}),
                                           (client, "/v1/messages/select", {"user_id": "1"}),
                                           (ann.client, "/v1/tribes/worlds/default/join", None)):
                    refused = caller.post(path, body)
                    self.assert_problem(refused, 503, "clock_off", outcome_unknown=False)
                    row.answer(refused)
                row.readyz(client, "clock")
                row.log(moved)
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
                code = server.wait()
                self.assertIn(words, server.log())
                with self.symptom("the clock is wrong when a server starts") as row:
                    row.start(server.log(), code=code)
                done = run_larder("ledger", "verify", "--data", server.data, "--redis", url, env=server.env)
                self.assertEqual(done.returncode, 1)
                self.assertIn(words, done.stderr)
                server.move(0)
                self.wait_until_well(self.open_client(server.start()))
                self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    harness.main()
