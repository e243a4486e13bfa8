"""A server as its users start it, and its crashes."""
import os
import queue
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

from http_client import Client
from processes import (BINARY, PATIENCE_S, TempDir, children_of, die_with_parent, environment, eventually, is_alive,
                       kill_quietly)


class Server:
    """`larder serve` with its own data directory."""

    binary = BINARY

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
                [self.binary, "serve", "--data", str(self.data), "--listen", "127.0.0.1:0", *map(str, self.args)],
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

    def said_later(self):
        """What the server prints after its address: where the admin key and the documentation are."""
        return [self._lines.get(timeout=PATIENCE_S) for _ in range(2)]

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

    @property
    def cache_socket(self):
        return self.data / "redis-cache" / "redis.sock"

    def redis_pid(self):
        """The pid of the server's embedded Redis; None if that Redis does not run now."""
        return self._redis_pid_in("redis")

    def cache_pid(self):
        """The same for the embedded Redis of the cache."""
        return self._redis_pid_in("redis-cache")

    def _redis_pid_in(self, directory):
        found = None
        for pid, name in children_of(self.process.pid):
            if name != "redis-server":
                continue
            self._redis_pids.add(pid)
            if Path(self._directory_of(pid)).name == directory:
                found = pid
        return found

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
    def _directory_of(pid):
        try:
            return os.readlink(f"/proc/{pid}/cwd")
        except OSError:
            return ""

    @staticmethod
    def _name_of(pid):
        try:
            return Path(f"/proc/{pid}/comm").read_text()
        except OSError:
            return ""


CRASHES = ("both", "server", "redis", "while starting")


def choose_crashes(rng, rounds):
    """Each kind of crash once, as far as the rounds allow, then random kinds."""
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
