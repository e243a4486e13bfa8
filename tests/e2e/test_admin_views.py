"""What operators see over HTTP: statistics, due work, settings and search, also while something is wrong."""
import uuid
from urllib.parse import quote

from accounts import Player
from discord import CHANNEL, GUILD, MEMBER, Discord, dispatch, guild, message
from harness import (Case, RedisCluster, RedisServer, Server, SharedServerCase, eventually, free_port, main, redis_cli, run_larder)
from openapi import Document

STATS, JOBS, SETTINGS, SEARCH = "/v1/admin/stats", "/v1/admin/jobs", "/v1/admin/settings", "/v1/admin/search"
BOMBS = "economy_bombs:default"


def all_pages(client, path, limit, may_be_longer=False):
    """The items of all pages, each at most this long."""
    items, cursor = [], None
    while True:
        join = "&" if "?" in path else "?"
        page = client.get(f"{path}{join}limit={limit}" + (f"&cursor={quote(cursor)}" if cursor else "")).json
        if len(page["items"]) > limit and not may_be_longer:
            raise AssertionError(f"a page of {len(page['items'])} items")
        items += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            return items


class Stats(Case):
    def test_samples_come_by_themselves_and_agree_with_the_document(self):
        server = self.open(Server())
        client = server.client()
        self.addCleanup(client.close)
        early = client.get(STATS)
        self.assertEqual(Document(client).faults_of("GET", STATS, early), [])
        self.assertEqual(early.json["every_s"], 5)
        self.assertEqual(early.json["health"], {"status": "ok", "problems": {}})

        def sampled():
            client.get("/v1/ledger/types")
            stats = client.get(STATS).json
            return stats["samples"] >= 2 and stats["series"]["requests_per_s"][-1]
        eventually(sampled, "a sample with requests")
        stats = client.get(STATS).json
        series = stats["series"]
        self.assertEqual({len(values) for values in series.values()}, {stats["samples"]})
        for name in ("requests_per_s", "request_p50_s", "request_p99_s", "redis_memory_bytes", "redis_commands_per_s",
                     "cache_redis_memory_bytes", "connections"):
            self.assertGreater(series[name][-1], 0, name)
        self.assertEqual((series["errors_per_s"][-1], series["dead"][-1]), (0, 0))
        self.assertEqual(Document(client).faults_of("GET", STATS, client.get(STATS)), [])
        self.assertLessEqual(client.get(f"{STATS}?minutes=1").json["samples"], 12)

    def test_a_stopped_redis_is_told_and_the_stats_still_come(self):
        redis = self.open(RedisServer())
        server = self.open(Server("--redis", redis.url))
        client = server.client()
        self.addCleanup(client.close)
        eventually(lambda: (series := client.get(STATS).json["series"]["redis_memory_bytes"]) and series[-1],
                   "a sample of Redis")
        redis.stop()
        stats = client.get(STATS)
        self.assertEqual(stats.status, 200)
        self.assertEqual(stats.json["health"]["status"], "failing")
        self.assertIn("does not answer", stats.json["health"]["problems"]["redis"])
        eventually(lambda: client.get(STATS).json["series"]["redis_memory_bytes"][-1] is None,
                   "a sample without Redis", patience_s=60)
        self.assertIsNotNone(client.get(STATS).json["series"]["redis_memory_bytes"][0], "the past stays")
        self.assert_problem(client.get(JOBS), 503, "store_unavailable", outcome_unknown=False)
        self.assertEqual(client.get(SETTINGS).status, 200)
        found = client.get(f"{SEARCH}?q=111").json
        self.assertIn("discord", found["unavailable"])
        redis.start()
        eventually(lambda: client.get(STATS).json["health"]["status"] == "ok", "all is well again")


class Jobs(SharedServerCase):
    def dead(self, name):
        return {item["member"]: item for item in all_pages(self.client, f"{JOBS}/{name}/dead", 2, True)}

    def line(self, name):
        return next(item for item in all_pages(self.client, JOBS, 3) if item["set"] == name)

    def test_every_due_set_is_listed_once_by_name(self):
        self.client.post("/v1/tribes/worlds", {"id": "a-world"})
        self.client.send("PUT", "/v1/economy/a-realm")
        wanted = {"cache", BOMBS, "economy_bombs:a-realm", "ledger_accounts:0", "ledger_accounts:3",
                  "ledger_transfers:0", "ledger_types", "tribes_deletions", "tribes_jobs:a-world", "tribes_jobs:default",
                  "tribes_updates:a-world", "tribes_updates:default"}
        listed = lambda limit: [item["set"] for item in all_pages(self.client, JOBS, limit)]
        self.client.post("/v1/economy/default/players/1/farm", {"name": "x"})
        eventually(lambda: wanted <= set(listed(500)), "the sets of new realms and worlds")
        for limit in (1, 2, 5):
            self.assertEqual(listed(limit), listed(500))
        self.assertEqual(len(set(listed(500))), len(listed(500)))
        page = self.client.get(JOBS)
        self.assertEqual(Document(self.client).faults_of("GET", JOBS, page), [])

    def test_a_dead_member_shows_up_and_is_requeued(self):
        broken = "no user at all"
        redis_cli(self.server.redis_socket, "ZADD", "user_updates", "1", broken)
        eventually(lambda: broken in self.dead("tribes_updates:default"), "the member is dead", patience_s=60)
        found = self.dead("tribes_updates:default")[broken]
        self.assertEqual(found["why"], "this is not the id of a user")
        self.assertEqual(self.line("tribes_updates:default")["dead"], 1)
        listed = self.client.get(f"{JOBS}/tribes_updates:default/dead")
        self.assertEqual(Document(self.client).faults_of("GET", f"{JOBS}/x/dead", listed), [])
        eventually(lambda: self.client.get(STATS).json["health"]["status"] == "degraded", "health says so")
        self.assertIn("tribes_updates: 1", self.client.get(STATS).json["health"]["problems"]["dead_work"])

        path = f"{JOBS}/tribes_updates:default/dead/{quote(broken, safe='')}"
        requeued = self.client.post(f"{path}/requeue", headers={"Idempotency-Key": "again"})
        self.assertEqual((requeued.status, requeued.raw), (204, b""))
        again = self.client.post(f"{path}/requeue", headers={"Idempotency-Key": "again"})
        self.assertEqual((again.status, again.headers["Idempotency-Replayed"]), (204, "true"))
        eventually(lambda: self.dead("tribes_updates:default").get(broken, found)["died_at"] != found["died_at"],
                   "it was tried again and failed again", patience_s=60)
        self.assertEqual(self.client.send("DELETE", path).status, 204)
        self.assertEqual(self.dead("tribes_updates:default"), {})
        self.assert_problem(self.client.send("DELETE", path), 404, "dead_member_not_found")
        self.assert_problem(self.client.post(f"{path}/requeue"), 404, "dead_member_not_found")
        eventually(lambda: self.client.get(STATS).json["health"]["status"] == "ok", "all is well again")

    def test_dead_members_have_pages_and_any_bytes_can_be_shown(self):
        self.client.post("/v1/economy/default/players/1/farm", {"name": "x"})
        members = [f"{'x' * 150}{i}" for i in range(3)] + [f"m/{i}?" for i in range(4)] + ["Ä 🍕"]
        for member in members:
            redis_cli(self.server.redis_socket, "ZADD", "bombs-schedule:dead", "5", member)
        redis_cli(self.server.redis_socket, "EVAL", "return redis.call('ZADD', KEYS[1], 6, '\\255')", "1",
                  "bombs-schedule:dead")
        self.assertEqual(sorted(self.dead(BOMBS)), sorted([*members, "%FF"]))
        self.assertEqual(self.client.send("DELETE", f"{JOBS}/{BOMBS}/dead/{quote('m/1?', safe='')}").status, 204)
        self.assertNotIn("m/1?", self.dead(BOMBS))
        redis_cli(self.server.redis_socket, "DEL", "bombs-schedule:dead")

    def test_a_dead_transfer_is_never_dropped(self):
        member = "ann 1 main gift"
        redis_cli(self.server.redis_socket, "ZADD", "{0}:score_relay:dead", "5", member)
        path = f"{JOBS}/ledger_transfers:0/dead/{quote(member)}"
        refused = self.client.send("DELETE", path)
        self.assert_problem(refused, 409, "member_must_stay")
        self.assertIn("larder ledger transfers", refused.json["detail"])
        self.assertEqual(list(self.dead("ledger_transfers:0")), [member])
        redis_cli(self.server.redis_socket, "DEL", "{0}:score_relay:dead")

    def test_a_name_can_mean_no_other_key(self):
        redis_cli(self.server.redis_socket, "ZADD", "secret:dead", "5", "x")
        for name in ("secret", "bombs-schedule", "user_updates", "{0}:score_relay", "ledger_accounts", "ledger_accounts:",
                     "ledger_accounts:4", "ledger_accounts:00", "ledger_accounts:-1", "ledger_types:0", "cache:", "cache:x",
                     "economy_bombs", "economy_bombs:nowhere", "tribes_updates:nowhere", "tribes_updates:a:b", "*", ":",
                     "economy_bombs:default:", "x" * 128):
            for method, tail in (("GET", ""), ("POST", "/x/requeue"), ("DELETE", "/x")):
                answer = self.client.send(method, f"{JOBS}/{quote(name, safe='')}/dead{tail}")
                self.assert_problem(answer, 404, "due_set_not_found")

    def test_wrong_input_and_missing_scopes_are_refused(self):
        for path, field in ((f"{JOBS}?cursor=", "cursor"), (f"{JOBS}?limit=501", "limit"), (f"{JOBS}?x=1", "x"),
                            (f"{JOBS}/{BOMBS}/dead?cursor=1-x", "cursor"), (f"{JOBS}/{BOMBS}/dead?cursor=zz", "cursor"),
                            (f"{JOBS}/{BOMBS}/dead?cursor=1-0", "cursor"), (f"{JOBS}/{'x' * 129}/dead", "set"),
                            (f"{STATS}?minutes=0", "minutes"), (f"{STATS}?minutes=61", "minutes"),
                            (f"{SEARCH}", "q"), (f"{SEARCH}?q=", "q"), (f"{SEARCH}?q={'x' * 129}", "q"),
                            (f"{SETTINGS}?all", "all")):
            self.assert_problem(self.client.get(path), 400, "invalid_request", field=field)
        self.assert_problem(self.client.send("DELETE", f"{JOBS}/{BOMBS}/dead/{'x' * 401}"), 400, "invalid_request",
                            field="member")
        made = run_larder("key", "create", "--name", "games", "--scope", "ledger,economy,tribes,messages,discord",
                          "--data", self.server.data)
        other = self.server.client(made.stdout.strip())
        self.addCleanup(other.close)
        for method, path in (("GET", STATS), ("GET", JOBS), ("GET", SETTINGS), ("GET", f"{SEARCH}?q=a"),
                             ("GET", f"{JOBS}/{BOMBS}/dead"), ("POST", f"{JOBS}/{BOMBS}/dead/x/requeue"),
                             ("DELETE", f"{JOBS}/{BOMBS}/dead/x")):
            self.assert_problem(other.send(method, path), 403, "forbidden")


class Cluster(Case):
    def test_a_cluster_shows_its_sum_and_the_sets_of_every_shard(self):
        cluster = self.open(RedisCluster())
        server = self.open(Server("--redis", cluster.url, "--set", "redis.replicas_min=0"))
        client = server.client()
        self.addCleanup(client.close)
        self.assertEqual(client.post("/v1/economy/game/players/111/farm", {"name": "Ann"}).status, 200)
        listed = lambda: {item["set"]: item for item in all_pages(client, JOBS, 500)}
        eventually(lambda: "economy_bombs:game" in listed(), "the realm is open")
        self.assertLessEqual({"ledger_accounts:0", "ledger_transfers:1023", "cache", "tribes_deletions"}, set(listed()))
        path = f"{JOBS}/ledger_transfers:1023/dead"
        self.assertEqual(client.get(path).json, {"items": [], "next_cursor": None})
        self.assert_problem(client.post(f"{path}/x/requeue"), 404, "dead_member_not_found")
        self.assert_problem(client.get(f"{JOBS}/ledger_transfers:1024/dead"), 404, "due_set_not_found")
        eventually(lambda: client.get(f"{SEARCH}?q=111").json["items"], "the player is found")
        eventually(lambda: (memory := client.get(STATS).json["series"]["redis_memory_bytes"]) and memory[-1],
                   "a sample of all masters")


class Settings(Case):
    def test_the_settings_in_use_are_those_of_the_dump_and_passwords_are_hidden(self):
        redis = self.open(RedisServer())
        port = free_port()
        redis_cli(redis.socket, "CONFIG", "SET", "port", port)
        redis_cli(redis.socket, "CONFIG", "SET", "requirepass", "s3cret")
        url = f"redis://default:s3cret@127.0.0.1:{port}"
        args = ("--redis", url, "--set", "server.rate_seconds=77", "--set", "cache.keep.messages=90s")
        server = self.open(Server(*args))
        client = server.client()
        self.addCleanup(client.close)
        answer = client.get(SETTINGS)
        self.assertEqual(Document(client).faults_of("GET", SETTINGS, answer), [])
        self.assertNotIn(b"s3cret", answer.raw)
        values = {item["name"]: item["value"] for item in answer.json["items"]}
        self.assertEqual((values["server.rate_seconds"], values["economy.allow_seed"]), (77, False))
        self.assertEqual(values["redis.url"], url.replace("s3cret", "***"))
        self.assertEqual(values["cache.keep.messages"], "90s")
        dumped = run_larder("config", "dump", *args, "--data", server.data).stdout
        names = []
        section = ""
        for line in dumped.splitlines():
            if line.startswith("["):
                section = line.strip("[]") + "."
            elif " = " in line:
                names.append(section + line.split(" = ")[0])
        self.assertEqual(list(values), names)


class Search(SharedServerCase):
    def hits(self, text):
        answer = self.client.get(f"{SEARCH}?q={quote(text, safe='')}")
        self.assertEqual(answer.status, 200, answer)
        self.assertEqual(Document(self.client).faults_of("GET", SEARCH, answer), [])
        self.assertEqual(answer.json["unavailable"], [])
        return answer.json["items"]

    def found(self, text):
        """(system, kind, id, name) of each hit. Every path must show something."""
        items = self.hits(text)
        for item in items:
            if item["path"]:
                self.assertEqual(self.client.get(item["path"]).status, 200, item)
        return [(item["system"], item["kind"], item["id"], item["name"]) for item in items]

    def until(self, text, *wanted):
        """The journal has what was written a moment later."""
        eventually(lambda: set(wanted) <= set(self.found(text)), f"{wanted} is found by {text}")
        return self.found(text)

    def test_orders_and_users_of_the_ledger(self):
        points = self.client.new_type("points")
        order = f"gift:{uuid.uuid4().hex}"
        for uid in ("ann@x.org", "a+b|c"):
            self.client.post("/v1/ledger/entries", {"order_id": order, "op": "add", "type": points, "domain": "main",
                                                    "uid": uid, "amount": 1})
        eventually(lambda: len(self.found(order)) == 2, "both orders are found")
        self.assertEqual({hit[:3] for hit in self.found(order)}, {("ledger", "order", order)})
        self.assertEqual(self.until("a+b|c", ("ledger", "user", "a+b|c", None)), [("ledger", "user", "a+b|c", None)])

    def test_players_of_realms_by_id_and_name(self):
        for realm, name in (("north", "Quest Me"), ("south", "Questing")):
            self.client.post(f"/v1/economy/{realm}/players/7001/farm", {"name": name})
        eventually(lambda: len(self.found("7001")) == 2, "both players are found")
        self.assertEqual({hit["realm"] for hit in self.hits("7001")}, {"north", "south"})
        self.assertEqual({hit[3] for hit in self.found("qUEST")}, {"Quest Me", "Questing"})
        self.assertEqual(self.found("quest m"), [("economy", "player", "7001", "Quest Me")])
        self.client.post("/v1/economy/north/players/7001/farm", {"name": "Renamed"})
        self.until("renamed", ("economy", "player", "7001", "Renamed"))
        self.assertEqual(self.found("quest m"), [])

    def test_accounts_and_towns(self):
        player = Player(self, self.server.client(), "Searched_One").register()
        player.client.post("/v1/tribes/worlds/default/join")
        self.until("searched_", ("accounts", "user", player.id, "Searched_One"))
        self.until(player.id, ("accounts", "user", player.id, "Searched_One"),
                   ("tribes", "player", player.id, "Searched_One"))
        town = next(hit for hit in self.hits(player.id) if hit["system"] == "tribes")
        self.assertEqual(town["world"], "default")

    def test_messages_and_discord(self):
        made = self.client.post("/v1/messages", {"text": "hi", "author_id": "a", "target_id": "7100",
                                                 "rule": {"tokens": 1, "seconds": 60}}).json
        self.assertIn(("messages", "message", str(made["id"]), None), self.found(str(made["id"])))
        self.assertIn(("messages", "user", "7100", None), self.found("7100"))
        Discord(self, self.client).apply(dispatch("GUILD_CREATE", guild()), dispatch("MESSAGE_CREATE", message("7300")))
        self.assertEqual(self.found(GUILD), [("discord", "guild", GUILD, "Larder")])
        self.assertEqual(self.found(CHANNEL), [("discord", "channel", CHANNEL, "general")])
        self.assertEqual(self.found(MEMBER), [("discord", "user", MEMBER, "ada")])
        self.assertEqual(self.found("7300"), [("discord", "message", "7300", None)])

    def test_what_nobody_has_is_found_nowhere(self):
        for text in ("nobody-has-this", "%", "_", "'; DROP TABLE account; --", "*", "Ä🍕", "\u00ad", "0", "-1", "99999999999",
                     "{0}:score_relay", "../x", "a b", "x" * 128, "18446744073709551616"):
            self.assertEqual(self.found(text), [], text)


class Players(SharedServerCase):
    def test_players_of_a_realm_have_pages_and_prefixes(self):
        names = {f"80{i:02}": f"{'Anna' if i % 2 else 'bert'} {i}" for i in range(9)}
        for player, name in names.items():
            self.client.post(f"/v1/economy/pages/players/{player}/farm", {"name": name})
        path = "/v1/economy/pages/players"
        listed = all_pages(self.client, path, 4)
        self.assertEqual({item["id"]: item["name"] for item in listed}, names)
        for item in listed:
            shown = self.client.get(f"{path}/{item['id']}").json
            self.assertEqual(item["balance"], shown["balance"])
        annas = all_pages(self.client, f"{path}?prefix=ANNA", 3)
        self.assertEqual([item["name"] for item in annas], sorted(name for name in names.values() if name[0] == "A"))
        self.assertEqual(Document(self.client).faults_of("GET", path, self.client.get(path)), [])
        self.assertEqual(self.client.get("/v1/economy/no-realm/players").json, {"items": [], "next_cursor": None})
        for query, field in (("prefix=", "prefix"), (f"prefix={'x' * 65}", "prefix"), ("cursor=a/b", "cursor")):
            self.assert_problem(self.client.get(f"{path}?{query}"), 400, "invalid_request", field=field)
        self.client.send("DELETE", "/v1/economy/pages")
        eventually(lambda: self.client.get(path).json.get("items") == [], "a deleted realm has no players")
        self.assertEqual(self.client.get(f"{SEARCH}?q=8001").json["items"], [])

    def test_players_of_a_world_come_each_once(self):
        world = "/v1/tribes/worlds/crowd"
        self.client.post("/v1/tribes/worlds", {"id": "crowd"})
        ids = []
        for _ in range(5):
            player = Player(self, self.server.client()).register()
            player.client.post(f"{world}/join")
            ids.append(player.id)
        listed = all_pages(self.client, f"{world}/players", 2)
        self.assertEqual(sorted(item["user_id"] for item in listed), sorted(ids))
        board = {item["user_id"]: item for item in self.client.get(f"{world}/leaderboard").json["items"]}
        for item in listed:
            del board[item["user_id"]]["rank"]
            self.assertEqual(item, board[item["user_id"]])
        many = [word for i in range(1000) for word in (f"u{i}", f"{i},1 name {i}")]
        redis_cli(self.server.redis_socket, "HSET", "{tribes:crowd}:names", *many)
        for limit in (50, 500):
            listed = [item["user_id"] for item in all_pages(self.client, f"{world}/players", limit)]
            self.assertEqual(sorted(listed), sorted([*ids, *(f"u{i}" for i in range(1000))]))
        self.assertEqual(Document(self.client).faults_of("GET", f"{world}/players", self.client.get(f"{world}/players")), [])
        self.assert_problem(self.client.get("/v1/tribes/worlds/nope/players"), 404, "world_not_found")
        for cursor in ("x", "1", "-1/", "1/a b", "99999999999999999999/"):
            self.assert_problem(self.client.get(f"{world}/players?cursor={quote(cursor)}"), 400, "invalid_request",
                                field="cursor")


if __name__ == "__main__":
    main()
