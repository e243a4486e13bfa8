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

    def __init__(self):
        self.directory = TempDir()
        self.socket = self.directory / "redis.sock"
        self.process = None

    @property
    def url(self):
        return f"unix:{self.socket}"

    def start(self):
        with open(self.directory / "redis.log", "ab") as log:
            self.process = subprocess.Popen(
                ["redis-server", "--port", "0", "--unixsocket", str(self.socket), "--dir", str(self.directory.path),
                 "--appendonly", "yes", "--appendfsync", "always", "--save", ""],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=die_with_parent)
        eventually(lambda: redis_cli(self.socket, "PING", check=False).strip() == "PONG", "the other Redis starts")
        return self

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE_S)

    def close(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.directory.remove()


def free_port():
    """A port that is free now; the port 10 000 above it, which the nodes of a cluster use, is free, too."""
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


class RedisCluster:
    """Three masters without replicas, for tests that do not fail over."""

    def __init__(self):
        self.directory = TempDir()
        self.ports, self.processes = [], []

    @property
    def url(self):
        return "redis+cluster://" + ",".join(f"127.0.0.1:{port}" for port in self.ports)

    def start(self):
        for number in range(3):
            port, home = free_port(), self.directory / f"node{number}"
            home.mkdir()
            with open(home / "log", "ab") as log:
                self.processes.append(subprocess.Popen(
                    ["redis-server", "--bind", "127.0.0.1", "--port", str(port), "--dir", str(home), "--save", "",
                     "--cluster-enabled", "yes", "--appendonly", "yes", "--appendfsync", "always"],
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=die_with_parent))
            self.ports.append(port)
        for port in self.ports:
            eventually(lambda: self.ask(port, "PING") == "PONG", f"the node on {port} starts")
        subprocess.run(["redis-cli", "--cluster", "create", *(f"127.0.0.1:{port}" for port in self.ports),
                        "--cluster-yes"], check=True, capture_output=True)
        for port in self.ports:
            eventually(lambda: "cluster_state:ok" in self.ask(port, "CLUSTER", "INFO"), "the cluster is whole")
        return self

    @staticmethod
    def ask(port, *args):
        return redis_cli(("127.0.0.1", port), *args, check=False).strip()

    def keys(self):
        return [set(self.ask(port, "KEYS", "*").split()) for port in self.ports]

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()
        self.directory.remove()


class PostgresServer:
    """PostgreSQL on a unix socket. It refuses to run as root, so it runs as another user then."""

    def __init__(self):
        self.directory = TempDir()
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
        subprocess.run([self._bin / "initdb", "-D", self.home / "data", "-U", "larder", "-A", "trust", "-N", "-E",
                        "UTF8", "--locale=C"], check=True, capture_output=True, **self._as_user())

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
                [self._bin / "postgres", "-D", self.home / "data", "-k", self.home, "-c", "listen_addresses=",
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
    """The number of keys, and each key with a digest of its value, but for the one that servers write unasked."""
    return redis_cli(where, "DBSIZE").strip(), redis_cli(where, "EVAL", _DUMP_ALL, "0")


def sqlite_snapshot(path):
    """Every row of every table."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        return {table: db.execute(f'SELECT * FROM "{table}" ORDER BY 1').fetchall() for table in tables}
