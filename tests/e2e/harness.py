"""What the end-to-end tests share: a server as its users start it, a small HTTP client, and Redis and SQL servers."""
import ctypes
import http.client
import json
import os
import pwd
import queue
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("LARDER_BINARY", str(ROOT / "build" / "release" / "larder"))
LONG = os.environ.get("LARDER_LONG") == "1"
SEED = int(os.environ.get("LARDER_SEED", random.SystemRandom().getrandbits(32)))
PATIENCE_S = 120  # no test checks how fast the server is; this only ends a test that hangs

AMOUNT_MAX = 2**53 - 1
TITLES = http.client.responses | {413: "Content Too Large", 422: "Unprocessable Content"}
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")

_libc = ctypes.CDLL(None)


def die_with_parent():
    _libc.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: a test that is cut off leaves nothing behind


def environment(more=None):
    """The environment without the variables of this test, which are not settings of the server."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LARDER_")}
    return kept | (more or {})


def eventually(check, what, patience_s=PATIENCE_S, pause_s=0.02):
    """Repeats `check` until its value is true. Returns that value."""
    deadline = time.monotonic() + patience_s
    while True:
        value = check()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {patience_s} s in vain: {what}")
        time.sleep(pause_s)


def now_ms():
    return time.time_ns() // 1_000_000


def stamp(ms):
    """A time in the format of the server."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ms // 1000)) + f".{ms % 1000:03}Z"


def run_larder(*args, env=None, cwd=None, input=None):
    """Runs a command that ends by itself. Returns its exit code, stdout and stderr."""
    return subprocess.run([BINARY, *map(str, args)], env=environment(env), cwd=cwd, capture_output=True, text=True,
                          input=input, timeout=PATIENCE_S)


class TempDir:
    def __init__(self):
        self.path = Path(tempfile.mkdtemp(prefix="larder-"))

    def __truediv__(self, name):
        return self.path / name

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


class Answer:
    def __init__(self, status, headers, raw):
        self.status = status
        self.headers = headers
        self.raw = raw

    @property
    def json(self):
        return json.loads(self.raw)

    def __repr__(self):
        return f"{self.status} {self.raw[:500]!r}"


class Client:
    """One connection that stays open. Never sends a request again by itself."""

    def __init__(self, address, token=None, timeout_s=60):
        self.address = address
        self.token = token
        self.timeout_s = timeout_s
        self._connection = None

    def send(self, method, path, body=None, headers=None):
        headers = dict(headers or {})
        if self.token and "Authorization" not in headers:
            headers["Authorization"] = f"Bearer {self.token}"
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode()
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
        if self._connection is None:
            self._connection = http.client.HTTPConnection(*self.address, timeout=self.timeout_s)
        try:
            self._connection.request(method, path, body, {k: v for k, v in headers.items() if v is not None})
            response = self._connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
        except Exception:
            self.close()
            raise
        if response.will_close:
            self.close()
        return answer

    def get(self, path, **more):
        return self.send("GET", path, **more)

    def post(self, path, body=None, **more):
        return self.send("POST", path, body, **more)

    # Short forms for the ledger.

    def new_type(self, name, **more):
        answer = self.post("/v1/ledger/types", {"name": name, **more})
        assert answer.status == 201, answer
        return answer.json["id"]

    def entry(self, **entry):
        return self.post("/v1/ledger/entries", entry)

    def account(self, type_id, domain, uid):
        answer = self.get(f"/v1/ledger/accounts/{type_id}/{quote(domain)}/{quote(uid)}")
        assert answer.status == 200, answer
        return answer.json

    def order(self, uid, order_id):
        return self.get(f"/v1/ledger/orders/{quote(uid)}/{quote(order_id)}")

    def flows(self, uid, **filters):
        """All pages, newest first."""
        items, cursor = [], None
        while True:
            query = {"uid": uid, "limit": 500, **filters} | ({"cursor": cursor} if cursor else {})
            answer = self.get("/v1/ledger/flows?" + "&".join(f"{k}={quote(str(v))}" for k, v in query.items()))
            assert answer.status == 200, answer
            items += answer.json["items"]
            cursor = answer.json["next_cursor"]
            if cursor is None:
                return items

    def close(self):
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def raw_exchange(address, data, timeout_s=60):
    """Sends bytes as they are. Returns the first answer."""
    with closing(socket.create_connection(address, timeout=timeout_s)) as connection:
        connection.sendall(data)
        response = http.client.HTTPResponse(connection)
        response.begin()
        return Answer(response.status, response.headers, response.read())


def children_of(pid):
    """Pairs of pid and name."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            name, rest = (entry / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
        except (OSError, IndexError):
            continue
        if int(rest.split()[1]) == pid:
            found.append((int(entry.name), name))
    return found


def is_alive(pid):
    """A zombie counts as dead."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def kill_quietly(pid, number=signal.SIGKILL):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


class Server:
    """`larder serve` with its own data directory."""

    def __init__(self, *args, data=None, env=None):
        self.directory = TempDir()
        self.data = Path(data) if data else self.directory / "data"
        self.args = args
        self.env = env
        self.process = None
        self.address = None
        self.said = []
        self.log_path = self.directory / "stderr"
        self._redis_pids = set()
        self._token = None

    def begin(self):
        """Starts the server and does not wait."""
        self._lines = queue.Queue()
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [BINARY, "serve", "--data", str(self.data), "--listen", "127.0.0.1:0", *map(str, self.args)],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, env=environment(self.env),
                preexec_fn=die_with_parent)
        threading.Thread(target=self._listen, args=(self.process.stdout, self._lines), daemon=True).start()
        return self

    def start(self):
        return self.begin().wait_for_address()

    def wait_for_address(self):
        deadline = time.monotonic() + PATIENCE_S
        said = []
        while True:
            try:
                line = self._lines.get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no address was printed; the log: {self.log()[-3000:]}") from None
            if line is None:
                self.process.wait()
                raise AssertionError(f"the server ended with {self.process.returncode}: {self.log()[-3000:]}")
            said.append(line)
            if match := re.match(r"larder \S+ answers on http://(127\.0\.0\.1):(\d+)$", line):
                self.said = said
                self.address = (match[1], int(match[2]))
                self.redis_pid()
                return self

    @staticmethod
    def _listen(stdout, lines):
        with stdout:
            for line in stdout:
                lines.put(line.decode().rstrip("\n"))
        lines.put(None)

    @property
    def token(self):
        if self._token is None:
            self._token = (self.data / "admin.key").read_text().strip()
        return self._token

    def client(self, token=None, **more):
        return Client(self.address, self.token if token is None else token, **more)

    @property
    def redis_socket(self):
        return self.data / "redis" / "redis.sock"

    def redis_pid(self):
        """The pid of the server's embedded Redis; None if it does not run now."""
        for pid, name in children_of(self.process.pid):
            if name == "redis-server":
                self._redis_pids.add(pid)
                return pid
        return None

    def log(self):
        return self.log_path.read_text(errors="replace") if self.log_path.exists() else ""

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self, timeout_s=PATIENCE_S):
        return self.process.wait(timeout_s)

    def stop(self):
        """Stops the server as an operator does. Returns the exit code."""
        self.signal(signal.SIGTERM)
        return self.wait()

    def kill(self, server=True, redis=True):
        """kill -9. Finds the pid of Redis before its parent dies."""
        redis_pid = self.redis_pid() if redis else None
        if server:
            self.process.kill()
        if redis_pid:
            kill_quietly(redis_pid)
        if server:
            self.process.wait()
        return redis_pid

    def close(self):
        """Leaves nothing behind, whatever state the server is in."""
        if self.process and self.process.poll() is None:
            self.redis_pid()
            self.process.kill()
            self.process.wait()
        for pid in self._redis_pids:
            if "redis-server" in self._name_of(pid):
                kill_quietly(pid)
                eventually(lambda pid=pid: not is_alive(pid), "redis-server dies")
        self.directory.remove()

    @staticmethod
    def _name_of(pid):
        try:
            return Path(f"/proc/{pid}/comm").read_text()
        except OSError:
            return ""


CRASHES = ("both", "server", "redis", "while starting")


def choose_crashes(rng, rounds):
    """Each kind once, as far as the rounds allow, then random kinds."""
    first = rng.sample(CRASHES, len(CRASHES))[:rounds]
    return first + [rng.choice(CRASHES) for _ in range(rounds - len(first))]


def crash(server, kind, rng):
    """kill -9. When this returns, the server runs again."""
    if kind == "redis":
        old = eventually(server.redis_pid, "Redis runs")
        server.kill(server=False)
        eventually(lambda: not is_alive(old), "the old Redis is gone")
        eventually(server.redis_pid, "the server starts Redis again by itself")
        assert server.process.poll() is None, "the server goes on without Redis"
        return
    server.kill(redis=kind != "server")
    if kind == "while starting":
        server.begin()
        time.sleep(rng.uniform(0, 0.3))
        server.kill(redis=rng.random() < 0.5)
    server.start()


class Hand(threading.Thread):
    """One client of a load. The load names the kinds of work, which are methods here, and their weights."""

    def __init__(self, load, index, rng):
        super().__init__(daemon=True)
        self.load, self.index, self.rng = load, index, rng
        self.clients = {}  # by address

    def run(self):
        kinds, weights = zip(*self.load.kinds.items())
        try:
            while not self.load.stopping.is_set() and not self.load.problems:
                getattr(self, self.rng.choices(kinds, weights)[0])()
        except Exception as error:
            self.load.problems.append(f"client {self.index}: {error!r}")
        finally:
            for client in self.clients.values():
                client.close()

    def client(self):
        """The client of the server that is to be asked now."""
        address = self.load.address_of()
        if address not in self.clients:
            self.clients[address] = Client(address, self.load.token, timeout_s=30)
        return self.clients[address]


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
for _, key in ipairs(keys) do out[#out + 1] = key .. ' ' .. redis.sha1hex(redis.call('DUMP', key)) end
return out
"""


def redis_snapshot(where):
    """The number of keys, and each key with a digest of its value."""
    return redis_cli(where, "DBSIZE").strip(), redis_cli(where, "EVAL", _DUMP_ALL, "0")


def sqlite_snapshot(path):
    """Every row of every table."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        return {table: db.execute(f'SELECT * FROM "{table}" ORDER BY 1').fetchall() for table in tables}


class Case(unittest.TestCase):
    maxDiff = None

    def open(self, thing):
        """Starts it now; it is closed after the test."""
        self.addCleanup(thing.close)
        thing.start()
        return thing

    def assert_problem(self, answer, status, code, field=None, **more):
        """Checks a complete problem document (RFC 9457). `more` has further members."""
        self.assertEqual(answer.status, status, answer)
        self.assertEqual(answer.headers["Content-Type"], "application/problem+json", answer)
        body = answer.json
        self.assertEqual(body.get("code"), code, answer)
        self.assertEqual(body.get("field"), field, answer)
        self.assertEqual(body["type"], "about:blank")
        self.assertEqual(body["title"], TITLES[status])
        self.assertEqual(body["status"], status)
        self.assertTrue(body["detail"], answer)
        self.assertEqual(body["request_id"], answer.headers["X-Request-Id"])
        for name, value in more.items():
            self.assertEqual(body.get(name), value, answer)
        known = {"type", "title", "status", "detail", "code", "field", "request_id", *more}
        self.assertLessEqual(set(body), known, answer)


class SharedServerCase(Case):
    """One server for all tests of the class. Each test makes its own type."""

    server_args = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.server_args)
        cls.addClassCleanup(cls.server.close)
        cls.server.start()

    def setUp(self):
        self.client = self.server.client()
        self.addCleanup(self.client.close)


class TracelessCase(SharedServerCase):
    """Everything that a test asks for is refused and changes nothing."""

    def setUp(self):
        super().setUp()
        eventually(lambda: "lease" not in self.traces()[0][1], "the projector has given its lease back")
        before = self.traces()
        self.addCleanup(lambda: self.assertEqual(self.traces(), before, "a refused request left a trace"))

    def traces(self):
        return redis_snapshot(self.server.redis_socket), sqlite_snapshot(self.server.data / "larder.db")


def main():
    print(f"LARDER_SEED={SEED}", flush=True)
    if not os.access(BINARY, os.X_OK):
        sys.exit(f"{BINARY} is not there: tools/build release larder")
    unittest.main(module="__main__", verbosity=2)
