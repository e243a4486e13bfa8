"""Service keys over HTTP and on the command line: what they may do, how they end, and that no key comes back."""
import re

from harness import Case, Server, SharedServerCase, eventually, main, now_ms, run_larder, sqlite_query, stamp
from openapi import Document

KEYS = "/v1/admin/keys"
FIELDS = ["id", "name", "scopes", "realms", "read_only", "created_at", "expires_at", "last_used_at", "revoked_at",
          "older_tokens_until"]
TOKEN = re.compile(r"lk_[0-9a-f]+_[0-9a-f]{64}")


class KeysCase(SharedServerCase):
    def make(self, **terms):
        made = self.client.post(KEYS, {"name": "bot", "scopes": ["ledger"], **terms})
        self.assertEqual(made.status, 201, made)
        self.assertRegex(made.json["token"], TOKEN)
        return made.json

    def with_token(self, token):
        client = self.server.client(token)
        self.addCleanup(client.close)
        return client

    def key(self, key_id):
        return self.client.get(f"{KEYS}/{key_id}").json

    def assert_forbidden(self, answer, *words):
        self.assert_problem(answer, 403, "forbidden")
        for word in words:
            self.assertIn(word, answer.json["detail"])


class Keys(KeysCase):
    def test_a_key_is_made_shown_once_listed_and_revoked(self):
        made = self.make(name="ledger-bot", scopes=["economy", "ledger"])
        self.assertEqual(list(made), [*FIELDS, "token"])
        self.assertEqual((made["scopes"], made["realms"], made["read_only"], made["expires_at"], made["last_used_at"]),
                         (["ledger", "economy"], None, False, None, None))
        self.assertEqual(made["token"].split("_")[1], made["id"])
        bot = self.with_token(made["token"])
        self.assertEqual(bot.get("/v1/ledger/types").status, 200)
        shown = self.client.get(f"{KEYS}/{made['id']}")
        self.assertEqual(list(shown.json), FIELDS)
        self.assertNotIn(made["token"].split("_")[2].encode(), shown.raw)
        self.assertIn(shown.json, self.client.get(f"{KEYS}?limit=500").json["items"])

        gone = self.client.send("DELETE", f"{KEYS}/{made['id']}")
        self.assertEqual((gone.status, gone.raw), (204, b""))
        refused = bot.get("/v1/ledger/types")
        self.assert_problem(refused, 401, "unauthorized")
        self.assertIn("revoked", refused.json["detail"])
        self.assertEqual(self.client.send("DELETE", f"{KEYS}/{made['id']}").status, 204)
        self.assertIsNotNone(self.key(made["id"])["revoked_at"])

    def test_the_list_has_pages(self):
        made = [self.make(name=f"page-{i}") for i in range(5)]
        found, cursor = [], None
        while True:
            page = self.client.get(f"{KEYS}?limit=2" + (f"&cursor={cursor}" if cursor else "")).json
            self.assertLessEqual(len(page["items"]), 2)
            found += page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        times = [key["created_at"] for key in found]
        self.assertEqual(times, sorted(times))
        ids = [key["id"] for key in found]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertLessEqual({key["id"] for key in made}, set(ids))
        self.assert_problem(self.client.get(f"{KEYS}?cursor=x"), 400, "invalid_request", field="cursor")

    def test_answers_are_as_documented(self):
        document = Document(self.client)
        made = self.client.post(KEYS, {"name": "bot", "scopes": ["economy"], "realms": ["main"], "read_only": True,
                                       "expires_at": "2099-01-01T00:00:00Z"})
        path = f"{KEYS}/{made.json['id']}"
        answers = [("POST", KEYS, made), ("GET", path, self.client.get(path)), ("GET", KEYS, self.client.get(KEYS)),
                   ("PATCH", path, self.client.send("PATCH", path, {"name": "x"})),
                   ("POST", f"{path}/rotate", self.client.post(f"{path}/rotate"))]
        for method, where, answer in answers:
            self.assertEqual(document.faults_of(method, where, answer), [], (method, where))

    def test_wrong_terms_are_refused_with_the_field(self):
        good = {"name": "bot", "scopes": ["economy"]}
        cases = [({"name": "a b"}, "name"), ({"name": ""}, "name"), ({"name": 1}, "name"), ({"scopes": []}, "scopes"),
                 ({"scopes": ["nosuch"]}, "scopes"), ({"scopes": ["ledger,economy"]}, "scopes"),
                 ({"scopes": "ledger"}, "scopes"), ({"scopes": [1]}, "scopes"),
                 ({"scopes": ["ledger"], "realms": ["main"]}, "realms"),
                 ({"scopes": ["economy", "ledger"], "realms": ["main"]}, "realms"), ({"realms": []}, "realms"),
                 ({"realms": ["a/b"]}, "realms"), ({"realms": ["x"] * 101}, "realms"), ({"realms": "main"}, "realms"),
                 ({"read_only": "yes"}, "read_only"), ({"expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
                 ({"expires_at": "soon"}, "expires_at"), ({"hash": "x"}, "hash"), ({"name": None}, "name")]
        before = len(self.client.get(f"{KEYS}?limit=500").json["items"])
        for wrong, field in cases:
            with self.subTest(wrong=wrong):
                self.assert_problem(self.client.post(KEYS, good | wrong), 400, "invalid_request", field=field)
        self.assertEqual(len(self.client.get(f"{KEYS}?limit=500").json["items"]), before)

    def test_unknown_and_revoked_keys_are_refused_by_name(self):
        made = self.make()
        self.client.send("DELETE", f"{KEYS}/{made['id']}")
        for key_id, status, code in (("nobody", 404, "service_key_not_found"), (made["id"], 409, "service_key_revoked")):
            self.assert_problem(self.client.send("PATCH", f"{KEYS}/{key_id}", {"name": "x"}), status, code)
            self.assert_problem(self.client.post(f"{KEYS}/{key_id}/rotate"), status, code)
        self.assert_problem(self.client.get(f"{KEYS}/nobody"), 404, "service_key_not_found")
        self.assert_problem(self.client.send("DELETE", f"{KEYS}/nobody"), 404, "service_key_not_found")

    def test_only_admins_may(self):
        bot = self.with_token(self.make(scopes=["ledger", "economy", "tribes", "messages", "discord"])["token"])
        nobody = self.with_token("")
        for method, path, body in (("GET", KEYS, None), ("POST", KEYS, {"name": "x", "scopes": ["admin"]}),
                                   ("GET", f"{KEYS}/admin1", None), ("PATCH", f"{KEYS}/admin1", {"name": "x"}),
                                   ("DELETE", f"{KEYS}/admin1", None), ("POST", f"{KEYS}/admin1/rotate", None)):
            self.assert_forbidden(bot.send(method, path, body), "lacks the scope admin")
            self.assert_problem(nobody.send(method, path, body), 401, "unauthorized")

    def test_a_change_counts_at_once(self):
        made = self.make()
        bot = self.with_token(made["token"])
        self.assert_problem(bot.get("/v1/messages?target_id=u"), 403, "forbidden")
        path = f"{KEYS}/{made['id']}"
        changed = self.client.send("PATCH", path, {"name": "robot", "scopes": ["messages"]})
        self.assertEqual((changed.status, changed.json["name"], changed.json["scopes"]), (200, "robot", ["messages"]))
        self.assertEqual(bot.get("/v1/messages?target_id=u").status, 200)
        self.assert_problem(bot.get("/v1/ledger/types"), 403, "forbidden")
        self.assertEqual(self.client.send("PATCH", path, {"read_only": True}).json["name"], "robot")
        self.assert_forbidden(bot.post("/v1/messages/select", {"user_id": "u"}), "read-only")
        refused = self.client.send("PATCH", path, {"realms": ["main"]})
        self.assert_problem(refused, 400, "invalid_request", field="realms")


class Limits(KeysCase):
    def test_a_read_only_key_reads_and_writes_nothing(self):
        reader = self.with_token(self.make(scopes=["ledger", "tribes", "discord"], read_only=True)["token"])
        self.assertEqual(reader.get("/v1/ledger/types").status, 200)
        self.assertEqual(reader.send("HEAD", "/v1/ledger/types").status, 200)
        for method, path, body in (("POST", "/v1/ledger/types", {"name": "never"}), ("POST", "/v1/discord/lookup", {"keys": []}),
                                   ("PUT", "/v1/ledger/rates/1/2", {"numerator": 1, "denominator": 1}),
                                   ("PATCH", "/v1/ledger/types/1", {"remark": "x"}), ("DELETE", "/v1/discord/cache", None)):
            self.assert_forbidden(reader.send(method, path, body), "read-only")
        socket = reader.get("/v1/tribes/worlds/default/ws?player=u", headers={
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="})
        self.assert_forbidden(socket, "WebSocket")
        self.assertEqual(self.client.get("/v1/ledger/types").json["items"], [])

    def test_a_read_only_admin_key_sees_everything_and_makes_no_keys(self):
        reader = self.with_token(self.make(scopes=["admin"], read_only=True)["token"])
        self.assertEqual(reader.get(KEYS).status, 200)
        self.assert_forbidden(reader.post(KEYS, {"name": "x", "scopes": ["admin"]}), "read-only")
        self.assert_forbidden(reader.send("DELETE", f"{KEYS}/admin1"), "read-only")

    def test_a_key_of_some_realms_touches_only_these(self):
        made = self.make(scopes=["economy"], realms=["b", "a"])
        self.assertEqual(made["realms"], ["a", "b"])
        bot = self.with_token(made["token"])
        for realm in ("a", "b"):
            paid = bot.post(f"/v1/economy/{realm}/players/u/rewards/daily")
            self.assertEqual(paid.status, 200, paid)
            self.assertEqual(bot.get(f"/v1/economy/{realm}/players/u").status, 200)
        for realm in ("c", "default", "A"):
            self.assert_forbidden(bot.post(f"/v1/economy/{realm}/players/u/rewards/daily"), f"the realm {realm}")
            self.assert_forbidden(bot.get(f"/v1/economy/{realm}/leaderboard"), f"the realm {realm}")
        self.assert_forbidden(bot.get("/v1/economy"), "not about one realm")
        self.assert_forbidden(bot.get("/v1/events"), "not about one realm")
        self.assert_forbidden(bot.get("/v1/ledger/types"), "lacks the scope ledger")
        self.assertEqual([realm["realm"] for realm in self.client.get("/v1/economy").json["items"]], ["a", "b"])
        self.assertIsNone(self.client.send("PATCH", f"{KEYS}/{made['id']}", {"realms": None}).json["realms"])
        self.assertEqual(bot.get("/v1/economy").status, 200)

    def test_a_key_expires_by_itself(self):
        made = self.make(expires_at=stamp(now_ms() + 3000))
        bot = self.with_token(made["token"])
        self.assertEqual(bot.get("/v1/ledger/types").status, 200)
        refused = eventually(lambda: (answer := bot.get("/v1/ledger/types")).status == 401 and answer, "the key expires")
        self.assert_problem(refused, 401, "unauthorized")
        self.assertIn("expired", refused.json["detail"])
        self.assertIsNone(self.key(made["id"])["revoked_at"])
        self.assertIsNone(self.client.send("PATCH", f"{KEYS}/{made['id']}", {"expires_at": None}).json["expires_at"])
        self.assertEqual(bot.get("/v1/ledger/types").status, 200)

    def test_a_limited_key_opens_nothing_on_a_server_that_knows_no_limits(self):
        """Such a server reads only these columns, and takes the words that it knows out of `scopes`."""
        for terms in ({"read_only": True}, {"expires_at": "2099-01-01T00:00:00Z"}, {"scopes": ["economy"], "realms": ["a"]}):
            made = self.make(**terms)
            scopes = sqlite_query(self.server.data / "larder.db", f"SELECT scopes FROM service_key WHERE id = '{made['id']}'")
            known = {"ledger", "economy", "tribes", "messages", "discord", "admin"}
            self.assertFalse(known & set(scopes[0].split(",")), scopes)


class Rotation(KeysCase):
    def test_both_tokens_open_the_key_until_the_overlap_ends(self):
        made = self.make()
        old = self.with_token(made["token"])
        rotated = self.client.post(f"{KEYS}/{made['id']}/rotate", {"overlap_s": 3})
        self.assertEqual((rotated.status, list(rotated.json)), (200, [*FIELDS, "token"]), rotated)
        self.assertNotEqual(rotated.json["token"], made["token"])
        self.assertIsNotNone(rotated.json["older_tokens_until"])
        new = self.with_token(rotated.json["token"])
        self.assertEqual((old.get("/v1/ledger/types").status, new.get("/v1/ledger/types").status), (200, 200))
        refused = eventually(lambda: (answer := old.get("/v1/ledger/types")).status == 401 and answer, "the overlap ends")
        self.assert_problem(refused, 401, "unauthorized")
        self.assertEqual(new.get("/v1/ledger/types").status, 200)
        self.assertIsNone(self.key(made["id"])["older_tokens_until"])

    def test_without_overlap_the_older_token_ends_at_once(self):
        made = self.make()
        self.assertEqual(self.client.post(f"{KEYS}/{made['id']}/rotate", {"overlap_s": 0}).status, 200)
        self.assert_problem(self.with_token(made["token"]).get("/v1/ledger/types"), 401, "unauthorized")

    def test_a_key_keeps_its_orders_and_idempotency_keys_across_a_rotation(self):
        made = self.make()
        again = {"Idempotency-Key": "once"}
        first = self.with_token(made["token"]).post("/v1/ledger/types", {"name": "rotated"}, headers=again)
        rotated = self.client.post(f"{KEYS}/{made['id']}/rotate").json
        second = self.with_token(rotated["token"]).post("/v1/ledger/types", {"name": "rotated"}, headers=again)
        self.assertEqual((first.status, second.status, second.raw), (201, 201, first.raw))
        self.assertEqual(second.headers["Idempotency-Replayed"], "true")

    def test_wrong_overlaps_and_too_many_tokens_are_refused(self):
        made = self.make()
        path = f"{KEYS}/{made['id']}/rotate"
        for wrong in (-1, 2592001, "1"):
            self.assert_problem(self.client.post(path, {"overlap_s": wrong}), 400, "invalid_request", field="overlap_s")
        for _ in range(4):
            self.assertEqual(self.client.post(path).status, 200)
        self.assert_problem(self.client.post(path), 409, "too_many_tokens")
        self.assertEqual(self.client.post(path, {"overlap_s": 0}).status, 200)


class AdminKey(Case):
    def test_a_revoked_admin_key_does_not_come_back(self):
        server = self.open(Server())
        self.assertIn(f"  admin key: {server.data / 'admin.key'}", server.said_later())
        token = server.token
        client = server.client()
        self.assertEqual(client.send("DELETE", f"{KEYS}/admin1").status, 204)
        self.assert_problem(client.get(KEYS), 401, "unauthorized")
        client.close()
        self.assertEqual(server.stop(), 0)
        server.start()
        hint = next(line for line in server.said_later() if "admin key" in line)
        self.assertIn("no longer valid", hint)
        self.assertIn("larder key create --name NAME --scope admin", hint)
        listed = run_larder("key", "list", "--data", server.data).stdout.splitlines()
        self.assertEqual([line.split()[0] for line in listed], ["ID", "admin1"])
        self.assertEqual((server.data / "admin.key").read_text().strip(), token)

        made = run_larder("key", "create", "--name", "boss", "--scope", "admin", "--data", server.data)
        client = server.client(made.stdout.strip())
        self.addCleanup(client.close)
        self.assertEqual(client.get(KEYS).status, 200)

    def test_whoever_makes_an_admin_key_before_the_first_start_gets_no_other(self):
        server = Server()
        self.addCleanup(server.close)
        run_larder("migrate", "--data", server.data)
        made = run_larder("key", "create", "--name", "boss", "--scope", "admin", "--data", server.data)
        server.start()
        self.assertFalse((server.data / "admin.key").exists())
        self.assertIn("  admin key: not here; `larder key create --name NAME --scope admin` makes one",
                      server.said_later())
        client = server.client(made.stdout.strip())
        self.addCleanup(client.close)
        self.assertEqual(len(client.get(KEYS).json["items"]), 1)

    def test_a_stopped_server_has_written_the_last_uses(self):
        server = self.open(Server())
        client = server.client()
        self.assertEqual(client.get(KEYS).status, 200)
        client.close()
        self.assertEqual(server.stop(), 0)
        line = run_larder("key", "list", "--data", server.data).stdout.splitlines()[1]
        self.assertRegex(line.split()[5], r"\d{4}-\d\d-\d\dT")


class Commands(Case):
    def setUp(self):
        self.server = self.open(Server())

    def key(self, *args):
        return run_larder("key", *args, "--data", self.server.data)

    def with_token(self, done):
        self.assertEqual(done.returncode, 0, done)
        self.assertRegex(done.stdout, TOKEN)
        client = self.server.client(done.stdout.strip())
        self.addCleanup(client.close)
        return client

    def row(self, key_id):
        return next(line.split() for line in self.key("list").stdout.splitlines() if line.startswith(key_id))

    def test_limits_are_given_and_listed(self):
        reader = self.with_token(self.key("create", "--name", "reader", "--scope", "ledger", "--read-only"))
        eventually(lambda: reader.get("/v1/ledger/types").status == 200, "the server knows the key")
        self.assertEqual(reader.post("/v1/ledger/types", {"name": "x"}).status, 403)
        made = self.key("create", "--name", "game", "--scope", "economy", "--realm", "b,a", "--expires",
                        "2099-01-01T00:00:00Z")
        game = self.with_token(made)
        eventually(lambda: game.get("/v1/economy/a/leaderboard").status == 200, "the server knows the key")
        self.assertEqual(game.get("/v1/economy/c/leaderboard").status, 403)
        row = self.row(made.stdout.split("_")[1])
        self.assertEqual(row[1:4], ["game", "economy", "realms:a,b"])
        self.assertEqual(row[5:], ["-", "2099-01-01T00:00:00.000Z", "-"])

    def test_a_rotation_prints_the_new_token_and_how_long_the_older_one_goes_on(self):
        made = self.key("create", "--name", "bot", "--scope", "ledger")
        old = self.with_token(made)
        key_id = made.stdout.split("_")[1]
        done = self.key("rotate", key_id, "--overlap", "3600")
        new = self.with_token(done)
        self.assertRegex(done.stderr, rf"rotated key {key_id} in .*\nthe older token goes on until \d{{4}}-")
        for client in (old, new):
            eventually(lambda client=client: client.get("/v1/ledger/types").status == 200, "the server knows the token")
        done = self.key("rotate", key_id, "--overlap", "0")
        self.assertIn("does not open it any more", done.stderr)
        eventually(lambda: old.get("/v1/ledger/types").status == 401, "the server refuses the older token")

    def test_mistakes_are_told_in_one_line(self):
        made = self.key("create", "--name", "bot", "--scope", "ledger")
        key_id = made.stdout.split("_")[1]
        cases = [(["create", "--name", "x", "--scope", "ledger", "--realm", "main"], "economy"),
                 (["create", "--name", "x", "--scope", "economy", "--realm", "a,"], "realms"),
                 (["create", "--name", "x", "--scope", "ledger", "--expires", "soon"], "--expires"),
                 (["create", "--name", "x", "--scope", "ledger", "--expires", "2020-01-01T00:00:00Z"], "future"),
                 (["rotate", "nosuch"], "larder key list"), (["rotate", key_id, "--overlap", "-1"], "--overlap"),
                 (["rotate", key_id, "--overlap", "x"], "--overlap"), (["rotate"], "id")]
        for args, word in cases:
            with self.subTest(args=args):
                done = self.key(*args)
                self.assertEqual((done.returncode, done.stdout), (1, ""), done)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertIn(word, done.stderr)
        self.assertEqual(self.key("revoke", key_id).returncode, 0)
        done = self.key("rotate", key_id)
        self.assertEqual(done.returncode, 1)
        self.assertIn("revoked", done.stderr)


if __name__ == "__main__":
    main()
