"""`larder backup` and `larder restore`: under load, through kills, and with damaged backups."""
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import uuid
from collections import Counter
from urllib.parse import quote

from discord import GUILD, Discord, dispatch, guild
from economy import ECONOMY
from economy_load import busy_catalogue, decide
from fault_places import OneMachine, SmallDisk
from harness import BINARY, SEED, Case, Server, TempDir, eventually, main, redis_cli, run_larder
from ledger_proof import LEDGER, OPS, lasting
from mixed_load import MixedLoad
from processes import die_with_parent, environment

FILES = ["larder.db", "manifest.json", "manifest.json.sha256", "redis-cache.rdb", "redis.rdb"]


class BackupCase(Case):
    def setUp(self):
        self.directory = TempDir()
        self.addCleanup(self.directory.remove)
        self.backup_to = self.directory / "backup"

    def run_command(self, *args, status=0):
        done = run_larder(*args)
        self.assertEqual(done.returncode, status, done)
        return done

    def backup(self, server, to=None, status=0):
        return self.run_command("backup", to or self.backup_to, "--data", server.data, *server.args, status=status)

    def restore(self, data, *more, status=0, args=()):
        return self.run_command("restore", self.backup_to, "--data", data, *more, *args, status=status)

    def restored(self, args=(), *more):
        """A server on the restored copy, which verify finds clean. It has the token of the first one."""
        server = Server(*args)
        self.addCleanup(server.close)
        said = self.restore(server.data, *more, args=args).stdout
        self.assertEqual(said.count(": no differences: "), 4, said)
        self.assertIn("is restored and verified; start the server with --data", said)
        return server.start()

    def names(self, path=None):
        return sorted(entry.name for entry in (path or self.directory.path).iterdir())

    def contents(self, path):
        """Every file below, and its content."""
        return {str(file.relative_to(path)): file.read_bytes() for file in sorted(path.rglob("*"))
                if file.is_file() and file.name != "larder.lock"}


class UnderLoad(BackupCase):
    def test_everything_acknowledged_before_the_backup_began_is_in_it(self):
        game = self.directory / "game.json"
        game.write_text(json.dumps(busy_catalogue()))
        place = OneMachine(game)
        place.start(self)
        server = place.servers[0]
        client = place.client()
        self.addCleanup(client.close)
        Discord(self, client).apply(dispatch("GUILD_CREATE", guild()))
        load = MixedLoad(self, place, SEED)
        self.addCleanup(load.stop)
        load.start()
        load.wait_for_more(20)
        before = self.acknowledged(load)
        self.backup(server)
        load.wait_for_more(5)
        load.stop()
        print("the server that was copied:", load.check(), flush=True)
        self.assertEqual(self.names(self.backup_to), FILES)

        copy = self.restored(server.args)
        kept = copy.client(server.token)
        self.addCleanup(kept.close)
        self.assert_kept(kept, load, before)
        self.assertIn("no differences", self.run_command("verify", "--data", copy.data, *copy.args).stdout)

    @staticmethod
    def acknowledged(load):
        with load.ledger.lock, load.economy.lock, load.messages.lock, load.tribes.lock:
            return {"orders": list(load.ledger.acknowledged.values()), "moves": list(load.economy.moves.values()),
                    "messages": list(load.messages.made),
                    "actions": Counter(player for player, status, _ in load.tribes.decided.values() if status == 200)}

    def assert_kept(self, client, load, before):
        for said in before["orders"]:
            again = client.post(LEDGER + said.path, said.body)
            self.assertEqual((*lasting(again), again.json["replayed"]), (said.status, said.answer, True), said.body)
        flows = {uid: Counter((flow["op"], flow["order_id"]) for flow in client.flows(uid))
                 for uid in {said.uid for said in before["orders"]}}
        for said in before["orders"]:
            self.assertEqual(flows[said.uid][said.body.get("op") or OPS[said.path], said.order_id], 1, said.body)
        for move in before["moves"]:
            again, _ = decide(lambda: client, f"{ECONOMY}/{load.economy.realm}{quote(move.path)}",
                              move.body | {"guild_id": move.number}, f"{load.economy.realm}-{move.number}")
            told = {name: value for name, value in again.json.items() if name != "request_id"}
            self.assertEqual((again.status, told, again.headers["Idempotency-Replayed"]), (move.status, move.answer, "true"))
        self.assertLessEqual(set(before["messages"]), set(load.messages._listed(client)))
        self.assertEqual(Discord(self, client).get(f"/guilds/{GUILD}")["name"], "Larder")
        print("kept:", {name: len(of_system) for name, of_system in before.items()}, flush=True)


class OneServer(BackupCase):
    def setUp(self):
        super().setUp()
        self.server = self.open(Server())
        self.client = self.server.client()
        self.addCleanup(self.client.close)
        self.gold = self.client.new_type("gold")

    def add(self, client=None, order_id=None, amount=5):
        entry = {"order_id": order_id or uuid.uuid4().hex, "op": "add", "type": self.gold, "domain": "main", "uid": "u",
                 "amount": amount}
        answer = (client or self.client).post(f"{LEDGER}/entries", entry)
        self.assertEqual(answer.status, 200, answer)
        return answer.json

    def balance(self, client):
        return client.account(self.gold, "main", "u")["balance"]

    def balance_at(self, server):
        client = server.client(self.server.token)
        try:
            return self.balance(client)
        finally:
            client.close()

    def slow_copies(self, us=60_000):
        """From now on, the copy of Redis takes long enough to be cut off."""
        for i in range(50):
            self.add(order_id=f"slow-{i}")
        redis_cli(self.server.redis_socket, "CONFIG", "SET", "rdb-key-save-delay", us)

    def begin_backup(self):
        """A backup that is copying Redis right now."""
        process = subprocess.Popen([BINARY, "backup", self.backup_to, "--data", self.server.data], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=environment(), preexec_fn=die_with_parent)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        eventually(lambda: "rdb_bgsave_in_progress:1" in redis_cli(self.server.redis_socket, "INFO", "persistence"),
                   "Redis writes its copy")
        return process


class Backup(OneServer):
    def test_a_backup_is_whole_and_for_its_owner_alone(self):
        self.add()
        done = self.backup(self.server)
        self.assertEqual(done.stderr, "")  # nothing took long
        self.assertRegex(done.stdout, r"copied redis.rdb: \S+ \S+\ncopied larder.db: \S+ \S+\ncopied redis-cache.rdb: \S+ \S+\n"
                               rf"{self.backup_to} has everything that was acknowledged before \S+Z\n")
        self.assertEqual(self.names(), ["backup"])
        self.assertEqual(self.names(self.backup_to), FILES)
        modes = {file.name: oct(file.stat().st_mode & 0o7777) for file in self.backup_to.iterdir()}
        self.assertEqual(modes, dict.fromkeys(FILES, "0o600"))
        self.assertEqual(oct(self.backup_to.stat().st_mode & 0o7777), "0o700")
        sums = subprocess.run(["sha256sum", "-c", "manifest.json.sha256"], cwd=self.backup_to, capture_output=True, text=True)
        self.assertEqual(sums.stdout, "manifest.json: OK\n")
        manifest = json.loads((self.backup_to / "manifest.json").read_text())
        self.assertEqual(manifest["files"].keys(), {"larder.db", "redis.rdb", "redis-cache.rdb"})
        self.assertIn("ledger", manifest["schema"])
        self.assertNotIn(self.server.token.encode(), b"".join(self.contents(self.backup_to).values()))
        self.assertFalse(list(self.server.data.glob("redis*/*.rdb")), "a copy is left in the data directory")

    def test_a_stopped_server_is_copied_too_and_nothing_can_start_meanwhile(self):
        self.add()
        self.server.kill()  # the last event may wait in Redis
        self.backup(self.server)
        copy = self.restored()
        self.assertEqual(self.balance_at(copy), 5)
        self.server.start()
        self.assertEqual(self.balance_at(self.server), 5)

    def test_progress_is_a_bar_on_a_terminal(self):
        self.slow_copies(20_000)
        terminal, side = os.openpty()
        self.addCleanup(os.close, terminal)
        done = subprocess.run([BINARY, "backup", self.backup_to, "--data", self.server.data], stdout=subprocess.PIPE, stderr=side,
                              env=environment())
        os.close(side)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(os.read(terminal, 1 << 16).decode(), r"^(\r\x1b\[K\[#*-*\] +\d+ % copying redis)+\r\x1b\[K")

    def test_a_directory_that_has_something_is_left_alone(self):
        self.backup_to.mkdir()
        (self.backup_to / "letter").write_text("dear")
        done = self.backup(self.server, status=1)
        self.assertEqual(done.stderr, f"larder: {self.backup_to} is there already and is not an empty directory\n")
        self.assertEqual(self.contents(self.directory.path), {"backup/letter": b"dear"})
        (self.backup_to / "letter").unlink()
        self.backup(self.server)
        self.assertEqual(self.names(self.backup_to), FILES)

    def test_without_a_data_directory_or_a_database_it_says_so(self):
        done = self.run_command("backup", self.backup_to, "--data", self.directory / "none", status=1)
        self.assertIn("there is no data directory", done.stderr)
        done = self.run_command("backup", self.backup_to, "--data", self.directory.path, status=1)
        self.assertIn("there is no database", done.stderr)
        self.assertFalse(self.backup_to.exists())

    def test_a_backup_that_is_killed_is_no_backup_and_the_next_one_is(self):
        self.slow_copies()
        process = self.begin_backup()
        second = self.backup(self.server, self.directory / "second", status=1)
        self.assertEqual(second.stderr, f"larder: another backup of {self.server.data} is running\n")
        process.kill()
        process.wait()
        self.assertEqual(self.names(), ["backup.unfinished"])
        done = self.restore(self.directory / "data", status=1)
        self.assertIn("is no backup", done.stderr)
        self.add()  # SQL is not left closed
        redis_cli(self.server.redis_socket, "CONFIG", "SET", "rdb-key-save-delay", 0)
        self.backup(self.server)  # waits until Redis has finished the copy of the first one
        self.assertEqual(self.names(), ["backup"])
        self.assertEqual(self.balance_at(self.restored()), 51 * 5)

    def test_a_server_that_is_killed_in_the_middle_ends_the_backup(self):
        self.slow_copies()
        process = self.begin_backup()
        self.server.kill()
        _, said = process.communicate()
        self.assertEqual(process.returncode, 1)
        self.assertTrue(said.splitlines()[-1].startswith("larder: Redis at "), said)
        self.assertEqual(self.names(), [])
        self.server.start()
        self.assertFalse(list(self.server.data.glob("redis*/*.rdb")), "a copy is left in the data directory")
        self.backup(self.server)
        self.assertEqual(self.balance_at(self.restored()), 50 * 5)

    def test_a_cache_that_does_not_answer_is_left_out(self):
        os.kill(self.server.cache_pid(), signal.SIGSTOP)
        try:
            said = self.backup(self.server).stdout
        finally:
            os.kill(self.server.cache_pid(), signal.SIGCONT)
        self.assertIn(f"left out redis-cache: the Redis in {self.server.cache_socket.parent} does not answer", said)
        self.assertEqual(self.names(self.backup_to), [name for name in FILES if name != "redis-cache.rdb"])
        self.restored()

    def test_stores_that_have_lost_something_are_not_copied(self):
        self.add()
        eventually(lambda: len(self.client.flows("u")) == 1, "SQL has the entry")
        self.server.stop()
        shutil.rmtree(self.server.data / "redis")
        done = self.backup(self.server, status=1)
        self.assertIn("nothing was backed up: this Redis lacks what SQL has", done.stderr)
        self.assertEqual(self.names(), [])

    def test_a_disk_that_would_be_full_is_left_alone(self):
        disk = SmallDisk(8)
        self.addCleanup(disk.remove)
        if not disk.MOUNTS:
            self.skipTest("only root can mount a small disk")
        done = self.backup(self.server, disk / "backup", status=1)
        self.assertRegex(done.stderr, r"^larder: the disk of \S+ has 7 MiB left, and \d+ MiB may be needed")
        self.assertEqual(self.names(disk.path), [])


class Restore(OneServer):
    def setUp(self):
        super().setUp()
        self.first = self.add(order_id="first")
        self.backup(self.server)
        self.data = self.directory / "data"

    def test_retries_are_replayed_and_the_admin_key_is_not_in_the_copy(self):
        self.add(order_id="after-the-backup")
        copy = self.restored()
        client = copy.client(self.server.token)
        self.addCleanup(client.close)
        self.assertEqual(self.add(client, "first"), self.first | {"replayed": True})
        self.assertEqual(self.add(client, "after-the-backup")["replayed"], False)
        self.assertEqual((self.balance(client), len(client.flows("u"))), (10, 2))
        self.assertFalse((copy.data / "admin.key").exists())
        self.assertIn("admin key: not here", copy.said_later()[0])

    def test_a_damaged_backup_is_refused_and_nothing_is_changed(self):
        rng = random.Random(SEED)
        whole = self.directory / "whole"
        self.backup_to.rename(whole)
        for name in FILES:
            for damage in (self.flip, self.cut, os.unlink):
                shutil.rmtree(self.backup_to, ignore_errors=True)
                shutil.copytree(whole, self.backup_to)
                damage(self.backup_to / name, *(() if damage is os.unlink else (rng,)))
                with self.subTest(name=name, damage=damage.__name__):
                    done = self.restore(self.data, status=1)
                    self.assertEqual(len(done.stderr.splitlines()), 1, done)
                    self.assertRegex(done.stderr, "the backup is damaged: |is no backup: |cannot read the checksum ")
                    self.assertEqual(self.names(), ["backup", "whole"])

    @staticmethod
    def flip(path, rng):
        content = bytearray(path.read_bytes())
        at = rng.randrange(len(content))
        content[at] ^= 1 << rng.randrange(8)
        path.write_bytes(content)

    @staticmethod
    def cut(path, rng):
        os.truncate(path, rng.randrange(path.stat().st_size))

    def test_copies_of_two_moments_are_refused(self):
        """This is why a backup copies both stores as they were at one moment."""
        older, newer = (self.backup_to.rename(self.directory / "older"), self.directory / "newer")
        keys = redis_cli(self.server.redis_socket, "KEYS", "*score_outbox:projected").split()
        before = redis_cli(self.server.redis_socket, "MGET", *keys)
        self.add()
        eventually(lambda: redis_cli(self.server.redis_socket, "MGET", *keys) != before, "SQL has the entry, and Redis knows")
        self.backup(self.server, newer)
        for database, redis, words in ((older, newer, "this SQL database lacks what it had"),
                                       (newer, older, "this Redis lacks what SQL has")):
            shutil.rmtree(self.backup_to, ignore_errors=True)
            shutil.copytree(redis, self.backup_to)
            shutil.copy(database / "larder.db", self.backup_to)
            manifest = json.loads((redis / "manifest.json").read_text())
            manifest["files"]["larder.db"] = json.loads((database / "manifest.json").read_text())["files"]["larder.db"]
            (self.backup_to / "manifest.json").write_text(json.dumps(manifest))
            sums = subprocess.run(["sha256sum", "manifest.json"], cwd=self.backup_to, capture_output=True, check=True).stdout
            (self.backup_to / "manifest.json.sha256").write_bytes(sums)
            self.assertIn(words, self.restore(self.data, status=1).stderr)
            self.assertFalse(self.data.exists())

    def test_a_running_server_and_other_things_are_not_overwritten(self):
        done = self.restore(self.server.data, "--move-aside", status=1)
        self.assertIn(f"in use by another larder (process {self.server.process.pid})", done.stderr)
        self.server.stop()
        before = self.contents(self.server.data)
        done = self.restore(self.server.data, status=1)
        self.assertIn(f"{self.server.data} has data; name another directory with --data, or use --move-aside", done.stderr)
        self.assertEqual(self.contents(self.server.data), before)
        (self.data / "letters").mkdir(parents=True)
        done = self.restore(self.data, "--move-aside", status=1)
        self.assertIn("it is no data directory of Larder", done.stderr)
        self.assertEqual(self.names(self.data), ["letters"])

    def test_the_older_data_is_moved_aside_whole_and_its_admin_key_is_kept(self):
        self.add()
        self.server.stop()
        before = self.contents(self.server.data)
        said = self.restore(self.server.data, "--move-aside").stdout
        aside, = self.server.directory.path.glob("data.before-restore-*")
        self.assertIn(f"the data that was there is in {aside} now\n", said)
        self.assertEqual(self.contents(aside), before)
        self.server.start()
        self.assertEqual(self.balance_at(self.server), 5)

    def test_a_restore_that_is_killed_changes_nothing_and_the_next_one_succeeds(self):
        process = subprocess.Popen([BINARY, "restore", self.backup_to, "--data", self.data], stdout=subprocess.PIPE, text=True,
                                   env=environment(), preexec_fn=die_with_parent)
        self.addCleanup(process.stdout.close)
        for line in process.stdout:
            if "starting Redis" in line:
                break
        process.kill()
        process.wait()
        self.assertFalse(self.data.exists())
        self.assertEqual(self.names(), ["backup", "data.restoring"])
        self.restore(self.data)
        self.assertEqual(self.names(), ["backup", "data"])

    def test_differences_are_shown_and_refused_unless_an_operator_wants_them(self):
        self.assertEqual(redis_cli(self.server.redis_socket, "SET", "{u}:main:1:score", "777").strip(), "OK")
        shutil.rmtree(self.backup_to)
        self.backup(self.server)
        done = self.restore(self.data, status=1)
        self.assertIn("777 in Redis", done.stdout)
        self.assertIn("verify has found differences in the backup, so nothing was changed", done.stderr)
        self.assertFalse(self.data.exists())
        said = self.restore(self.data, "--accept-differences").stdout
        self.assertIn("is restored, with the differences above; start the server", said)
        self.assertTrue((self.data / "larder.db").exists())

    def test_other_settings_are_named_and_refused(self):
        done = self.restore(self.data, "--set", "ledger.flow_tables=3", status=1)
        self.assertIn("note: ledger.flow_tables was 2 for `larder backup`, and is 3 here\n", done.stdout)
        self.assertIn("ledger.flow_tables is 3, but this database was made with 2", done.stderr)
        self.assertEqual(self.names(), ["backup"])
        done = self.restore(self.data, "--sql", f"sqlite:{self.directory / 'x.db'}", status=1)
        self.assertIn("restore puts the database into the data directory", done.stderr)

    def test_a_backup_brings_no_schema_up_to_date_and_one_of_a_newer_version_is_refused(self):
        self.assertEqual(self.client.get(f"{LEDGER}/types").status, 200)
        self.server.stop()
        self.change_schema("DELETE FROM schema_migration WHERE component = 'outboxes'; DROP TABLE outbox_position",)
        shutil.rmtree(self.backup_to)
        self.backup(self.server)  # does not bring the schema up to date
        manifest = json.loads((self.backup_to / "manifest.json").read_text())
        self.assertNotIn("outboxes", manifest["schema"])
        self.change_schema("INSERT INTO schema_migration VALUES ('ledger', 999, 'x', 1)")
        self.backup(self.server, self.directory / "newer")
        shutil.rmtree(self.backup_to)
        (self.directory / "newer").rename(self.backup_to)
        done = self.restore(self.data, status=1)
        self.assertRegex(done.stderr, "the database has version 999 of ledger, this larder knows only .*: use a newer larder")
        self.assertEqual(self.names(), ["backup"])

    def change_schema(self, statements):
        database = sqlite3.connect(self.server.data / "larder.db")
        database.executescript(statements)
        database.close()


class ExternalStores(BackupCase):
    def test_the_commands_to_run_are_named_and_nothing_is_written(self):
        data = self.directory / "data"
        cases = {
            ("redis://u:secret@db.example:6380/2", "postgresql://larder:secret@db.example/larder?sslmode=require"):
                (r"REDISCLI_AUTH=<password> redis-cli -h db\.example -p 6380 --user u --rdb \S+/redis\.rdb\n",
                 r"pg_dump --format=custom --file=\S+/larder\.dump 'postgresql://larder@db\.example/larder\?sslmode=require'\n"),
            ("redis+cluster://a.example:7000,b.example:7000", "mysql://larder:secret@db.example:3307/larder"):
                (r"redis-cli --cluster backup a\.example:7000 \S+\n",
                 r"mysqldump --single-transaction --host=db\.example --port=3307 --user=larder --password --result-file="
                 r"\S+/larder\.sql larder\n"),
            ("unix:/run/my redis.sock", ""): (r"redis-cli -s '/run/my redis\.sock' --rdb \S+\n", rf"cp -a {data}/larder\.db\* \S+\n"),
            ("", "mysql://u@/larder?socket=/run/m.sock"):
                (rf"cp -a {data}/redis \S+/redis\n", r"mysqldump --single-transaction --socket=/run/m\.sock --user=u --result-file="),
        }
        for (redis, sql), patterns in cases.items():
            stores = [*(["--redis", redis] if redis else []), *(["--sql", sql] if sql else [])]
            with self.subTest(redis=redis, sql=sql):
                for command, word in (("backup", "Nothing was written"), ("restore", "Nothing was changed")):
                    done = self.run_command(command, self.backup_to, "--data", data, *stores, status=1)
                    self.assertEqual(done.stdout, "")
                    self.assertIn(word, done.stderr)
                    self.assertIn("  1. stop every server\n", done.stderr)
                    self.assertNotIn("secret", done.stderr)
                    self.assertEqual(self.names(), [])
                    if command == "backup":
                        for pattern in patterns:
                            self.assertRegex(done.stderr, pattern)
                    else:
                        self.assertIn("larder verify", done.stderr)


if __name__ == "__main__":
    main()
