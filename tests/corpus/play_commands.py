"""The command line: exit code, stdout and stderr of every command. Its prose may be revised, so its records are in a
separate file."""
import json
import re
import shutil

from game import GAME, OPTIONS
from harness import Server, TempDir, redis_cli, run_larder
from normalise import TIME
from transcript import Record

COMMANDS = ["", "serve", "migrate", "backup", "restore", "key", "key create", "key list", "key revoke", "key rotate", "ledger",
            "ledger verify",
            "ledger rebuild", "ledger adopt", "ledger transfers", "ledger transfers list",
            "ledger transfers complete", "ledger transfers return", "economy",
            "economy items", "economy items check", "economy items load", "economy verify", "config", "config check",
            "config dump",
            "version", "user", "user list", "user show", "user reset-password", "user delete", "user disable",
            "user enable", "user verify", "user export", "user forget", "auth", "auth rotate",
            "discord", "discord stats", "discord purge", "discord reindex", "discord import"]
MISTAKES = ["", "nosuch", "nosuch --help", "--bogus", "serve --bogus", "serve extra", "serve --data", "serve --version",
            "serve --set foo", "serve --config", "backup", "backup a b", "restore", "restore --move-aside",
            "key", "key nosuch", "key create", "key create --name x", "key create --scope ledger", "key revoke", "key rotate",
            "ledger", "ledger nosuch", "ledger adopt extra", "ledger transfers", "ledger transfers complete alice",
            "ledger verify extra", "economy", "economy nosuch", "economy items", "economy items check",
            "economy items check x y",
            "economy items load", "economy verify extra", "config", "config nosuch", "version extra", "user",
            "user nosuch", "user list extra", "user show", "user delete a b", "user export", "user forget a b", "auth", "auth nosuch", "auth rotate extra", "discord",
            "discord nosuch", "discord stats extra", "discord purge", "discord import", "discord reindex extra"]
WRONG_SETTINGS = ["nosuch=1", "redis.nosuch=1", "data=", "server.threads=many", "server.threads=257",
                  "server.access_log=yes",
                  "server.connections_max=0", "server.rate_tokens=-1", "server.rate_seconds=0", "redis.fsync=never",
                  "redis.replicas_min=17",
                  "redis.timeout_ms=9", "sql.connections=65", "ledger.order_shards=0", "ledger.flow_tables=1001",
                  "economy.stream_events=999", "economy.allow_seed=maybe", "log.level=loud", "log.format=xml",
                  "accounts.behind_proxy=maybe", "cache.prefix=:x", "cache.prefix=tribes:x", "cache.version_info=1",
                  "cache.version_info=v1proto", "cache.version_info=v1etf", "cache.keep.messages=soon",
                  "cache.keep.nosuch=true", "cache.feed.messages=maybe", "cache.redis.memory_mb=-1"]
IMPOSSIBLE_SETTINGS = ["redis.url=nosuch://x", "redis.url=redis://h:99999", "redis.url=redis://a:1,b:2",
                       "sql.url=oracle://x",
                       "sql.url=sqlite:", "sql.url=postgresql://u:secret@h/d?nosuch=1", "server.listen=nowhere",
                       "server.listen=127.0.0.1:99999", "ledger.key_format=<uid>", "economy.catalogue=none.json",
                       "cache.redis.url=nosuch://x"]


class Commands:
    """Runs commands in a separate directory, so that paths are short and the same everywhere."""

    def __init__(self):
        self.directory = TempDir()
        self.records = []

    def run(self, line, env=None):
        """Runs and records a command. Returns its stdout."""
        done = run_larder(*line.split(), cwd=self.directory.path, env=env)
        title = self.normal(" ".join([*(f"{name}={value}" for name, value in (env or {}).items()),
                                      f"larder {line}".strip()]))
        answer = f"{done.returncode}\n{done.stdout}" + (f"--- stderr\n{done.stderr}" if done.stderr else "")
        again = " (again)" * any(record.title == title for record in self.records)
        self.records.append(Record(title + again, "", self.normal(answer.rstrip("\n"))))
        return done.stdout

    def write(self, name, text):
        (self.directory / name).write_text(text)

    def normal(self, text):
        text = text.replace(str(self.directory.path), "<directory>")
        text = re.sub(r"\blk_[0-9a-f]{12}_[0-9a-f]{64}\b", "<token>", text)
        text = re.sub(r"(^|\bkey |\brevoke |\brotate )[0-9a-f]{12}\b", r"\1<key id>", text, flags=re.M)
        text = re.sub(r"\b(?=[a-v]*\d)[0-9a-v]{19}[0g]\b", "<user id>", text)
        text = re.sub(r"\b[0-9a-v]{5}(-[0-9a-v]{5}){3}\b", "<password>", text)
        text = re.sub(r"\(process \d+\)", "(process <pid>)", text)
        text = re.sub(r"^(larder) \d+\.\d+\.\d+$", r"\1 <version>", text, flags=re.M)
        return TIME.sub("<time>", text)


def play_commands():
    commands = Commands()
    try:
        play_help(commands)
        play_settings(commands)
        play_files(commands)
        play_keys(commands)
        play_catalogues(commands)
        play_verify(commands)
        play_users(commands)
    finally:
        commands.directory.remove()
    return commands.records


def play_help(commands):
    for command in COMMANDS:
        commands.run(f"{command} --help".strip())
    for line in ("-h", "version", "--version", *MISTAKES):
        commands.run(line)


def play_settings(commands):
    commands.run("config dump")
    commands.run("config check")
    commands.run("config check --redis redis+cluster://h:1,h:2 --sql postgresql://u@h/d")
    commands.run("config dump --data d --redis redis://bot:secret@h:6379/1 --sql mysql://u:secret@h/d "
                 "--set log.level=debug --set server.cors_origin=*")
    for setting in (*WRONG_SETTINGS, *IMPOSSIBLE_SETTINGS):
        commands.run(f"config check --set {setting}")
    commands.run("serve --set server.threads=many")
    commands.run("serve --data none --set redis.url=nosuch://x")
    commands.run("config dump --set redis.url=redis://:***@h")


def play_files(commands):
    commands.write("good.toml",
                   'data = "from-file"\n[redis]\ntimeout_ms = 111\n[log]\nlevel = "warn"\n[server]\naccess_log = false\n')
    commands.write("secret", "postgresql://u:secret@h/d\n")
    for name, text in (("cut", "a = [1"), ("third-line", "\n\nx"), ("fraction", "[server]\nthreads = 1.5\n"),
                       ("unknown", "[server]\nx = 1\n"),
                       ("array", "[server]\nlisten = [1]\n"), ("hidden", '[sql]\nurl = "mysql://u:***@h/d"\n')):
        commands.write(f"{name}.toml", text)
        commands.run(f"config check --config {name}.toml")
    commands.run("config check --config none.toml")
    commands.run("config dump --config good.toml")
    environment = {"LARDER_REDIS__TIMEOUT_MS": "222", "LARDER_DATA": "from-environment"}
    commands.run("config dump --config good.toml", env=environment)
    commands.run("config dump --config good.toml --set redis.timeout_ms=333 --data from-flag", env=environment)
    commands.run("config dump", env={"LARDER_SQL__URL_FILE": "secret"})
    for variable, value in (("LARDER_SERVER__THREADS", "many"), ("LARDER_NOSUCH", "1"), ("LARDER_SERVER__NOSUCH", "1"),
                            ("LARDER_SQL__URL_FILE", "none")):
        commands.run("config check", env={variable: value})


def play_keys(commands):
    for line in ("key list", "key create --name bot --scope ledger", "key revoke abc", "ledger verify",
                 "ledger rebuild", "economy verify"):
        commands.run(f"{line} --data none")
    commands.run("migrate --data keys")
    commands.run("migrate --data keys --set log.level=error")
    commands.run("key list --data keys")
    token = commands.run("key create --data keys --name bot --scope ledger,economy")
    commands.run("key create --data keys --name first --scope admin")
    commands.run(f"key rotate {token.split('_')[1]} --data keys")
    commands.run(f"key rotate {token.split('_')[1]} --overlap 0 --data keys")
    commands.run(f"key rotate {token.split('_')[1]} --overlap -1 --data keys")
    commands.run("key create --data keys --name game --scope economy --realm b,a --read-only --expires 2099-01-01T00:00:00Z")
    commands.run(f"key revoke {token.split('_')[1]} --data keys")
    commands.run(f"key rotate {token.split('_')[1]} --data keys")
    commands.run("key list --data keys")
    for line in ("create --name a/b --scope ledger", f"create --name {'x' * 65} --scope ledger",
                 "create --name x --scope nosuch",
                 "create --name x --scope ledger,", "create --name x --scope ledger --realm main",
                 "create --name x --scope economy --realm a,", "create --name x --scope ledger --expires soon",
                 "create --name x --scope ledger --expires 2020-01-01T00:00:00Z", "revoke nosuch", "rotate nosuch"):
        commands.run(f"key {line} --data keys")


def play_catalogues(commands):
    commands.write("game.json", json.dumps(GAME))
    item = GAME["items"][0]
    wrong = {"empty": "", "array": "[]", "cut": json.dumps(GAME)[:40],
             "no-farm": json.dumps({k: v for k, v in GAME.items() if k != "farm"}),
             "unknown": json.dumps(GAME | {"x": 1}), "stack": json.dumps(GAME | {"items": [item | {"max_stack": 0}]}),
             "twice": json.dumps(GAME | {"items": [item, item]}),
             "craft": json.dumps(GAME | {"items": [item | {"craft": [
                 {"item": ":rod:", "amount": 1}]}]}),
                 "use": json.dumps(GAME | {"items": [item | {"use": {"kind": "x"}}]}),
             "drops": json.dumps(GAME | {"items": [item | {"drop": 11}]}), "reward": json.dumps(GAME | {"rewards": [
                 {"name": "Daily", "points": 5, "every_s": 1}]}),
             "zone": json.dumps(GAME | {"rewards": [{"name": "daily", "points": 5, "every_s": 86400, "time_zone": "x"}]}),
             "days": json.dumps(GAME | {"rewards": [{"name": "daily", "points": 5, "every_s": 5, "time_zone": "UTC"}]}),
             "sell": json.dumps(GAME | {"items": [item | {"sell": -1}]}),
             "cooldown": json.dumps(GAME | {"farm": GAME["farm"] | {"cooldown_s": "5"}})}
    commands.run("economy items check game.json")
    commands.write("options.json", json.dumps(OPTIONS))
    commands.run("economy items check options.json")
    for name, text in wrong.items():
        commands.write(f"{name}.json", text)
        commands.run(f"economy items check {name}.json")
    commands.run("economy items check none.json")
    commands.run("economy items load game.json --data none")
    commands.run("migrate --data game")
    commands.run("economy items load game.json --data game")
    commands.run("economy items load cut.json --data game")
    commands.run("economy items load game.json --data game --realm main")
    commands.run("economy items load game.json --data game --realm main --create")
    commands.run("economy items load game.json --data game --realm main")
    commands.run("economy items load game.json --data game --realm mian")
    commands.run("economy items load game.json --data game --realm a/b")
    commands.run("economy items load game.json --data game --set log.level=error")
    commands.run("economy verify --data game")
    commands.run("economy verify --data game --realm main")
    commands.run("economy verify --data game --realm nosuch")


def play_verify(commands):
    """With and without a server, and with and without a difference."""
    server = Server("--set", "economy.allow_seed=true", data=commands.directory / "data")
    try:
        server.start()
        client = server.client()
        client.new_type("gold")
        for order in ("a", "b"):
            client.entry(order_id=order, op="add", type=1, domain="main", uid="alice", amount=5)
        client.post("/v1/economy/default/players/ann/rewards/daily")
        client.flows("alice")
        client.get("/v1/economy/default/events")
        client.close()
        commands.run("ledger verify --data data")
        commands.run("economy verify --data data")
        commands.run("ledger rebuild --data data")
        commands.run("ledger adopt --data data")
        commands.run("ledger transfers list --data data")
        commands.run("ledger transfers complete alice a --data data")
        commands.run("ledger transfers return alice a --data data")
        redis_cli(server.redis_socket, "SET", "{alice}:main:1:score", "7")
        redis_cli(server.redis_socket, "ZADD", "lb", "3", "ann")
        commands.run("ledger verify --data data --set log.level=error")
        commands.run("economy verify --data data --set log.level=error")
        server.stop()
        commands.run("ledger verify --data data --set log.level=warn")
        commands.run("ledger adopt --dry-run --data data --set log.level=warn")
        commands.run("ledger rebuild --data data --set log.level=warn")
        shutil.rmtree(commands.directory / "data" / "redis")
        commands.run("serve --data data --listen 127.0.0.1:0")
        commands.run("ledger rebuild --data data --set log.level=error")
    finally:
        server.close()


def play_users(commands):
    quiet = "--data players --set log.level=error"
    for line in ("user list", "user show ada", "user disable ada", "user verify", "auth rotate"):
        commands.run(f"{line} --data none")
    server = Server(data=commands.directory / "players")
    try:
        server.start()
        client = server.client()
        for name in ("Ada", "Bea"):
            client.post("/v1/auth/register", {"username": name, "password": "correct horse"})
        client.close()
        commands.run(f"user disable Ada {quiet}")  # brings both accounts to SQL, too
        for line in ("list", "list --prefix AD", "list --prefix x", "list --limit 1", "list --limit 0", "list --limit x",
                     "show ada", "show nobody", "enable ADA", "reset-password ada", "reset-password ada secret",
                     "reset-password nobody", "delete ada", "delete ada", "disable bea", "export a/b", "forget a/b",
                     "forget bea --wait x"):
            commands.run(f"user {line} {quiet}")
        commands.run(f"auth rotate {quiet}")
        commands.run(f"auth rotate {quiet}")
        commands.run(f"auth rotate --force {quiet}")
        for line in ("verify", "verify --world nope", "dead", "dead --world nope", "requeue nope ada", "requeue default ada"):
            commands.run(f"tribes {line} {quiet}")
        commands.run(f"user verify {quiet}")
        redis_cli(server.redis_socket, "RENAME", "username:bea", "username:ebb")
        commands.run(f"user verify {quiet}")
        redis_cli(server.redis_socket, "RENAME", "username:ebb", "username:bea")
        server.stop()
        commands.run("user list --data players --set log.level=warn")
        commands.run("user enable bea --data players --set log.level=warn")
        shutil.rmtree(commands.directory / "players" / "redis")
        commands.run("serve --data players --listen 127.0.0.1:0 --set log.level=error")
        commands.run("tribes rebuild --data players --set log.level=warn")
        commands.run("user verify --data players --set log.level=warn")
    finally:
        server.close()
