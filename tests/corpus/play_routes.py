"""Every route: without a token, with a key of another scope, with an unknown method, with HEAD, and with a body that
is not an object or has another media type. Only requests that change nothing."""
from exchange import NOBODY

LEDGER, ECONOMY, MESSAGES, ADMIN, HOOKS = "/v1/ledger", "/v1/economy/default", "/v1/messages", "/v1/admin", "/v1/webhooks"
PLAYER = f"{ECONOMY}/players/ann"
MOVES = ("farm", "pay", "rewards/daily", "gamble", "discombobulate", "trade", "sell", "craft", "use", "bomb",
         "inspect")

# Method, path, scope, whether it takes a body, whether it takes an Idempotency-Key.
ROUTES = [
    ("GET", "/v1/events", "any", False, False),
    ("POST", f"{LEDGER}/types", "ledger", True, True),
    ("GET", f"{LEDGER}/types", "ledger", False, False),
    ("GET", f"{LEDGER}/types/1", "ledger", False, False),
    ("PATCH", f"{LEDGER}/types/1", "ledger", True, True),
    ("POST", f"{LEDGER}/orders", "ledger", True, True),
    ("POST", f"{LEDGER}/entries", "ledger", True, False),
    ("POST", f"{LEDGER}/entries/batch", "ledger", True, False),
    ("GET", f"{LEDGER}/accounts/1/main/alice", "ledger", False, False),
    ("GET", f"{LEDGER}/accounts/1/main/alice/at?time=2024-01-01T00:00:00Z", "ledger", False, False),
    ("GET", f"{LEDGER}/orders/alice/a1", "ledger", False, False),
    ("GET", f"{LEDGER}/flows?uid=alice", "ledger", False, False),
    ("GET", f"{LEDGER}/users/alice/accounts", "ledger", False, False),
    ("GET", f"{LEDGER}/users/alice/holds", "ledger", False, False),
    ("GET", f"{LEDGER}/users/alice/transfers", "ledger", False, False),
    ("GET", f"{LEDGER}/journal", "ledger", False, False),
    ("GET", f"{LEDGER}/totals", "ledger", False, False),
    ("POST", f"{LEDGER}/transfers", "ledger", True, False),
    ("PUT", f"{LEDGER}/rates/1/2", "ledger", True, True),
    ("GET", f"{LEDGER}/rates/1/2", "ledger", False, False),
    ("GET", f"{LEDGER}/rates", "ledger", False, False),
    ("POST", f"{LEDGER}/exchanges", "ledger", True, False),
    ("POST", f"{LEDGER}/holds", "ledger", True, False),
    ("POST", f"{LEDGER}/holds/alice/h1/capture", "ledger", True, False),
    ("POST", f"{LEDGER}/holds/alice/h1/release", "ledger", False, False),
    *[("POST", f"{PLAYER}/{move}", "economy", True, True) for move in MOVES],
    ("POST", f"{ECONOMY}/roulettes", "economy", True, True),
    ("POST", f"{ECONOMY}/roulettes/r1/shots", "economy", True, True),
    ("GET", PLAYER, "economy", False, False),
    ("GET", f"{ECONOMY}/leaderboard", "economy", False, False),
    ("GET", f"{ECONOMY}/items", "economy", False, False),
    ("GET", f"{PLAYER}/events", "economy", False, False),
    ("GET", f"{ECONOMY}/events", "economy", False, False),
    ("POST", f"{PLAYER}/adjust", "admin", True, True),
    ("POST", f"{ECONOMY}/players", "admin", True, False),
    ("GET", f"{PLAYER}/export", "admin", False, False),
    ("DELETE", PLAYER, "admin", False, True),
    ("POST", MESSAGES, "messages", True, True),
    ("GET", MESSAGES, "messages", False, False),
    ("GET", f"{MESSAGES}/1", "messages", False, False),
    ("PATCH", f"{MESSAGES}/1", "messages", True, True),
    ("DELETE", f"{MESSAGES}/1", "messages", False, True),
    ("POST", f"{MESSAGES}/select", "messages", True, True),
    ("GET", f"{MESSAGES}/users/ada/history", "messages", False, False),
    ("GET", f"{ADMIN}/keys", "admin", False, False),
    ("POST", f"{ADMIN}/keys", "admin", True, False),
    ("GET", f"{ADMIN}/keys/admin1", "admin", False, False),
    ("PATCH", f"{ADMIN}/keys/admin1", "admin", True, True),
    ("DELETE", f"{ADMIN}/keys/nobody", "admin", False, True),
    ("POST", f"{ADMIN}/keys/admin1/rotate", "admin", True, False),
    ("GET", f"{ADMIN}/stats", "admin", False, False),
    ("GET", f"{ADMIN}/jobs", "admin", False, False),
    ("GET", f"{ADMIN}/jobs/ledger_types/dead", "admin", False, False),
    ("POST", f"{ADMIN}/jobs/ledger_types/dead/1/requeue", "admin", False, True),
    ("DELETE", f"{ADMIN}/jobs/ledger_types/dead/1", "admin", False, True),
    ("GET", f"{ADMIN}/settings", "admin", False, False),
    ("GET", f"{ADMIN}/search?q=nobody", "admin", False, False),
    ("GET", f"{ECONOMY}/players", "economy", False, False),
    ("GET", "/v1/tribes/worlds/default/players", "tribes", False, False),
    ("GET", HOOKS, "admin", False, False),
    ("POST", HOOKS, "admin", True, False),
    ("GET", f"{HOOKS}/nobody", "admin", False, False),
    ("PATCH", f"{HOOKS}/nobody", "admin", True, True),
    ("DELETE", f"{HOOKS}/nobody", "admin", False, True),
    ("GET", f"{HOOKS}/nobody/deliveries", "admin", False, False),
    ("POST", f"{HOOKS}/nobody/deliveries/1/replay", "admin", False, False),
    ("GET", f"{ADMIN}/users/nobody/export", "admin", False, False),
    ("POST", f"{ADMIN}/users/nobody/forget", "admin", False, False),
    ("GET", f"{ADMIN}/users/nobody/forget", "admin", False, False),
]
OPERATION = ("/livez", "/healthz", "/readyz", "/metrics", "/openapi.json", "/docs")


def play_routes(play):
    for key, whose in ((NOBODY, "without a token"), ("economy", "with the economy key")):
        play.send(f"PUT {ECONOMY} {whose}", "PUT", ECONOMY, "{}", key=key)
        play.send(f"DELETE {ECONOMY} {whose}", "DELETE", ECONOMY, key=key)
    for key, whose in ((NOBODY, "without a token"), ("ledger", "with the ledger key")):
        play.send(f"GET /v1/economy {whose}", "GET", "/v1/economy", key=key)
    for method, path, scope, takes_body, takes_key in ROUTES:
        name = f"{method} {path}"
        body = "{}" if takes_body else None
        play.send(f"{name} without a token", method, path, body, key=NOBODY)
        if scope != "any":
            other = "economy" if scope == "ledger" else "ledger"
            play.send(f"{name} with the {other} key", method, path, body, key=other)
        if takes_body:
            play.send(f"{name} with an array", method, path, "[]")
            play.send(f"{name} with a body of another type", method, path, "{}", headers={"Content-Type": "text/plain"})
        if takes_key:
            play.send(f"{name} with a bad Idempotency-Key", method, path, "[]" if takes_body else None,
                      headers={"Idempotency-Key": "a b"})
        if method == "GET" and path != f"{ADMIN}/stats":  # its length varies
            play.send(f"{name} as HEAD", "HEAD", path)
    for path in dict.fromkeys([*OPERATION, *(path.split("?")[0] for _, path, *_ in ROUTES)]):
        play.send(f"a method that {path} does not have", "OPTIONS", path)
    for path in ("/livez", "/healthz", "/readyz"):
        play.send(f"HEAD of {path}", "HEAD", path, key=NOBODY)
