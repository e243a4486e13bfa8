"""The three set-ups in which faults happen: everything on one machine, two servers on one Redis and PostgreSQL, and two
servers on a Redis Cluster. Each has the same parts: servers, nodes (of Redis), and SQL."""
import os
import shutil
import signal
import sqlite3
import subprocess

from harness import (PATIENCE_S, PostgresServer, RedisCluster, RedisServer, Server, TempDir, children_of, eventually, is_alive,
                     kill_quietly, redis_cli, run_larder, sqlite_query)
from moved_clock import MovedServer


_WAITING = """
local out = {}
for _, key in ipairs(redis.call('KEYS', '*')) do
  local is_outbox = key:match('outbox$') or key:match('ajobus$') or key:match('ajobus%-inventory$')
  local last = is_outbox and redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  if last and last[1] ~= redis.call('GET', key .. ':projected') then out[#out + 1] = key end
end
return out
"""


class SmallDisk(TempDir):
    """A directory that can be full. Only root can mount it; for other users, it is a plain directory."""

    MOUNTS = os.geteuid() == 0

    def __init__(self, mib):
        super().__init__()
        if self.MOUNTS:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mib}m", "larder-faults", self.path], check=True)
            os.chmod(self.path, 0o755)

    def fill(self):
        with open(self / "filler", "wb", buffering=0) as file:
            try:
                while file.write(bytes(1 << 16)):
                    pass
            except OSError:
                pass

    def free(self):
        (self / "filler").unlink(missing_ok=True)

    def remove(self):
        if self.MOUNTS:
            subprocess.run(["umount", "-l", self.path], check=True)
        super().remove()


class EmbeddedRedis:
    """The Redis that a server has started."""

    def __init__(self, server):
        self.server = server
        self.files = server.data / "redis" / "appendonlydir"

    @property
    def pid(self):
        return eventually(self.server.redis_pid, "Redis runs")

    @property
    def process(self):
        return None

    def ask(self, *args):
        return redis_cli(self.server.redis_socket, *args, check=False).strip()

    def kill(self):
        pid = self.pid
        kill_quietly(pid)
        eventually(lambda: not is_alive(pid), "the old Redis is gone")

    def begin(self):
        """Does nothing: the server starts its Redis again by itself."""


class Sqlite:
    def __init__(self, server):
        self.file = server.data / "larder.db"
        self._held = None

    def query(self, statement):
        return sqlite_query(self.file, statement)

    def lock(self, rng):
        self._held = sqlite3.connect(self.file, timeout=PATIENCE_S)
        self._held.execute("BEGIN IMMEDIATE")
        return "the database"

    def unlock(self):
        self._held.close()


class Postgres(PostgresServer):
    LOCKED = ("message", "message_clock", "score_flow_0", "economy_event", "tribes_event", "outbox_position")

    def pids(self):
        return [self.process.pid, *(pid for pid, _ in children_of(self.process.pid))]

    def kill(self):
        for pid in self.pids():
            kill_quietly(pid)
        self.process.wait()
        (self.home / "data" / "postmaster.pid").unlink(missing_ok=True)

    def lock(self, rng):
        table = rng.choice(self.LOCKED)
        self._held = subprocess.Popen([self._bin / "psql", "-h", self.home, "-U", "larder", "-d", "postgres", "-qAt"],
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._held.stdin.write(f"BEGIN; LOCK TABLE {table} IN EXCLUSIVE MODE; SELECT 'locked';\n")
        self._held.stdin.flush()
        assert self._held.stdout.readline() == "locked\n"
        return table

    def unlock(self):
        self._held.communicate("ROLLBACK;\n")


class Place:
    """`servers`, `nodes` and `sql` are its parts; `disk` has the files of the stores."""

    COMMON = ("--set", "server.access_log=false")

    def __init__(self, game):
        self.common = (*self.COMMON, "--set", f"economy.catalogue={game}")
        self._turn = 0

    @property
    def token(self):
        return self.servers[0].token

    def address(self):
        """The address of one server after the other. Skips dead servers."""
        for _ in self.servers:
            self._turn += 1
            server = self.servers[self._turn % len(self.servers)]
            if server.process and server.process.poll() is None:
                break
        return server.address

    def client(self, index=0):
        return self.servers[index].client(token=self.token)

    def larder(self, *args):
        return run_larder(*args, "--data", self.servers[0].data, *self.servers[0].args)

    def masters(self):
        return self.nodes

    def wait_for_stores(self):
        """Starts the stores that do not run, and waits for them."""
        for node in self.nodes:
            if node.process and node.process.poll() is not None:
                node.begin()
        for node in self.nodes:
            eventually(lambda: node.ask("PING") == "PONG", "Redis answers")

    def wait_until_projected(self):
        """Waits until SQL has all events that exist now. Towns change by themselves, so their outbox is not empty for long."""
        late = self._waiting()

        def arrived():
            late.intersection_update(self._waiting())
            return not late
        eventually(arrived, "SQL has all events", pause_s=0.05)

    def _waiting(self):
        """The outboxes that have events."""
        return {key for node in self.masters() for key in node.ask("EVAL_RO", _WAITING, 0).split()}

    def freeze(self, pids, number):
        for pid in pids:
            kill_quietly(pid, number)

    def take_copy(self):
        """Copies the files of Redis."""
        copy = TempDir()
        for number, node in enumerate(self.nodes):
            shutil.copytree(node.files, copy / str(number))
        return copy

    def put_back(self, copy):
        """Swaps the files of Redis while the servers run. For the servers, this is a short outage."""
        servers = [server.process.pid for server in self.servers]
        self.freeze(servers, signal.SIGSTOP)
        for node in self.nodes:
            node.kill()
        for number, node in enumerate(self.nodes):
            shutil.rmtree(node.files)
            shutil.copytree(copy / str(number), node.files)
            node.begin()
        self.freeze(servers, signal.SIGCONT)

    def empty_redis(self):
        for node in self.masters():
            node.ask("FLUSHALL")


class OneMachine(Place):
    name, short = "one machine", "one"

    def start(self, case):
        self.disk = SmallDisk(400)
        case.addCleanup(self.disk.remove)
        self.servers = [case.open(Server(*self.common, data=self.disk / "data"))]
        self.nodes = [EmbeddedRedis(self.servers[0])]
        self.sql = Sqlite(self.servers[0])

    def empty_redis(self):
        shutil.rmtree(self.servers[0].data / "redis")


class _TwoServers(Place):
    def start_servers(self, case, *engine):
        args = (*engine, "--sql", self.sql.url, *self.common)
        self.servers = [case.open(MovedServer(*args)) for _ in range(2)]

    def wait_for_stores(self):
        if self.sql.process.poll() is not None:
            self.sql.start()
        super().wait_for_stores()


class Shared(_TwoServers):
    name, short = "two servers", "shared"

    def start(self, case):
        self.disk = SmallDisk(600)
        case.addCleanup(self.disk.remove)
        self.nodes = [case.open(RedisServer(Part(self.disk, "redis")))]
        self.sql = case.open(Postgres(Part(self.disk, "sql")))
        self.start_servers(case, "--redis", self.nodes[0].url)


class Clustered(_TwoServers):
    name, short = "cluster", "cluster"

    def start(self, case):
        self.disk = SmallDisk(1200)
        case.addCleanup(self.disk.remove)
        self.cluster = case.open(RedisCluster(1, Part(self.disk, "redis")))
        self.nodes = self.cluster.nodes
        self.sql = case.open(Postgres(Part(self.disk, "sql")))
        self.start_servers(case, "--redis", self.cluster.url)

    def masters(self):
        return self.cluster.masters()

    def wait_for_stores(self):
        super().wait_for_stores()
        self.cluster.wait_until_whole()


class Part(TempDir):
    """A folder on a disk. The disk removes it."""

    def __init__(self, disk, name):
        self.path = disk / name
        self.path.mkdir()

    def remove(self):
        pass


PLACES = (OneMachine, Shared, Clustered)
