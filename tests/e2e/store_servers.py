"""Redis and SQL servers, and the contents of a store."""
import os
import pwd
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from processes import PATIENCE_S, TempDir, die_with_parent, eventually


class RedisServer:
    """A separate Redis on a unix socket."""

    def __init__(self, directory=None):
        self.directory = directory or TempDir()
        self.socket = self.directory / "redis.sock"
        self.process = None

    @property
    def url(self):
        return f"unix:{self.socket}"

    @property
    def pid(self):
        return self.process.pid

    @property
    def files(self):
        return self.directory / "appendonlydir"

    def begin(self):
        """Starts the Redis and does not wait."""
        with open(self.directory / "redis.log", "ab") as log:
            self.process = subprocess.Popen(
                ["redis-server", "--port", "0", "--unixsocket", str(self.socket), "--dir", str(self.directory.path),
                 "--appendonly", "yes", "--appendfsync", "always", "--save", ""],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=die_with_parent)

    def start(self):
        self.begin()
        eventually(lambda: self.ask("PING") == "PONG", "the other Redis starts")
        return self

    def ask(self, *args):
        return redis_cli(self.socket, *args, check=False).strip()

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE_S)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        if self.process and self.process.poll() is None:
            self.kill()
        self.directory.remove()


def free_port():
    """A port that is free now; the port 10 000 above it, which the nodes of a cluster use, is also free."""
    rng = random.SystemRandom()
    while True:
        port = rng.randrange(11_000, 22_000)
        try:
            for number in (port, port + 10_000):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", number))
            return port
        except OSError:
            pass


class ClusterNode:
    def __init__(self, home):
        self.home, self.port = home, free_port()
        self.process = None
        home.mkdir()

    @property
    def pid(self):
        return self.process.pid

    @property
    def files(self):
        return self.home / "appendonlydir"

    def begin(self):
        with open(self.home / "log", "ab") as log:
            self.process = subprocess.Popen(
                ["redis-server", "--bind", "127.0.0.1", "--port", str(self.port), "--dir", str(self.home), "--save", "",
                 "--cluster-enabled", "yes", "--cluster-node-timeout", "2000", "--cluster-require-full-coverage", "no",
                 "--appendonly", "yes", "--appendfsync", "always", "--repl-diskless-sync-delay", "0"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=die_with_parent)

    def start(self):
        self.begin()
        eventually(lambda: self.ask("PING") == "PONG", f"the node on {self.port} starts")

    def ask(self, *args):
        return redis_cli(("127.0.0.1", self.port), *args, check=False).strip()

    def kill(self):
        self.process.kill()
        self.process.wait()


class RedisCluster:
    """Three masters. Without replicas, nothing fails over."""

    def __init__(self, replicas=0, directory=None):
        self.directory = directory or TempDir()
        self.replicas = replicas
        self.nodes = []

    @property
    def ports(self):
        return [node.port for node in self.nodes]

    @property
    def url(self):
        return "redis+cluster://" + ",".join(f"127.0.0.1:{port}" for port in self.ports)

    def start(self):
        for number in range(3 * (1 + self.replicas)):
            self.nodes.append(ClusterNode(self.directory / f"node{number}"))
            self.nodes[-1].begin()
        for node in self.nodes:
            eventually(lambda: node.ask("PING") == "PONG", f"the node on {node.port} starts")
        subprocess.run(["redis-cli", "--cluster", "create", *(f"127.0.0.1:{port}" for port in self.ports),
                        "--cluster-replicas", str(self.replicas), "--cluster-yes"], check=True, capture_output=True)
        self.wait_until_whole()
        return self

    def is_whole(self):
        """Whether every node is there, and every master has its replicas."""
        for node in self.nodes:
            info, role = node.ask("CLUSTER", "INFO"), node.ask("INFO", "replication")
            if "cluster_state:ok" not in info or "cluster_slots_ok:16384" not in info:
                return False
            if "role:slave" in role and "master_link_status:up" not in role:
                return False
            if "role:master" in role and role.count("state=online") != self.replicas:
                return False
        return True

    def wait_until_whole(self):
        eventually(self.is_whole, "the cluster is whole", pause_s=0.1)

    def masters(self):
        return [node for node in self.nodes if "role:master" in node.ask("INFO", "replication")]

    @staticmethod
    def ask(port, *args):
        return redis_cli(("127.0.0.1", port), *args, check=False).strip()

    def keys(self):
        return [set(self.ask(port, "KEYS", "*").split()) for port in self.ports]

    def close(self):
        for node in self.nodes:
            if node.process.poll() is None:
                node.kill()
        self.directory.remove()


class PostgresServer:
    """PostgreSQL on a unix socket, and on an address if it gets one. PostgreSQL refuses to run as root, so for root it runs as
    another user."""

    def __init__(self, directory=None, address=""):
        self.directory = directory or TempDir()
        self.address = address
        self.home = self.directory / "pg"
        self.process = None
        self._bin = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"))))
        os.chmod(self.directory.path, 0o755)
        self.home.mkdir()
        self._user = None
        if os.geteuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            self._user = "postgres" if "postgres" in names else "nobody"
            shutil.chown(self.home, self._user)
        # It sorts text by the rules of a language, as most do: to it, a is before B.
        subprocess.run([self._bin / "initdb", "-D", self.home / "data", "-U", "larder", "-A", "trust", "-N", "-E",
                        "UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en-US"], check=True,
                       capture_output=True, **self._as_user())
        with open(self.home / "data/pg_hba.conf", "a", encoding="utf-8") as rules:
            rules.write("host all all all scram-sha-256\n")

    def _as_user(self):
        if self._user is None:
            return {}
        return {"user": self._user, "group": pwd.getpwnam(self._user).pw_gid, "extra_groups": [], "cwd": self.home}

    @property
    def url(self):
        return f"postgresql://larder@/postgres?host={self.home}"

    def start(self):
        with open(self.directory / "postgres.log", "ab") as log:
            self.process = subprocess.Popen(
                [self._bin / "postgres", "-D", self.home / "data", "-k", self.home, "-c", f"listen_addresses={self.address}",
                 "-c", "fsync=off", "-c", "shared_buffers=16MB", "-c", "autovacuum=off"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=die_with_parent, **self._as_user())
        eventually(lambda: self.query("SELECT 1", check=False) == ["1"], "PostgreSQL starts")
        return self

    def query(self, statement, check=True):
        """The lines of the result, as psql prints them without decoration."""
        done = subprocess.run([self._bin / "psql", "-h", self.home, "-U", "larder", "-d", "postgres", "-Atc",
                               statement],
                              capture_output=True, text=True)
        if check and done.returncode != 0:
            raise AssertionError(done.stderr)
        return done.stdout.splitlines()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE_S)

    def close(self):
        if self.process and self.process.poll() is None:
            self.stop()
        self.directory.remove()


def redis_cli(where, *args, check=True):
    """`where`: the path of a socket, or (host, port)."""
    target = ["-h", where[0], "-p", str(where[1])] if isinstance(where, tuple) else ["-s", str(where)]
    done = subprocess.run(["redis-cli", *target, *map(str, args)], capture_output=True)
    text = done.stdout.decode(errors="backslashreplace")
    if check and (done.returncode != 0 or text.startswith("ERR")):
        raise AssertionError(f"redis-cli {args}: {text}{done.stderr.decode()}")
    return text


def redis_keys(socket):
    """Every key, as bytes."""
    done = subprocess.run(["redis-cli", "-s", str(socket), "KEYS", "*"], capture_output=True, check=True)
    return done.stdout.splitlines()


_DUMP_ALL = """
local out = {}
local keys = redis.call('KEYS', '*')
table.sort(keys)
for _, key in ipairs(keys) do
  if key ~= 'larder:clocks' then out[#out + 1] = key .. ' ' .. redis.sha1hex(redis.call('DUMP', key)) end
end
return out
"""


def redis_snapshot(where):
    """The number of keys, and each key with a digest of its value, except the key that servers write unasked."""
    return redis_cli(where, "DBSIZE").strip(), redis_cli(where, "EVAL", _DUMP_ALL, "0")


def sqlite_query(path, statement):
    """The first column of the result, as text."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        return [str(row[0]) for row in db.execute(statement)]


def sqlite_snapshot(path):
    """Every row of every table. Leaves out when keys were last used: every request changes that, sooner or later."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        columns = {table: [f'"{row[1]}"' for row in db.execute(f'PRAGMA table_info("{table}")') if row[1] != "last_used_at"]
                   for table in tables}
        return {table: db.execute(f'SELECT {", ".join(columns[table])} FROM "{table}" ORDER BY 1').fetchall()
                for table in tables}
