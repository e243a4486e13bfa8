"""Players as they see their accounts: registration, sessions, passwords, cookies, and the limits on attempts."""
import json
import re
import threading

from accounts import AUTH, PASSWORD, AccountsCase, Player, new_name
from harness import TIME, SharedServerCase, eventually, main, redis_cli, sqlite_snapshot
from bad_input import BAD_UTF8, JUNK
from event_stream import Listener

USER_ID = re.compile(r"[0-9a-v]{20}")
TOKEN = re.compile(r"[\w-]+\.[\w-]+\.[\w-]{43}")


class Api(SharedServerCase, AccountsCase):
    def login(self, name, password, path="login"):
        return self.client.post(f"{AUTH}/{path}", {"username": name, "password": password},
                                headers={"Authorization": None})

    def test_a_player_registers_logs_in_and_logs_out(self):
        player = self.player(self.server, "Ada_Lovelace")
        answer = player.sign_in("register", 201)
        self.assertEqual(sorted(answer.json), ["expires_at", "token", "user_id", "username"])
        self.assertRegex(answer.json["user_id"], USER_ID)
        self.assertRegex(answer.json["token"], TOKEN)
        self.assertRegex(answer.json["expires_at"], TIME)
        self.assertNotIn("Set-Cookie", answer.headers)
        self.assertEqual(answer.headers["Cache-Control"], "no-store")
        me = player.client.get(f"{AUTH}/me").json
        self.assertRegex(me.pop("created_at"), TIME)
        self.assertEqual(me, {"user_id": player.id, "username": "Ada_Lovelace"})
        self.assertEqual(player.session(), me)

        second = Player(self, self.server.client(), "ADA_LOVELACE").login()
        self.assertEqual(second.id, player.id)
        self.assertEqual(player.client.post(f"{AUTH}/logout").status, 204)
        self.assert_problem(player.client.get(f"{AUTH}/me"), 401, "unauthorized")
        with self.symptom("the session of a player is over") as row:
            row.answer(player.client.post(f"{AUTH}/logout"))
        self.assertIsNone(player.session())
        self.assertEqual(second.status(), 200)
        player.login()
        self.assertEqual(second.client.post(f"{AUTH}/logout-everywhere").status, 204)
        self.assertEqual([player.status(), second.status()], [401, 401])
        self.assertEqual(player.login().status(), 200)

    def test_a_name_is_taken_in_every_form(self):
        self.player(self.server, "Straße").register()
        for name in ("Straße", "strasse", "STRASSE", "ｓｔｒａｓｓｅ"):
            self.assert_problem(self.login(name, PASSWORD, "register"), 409, "username_taken")
        self.assertEqual(self.login("STRASSE", PASSWORD).json["username"], "Straße")

    def test_of_many_registrations_of_a_name_at_once_one_succeeds(self):
        name, answers = new_name(), []

        def register(variant):
            client = self.server.client("")
            answers.append(client.post(f"{AUTH}/register", {"username": variant, "password": PASSWORD}))
            client.close()

        hands = [threading.Thread(target=register, args=(name.upper() if number % 2 else name,)) for number in range(8)]
        for hand in hands:
            hand.start()
        for hand in hands:
            hand.join()
        self.assertEqual(sorted(answer.status for answer in answers), [201] + [409] * 7)

    def test_an_unknown_name_and_a_wrong_password_are_refused_alike(self):
        player = self.player(self.server).register()
        refused = [self.login(name, "wrong password") for name in (player.name, new_name(), "not a name")]
        for answer in refused:
            self.assert_problem(answer, 401, "wrong_credentials")
        self.assertEqual(len({answer.json["detail"] for answer in refused}), 1)

    def test_the_password_changes_and_all_other_sessions_end(self):
        player = self.player(self.server).register()
        other = player.beside(self.server.client()).login()
        change = {"password": "wrong password", "new_password": "battery staple"}
        self.assert_problem(player.client.send("PATCH", f"{AUTH}/me", change), 401, "wrong_credentials")
        change["password"] = PASSWORD
        self.assert_problem(player.client.send("PATCH", f"{AUTH}/me", change | {"new_password": f"my {player.name}!"}),
                            400, "invalid_request", "new_password")
        answer = player.client.send("PATCH", f"{AUTH}/me", change)
        self.assertEqual((answer.status, answer.json["user_id"]), (200, player.id), answer)
        self.assertEqual([player.status(), other.status()], [401, 401])
        player.client.token = answer.json["token"]
        self.assertEqual(player.status(), 200)
        self.assert_problem(self.login(player.name, PASSWORD), 401, "wrong_credentials")
        self.assertEqual(self.login(player.name, "battery staple").status, 200)

    def test_a_deleted_account_is_gone_and_its_name_is_free(self):
        player = self.player(self.server).register()
        me = f"{AUTH}/me"
        self.assert_problem(player.client.send("DELETE", me, {"password": "wrong one"}), 401, "wrong_credentials")
        self.assert_problem(player.client.send("DELETE", me, {}), 400, "invalid_request", "password")
        self.assertEqual(player.client.send("DELETE", me, {"password": PASSWORD}).status, 204)
        self.assertEqual(player.status(), 401)
        self.assert_problem(self.login(player.name, PASSWORD), 401, "wrong_credentials")
        again = self.player(self.server, player.name).register()
        self.assertNotEqual(again.id, player.id)
        due = lambda: redis_cli(self.server.redis_socket, "ZRANGE", "{accounts}:deletions", 0, -1).split()  # noqa: E731
        eventually(lambda: player.id not in due(), "the tribes have forgotten the player")

        def rows():
            return {row[0]: row for row in sqlite_snapshot(self.server.data / "larder.db")["account"]}
        eventually(lambda: again.id in rows() and rows()[player.id][-1] is not None, "SQL knows both")
        self.assertEqual(rows()[player.id][1:4], ("", "", ""))
        self.assertEqual(rows()[again.id][1], player.name)

    def test_ten_failures_for_a_name_are_too_many_whether_it_exists_or_not(self):
        player = self.player(self.server).register()
        for _ in range(12):
            player.login()  # successes do not count
        throttled = []
        for name in (player.name, new_name()):
            for _ in range(10):
                self.assert_problem(self.login(name, "wrong password"), 401, "wrong_credentials")
            throttled.append(self.login(name, PASSWORD))
        for answer in throttled:
            self.assertEqual((answer.status, answer.json["code"]), (429, "rate_limited"), answer)
            self.assertEqual(answer.headers["Retry-After"], str(answer.json["retry_after_s"]))
            self.assertIn(answer.json["retry_after_s"], range(1, 601))
        self.assertEqual(len({answer.json["detail"] for answer in throttled}), 1)
        self.assertEqual(player.status(), 200, "sessions go on")
        change = {"password": PASSWORD, "new_password": "battery staple"}
        self.assertEqual(player.client.send("PATCH", f"{AUTH}/me", change).status, 429)

    def test_a_service_key_acts_for_a_player_but_has_no_session(self):
        player = self.player(self.server).register()
        me = self.client.get(f"{AUTH}/me?player={player.id}")
        self.assertEqual((me.status, me.json["username"]), (200, player.name), me)
        self.assert_problem(self.client.get(f"{AUTH}/me"), 400, "invalid_request", "player")
        self.assert_problem(self.client.get(f"{AUTH}/me?player=nobody"), 404, "account_not_found")
        self.assert_problem(self.client.post(f"{AUTH}/logout?player={player.id}"), 403, "forbidden")
        self.assertEqual(self.client.post(f"{AUTH}/logout-everywhere?player={player.id}").status, 204)
        self.assertEqual(player.status(), 401)
        self.assertIsNone(self.client.get(f"{AUTH}/session").json["user"])

    def test_a_player_has_only_its_own_routes(self):
        player, other = self.player(self.server).register(), self.player(self.server).register()
        self.assert_problem(player.client.get(f"{AUTH}/me?player={other.id}"), 403, "forbidden")
        self.assertEqual(player.client.get(f"{AUTH}/me?player={player.id}").status, 200)
        for path in ("/v1/ledger/types", "/v1/messages", "/v1/economy/default/items", "/v1/events"):
            self.assert_problem(player.client.get(path), 403, "forbidden")

    def test_tokens_that_are_no_good_are_refused(self):
        token = self.player(self.server).register().client.token
        head, body, mac = token.split(".")
        other = "A" if mac[0] != "A" else "B"
        for bad in (f"{head}.{body}.{other}{mac[1:]}", f"{head}.{body}.", f"eyJhbGciOiJub25lIn0.{body}.",
                    f"eyJhbGciOiJub25lIn0.{body}.{mac}", f"{head}.{body}.{mac}.{mac}", "x" * 7000):
            with self.subTest(bad=bad[:60]):
                answer = self.client.get(f"{AUTH}/me", headers={"Authorization": f"Bearer {bad}"})
                self.assert_problem(answer, 401, "unauthorized")
                session = self.client.get(f"{AUTH}/session", headers={"Authorization": f"Bearer {bad}"})
                self.assertEqual((session.status, session.json), (200, {"user": None}), session)

    def test_listeners_hear_of_accounts_but_learn_no_names(self):
        listener = Listener(self.server.address, self.server.token, "?system=tribes")
        self.addCleanup(listener.close)
        player = self.player(self.server).register()
        player.client.send("DELETE", f"{AUTH}/me", {"password": PASSWORD})
        mine = lambda: [event.data for event in listener.events if event.data["user_id"] == player.id]
        eventually(lambda: len(mine()) >= 2, "both are told")
        self.assertEqual([event["type"] for event in mine()], ["account_registered", "account_deleted"])
        self.assertNotIn(player.name, json.dumps(mine()))
        self.assertNotIn("argon2", json.dumps(mine()))

    def test_an_idempotency_key_stores_nothing(self):
        name, headers = new_name(), {"Idempotency-Key": new_name(), "Authorization": None}
        body = {"username": name, "password": PASSWORD}
        self.assertEqual(self.client.post(f"{AUTH}/register", body, headers=headers).status, 201)
        again = self.client.post(f"{AUTH}/register", body, headers=headers)
        self.assert_problem(again, 409, "username_taken")
        token = self.login(name, PASSWORD).json["token"]
        change = {"password": PASSWORD, "new_password": "battery staple"}
        headers["Authorization"] = f"Bearer {token}"
        self.assertEqual(self.client.send("PATCH", f"{AUTH}/me", change, headers=headers).status, 200)
        self.assertEqual(redis_cli(self.server.redis_socket, "KEYS", "larder:idempotency:*").strip(), "")

    def test_neither_tokens_nor_passwords_are_in_the_log(self):
        player = self.player(self.server).register()
        secret = "a secret of mine"
        self.login(player.name, secret)
        player.client.send("PATCH", f"{AUTH}/me", {"password": secret, "new_password": secret})
        self.client.get(f"{AUTH}/session", headers={"Cookie": f"larder_session={player.client.token}"})
        log = self.server.log()
        for text in (secret, PASSWORD, player.client.token, player.client.token.split(".")[2], "argon2"):
            self.assertNotIn(text, log)


class BadInput(SharedServerCase):
    NAMES = ["", "ab", "x" * 33, "ada l", "ada:1", "{ada}", "аda", "ada\u200b", "\u202eada", "ada🍕", "µada", "x\u0301yz",
             "00000000000000000000"]
    PASSWORDS = ["", "1234567", "x" * 257, "my ada_1 password", "ＡＤＡ＿１ is wide"]

    def refused(self, path, body, field, method="POST", token=None):
        with self.subTest(path=path, body=body[:100], field=field):
            headers = {"Authorization": f"Bearer {token}" if token else None}
            self.assert_problem(self.client.send(method, path, body, headers=headers), 400, "invalid_request", field)

    def test_bad_names_and_passwords_are_refused_by_field(self):
        good = {"username": "ada_1", "password": PASSWORD}
        for name in self.NAMES:
            self.refused(f"{AUTH}/register", json.dumps(good | {"username": name}), "username")
        for password in self.PASSWORDS:
            self.refused(f"{AUTH}/register", json.dumps(good | {"password": password}), "password")
        for route in ("register", "login"):
            for field in good:
                self.refused(f"{AUTH}/{route}", json.dumps({name: good[name] for name in good if name != field}), field)
                for junk in [*JUNK, "1", '"a\\u0000bcdefgh"']:
                    body = json.dumps(good | {field: "@@"}).replace('"@@"', junk)
                    self.refused(f"{AUTH}/{route}", body, field)
            self.refused(f"{AUTH}/{route}", json.dumps(good | {"x": 1}), "x")
            for query, field in (("cookie=1", "cookie"), ("cookie=yes", "cookie"), ("x=1", "x")):
                self.refused(f"{AUTH}/{route}?{query}", json.dumps(good), field)
            for bad in BAD_UTF8:
                self.refused(f"{AUTH}/{route}", json.dumps(good).encode().replace(b"ada_1", bad), None)
        self.refused(f"{AUTH}/session?x=1", "", "x", "GET")
        self.assertEqual(redis_cli(self.server.redis_socket, "KEYS", "username:[!b]*").strip(), "")

    def test_other_routes_refuse_what_they_do_not_know(self):
        token = self.client.post(f"{AUTH}/register", {"username": "bea_1", "password": PASSWORD}).json["token"]
        for method, path in (("POST", "logout"), ("POST", "logout-everywhere"), ("GET", "me")):
            self.refused(f"{AUTH}/{path}?x=1", "", "x", method, token)
        change = {"password": PASSWORD, "new_password": "battery staple"}
        for field in change:
            for junk in [*JUNK, "1", '""', json.dumps("x" * 257)]:
                body = json.dumps(change | {field: "@@"}).replace('"@@"', junk)
                self.refused(f"{AUTH}/me", body, field, "PATCH", token)
        self.refused(f"{AUTH}/me", json.dumps(change | {"new_password": "7 chars"}), "new_password", "PATCH", token)
        self.refused(f"{AUTH}/me", json.dumps(change | {"username": "x"}), "username", "PATCH", token)
        self.refused(f"{AUTH}/me", '{"password": 1}', "password", "DELETE", token)


class Cookies(SharedServerCase, AccountsCase):
    def setUp(self):
        super().setUp()
        self.own = "http://{}:{}".format(*self.server.address)
        self.who = self.player(self.server)
        self.set = self.who.sign_in("register?cookie=true", 201).headers["Set-Cookie"]
        self.cookie = self.set.split(";")[0]

    def ask(self, method, path, origin=None, body=None, **headers):
        headers |= {"Authorization": None, "Cookie": f"theme=dark; {self.cookie}", "Origin": origin}
        return self.client.send(method, f"{AUTH}/{path}", body, headers=headers)

    def test_the_cookie_is_for_pages_of_this_server_only(self):
        self.assertEqual(self.set, f"larder_session={self.who.client.token}; Path=/; Max-Age=172800; HttpOnly; "
                                   "SameSite=Strict")
        answer = self.client.post(f"{AUTH}/login?cookie=true", {"username": self.who.name, "password": PASSWORD},
                                  headers={"X-Forwarded-For": "10.0.0.1"})
        self.assertTrue(answer.headers["Set-Cookie"].endswith("; Secure"), answer.headers["Set-Cookie"])
        for origin in (None, self.own):
            self.assertEqual(self.ask("GET", "me", origin).status, 200)
            self.assertEqual(self.ask("GET", "session", origin).json["user"]["user_id"], self.who.id)
        self.assertEqual(self.ask("HEAD", "me").status, 200)
        for method, path in (("GET", "me"), ("GET", "session"), ("POST", "logout"), ("POST", "logout-everywhere")):
            for origin in ("https://evil.example", "null", self.own + "0"):
                self.assert_problem(self.ask(method, path, origin), 403, "forbidden")
        for path in ("logout", "logout-everywhere"):
            self.assert_problem(self.ask("POST", path), 403, "forbidden")
        self.assert_problem(self.ask("PATCH", "me", body={"password": PASSWORD, "new_password": "battery staple"}), 403,
                            "forbidden")
        self.assert_problem(self.ask("DELETE", "me", body={"password": PASSWORD}), 403, "forbidden")
        self.assert_problem(self.ask("GET", "me", Upgrade="websocket", Connection="Upgrade"), 403, "forbidden")
        self.assertEqual(self.ask("GET", "me").status, 200, "nothing has happened")

    def test_a_token_in_the_header_needs_no_origin(self):
        for origin in ("https://evil.example", None):
            self.assertEqual(self.who.client.get(f"{AUTH}/me", headers={"Origin": origin}).status, 200)

    def test_a_logout_by_cookie_removes_the_cookie(self):
        answer = self.ask("POST", "logout", self.own)
        self.assertEqual(answer.status, 204, answer)
        self.assertEqual(answer.headers["Set-Cookie"],
                         "larder_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict")
        self.assert_problem(self.ask("GET", "me"), 401, "unauthorized")
        self.assert_problem(self.ask("GET", "me", "https://evil.example"), 401, "unauthorized")
        self.assertIsNone(self.ask("GET", "session").json["user"])

    def test_a_change_of_the_password_renews_the_cookie(self):
        answer = self.ask("PATCH", "me", self.own, {"password": PASSWORD, "new_password": "battery staple"})
        self.assertEqual(answer.headers["Set-Cookie"].split(";")[0], f"larder_session={answer.json['token']}")

    def test_another_site_cannot_make_a_browser_log_in(self):
        for route in ("login", "register"):
            body = {"username": self.who.name, "password": PASSWORD}
            answer = self.client.post(f"{AUTH}/{route}?cookie=true", body, headers={"Origin": "https://evil.example"})
            self.assert_problem(answer, 403, "forbidden")


if __name__ == "__main__":
    main()
