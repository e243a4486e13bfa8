"""Tribes and accounts when worlds, keys or accounts vanish, and when a player wants to break the server."""
import select
import shutil
import socket
import sqlite3
import threading

from harness import Case, RedisServer, Server, eventually, main, raw_exchange, redis_cli, run_larder
from web_socket import WebSocket

PASSWORD = "correct horse battery"
DEFAULT = "/v1/tribes/worlds/default"


class SlowPath:
    """A way to Redis that holds back the answer to the first HMGET of an account after `hold`."""

    def __init__(self, redis):
        self.redis, self.path = redis, str(redis.directory / "slow.sock")
        self.hold, self.let_go = threading.Event(), threading.Event()

    def start(self):
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(50)
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.let_go.set()
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self._pump, args=(client,), daemon=True).start()

    def _pump(self, client):
        redis = socket.socket(socket.AF_UNIX)
        redis.connect(str(self.redis.socket))
        held = False
        while True:
            for ready in select.select([client, redis], [], [])[0]:
                data = ready.recv(1 << 16)
                if not data:
                    client.close()
                    redis.close()
                    return
                if ready is client:
                    if self.hold.is_set() and b"HMGET" in data and b"hashed_password" in data:
                        self.hold.clear()
                        held = True
                    redis.sendall(data)
                else:
                    if held:
                        self.let_go.wait()
                        held = False
                    client.sendall(data)


class LossCase(Case):
    def register(self, server, name, joins=None):
        client = server.client("")
        made = client.post("/v1/auth/register", {"username": name, "password": PASSWORD})
        self.assertEqual(made.status, 201, made)
        client.token, client.user_id = made.json["token"], made.json["user_id"]
        self.addCleanup(client.close)
        if joins:
            joined = client.post(f"/v1/tribes/worlds/{joins}/join")
            self.assertEqual(joined.status, 201, joined)
        return client

    def larder(self, server, *words, status=0):
        done = run_larder(*words, "--data", server.data, *server.args)
        self.assertEqual(done.returncode, status, done)
        return done.stdout + done.stderr

    def serve(self, server):
        """Runs a server that does not start."""
        return run_larder("serve", "--data", server.data, "--listen", "127.0.0.1:0", *server.args)

    def sql(self, server, query, values=()):
        with sqlite3.connect(server.data / "larder.db", timeout=30) as database:
            return database.execute(query, values).fetchall()

    def all_in_sql(self, server, accounts):
        eventually(lambda: len(self.sql(server, "SELECT id FROM account")) == accounts, "SQL has the accounts")


class Vanished(LossCase):
    def test_actions_with_a_key_while_their_world_is_deleted_or_lost(self):
        server = self.open(Server("--set", "server.access_log=false"))
        admin = server.client()
        self.addCleanup(admin.close)
        players = [self.register(server, f"player{i}") for i in range(3)]
        for world in ("one", "two", "three"):
            self.assertEqual(admin.post("/v1/tribes/worlds", {"id": world, "speed": 100}).status, 201)
            for player in players:
                self.assertEqual(player.post(f"/v1/tribes/worlds/{world}/join").status, 201)
            over, codes = threading.Event(), set()

            def hammer(client, name, world=world, over=over, codes=codes):
                number = 0
                while not over.is_set():
                    number += 1
                    answer = client.post(f"/v1/tribes/worlds/{world}/actions", {"type": "tap", "lot": "1"},
                                         headers={"Idempotency-Key": f"{name}-{number}"})
                    codes.add(answer.json.get("code"))

            threads = [threading.Thread(target=hammer, args=(player, i)) for i, player in enumerate(players)]
            for thread in threads:
                thread.start()
            eventually(lambda: "lot_empty" in codes, "they play")
            if world == "three":
                redis_cli(server.redis_socket, "DEL", "{tribes:three}:world", "{tribes:three}:world:revision")
            else:
                self.assertEqual(admin.send("DELETE", f"/v1/tribes/worlds/{world}").status, 204)
            eventually(lambda: "world_not_found" in codes, "the world is gone")
            over.set()
            for thread in threads:
                thread.join()
            self.assertEqual(codes, {"lot_empty", "world_not_found"})
        with self.symptom("Redis has lost a world of tribes") as row:
            row.answer(admin.post("/v1/tribes/worlds", {"id": "three"}))
            self.assertEqual(server.stop(), 0)
            row.ended(self.serve(server))

    def test_a_world_with_an_old_id_gives_no_old_answers(self):
        server = self.open(Server())
        admin = server.client()
        self.addCleanup(admin.close)
        ann, key = self.register(server, "ann"), {"Idempotency-Key": "join"}
        for _ in range(2):
            eventually(lambda: admin.post("/v1/tribes/worlds", {"id": "season"}).status == 201, "the name is free")
            joined = ann.post("/v1/tribes/worlds/season/join", headers=key)
            self.assertEqual((joined.status, joined.headers.get("Idempotency-Replayed")), (201, None))
            again = ann.post("/v1/tribes/worlds/season/join", headers=key)
            self.assertEqual((again.status, again.headers.get("Idempotency-Replayed")), (201, "true"))
            self.assertEqual(admin.send("DELETE", "/v1/tribes/worlds/season").status, 204)

    def test_without_a_session_key_a_new_one_is_made(self):
        server = self.open(Server())
        ann = self.register(server, "ann")
        self.sql(server, "DELETE FROM session_key")
        eventually(lambda: self.sql(server, "SELECT id FROM session_key") == [(2,)], "a new key")
        login = ann.post("/v1/auth/login", {"username": "ann", "password": PASSWORD})
        self.assertEqual(login.status, 200, login)
        ann.token = login.json["token"]
        eventually(lambda: ann.get("/v1/auth/me").status == 200, "the new key signs")

    def test_a_player_who_is_deleted_while_joining_leaves_a_ruin(self):
        redis = self.open(RedisServer())
        slow = SlowPath(redis)
        self.open(slow)
        fast = self.open(Server("--redis", redis.url))
        other = self.open(Server("--redis", f"unix:{slow.path}", "--sql", f"sqlite:{fast.data}/larder.db",
                                 "--set", "redis.timeout_ms=30000"))
        ann, joined = self.register(fast, "ann"), []
        beside = other.client(ann.token)
        self.addCleanup(beside.close)
        slow.hold.set()
        joining = threading.Thread(target=lambda: joined.append(beside.post(f"{DEFAULT}/join")))
        joining.start()
        eventually(lambda: not slow.hold.is_set(), "the join has read the account")
        self.assertEqual(ann.send("DELETE", "/v1/auth/me", {"password": PASSWORD}).status, 204)
        eventually(lambda: redis_cli(redis.socket, "ZCARD", "{accounts}:deletions").strip() == "0", "all is forgotten")
        slow.let_go.set()
        joining.join()
        self.assert_problem(joined[0], 404, "account_not_found")
        eventually(lambda: redis_cli(redis.socket, "ZCARD", "leaderboard").strip() == "0", "the town is a ruin")
        eventually(lambda: redis_cli(redis.socket, "ZCARD", "{accounts}:deletions").strip() == "0", "all is forgotten")
        self.assertIn("no differences", self.larder(fast, "tribes", "verify"))


class LostRedis(LossCase):
    def test_a_name_that_was_taken_again_does_not_keep_servers_from_starting(self):
        server = self.open(Server())
        old, other = self.register(server, "ann", "default"), self.register(server, "bob", "default")
        self.all_in_sql(server, 2)
        eventually(lambda: len(self.sql(server, "SELECT 1 FROM tribes_event WHERE type = 'joined'")) == 2, "SQL has all")
        server.stop()
        # Versions without positions of outboxes let somebody register in an emptied Redis.
        new_id = old.user_id[:8] + "v" * 3 + old.user_id[11:]
        self.sql(server, "INSERT INTO account SELECT ?, username, name_key, hashed_password, generation, disabled, "
                 "created_at + 1, NULL FROM account WHERE id = ?", (new_id, old.user_id))
        shutil.move(server.data / "redis", server.directory / "lost")
        with self.symptom("Redis is empty, but SQL is not") as row:
            row.ended(self.serve(server))
        said = self.larder(server, "tribes", "rebuild", status=1)
        self.assertIn(f"account {new_id} is not restored, because {old.user_id} has the name ann, too", said)
        server.start()
        self.assertIn(f"account {new_id}: SQL has it", self.larder(server, "user", "verify", status=1))
        self.assertIn("only SQL had it", self.larder(server, "user", "delete", new_id))
        for command in ("user", "tribes"):
            self.assertIn("no differences", self.larder(server, command, "verify"))
        old.address = server.address
        old.close()
        login = old.post("/v1/auth/login", {"username": "ann", "password": PASSWORD})
        self.assertEqual((login.status, login.json["user_id"]), (200, old.user_id))
        self.assertNotEqual(other.user_id, new_id)

    def test_no_server_starts_on_an_older_copy_until_it_is_brought_up_to_date(self):
        server = self.open(Server())
        ann = self.register(server, "ann", "default")
        self.all_in_sql(server, 1)
        server.stop()
        shutil.copytree(server.data / "redis", server.directory / "copy")
        server.start()
        ann.address = server.address
        ann.close()
        for lot in ("1", "2"):
            built = ann.post(f"{DEFAULT}/actions", {"type": "construct", "lot": lot, "building": "house"})
            self.assertIn(built.status, (200, 409), built)
        changed = ann.send("PATCH", "/v1/auth/me", {"password": PASSWORD, "new_password": "another one"})
        self.assertEqual(changed.status, 200, changed)
        server.stop()
        shutil.rmtree(server.data / "redis")
        shutil.copytree(server.directory / "copy", server.data / "redis")
        with self.symptom("Redis is an older copy, and players or their towns have changed since") as row:
            row.ended(self.serve(server))
        self.assertIn("0 problems", self.larder(server, "tribes", "rebuild"))
        server.start()
        for command in ("user", "tribes"):
            self.assertIn("no differences", self.larder(server, command, "verify"))
        ann.address = server.address
        ann.close()
        login = ann.post("/v1/auth/login", {"username": "ann", "password": "another one"})
        self.assertEqual(login.status, 200, login)
        ann.token = login.json["token"]
        state = ann.get(f"{DEFAULT}/state").json["state"]
        self.assertEqual(state["resources"]["coins"], 200, state)


class Sockets(LossCase):
    def socket(self, server, client):
        opened = WebSocket(server.address, f"{DEFAULT}/ws", client.token)
        self.addCleanup(opened.close)
        return opened

    def test_a_town_whose_revision_goes_back_is_sent_as_a_whole(self):
        server = self.open(Server())
        ann = self.register(server, "ann", "default")
        for action in ({"type": "construct", "lot": "1", "building": "house"},
                       {"type": "cancel", "queue": "construction", "index": 0}) * 2:
            self.assertEqual(ann.post(f"{DEFAULT}/actions", action).status, 200)
        view = self.socket(server, ann)
        before = view.receive_type("state")["revision"]
        redis_cli(server.redis_socket, "SET", f"user:{ann.user_id}:gamestate:revision", "1")
        built = ann.post(f"{DEFAULT}/actions", {"type": "construct", "lot": "5", "building": "shop"})
        self.assertEqual(built.status, 200, built)
        state = view.receive_type("state")
        while not state["state"]["constructionQueue"]:
            state = view.receive_type("state")
        self.assertLess(state["revision"], before)

    def test_messages_count_for_the_rate_limit(self):
        server = self.open(Server("--set", "server.rate_tokens=5", "--set", "server.rate_seconds=3600"))
        ann = self.register(server, "ann", "default")
        view = self.socket(server, ann)
        codes = []
        for number in range(7):
            view.send({"id": str(number), "type": "tap", "lot": "1"})
            codes.append(view.receive_type("response")["problem"]["code"])
        self.assertEqual(codes, ["lot_empty"] * 5 + ["rate_limited"] * 2)
        self.assert_problem(ann.post(f"{DEFAULT}/actions", {"type": "tap", "lot": "1"}), 429, "rate_limited",
                            retry_after_s=ann.post(f"{DEFAULT}/actions", {"type": "tap", "lot": "1"}).json["retry_after_s"])

    def test_refusals_do_not_fill_redis(self):
        server = self.open(Server("--set", "server.access_log=false"))
        ann = self.register(server, "ann", "default")
        for number in range(1100):
            answer = ann.post(f"{DEFAULT}/actions", {"type": "tap", "lot": "1"},
                              headers={"Idempotency-Key": f"k{number}"})
            self.assertEqual(answer.json["code"], "lot_empty", answer)
        kept = redis_cli(server.redis_socket, "KEYS", "tribes:once:*").split()
        self.assertEqual(len(kept), 1000)
        self.assertLessEqual(int(redis_cli(server.redis_socket, "TTL", kept[0])), 600)


class Requests(LossCase):
    def test_credentials_must_not_be_sent_twice_and_a_cursor_must_be_an_id(self):
        server = self.open(Server())
        ann = self.register(server, "ann", "default")
        self.assert_problem(ann.get(f"{DEFAULT}/reports?cursor=0-0"), 400, "invalid_request", field="cursor")
        for field in ("Authorization: Bearer x", "Cookie: a=b", "Origin: http://x"):
            head = f"GET /v1/auth/session HTTP/1.1\r\nHost: x\r\n{field}\r\n{field}\r\nConnection: close\r\n\r\n"
            self.assert_problem(raw_exchange(server.address, head.encode()), 400, "invalid_request",
                                field=field.split(":")[0])


if __name__ == "__main__":
    main()
