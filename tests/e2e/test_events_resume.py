"""/v1/events across crashes, servers and shutdowns: no event is lost, and none comes twice."""
import http.client
import random
import signal
import threading
import time
from collections import Counter

from event_stream import orders_of, Event, Listener, EventsCase
from harness import LONG, PATIENCE_S, SEED, PostgresServer, RedisServer, Server, eventually, main
from workload import Workload

LEDGER = "?system=ledger"  # the world of the server begins with an event of its own


class Follower:
    """A client that resumes with Last-Event-ID whenever its stream ends, and sometimes at random."""

    def __init__(self, address_of, token, rng):
        self._address_of, self._token, self._rng = address_of, token, rng
        self.events, self.connections = [], 0
        self._last_event_id = None
        self._stop = threading.Event()
        self.began = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        while not self._stop.is_set():
            try:
                listener = Listener(self._address_of(), self._token, LEDGER,
                                    last_event_id=self._last_event_id)
            except (OSError, http.client.HTTPException, AssertionError):
                time.sleep(0.05)
                continue
            self.connections += 1
            leave_at = time.monotonic() + self._rng.uniform(0.05, 1)
            while not self._stop.is_set() and not listener.ended.is_set() and time.monotonic() < leave_at:
                time.sleep(0.01)
                if listener.last_event_id:
                    self.began.set()
            listener.close()
            listener.thread.join()
            self.events += listener.events
            self._last_event_id = listener.last_event_id

    def orders(self):
        return [event.order_id for event in self.events if event.name != "gap"]

    def stop(self):
        self._stop.set()
        self._thread.join()


class Resume(EventsCase):
    def follow(self, server, kill):
        rng = random.Random(SEED)
        client = server.client()
        type_id = client.new_type("points")
        client.close()
        followers = [Follower(lambda: server.address, server.token, random.Random(f"{SEED}/{i}")) for i in range(3)]
        for follower in followers:
            self.addCleanup(follower.stop)
            self.assertTrue(follower.began.wait(PATIENCE_S))
        steady = self.listen(server, LEDGER)
        load = Workload(lambda: server.address, server.token, type_id, SEED)
        self.addCleanup(load.stop)
        load.start()
        for _ in range(5 if LONG else 3):
            load.wait_for_more(300)
            time.sleep(rng.uniform(0, 0.3))
            kill()
        load.wait_for_more(100)
        load.stop()
        self.assertEqual(load.problems, [])
        expected = Counter(orders_of(load))
        for follower in followers:
            eventually(lambda: len(follower.orders()) >= len(expected), "the follower gets all", pause_s=0.1)
            time.sleep(0.2)  # time for duplicates to arrive
            follower.stop()
            self.assertEqual([event for event in follower.events if event.name == "gap"], [])
            self.assertEqual(Counter(follower.orders()), expected)
            self.assertGreater(follower.connections, 2)
        # All followers see the same events in the same order. The events of a user have the order of the journal.
        for follower in followers[1:]:
            self.assertEqual([event.id for event in follower.events], [event.id for event in followers[0].events])
        for uid in load.users:
            ids = [tuple(map(int, event.data["data"]["id"].split("-"))) for event in followers[0].events
                   if event.data["user_id"] == uid]
            self.assertEqual(ids, sorted(set(ids)))
        print(f"{len(expected)} events, connections {[follower.connections for follower in followers]}", flush=True)
        return load, steady

    def test_loses_nothing_and_repeats_nothing_while_entries_are_posted(self):
        server = self.open(Server("--set", "server.access_log=false"))
        load, steady = self.follow(server, lambda: None)
        self.assertEqual(sorted(steady.orders()), sorted(orders_of(load)))
        self.assertFalse(steady.ended.is_set())

    def test_loses_nothing_and_repeats_nothing_when_the_server_is_killed(self):
        server = self.open(Server("--set", "server.access_log=false"))

        def kill():
            server.kill()
            server.start()
        self.follow(server, kill)

    def test_a_stream_outlives_its_redis(self):
        server = self.open(Server("--set", "server.access_log=false"))

        def kill():
            server.kill(server=False)
            eventually(server.redis_pid, "Redis comes again")
        load, steady = self.follow(server, kill)
        eventually(lambda: len(steady.orders()) >= len(load.acknowledged), "the steady listener gets all")
        self.assertEqual(sorted(steady.orders()), sorted(orders_of(load)))
        self.assertFalse(steady.ended.is_set())


class Sharing(EventsCase):
    def test_listeners_of_any_server_see_what_all_of_them_do(self):
        redis, postgres = self.open(RedisServer()), self.open(PostgresServer())
        args = ("--redis", redis.url, "--sql", postgres.url, "--set", "server.access_log=false")
        servers = [self.open(Server(*args)), self.open(Server(*args))]
        token = servers[0].token
        client = servers[0].client()
        self.addCleanup(client.close)
        type_id = client.new_type("points")
        other = servers[1].client(token=token)
        self.addCleanup(other.close)
        eventually(lambda: other.get(f"/v1/ledger/types/{type_id}").status == 200, "the other learns of the type")
        listeners = [self.listen(server, LEDGER, token=token) for server in servers for _ in range(2)]
        turn = iter(range(10**9))
        load = Workload(lambda: servers[next(turn) % 2].address, token, type_id, SEED)
        self.addCleanup(load.stop)
        load.start()
        load.wait_for_more(500)
        load.stop()
        for listener in listeners:
            listener.wait_for(len(load.acknowledged))
        time.sleep(0.2)
        for listener in listeners:
            self.assertEqual(sorted(listener.orders()), sorted(orders_of(load)))
            self.assertEqual([event.id for event in listener.events], [event.id for event in listeners[0].events])
        # A client may resume at the other server.
        ids = [event.id for event in listeners[0].events]
        middle = len(ids) // 2
        moved = self.listen(servers[1], LEDGER, token=token, last_event_id=ids[middle])
        moved.wait_for(len(ids) - middle - 1)
        self.assertEqual([event.id for event in moved.events], ids[middle + 1:])


class Stopping(EventsCase):
    def test_open_streams_do_not_hold_up_the_end(self):
        server = self.open(Server())
        client = server.client()
        type_id = client.new_type("points")
        listeners = [self.listen(server, LEDGER) for _ in range(5)]
        stuck = self.listen(server, reads=False)
        orders = self.post_many(server, type_id, 800, remark="\u20ac" * 256)
        for listener in listeners:
            listener.wait_for(len(orders))
        client.close()
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)
        self.assertNotIn("some requests were cut off", server.log())
        self.assertIn('"message":"stopped"', server.log())
        for listener in listeners:
            self.assertTrue(listener.ended.wait(PATIENCE_S))
        stuck.close()


if __name__ == "__main__":
    main()
