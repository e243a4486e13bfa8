"""The routes of webhooks."""
from bodies import characters, refuse_each
from webhook_receiver import Receiver

HOOKS = "/v1/webhooks"
HOOK_ID, SECRET = r"[0-9a-f]{12}", r"[0-9a-f]{64}"
HIDDEN = {"n": "number of the delivery"}
CLOSED = "http://127.0.0.1:9/"  # nobody listens there


def make(play, title, name, body):
    taken = play.post(title, HOOKS, body, capture={f"{name}_id": ("id", HOOK_ID), f"secret of {name}": ("secret", SECRET)})
    return f"{HOOKS}/{taken[f'{name}_id']}"


def play_webhooks(play):
    receiver = Receiver().start()
    play.normaliser.capture("url of the receiver", receiver.url)
    try:
        play_deliveries(play, receiver)
    finally:
        receiver.close()
    play_refusals(play)


def play_deliveries(play, receiver):
    play.get("lists webhooks before there is one", HOOKS)
    play.get("lists webhooks with a wrong cursor", f"{HOOKS}?cursor=a-b")
    hook = make(play, "makes a webhook", "hook", {"url": receiver.url, "systems": ["ledger"], "types": ["add", "reset"]})
    other = make(play, "makes a webhook for a realm", "other", {"url": CLOSED, "realms": ["b", "a"]})
    play.get("shows a webhook", hook)
    play.get("lists one webhook", f"{HOOKS}?limit=1")
    play.get("lists all webhooks", HOOKS)
    play.arrange("POST", "/v1/ledger/types", {"name": "points"})
    entry = {"order_id": "o1", "op": "add", "type": 1, "domain": "main", "uid": "ada", "amount": 5}
    play.arrange("POST", "/v1/ledger/entries", entry)
    play.eventually(lambda: play.arrange("GET", f"{hook}/deliveries?state=delivered")["items"], "a delivery is made")
    number = play.arrange("GET", f"{hook}/deliveries")["items"][0]["n"]
    play.normaliser.capture("delivery_number", str(number))
    play.get("lists deliveries", f"{hook}/deliveries", hide=HIDDEN)
    play.get("lists deliveries that wait", f"{hook}/deliveries?state=waiting")
    play.get("lists deliveries of an unknown state", f"{hook}/deliveries?state=nosuch")
    play.get("lists deliveries with a wrong cursor", f"{hook}/deliveries?cursor=x")
    play.post("replays a delivery", f"{hook}/deliveries/{number}/replay", hide=HIDDEN)
    play.eventually(lambda: len(receiver.accepted) == 2, "it is made again")
    play.post("replays an unknown delivery", f"{hook}/deliveries/1/replay")
    play.post("replays a delivery that is no number", f"{hook}/deliveries/x/replay")
    play.get("reads events of a realm that has no name", "/v1/events?realm=a/b")
    play.get("reads events of a guild that has no id", "/v1/events?guild_id=a%20b")
    play.send("changes a webhook", "PATCH", other, {"types": ["farm"], "realms": None})
    play.send("changes a webhook to an address that is not allowed", "PATCH", other, {"url": "http://10.0.0.1/"})
    play.send("changes a webhook to a wrong URL", "PATCH", other, {"url": "x"})
    play.get("shows a webhook with an endless id", f"{HOOKS}/{'x' * 65}")
    play.send("deletes a webhook with an endless id", "DELETE", f"{HOOKS}/{'x' * 65}")
    play.send("deletes a webhook", "DELETE", other)
    play.send("deletes it again", "DELETE", other)
    play.get("shows a deleted webhook", other)
    play.send("changes a deleted webhook", "PATCH", other, {})
    play.get("lists deliveries of a deleted webhook", f"{other}/deliveries")
    play.post("replays a delivery of a deleted webhook", f"{other}/deliveries/1/replay")


def play_refusals(play):
    for url in ("http://127.0.0.2/", "http://[::1]/", "http://10.0.0.1/", "http://169.254.169.254/", "http://[::ffff:127.0.0.1]/"):
        play.post(f"makes a webhook for {url}", HOOKS, {"url": url})
    refuse_each(play, "a webhook", "POST", HOOKS, {"url": CLOSED}, {
        "url": [None, "1", '""', '"example.org"', '"ftp://example.org/"', '"https://u:p@example.org/"',
                '"https://example.org/#x"', '"https://example.org:0/"', characters(2001)],
        "systems": ["[]", '["admin"]', '["nosuch"]', '"ledger"', "[1]"], "types": ["[]", '["nosuch"]', '["a b"]', "1"],
        "realms": ["[]", '["a/b"]', f"[{characters(65)}]"], "unknown": ["1"]})
    while len(play.arrange("GET", f"{HOOKS}?limit=500")["items"]) < 100:
        play.arrange("POST", HOOKS, {"url": CLOSED, "types": ["created"]})
    play.post("makes one webhook too many", HOOKS, {"url": CLOSED})
