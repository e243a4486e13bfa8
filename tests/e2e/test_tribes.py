"""Tribes over HTTP: players who log in, bots that play for them, worlds, and bad input."""
import copy
from datetime import datetime
from urllib.parse import quote

from harness import SharedServerCase, eventually, main, run_larder
from openapi import Document

PASSWORD = "correct horse battery"
FAST = "/v1/tribes/worlds/fast"
DEFAULT = "/v1/tribes/worlds/default"


def time_of(text):
    """An RFC 3339 time in milliseconds."""
    return round(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


class TribesCase(SharedServerCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.names = 0
        admin = cls.server.client()
        assert admin.post("/v1/tribes/worlds", {"id": "fast", "speed": 10000}).status == 201
        admin.close()

    def player(self, joins=None):
        """A client with the token of a new player, who joins a world."""
        type(self).names += 1
        made = self.client.post("/v1/auth/register", {"username": f"player{self.names}", "password": PASSWORD},
                                headers={"Authorization": None})
        self.assertEqual(made.status, 201, made)
        client = self.server.client(made.json["token"])
        client.user_id = made.json["user_id"]
        self.addCleanup(client.close)
        if joins:
            self.assertEqual(client.post(f"/v1/tribes/worlds/{joins}/join").status, 201)
        return client

    def key(self, scope):
        """A client with a new service key."""
        made = run_larder("key", "create", "--name", "bot", "--scope", scope, "--data", self.server.data)
        client = self.server.client(made.stdout.strip())
        self.addCleanup(client.close)
        return client

    @staticmethod
    def act(client, world="fast", headers=None, **action):
        return client.post(f"/v1/tribes/worlds/{world}/actions", action, headers=headers)


class Towns(TribesCase):
    def test_a_player_joins_builds_and_sees_the_town_grow(self):
        ann = self.player()
        for path in ("state", "history", "leaderboard", "map?x=5&y=5", "reports"):
            self.assert_problem(ann.get(f"{FAST}/{path}"), 409, "not_joined")
        self.assert_problem(self.act(ann, type="tap", lot="1"), 409, "not_joined")
        joined = ann.post(f"{FAST}/join")
        self.assertEqual(joined.status, 201, joined)
        self.assertEqual(joined.json["user_id"], ann.user_id)
        self.assertEqual(joined.json["state"]["resources"], {"coins": 300, "pizzas": 0})
        self.assertEqual(list(joined.json["state"]), ["resources", "lots", "population", "timestamp", "trainingQueue",
                                                      "constructionQueue", "townX", "townY", "travelQueue"])
        self.assert_problem(ann.post(f"{FAST}/join"), 409, "already_joined")
        for lot, building in enumerate(("house", "kitchen", "shop", "school"), 1):
            built = self.act(ann, type="construct", lot=str(lot), building=building)
            self.assertEqual(built.status, 200, built)
        eventually(lambda: ann.get(f"{FAST}/state").json["state"]["population"]["uneducated"] == 10, "the house is built")
        self.assertEqual(ann.get(f"{FAST}/state?path=.population.uneducated").json["state"], 10)
        lot = quote('.lots["1"]')
        self.assertEqual(ann.get(f"{FAST}/state?path={lot}").json["state"], {"building": 2, "level": 1})
        self.assert_problem(ann.get(f"{FAST}/state?path=.nothing"), 404, "path_not_found", field="path")
        self.assert_problem(ann.get(f"{FAST}/state?path=population"), 400, "malformed_path", field="path")
        deep = "." + ".".join("a" for _ in range(50))
        self.assert_problem(ann.get(f"{FAST}/state?path={deep}"), 400, "path_too_deep", field="path")
        board = ann.get(f"{FAST}/leaderboard").json["items"]
        self.assertIn(ann.user_id, [each["user_id"] for each in board])
        state = ann.get(f"{FAST}/state").json["state"]
        towns = ann.get(f"{FAST}/map?x={state['townX']}&y={state['townY']}&radius=0").json["towns"]
        self.assertEqual([town["user_id"] for town in towns], [ann.user_id])
        points = ann.get(f"{FAST}/history?resource=coins").json["points"]
        self.assertGreaterEqual(sum(point["count"] for point in points), 4)
        self.assertEqual(ann.get(f"{FAST}/reports").json, {"items": [], "next_cursor": None})
        self.assert_problem(ann.post(f"{FAST}/reports/1-1/read"), 404, "report_not_found")

    def test_an_action_with_an_idempotency_key_happens_once(self):
        ann = self.player(joins="fast")
        key = {"Idempotency-Key": "house"}
        first = self.act(ann, headers=key, type="construct", lot="1", building="house")
        again = self.act(ann, headers=key, type="construct", lot="1", building="house")
        self.assertEqual((again.status, again.raw, again.headers["Idempotency-Replayed"]), (200, first.raw, "true"))
        self.assert_problem(self.act(ann, headers=key, type="construct", lot="2", building="shop"), 422,
                            "idempotency_conflict")
        refused = self.act(ann, headers={"Idempotency-Key": "no"}, type="construct", lot="1", building="shop")
        self.assert_problem(refused, 409, "lot_taken")
        again = self.act(ann, headers={"Idempotency-Key": "no"}, type="construct", lot="1", building="shop")
        self.assertEqual((again.status, again.headers["Idempotency-Replayed"]), (409, "true"))

    def test_an_idempotency_key_belongs_to_one_world_and_route(self):
        ann = self.player(joins="fast")
        key = {"Idempotency-Key": "house"}
        house = {"type": "construct", "lot": "1", "building": "house"}
        first = self.act(ann, headers=key, **house)
        self.assertEqual(first.status, 200, first)
        for path, body in ((f"{DEFAULT}/actions", house), (f"{DEFAULT}/join", None),
                           (f"{FAST}/join", None)):
            self.assert_problem(ann.post(path, body, headers=key), 422, "idempotency_conflict")
        again = self.act(ann, headers=key, **house)
        self.assertEqual((again.raw, again.headers["Idempotency-Replayed"]), (first.raw, "true"))
        # A refused action had no effect, so its key is free in other worlds.
        refused = self.act(ann, headers={"Idempotency-Key": "no"}, **house)
        self.assert_problem(refused, 409, "lot_taken")
        self.assertEqual(ann.post(f"{DEFAULT}/join", headers={"Idempotency-Key": "no"}).status, 201)

    def test_bad_actions_are_refused_with_the_field(self):
        ann = self.player(joins="fast")
        before = ann.get(f"{FAST}/state").json["revision"]
        for action, field in (({}, "type"), ({"type": "fly"}, "type"), ({"type": "tap"}, "lot"),
                              ({"type": "tap", "lot": "11"}, "lot"), ({"type": "tap", "lot": 1}, "lot"),
                              ({"type": "construct", "lot": "1", "building": "castle"}, "building"),
                              ({"type": "construct", "lot": "1", "building": "house", "x": 1}, "x"),
                              ({"type": "train", "education": "wizard", "amount": 1}, "education"),
                              ({"type": "train", "education": "chef", "amount": 0}, "amount"),
                              ({"type": "train", "education": "chef", "amount": -1}, "amount"),
                              ({"type": "train", "education": "chef", "amount": 1.5}, "amount"),
                              ({"type": "train", "education": "chef", "amount": 2**53}, "amount"),
                              ({"type": "steal", "x": 1000001, "y": 0, "thieves": 1}, "x"),
                              ({"type": "steal", "x": -1, "y": 0, "thieves": 1}, "x"),
                              ({"type": "steal", "x": 0, "y": 0, "thieves": 0}, "thieves"),
                              ({"type": "cancel", "queue": "nothing", "index": 0}, "queue"),
                              ({"type": "cancel", "queue": "training", "index": -1}, "index")):
            with self.subTest(action):
                answer = self.act(ann, **action)
                self.assertEqual((answer.status, answer.json.get("code"), answer.json.get("field")),
                                 (400, "invalid_request", field), answer)
        self.assertEqual(self.client.post(f"{FAST}/actions?player={ann.user_id}", "[1]").status, 400)
        for action, code in (({"type": "train", "education": "chef", "amount": 1}, "no_school"),
                             ({"type": "tap", "lot": "9"}, "lot_empty"), ({"type": "upgrade", "lot": "9"}, "lot_empty"),
                             ({"type": "steal", "x": 0, "y": 0, "thieves": 1}, "no_town_there"),
                             ({"type": "cancel", "queue": "construction", "index": 0}, "no_such_element")):
            self.assert_problem(self.act(ann, **action), 409, code)
        self.assertEqual(ann.get(f"{FAST}/state").json["revision"], before)

    def test_a_bot_plays_for_a_player(self):
        ann = self.player()
        bot, stranger = (self.key(scope) for scope in ("tribes", "ledger"))
        self.assert_problem(bot.post(f"{FAST}/join"), 400, "invalid_request", field="player")
        for method, path in (("POST", "join"), ("GET", "state"), ("GET", "history"), ("GET", "reports"), ("GET", "ws"),
                             ("POST", "reports/1-1/read")):
            self.assert_problem(bot.send(method, f"{FAST}/{path}?player=nobody"), 404, "account_not_found", field="player")
        self.assert_problem(bot.post(f"{FAST}/actions?player=nobody", {"type": "tap", "lot": "1"}), 404, "account_not_found",
                            field="player")
        self.assert_problem(bot.get(f"{FAST}/state?player={ann.user_id}"), 409, "not_joined")
        self.assert_problem(bot.get(f"{FAST}/leaderboard?around=nobody"), 404, "account_not_found", field="around")
        self.assert_problem(bot.get(f"{FAST}/leaderboard?around={ann.user_id}"), 409, "not_joined", field="around")
        self.assertEqual(bot.post(f"{FAST}/join?player={ann.user_id}").status, 201)
        self.assertEqual(ann.get(f"{FAST}/state").status, 200)
        self.assertEqual(bot.get(f"{FAST}/leaderboard").status, 200)
        self.assert_problem(bot.post("/v1/tribes/worlds", {"id": "x"}), 403, "forbidden")
        other = self.player(joins="fast")
        self.assert_problem(other.get(f"{FAST}/state?player={ann.user_id}"), 403, "forbidden")
        self.assert_problem(stranger.get(f"{FAST}/state?player={ann.user_id}"), 403, "forbidden")
        self.assert_problem(stranger.get("/v1/tribes/worlds"), 403, "forbidden")

    def test_the_towns_of_a_deleted_account_become_ruins(self):
        ann = self.player(joins="fast")
        bob = self.player(joins="fast")
        state = ann.get(f"{FAST}/state").json["state"]
        self.assertEqual(ann.send("DELETE", "/v1/auth/me", {"password": PASSWORD}).status, 204)
        place = f"{FAST}/map?x={state['townX']}&y={state['townY']}&radius=0"
        eventually(lambda: bob.get(place).json["towns"][0]["username"] is None, "the town is a ruin")
        self.assertNotIn(ann.user_id, [each["user_id"] for each in bob.get(f"{FAST}/leaderboard?limit=500").json["items"]])
        self.assertEqual(ann.get(f"{FAST}/state").status, 401)


class Worlds(TribesCase):
    def test_worlds_are_created_changed_and_deleted(self):
        worlds = [world["id"] for world in self.client.get("/v1/tribes/worlds").json["items"]]
        self.assertEqual(worlds[:2], ["default", "fast"])
        made = self.client.post("/v1/tribes/worlds", {"id": "third", "speed": 3})
        self.assertEqual((made.status, made.json["state"], made.json["speed"], made.json["winner"]),
                         (201, "running", 3, None))
        self.assert_problem(self.client.post("/v1/tribes/worlds", {"id": "third"}), 409, "world_exists")
        self.assertEqual(self.client.get("/v1/tribes/worlds/third").json, made.json)
        self.assert_problem(self.client.get("/v1/tribes/worlds/nope"), 404, "world_not_found")
        ann = self.player(joins="third")
        self.assertEqual(self.client.send("PATCH", "/v1/tribes/worlds/third", {"speed": 7}).json["speed"], 7)
        self.assertEqual(self.client.send("PATCH", "/v1/tribes/worlds/third", {"state": "closed"}).json["state"], "closed")
        self.assert_problem(self.act(ann, "third", type="construct", lot="1", building="house"), 409, "world_over")
        self.assertEqual(ann.get("/v1/tribes/worlds/third/state").status, 200)
        self.assertEqual(self.client.send("PATCH", "/v1/tribes/worlds/third", {"state": "running"}).json["players"], 1)
        self.assertEqual(self.act(ann, "third", type="construct", lot="1", building="house").status, 200)
        self.assertEqual(self.client.send("DELETE", "/v1/tribes/worlds/third").status, 204)
        self.assert_problem(ann.get("/v1/tribes/worlds/third/state"), 404, "world_not_found")
        self.assert_problem(self.client.send("DELETE", "/v1/tribes/worlds/third"), 404, "world_not_found")

    def test_a_player_sees_where_they_have_a_town(self):
        ann = self.player()

        def joined(client):
            worlds = {world["id"]: world.get("joined") for world in client.get("/v1/tribes/worlds").json["items"]}
            self.assertEqual(client.get(FAST).json.get("joined"), worlds["fast"])
            return worlds["default"], worlds["fast"]

        self.assertEqual(joined(ann), (False, False))
        self.assertEqual(ann.post(f"{FAST}/join").status, 201)
        self.assertEqual(joined(ann), (False, True))
        self.assertEqual(joined(self.client), (None, None))

    def test_the_clock_of_a_world_says_what_game_time_it_is(self):
        def clock(change=None):
            path = "/v1/tribes/worlds/clock"
            answer = self.client.send("PATCH", path, change) if change else self.client.get(path)
            return time_of(answer.json["clock"]["at"]), answer.json["clock"]["game_ms"]

        made = self.client.post("/v1/tribes/worlds", {"id": "clock", "speed": 100}).json
        self.assertEqual(made["clock"], {"at": made["started_at"], "game_ms": 0})
        began, _ = clock()
        slower, game_ms = clock({"speed": 10})
        self.assertEqual(game_ms, 100 * (slower - began))
        closed, later_ms = clock({"state": "closed"})
        self.assertEqual(later_ms, game_ms + 10 * (closed - slower))
        self.assertEqual(clock(), (closed, later_ms))
        opened, still_ms = clock({"state": "running"})
        self.assertEqual(still_ms, later_ms)
        self.assertGreaterEqual(opened, closed)
        self.assertEqual(self.client.send("DELETE", "/v1/tribes/worlds/clock").status, 204)

    def test_rules_are_shown_and_checked(self):
        shown = self.client.get(f"{FAST}/rules").json
        self.assertEqual(shown["speed"], 10000)
        rules = shown["rules"]
        self.assertEqual(self.client.post("/v1/tribes/worlds", {"id": "own", "rules": rules}).status, 201)
        for change, field in ((lambda r: r["buildings"]["kitchen"]["levels"][2].update(cost=-1),
                               "rules.buildings.kitchen.levels[2].cost"),
                              (lambda r: r["buildings"].pop("shop"), "rules.buildings.shop"),
                              (lambda r: r.update(extra=1), "rules.extra")):
            wrong = copy.deepcopy(rules)
            change(wrong)
            self.assert_problem(self.client.post("/v1/tribes/worlds", {"id": "wrong", "rules": wrong}), 400,
                                "invalid_request", field=field)
        for body, field in (({}, "id"), ({"id": "a b"}, "id"), ({"id": "w", "speed": 0}, "speed"),
                            ({"id": "w", "speed": 10001}, "speed"), ({"id": "w", "x": 1}, "x")):
            self.assert_problem(self.client.post("/v1/tribes/worlds", body), 400, "invalid_request", field=field)

    def test_answers_are_as_the_document_says(self):
        document = Document(self.client)
        ann = self.player(joins="fast")
        for path in ("/v1/tribes/worlds", FAST, f"{FAST}/rules", f"{FAST}/state", f"{FAST}/leaderboard", f"{FAST}/history",
                     f"{FAST}/map?x=5&y=5", f"{FAST}/reports", "/v1/tribes/hall-of-fame"):
            answer = ann.get(path)
            self.assertEqual(answer.status, 200, answer)
            self.assertEqual(document.faults_of("GET", path, answer), [])

    def test_verify_finds_no_difference(self):
        ann = self.player(joins="default")
        self.act(ann, "default", type="construct", lot="1", building="house")
        checked = run_larder("tribes", "verify", "--data", self.server.data)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        self.assertIn("no differences", checked.stdout)
        self.assertIn("no town", run_larder("tribes", "dead", "--data", self.server.data).stdout)
        for command in (("verify", "--world", "nope"), ("dead", "--world", "nope"), ("requeue", "nope", "ann")):
            done = run_larder("tribes", *command, "--data", self.server.data)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", "larder: there is no world nope\n"))


if __name__ == "__main__":
    main()
