"""A client of a load: it sends one request after the other, on its own thread."""
import threading

from http_client import Client


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
