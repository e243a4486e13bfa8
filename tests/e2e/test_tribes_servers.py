"""Tribes on two servers that share their stores, without SQL, and on a Redis Cluster."""
from accounts import PASSWORD
from harness import Case, PostgresServer, RedisCluster, RedisServer, Server, eventually, main, run_larder
from web_socket import WebSocket, apply

FAST = "/v1/tribes/worlds/fast"


class View:
    """A town as a socket shows it."""

    def __init__(self, socket):
        self.socket = socket
        self.state = socket.receive_type("state")["state"]

    def wait_for(self, sees):
        while not sees(self.state):
            message = self.socket.receive()
            if message["type"] == "patch":
                apply(self.state, message["patch"])
            elif message["type"] == "state":
                self.state = message["state"]

    def wait_for_mice(self):
        self.wait_for(lambda state: state["population"]["uneducated"] == 10)


class TribesServers(Case):
    def client(self, server, token):
        client = server.client(token)
        self.addCleanup(client.close)
        return client

    def ann(self, server, admin, world="fast"):
        """The token of a new player, who has joined the world."""
        made = admin.post("/v1/auth/register", {"username": "ann", "password": PASSWORD}, headers={"Authorization": None})
        self.assertEqual(made.status, 201, made)
        joined = self.client(server, made.json["token"]).post(f"/v1/tribes/worlds/{world}/join")
        self.assertEqual(joined.status, 201, joined)
        return made.json["token"]

    def view(self, server, token, world="fast"):
        socket = WebSocket(server.address, f"/v1/tribes/worlds/{world}/ws", token)
        self.addCleanup(socket.close)
        return View(socket)

    def act(self, client, world="fast", **action):
        answer = client.post(f"/v1/tribes/worlds/{world}/actions", action)
        self.assertEqual(answer.status, 200, answer)

    def assert_verified(self, server, *engines):
        done = run_larder("tribes", "verify", "--data", server.data, *engines)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertIn("no differences", done.stdout)


class TwoServers(TribesServers):
    def setUp(self):
        self.redis, self.postgres = self.open(RedisServer()), self.open(PostgresServer())
        self.engines = ("--redis", self.redis.url, "--sql", self.postgres.url)
        self.one, self.two = (self.open(Server(*self.engines)) for _ in range(2))
        token = next(server.token for server in (self.one, self.two) if (server.data / "admin.key").exists())
        self.admin = self.client(self.one, token)
        self.assertEqual(self.admin.post("/v1/tribes/worlds", {"id": "fast", "speed": 100}).status, 201)
        self.token = self.ann(self.one, self.admin)

    def test_what_happens_on_one_server_is_seen_on_the_sockets_of_the_other(self):
        here, there = self.view(self.one, self.token), self.view(self.two, self.token)
        self.act(self.client(self.two, self.token), type="construct", lot="1", building="house")
        for view in (here, there):
            view.wait_for(lambda state: state["resources"]["coins"] == 200)
        there.socket.send({"id": "1", "type": "construct", "lot": "2", "building": "kitchen"})
        self.assertNotIn("problem", there.socket.receive_type("response"))
        here.wait_for(lambda state: "2" in state["lots"])
        self.two.kill()
        self.act(self.client(self.one, self.token), type="construct", lot="3", building="shop")
        here.wait_for(lambda state: "3" in state["lots"])

    def test_the_game_goes_on_without_sql(self):
        player, view = self.client(self.two, self.token), self.view(self.one, self.token)
        self.postgres.stop()
        self.act(player, type="construct", lot="1", building="house")
        view.wait_for_mice()
        self.assertEqual(player.get(f"{FAST}/state?path=.population.uneducated").json["state"], 10)
        self.assertEqual(player.get(f"{FAST}/leaderboard").json["items"][0]["coins"], 200)
        self.assertEqual(player.get(f"{FAST}/history?resource=coins").json["points"][-1]["last"], 200)
        self.assert_problem(player.get("/v1/tribes/hall-of-fame"), 503, "store_unavailable", outcome_unknown=False)
        self.assertEqual(player.post("/v1/auth/logout").status, 204)
        again = player.post("/v1/auth/login", {"username": "ann", "password": PASSWORD}, headers={"Authorization": None})
        self.assertEqual(again.status, 200, again)
        self.postgres.start()
        statement = "SELECT type FROM tribes_event WHERE user_id <> '' ORDER BY event_ms, event_seq"
        eventually(lambda: self.postgres.query(statement) == ["joined", "action"], "the journal has all")
        self.assert_verified(self.one, *self.engines)


class OnACluster(TribesServers):
    def test_the_default_world_is_refused_with_what_to_do_and_named_ones_work(self):
        cluster = self.open(RedisCluster())
        engine = ("--redis", cluster.url, "--set", "redis.replicas_min=0")
        server = self.open(Server(*engine))
        admin = self.client(server, server.token)
        refused = [admin.post("/v1/tribes/worlds", {"id": "default"}), admin.get("/v1/tribes/worlds/default/rules")]
        self.assertEqual(admin.post("/v1/tribes/worlds", {"id": "fast", "speed": 100}).status, 201)
        token = self.ann(server, admin)
        player = self.client(server, token)
        refused += [player.post("/v1/tribes/worlds/default/join"), player.get("/v1/tribes/worlds/default/state"),
                    player.post("/v1/tribes/worlds/default/actions", {"type": "tap", "lot": "1"})]
        for answer in refused:
            self.assert_problem(answer, 409, "world_needs_name")
        view = self.view(server, token)
        self.act(player, type="construct", lot="1", building="house")
        view.wait_for_mice()
        self.assertEqual([world["id"] for world in admin.get("/v1/tribes/worlds").json["items"]], ["fast"])
        self.assert_verified(server, *engine)


if __name__ == "__main__":
    main()
