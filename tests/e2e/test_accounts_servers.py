"""Accounts of players on servers that are busy, die, or share their stores; and the commands of the operator."""
import shutil
import threading

from accounts import AUTH, PASSWORD, AccountsCase, Player
from harness import PostgresServer, RedisServer, Server, eventually, main, redis_cli, run_larder, sqlite_snapshot


class FullPool(AccountsCase):
    def test_when_too_many_wait_for_a_hash_the_others_are_told_to_come_back(self):
        server = self.open(Server())
        answers, lock = [], threading.Lock()

        def register(number):
            client = server.client("")
            answer = client.post(f"{AUTH}/register", {"username": f"hand_{number}", "password": PASSWORD})
            with lock:
                answers.append(answer)
            client.close()

        hands = [threading.Thread(target=register, args=(number,)) for number in range(250)]
        for hand in hands:
            hand.start()
        for hand in hands:
            hand.join()
        busy = [answer for answer in answers if answer.status == 503]
        self.assertTrue(busy, "the pool was never full")
        for answer in busy:
            self.assert_problem(answer, 503, "server_busy", retry_after_s=1)
            self.assertEqual(answer.headers["Retry-After"], "1")
        self.assertEqual({answer.status for answer in answers}, {201, 503})
        self.assertEqual(self.player(server).register().status(), 200)


class Crash(AccountsCase):
    def test_accounts_sessions_and_logouts_survive_a_kill(self):
        server = self.open(Server())
        kept, gone = self.player(server).register(), self.player(server).register()
        self.assertEqual(gone.client.post(f"{AUTH}/logout").status, 204)
        for redis in (True, False):
            server.kill(redis=redis)
            server.start()
            again = kept.beside(server.client())
            self.assertEqual(again.status(), 200)
            self.assertEqual(again.session()["username"], kept.name)
            self.assertEqual(gone.beside(server.client()).status(), 401)
            self.assertEqual(again.login().id, kept.id)
        eventually(lambda: {kept.id, gone.id} == {row[0] for row in
                                                  sqlite_snapshot(server.data / "larder.db")["account"]}, "SQL has both")


class TwoServers(AccountsCase):
    def test_they_share_accounts_sessions_and_their_ends(self):
        redis, postgres = self.open(RedisServer()), self.open(PostgresServer())
        servers = [self.open(Server("--redis", redis.url, "--sql", postgres.url)) for _ in range(2)]
        token = next(server.token for server in servers if (server.data / "admin.key").exists())
        here = Player(self, servers[0].client(token)).register()
        there = here.beside(servers[1].client(token))
        self.assertEqual(there.status(), 200)
        second = here.beside(servers[1].client(token)).login()
        self.assertEqual(here.client.post(f"{AUTH}/logout").status, 204)
        eventually(lambda: there.status() == 401, "the other server knows of the logout")
        self.assertEqual(second.status(), 200)
        here.login()
        self.assertEqual(second.client.post(f"{AUTH}/logout-everywhere").status, 204)
        eventually(lambda: here.status() == 401, "the first server knows of the logout everywhere")

        here.login()
        redis.stop()
        eventually(lambda: here.status() == 503, "without Redis, no session is trusted")
        self.assertEqual(here.client.get(f"{AUTH}/session").status, 503)
        redis.start()
        eventually(lambda: here.status() == 200, "with Redis back, sessions go on")
        redis_cli(redis.socket, "DEL", "{accounts}:revoked")
        eventually(lambda: there.status() == 401, "what a server knows, it does not forget")
        eventually(lambda: second.client.get("/readyz").status == 200, "the other server has Redis back, too")
        second.login()
        self.assertEqual(second.client.post(f"{AUTH}/logout").status, 204)
        moved = second.beside(servers[0].client(token))
        eventually(lambda: moved.status() == 401, "a stream that began anew is followed")

        postgres.stop()
        self.assertEqual(here.login().status(), 200, "without SQL, the game goes on")
        new = Player(self, servers[0].client(token)).register()
        postgres.start()
        eventually(lambda: postgres.query(f"SELECT username FROM account WHERE id = '{new.id}'") == [new.name],
                   "the account reaches SQL")


class Rotation(AccountsCase):
    def test_one_rotation_keeps_sessions_and_a_forced_second_ends_the_oldest(self):
        server = self.open(Server())
        player = self.player(server).register()
        self.larder("auth", "rotate", data=server.data)
        second = player.beside(server.client()).login()
        self.assertEqual([player.status(), second.status()], [200, 200])
        refused = run_larder("auth", "rotate", "--data", server.data)
        self.assertEqual(refused.returncode, 1)
        self.assertRegex(refused.stderr, r"rotate after 20\S+Z, or use --force, which logs these players out")
        self.assertEqual(player.status(), 200)
        self.larder("auth", "rotate", "--force", data=server.data)
        eventually(lambda: player.status() == 401, "the oldest key is dropped")
        self.assertEqual(player.login().status(), 200)


class LostRedis(AccountsCase):
    def test_accounts_come_back_from_sql_and_their_sessions_end(self):
        server = self.open(Server())
        player, gone = self.player(server, "Ada").register(), self.player(server, "Bea").register()
        self.assertEqual(gone.client.send("DELETE", f"{AUTH}/me", {"password": PASSWORD}).status, 204)
        server.stop()
        shutil.rmtree(server.data / "redis")
        refused = run_larder("serve", "--data", server.data, "--listen", "127.0.0.1:0")
        self.assertEqual(refused.returncode, 1, refused)
        self.assertIn("larder rebuild", refused.stderr)
        self.assertIn("and 1 account;", self.larder("tribes", "rebuild", data=server.data))
        self.assertIn("no differences", self.larder("user", "verify", data=server.data))
        server.start()
        again = player.beside(server.client())
        self.assertEqual(again.status(), 401)
        self.assertEqual(again.login().id, player.id)
        self.assertNotEqual(self.player(server, "bea").register().id, gone.id)
        eventually(lambda: redis_cli(server.redis_socket, "ZRANGE", "{accounts}:deletions", 0, -1).split() == [],
                   "tribes have forgotten the deleted account again")


    def test_accounts_come_back_beside_worlds_that_were_not_lost(self):
        redis = self.open(RedisServer())
        server = self.open(Server("--redis", redis.url))
        player = self.player(server, "Ada").register()
        self.assertEqual(player.client.post("/v1/tribes/worlds/default/join").status, 201)
        eventually(lambda: sqlite_snapshot(server.data / "larder.db")["account"], "SQL has the account")
        server.stop()
        for key in redis_cli(redis.socket, "KEYS", "*").split():
            if key in (f"user:{player.id}", "username:ada") or key.startswith("{accounts}"):
                redis_cli(redis.socket, "DEL", key)
        done = self.larder("tribes", "rebuild", "--redis", redis.url, data=server.data)
        self.assertEqual(done, "rebuilt 0 towns of 0 worlds from 0 events, and 1 account; 0 problems\n")
        server.start()
        self.assertEqual(player.beside(server.client()).login().id, player.id)


class Commands(AccountsCase):
    def test_an_operator_lists_shows_and_changes_accounts(self):
        server = self.open(Server())
        ada, bea = self.player(server, "Ada").register(), self.player(server, "Bea").register()
        run = lambda *args, **more: self.larder(*args, data=server.data, **more)
        listed = lambda *args: [line.split()[0] for line in run("user", "list", *args).splitlines()[1:]]
        eventually(lambda: set(listed()) == {ada.id, bea.id}, "SQL has both")
        self.assertEqual(listed("--prefix", "AD"), [ada.id])
        self.assertEqual(len(listed("--limit", "1")), 1)
        self.assertEqual(run("user", "show", "ADA"), run("user", "show", ada.id))
        self.assertIn(f"id: {ada.id}\nname: Ada\n", run("user", "show", "ada"))
        self.assertNotIn("argon2", run("user", "show", "ada"))

        run("user", "disable", "ada")
        eventually(lambda: ada.status() == 401, "the sessions have ended")
        self.assert_problem(ada.client.post(f"{AUTH}/login", {"username": "ada", "password": PASSWORD},
                                            headers={"Authorization": None}), 403, "account_disabled")
        self.assertIn("disabled", run("user", "list", "--prefix", "ada"))
        run("user", "enable", "ada")
        ada.login()

        new = run("user", "reset-password", "ada").strip()
        eventually(lambda: ada.status() == 401, "the sessions have ended")
        ada.login(new)
        run("user", "reset-password", ada.id, "-", input="battery staple\n")
        ada.login("battery staple")
        run("user", "delete", "ada")
        eventually(lambda: ada.status() == 401, "the account is gone")
        self.assertEqual(listed(), [bea.id])
        server.stop()
        run("user", "disable", "bea")  # on a Redis that only this command starts
        self.assertIn("disabled", run("user", "list"))
        self.assertIn("disabled", run("user", "show", "bea"))

    def test_a_command_that_fails_says_so_in_one_line(self):
        server = self.open(Server())
        self.player(server, "Ada").register()
        for args, says in ((("user", "show", "nobody"), "no account nobody"),
                           (("user", "delete", "0" * 20), "no account 000"),
                           (("user", "list", "--limit", "0"), "--limit"),
                           (("user", "list", "--limit", "x"), "--limit"),
                           (("user", "reset-password", "ada", "secret"), "stdin")):
            error = self.larder(*args, data=server.data, code=1)
            self.assertIn(says, error)
            self.assertEqual(error.count("\n"), 1, error)
        error = self.larder("user", "reset-password", "ada", "-", data=server.data, code=1, input="short\n")
        self.assertIn("8 to 256", error)
        error = self.larder("user", "list", data=server.data / "none", code=1)
        self.assertEqual(error.count("\n"), 1, error)


if __name__ == "__main__":
    main()
