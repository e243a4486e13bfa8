"""A load on a server: several clients, each on its own thread, that send one request after the other."""
import threading

from http_client import Client
from processes import eventually


class Load:
    """What all loads share. A load sets `_hands`, and says in `decided` which of its requests were decided."""

    def __init__(self, address_of, token, kinds):
        self.address_of = address_of  # a function, because a restarted server has another port
        self.token = token
        self.kinds = kinds
        self.stopping = threading.Event()
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
        for hand in self._hands:
            if hand.is_alive():
                hand.join()

    def wait_for_more(self, count):
        goal = len(self.decided) + count
        eventually(lambda: len(self.decided) >= goal or self.problems, f"{count} more are decided", pause_s=0.01)


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
