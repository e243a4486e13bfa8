"""The routes of operators: service keys."""
from bodies import PAST, characters, refuse_each

KEYS = "/v1/admin/keys"
KEY_ID, TOKEN = r"[0-9a-f]{12}", r"lk_[0-9a-f]{12}_[0-9a-f]{64}"
NEW_KEY = {"name": "bot", "scopes": ["ledger"]}
SOON = {"older_tokens_until": "time + the overlap"}


def play_admin(play):
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
