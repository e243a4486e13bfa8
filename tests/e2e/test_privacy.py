"""Export and forget: what all systems have about a user, and that afterwards no byte of it is left."""
import json
import random
import sqlite3
import time
from contextlib import closing

from accounts import AccountsCase
from harness import LONG, SEED, Case, Server, SharedServerCase, TracelessCase, crash, eventually, main, redis_cli, run_larder
from user_traces import Life, needles, search, search_files

USERS = "/v1/admin/users"
FIELDS = ["pseudonym", "state", "done", "not_covered", "requested_at", "finished_at"]
SYSTEMS = ["accounts", "ledger", "economy", "messages", "tribes", "cache", "admin", "web", "events", "webhooks"]
PSEUDONYM = r"^forgotten-[0-9a-v]{16}$"
HOSTILE = ["", "a%20b", "%2e%2e%2f", "..%2Fkeys", "%00", "x" * 65, "%22", "{0}", "*", "%C3%BC", "a%0Ab", "'%3B--"]

# How many streams of the economy have an event that SQL does not have yet.
UNPROJECTED = """
local count = 0
for _, key in ipairs(redis.call('KEYS', '*ajobus*')) do
  local last = redis.call('TYPE', key).ok == 'stream' and redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  if last and redis.call('GET', key .. ':projected') ~= last[1] then count = count + 1 end
end
return count"""


class PrivacyCase(Case):
    def types(self, client):
        gold, silver = client.new_type("gold"), client.new_type("silver")
        rate = client.send("PUT", f"/v1/ledger/rates/{gold}/{silver}", {"numerator": 1, "denominator": 2})
        self.assertEqual(rate.status, 200, rate)
        return gold, silver

    def forget(self, client, id):
        asked = client.post(f"{USERS}/{id}/forget")
        self.assertEqual(asked.status, 202, asked)
        self.assertEqual(list(asked.json), FIELDS)
        self.assertRegex(asked.json["pseudonym"], PSEUDONYM)
        return asked.json

    def job(self, client, id):
        answer = client.get(f"{USERS}/{id}/forget")
        self.assertEqual(answer.status, 200, answer)
        return answer.json

    def wait_for(self, server, id):
        client = server.client()
        self.addCleanup(client.close)
        job = eventually(lambda: (job := self.job(client, id))["state"] == "finished" and job, "the user is forgotten")
        self.assertEqual((job["done"], job["not_covered"]), (SYSTEMS, []))
        return job

    def verify(self, server):
        done = run_larder("verify", "--data", server.data)
        self.assertEqual(done.returncode, 0, done)

    def sums(self, server, client, realms):
        """What all players have together, in the answers and in the journals."""
        boards = {realm: sum(item["balance"] for item in client.get(f"/v1/economy/{realm}/leaderboard?limit=100").json["items"])
                  for realm in realms}
        with closing(sqlite3.connect(f"file:{server.data / 'larder.db'}?mode=ro", uri=True)) as db:
            flows = db.execute("SELECT type_id, SUM(change_amount) FROM (SELECT * FROM score_flow_0 UNION ALL SELECT * FROM "
                               "score_flow_1) GROUP BY type_id ORDER BY type_id").fetchall()
            events = db.execute("SELECT realm, of_items, item, SUM(amount) FROM economy_event GROUP BY realm, of_items, item "
                                "ORDER BY realm, of_items, item").fetchall()
        self.assertTrue(flows and events)
        return boards, flows, events

    def assert_forgotten(self, server, life):
        # Redis removes its older files in the background.
        eventually(lambda: not any("appendonlydir" in found for found in search_files(server.data, life.needles)),
                   "no file of Redis has the id")
        self.assertEqual(search(server, life.needles), [])


class Forget(PrivacyCase):
    def setUp(self):
        self.server = self.open(Server("--set", "webhooks.allow=127.0.0.1"))
        self.client = self.server.client()
        self.addCleanup(self.client.close)

    def test_forget_afterwards_nothing_of_the_id_is_found_in_any_key_value_table_or_stream(self):
        redis_cli(self.server.redis_socket, "SET", "{larder}:events:wanted", "1", "EX", "3600")
        life = Life(self, self.server, "80351110229911077")
        life.live(self.types(self.client), webhooks=True)
        self.verify(self.server)
        life.set_aside_events()
        self.wait_for_traces(life, "SQL score_flow", "SQL economy_event", "SQL economy_state", "SQL message", "larder:idempotency",
                             "score_os", "ajobus:dead", "score_outbox:dead", "drc:v1:users", "drc:v1:guilds", "file larder.db",
                             "file redis/appendonlydir", "file redis-cache/appendonlydir", "Redis redis: ajobus", "Redis redis: lb",
                             "{larder}:events", "{larder}:webhook:")
        sums = self.sums(self.server, self.client, ("default", "guild-0"))

        self.check_export(life)
        job = self.forget(self.client, life.id)
        self.assertEqual(self.wait_for(self.server, life.id)["pseudonym"], job["pseudonym"])
        self.assert_forgotten(self.server, life)
        self.assertEqual(self.sums(self.server, self.client, ("default", "guild-0")), sums)
        account = self.client.get(f"/v1/ledger/users/{job['pseudonym']}/accounts").json["items"]
        self.assertEqual(len(account), 2, account)
        redis_cli(self.server.redis_socket, "DEL", "{0}:score_outbox:dead", "ajobus:dead")
        self.verify(self.server)

        self.check_repetition(life, job)
        self.check_restart_and_rebuild(life)

    def wait_for_traces(self, life, *places):
        def missing():
            before = search(self.server, life.needles)
            return [place for place in places if not any(place in found for found in before)]
        eventually(lambda: not missing(), "the user has left traces everywhere")

    def check_export(self, life):
        answer = self.client.get(f"{USERS}/{life.id}/export")
        self.assertEqual(answer.status, 200, answer)
        self.assertEqual(list(answer.json), ["user_id", "exported_at", "systems", "not_exported"])
        self.assertEqual((answer.json["user_id"], answer.json["not_exported"]), (life.id, []))
        systems = answer.json["systems"]
        self.assertEqual(list(systems), SYSTEMS)
        self.assertEqual({name: sorted(sections) for name, sections in systems.items()},
                         {"accounts": [], "ledger": ["accounts", "flows"] + ["set_aside"] * ("set_aside" in systems["ledger"]),
                          "economy": ["events", "players", "set_aside", "states"], "messages": ["history", "messages"],
                          "tribes": [], "cache": ["keys"], "admin": [], "web": [], "events": [], "webhooks": ["deliveries"]})
        self.assertEqual({player["realm"]: player["name"] for player in systems["economy"]["players"]},
                         {"default": life.name, "guild-0": life.name})
        self.assertEqual([message["text"] for message in systems["messages"]["messages"]], [life.text] * 2)
        done = run_larder("user", "export", life.id, "--data", self.server.data)
        self.assertEqual(done.returncode, 0, done)
        exported = json.loads(done.stdout)
        self.assertEqual(exported["systems"]["ledger"]["accounts"], systems["ledger"]["accounts"])
        self.assertEqual(len(exported["systems"]["cache"]["keys"]), len(systems["cache"]["keys"]))

    def check_repetition(self, life, job):
        """Whoever comes back is somebody else, with another pseudonym."""
        again = self.forget(self.client, life.id)
        self.assertNotEqual(again["pseudonym"], job["pseudonym"])
        self.wait_for(self.server, life.id)
        self.assert_forgotten(self.server, life)

    def check_restart_and_rebuild(self, life):
        self.assertEqual(self.server.stop(), 0)
        self.server.start()
        self.assert_forgotten(self.server, life)
        self.assertEqual(self.server.stop(), 0)
        for file in (self.server.data / "redis" / "appendonlydir").iterdir():
            file.unlink()
        done = run_larder("rebuild", "--data", self.server.data)
        self.assertEqual(done.returncode, 0, done)
        self.server.start()
        self.assert_forgotten(self.server, life)
        self.verify(self.server)

    def test_the_command_waits_and_says_what_it_is_called_now(self):
        gold, _ = self.types(self.client)
        self.client.entry(order_id="1", op="add", type=gold, domain="main", uid="7", amount=7, remark="seven")
        self.client.entry(order_id="2", op="add", type=gold, domain="main", uid="77", amount=7, remark="7 of 7")
        done = run_larder("user", "forget", "7", "--data", self.server.data)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertRegex(done.stdout, r"^the user is forgotten; journals and events have forgotten-[0-9a-v]{16} instead\n$")
        self.assertEqual([flow["remark"] for flow in self.client.flows("77")], ["7 of 7"])  # too short to mean the user
        self.assertEqual(self.client.flows("7"), [])
        self.verify(self.server)

    def test_without_a_server_the_command_says_that_it_is_not_done(self):
        self.assertEqual(self.server.stop(), 0)
        done = run_larder("user", "forget", "someone", "--wait", "0", "--data", self.server.data)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done)
        self.assertIn("not done yet", done.stderr)
        self.server.start()
        self.wait_for(self.server, "someone")

    def test_an_export_that_does_not_fit_into_an_answer(self):
        self.assertEqual(self.server.stop(), 0)
        with closing(sqlite3.connect(self.server.data / "larder.db")) as db, db:
            db.executemany("INSERT INTO message (text, author_id, target_id, active, tokens, seconds, continuous, created_at_ms, "
                           "changed_at_ms, version) VALUES (?, 'author', 'talkative', 1, 1, 1, 0, 1, 1, 1)",
                           [("x" * 8000,)] * 4500)
        self.server.start()
        client = self.server.client()
        self.addCleanup(client.close)
        self.assert_problem(client.get(f"{USERS}/talkative/export"), 409, "export_too_large")
        done = run_larder("user", "export", "talkative", "--data", self.server.data)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(json.loads(done.stdout)["systems"]["messages"]["messages"]), 4500)

    def test_an_export_without_a_server_says_that_the_cache_is_missing(self):
        self.assertEqual(self.server.stop(), 0)
        file = self.server.data / "someone.json"
        done = run_larder("user", "export", "someone", "--output", file, "--data", self.server.data)
        self.assertEqual(done.returncode, 1, done)
        missing = json.loads(file.read_text())["not_exported"]
        self.assertEqual([what.split(":")[0] for what in missing], ["cache"], missing)
        self.assertIn(f"larder: not exported: {missing[0]}", done.stderr)
        again = run_larder("user", "export", "someone", "--output", file, "--data", self.server.data)
        self.assertIn("cannot write a new file", again.stderr)


class Crashes(PrivacyCase):
    """kill -9 in the middle: the job goes on, and afterwards nothing is left and everything fits."""

    def test_a_job_survives_kills_at_any_moment(self):
        rng = random.Random(SEED)
        server = self.open(Server())
        client = server.client()
        self.addCleanup(client.close)
        types = self.types(client)
        lives = [Life(self, server, f"80351110229911{number:03}", number) for number in range(4 if LONG else 2)]
        for life in lives:
            life.live(types)
        eventually(lambda: redis_cli(server.redis_socket, "EVAL", UNPROJECTED, "0").strip() == "0", "SQL has the events")
        sums = self.sums(server, client, ("default",))
        for life in lives:
            self.forget(client, life.id)
        client.close()
        for kind in ("both", "server", "redis", "both") * (5 if LONG else 1):
            time.sleep(rng.uniform(0, 1.2))
            crash(server, kind, rng)
        for life in lives:
            self.wait_for(server, life.id)
            self.assert_forgotten(server, life)
        client = server.client()
        self.addCleanup(client.close)
        self.assertEqual(self.sums(server, client, ("default",)), sums)
        self.verify(server)


class Accounts(AccountsCase, PrivacyCase):
    """The id of an account was drawn at random and stays. Everything that names the person goes."""

    def test_an_account_is_deleted_and_what_stays_is_said(self):
        server = self.open(Server())
        player = self.player(server, "Heimlichkeit").register()
        joined = player.client.post("/v1/tribes/worlds/default/join")
        self.assertEqual(joined.status, 201, joined)
        client = server.client()
        self.addCleanup(client.close)
        wanted = needles("Heimlichkeit", "heimlichkeit")
        eventually(lambda: any("SQL tribes_event" in found for found in search(server, wanted)), "SQL has the events")
        exported = client.get(f"{USERS}/{player.id}/export").json["systems"]
        self.assertEqual(exported["accounts"]["account"][0]["username"], "Heimlichkeit")
        self.assertEqual(len(exported["tribes"]["towns"]), 1)
        self.forget(client, player.id)
        job = eventually(lambda: (job := self.job(client, player.id))["state"] == "finished" and job, "it is done")
        self.assertEqual([what.split(":")[0] for what in job["not_covered"]], ["accounts", "tribes"])
        eventually(lambda: not search_files(server.data, wanted), "no file has the name")
        self.assertEqual(search(server, wanted), [])
        self.assertEqual(player.status(), 401)
        done = run_larder("user", "forget", player.id, "--data", server.data)
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("not covered: tribes: the id that was drawn", done.stdout)
        self.verify(server)


class Refusals(SharedServerCase):
    def test_only_admins_may_export_and_forget(self):
        made = self.client.post("/v1/admin/keys", {"name": "bot", "scopes": ["ledger", "economy", "tribes"]})
        bot = self.server.client(made.json["token"])
        nobody = self.server.client("")
        for client in (bot, nobody):
            self.addCleanup(client.close)
        for method, path in (("GET", "export"), ("POST", "forget"), ("GET", "forget")):
            self.assert_problem(bot.send(method, f"{USERS}/alice/{path}"), 403, "forbidden")
            self.assert_problem(nobody.send(method, f"{USERS}/alice/{path}"), 401, "unauthorized")

    def test_a_user_whom_nobody_wants_to_forget(self):
        self.assert_problem(self.client.get(f"{USERS}/nobody/forget"), 404, "forget_not_found")

    def test_commands_refuse_what_is_no_id(self):
        for id in ("a b", "x" * 65, "../keys", "a\nb"):
            for command in ("export", "forget"):
                done = run_larder("user", command, id, "--data", self.server.data)
                self.assertEqual(done.returncode, 1, done)
                self.assertIn("the id must be 1 to 64 characters", done.stderr)
        done = run_larder("user", "forget", "x", "--wait", "soon", "--data", self.server.data)
        self.assertIn("--wait must be 0 to 86400", done.stderr)


class Hostile(TracelessCase):
    def test_hostile_ids_are_refused_and_leave_no_trace(self):
        for id in HOSTILE:
            for method, path in (("GET", "export"), ("POST", "forget"), ("GET", "forget")):
                answer = self.client.send(method, f"{USERS}/{id}/{path}")
                self.assertIn(answer.status, (400, 404), (id, answer))
                self.assertNotIn(b"Traceback", answer.raw)

    def test_an_export_of_nobody_is_empty_and_leaves_no_trace(self):
        answer = self.client.get(f"{USERS}/nobody/export")
        self.assertEqual(answer.json["systems"], {name: {} for name in SYSTEMS})


if __name__ == "__main__":
    main()
