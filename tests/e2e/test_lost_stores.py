"""Stores that have lost data, or that are older copies. No server takes them for healthy stores."""
import shutil
import sqlite3
import uuid

from harness import Case, RedisCluster, RedisServer, Server, eventually, main, redis_cli, run_larder


class LossCase(Case):
    def play(self, server, users, points=None):
        """Makes entries and moves, and waits until SQL has them. Returns the type."""
        client = server.client()
        self.addCleanup(client.close)
        points = points or client.new_type("points")
        for user in users:
            made = client.entry(order_id=uuid.uuid4().hex, op="add", type=points, domain="main", uid=user, amount=5)
            self.assertEqual(made.status, 200, made)
            moved = client.post(f"/v1/economy/main/players/{user}/rewards/daily")
            self.assertEqual(moved.status, 200, moved)
        for user in users:
            self.assertTrue(client.flows(user))
        eventually(lambda: len(client.get("/v1/economy/main/events?limit=500").json["items"]) >= len(users), "SQL has all")
        return points

    def owned(self, server, users, points):
        client = server.client()
        self.addCleanup(client.close)
        return [(client.account(points, "main", user)["balance"],
                 client.get(f"/v1/economy/main/players/{user}").json["balance"]) for user in users]

    def serve(self, server):
        """Runs a server that does not start."""
        return run_larder("serve", "--data", server.data, "--listen", "127.0.0.1:0", *server.args)

    def larder(self, server, *args, status=0):
        done = run_larder(*args, "--data", server.data, *server.args)
        self.assertEqual(done.returncode, status, done)
        return done.stdout


class OneMachine(LossCase):
    def setUp(self):
        self.server = self.open(Server())
        self.users = [f"u{i}" for i in range(5)]
        self.points = self.play(self.server, self.users)

    def test_a_lost_redis_is_refused_and_rebuilt(self):
        before = self.owned(self.server, self.users, self.points)
        self.assertEqual(self.server.stop(), 0)
        shutil.rmtree(self.server.data / "redis")
        with self.symptom("Redis is empty, but SQL is not") as row:
            row.ended(self.serve(self.server))
        self.assertIn("Redis lacks what SQL has", self.larder(self.server, "verify", status=1))
        said = self.larder(self.server, "rebuild")
        self.assertIn("ledger: rebuilt 5 accounts", said)
        self.assertIn("no differences", self.larder(self.server, "verify"))
        self.server.start()
        self.assertEqual(self.owned(self.server, self.users, self.points), before)
        self.play(self.server, ["new"], self.points)
        self.assertNotIn("1 difference", self.larder(self.server, "verify"))

    def test_a_rebuild_leaves_alone_what_redis_has(self):
        self.assertEqual(self.server.stop(), 0)
        said = self.larder(self.server, "rebuild")
        self.assertIn("ledger: nothing to do, Redis has its data\n", said)
        self.assertNotIn("rebuilt 5", said)

    def test_an_older_copy_of_redis_is_refused(self):
        self.assertEqual(self.server.stop(), 0)
        shutil.copytree(self.server.data / "redis", self.server.directory / "older")
        self.server.start()
        self.play(self.server, ["another"], self.points)
        self.assertEqual(self.server.stop(), 0)
        shutil.move(self.server.data / "redis", self.server.directory / "newest")
        shutil.copytree(self.server.directory / "older", self.server.data / "redis")
        with self.symptom("Redis is an older copy, or one master of a cluster has lost its data") as row:
            row.ended(self.serve(self.server))
        self.assertIn("Redis lacks what SQL has", self.larder(self.server, "verify", status=1))
        self.assertIn("not rebuilt: this Redis lacks what SQL has", self.larder(self.server, "rebuild", status=1))
        shutil.rmtree(self.server.data / "redis")
        shutil.move(self.server.directory / "newest", self.server.data / "redis")
        self.server.start()
        self.assertIn("no differences", self.larder(self.server, "verify"))

    def test_an_older_or_another_sql_database_is_refused(self):
        self.assertEqual(self.server.stop(), 0)
        data = self.server.data
        shutil.copy(data / "larder.db", self.server.directory / "older.db")
        self.server.start()
        self.play(self.server, ["another"], self.points)
        self.assertEqual(self.server.stop(), 0)
        shutil.move(data / "larder.db", self.server.directory / "newest.db")
        with self.symptom("SQL is an older copy, or belongs to another Redis") as row:
            row.ended(self.serve(self.server))
            for file in data.glob("larder.db*"):
                file.unlink()
            shutil.copy(self.server.directory / "older.db", data / "larder.db")
            row.ended(self.serve(self.server))
        shutil.copy(self.server.directory / "newest.db", data / "larder.db")
        self.server.start()
        self.assertIn("no differences", self.larder(self.server, "verify"))


class RunningServers(LossCase):
    def test_an_older_copy_that_is_put_back_under_a_server_is_taken_out_of_use(self):
        redis = self.open(RedisServer())
        server = self.open(Server("--redis", redis.url))
        points = self.play(server, ["u1"])
        client = server.client()
        self.addCleanup(client.close)
        keys = redis_cli(redis.socket, "KEYS", "*:score*").split()
        save = "for i, key in ipairs(KEYS) do redis.call('COPY', key, key .. ':copy', 'REPLACE') end"
        redis_cli(redis.socket, "EVAL", save, len(keys), *keys)
        self.play(server, ["u1x", "u2"], points)
        self.assertEqual(client.entry(order_id="newer", op="add", type=points, domain="main", uid="u1", amount=1).status, 200)
        self.assertEqual(len(client.flows("u1")), 2)
        back = ("for _, key in ipairs(redis.call('KEYS', '*:score*')) do if not key:match(':copy$') then redis.call('DEL', key) "
                "end end for i, key in ipairs(KEYS) do redis.call('RENAME', key .. ':copy', key) end")
        redis_cli(redis.socket, "EVAL", back, len(keys), *keys)
        client.entry(order_id="first", op="add", type=points, domain="main", uid="u1", amount=1)

        def refused():
            answer = client.entry(order_id=uuid.uuid4().hex, op="add", type=points, domain="main", uid="u1", amount=1)
            return answer.status == 503 and answer
        with self.symptom("an older copy of Redis was put back while servers run") as row:
            row.answer(eventually(refused, "writes are refused"))
            row.readyz(client, "lost")
            row.log(server)
        self.assertIn("Redis lacks what SQL has", self.larder(server, "ledger", "verify", status=1))
        taken = self.larder(server, "outbox", "lost", status=1)
        self.assertIn("entry = ", taken)
        self.assertEqual(client.get(f"/v1/ledger/accounts/{points}/main/u1").status, 503)

    def test_what_waits_in_other_outboxes_survives_the_repair_of_a_loss(self):
        redis = self.open(RedisServer())
        server = self.open(Server("--redis", redis.url))
        users = [f"u{i}" for i in range(12)]
        points = self.play(server, users)
        sql = sqlite3.connect(server.data / "larder.db", isolation_level=None)
        sql.execute("BEGIN IMMEDIATE")
        client = server.client()
        self.addCleanup(client.close)
        for user in users:
            made = client.entry(order_id=uuid.uuid4().hex, op="add", type=points, domain="main", uid=user, amount=1)
            self.assertEqual(made.status, 200, made)
            self.assertEqual(client.post(f"/v1/economy/main/players/{user}/rewards/weekly").status, 200)
        before = dict(zip(users, self.owned(server, users, points)))
        server.kill()
        sql.execute("ROLLBACK")
        sql.close()
        lost = redis_cli(redis.socket, "XRANGE", "{0}:score_outbox", "-", "+")
        redis_cli(redis.socket, "DEL", "{0}:score_outbox", "{0}:score_outbox:projected")
        said = self.larder(server, "rebuild", status=1)
        for words in ("Redis is behind SQL. Start a server on it", "Then run `larder outbox lost`, and keep what it prints"):
            self.assertIn(words, said)
        said = self.serve(server).stderr.splitlines()[-1]
        for words in ("{0}:score_outbox is missing", "the events that waited in it are in SQL now"):
            self.assertIn(words, said)
        redis_cli(redis.socket, "FLUSHALL")
        self.assertIn("ledger: rebuilt 12 accounts", self.larder(server, "rebuild"))
        server.start()
        for user, (points_now, economy_now) in zip(users, self.owned(server, users, points)):
            in_lost = f" {user} " in lost
            self.assertEqual((points_now, economy_now), (before[user][0] - in_lost, before[user][1]), user)
        self.assertIn("no differences", self.larder(server, "verify"))

    def test_a_cluster_that_lost_one_master_is_refused(self):
        cluster = self.open(RedisCluster())
        args = ("--redis", cluster.url, "--set", "redis.replicas_min=0")
        server = self.open(Server(*args))
        users = [f"u{i}" for i in range(40)]
        points = self.play(server, users[:1])
        client = server.client()
        self.addCleanup(client.close)
        post = lambda user: client.entry(order_id=uuid.uuid4().hex, op="add", type=points, domain="main", uid=user, amount=1)
        for user in users:
            self.assertEqual(post(user).status, 200)
            client.flows(user)
        lost = [user for user, answer in zip(users, self.after_loss(cluster, post, users)) if answer.status == 503]
        self.assertTrue(0 < len(lost) < len(users), lost)
        eventually(lambda: client.get("/readyz?verbose").json.get("problems", {}).get("lost"), "/readyz says so")
        self.assertEqual(server.stop(), 0)
        with self.symptom("Redis is an older copy, or one master of a cluster has lost its data") as row:
            row.ended(self.serve(server))

    @staticmethod
    def after_loss(cluster, post, users):
        cluster.ask(cluster.ports[1], "FLUSHALL")
        return [post(user) for user in users]


if __name__ == "__main__":
    main()
