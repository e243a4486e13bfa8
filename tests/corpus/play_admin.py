"""The routes of operators: service keys, statistics, due work, settings and search."""
import json

from bodies import PAST, characters, refuse_each
from harness import redis_cli

KEYS = "/v1/admin/keys"
KEY_ID, TOKEN = r"[0-9a-f]{12}", r"lk_[0-9a-f]{12}_[0-9a-f]{64}"
NEW_KEY = {"name": "bot", "scopes": ["ledger"]}
SOON = {"older_tokens_until": "time + the overlap"}


JOBS, SEARCH = "/v1/admin/jobs", "/v1/admin/search"
BOMBS = f"{JOBS}/economy_bombs:default/dead"


def play_admin(play):
    play_stats(play)
    play_settings_in_use(play)
    play_jobs(play)
    play_search(play)
    play_keys(play)
    play_limits(play)
    play_privacy(play)


def make(play, title, name, **terms):
    """Records how a key is made. Later requests use it by its name. Returns its path."""
    taken = play.post(title, KEYS, NEW_KEY | {"name": name} | terms,
                      capture={f"token of {name}": ("token", TOKEN), f"{name}_id": ("id", KEY_ID)})
    play.keys[name] = taken[f"token of {name}"]
    return f"{KEYS}/{taken[f'{name}_id']}"


def play_keys(play):
    play.get("lists keys: the first one only", KEYS)
    bot = make(play, "makes a key", "bot")
    make(play, "makes another key", "other", scopes=["economy", "messages"], expires_at="2099-01-01T00:00:00Z")
    play.get("reads with the new key", "/v1/ledger/types", key="bot")
    play.get("shows a key", bot)
    play.get("shows an unknown key", f"{KEYS}/nobody")
    play.get("shows a key with an endless id", f"{KEYS}/{'x' * 65}")
    play.get("lists two keys", f"{KEYS}?limit=2", hide={"next_cursor": "cursor"})
    play.get("lists all keys", KEYS)
    play.get("lists keys with a wrong cursor", f"{KEYS}?cursor=x")
    play.send("changes a key", "PATCH", bot, {"name": "robot", "scopes": ["ledger", "messages"], "read_only": True})
    play.post("writes with the changed key", "/v1/ledger/types", {"name": "x"}, key="bot")
    play.send("changes an unknown key", "PATCH", f"{KEYS}/nobody", {"name": "x"})
    play.post("rotates a key", f"{bot}/rotate", {"overlap_s": 3600}, hide=SOON,
              capture={"new token of bot": ("token", TOKEN)})
    play.get("reads with the older token", "/v1/ledger/types", key="bot")
    for i in range(3):
        play.post(f"rotates it again, {i}", f"{bot}/rotate", hide=SOON, capture={f"token {i} of bot": ("token", TOKEN)})
    play.post("rotates it too often", f"{bot}/rotate")
    play.post("rotates it without an overlap", f"{bot}/rotate", {"overlap_s": 0},
              capture={"last token of bot": ("token", TOKEN)})
    play.get("reads with the older token after that", "/v1/ledger/types", key="bot")
    play.post("rotates an unknown key", f"{KEYS}/nobody/rotate")
    play.send("revokes a key", "DELETE", bot)
    play.send("revokes it again", "DELETE", bot)
    play.send("revokes an unknown key", "DELETE", f"{KEYS}/nobody")
    play.send("revokes a key with an endless id", "DELETE", f"{KEYS}/{'x' * 65}")
    play.send("changes a revoked key", "PATCH", bot, {"name": "x"})
    play.post("rotates a revoked key", f"{bot}/rotate")
    refuse_each(play, "a key", "POST", KEYS, NEW_KEY, {
        "name": ['""', '"a b"', characters(65), "1", None],
        "scopes": ["[]", '["nosuch"]', '"ledger"', "[1]", '["ledger,economy"]', None],
        "realms": ["[]", '["main"]', '["a/b"]', '"main"', "[1]"], "read_only": ['"yes"'],
        "expires_at": ['"soon"', f'"{PAST}"'], "unknown": ["1"]})
    refuse_each(play, "a key of the economy", "POST", KEYS, NEW_KEY | {"scopes": ["economy"]}, {
        "realms": ['["a/b"]', '[""]', f"[{characters(65)}]"]})
    refuse_each(play, "a change of a key", "PATCH", f"{KEYS}/admin1", {}, {
        "name": ['"a b"'], "scopes": ["[]"], "realms": ['["main"]'], "read_only": ["1"], "expires_at": [f'"{PAST}"']})
    refuse_each(play, "a rotation", "POST", f"{KEYS}/admin1/rotate", {}, {"overlap_s": ["-1", "2592001", '"1"']})


def play_limits(play):
    make(play, "makes a read-only key", "reader", read_only=True)
    play.get("reads with a read-only key", "/v1/ledger/types", key="reader")
    play.post("writes with a read-only key", "/v1/ledger/types", {"name": "x"}, key="reader")
    make(play, "makes a key of two realms", "gamer", scopes=["economy"], realms=["b", "a"])
    play.get("reads one of its realms", "/v1/economy/a/leaderboard", key="gamer")
    play.get("reads another realm", "/v1/economy/c/leaderboard", key="gamer")
    play.get("lists the realms with a key of two", "/v1/economy", key="gamer")
    play.get("listens with a key of two realms", "/v1/events", key="gamer")


def without_numbers(text):
    """What stays the same of the statistics: the names of the series, and the health."""
    stats = json.loads(text)
    return json.dumps({"members": list(stats), "every_s": stats["every_s"], "series": list(stats["series"]),
                       "health": stats["health"]})


def play_stats(play):
    play.get("shows the last hour", "/v1/admin/stats", digest=without_numbers)
    play.get("shows the last minute", "/v1/admin/stats?minutes=1", digest=without_numbers)
    for minutes in ("0", "61", "x"):
        play.get(f"shows the last {minutes} minutes", f"/v1/admin/stats?minutes={minutes}")


def play_settings_in_use(play):
    play.get("shows the settings", "/v1/admin/settings", hide={"items.0.value": "data directory"})


def play_jobs(play):
    socket = play.server.redis_socket
    play.post("farms", "/v1/economy/default/players/111/farm", {"name": "ann", "seed": 1})
    listed = lambda: {line["set"] for line in play.arrange("GET", f"{JOBS}?limit=500")["items"]}
    play.eventually(lambda: {"economy_bombs:default", "tribes_jobs:default"} <= listed(), "all due sets are known")
    play.get("lists due sets", JOBS)
    play.get("lists two due sets", f"{JOBS}?limit=2")
    play.get("lists the next two", f"{JOBS}?limit=2&cursor=economy_bombs:default")
    play.get("lists due sets with an empty cursor", f"{JOBS}?cursor=")
    play.get("lists dead members, when there are none", BOMBS)
    for i in range(3):
        redis_cli(socket, "ZADD", "bombs-schedule:dead", 1_600_000_000_000 + i, f"11{i}")
        redis_cli(socket, "HSET", "bombs-schedule:dead:why", f"11{i}", f"reason {i}")
    play.get("lists dead members", BOMBS)
    play.get("lists two dead members", f"{BOMBS}?limit=2")
    play.get("lists dead members after them", f"{BOMBS}?limit=2&cursor=1600000000001-313131")
    play.get("lists dead members with a wrong cursor", f"{BOMBS}?cursor=x")
    play.post("requeues a dead member", f"{BOMBS}/110/requeue")
    play.post("requeues it again", f"{BOMBS}/110/requeue")
    play.send("drops a dead member", "DELETE", f"{BOMBS}/111")
    play.send("drops it again", "DELETE", f"{BOMBS}/111")
    play.send("drops a member with an endless name", "DELETE", f"{BOMBS}/{'x' * 401}")
    play.get("lists the dead members of an unknown set", f"{JOBS}/nosuch/dead")
    play.post("requeues a member of an unknown set", f"{JOBS}/bombs-schedule/dead/112/requeue")
    play.send("drops a member of an unknown set", "DELETE", f"{JOBS}/economy_bombs:nosuch/dead/112")
    play.send("drops a dead transfer", "DELETE", f"{JOBS}/ledger_transfers:0/dead/ann%201%20main%20gift")
    play.send("drops the last dead member", "DELETE", f"{BOMBS}/112")


def play_search(play):
    found = lambda text: play.arrange("GET", f"{SEARCH}?q={text}")["items"]
    points = play.arrange("POST", "/v1/ledger/types", {"name": "searched"})["id"]
    play.arrange("POST", "/v1/ledger/entries", {"order_id": "searched-order", "op": "add", "type": points, "domain": "main",
                                                "uid": "searched-user", "amount": 1})
    play.arrange("PUT", "/v1/economy/searched", {})
    play.arrange("POST", "/v1/economy/searched/players/7001/adjust", {"points": 1, "name": "Searched Player", "reason": "none"})
    for text in ("searched-order", "searched-user", "7001"):
        play.eventually(lambda text=text: found(text), f"{text} is found")
        play.get(f"searches for {text}", f"{SEARCH}?q={text}")
    play.get("searches for the beginning of a name", f"{SEARCH}?q=sEARCHED%20p")
    play.get("searches for what nobody has", f"{SEARCH}?q=nobody-has-this")
    play.get("searches for nothing", SEARCH)
    play.get("searches for an empty text", f"{SEARCH}?q=")
    play.get("searches for an endless text", f"{SEARCH}?q={'x' * 129}")
    play.get("lists players", "/v1/economy/searched/players")
    play.get("lists players by name", "/v1/economy/searched/players?prefix=search")
    play.get("lists players with an empty prefix", "/v1/economy/searched/players?prefix=")
    play.get("lists players with a wrong cursor", "/v1/economy/searched/players?cursor=a/b")
    play.get("lists the players of a world", "/v1/tribes/worlds/default/players")
    play.get("lists the players of an unknown world", "/v1/tribes/worlds/nosuch/players")
    play.get("lists the players of a world with a wrong cursor", "/v1/tribes/worlds/default/players?cursor=x")


def play_privacy(play):
    users = "/v1/admin/users"
    play.get("exports a user whom nobody knows", f"{users}/nobody/export", hide={"exported_at": "time"})
    play.get("asks about a job that nobody wants", f"{users}/nobody/forget")
    play.post("forgets a user whom nobody knows", f"{users}/nobody/forget", hide={"pseudonym": "pseudonym"})
    play.eventually(lambda: play.arrange("GET", f"{users}/nobody/forget")["state"] == "finished", "the user is forgotten")
    play.get("shows the job that is done", f"{users}/nobody/forget", hide={"pseudonym": "pseudonym"})
    for id in ("a%20b", "..%2Fkeys", "x" * 65, "%00"):
        play.get(f"exports {id}", f"{users}/{id}/export")
        play.post(f"forgets {id}", f"{users}/{id}/forget")
        play.get(f"asks about {id}", f"{users}/{id}/forget")
    play.get("exports with a key of the economy", f"{users}/nobody/export", key="gamer")
