"""A listener of /v1/events, and what its tests share."""
import http.client
import json
import re
import socket
import threading
import uuid

from concurrent.futures import ThreadPoolExecutor
from harness import PATIENCE_S, Case, eventually, main, run_larder

EVENTS = "/v1/events"
FEED = "{larder}:events"


def orders_of(load):
    return [order_id for _, order_id in load.acknowledged]


class Event:
    def __init__(self, id, name, data):
        self.id, self.name, self.data = id, name, data

    @property
    def order_id(self):
        return self.data["data"]["order_id"]

    def __repr__(self):
        return f"{self.id} {self.name} {self.data}"


class Listener:
    """One event stream. A thread reads it until somebody ends it."""

    def __init__(self, address, token, query="", last_event_id=None, reads=True, headers=None):
        self.events, self.comments = [], []
        self.last_event_id = last_event_id
        self.retry = None
        self.ended = threading.Event()
        self.socket = socket.socket()
        if not reads:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.settimeout(PATIENCE_S)
        self.response = http.client.HTTPResponse(self.socket)
        sent = {"Host": "x", "Authorization": f"Bearer {token}", **(headers or {})}
        if last_event_id is not None:
            sent["Last-Event-ID"] = last_event_id
        try:
            self._ask(address, query, sent)
        except Exception:
            self.close()
            raise
        self.thread = threading.Thread(target=self._read, daemon=True)
        if reads:
            self.thread.start()

    def _ask(self, address, query, headers):
        self.socket.connect(address)
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.socket.sendall(f"GET {EVENTS}{query} HTTP/1.1\r\n{head}\r\n".encode())
        self.response.begin()
        assert self.response.status == 200, (self.response.status, self.response.read())

    def _read(self):
        fields = {}
        try:
            for raw in self.response:
                line = raw.decode().rstrip("\n")
                name, _, value = line.partition(": ")
                if line.startswith(":"):
                    self.comments.append(line)
                elif name == "retry":
                    self.retry = int(value)
                elif line:
                    fields[name] = value
                elif fields:  # as in browsers, an id counts even without data
                    self.last_event_id = fields.get("id", self.last_event_id)
                    if "data" in fields:
                        self.events.append(Event(fields.get("id"), fields["event"], json.loads(fields["data"])))
                    fields = {}
        except (OSError, ValueError, AttributeError):
            pass
        self.ended.set()

    def wait_for(self, count):
        eventually(lambda: len(self.events) >= count or self.ended.is_set(), f"{count} events, not {self.events[-3:]}")
        return self.events

    def orders(self):
        return [event.order_id for event in self.events if event.name != "gap"]

    def close(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.response.close()
        self.socket.close()


class EventsCase(Case):
    def listen(self, server, query="", token=None, **more):
        listener = Listener(server.address, token or server.token, query, **more)
        self.addCleanup(listener.close)
        return listener

    @staticmethod
    def metric(server, name):
        client = server.client()
        text = client.get("/metrics").raw.decode()
        client.close()
        return float(re.search(rf"^{name} (\S+)$", text, re.M)[1])

    def listeners_of(self, server):
        return self.metric(server, "larder_event_listeners")

    @staticmethod
    def key(server, scope):
        done = run_larder("key", "create", "--data", server.data, "--name", "bot", "--scope", scope)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def post_many(self, server, type_id, count, **more):
        """Posts from a few clients at once. Returns the order ids."""
        orders = [uuid.uuid4().hex for _ in range(count)]

        def post(part):
            client = server.client()
            for order in part:
                answer = client.entry(order_id=order, op="add", type=type_id, domain="main", uid="many", amount=1, **more)
                assert answer.status == 200, answer
            client.close()

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(post, (orders[i::4] for i in range(4))))
        return orders
