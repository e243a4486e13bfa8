"""The command line helps, and reports a mistake in one line."""
import os
import re
import stat
import tomllib

from harness import Case, Server, TempDir, main, run_larder

COMMANDS = [[], ["serve"], ["migrate"], ["key"], ["key", "create"], ["key", "list"], ["key", "revoke"], ["key", "rotate"], ["ledger"],
            ["ledger", "verify"], ["ledger", "rebuild"], ["economy"], ["economy", "items"], ["economy", "items", "check"],
            ["economy", "items", "load"], ["economy", "verify"], ["config"], ["config", "check"],
            ["config", "dump"], ["version"]]


class CommandLine(Case):
    def setUp(self):
        self.directory = TempDir()
        self.addCleanup(self.directory.remove)
        self.data = self.directory / "data"

    def run_here(self, *args, **more):
        return run_larder(*args, cwd=self.directory.path, **more)

    def assert_mistake(self, args, *words, env=None):
        """One line on stderr that contains these words, nothing on stdout, and exit code 1."""
        with self.subTest(args=args):
            done = self.run_here(*args, env=env)
            self.assertEqual(done.returncode, 1, done)
            self.assertEqual(done.stdout, "")
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertTrue(done.stderr.startswith("larder: "), done.stderr)
            self.assertTrue(done.stderr.endswith("\n"))
            for word in words:
                self.assertIn(str(word), done.stderr)

    def settings(self, *args, env=None):
        done = self.run_here("config", "dump", *args, env=env)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return tomllib.loads(done.stdout)

    def test_every_help_shows_an_example_and_where_settings_come_from(self):
        for command in COMMANDS:
            for flag in ("--help", "-h"):
                with self.subTest(command=command):
                    done = self.run_here(*command, flag)
                    self.assertEqual((done.returncode, done.stderr), (0, ""), done)
                    self.assertIn("larder " + " ".join(command), done.stdout)
                    self.assertRegex(done.stdout, r"\n  larder \w+")
                    for word in ("LARDER_SECTION__KEY", "--config", "larder config dump"):
                        self.assertIn(word, done.stdout)
                    self.assertLessEqual(max(map(len, done.stdout.splitlines())), 120)

    def test_the_examples_of_the_help_can_be_typed(self):
        for command in COMMANDS:
            text = self.run_here(*command, "--help").stdout
            for line in re.findall(r"\n  larder ([^\n]*)", text):
                words = re.split(r"\s{2,}| > ", line)[0].split()
                flags = [word for word in words if word.startswith("--")]
                names = next(words[:length] for length in (3, 2, 1) if words[:length] in COMMANDS)
                help_text = self.run_here(*names, "--help").stdout
                for flag in flags:
                    self.assertIn(flag, help_text, line)

    def test_the_version_is_one_line(self):
        done = self.run_here("version")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^larder \d+\.\d+\.\d+\n$")
        flag = self.run_here("--version")
        self.assertEqual((flag.returncode, flag.stderr, flag.stdout), (0, "", done.stdout))

    def test_mistakes_on_the_command_line_are_told_in_one_line(self):
        cases = [([], "subcommand"), (["nosuch"], "nosuch"), (["nosuch", "--help"], "nosuch"), (["key", "nosuch", "--help"], "nosuch"),
                 (["--bogus"], "--bogus"),
                 (["serve", "--bogus"], "--bogus"),
                 (["serve", "extra"], "extra"), (["serve", "--data"], "--data"), (["key"], "subcommand"),
                 (["key", "nosuch"], "nosuch"), (["key", "create"], "is required"),
                 (["key", "create", "--name", "x"], "--scope"), (["key", "create", "--scope", "ledger"], "--name"),
                 (["key", "revoke"], "id"), (["ledger"], "subcommand"), (["ledger", "verify", "extra"], "extra"),
                 (["economy"], "subcommand"), (["economy", "items"], "subcommand"), (["economy", "nosuch"], "nosuch"),
                 (["economy", "items", "check"], "file"), (["economy", "items", "load"], "file"),
                 (["economy", "items", "check", "x", "y"], "y"), (["economy", "verify", "extra"], "extra"),
                 (["config"], "subcommand"), (["config", "nosuch"], "nosuch"),
                 (["version", "extra"], "extra"), (["serve", "--version"], "--version"),
                 (["serve", "--set", "foo"], "foo", "section.key=value"), (["serve", "--config"], "--config")]
        for args, *words in cases:
            self.assert_mistake(args, *words, "--help")

    def test_wrong_settings_are_refused_by_name_wherever_they_come_from(self):
        file = self.directory / "larder.toml"
        cases = [("nosuch", "1", "unknown setting"), ("redis.nosuch", "1", "unknown setting"),
                 ("server.threads", "many", "whole number"), ("server.threads", "-1", "whole number"),
                 ("server.threads", "257", "whole number"), ("server.access_log", "yes", "true or false"),
                 ("redis.fsync", "never", "always, everysec"), ("log.level", "loud", "debug"),
                 ("ledger.flow_tables", "0", "whole number"), ("economy.stream_events", "999", "whole number"),
                 ("economy.allow_seed", "maybe", "true or false"), ("economy.nosuch", "1", "unknown setting")]
        for name, value, words in cases:
            for command in (["serve"], ["config", "check"], ["config", "dump"], ["migrate"], ["key", "list"]):
                self.assert_mistake([*command, "--set", f"{name}={value}"], name, words, "command line")
            section, _, key = name.rpartition(".")
            file.write_text((f"[{section}]\n" if section else "") + f'{key} = "{value}"\n')
            self.assert_mistake(["config", "check", "--config", file], name, words, "larder.toml")
            if section:
                variable = "LARDER_" + name.upper().replace(".", "__")
                self.assert_mistake(["config", "check"], name, words, variable, env={variable: value})
        with self.symptom("there is no such setting") as row:
            row.ended(self.run_here("serve", "--set", "redis.nosuch=1"))
        with self.symptom("a setting has a wrong value") as row:
            row.ended(self.run_here("serve", "--set", "server.threads=many"))
        self.assertEqual(os.listdir(self.directory.path), ["larder.toml"], "a refused command leaves nothing behind")

    def test_variables_that_are_no_settings_are_left_alone(self):
        kubernetes = {"LARDER_SERVICE_HOST": "10.0.0.1", "LARDER_SERVICE_PORT": "7420", "LARDER_NOSUCH": "1",
                      "LARDER_PORT": "tcp://10.0.0.1:7420", "LARDER_PORT_7420_TCP_PROTO": "tcp"}
        self.assertEqual(self.settings(env=kubernetes), self.settings())
        done = self.run_here("config", "check", env={"LARDER_REDIS_URL": "redis://h:1"})
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("LARDER_REDIS_URL", done.stderr, "perhaps somebody meant LARDER_REDIS__URL")
        with self.symptom("a variable of the environment has one `_` too few") as row:
            row.command_log(done)

    def test_a_configuration_file_that_cannot_be_read_is_named(self):
        file = self.directory / "bad.toml"
        self.assert_mistake(["config", "check", "--config", self.directory / "none.toml"], "none.toml")
        for text, words in (("a = [1", "line 1"), ("\n\nx", "line 3"), ("[server]\nthreads = 1.5\n", "server.threads"),
                            ("[server]\nlisten = [1]\n", "server.listen")):
            file.write_text(text)
            self.assert_mistake(["config", "check", "--config", file], "bad.toml", words)
        for text in (".".join("a" * 100_000) + " = 1\n", "[" + ".".join("a" * 100_000) + "]\n"):
            file.write_text(text)
            self.assert_mistake(["config", "check", "--config", file], "bad.toml", "dots")
        self.assert_mistake(["config", "check", "--config", self.directory.path], self.directory.path, "directory")
        self.assert_mistake(["config", "check", "--config", "/dev/zero"], "/dev/zero", "bytes")
        for args in (["economy", "items", "check"], ["tribes", "rules"]):
            self.assert_mistake([*args, "/dev/zero"], "/dev/zero", "bytes")
        missing = self.directory / "none"
        self.assert_mistake(["config", "check"], missing, "LARDER_SQL__URL_FILE",
                            env={"LARDER_SQL__URL_FILE": str(missing)})

    def test_settings_that_cannot_work_are_refused_before_anything_starts(self):
        cases = [("redis.url", "nosuch://x", "redis.url"), ("redis.url", "redis://h:99999", "redis.url"),
                 ("redis.url", "redis://a:1,b:2", "redis+cluster"),
                 ("redis.url", "unix:/run/redis.sock?db=1", "takes no options"),
                 ("server.cors_origin", "https://a.example\r\nX: y", "line breaks"), ("sql.url", "oracle://x", "oracle://x"),
                 ("sql.url", "sqlite:", "sqlite:"), ("server.listen", "nowhere", "nowhere"),
                 ("server.listen", "127.0.0.1:99999", "127.0.0.1:99999"),
                 ("ledger.key_format", "<uid>", "ledger.key_format"), ("economy.catalogue", "none.json", "none.json")]
        for name, value, word in cases:
            for command in (["config", "check"], ["serve", "--data", self.data]):
                self.assert_mistake([*command, "--set", f"{name}={value}"], word)
        self.assertFalse(self.data.exists())

    def test_right_settings_are_told_so(self):
        done = self.run_here("config", "check", "--redis", "redis+cluster://h:1,h:2", "--sql", "postgresql://u@h/d")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(done.stdout.splitlines()), 1)

    def test_later_sources_of_a_setting_win(self):
        file = self.directory / "larder.toml"
        file.write_text('data = "from-file"\n[redis]\ntimeout_ms = 111\n[log]\nlevel = "warn"\n')
        self.assertEqual(self.settings()["redis"]["timeout_ms"], 2000)
        self.assertEqual(self.settings("--config", file)["redis"]["timeout_ms"], 111)
        env = {"LARDER_REDIS__TIMEOUT_MS": "222", "LARDER_DATA": "from-environment"}
        mixed = self.settings("--config", file, env=env)
        self.assertEqual((mixed["redis"]["timeout_ms"], mixed["data"], mixed["log"]["level"]),
                         (222, "from-environment", "warn"))
        flags = self.settings("--config", file, "--set", "redis.timeout_ms=333", "--data", "from-flag", env=env)
        self.assertEqual((flags["redis"]["timeout_ms"], flags["data"]), (333, "from-flag"))

    def test_secrets_in_urls_are_hidden_and_a_hidden_one_is_not_taken_for_one(self):
        cases = [("redis.url", "redis://bot:hunter2@h:6379/1"), ("redis.url", "redis://:hunter2@h:6379"),
                 ("redis.url", "redis+cluster://bot:hunter2@a:1,b:2"), ("sql.url", "postgresql://u:hunter2@h/d"),
                 ("sql.url", "mysql://u:hunter2@h:3306/d"), ("sql.url", "mysql://u:hun/ter2@hunter2@h/d"),
                 ("sql.url", "postgresql:///d?user=u&password=hunter2&sslmode=require"),
                 ("redis.url", "unix:/run/redis.sock?password=hunter2")]
        for name, url in cases:
            with self.subTest(url=url):
                secret = self.directory / "secret"
                secret.write_text(url + "\n")
                variable = "LARDER_" + name.upper().replace(".", "__") + "_FILE"
                for args, env in ((["--set", f"{name}={url}"], None), ([], {variable: str(secret)})):
                    done = self.run_here("config", "dump", *args, env=env)
                    self.assertEqual(done.returncode, 0, done)
                    self.assertNotIn("hunter2", done.stdout)
                    self.assertIn("***", done.stdout)
                dump = self.directory / "dump.toml"
                dump.write_text(done.stdout)
                again = self.run_here("config", "check", "--config", dump)
                self.assertEqual(again.returncode, 1, again)
                self.assertIn(f"{name} in {dump} has a hidden password", again.stderr)
        for url in ("oracle://u:hunter2@h/d", "postgresql://u:hunter2@h/d?nosuch=1", "mysql://u:hunter2@h/d?nosuch=1"):
            done = self.run_here("config", "check", "--sql", url)
            self.assertEqual(done.returncode, 1)
            self.assertNotIn("hunter2", done.stderr)

    def test_keys_of_a_server_that_is_not_there_are_refused_without_a_trace(self):
        for args in (["create", "--name", "bot", "--scope", "ledger"], ["list"], ["revoke", "abc"]):
            done = self.run_here("key", *args, "--data", self.data)
            self.assertEqual((done.returncode, done.stdout), (1, ""), done)
            self.assertIn(f"there is no data directory {self.data} here", done.stderr)
        self.assertFalse(self.data.exists())

    def test_keys_are_made_listed_and_revoked(self):
        self.assertEqual(self.run_here("migrate", "--data", self.data).returncode, 0)
        made = self.run_here("key", "create", "--data", self.data, "--name", "bot", "--scope", "ledger,economy")
        self.assertEqual(made.returncode, 0, made)
        self.assertRegex(made.stdout, r"^lk_[0-9a-f]+_[0-9a-f]{64}\n$")
        token = made.stdout.strip()
        key_id = token.split("_")[1]
        self.assertNotIn(token, made.stderr)
        listed = self.run_here("key", "list", "--data", self.data)
        line = next(line for line in listed.stdout.splitlines() if line.startswith(key_id))
        self.assertEqual(line.split()[:4], [key_id, "bot", "ledger,economy", "-"])
        self.assertEqual(line.split()[5:], ["-", "-", "-"])
        self.assertNotIn(token.split("_")[2], listed.stdout)
        for _ in range(2):
            self.assertEqual(self.run_here("key", "revoke", "--data", self.data, key_id).returncode, 0)
        listed = self.run_here("key", "list", "--data", self.data)
        line = next(line for line in listed.stdout.splitlines() if line.startswith(key_id))
        self.assertRegex(line.split()[7], r"\d{4}-\d\d-\d\dT")
        cases = [(["create", "--name", "a b", "--scope", "ledger"], "name"),
                 (["create", "--name", "x" * 65, "--scope", "ledger"], "name"),
                 (["create", "--name", "x", "--scope", "nosuch"], "ledger, economy"),
                 (["revoke", "nosuch"], "larder key list")]
        for args, word in cases:
            self.assert_mistake(["key", args[0], "--data", self.data, *args[1:]], word)

    def test_migrate_can_be_repeated(self):
        for _ in range(3):
            done = self.run_here("migrate", "--data", self.data)
            self.assertEqual((done.returncode, done.stdout), (0, "the schema is up to date\n"))

    def test_a_start_tells_where_everything_is(self):
        server = self.open(Server(data=self.data))
        host, port = server.address
        key = self.data / "admin.key"
        self.assertRegex(server.said[0], rf"^larder \d+\.\d+\.\d+ answers on http://{host}:{port}$")
        self.assertEqual(stat.S_IMODE(key.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(self.data.stat().st_mode), 0o700)
        self.assertNotEqual(port, 0)
        client = server.client()
        self.addCleanup(client.close)
        self.assertEqual(client.get("/v1/ledger/types").status, 200)

    def test_files_in_a_directory_that_was_there_before_are_for_the_owner_only(self):
        self.data.mkdir()
        self.data.chmod(0o755)
        old = os.umask(0o022)
        self.addCleanup(os.umask, old)
        server = self.open(Server(data=self.data))
        with self.symptom("other users could read the data directory") as row:
            row.log(server)
        self.assertEqual(stat.S_IMODE(self.data.stat().st_mode), 0o700)
        files = [path for path in self.data.rglob("*") if path.is_file()]
        for name in ("larder.db", "larder.db-wal", "larder.db-shm", "admin.key", "redis.conf"):
            self.assertIn(name, [path.name for path in files])
        self.assertTrue([path for path in files if path.suffix == ".aof"], "Redis has files, too")
        for path in files:
            self.assertEqual(oct(stat.S_IMODE(path.stat().st_mode)), oct(0o600), path)

    def test_a_directory_with_other_things_in_it_is_not_taken_over(self):
        self.data.mkdir()
        self.data.chmod(0o755)
        (self.data / "letter.txt").write_text("private")
        with self.symptom("other users can read the data directory, and it has things of others") as row:
            row.ended(self.run_here("serve", "--data", self.data))
        self.assert_mistake(["serve", "--data", self.data], f"chmod 700 {self.data}")
        self.assertEqual(stat.S_IMODE(self.data.stat().st_mode), 0o755)

    def test_an_address_in_use_is_told(self):
        server = self.open(Server())
        taken = "{}:{}".format(*server.address)
        done = self.run_here("serve", "--data", self.data, "--listen", taken)
        self.assertIn(taken, done.stderr.splitlines()[-1])
        with self.symptom("another program listens on the address") as row:
            row.ended(done)


if __name__ == "__main__":
    main()
