"""The economy on a Redis Cluster, and on two servers that share one Redis."""
import json
import re

from economy import ECONOMY, Realm
from economy_load import EconomyLoad, busy_catalogue
from harness import (LONG, SEED, Case, PostgresServer, RedisCluster, RedisServer, Server, TempDir, eventually, main, redis_cli,
                     run_larder)

MOVES = 20_000 if LONG else 1500


class EconomyServers(Case):
    def setUp(self):
        directory = TempDir()
        self.addCleanup(directory.remove)
        self.game = directory / "game.json"
        self.game.write_text(json.dumps(busy_catalogue()))
        self.common = ("--set", "server.access_log=false", "--set", f"economy.catalogue={self.game}")

    def connect(self, server, token=None):
        client = server.client(token=token)
        self.addCleanup(client.close)
        return client

    def load(self, *args, **more):
        load = EconomyLoad(*args, SEED, **more)
        self.addCleanup(load.stop)
        return load.start()

    def assert_verified(self, server, *args):
        done = run_larder("economy", "verify", "--data", server.data, *args)
        self.assertEqual(done.returncode, 0, done)
        self.assertTrue(done.stdout.startswith("no differences: compared "), done)


class OnACluster(EconomyServers):
    def setUp(self):
        super().setUp()
        self.cluster = self.open(RedisCluster())
        self.engine = ("--redis", self.cluster.url, "--set", "redis.replicas_min=0")
        self.server = self.open(Server(*self.engine, *self.common))
        self.client = self.connect(self.server)

    def test_the_default_realm_is_refused_with_what_to_do_and_named_ones_work_at_the_same_time(self):
        for method, path, body in (("POST", "/players/ann/farm", {"name": "Ann"}), ("POST", "/roulettes", None),
                                   ("POST", "/players/ann/pay", {"to": "bob", "amount": 1}), ("GET", "/players/ann", None),
                                   ("GET", "/leaderboard", None), ("GET", "/items", None), ("GET", "/events", None),
                                   ("GET", "/players/ann/events", None)):
            with self.subTest(path=path):
                answer = self.client.send(method, f"{ECONOMY}/default{path}", body)
                self.assert_problem(answer, 409, "realm_needs_name")
                self.assertIn("use a realm with a name, like /v1/economy/main", answer.json["detail"])
        with self.symptom("a cluster is asked for the realm or the world `default`") as row:
            row.answer(answer)
            row.answer(self.client.get("/v1/tribes/worlds/default/rules"))
        refused = run_larder("economy", "items", "load", self.game, "--realm", "default", "--data", self.server.data,
                             *self.engine)
        self.assertEqual((refused.returncode, refused.stdout), (1, ""), refused)
        self.assertIn("give --realm a name", refused.stderr)
        keys = set().union(*self.cluster.keys())
        self.assertEqual([key for key in keys if not key.startswith(("{larder}", "larder:"))
                          and not key.endswith((":score_outbox", "}:outbox"))], [], "nothing was done")

        loads = [self.load(lambda: self.server.address, self.server.token, realm=realm, clients=3)
                 for realm in ("red", "blue")]
        for load in loads:
            load.wait_for_more(MOVES // 3)
        for load in loads:
            load.stop()
        homes = [next(i for i, keys in enumerate(self.cluster.keys()) if f"{{{realm}}}:lb" in keys)
                 for realm in ("red", "blue")]
        self.assertNotEqual(*homes, "each has its slot, and these are of two masters")
        for load in loads:
            events = load.check(self, self.client)
            print(f"{load.realm}: {len(load.moves)} moves, {events} events", flush=True)
        self.assert_verified(self.server, *self.engine)


class SideBySide(EconomyServers):
    def setUp(self):
        super().setUp()
        self.redis = self.open(RedisServer())
        self.postgres = self.open(PostgresServer())
        engines = ("--redis", self.redis.url, "--sql", self.postgres.url)
        self.servers = [Server(*engines, *self.common), Server(*engines, *self.common)]
        for server in self.servers:  # both make the schema and the first key at the same time
            self.addCleanup(server.close)
            server.begin()
        for server in self.servers:
            server.wait_for_address()
        self.engines = engines
        self.token = next(server.token for server in self.servers if (server.data / "admin.key").exists())
        self.a, self.b = (self.connect(server, self.token) for server in self.servers)

    def test_two_work_as_one(self):
        """Does one check after the other on the same servers, because servers take long to start."""
        with self.subTest("what one does the other knows at once"):
            self.check_what_one_knows_of_the_other()
        with self.subTest("moves through both are made once and told once, though one dies"):
            self.check_moves_through_both()

    def check_what_one_knows_of_the_other(self):
        first = self.a.post(f"{ECONOMY}/shared/players/ann/rewards/weekly", headers={"Idempotency-Key": "k"})
        again = self.b.post(f"{ECONOMY}/shared/players/ann/rewards/weekly", headers={"Idempotency-Key": "k"})
        self.assertEqual((again.status, again.raw, again.headers["Idempotency-Replayed"]), (200, first.raw, "true"))
        for path in ("players/ann", "leaderboard", "events", "players/ann/events", "items"):
            seen = [re.sub(rb'"weekly":\d', b"", client.get(f"{ECONOMY}/shared/{path}").raw)
                    for client in (self.a, self.b)]
            self.assertEqual(seen[0], seen[1], path)
        game = busy_catalogue()
        game["farm"]["gain"] = 1000
        self.game.write_text(json.dumps(game))
        done = run_larder("economy", "items", "load", self.game, "--realm", "shared", "--data", self.servers[0].data,
                          *self.engines)
        self.assertEqual(done.returncode, 0, done)
        for client in (self.a, self.b):
            farmed = client.post(f"{ECONOMY}/shared/players/bob/farm", {"name": "Bob"})
            self.assertEqual((farmed.status, farmed.json["gained"]), (200, 1000), farmed)

    def check_moves_through_both(self):
        turns = iter(range(10**9))
        load = self.load(lambda: self.servers[next(turns) % 2].address, self.token)
        load.wait_for_more(MOVES // 2)
        Realm(self.redis.socket, "bombs").fill("ann", 0, bomb=1)
        planted = self.a.post(f"{ECONOMY}/bombs/players/ann/bomb", {"seconds": 1})
        self.assertEqual(planted.status, 200, planted)
        self.servers[0].kill()
        eventually(lambda: Realm(self.redis.socket, "bombs").cli("GET", "bomb") == "ann",
                   "the other one makes the bomb pending, of a realm that it has never seen")
        self.servers[0].start()
        load.wait_for_more(MOVES // 2)
        load.stop()
        a = self.connect(self.servers[0], self.token)
        events = [load.check(self, client) for client in (a, self.b)]
        self.assertEqual(events[0], events[1])
        rows, distinct = (int(self.postgres.query(f"SELECT count({what}) FROM economy_event WHERE realm = 'main'")[0])
                          for what in ("*", "DISTINCT (user_id, event_ms, event_seq, of_items)"))
        self.assertEqual((rows, distinct), (events[0], events[0]))
        self.assert_verified(self.servers[1], *self.engines)
        print(f"{len(load.moves)} moves {dict(load.outcomes())}, {load.unknown} attempts with an unknown outcome, "
              f"{events[0]} events", flush=True)


if __name__ == "__main__":
    main()
