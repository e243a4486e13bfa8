"""The Discord cache as a bot sees it: events go in, objects come out. Its Redis is a process of its own."""
import json
import os
import signal
import uuid

from discord import (APPLICATION, BOT, CHANNEL, DISCORD, GUILD, MEMBER, OWNER, ROLE, Discord, dispatch, guild, member,
                     message, user)
from event_stream import EventsCase
from harness import (Case, RedisServer, Server, SharedServerCase, TempDir, eventually, is_alive, kill_quietly, main,
                     redis_cli, redis_keys, run_larder)

NDJSON = {"Content-Type": "application/x-ndjson"}


class CacheCase(SharedServerCase):
    def setUp(self):
        super().setUp()
        self.discord = Discord(self, self.client)


class Events(CacheCase):
    def test_a_guild_goes_in_and_comes_out(self):
        self.discord.apply(dispatch("GUILD_CREATE", guild()))
        self.assertEqual(self.discord.get(f"/guilds/{GUILD}")["name"], "Larder")
        self.assertIn(GUILD, [item["id"] for item in self.discord.listed("/guilds")])
        found = self.discord.get(f"/guilds/{GUILD}/members/{MEMBER}")
        self.assertEqual((found["user"]["username"], found["roles"]), ("ada", [ROLE]))
        raw = self.discord.get(f"/guilds/{GUILD}/members/{MEMBER}?raw=true")
        self.assertEqual(raw["user"], MEMBER)
        self.assertEqual(len(self.discord.listed(f"/guilds/{GUILD}/members", limit=1)), 2)
        self.assertEqual([role["id"] for role in self.discord.listed(f"/guilds/{GUILD}/roles")], [GUILD, ROLE])
        self.assertEqual(self.discord.get(f"/channels/{CHANNEL}")["guild_id"], GUILD)
        self.assertEqual([item["id"] for item in self.discord.listed(f"/users/{MEMBER}/guilds")], [GUILD])

    def test_the_permissions_of_a_member_are_computed(self):
        self.discord.apply(dispatch("GUILD_CREATE", guild()))
        found = self.discord.get(f"/guilds/{GUILD}/members/{MEMBER}/permissions")
        self.assertEqual(found, {"permissions": "11264", "effective": "11264",
                                 "names": ["VIEW_CHANNEL", "SEND_MESSAGES", "MANAGE_MESSAGES"]})
        self.assertEqual(self.discord.get(f"/guilds/{GUILD}/members/{MEMBER}/permissions?channel={CHANNEL}"), found)
        self.assert_problem(self.client.get(f"{DISCORD}/guilds/{GUILD}/members/1/permissions"), 404, "not_cached")

    def test_an_object_before_a_change_is_reported(self):
        self.discord.apply(dispatch("GUILD_CREATE", guild()), dispatch("MESSAGE_CREATE", message("5001", "old")))
        answer = self.discord.send(dispatch("TYPING_START", {"channel_id": CHANNEL}),
                                   dispatch("MESSAGE_UPDATE", message("5001", "new")), query="?before=true").json
        self.assertEqual((answer["applied"], answer["ignored"]), (1, 1))
        self.assertEqual([(each["index"], each["object"]["content"]) for each in answer["before"]], [(1, "old")])
        self.assertEqual(self.discord.get("/messages/5001")["content"], "new")

    def test_a_malformed_event_fails_alone(self):
        good = json.dumps(dispatch("USER_UPDATE", user("7001", "eve")))
        bad = ['{"t":"USER_UPDATE","d":{"id":"7002","username":"\\ud800"}}', '{"t":"X"}', "nonsense", "",
               '{"t":"USER_UPDATE","d":{"id":"x"}}', '{"t":"NEW_THING","d":{}}', "[" * 100 + "]" * 100]
        answer = self.client.send("POST", f"{DISCORD}/events", f"[{','.join([good, *bad, good])}]").json
        self.assertEqual((answer["applied"], answer["unknown"]), (2, {"NEW_THING": 1}))
        self.assertEqual([failure["index"] for failure in answer["failed"]], [1, 2, 3, 4, 5, 7])
        self.assertEqual({failure["code"] for failure in answer["failed"]}, {"invalid_dispatch"})
        self.assertEqual(self.discord.get("/users/7001")["username"], "eve")

    def test_lines_of_events_are_taken_too(self):
        body = "\n".join(["", json.dumps(dispatch("USER_UPDATE", user("7101"))), "{", "",
                          json.dumps(dispatch("USER_UPDATE", user("7102")))])
        answer = self.client.send("POST", f"{DISCORD}/events", body, NDJSON).json
        self.assertEqual((answer["applied"], [failure["index"] for failure in answer["failed"]]), (2, [1]))

    def test_eight_mebibytes_are_taken(self):
        members = [member(str(10**17 + i), "x" * 32) for i in range(900)]
        text = json.dumps([dispatch("GUILD_MEMBERS_CHUNK", {"guild_id": "42", "members": members[:20]})] * 900)
        text += " " * (8 * 1024 * 1024 - len(text) if len(text) < 8 * 1024 * 1024 else 0)
        text = text[:8 * 1024 * 1024]
        answer = self.client.send("POST", f"{DISCORD}/events", text)
        self.assertEqual((answer.status, answer.json["applied"]), (200, 900), answer)
        self.assert_problem(self.client.send("POST", f"{DISCORD}/events", text + " "), 413, "body_too_large")

    def test_a_body_without_events_is_refused(self):
        for body in ("", " ", "1", '"x"', "[", "[{}", "[{}] x", f"[{','.join(['{}'] * 1001)}]"):
            self.assert_problem(self.client.send("POST", f"{DISCORD}/events", body), 400, "invalid_request")
        answer = self.client.send("POST", f"{DISCORD}/events", "[]")
        self.assertEqual(answer.json, {"applied": 0, "ignored": 0, "unknown": {}, "failed": []})
        self.assert_problem(self.client.send("POST", f"{DISCORD}/events", "{}", {"Content-Type": "text/plain"}), 415,
                            "unsupported_media_type")


class Objects(CacheCase):
    def test_many_are_looked_up_at_once(self):
        self.discord.apply(dispatch("GUILD_CREATE", guild()))
        keys = [["member", GUILD, MEMBER], ["user", OWNER], ["user", "1"], ["channel", CHANNEL],
                ["channel", GUILD, CHANNEL], ["guild", GUILD], ["widget", GUILD], ["invite", "abc"]]
        items = self.client.post(f"{DISCORD}/lookup", {"keys": keys}).json["items"]
        self.assertEqual([item is not None for item in items], [True, True, False, True, True, True, False, False])
        self.assertEqual((items[0]["user"]["id"], items[1]["username"], items[3]), (MEMBER, "owner", items[4]))
        raw = self.client.post(f"{DISCORD}/lookup?raw=true", {"keys": keys[:1]}).json["items"]
        self.assertEqual(raw[0]["user"], MEMBER)
        self.assertEqual(self.client.post(f"{DISCORD}/lookup", {"keys": []}).json, {"items": []})
        for index, bad in enumerate(("x", [], [1], ["user"], ["user", "x"], ["user", "1", "2"], ["nothing", "1"])):
            answer = self.client.post(f"{DISCORD}/lookup", {"keys": [["user", "1"]] * index + [bad]})
            self.assert_problem(answer, 400, "invalid_request", f"keys[{index}]")

    def test_what_no_event_carries_is_put_and_deleted(self):
        self.discord.apply(dispatch("GUILD_CREATE", guild()))
        for path, body in (
                (f"/applications/{APPLICATION}", {"id": APPLICATION, "name": "bot", "owner": user(OWNER, "owner")}),
                (f"/commands/{APPLICATION}/31", {"id": "31", "application_id": APPLICATION, "name": "farm"}),
                (f"/guilds/{GUILD}/welcome-screen", {"description": "hi", "welcome_channels": []}),
                (f"/guilds/{GUILD}/widget", {"id": GUILD, "name": "Larder", "channels": []}),
                (f"/guilds/{GUILD}/templates/code-1", {"code": "code-1", "name": "t", "source_guild_id": GUILD}),
                (f"/guilds/{GUILD}/webhooks/71", {"id": "71", "guild_id": GUILD, "channel_id": CHANNEL, "type": 1}),
                ("/webhooks/72", {"id": "72", "guild_id": GUILD, "channel_id": CHANNEL, "type": 1}),
                (f"/guilds/{GUILD}/bans/81", {"reason": "spam", "user": user("81", "mallory")})):
            with self.subTest(path=path):
                for method in ("GET", "DELETE"):
                    self.assert_problem(self.client.send(method, DISCORD + path), 404, "not_cached")
                self.assertEqual(self.client.send("PUT", DISCORD + path, body).status, 204)
                found = self.discord.get(path)
                self.assertEqual(found | body, found)
                self.assertEqual(self.client.send("DELETE", DISCORD + path).status, 204)
                self.assert_problem(self.client.get(DISCORD + path), 404, "not_cached")
        self.assert_problem(self.client.send("PUT", f"{DISCORD}/guilds/{GUILD}/roles/1", {}), 400, "invalid_request",
                            "collection")
        self.assert_problem(self.client.send("PUT", f"{DISCORD}/webhooks/72", "[]"), 400, "invalid_request", "webhook")

    def test_a_bad_id_is_refused_by_name(self):
        for path, field in (("guilds/x", "guild_id"), ("users/01", "user_id"), ("users/99999999999999999999", "user_id"),
                            ("channels/-1", "channel_id"), ("messages/1.5", "message_id"), ("invites/a%20b", "code"),
                            (f"guilds/{GUILD}/roles/x", "id"), (f"guilds/{GUILD}/templates/a.b", "id"),
                            (f"guilds/{GUILD}/nothing", "collection"), (f"guilds/{GUILD}/nothing/1", "collection"),
                            ("messages/1/reactions/a%3Ab", "emoji"), ("guilds?limit=0", "limit"),
                            ("guilds?cursor=@", "cursor"), ("users/1?x=1", "x"), ("users/1?raw=2", "raw"),
                            (f"guilds/{GUILD}/members/{MEMBER}/permissions?channel=x", "channel")):
            with self.subTest(path=path):
                self.assert_problem(self.client.get(f"{DISCORD}/{path}"), 400, "invalid_request", field)

    def test_a_key_needs_the_scope(self):
        token = run_larder("key", "create", "--data", self.server.data, "--name", "other", "--scope", "ledger")
        client = self.server.client(token.stdout.split()[-1])
        self.addCleanup(client.close)
        self.assert_problem(client.get(f"{DISCORD}/guilds"), 403, "forbidden")
        self.assert_problem(client.post(f"{DISCORD}/events", []), 403, "forbidden")


class Care(Case):
    def test_objects_and_events_are_counted_and_a_version_is_purged(self):
        server = self.open(Server())
        client = server.client()
        self.addCleanup(client.close)
        discord = Discord(self, client)
        ready = dispatch("READY", {"user": user(BOT), "guilds": [{"id": GUILD, "unavailable": True}]}, s=1, shard=3)
        discord.apply(ready, dispatch("GUILD_CREATE", guild(), s=2, shard=3))
        stats = eventually(lambda: (found := discord.get("/stats"))["shards"] and found, "the counts are written")
        self.assertEqual(stats["events"], {"READY": 1, "GUILD_CREATE": 1})
        self.assertEqual((stats["shards"][0]["shard"], stats["shards"][0]["s"]), (3, 2))
        self.assertEqual((stats["kinds"]["roles"]["objects"], stats["kinds"]["members"]["objects"]), (2, 2))
        self.assertGreater(stats["kinds"]["members"]["bytes"], 100)

        printed = run_larder("discord", "stats", "--data", server.data)
        self.assertIn("GUILD_CREATE", printed.stdout, printed)
        done = run_larder("discord", "reindex", "--data", server.data)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(client.send("DELETE", f"{DISCORD}/cache?version=v0").json, {"deleted": 0})
        self.assertEqual(client.send("DELETE", f"{DISCORD}/cache?version=v1&prefix=other").json, {"deleted": 0})
        for query, field in (("", "version"), ("?version=1", "version"), ("?version=v1&prefix=tribes", "prefix"),
                             ("?version=v1&prefix=%7Bx", "prefix")):
            self.assert_problem(client.send("DELETE", f"{DISCORD}/cache{query}"), 400, "invalid_request", field)
        self.assertEqual(discord.get(f"/guilds/{GUILD}")["id"], GUILD)
        self.assertGreater(client.send("DELETE", f"{DISCORD}/cache?version=v1").json["deleted"], 5)
        self.assertEqual(discord.get("/guilds")["items"], [])

    def test_commands_work_without_a_server(self):
        directory = TempDir()
        self.addCleanup(directory.remove)
        events = directory / "events.ndjson"
        events.write_text(json.dumps(dispatch("GUILD_CREATE", guild())) + "\n\nnonsense\n")
        data = ("--data", directory / "data")
        done = run_larder("discord", "stats", *data)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("there is no data directory", done.stderr)
        run_larder("migrate", *data)
        done = run_larder("discord", "import", events, *data)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("line 3: ", done.stdout)
        self.assertIn("applied 1 event; 1 failed, 0 ignored or unknown", done.stdout)
        self.assertIn("members", run_larder("discord", "stats", *data).stdout)
        self.assertRegex(run_larder("discord", "purge", "--version", "v1", *data).stdout, r"^deleted \d+ keys of drc:v1\n$")
        self.assertNotIn("members", run_larder("discord", "stats", *data).stdout)
        for bad in ("1", "v1:x"):
            done = run_larder("discord", "purge", "--version", bad, *data)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("--version must be v", done.stderr)


class Feed(EventsCase):
    def test_a_change_is_told_with_what_was_before(self):
        server = self.open(Server("--set", "cache.feed.messages=true", "--set", "cache.feed.guilds=true"))
        client = server.client()
        self.addCleanup(client.close)
        discord = Discord(self, client)
        listener = self.listen(server, "?system=discord")
        discord.apply(dispatch("GUILD_CREATE", guild()))
        discord.apply(dispatch("GUILD_MEMBER_UPDATE", {"guild_id": GUILD, "user": user(MEMBER), "nick": "n"}))
        discord.apply(dispatch("MESSAGE_CREATE", message("6000", "bread")))
        discord.apply(dispatch("MESSAGE_UPDATE", message("6000", "cake")))
        discord.apply(dispatch("MESSAGE_DELETE", {"id": "6000", "channel_id": CHANNEL, "guild_id": GUILD}))
        told = [(event.name, event.data["data"]) for event in listener.wait_for(4)]
        self.assertEqual([name for name, _ in told],
                         ["discord.GUILD_CREATE", "discord.MESSAGE_CREATE", "discord.MESSAGE_UPDATE",
                          "discord.MESSAGE_DELETE"])
        self.assertEqual([data["resource"] for _, data in told], ["guilds"] + 3 * ["messages"])
        self.assertEqual({data["guild_id"] for _, data in told}, {GUILD})
        self.assertEqual([[old["content"] for old in data["before"]] for _, data in told[1:]], [[], ["bread"], ["cake"]])
        self.assertEqual(told[2][1]["object"]["content"], "cake")

    def test_nothing_is_told_unless_somebody_asks_for_it(self):
        server = self.open(Server())
        client = server.client()
        self.addCleanup(client.close)
        listener = self.listen(server)
        Discord(self, client).apply(dispatch("GUILD_CREATE", guild()))
        type_id = client.new_type("points")
        client.entry(order_id="1", op="add", type=type_id, domain="main", uid="u", amount=1)
        self.assertFalse([event for event in listener.wait_for(1) if event.name.startswith("discord")])


class OwnRedis(Case):
    def open_server(self, *args):
        server = self.open(Server("--set", "redis.timeout_ms=500", *args))
        client = server.client()
        self.addCleanup(client.close)
        return server, client, Discord(self, client)

    def assert_ledger_works(self, client, type_id):
        entry = {"order_id": uuid.uuid4().hex, "op": "add", "type": type_id, "domain": "main", "uid": "u", "amount": 1}
        self.assertEqual(client.entry(**entry).status, 200)

    def assert_cache_is_away(self, client):
        answer = eventually(lambda: (a := client.get("/readyz?verbose")).status == 503 and a, "/readyz notices")
        self.assert_problem(answer, 503, "not_ready",
                            checks=answer.json["checks"], problems=answer.json["problems"])
        self.assertEqual([name for name, result in answer.json["checks"].items() if result != "ok"], ["cache_redis"])
        with self.symptom("the Redis of the cache is stopped, hangs or cannot be reached; all other systems go on") as row:
            row.readyz(client, "cache_redis")
            refused = client.get(f"{DISCORD}/users/1")
            self.assert_problem(refused, 503, "store_unavailable", outcome_unknown=False)
            row.answer(refused)

    def test_it_is_another_process_with_other_keys(self):
        server, client, discord = self.open_server()
        discord.apply(dispatch("GUILD_CREATE", guild()))
        self.assertNotEqual(server.redis_pid(), server.cache_pid())
        self.assertTrue(all(key.startswith((b"drc:v1:", b"{drc:v1")) for key in redis_keys(server.cache_socket)))
        self.assertFalse([key for key in redis_keys(server.redis_socket) if b"drc" in key])
        config = dict(zip(*[iter(redis_cli(server.cache_socket, "CONFIG", "GET", "*").splitlines())] * 2))
        self.assertEqual((config["appendfsync"], config["maxmemory"], config["maxmemory-policy"]),
                         ("everysec", "0", "noeviction"))
        pids = [server.redis_pid(), server.cache_pid()]
        self.assertEqual(server.stop(), 0)
        self.assertFalse(any(map(is_alive, pids)), "both end with the server")
        server.start()
        client.close()
        again = server.client()
        self.addCleanup(again.close)
        self.assertEqual(Discord(self, again).get(f"/guilds/{GUILD}")["id"], GUILD)

    def test_it_is_started_again_after_a_crash(self):
        server, client, discord = self.open_server()
        discord.apply(dispatch("GUILD_CREATE", guild()))
        shared, old = server.redis_pid(), server.cache_pid()
        kill_quietly(old)
        eventually(lambda: (pid := server.cache_pid()) and pid != old, "the server starts it again")
        eventually(lambda: client.get("/readyz").status == 200, "/readyz is well again")
        self.assertEqual(server.redis_pid(), shared)
        answer = eventually(lambda: (a := discord.send(dispatch("USER_UPDATE", user("9")))).status == 200 and a, "it works")
        self.assertEqual(answer.json["applied"], 1)

    def test_the_ledger_goes_on_while_it_hangs(self):
        server, client, discord = self.open_server()
        type_id = client.new_type("points")
        pid = server.cache_pid()
        self.addCleanup(kill_quietly, pid, signal.SIGCONT)
        os.kill(pid, signal.SIGSTOP)
        self.assert_cache_is_away(client)
        for _ in range(20):
            self.assert_ledger_works(client, type_id)
        answer = discord.send(dispatch("USER_UPDATE", user("9")))
        self.assertEqual((answer.status, answer.json["code"]), (503, "store_unavailable"))
        os.kill(pid, signal.SIGCONT)
        eventually(lambda: client.get("/readyz").status == 200, "/readyz is well again")
        eventually(lambda: discord.send(dispatch("USER_UPDATE", user("9"))).status == 200, "events are taken again")

    def test_a_limit_of_its_memory_is_a_refusal(self):
        server, client, discord = self.open_server("--set", "cache.redis.memory_mb=4")
        type_id = client.new_type("points")
        for number in range(1000):
            messages = [dispatch("MESSAGE_CREATE", message(str(6000 + 50 * number + i), "x" * 2000)) for i in range(50)]
            answer = discord.send(*messages)
            if answer.status != 200:
                break
        self.assert_problem(answer, 503, "cache_full")
        for number in range(10_000):  # the memory that the refused request took is free again
            answer = client.send("PUT", f"{DISCORD}/webhooks/{number}", {"name": "x" * 500})
            if answer.status != 204:
                break
        self.assert_problem(answer, 503, "cache_full")
        self.assertEqual(discord.get("/messages/6000")["id"], "6000")
        self.assert_ledger_works(client, type_id)

    def test_an_external_redis_serves_both_unless_another_is_named(self):
        redis, other = self.open(RedisServer()), self.open(RedisServer())
        for args, holder in (((), redis), (("--set", f"cache.redis.url={other.url}"), other)):
            server, client, discord = self.open_server("--redis", redis.url, *args)
            discord.apply(dispatch("USER_UPDATE", user("9")))
            self.assertEqual((server.redis_pid(), server.cache_pid()), (None, None))
            self.assertIn(b"drc:v1:users:9", redis_keys(holder.socket))
            self.assertEqual("cache_redis" in client.get("/readyz?verbose").json["checks"], holder is other)
            if holder is redis:  # a Redis belongs to one SQL database
                self.assertEqual(server.stop(), 0)
                redis_cli(redis.socket, "FLUSHALL")
        type_id = client.new_type("points")
        other.stop()
        self.assert_cache_is_away(client)
        self.assert_ledger_works(client, type_id)
        self.assertEqual(server.stop(), 0)
        redis_cli(redis.socket, "FLUSHALL")
        server, client, discord = self.open_server("--redis", redis.url, "--set", "cache.redis.url=embedded")
        discord.apply(dispatch("USER_UPDATE", user("9")))
        self.assertIsNone(server.redis_pid())
        self.assertIn(b"drc:v1:users:9", redis_keys(server.cache_socket))

    def test_a_server_starts_without_the_redis_of_the_cache(self):
        server, client, _ = self.open_server("--set", "cache.redis.url=unix:/nonexistent/redis.sock")
        self.assert_cache_is_away(client)
        self.assert_ledger_works(client, client.new_type("points"))

    def test_damaged_files_of_the_cache_stop_the_start_and_the_message_says_what_to_do(self):
        server, _, discord = self.open_server()
        discord.apply(dispatch("USER_UPDATE", user("9")))
        server.stop()
        for file in (server.data / "redis-cache" / "appendonlydir").glob("*.incr.aof"):
            file.write_bytes(b"nonsense\r\n" + file.read_bytes())
        with self.symptom("the files of the cache's Redis are damaged") as row:
            row.ended(run_larder("serve", "--data", server.data, "--listen", "127.0.0.1:0"))

    def test_wrong_settings_stop_the_start(self):
        for setting, words in (("version_info=v1proto", "not supported"), ("version_info=1", "such as v1"),
                               ("prefix=:x", "cache.prefix"), ("prefix=tribes", "other systems"),
                               ("keep.messages=soon", "15m"), ("keep.nothing=true", "unknown setting"),
                               ("redis.url=nonsense", "redis://")):
            done = run_larder("config", "check", "--set", f"cache.{setting}")
            self.assertEqual((done.returncode, done.stdout), (1, ""), setting)
            self.assertIn(words, done.stderr)

    def test_the_settings_can_be_dumped_and_read_back(self):
        directory = TempDir()
        self.addCleanup(directory.remove)
        dump = run_larder("config", "dump", "--set", "cache.keep.messages=36h", env={"LARDER_CACHE__REDIS__MEMORY_MB": "7"})
        self.assertIn("keep.messages = '36h'", dump.stdout)
        self.assertIn("redis.memory_mb = 7", dump.stdout)
        file = directory / "larder.toml"
        file.write_text(dump.stdout.replace("url = ''", "url = 'sqlite:x'"))
        again = run_larder("config", "dump", "--config", file)
        self.assertEqual((again.returncode, again.stderr), (0, ""))
        self.assertEqual(again.stdout, file.read_text())


if __name__ == "__main__":
    main()
