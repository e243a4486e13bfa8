"""What other settings change, and what happens in other states of the stores. Each script has its own server."""
import resource
import socket
import sqlite3
import threading
from contextlib import closing
from http.client import HTTPResponse

from exchange import ADMIN, NOBODY
from harness import redis_cli

TYPES, ENTRIES, MESSAGES = "/v1/ledger/types", "/v1/ledger/entries", "/v1/messages"
LISTENERS_MAX = 250  # of one key
MESSAGE = {"text": "hi", "author_id": "900", "target_id": "ada", "rule": {"tokens": 1, "seconds": 600}}


def play_limits(play):
    """Two requests per key and route, in a time that is longer than the test."""
    for number in ("first", "second", "third"):
        play.get(f"makes the {number} of two allowed requests", TYPES)
    play.get("makes a request to another route", "/v1/ledger/rates")
    play.get("makes a request with another key", TYPES, key="ledger")
    play.post("makes a request that is refused, which counts", ENTRIES, {})
    play.post("makes a request of another type, which counts", ENTRIES, "{}", headers={"Content-Type": "text/plain"})
    play.post("makes one request too many with a body", ENTRIES, {})
    play.send("makes a request with HEAD, which counts like GET", "HEAD", TYPES, key="ledger")
    play.get("makes one request too many after HEAD", TYPES, key="ledger")
    play.get("makes a request without a token, which does not count", TYPES, key=NOBODY)
    play.get("makes a request without the scope, which does not count", TYPES, key="economy")
    for number in ("first", "second", "third"):
        play.get(f"makes the {number} request to a route without a token", "/livez", key=NOBODY)
    play.get("asks for metrics through a proxy where they are public", "/metrics", key=NOBODY,
             headers={"X-Forwarded-For": "1.2.3.4"}, digest=lambda text: "<metrics>")


def play_cors(play):
    """With one allowed origin, and without chosen seeds."""
    origin = {"Origin": "https://example.org"}
    preflight = origin | {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    for path in (TYPES, ENTRIES, "/v1/messages/1", "/v1/ledger/rates/1/2", "/livez", "/v1/events"):
        play.send(f"asks before a request to {path}", "OPTIONS", path, headers=preflight, key=NOBODY)
    play.send("asks before a request to a path that does not exist", "OPTIONS", "/nothing", headers=preflight,
              key=NOBODY)
    play.send("asks before a request without an origin", "OPTIONS", TYPES, key=NOBODY)
    play.get("reads from the origin", TYPES, headers=origin)
    play.get("reads from another origin", TYPES, headers={"Origin": "https://example.net"})
    play.get("reads from no origin", TYPES)
    play.get("reads a long answer from the origin", "/v1/economy/default/items", headers=origin)
    play.post("is refused from the origin", ENTRIES, {}, headers=origin)
    play.get("is refused from the origin without a token", TYPES, headers=origin, key=NOBODY)
    play.send("uses a wrong method from the origin", "PUT", TYPES, headers=origin)
    play.raw("sends no HTTP from the origin", b"hello\r\n\r\n")
    for move, body in (("farm", {"name": "Ann"}), ("gamble", {"amount": 1}), ("bomb", {"seconds": 5}),
                       ("rewards/daily", {})):
        for seed in (1, "x", None):
            play.post(f"chooses the seed {seed} to {move}", f"/v1/economy/default/players/ann/{move}",
                      body | {"seed": seed})
    play.post("chooses the seed of a roulette", "/v1/economy/default/roulettes", {"seed": 1})
    play.post("loads a roulette by chance", "/v1/economy/default/roulettes", {},
              capture={"roulette": ("id", r"[0-9a-f]{16}")})


def play_two_origins(play):
    for origin in ("https://example.org", "http://localhost:5173", "https://example.net"):
        play.get(f"reads from {origin}, of which two are allowed", TYPES, headers={"Origin": origin})


def play_address(play):
    """One open request of an address, behind a proxy."""
    with closing(socket.create_connection(play.server.address, timeout=60)) as connection:
        connection.sendall(f"GET /v1/events HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.1\r\n"
                           f"Authorization: Bearer {play.keys[ADMIN]}\r\n\r\n".encode())
        assert connection.recv(12) == b"HTTP/1.1 200"
        play.get("makes a request beside a stream of the same address", TYPES, headers={"X-Forwarded-For": "198.51.100.1"})
        play.get("makes a request from another address", TYPES, headers={"X-Forwarded-For": "198.51.100.2"})


def play_any_origin(play):
    play.send("asks before a request from any origin", "OPTIONS", TYPES, headers={"Origin": "https://example.org"},
              key=NOBODY)
    play.get("reads from any origin", TYPES, headers={"Origin": "https://example.org"})


def play_one_connection(play):
    play.get("uses the only connection", "/livez", key=NOBODY)
    play.raw("uses one connection too many", b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")


def play_without_redis(play):
    """Redis is unavailable; SQL works."""
    for path in ("/livez", "/readyz", "/readyz?verbose", "/metrics"):
        play.get(f"asks {path} without Redis", path, key=NOBODY,
                 digest=(lambda text: "<metrics>") if path == "/metrics" else None)
    play.post("makes a type without Redis", TYPES, {"name": "gold"})
    play.get("lists types without Redis", TYPES)
    account = {"type": 1, "domain": "main", "uid": "alice"}
    play.post("adds points without Redis", ENTRIES, account | {"order_id": "a", "op": "add", "amount": 1})
    play.post("adds points that are wrong without Redis", ENTRIES, account | {"order_id": "a", "op": "add",
                                                                              "amount": 0})
    play.post("adds points in a batch without Redis", f"{ENTRIES}/batch",
              {"mode": "continue", "entries": [account | {"order_id": "a", "op": "add", "amount": 1}]})
    play.post("issues an order without Redis", "/v1/ledger/orders", account)
    for path in ("/accounts/1/main/alice", "/accounts/1/main/alice/at?time=2024-01-01T00:00:00Z", "/orders/alice/a",
                 "/flows?uid=alice",
                 "/rates"):
        play.get(f"reads {path} without Redis", f"/v1/ledger{path}")
    for path in ("/players/ann", "/leaderboard", "/items", "/events"):
        play.get(f"reads {path} of the economy without Redis", f"/v1/economy/default{path}")
    play.post("farms without Redis", "/v1/economy/default/players/ann/farm", {"name": "Ann"})
    play.post("makes a message without Redis", MESSAGES, MESSAGE)
    play.post("makes a message once without Redis", MESSAGES, MESSAGE, headers={"Idempotency-Key": "m"})
    play.get("lists messages without Redis", MESSAGES)
    play.post("selects a message without Redis", f"{MESSAGES}/select", {"user_id": "ada"})
    play.get("reads a history without Redis", f"{MESSAGES}/users/ada/history")
    play.get("listens without Redis", "/v1/events")


def play_in_progress(play):
    """A write that waits for SQL, and the same write in the meantime."""
    def first():
        play.arrange_beside("POST", MESSAGES, MESSAGE, {"Idempotency-Key": "slow"})

    def is_running():
        return redis_cli(play.server.redis_socket, "KEYS", "larder:idempotency:*").strip()

    with closing(sqlite3.connect(play.server.data / "larder.db", isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        waiting = threading.Thread(target=first)
        waiting.start()
        play.eventually(is_running, "the first request runs")
        play.post("asks again while the first request runs", MESSAGES, MESSAGE, headers={"Idempotency-Key": "slow"})
        play.post("asks for something else while the first request runs", MESSAGES, MESSAGE | {"text": "x"},
                  headers={"Idempotency-Key": "slow"})
        database.execute("ROLLBACK")
    waiting.join()
    play.post("asks again when the first request is done", MESSAGES, MESSAGE, headers={"Idempotency-Key": "slow"})


def play_other_catalogue(play):
    """A game without a bomb, in which one farm in ten finds a net."""
    realm = "/v1/economy/default"
    play.get("shows another catalogue", f"{realm}/items")
    play.get("shows a player of another game", f"{realm}/players/ann")
    play.post("claims a reward of another game", f"{realm}/players/ann/rewards/daily")
    play.post("claims a reward that another game does not have", f"{realm}/players/ann/rewards/weekly")
    play.post("crafts an item of another game", f"{realm}/players/ann/craft", {"item": "net"})
    play.post("crafts an item that another game does not have", f"{realm}/players/ann/craft", {"item": "gear"})
    play.post("plants a bomb where there is none", f"{realm}/players/ann/bomb", {"seconds": 5})
    play.post("is too poor in another game", f"{realm}/players/ann/craft", {"item": "net"})


def play_many_listeners(play):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, LISTENERS_MAX + 500), hard), hard))
    head = f"GET /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {play.keys[ADMIN]}\r\n\r\n".encode()
    connections = [socket.create_connection(play.server.address, timeout=60) for _ in range(LISTENERS_MAX)]
    try:
        for connection in connections:
            connection.sendall(head)
        for connection in connections:
            HTTPResponse(connection).begin()
        play.get("listens when its key has as many listeners as it may", "/v1/events")
    finally:
        for connection in connections:
            connection.close()
