"""Starts that only a person can help: they end at once, in one line that says what is wrong."""
import ctypes
import json
import sqlite3
from contextlib import closing

from harness import (ROOT, Case, PostgresServer, RedisServer, Server, TempDir, free_port, main, redis_cli, run_larder)

RULES = ROOT / "src/systems/tribes/pizza.json"
_libc = ctypes.CDLL(None)


def obey_permissions():
    """Before the start of a program: even root cannot write where the mode of a directory forbids it."""
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        _libc.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


class StartCase(Case):
    def setUp(self):
        self.directory = TempDir()
        self.addCleanup(self.directory.remove)
        self.data = self.directory / "data"

    def serve(self, *args, **more):
        return run_larder("serve", "--data", self.data, "--listen", "127.0.0.1:0", *args, **more)

    def refused_at_once(self, *args):
        """Starts a server with a problem for which it must not wait."""
        done = self.serve(*args)
        self.assertNotIn("waiting for", done.stderr)
        self.assertNotIn("hunter2", done.stderr)
        return done

    def open_client(self, server):
        client = server.client()
        self.addCleanup(client.close)
        return client


class WrongStores(StartCase):
    def test_a_wrong_sql_database_user_or_password(self):
        postgres = PostgresServer()
        hba = postgres.home / "data" / "pg_hba.conf"
        hba.write_text("local all guarded scram-sha-256\n" + hba.read_text())
        self.open(postgres)
        postgres.query("CREATE ROLE weak LOGIN")
        postgres.query("CREATE ROLE guarded LOGIN PASSWORD 'secret'")
        url = lambda user, database="postgres": f"postgresql://{user}@/{database}?host={postgres.home}"
        with self.symptom("the SQL database or its user does not exist") as row:
            row.ended(self.refused_at_once("--sql", url("larder", "nosuch")))
            row.ended(self.refused_at_once("--sql", url("nobody:hunter2")))
        with self.symptom("the password of SQL is wrong") as row:
            row.ended(self.refused_at_once("--sql", url("guarded:hunter2")))
        with self.symptom("the user of SQL lacks a permission") as row:
            row.ended(self.refused_at_once("--sql", url("weak")))
        done = run_larder("key", "list", "--sql", url("larder", "nosuch"))
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1), done.stderr)

    def test_a_wrong_sqlite_file(self):
        text = self.directory / "text.db"
        text.write_text("no database " * 100)
        with self.symptom("the file of SQLite cannot be opened") as row:
            row.ended(self.refused_at_once("--sql", f"sqlite:{self.directory / 'none' / 'larder.db'}"))
            row.ended(self.refused_at_once("--sql", f"sqlite:{text}"))

    def test_a_wrong_redis_password_or_database(self):
        redis = self.open(RedisServer())
        port = free_port()
        redis_cli(redis.socket, "CONFIG", "SET", "port", port)
        with self.symptom("the database number of Redis does not exist") as row:
            row.ended(self.refused_at_once("--redis", f"redis://127.0.0.1:{port}/99"))
        redis_cli(redis.socket, "CONFIG", "SET", "requirepass", "secret")
        with self.symptom("the password of Redis is wrong or missing") as row:
            for url in (f"redis://:hunter2@127.0.0.1:{port}", f"redis://127.0.0.1:{port}", redis.url):
                row.ended(self.refused_at_once("--redis", url))
        for url, why in ((f"redis://:hunter2@127.0.0.1:{port}", "WRONGPASS"),
                         (f"redis://:secret@127.0.0.1:{port}/99", "DB index is out of range")):
            said = self.refused_at_once("--set", f"cache.redis.url={url}").stderr.splitlines()[-1]
            self.assertIn("cache.redis.url", said)
            self.assertIn(why, said)
        server = self.open(Server("--redis", f"redis://:secret@127.0.0.1:{port}/3"))
        self.assertEqual(self.open_client(server).get("/readyz").status, 200)

    def test_a_database_of_a_newer_version(self):
        self.assertEqual(run_larder("migrate", "--data", self.data).returncode, 0)
        with closing(sqlite3.connect(self.data / "larder.db")) as database, database:
            database.execute("INSERT INTO schema_migration VALUES ('ledger', 999, 'from the future', 0)")
        with self.symptom("a newer version of Larder has changed the database") as row:
            row.ended(self.serve())


class WrongRedisServer(StartCase):
    def test_a_missing_redis_server(self):
        with self.symptom("`redis-server` is not installed") as row:
            row.ended(self.serve("--set", "redis.binary=/nowhere"))

    def test_a_redis_server_that_cannot_start(self):
        with self.symptom("the embedded Redis cannot start") as row:
            row.ended(self.serve("--set", "redis.binary=/bin/false"))


class WrongDataDirectory(StartCase):
    def test_a_second_server_on_the_same_directory_is_refused_and_the_first_goes_on(self):
        server = self.open(Server(data=self.data))
        client = self.open_client(server)
        pid = server.redis_pid()
        with self.symptom("another server uses the data directory") as row:
            for _ in range(2):
                done = self.serve()
                self.assertIn(f"{self.data} is in use by another larder (process {server.process.pid})", done.stderr)
                row.ended(done)
        points = client.new_type("points")
        answer = client.entry(order_id="1", op="add", type=points, domain="main", uid="u", amount=1)
        self.assertEqual((answer.status, server.redis_pid()), (200, pid))

    def test_a_directory_without_permission(self):
        self.data.mkdir()
        self.data.chmod(0o500)
        with self.symptom("the server may not write to its data directory") as row:
            row.ended(self.serve(preexec_fn=obey_permissions))
            self.data.rmdir()
            self.directory.path.chmod(0o500)
            row.ended(self.serve(preexec_fn=obey_permissions))
        self.directory.path.chmod(0o700)

    def test_a_path_that_is_too_long_for_a_socket(self):
        self.data = self.directory / ("d" * 100)
        with self.symptom("the path of the data directory is too long") as row:
            row.ended(self.serve())


class WrongSettings(StartCase):
    def test_the_ledger_cannot_change_its_tables_or_keys(self):
        server = self.open(Server("--set", "ledger.flow_tables=3", data=self.data))
        client = self.open_client(server)
        points = client.new_type("points")
        for i in range(20):
            client.entry(order_id="1", op="add", type=points, domain="main", uid=f"u{i}", amount=1)
        self.assertEqual(server.stop(), 0)
        with self.symptom("`ledger.flow_tables` was changed") as row:
            for wrong in ("2", "4"):
                row.ended(self.serve("--set", f"ledger.flow_tables={wrong}"))
        with self.symptom("`ledger.key_format` was changed, or a cluster has replaced one Redis") as row:
            row.ended(self.serve("--set", "ledger.flow_tables=3", "--set",
                                 "ledger.key_format={<uid>}:<score_type>:<domain>"))
        server.start()
        client = self.open_client(server)
        self.assertEqual([len(client.flows(f"u{i}")) for i in range(20)], [1] * 20)

    def test_wrong_rules_of_worlds(self):
        rules = json.loads(RULES.read_text())
        rules["goal_coins"] = -1
        file = self.directory / "rules.json"
        file.write_text(json.dumps(rules))
        with self.symptom("the file with the rules of worlds is wrong") as row:
            row.ended(self.serve("--set", f"tribes.rules={file}"))


if __name__ == "__main__":
    main()
