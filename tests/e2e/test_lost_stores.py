"""Stores that have lost data, or that are older copies. No server takes them for healthy ones."""
import shutil
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

    def refused(self, server, *words):
        """The server does not start, and says why in one line."""
        done = run_larder("serve", "--data", server.data, "--listen", "127.0.0.1:0", *server.args)
        self.assertEqual(done.returncode, 1, done)
        line = done.stderr.splitlines()[-1]
        for word in ("larder: ", *words):
            self.assertIn(word, line)

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
        self.refused(self.server, "larder rebuild")
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
        self.refused(self.server, "this Redis lacks what SQL has", "larder rebuild")
        self.assertIn("Redis lacks what SQL has", self.larder(self.server, "verify", status=1))
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
        self.refused(self.server, "this SQL database lacks what it had")
        for file in data.glob("larder.db*"):
            file.unlink()
        shutil.copy(self.server.directory / "older.db", data / "larder.db")
        self.refused(self.server, "this SQL database lacks what it had")
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

        def stopped():
            answer = client.entry(order_id=uuid.uuid4().hex, op="add", type=points, domain="main", uid="u1", amount=1)
            return answer.status == 503
        eventually(stopped, "writes are refused")
        eventually(lambda: client.get("/readyz?verbose").json.get("problems", {}).get("lost"), "/readyz says so")
        self.assertIn("Redis lacks what SQL has", self.larder(server, "ledger", "verify", status=1))

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
        self.refused(server, "this Redis lacks what SQL has")

    @staticmethod
    def after_loss(cluster, post, users):
        cluster.ask(cluster.ports[1], "FLUSHALL")
        return [post(user) for user in users]


if __name__ == "__main__":
    main()
