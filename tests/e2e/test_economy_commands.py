"""`larder economy items check|load` and `larder economy verify|rebuild`, as an operator uses them; realms."""
import json
import re
import sqlite3
from contextlib import closing

from economy import ECONOMY, Realm, seed_where, verify
from harness import ROOT, Case, RedisServer, Server, TempDir, eventually, main, redis_cli, run_larder

SHIPPED = ROOT / "src/systems/economy/ajo.json"
# The smaller game in the documentation.
SHELLS = re.search(r"```json[^\n]*\n(.*?)```", (ROOT / "docs/catalogue.md").read_text(), re.S)[1]


class CommandCase(Case):
    def setUp(self):
        self.directory = TempDir()
        self.addCleanup(self.directory.remove)
        self.data = self.directory / "data"
        self.shells = self.directory / "shells.json"
        self.shells.write_text(SHELLS)

    def write(self, name, change):
        """Writes the shipped game with a change."""
        game = json.loads(SHIPPED.read_text())
        change(game)
        (self.directory / name).write_text(json.dumps(game))
        return self.directory / name

    def load(self, file, *args):
        return run_larder("economy", "items", "load", file, "--data", self.data, *args)

    def assert_refused(self, done, *words):
        self.assertEqual((done.returncode, done.stdout), (1, ""), done)
        line = done.stderr.splitlines()[-1]
        self.assertTrue(line.startswith("larder: "), done.stderr)
        for word in words:
            self.assertIn(str(word), line)

    def serve(self, *args):
        server = self.open(Server("--set", "economy.allow_seed=true", *args, data=self.data))
        self.connect(server)
        return server

    def connect(self, server):
        self.client = server.client()
        self.addCleanup(self.client.close)

    def post(self, path, body=None):
        return self.client.post(f"{ECONOMY}/{path}", body)

    def get(self, path):
        answer = self.client.get(f"{ECONOMY}/{path}")
        self.assertEqual(answer.status, 200, answer)
        return answer.json

    def currency(self, realm):
        return self.get(f"{realm}/items")["currency"]


class Check(CommandCase):
    def check(self, file):
        return run_larder("economy", "items", "check", file, cwd=self.directory.path)

    def test_a_right_one_is_told_with_its_version_and_leaves_nothing(self):
        for file, items, rewards in ((SHIPPED, 13, 2), (self.shells, 2, 1)):
            done = self.check(file)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done)
            self.assertRegex(done.stdout,
                             rf"^{re.escape(str(file))} is valid: version [0-9a-f]{{16}}, {items} items?, {rewards} rewards?\n$")
        self.assertEqual([path.name for path in self.directory.path.iterdir()], ["shells.json"])

    def test_a_wrong_one_is_refused_by_its_field(self):
        cases = [(lambda game: game.pop("farm"), "farm"), (lambda game: game.update(colour="red"), "colour"),
                 (lambda game: game["farm"].update(gain=-1), "farm.gain"),
                 (lambda game: game["farm"].update(gain="1"), "farm.gain"),
                 (lambda game: game["vampire"].pop("ttl_max_s"), "vampire.ttl_max_s"),
                 (lambda game: game["items"][2]["craft"][0].update(item=":hreb:"), "items[2].craft[0].item"),
                 (lambda game: game["items"][4].update(names=["cross"]), "items[4].names[0]"),
                 (lambda game: game["items"][4].update(drop=200_000), "items[4].drop"),
                 (lambda game: game["items"][0].update(use={"kind": "explode"}), "items[0].use.kind"),
                 (lambda game: game["rewards"][1].update(name="inventory"), "rewards[1].name"),
                 (lambda game: game["gamble"].update(win_one_in=0), "gamble.win_one_in")]
        for change, field in cases:
            with self.subTest(field=field):
                done = self.check(self.write("wrong.json", change))
                self.assert_refused(done, "wrong.json", field)
                self.assertEqual(done.stderr.count(field), 1, done.stderr)

    def test_what_is_no_catalogue_at_all_is_refused(self):
        file = self.directory / "other.json"
        for text in ("", "{", "[]", "null", "garlic", "{}", '{"currency": "\xff"}'):
            file.write_bytes(text.encode("latin-1"))
            self.assert_refused(self.check(file), "other.json")
        self.assert_refused(self.check(self.directory / "none.json"), "none.json")
        self.assert_refused(self.check(self.directory.path), self.directory.path)


class Load(CommandCase):
    def test_a_running_server_goes_on_with_it_at_the_next_move_and_later_starts_keep_it(self):
        server = self.serve()
        Realm(server.redis_socket, "main").fill("ann", 0, herb=1)
        self.assertEqual(self.post("main/players/ann/rewards/daily").status, 200)
        self.assertEqual(self.post("other/players/ann/rewards/daily").status, 200)
        done = self.load(self.shells, "--realm", "main")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        version = re.fullmatch(r"realm main has catalogue ([0-9a-f]{16}) with 2 items\n", done.stdout)[1]
        seed, _ = seed_where(lambda find, meet: find <= 20 and meet > 1, (1, 100), (0, 99))
        farmed = self.post("main/players/ann/farm", {"name": "Ann", "seed": seed})
        self.assertEqual((farmed.json["gained"], farmed.json["balance"], farmed.json["drop"]),
                         (2, 34, {"item": "🐟", "stack": 1}), farmed)
        for _ in range(2):
            seen = self.get("main/items")
            self.assertEqual((seen["version"], seen["currency"], [item["id"] for item in seen["items"]]),
                             (version, "🐚", ["🐟", "🍣"]))
            self.assertEqual(self.currency("other"), ":garlic:")
            self.assert_problem(self.post("main/players/ann/rewards/daily"), 404, "reward_not_found")
            self.assert_problem(self.post("main/players/ann/craft", {"item": "gear"}), 409, "unknown_item")
            self.assertEqual(self.post("other/players/ann/craft", {"item": "gear"}).status, 200)
            self.assertEqual(self.get("main/players/ann")["inventory"], {"🐟": 1, ":herb:": 1}, "also what is no item now")
            self.assertEqual(server.stop(), 0)
            server.start()
            self.connect(server)
        self.assertEqual(self.post("main/players/ann/rewards/tide").status, 200)
        self.assertEqual(verify(self.data).returncode, 0)

    def test_all_realms_get_it_unless_one_is_named(self):
        server = self.serve()
        for realm in ("default", "one", "two"):
            self.post(f"{realm}/players/ann/rewards/daily")
        done = self.load(self.shells)
        self.assertEqual(sorted(line.split()[1] for line in done.stdout.splitlines()), ["default", "one", "two"], done)
        self.assertEqual([self.currency(realm) for realm in ("default", "one", "two")], ["🐚"] * 3)
        self.assertEqual(self.currency("three"), ":garlic:", "one that comes later begins as the server says")
        done = self.load(SHIPPED, "--realm", "default")
        self.assertEqual([self.currency(realm) for realm in ("default", "one", "two")], [":garlic:", "🐚", "🐚"])
        self.assertEqual(server.stop(), 0)

    def test_without_a_server_it_is_there_when_one_starts(self):
        self.assertEqual(self.serve().stop(), 0)
        self.assert_refused(self.load(self.shells), "no realm yet", "--realm")
        self.assert_refused(self.load(self.shells, "--realm", "new"), "there is no realm new", "--create")
        done = self.load(self.shells, "--realm", "new", "--create")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.serve()
        self.assertEqual(self.currency("new"), "🐚")
        self.assertEqual(self.post("new/players/ann/rewards/tide").json, {"reward": 10, "balance": 10})

    def test_what_cannot_be_loaded_changes_nothing(self):
        self.assert_refused(self.load(self.shells), "there is no data directory")
        self.assertFalse(self.data.exists())
        self.serve()
        self.post("main/players/ann/rewards/daily")
        before = self.get("main/items")
        wrong = self.write("wrong.json", lambda game: game["farm"].update(gain=-1))
        self.assert_refused(self.load(wrong), "wrong.json", "farm.gain")
        self.assert_refused(self.load(self.directory / "none.json"), "none.json")
        self.assert_refused(self.load(self.shells, "--realm", "a:b"), "--realm")
        self.assert_refused(self.load(self.shells, "--realm", "mian"), "no realm mian", "the realms are: main", "--create")
        self.assertEqual(self.get("main/items"), before)

    def test_the_setting_gives_realms_another_game_until_a_command_does(self):
        more = self.write("more.json", lambda game: game["farm"].update(gain=7))
        server = self.serve("--set", f"economy.catalogue={self.shells}")
        self.assertEqual(self.post("main/players/ann/rewards/tide").json, {"reward": 10, "balance": 10})
        self.assertEqual(self.currency("main"), "🐚")
        for catalogue, loaded, currency in ((more, None, ":garlic:"), (self.shells, more, "🐚"),
                                            (self.shells, None, ":garlic:")):
            self.assertEqual(server.stop(), 0)
            server = self.serve("--set", f"economy.catalogue={catalogue}")
            self.assertEqual(self.currency("main"), currency)
            if loaded:
                self.assertEqual(self.load(loaded, "--realm", "main").returncode, 0)
                self.assertEqual(self.currency("main"), ":garlic:")
        self.assertEqual(server.stop(), 0)
        wrong = self.write("wrong.json", lambda game: game["items"][0].pop("id"))
        done = run_larder("config", "check", "--set", f"economy.catalogue={wrong}")
        self.assert_refused(done, "wrong.json", "items[0].id")
        wrong = self.write("wrong.json", lambda game: game["farm"].update(gain=-1))
        with self.symptom("the file of a catalogue is wrong") as row:
            row.ended(run_larder("serve", "--data", self.data, "--set", f"economy.catalogue={wrong}"))


class Verify(CommandCase):
    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.main = Realm(self.server.redis_socket, "main")
        self.main.fill("ann", 100, herb=8)
        for path, body in (("ann/pay", {"to": "bob", "amount": 10}), ("ann/craft", {"item": "cross"}),
                           ("cat/rewards/daily", None)):
            self.assertEqual(self.post(f"main/players/{path}", body).status, 200)
        self.assertEqual(self.post("other/players/ann/rewards/weekly").status, 200)
        for realm in ("main", "other"):
            self.get(f"{realm}/events")  # waits until the events are in SQL

    def sql(self, statement):
        with closing(sqlite3.connect(self.data / "larder.db", timeout=30)) as db, db:
            self.assertEqual(db.execute(statement).rowcount, 1, statement)

    def assert_told(self, *differences, args=()):
        done = verify(self.data, *args)
        lines = done.stdout.splitlines()
        self.assertEqual((done.returncode, sorted(lines[:-1]), done.stderr),
                         (1 if differences else 0, sorted(differences), ""))
        count = "no differences" if not differences else "1 difference" if len(differences) == 1 else \
            f"{len(differences)} differences"
        self.assertRegex(lines[-1], rf"^{count}: compared \d+ players? of \d realms? with their events$")
        return lines[-1]

    def test_nothing_differs_beside_a_server_and_without_one(self):
        fine = "no differences: compared 4 players of 2 realms with their events"
        self.assertEqual(self.assert_told(), fine)
        self.assertEqual(self.assert_told(args=("--redis", f"unix:{self.server.redis_socket}")), fine)
        self.assertEqual(self.assert_told(args=("--realm", "main")),
                         "no differences: compared 3 players of 1 realm with their events")
        self.assertEqual(self.server.stop(), 0)
        self.assertEqual(self.assert_told(), fine)
        self.assertEqual(redis_cli(self.server.redis_socket, "PING", check=False).strip(), "")

    def test_each_difference_is_a_line(self):
        said = []

        def differs(player, told, stored, what="points"):
            said.append(f"realm main, player {player}: the events say {told} {what}, Redis has {stored}")
            self.assert_told(*said)

        self.main.cli("ZINCRBY", "lb", 5, "ann")
        differs("ann", 90, 95)
        self.main.cli("ZREM", "lb", "bob")
        differs("bob", 10, 0)
        self.main.cli("ZADD", "lb", 7, "eve")
        differs("eve", 0, 7)
        self.main.cli("HSET", "ann:inventory", ":herb:", 3)
        differs("ann", 4, 3, ":herb:")
        self.main.cli("HSET", "dan:inventory", ":bone:", 1)
        differs("dan", 0, 1, ":bone:")
        self.sql("DELETE FROM economy_event WHERE realm = 'main' AND type = 'item_crafted'")
        differs("ann", 0, 1, ":cross:")
        self.sql("INSERT INTO economy_event SELECT realm, user_id, event_ms - 1, event_seq, of_items, version, type, "
                 "guild_id, item, amount, detail FROM economy_event WHERE realm = 'main' AND user_id = 'cat'")
        differs("cat", 64, 32)
        self.assert_told(args=("--realm", "other"))
        self.assert_told(*said, args=("--realm", "main"))
        self.assertEqual(self.server.stop(), 0)
        self.assert_told(*said)

    def test_events_that_are_not_in_sql_yet_count_too(self):
        for _ in range(30):
            self.assertEqual(self.post("main/players/ann/gamble", {"amount": 1}).status, 200)
        self.server.kill()  # before they are projected, or while they are
        done = verify(self.data)
        self.assertEqual((done.returncode, done.stdout),
                         (0, "no differences: compared 4 players of 2 realms with their events\n"), done)

    def test_without_data_there_is_nothing_to_do(self):
        done = verify(self.directory / "none")
        self.assert_refused(done, "there is no data directory")
        self.assert_refused(verify(self.data, "--realm", "a b"), "--realm")


class Rebuild(CommandCase):
    def rebuild(self, *args):
        return run_larder("economy", "rebuild", "--data", self.data, *args)

    def test_a_lost_redis_is_refused_and_rebuilt(self):
        server = self.serve()
        Realm(server.redis_socket, "main").fill("ann", 100, herb=8)
        for path, body in (("ann/farm", {"name": "Ann"}), ("ann/craft", {"item": "cross"}), ("ann/rewards/daily", None),
                           ("ann/discombobulate", {"target": "bob", "amount": 5})):
            self.assertEqual(self.post(f"main/players/{path}", body).status, 200)
        self.assertEqual(self.load(self.shells, "--realm", "shells", "--create").returncode, 0)
        for realm in ("main", "shells"):
            self.get(f"{realm}/events")  # waits until the events are in SQL
        before = self.get("main/players/ann")
        self.assert_refused(self.rebuild(), "in use by another larder")
        self.assertEqual(server.stop(), 0)
        self.assert_refused(self.rebuild(), "not empty")

        (self.data / "redis").rename(self.directory / "lost")
        self.assert_refused(run_larder("serve", "--data", self.data, "--listen", "127.0.0.1:0"), "2 realms",
                            "larder rebuild")
        done = verify(self.data)
        self.assertEqual((done.returncode, done.stdout.splitlines()[:-1]),
                         (1, [f"realm {name}: Redis has lost it; `larder economy rebuild` brings it back"
                              for name in ("main", "shells")]))
        done = self.rebuild()
        self.assertEqual((done.returncode, done.stdout), (0, "rebuilt 2 realms with 1 player\n"), done)
        self.assertEqual(verify(self.data).returncode, 0)
        self.serve()
        after = self.get("main/players/ann")
        for player in (before, after):
            self.assertTrue(0 < player["cooldowns"].pop("daily") <= 86400, player)
            self.assertGreater(player["cooldowns"].pop("discombobulate"), 0)
        self.assertEqual(after, before)
        self.assertEqual(self.currency("shells"), "🐚")


class Realms(CommandCase):
    def test_they_are_listed_and_deleted(self):
        server = self.serve()
        for name in ("b", "a", "c"):
            self.assertEqual(self.post(f"{name}/players/ann/rewards/daily").status, 200)
        realms = self.client.get(f"{ECONOMY}?limit=2").json
        self.assertEqual((realms["items"], bool(realms["next_cursor"])), ([{"realm": "a"}, {"realm": "b"}], True))
        realms = self.client.get(f"{ECONOMY}?limit=2&cursor={realms['next_cursor']}").json
        self.assertEqual(realms, {"items": [{"realm": "c"}], "next_cursor": None})
        self.assertEqual(self.client.send("DELETE", f"{ECONOMY}/a").status, 204)
        eventually(lambda: self.client.send("DELETE", f"{ECONOMY}/a").status == 404, "the realm is gone")
        self.assertEqual(redis_cli(server.redis_socket, "KEYS", "{a}:*").strip(), "")
        self.assertEqual([realm["realm"] for realm in self.client.get(ECONOMY).json["items"]], ["b", "c"])
        self.assertEqual(self.post("a/players/ann/rewards/daily").json, {"reward": 32, "balance": 32})
        self.get("a/events")
        self.assertEqual(verify(self.data).returncode, 0)


class NothingYet(CommandCase):
    def test_a_redis_without_realms_has_no_differences(self):
        redis = self.open(RedisServer())
        self.assertEqual(self.serve("--redis", redis.url).stop(), 0)
        done = verify(self.data, "--redis", redis.url)
        self.assertEqual((done.returncode, done.stdout),
                         (0, "no differences: compared 0 players of 0 realms with their events\n"))


if __name__ == "__main__":
    main()
