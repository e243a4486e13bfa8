"""What the server tells its service manager (sd_notify), and what it prints."""
import json
import os
import signal
import socket
import subprocess
import threading
import time
import uuid

from harness import BINARY, PATIENCE_S, Case, RedisServer, Server, TempDir, die_with_parent, eventually, main
from processes import environment

WATCHDOG_S = 2


class Manager:
    """Listens as a service manager does. `heard` has the assignments of all datagrams, in order."""

    def __init__(self, name):
        self.name = name
        self.heard = []
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)

    def start(self):
        self.socket.bind("\0" + self.name[1:] if self.name.startswith("@") else self.name)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        while data := self.socket.recv(65536):
            self.heard += [tuple(line.split("=", 1)) for line in data.decode().split("\n")]

    def wait_for(self, assignment, after=0):
        eventually(lambda: assignment in self.heard[after:], f"the server says {assignment}")

    def statuses(self):
        return [value for name, value in self.heard if name == "STATUS"]

    def pings(self):
        return self.heard.count(("WATCHDOG", "1"))

    def close(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as last:
            last.sendto(b"", self.socket.getsockname())  # ends the thread
        self.socket.close()


class ServiceCase(Case):
    def manager(self, name=None):
        directory = TempDir()
        self.addCleanup(directory.remove)
        return self.open(Manager(name or str(directory / "notify")))

    def server(self, manager, *args, watchdog=False):
        variables = {"NOTIFY_SOCKET": manager.name}
        if watchdog:
            variables["WATCHDOG_USEC"] = str(WATCHDOG_S * 1_000_000)
        server = Server(*args, env=variables)
        self.addCleanup(server.close)
        return server


class Notifications(ServiceCase):
    def test_ready_comes_when_the_server_answers_and_stopping_before_it_ends(self):
        for name in (None, f"@larder-test-{uuid.uuid4().hex}"):
            manager = self.manager(name)
            server = self.server(manager).start()
            manager.wait_for(("READY", "1"))
            self.assertEqual(manager.statuses()[-1], "answers on http://{}:{}".format(*server.address))
            self.assertEqual(manager.statuses()[0], "starting redis-server")
            self.assertEqual(manager.pings(), 0, "nobody has asked for signs of life")
            self.assertNotIn(("STOPPING", "1"), manager.heard)
            self.assertEqual(server.stop(), 0)
            manager.wait_for(("STOPPING", "1"))
            self.assertEqual(manager.heard.count(("READY", "1")), 1)

    def test_the_status_says_what_a_start_waits_for(self):
        manager = self.manager()
        server = self.server(manager, "--sql", "postgresql://larder:secret@127.0.0.1:1/larder").begin()
        eventually(lambda: any(text.startswith("waiting for SQL") for text in manager.statuses()), "it says what it waits for")
        self.assertNotIn(("READY", "1"), manager.heard)
        self.assertNotIn("secret", " ".join(manager.statuses()))
        server.kill(redis=False)

    def test_the_redis_of_the_server_does_not_get_the_socket(self):
        manager = self.manager()
        server = self.server(manager, watchdog=True).start()
        found = open(f"/proc/{server.redis_pid()}/environ", "rb").read()
        for name in (b"NOTIFY_SOCKET", b"WATCHDOG_USEC"):
            self.assertNotIn(name, found)


class Watchdog(ServiceCase):
    def test_a_server_that_works_sends_signs_of_life(self):
        manager = self.manager()
        self.server(manager, watchdog=True).start()
        eventually(lambda: manager.pings() >= 3, "three signs of life")

    def test_a_server_goes_on_pinging_while_its_redis_hangs(self):
        redis = self.open(RedisServer())
        manager = self.manager()
        self.server(manager, "--redis", redis.url, watchdog=True).start()
        os.kill(redis.pid, signal.SIGSTOP)
        self.addCleanup(os.kill, redis.pid, signal.SIGCONT)
        before = manager.pings()
        eventually(lambda: manager.pings() >= before + 3, "a restart of the server would not help, so it must not be restarted")

    def test_a_server_with_one_thread_that_hangs_is_silent_and_speaks_again_when_it_goes_on(self):
        manager = self.manager()
        server = self.server(manager, "--set", "server.threads=1", watchdog=True).start()
        eventually(lambda: manager.pings() >= 1, "the first sign of life")
        thread = self.io_thread(server)
        tracer = self.stop_thread(thread)
        clock = self.manager()
        self.server(clock, watchdog=True).start()
        eventually(lambda: clock.pings() >= 3, "the signs of life that were on their way have arrived")
        heard = manager.pings()
        eventually(lambda: clock.pings() >= 10, "another server goes on")
        self.assertEqual(manager.pings(), heard, "one io thread hangs")
        tracer.stdin.close()
        tracer.wait()
        eventually(lambda: manager.pings() > heard, "the thread goes on")

    def io_thread(self, server):
        """The thread that works when somebody asks."""
        def ticks():
            return {thread: open(f"/proc/{server.process.pid}/task/{thread}/stat").read().rsplit(")", 1)[1].split()[11]
                    for thread in os.listdir(f"/proc/{server.process.pid}/task")}
        before = ticks()
        client = server.client()
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            for _ in range(500):
                client.get("/livez")
            after = ticks()
            busy = max(after, key=lambda thread: int(after[thread]) - int(before.get(thread, 0)))
            if int(after[busy]) - int(before[busy]) >= 20:
                client.close()
                return busy
        raise AssertionError("no thread works")

    def stop_thread(self, thread):
        """Stops one thread, as a debugger does. It goes on when stdin of the returned process is closed."""
        script = ("import ctypes, os, sys\n"
                  "libc = ctypes.CDLL(None, use_errno=True)\n"
                  f"assert libc.ptrace(16, {thread}, None, None) == 0, ctypes.get_errno()\n"  # PTRACE_ATTACH
                  f"os.waitpid({thread}, 0x40000000)\n"  # __WALL
                  "print('stopped', flush=True)\n"
                  "sys.stdin.read()\n"
                  f"libc.ptrace(17, {thread}, None, None)\n")  # PTRACE_DETACH
        tracer = subprocess.Popen(["python3", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(tracer.stdout.close)
        self.addCleanup(tracer.kill)
        if tracer.stdout.readline() != b"stopped\n":
            self.skipTest("this machine does not let one process stop a thread of another")
        return tracer


class Banner(Case):
    def serve(self, *args, together):
        """What `larder serve` prints until it has started: standard output, and standard error."""
        directory = TempDir()
        self.addCleanup(directory.remove)
        with open(directory / "out", "wb") as out, open(directory / "err", "wb") as err:
            process = subprocess.Popen([BINARY, "serve", "--data", str(directory / "data"), "--listen", "127.0.0.1:0", *args],
                                       stdout=out, stderr=out if together else err, stdin=subprocess.DEVNULL, env=environment(),
                                       preexec_fn=die_with_parent)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        logged = directory / ("out" if together else "err")
        eventually(lambda: '"started"' in logged.read_text(), "the server starts")
        process.terminate()
        self.assertEqual(process.wait(PATIENCE_S), 0)
        return (directory / "out").read_text(), (directory / "err").read_text()

    def assert_json(self, text):
        entries = [json.loads(line) for line in text.splitlines()]
        started = next(entry for entry in entries if entry["message"] == "started")
        self.assertRegex(started["address"], r"^http://127\.0\.0\.1:\d+$")
        self.assertRegex(started["admin_key"], r"/data/admin\.key$")
        self.assertEqual(started["documentation"], started["address"] + "/docs")

    def test_the_banner_is_on_stdout_and_the_log_on_stderr(self):
        out, err = self.serve(together=False)
        self.assertRegex(out, r"^larder \S+ answers on http://127\.0\.0\.1:\d+\n  admin key: \S+\n  documentation: \S+\n$")
        self.assert_json(err)

    def test_one_file_for_both_has_only_json(self):
        self.assert_json(self.serve(together=True)[0])

    def test_a_server_that_must_log_json_prints_nothing_else(self):
        out, err = self.serve("--set", "log.format=json", together=False)
        self.assertEqual(out, "")
        self.assert_json(err)

    def test_a_text_log_keeps_the_banner(self):
        server = self.open(Server("--set", "log.format=text"))
        self.assertEqual(len(server.said_later()), 2)


if __name__ == "__main__":
    main()
