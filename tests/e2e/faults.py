"""Faults of every kind, and what must be true after each: either Larder refuses clearly, or everything acknowledged is
there once, verify is clean, and /readyz tells the truth."""
import http.client
import signal
import threading
import time

from fault_places import OneMachine, SmallDisk
from harness import eventually

HOUR_S, DAY_S = 3600, 86_400
CLOCK_JUMPS_S = (HOUR_S, -HOUR_S, 400 * DAY_S, -400 * DAY_S)
LOSSES = ("flush", "put_older_back")  # they look at /readyz themselves
FALSE_S = 8  # how long a server may refuse everything and say that it is ready: checks run every few seconds


class Watcher(threading.Thread):
    """Posts to one server again and again, and each time asks the server whether it is ready."""

    def __init__(self, place, server, type_id):
        super().__init__(daemon=True)
        self.place, self.server, self.type_id = place, server, type_id
        self.ended = threading.Event()
        self.problems = []
        self.number = 0

    def run(self):
        wrong_since = None
        while not self.ended.wait(0.1):
            ready = self.is_ready()
            posted = self.posts()
            if ready and posted is False and self.is_ready():
                wrong_since = wrong_since or time.monotonic()
                if time.monotonic() - wrong_since > FALSE_S:
                    self.problems.append(f"the server was ready and refused everything for {FALSE_S} s: {self.said}")
                    return
            else:
                wrong_since = None

    def posts(self):
        """True: done; False: refused; None: no answer."""
        self.number += 1
        answer = self.ask("POST", "/v1/ledger/entries", {"order_id": f"w{self.number}-{id(self)}", "op": "add", "amount": 1,
                                                         "type": self.type_id, "domain": "main", "uid": f"watcher-{id(self)}"})
        self.said = answer
        return None if answer is None else answer.status == 200

    def is_ready(self):
        answer = self.ask("GET", "/readyz")
        return answer is not None and answer.status == 200

    def ask(self, method, path, body=None):
        client = self.server.client(token=self.place.token, timeout_s=30)
        try:
            return client.send(method, path, body)
        except (OSError, http.client.HTTPException):
            return None
        finally:
            client.close()

    def stop(self):
        self.ended.set()
        self.join()


class Faults:
    def __init__(self, case, place, load, rng, longest_s):
        self.case, self.place, self.load, self.rng, self.longest_s = case, place, load, rng, longest_s
        client = place.client()
        self.type_id = client.new_type("watched")
        client.close()

    def kinds(self):
        """The kinds that the place can have, with their weights."""
        kinds = {"kill_server": 4, "kill_redis": 4, "kill_all": 3, "kill_while_starting": 2, "stop_server": 3, "stop_redis": 4,
                 "fill_redis": 3, "flush": 2, "put_older_back": 2, "flush_scripts": 1, "lock_sql": 3}
        if SmallDisk.MOUNTS:
            kinds |= {"fill_disk": 2}
        if not isinstance(self.place, OneMachine):
            kinds |= {"kill_sql": 4, "stop_sql": 4, "move_clock": 4}
        return kinds

    def happen(self, kind, seconds=None):
        """Makes one fault, waits until it is over, and checks everything. Returns what happened."""
        self.seconds = seconds or self.rng.uniform(1, self.longest_s)
        self.load.wait_for_more(5)
        watched = () if kind in LOSSES else self.place.servers
        watchers = [Watcher(self.place, server, self.type_id) for server in watched]
        for watcher in watchers:
            watcher.start()
        try:
            detail = getattr(self, kind)()
        finally:
            for watcher in watchers:
                watcher.stop()
        for watcher in watchers:
            self.case.assertEqual(watcher.problems, [], kind)
        self.place.wait_for_stores()
        self.wait_until_ready()
        self.load.wait_for_more(5)
        self.case.assertEqual(self.load.problems, [])
        self.assert_verified()
        return detail

    def wait_until_ready(self):
        for index in range(len(self.place.servers)):
            client = self.place.client(index)
            said = []

            def ready():
                said[:] = [client.get("/readyz?verbose")]
                return said[0].status == 200 and said[0].json["status"] == "ok"
            try:
                eventually(ready, f"server {index} is ready")
            except AssertionError as error:
                raise AssertionError(f"{error}: {said}, {self.place.servers[index].log()[-2000:]}") from None
            client.close()

    def assert_verified(self):
        done = self.place.larder("verify")
        self.case.assertEqual((done.returncode, done.stderr), (0, ""), done)

    # Crashes.

    def server(self):
        return self.rng.choice(self.place.servers)

    def node(self):
        return self.rng.choice(self.place.nodes)

    def kill_server(self):
        server = self.server()
        server.kill(redis=False)
        server.start()

    def kill_redis(self):
        node = self.node()
        node.kill()
        if node.process:
            time.sleep(self.rng.uniform(0, self.longest_s))
            node.begin()

    def kill_all(self):
        for server in self.place.servers:
            server.kill()
        if not isinstance(self.place, OneMachine):
            for node in self.place.nodes:
                node.kill()
            self.place.wait_for_stores()
        self.start_servers()

    def kill_while_starting(self):
        server = self.server()
        server.kill()
        server.begin()
        time.sleep(self.rng.uniform(0, 0.5))
        server.kill(redis=self.rng.random() < 0.5)
        server.start()

    def kill_sql(self):
        self.place.sql.kill()
        time.sleep(self.seconds)
        self.place.sql.start()

    # Something hangs.

    def stop(self, pids):
        self.place.freeze(pids, signal.SIGSTOP)
        time.sleep(self.seconds)
        self.place.freeze(pids, signal.SIGCONT)
        return f"{self.seconds:.1f} s"

    def stop_server(self):
        return self.stop([self.server().process.pid])

    def stop_redis(self):
        return self.stop([self.node().pid])

    def stop_sql(self):
        return self.stop(self.place.sql.pids())

    def lock_sql(self):
        what = self.place.sql.lock(self.rng)
        time.sleep(self.seconds)
        self.place.sql.unlock()
        return f"{what}, {self.seconds:.1f} s"

    # Something is full, or wrong.

    def fill_redis(self):
        nodes = self.rng.sample(self.place.nodes, self.rng.randint(1, len(self.place.nodes)))
        for node in nodes:
            node.ask("CONFIG", "SET", "maxmemory", "1")
        time.sleep(self.seconds)
        for node in nodes:
            node.ask("CONFIG", "SET", "maxmemory", "0")
        return f"{len(nodes)} nodes"

    def fill_disk(self):
        self.place.disk.fill()
        time.sleep(self.seconds)
        self.place.disk.free()
        return f"{self.seconds:.1f} s"

    def flush_scripts(self):
        for node in self.place.nodes:
            node.ask("SCRIPT", "FLUSH")

    def move_clock(self):
        server, jump = self.server(), self.rng.choice(CLOCK_JUMPS_S)
        server.move(jump)
        client = self.place.client(self.place.servers.index(server))
        said = eventually(lambda: client.get("/readyz?verbose").json.get("problems", {}).get("clock"), "/readyz tells it")
        self.case.assertIn("the clock of this server is", said)
        client.close()
        time.sleep(self.seconds)
        server.move(0)
        return f"{jump} s"

    # Loss. The clients rest before a loss, because nothing can bring back what SQL does not have yet.

    def flush(self):
        self.load.rest()
        self.lose(lambda: self.rng.choice(self.place.masters()).ask("FLUSHALL"))

    def put_older_back(self):
        self.load.rest()
        copy = self.place.take_copy()
        self.load.wake()
        self.load.wait_for_more(30)
        self.load.rest()
        self.lose(lambda: self.place.put_back(copy))
        copy.remove()

    def lose(self, how):
        """After the loss, Larder refuses. The operator rebuilds, and the keys are what they were."""
        before = self.load.snapshot()
        how()
        self.place.wait_for_stores()
        self.expect_refusal()
        for server in self.place.servers:
            if server.process.poll() is None:
                self.case.assertEqual(server.stop(), 0, server.log()[-2000:])
        self.place.empty_redis()
        done = self.place.larder("rebuild")
        self.case.assertEqual(done.returncode, 0, done)
        self.start_servers()
        self.load.begin_anew()
        self.load.compare(before)
        self.load.wake()

    def start_servers(self):
        for server in self.place.servers:
            server.start()

    def expect_refusal(self):
        """Requests, /readyz, verify and the next start say that data is lost."""
        for index, server in enumerate(self.place.servers):
            client = self.place.client(index)
            eventually(lambda: self.load.is_refused(client), "requests are refused", pause_s=0.2)
            eventually(lambda: client.get("/readyz?verbose").json.get("problems", {}).get("lost"), "/readyz tells it")
            client.close()
        done = self.place.larder("verify")
        self.case.assertEqual(done.returncode, 1, done)
        self.case.assertIn("Redis lacks what SQL has", done.stdout)
        server = self.server()
        self.case.assertEqual(server.stop(), 0)
        try:
            server.start()
        except AssertionError as refusal:
            self.case.assertIn("larder rebuild", str(refusal))
        else:
            raise AssertionError("a server has started on a Redis that lacks data")
