"""What operators do with players over HTTP: adjust, import, export and delete them; and games with options."""
import json
import random
import threading

from economy import ECONOMY, EconomyCase, Realm, new_name, verify
from harness import AMOUNT_MAX, LONG, ROOT, SEED, Case, Server, TempDir, crash, eventually, main, run_larder

NDJSON = {"Content-Type": "application/x-ndjson"}
NOTHING_DONE = {"imported": 0, "unchanged": 0, "failures": 0, "failed": []}


def lines_of(players):
    return "\n".join(player if isinstance(player, str) else json.dumps(player) for player in players)


class CareCase(EconomyCase):
    def adjust(self, player, key=None, **body):
        return self.move(player, "adjust", key, **body)

    def adjusted(self, player, **body):
        """Adjusts, which must succeed, and returns the answer, which is the player."""
        answer = self.adjust(player, **{"reason": "why"} | body)
        self.assertEqual(answer.status, 200, answer)
        seen = self.player(player)
        self.assertEqual(list(answer.json), list(seen))
        for name in ("id", "name", "balance", "rank", "inventory", "vampire_level"):  # what does not count down
            self.assertEqual(answer.json[name], seen[name])
        return answer.json

    def load(self, players, headers=NDJSON):
        path = self.path("/players")
        body = lines_of(players) if headers else json.dumps(players)
        answer = self.client.post(path, body, headers=headers)
        self.assertEqual(self.document.faults_of("POST", path, answer), [], answer)
        return answer

    def loaded(self, players, headers=NDJSON):
        answer = self.load(players, headers)
        self.assertEqual(answer.status, 200, answer)
        return answer.json

    def bot(self):
        """A client whose key has only the scope economy."""
        made = self.client.post("/v1/admin/keys", {"name": "bot", "scopes": ["economy"]})
        client = self.server.client(made.json["token"])
        self.addCleanup(client.close)
        return client

    def delete(self, player, **more):
        return self.client.send("DELETE", self.path(f"/players/{player}"), **more)


class Adjust(CareCase):
    def test_a_prize_is_given_and_everything_else_set_right(self):
        player = self.adjusted("ann", points=500, items={"herb": 3, "💣": 1}, name="Ann", reason="won the contest",
                               effects={"gain": {"value": 4, "seconds": 600}}, guild_id="77")
        self.assertEqual((player["balance"], player["rank"], player["name"]), (500, 1, "Ann"))
        self.assertEqual(player["inventory"], {":herb:": 3, ":bomb:": 1})
        self.assertEqual(player["effects"], [{"name": "gain", "value": 4, "seconds_left": 600}])
        player = self.adjusted("ann", points=-100, items={":herb:": -2}, effects={"gain": None}, reason="a mistake")
        self.assertEqual((player["balance"], player["inventory"], player["effects"]),
                         (400, {":herb:": 1, ":bomb:": 1}, []))
        self.assertEqual(self.lines(), ["ann adjust 500 in 77 reason=won the contest", "ann adjust -100 reason=a mistake",
                                        "ann adjust 3 :herb: in 77 reason=won the contest",
                                        "ann adjust 1 :bomb: in 77 reason=won the contest",
                                        "ann adjust -2 :herb: reason=a mistake"])
        self.assertEqual(len(self.lines(query="&type=adjust")), 5)

    def test_a_new_name_is_on_the_leaderboard(self):
        self.adjusted("ann", points=1, name="rude")
        self.adjusted("ann", name="Ann 🧄\n2")
        self.assertEqual(self.get("/leaderboard")["items"], [{"rank": 1, "id": "ann", "name": "Ann 🧄\n2", "balance": 1}])

    def test_a_refused_adjustment_leaves_no_trace(self):
        self.realm.fill("ann", 10, herb=19)
        self.realm.fill("max", AMOUNT_MAX)
        self.adjusted("cat", points=1)
        before = self.realm.state()
        for player, body, code, more in (
                ("ann", {"points": -11}, "insufficient_balance", {"balance": 10, "needs": {":garlic:": 11}}),
                ("max", {"points": 1}, "balance_limit", {}),
                ("ann", {"points": 1, "items": {"herb": -20}}, "not_enough_items", {"needs": {":herb:": 20}}),
                ("ann", {"points": 1, "items": {"herb": 2}}, "stack_full",
                 {"owned": 19, "max_stack": 20, "item": ":herb:"}),
                ("ann", {"items": {"sword": 1}}, "unknown_item", {}),
                ("ann", {"effects": {"luck": None}}, "unknown_effect", {})):
            with self.subTest(body=body):
                self.assert_problem(self.adjust(player, **body, reason="why"), 409, code, **more)
        for body, field in (
                ({}, "points"), ({"points": 0}, "points"), ({"points": 1.5}, "points"), ({"points": "5"}, "points"),
                ({"points": AMOUNT_MAX + 1}, "points"), ({"points": -AMOUNT_MAX - 1}, "points"),
                ({"items": []}, "items"), ({"items": {"herb": 0}}, "items.herb"), ({"items": {"herb": "1"}}, "items.herb"),
                ({"items": {"": 1}}, "items"), ({"items": {"x" * 65: 1}}, "items"),
                ({"items": {str(i): 1 for i in range(101)}}, "items"), ({"items": {"herb": 1, ":HERB:": 1}}, "items"),
                ({"name": ""}, "name"), ({"name": "x" * 65}, "name"), ({"name": "a\0"}, "name"), ({"name": 5}, "name"),
                ({"effects": 5}, "effects"), ({"effects": {"gain": 5}}, "effects.gain"),
                ({"effects": {"gain": {"value": 5}}}, "effects.gain.seconds"),
                ({"effects": {"gain": {"value": 0, "seconds": 5}}}, "effects.gain.value"),
                ({"effects": {"vampire": {"value": 101, "seconds": 5}}}, "effects.vampire.value"),
                ({"effects": {"gain": {"value": 1, "seconds": 5, "x": 1}}}, "effects.gain.x"),
                ({"points": 1, "reason": None}, "reason"), ({"points": 1, "reason": ""}, "reason"),
                ({"points": 1, "reason": "x" * 257}, "reason"), ({"points": 1, "reason": "a\0"}, "reason"),
                ({"points": 1, "guild_id": "a b"}, "guild_id"), ({"points": 1, "x": 1}, "x")):
            with self.subTest(body=body):
                answer = self.adjust("ann", **{"reason": "why"} | body)
                self.assertEqual((answer.status, answer.json.get("code"), answer.json.get("field")),
                                 (400, "invalid_request", field), answer)
        self.assert_problem(self.adjust("lb", points=1, reason="why"), 400, "invalid_request", "id")
        self.assertEqual(self.realm.state(), before)

    def test_only_an_admin_may(self):
        self.adjusted("ann", points=5)
        bot = self.bot()
        for method, path, body in (("POST", "/players/ann/adjust", {"points": 5, "reason": "me"}),
                                   ("POST", "/players", [{"id": "bob", "points": 5}]),
                                   ("GET", "/players/ann/export", None), ("DELETE", "/players/ann", None)):
            with self.subTest(path=path):
                self.assert_problem(bot.send(method, self.path(path), body), 403, "forbidden")
        self.assertEqual(self.owns("ann"), (5, {}))

    def test_a_repeated_adjustment_happens_once(self):
        first = self.adjust("ann", "k", points=5, reason="why")
        again = self.adjust("ann", "k", points=5, reason="why")
        self.assertEqual((first.status, first.json), (again.status, again.json))
        self.assertEqual(again.headers["Idempotency-Replayed"], "true")
        self.assert_problem(self.adjust("ann", "k", points=6, reason="why"), 422, "idempotency_conflict")
        self.assertEqual(self.owns("ann"), (5, {}))


class Import(CareCase):
    def test_players_are_imported_once(self):
        players = [{"id": "ann", "points": 250, "items": {"herb": 3}, "name": "Ann"}, {"id": "bob", "points": 7},
                   {"id": "cat", "name": "Cat"}, {"id": "dan"}]
        self.assertEqual(self.loaded(players), NOTHING_DONE | {"imported": 4})
        self.assertEqual(self.owns("ann"), (250, {":herb:": 3}))
        self.assertEqual(self.player("cat")["name"], "Cat")
        self.assertEqual([(place["id"], place["name"]) for place in self.get("/leaderboard")["items"]],
                         [("ann", "Ann"), ("bob", None)])
        self.assertEqual({(event["user_id"], event["type"]) for event in self.history()},
                         {("ann", "opening"), ("bob", "opening")})
        self.done("ann", "pay", to="bob", amount=250)
        before = self.realm.state()
        self.assertEqual(self.loaded(players), NOTHING_DONE | {"unchanged": 4})
        self.assertEqual(self.realm.state(), before)

    def test_a_line_that_is_wrong_fails_alone(self):
        self.adjusted("old", points=5)
        report = self.loaded([{"id": "ann", "points": 1}, "", "{", {"id": "a b"}, {"id": "lb"}, {"points": 1},
                              {"id": "b1", "points": -1}, {"id": "b2", "x": 1}, {"id": "b3", "items": {"sword": 1}},
                              {"id": "b4", "items": {"herb": 21}}, {"id": "b5", "items": {"herb": 0}},
                              {"id": "ann", "points": 2}, {"id": "old"}, "[]", {"id": "b6", "name": "a\0"},
                              {"id": "bob", "points": 2}])
        failed = [(one["index"], one["code"], one.get("field")) for one in report["failed"]]
        invalid = "invalid_request"
        self.assertEqual(failed, [(1, invalid, None), (2, invalid, "id"), (3, invalid, "id"), (4, invalid, "id"),
                                  (5, invalid, "points"), (6, invalid, "x"), (7, "unknown_item", None),
                                  (8, "stack_full", None), (9, invalid, "items.herb"), (10, invalid, "id"),
                                  (11, "player_exists", None), (12, invalid, None), (13, invalid, "name")])
        self.assertEqual((report["imported"], report["unchanged"], report["failures"]), (2, 0, 13))
        self.assertEqual((self.owns("ann"), self.owns("bob"), self.owns("old")), ((1, {}), (2, {}), (5, {})))

    def test_only_the_first_failures_are_listed(self):
        report = self.loaded([f'{{"id": "a {i}"}}' for i in range(2500)] + [{"id": "ann", "points": 1}])
        self.assertEqual((report["imported"], report["failures"], len(report["failed"])), (1, 2500, 1000))

    def test_one_player_and_an_array_are_bodies_too(self):
        self.assertEqual(self.loaded({"id": "ann", "points": 1}, headers=None), NOTHING_DONE | {"imported": 1})
        self.assertEqual(self.loaded([{"id": "bob", "points": 1}, {"id": "ann"}, 5], headers=None),
                         {"imported": 1, "unchanged": 1, "failures": 1,
                          "failed": [{"index": 2, "code": "invalid_request", "detail": "must be a JSON object"}]})

    def test_a_body_that_is_wrong_imports_nobody(self):
        path = self.path("/players")
        for body, headers in (("", None), ("", NDJSON), (" \n\n", NDJSON), ("{", None), ("[{}", None),
                              (json.dumps([{"id": str(i)} for i in range(1001)]), None),
                              ('{"id":"x"}\n' * 100_001, NDJSON)):
            with self.subTest(body=body[:20]):
                self.assert_problem(self.client.post(path, body, headers=headers), 400, "invalid_request")
        self.assert_problem(self.client.post(path, "{}", headers={"Content-Type": "text/plain"}), 415,
                            "unsupported_media_type")
        self.assertEqual(self.realm.state(), [])


class ExportAndDelete(CareCase):
    def test_an_export_has_everything(self):
        self.loaded([{"id": "ann", "points": 100, "name": "Ann"}])
        self.adjusted("ann", items={"bomb": 1, "herb": 2})
        self.done("ann", "bomb", seconds=28_000, seed=1)
        seen = self.get("/players/ann/export")
        self.assertEqual((seen["realm"], seen["player"]), (self.realm.name, self.player("ann")))
        self.assertEqual((seen["imported"], seen["bomb_pending"], seen["events_cursor"]), (True, False, None))
        self.assertRegex(seen["bomb_due_at"], r"^20\d\d-")
        self.assertEqual(seen["events"], self.get("/players/ann/events")["items"])
        self.assertEqual(len(seen["events"]), 4)
        empty = self.get("/players/nobody/export")
        self.assertEqual((empty["events"], empty["imported"], empty["bomb_due_at"]), ([], False, None))

    def test_an_export_says_where_its_events_go_on(self):
        for i in range(7):
            self.realm.run(*(["XADD", "ajobus-inventory", f"{i + 1}-{k + 1}", "version", 1, "type", "item_earned",
                              "user_id", "ann", "guild_id", 0, "item", ":herb:", "quantity", 1 if k % 2 else -1]
                             for k in range(150)))
        self.adjusted("ann", points=5)
        seen = self.get("/players/ann/export")
        self.assertEqual(len(seen["events"]), 1000)
        rest = self.get(f"/players/ann/events?limit=500&cursor={seen['events_cursor']}")["items"]
        self.assertEqual(len(rest), 51)
        self.assertEqual(len({event["id"] for event in seen["events"] + rest}), 1051)

    def test_a_deleted_player_is_gone_and_may_begin_anew(self):
        self.loaded([{"id": "ann", "points": 100, "items": {"herb": 2}, "name": "Ann"}])
        self.done("ann", "rewards/daily")
        nobody = self.player("nobody") | {"id": "ann"}
        gone = self.delete("ann")
        self.assertEqual((gone.status, gone.raw), (204, b""))
        self.assertEqual(self.player("ann"), nobody)
        self.assertEqual(self.get("/leaderboard")["items"], [])
        self.assertEqual([key for key in self.realm.state() if ":ann" in key], [])
        self.assertEqual(self.lines()[-2:], ["ann deleted -132", "ann deleted -2 :herb:"])
        self.assert_problem(self.delete("ann"), 404, "player_not_found")
        self.assert_problem(self.delete("lb"), 400, "invalid_request", "id")
        self.assertEqual(self.loaded([{"id": "ann", "points": 3}])["imported"], 1)
        self.done("ann", "rewards/daily")
        self.assertEqual(self.owns("ann"), (35, {}))

    def test_a_repeated_deletion_happens_once(self):
        self.adjusted("ann", points=5)
        key = {"Idempotency-Key": new_name("key")}
        self.assertEqual(self.delete("ann", headers=key).status, 204)
        self.adjusted("ann", points=7)
        again = self.delete("ann", headers=key)
        self.assertEqual((again.status, again.headers["Idempotency-Replayed"]), (204, "true"))
        self.assertEqual(self.owns("ann"), (7, {}))

    def test_deleting_nobody_creates_no_realm(self):
        self.assert_problem(self.delete("ann"), 404, "player_not_found")
        self.assertEqual(self.realm.state(), [])


def game_with_options():
    game = json.loads((ROOT / "src/systems/economy/ajo.json").read_text(encoding="utf-8"))
    game["farm"]["cooldown_s"] = 100
    next(item for item in game["items"] if item["id"] == ":herb:")["sell"] = 4
    for reward in game["rewards"]:
        reward["time_zone"] = "Pacific/Auckland"
    return game


class Options(CareCase):
    @classmethod
    def setUpClass(cls):
        directory = TempDir()
        cls.addClassCleanup(directory.remove)
        cls.game = directory / "game.json"
        cls.game.write_text(json.dumps(game_with_options()))
        cls.server_args = (*CareCase.server_args, "--set", f"economy.catalogue={cls.game}")
        super().setUpClass()

    def test_a_catalogue_with_options_is_checked_by_field(self):
        checked = run_larder("economy", "items", "check", self.game)
        self.assertEqual(checked.returncode, 0, checked)
        for change, field in ((("farm", "cooldown_s", -1), "farm.cooldown_s"),
                              (("items", 4, "sell", "x"), "items[4].sell"),
                              (("rewards", 0, "time_zone", "Mars/Olympus"), "rewards[0].time_zone"),
                              (("rewards", 0, "every_s", 5), "rewards[0].every_s")):
            game = game_with_options()
            *path, name, value = change
            part = game
            for step in path:
                part = part[step]
            part[name] = value
            wrong = self.game.parent / "wrong.json"
            wrong.write_text(json.dumps(game))
            checked = run_larder("economy", "items", "check", wrong)
            self.assertEqual(checked.returncode, 1, checked)
            self.assertIn(f": {field}", checked.stderr)

    def test_a_farm_waits(self):
        self.done("ann", "farm", name="Ann", seed=7)
        refused = self.move("ann", "farm", name="Ann", seed=7)
        self.assert_problem(refused, 409, "on_cooldown", seconds_left=refused.json["seconds_left"])
        self.assertTrue(0 < self.player("ann")["cooldowns"]["farm"] <= 100)

    def test_the_bank_buys_herbs(self):
        self.adjusted("ann", points=1, items={"herb": 5, "bone": 1})
        self.assertEqual(self.done("ann", "sell", item="HERB", quantity=2),
                         {"item": ":herb:", "left": 3, "gained": 8, "balance": 9})
        self.assert_problem(self.move("ann", "sell", item="bone", quantity=1), 409, "not_sellable")
        self.assert_problem(self.move("ann", "sell", item="herb", quantity=4), 409, "not_enough_items", owned=3)
        self.assert_problem(self.move("ann", "sell", item="sword", quantity=1), 409, "unknown_item")
        self.assertIn("ann sale 8 item=:herb:", self.lines())
        self.assertIn("ann item_sold -2 :herb:", self.lines())
        sold = {item["id"]: item.get("sell") for item in self.get("/items")["items"]}
        self.assertEqual((sold[":herb:"], sold[":bone:"]), (4, None))

    def test_a_reward_comes_at_midnight(self):
        self.done("ann", "rewards/daily")
        left = self.player("ann")["cooldowns"]["daily"]
        self.assertTrue(0 < left <= 25 * 3600, left)
        self.assertEqual({reward["time_zone"] for reward in self.get("/items")["rewards"]}, {"Pacific/Auckland"})


class CutOff(Case):
    def test_an_import_that_a_kill_cut_off_is_continued_and_nothing_is_doubled(self):
        rng = random.Random(SEED)
        server = self.open(Server("--set", "server.access_log=false"))
        count = 100_000 if LONG else 20_000
        body = "\n".join(json.dumps({"id": f"p{i}", "points": i + 1, "items": {"herb": 1}, "name": f"Player {i}"})
                         for i in range(count))
        board = Realm(server.redis_socket, "main")

        def load():
            client = server.client()
            try:
                return client.post(f"{ECONOMY}/main/players", body, headers=NDJSON)
            except OSError:
                return None
            finally:
                client.close()

        def imported():
            try:
                return int(board.cli("ZCARD", "lb"))
            except (AssertionError, OSError, ValueError):
                return 0  # Redis is away

        for kind in ("server", "redis", "both"):
            had = imported()
            sender = threading.Thread(target=load)
            sender.start()
            eventually(lambda: imported() > had or had == count, "the import goes on", pause_s=0.01)
            crash(server, kind, rng)
            sender.join()
        while (answer := load()) is None or answer.status == 503:
            pass
        self.assertEqual((answer.status, answer.json["imported"] + answer.json["unchanged"], answer.json["failures"]),
                         (200, count, 0), answer)
        self.assertEqual(load().json, NOTHING_DONE | {"unchanged": count})
        self.assertEqual(imported(), count)
        self.assertEqual(board.cli("ZRANGE", "lb", -1, -1, "WITHSCORES").split(), [f"p{count - 1}", str(count)])
        done = verify(server.data)
        self.assertEqual(done.returncode, 0, done)


if __name__ == "__main__":
    main()
