"""A load on a server: several clients, each on its own thread, that send one request after the other."""
import threading
import time
from contextlib import contextmanager

from http_client import Client
from processes import PATIENCE_S, eventually


class Load:
    """What all loads share. A load sets `_hands`, and says in `decided` which of its requests were decided."""

    def __init__(self, address_of, token, kinds, patience_s=PATIENCE_S):
        self.address_of = address_of  # a function, because a restarted server has another port
        self.token = token
        self.kinds = kinds
        self.patience_s = patience_s  # how long a request may remain undecided
        self.pause_s = 0  # the longest pause between two requests of a client
        self.stopping = threading.Event()
        self.awake = threading.Event()
        self.awake.set()
        self.working = 0
        self.lock = threading.Lock()
        self.decided = {}
        self.unknown = 0  # attempts with an unknown outcome
        self.problems = []
        self._hands = []

    def start(self):
        for hand in self._hands:
            hand.start()
        return self

    def stop(self):
        self.stopping.set()
        self.wake()
        for hand in self._hands:
            if hand.is_alive():
                hand.join()

    def rest(self):
        """Returns when no request is under way. No new request begins until wake() is called."""
        self.awake.clear()
        eventually(lambda: self.working == 0, "the last requests are decided", self.patience_s)

    def wake(self):
        self.awake.set()

    @contextmanager
    def at_work(self):
        while True:
            self.awake.wait()
            with self.lock:
                if self.awake.is_set():
                    self.working += 1
                    break
        try:
            yield
        finally:
            with self.lock:
                self.working -= 1

    def wait_for_more(self, count):
        goal = len(self.decided) + count
        eventually(lambda: len(self.decided) >= goal or self.problems, f"{count} more are decided", self.patience_s, 0.01)


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
                with self.load.at_work():
                    getattr(self, self.rng.choices(kinds, weights)[0])()
                if self.load.pause_s:
                    time.sleep(self.rng.uniform(0, self.load.pause_s))
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
