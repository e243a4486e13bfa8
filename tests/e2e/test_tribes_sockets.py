"""WebSockets of tribes: state, patches, responses, other servers, outages, tokens."""
import os
import signal

from harness import Case, RedisServer, Server, eventually, main, run_larder
from test_tribes import FAST, PASSWORD, TribesCase
from web_socket import WebSocket, apply


class Sockets(TribesCase):
    def socket(self, client, world="fast", query="", **more):
        token = None if "headers" in more else client.token
        socket = WebSocket(self.server.address, f"/v1/tribes/worlds/{world}/ws{query}", token, **more)
        self.addCleanup(socket.close)
        return socket

    def test_a_socket_shows_the_state_and_then_what_changes(self):
        ann = self.player(joins="default")
        socket = self.socket(ann, "default")
        first = socket.receive()
        self.assertEqual(first["type"], "state")
        state = first["state"]
        socket.send({"id": "1", "type": "construct", "lot": "1", "building": "house"})
        response = socket.receive_type("response")
        self.assertEqual((response["id"], response.get("problem")), ("1", None))
        patch = socket.receive_type("patch")
        self.assertGreaterEqual(patch["revision"], response["revision"])
        self.assertNotIn("population", patch["patch"])
        apply(state, patch["patch"])
        self.assertEqual(state["resources"]["coins"], 200)
        self.assertEqual(state["constructionQueue"][0]["building"], 2)
        eventually(lambda: apply(state, socket.receive_type("patch")["patch"]) or state["population"]["uneducated"] == 10,
                   "the house is built")
        self.assertEqual(ann.get("/v1/tribes/worlds/default/state").json["state"]["lots"], state["lots"])

    def test_a_message_is_done_once_however_often_it_is_sent(self):
        ann = self.player(joins="fast")
        socket = self.socket(ann)
        message = {"id": "a", "type": "construct", "lot": "1", "building": "house"}
        for replayed in (None, True, True):
            socket.send(message)
            response = socket.receive_type("response")
            self.assertEqual((response["id"], response.get("replayed"), response.get("problem")), ("a", replayed, None))
        socket.send(message | {"lot": "2"})
        self.assertEqual(socket.receive_type("response")["problem"]["code"], "idempotency_conflict")

    def test_a_retry_by_another_way_is_the_same_action(self):
        ann = self.player(joins="fast")
        bot = f"?player={ann.user_id}"
        hers, its = self.socket(ann), self.socket(self.client, headers={"Authorization": f"Bearer {self.client.token}"},
                                                  query=bot)

        def over_socket(socket):
            def send(key, **action):
                socket.send({"id": key, **action})
                response = socket.receive_type("response")
                return response.get("problem", {}).get("code", "ok"), response.get("replayed", False)
            return send

        def over_http(client, query=""):
            def send(key, **action):
                answer = client.post(f"{FAST}/actions{query}", action, headers={"Idempotency-Key": key})
                return answer.json.get("code", "ok"), answer.headers.get("Idempotency-Replayed") == "true"
            return send

        ways = (over_socket(hers), over_http(ann), over_http(self.client, bot), over_socket(its))
        for i, first in enumerate(ways):
            key, lot, building = f"key-{i}", str(i + 1), ("house", "kitchen", "shop", "school")[i]
            self.assertEqual(first(key, type="construct", lot=lot, building=building), ("ok", False))
            for way in ways:
                self.assertEqual(way(key, type="construct", lot=lot, building=building), ("ok", True))
                self.assertEqual(way(key, type="raze", lot=lot), ("idempotency_conflict", False))

    def test_a_join_by_another_way_is_the_same_join(self):
        ann = self.player()
        key = {"Idempotency-Key": "join"}
        first = ann.post(f"{FAST}/join", headers=key)
        again = self.client.post(f"{FAST}/join?player={ann.user_id}", headers=key)
        self.assertEqual((first.status, again.status, again.raw, again.headers["Idempotency-Replayed"]),
                         (201, 201, first.raw, "true"))
        self.assert_problem(self.act(ann, headers=key, type="raze", lot="1"), 422, "idempotency_conflict")

    def test_whatever_is_no_message_gets_a_problem_and_the_socket_stays_open(self):
        socket = self.socket(self.player(joins="fast"))
        for text, id_, code in (("nonsense", None, "invalid_request"), ("[]", None, "invalid_request"),
                                ({"type": "tap", "lot": "1"}, None, "invalid_request"),
                                ({"id": "", "type": "tap", "lot": "1"}, "", "invalid_request"),
                                ({"id": "x" * 129, "type": "tap", "lot": "1"}, "x" * 129, "invalid_request"),
                                ({"id": "7", "type": "fly"}, "7", "invalid_request"),
                                ({"id": "8", "type": "tap", "lot": "1"}, "8", "lot_empty")):
            socket.send(text)
            response = socket.receive_type("response")
            self.assertEqual((response["id"], response["problem"]["code"]), (id_, code))
            self.assertNotIn("request_id", response["problem"])

    def test_who_may_open_a_socket(self):
        ann = self.player(joins="fast")
        stranger = self.player()
        for client, headers, status in ((None, {}, 401), (ann, {"Origin": "http://evil.example"}, 403),
                                        (stranger, {}, 409)):
            with self.subTest(status), self.assertRaises(WebSocket.Refused) as refused:
                WebSocket(self.server.address, f"{FAST}/ws", client.token if client else None, headers=headers)
            self.assertEqual(refused.exception.answer.status, status)
        socket = self.socket(ann)
        self.assertEqual(socket.headers["Sec-WebSocket-Protocol"], "larder")

    def test_a_logout_ends_the_socket(self):
        ann = self.player(joins="fast")
        socket = self.socket(ann)
        self.assertEqual(socket.receive()["type"], "state")
        self.assertEqual(ann.post("/v1/auth/logout").status, 204)
        self.assertEqual(socket.receive_to_the_end(), 4401)

    def test_a_socket_of_a_revoked_key_ends(self):
        ann = self.player(joins="fast")
        bot = self.key("tribes")
        socket = self.socket(bot, headers={"Authorization": f"Bearer {bot.token}"}, query=f"?player={ann.user_id}")
        self.assertEqual(socket.receive()["type"], "state")
        run_larder("key", "revoke", bot.token.split("_")[1], "--data", self.server.data)
        self.assertEqual(socket.receive_to_the_end(), 4401)

    def test_after_a_logout_nothing_is_done_any_more(self):
        ann = self.player(joins="fast")
        socket = self.socket(ann)
        self.assertEqual(socket.receive()["type"], "state")
        self.assertEqual(ann.post("/v1/auth/logout").status, 204)
        socket.send({"id": "1", "type": "construct", "lot": "1", "building": "house"})
        while (message := socket.receive()) is not None:
            self.assertNotEqual(message["type"], "response")
        state = self.client.get(f"{FAST}/state?player={ann.user_id}").json["state"]
        self.assertEqual((state["resources"]["coins"], state["constructionQueue"]), (300, []))

    def test_the_sockets_of_a_deleted_world_end_and_the_others_go_on(self):
        for world in ("a-gone", "b-stays"):
            self.assertEqual(self.client.post("/v1/tribes/worlds", {"id": world, "speed": 10000}).status, 201)
        gone, stays = self.player(joins="a-gone"), self.player(joins="b-stays")
        ending, going_on = self.socket(gone, "a-gone"), self.socket(stays, "b-stays")
        self.assertEqual(self.client.send("DELETE", "/v1/tribes/worlds/a-gone").status, 204)
        self.assertEqual(ending.receive_to_the_end(), 4404)
        self.act(stays, "b-stays", type="construct", lot="1", building="house")
        going_on.receive_type("patch")

    def test_both_sides_of_a_heist_hear_of_it(self):
        rules = self.client.get(f"{FAST}/rules").json["rules"]
        rules["educations"]["thief"] |= {"cost": 0, "seconds": 1}
        rules["buildings"]["school"]["first"] |= {"cost": 0, "seconds": 1}
        made = self.client.post("/v1/tribes/worlds", {"id": "thieves", "speed": 10000, "rules": rules})
        self.assertEqual(made.status, 201, made)
        ann, bob = self.player(joins="thieves"), self.player(joins="thieves")
        self.act(ann, "thieves", type="construct", lot="1", building="house")
        self.act(ann, "thieves", type="construct", lot="2", building="school")
        eventually(lambda: self.act(ann, "thieves", type="train", education="thief", amount=5).status == 200, "a school")
        eventually(lambda: ann.get("/v1/tribes/worlds/thieves/state").json["state"]["population"]["thieves"] == 5, "thieves")
        hers, his = self.socket(ann, "thieves"), self.socket(bob, "thieves")
        target = bob.get("/v1/tribes/worlds/thieves/state").json["state"]
        stolen = self.act(ann, "thieves", type="steal", x=target["townX"], y=target["townY"], thieves=5)
        self.assertEqual(stolen.status, 200, stolen)
        for socket, side, other in ((hers, "attacker", bob), (his, "target", ann)):
            report = socket.receive_type("report")["report"]
            self.assertEqual((report["side"], report["other"]["user_id"], report["loot"]), (side, other.user_id, 300))
            seen = self.server.client(ann.token if side == "attacker" else bob.token)
            self.addCleanup(seen.close)
            listed = seen.get("/v1/tribes/worlds/thieves/reports").json["items"]
            self.assertEqual([each["id"] for each in listed], [report["id"]])
            self.assertEqual(seen.post(f"/v1/tribes/worlds/thieves/reports/{report['id']}/read").status, 204)
            self.assertTrue(seen.get("/v1/tribes/worlds/thieves/reports").json["items"][0]["read"])

    def test_the_news_of_the_world_arrive(self):
        self.client.post("/v1/tribes/worlds", {"id": "news"})
        ann = self.player(joins="news")
        socket = self.socket(ann, "news")
        self.assertEqual(socket.receive_type("leaderboard")["items"][0]["user_id"], ann.user_id)
        self.client.send("PATCH", "/v1/tribes/worlds/news", {"state": "closed"})
        self.assertEqual(socket.receive_type("world")["world"]["state"], "closed")


class Outages(Case):
    def test_an_outage_is_reported_and_everything_goes_on_after_it(self):
        redis = self.open(RedisServer())
        one = self.open(Server("--redis", redis.url))
        admin = one.client()
        self.addCleanup(admin.close)
        made = admin.post("/v1/auth/register", {"username": "ann", "password": PASSWORD}).json
        ann = one.client(made["token"])
        self.addCleanup(ann.close)
        self.assertEqual(ann.post("/v1/tribes/worlds/default/join").status, 201)
        socket = WebSocket(one.address, "/v1/tribes/worlds/default/ws", made["token"])
        self.addCleanup(socket.close)
        self.assertEqual(socket.receive()["type"], "state")
        os.kill(redis.process.pid, signal.SIGSTOP)
        self.assertEqual(socket.receive_type("problem")["problem"]["code"], "store_unavailable")
        os.kill(redis.process.pid, signal.SIGCONT)
        self.assertEqual(socket.receive_type("state")["type"], "state")
        answer = ann.post("/v1/tribes/worlds/default/actions", {"type": "construct", "lot": "1", "building": "house"})
        self.assertEqual(answer.status, 200, answer)
        self.assertIn("constructionQueue", socket.receive_type("patch")["patch"])


if __name__ == "__main__":
    main()
