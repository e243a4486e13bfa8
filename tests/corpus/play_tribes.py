"""Tribes: what every route answers and refuses."""
import copy

from bodies import refuse_each
from exchange import NOBODY

WORLDS = "/v1/tribes/worlds"
GAME = f"{WORLDS}/game"
PASSWORD = "a password for a test"
# Where a town is and when something happens differ from run to run.
TOWN = {"timestamp": "Unix s", "completeAt": "Unix ms", "arrivalAt": "Unix ms", "tappedAt": "Unix ms", "townX": "field",
        "townY": "field", "destinationX": "field", "destinationY": "field", "x": "field", "y": "field", "seed": "seed",
        "revision": "revision"}
LONG_S, SHORT_S = 10_000_000, 1  # at speed 10000: 1000 s and 0.1 ms


def play_tribes(play):
    play.get("lists the worlds of a new server", WORLDS)
    rules = small_rules(play.arrange("GET", f"{WORLDS}/default/rules")["rules"])
    for name in ("ann", "bob", "cyn", "dee"):
        register(play, name)
    play_worlds(play, rules)
    play_joining(play, rules)
    play_acting(play)
    play_stealing(play)
    play_views(play)
    play_reports(play, rules)
    play_socket(play)
    play_input(play)
    play_tokens(play)
    play_ends(play, rules)


def small_rules(rules):
    """A game in which most things are done at once, and some take long."""
    rules = copy.deepcopy(rules)
    rules["start_coins"] = 100_000
    for name, building in rules["buildings"].items():
        building["first"] = {"cost": 100, "seconds": LONG_S if name == "shop" else SHORT_S}
        building["levels"] = building["levels"][:1]
    rules["educations"]["thief"] |= {"cost": 10, "seconds": SHORT_S}
    rules["educations"]["chef"]["seconds"] = LONG_S
    rules["educations"]["guard"]["cost"] = 50_000
    rules["queues"] |= {"constructions_max": 2, "trainings_max": 2, "travels_max": 3, "arrivals_max": 1}
    rules["heists"]["travel_ms_per_field"] = 86_400_000  # 8.6 s for a field
    rules["production"]["demand_rate"] = rules["production"]["rush_demand_rate"] = 0
    rules["taps"]["every_s"] = LONG_S
    return rules


def register(play, name):
    made = play.arrange("POST", "/v1/auth/register", {"username": name, "password": PASSWORD})
    play.keys[name] = made["token"]
    play.normaliser.capture(f"token of {name}", made["token"])
    play.normaliser.capture(f"user {name}", made["user_id"])


def user_id(play, name):
    return next(value for value, shown in play.normaliser.names.items() if shown == f"<user {name}>")


def play_worlds(play, rules):
    play.post("creates a world with its own rules", WORLDS, {"id": "game", "speed": 10_000, "rules": rules},
              show='{"id": "game", "speed": 10000, "rules": {...}}')
    play.post("creates a world that exists", WORLDS, {"id": "game"})
    play.post("creates a world", WORLDS, {"id": "other"})
    play.get("shows the rules of a world", f"{GAME}/rules")
    play.get("shows the rules of a world that does not exist", f"{WORLDS}/none/rules")
    play.get("shows the rules of a world with a bad name", f"{WORLDS}/a%20b/rules")
    play.send("changes the speed of a world", "PATCH", f"{WORLDS}/other", {"speed": 5})
    play.send("changes nothing of a world", "PATCH", f"{WORLDS}/other", {})
    play.send("closes a world", "PATCH", f"{WORLDS}/other", {"state": "closed"})
    play.send("lets a world run again", "PATCH", f"{WORLDS}/other", {"state": "running"})
    play.send("changes a world that does not exist", "PATCH", f"{WORLDS}/none", {"speed": 5})
    wrong = copy.deepcopy(rules)
    wrong["buildings"]["house"]["levels"][0]["cost"] = -1
    play.post("creates a world with a negative cost", WORLDS, {"id": "wrong", "rules": wrong},
              show='{"id": "wrong", "rules": {... "house" costs -1 ...}}')
    del wrong["buildings"]["house"]
    play.post("creates a world without a building", WORLDS, {"id": "wrong", "rules": wrong},
              show='{"id": "wrong", "rules": {... no "house" ...}}')
    play.get("lists the worlds", WORLDS)


def play_joining(play, rules):
    play.get("looks at a town before joining", f"{GAME}/state", key="ann")
    play.post("joins a world", f"{GAME}/join", key="ann", headers={"Idempotency-Key": "join"}, hide=TOWN)
    play.post("joins with the same key again", f"{GAME}/join", key="ann", headers={"Idempotency-Key": "join"}, hide=TOWN)
    play.post("joins a world twice", f"{GAME}/join", key="ann")
    play.post("joins a world that does not exist", f"{WORLDS}/none/join", key="ann")
    play.post("joins for a player", f"{GAME}/join?player={user_id(play, 'bob')}", hide=TOWN)
    play.post("joins for nobody", f"{GAME}/join")
    play.post("joins for a player who does not exist", f"{GAME}/join?player=nobody")
    play.post("joins for another player", f"{GAME}/join?player={user_id(play, 'bob')}", key="cyn")
    tiny = rules | {"world": {"size": 1, "zone_size": 1, "towns_per_zone_max": 1}}
    play.arrange("POST", WORLDS, {"id": "tiny", "rules": tiny})
    play.arrange("POST", f"{WORLDS}/tiny/join?player={user_id(play, 'ann')}")
    play.post("joins a world that is full", f"{WORLDS}/tiny/join", key="bob")


def play_acting(play):
    def act(title, key="ann", headers=None, **action):
        play.post(title, f"{GAME}/actions", action, key=key, headers=headers, hide=TOWN)

    act("acts without a town", key="cyn", type="tap", lot="1")
    act("trains without a school", type="train", education="chef", amount=1)
    act("builds a house", type="construct", lot="1", building="house", headers={"Idempotency-Key": "a"})
    act("builds a house with the same key", type="construct", lot="1", building="house", headers={"Idempotency-Key": "a"})
    act("builds something else with the same key", type="construct", lot="2", building="house",
        headers={"Idempotency-Key": "a"})
    act("builds on a lot that is taken", type="construct", lot="1", building="shop")
    act("builds on a lot that is taken, with a key", type="construct", lot="1", building="shop",
        headers={"Idempotency-Key": "b"})
    act("builds on a lot that is taken, with the same key", type="construct", lot="1", building="shop",
        headers={"Idempotency-Key": "b"})
    act("builds a school", type="construct", lot="2", building="school")
    act("builds a kitchen", type="construct", lot="3", building="kitchen")
    act("upgrades a building of the highest level", type="upgrade", lot="1")
    act("upgrades nothing", type="upgrade", lot="9")
    act("razes nothing", type="raze", lot="9")
    act("taps nothing", type="tap", lot="9")
    act("taps a house", type="tap", lot="1")
    act("taps a kitchen", type="tap", lot="3")
    act("taps a kitchen twice", type="tap", lot="3")
    act("trains thieves", type="train", education="thief", amount=4)
    act("trains chefs", type="train", education="chef", amount=2)
    act("trains more mice than there are", type="train", education="chef", amount=100)
    act("trains guards for too much", type="train", education="guard", amount=3)
    act("builds a shop", type="construct", lot="4", building="shop")
    act("razes a kitchen", type="raze", lot="3")
    act("builds with a full queue", type="construct", lot="5", building="house")
    act("builds on a lot that is going to be razed", type="construct", lot="3", building="house")
    act("cancels the razing", type="cancel", queue="construction", index=1)
    act("razes the shop that is being built", type="raze", lot="4")
    act("cancels a construction on which another builds", type="cancel", queue="construction", index=0)
    act("cancels a training", type="cancel", queue="training", index=0)
    act("cancels a training that does not exist", type="cancel", queue="training", index=9)
    act("builds too much", type="construct", lot="6", building="house")
    for _ in range(3):
        play.arrange("POST", f"{GAME}/actions?player={user_id(play, 'bob')}",
                     {"type": "construct", "lot": str(_ + 1), "building": ("house", "school", "kitchen")[_]})


def play_stealing(play):
    ann, bob = (play.arrange("GET", f"{GAME}/state?player={user_id(play, name)}")["state"] for name in ("ann", "bob"))
    for place, who in ((ann, "ann"), (bob, "bob")):
        play.normaliser.capture(f"field of {who}", f'"x": {place["townX"]}, "y": {place["townY"]}')

    def steal(title, town, thieves, key="ann"):
        play.post(title, f"{GAME}/actions", {"type": "steal", "x": town["townX"], "y": town["townY"], "thieves": thieves},
                  key=key, hide=TOWN)

    steal("steals from oneself", ann, 1)
    play.post("steals from an empty field", f"{GAME}/actions", {"type": "steal", "x": 0, "y": 0, "thieves": 1}, key="ann")
    steal("steals with too many thieves", bob, 100)
    steal("steals", bob, 1)
    steal("steals from a town that others are on their way to", bob, 1)
    play.post("cancels a travel", f"{GAME}/actions", {"type": "cancel", "queue": "travel", "index": 0}, key="ann")


def play_views(play):
    play.get("shows a town", f"{GAME}/state", key="ann", hide=TOWN)
    play.get("shows a part of a town", f"{GAME}/state?path=.population", key="ann", hide=TOWN)
    play.get("shows a part that does not exist", f"{GAME}/state?path=.lots.castle", key="ann")
    play.get("shows a part with a malformed path", f"{GAME}/state?path=lots", key="ann")
    play.get("shows a part that is too deep", f"{GAME}/state?path=.{'.'.join('a' * 40)}", key="ann")
    play.get("shows a town with an unknown parameter", f"{GAME}/state?colour=red", key="ann")
    counted = {"avg": "number", "min": "number", "max": "number", "last": "number", "count": "number"}
    play.get("shows the history of coins", f"{GAME}/history", key="ann", digest=lambda text: "<points>")
    play.get("shows the history of pizzas by minute", f"{GAME}/history?resource=pizzas&bucket=60", key="ann",
             digest=lambda text: "<points>")
    play.get("shows the history of nothing", f"{GAME}/history?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z", key="ann",
             hide=counted)
    play.get("shows the history of gold", f"{GAME}/history?resource=gold", key="ann")
    play.get("shows the history of a negative time", f"{GAME}/history?from=2020-01-02T00:00:00Z&to=2020-01-01T00:00:00Z",
             key="ann")
    play.get("shows the leaderboard", f"{GAME}/leaderboard", key="ann", hide=TOWN)
    play.get("shows the leaderboard around a player", f"{GAME}/leaderboard?limit=1&around={user_id(play, 'bob')}", hide=TOWN)
    play.get("shows the leaderboard around a player without a town", f"{GAME}/leaderboard?around={user_id(play, 'dee')}")
    play.get("shows the leaderboard around nobody", f"{GAME}/leaderboard?around=nobody")
    for path in ("state", "history", "reports", "ws"):
        play.get(f"asks for the {path} of nobody", f"{GAME}/{path}?player=nobody")
    play.post("acts for nobody", f"{GAME}/actions?player=nobody", {"type": "tap", "lot": "1"})
    play.post("reads a report of nobody", f"{GAME}/reports/1-1/read?player=nobody")
    play.get("shows a world with a bad name", f"{WORLDS}/a%20b")
    play.get("shows a lot with a path that needs brackets", f"{GAME}/state?path=.lots.1", key="ann")
    play.get("shows a world", GAME, key="ann")
    play.get("shows a world that does not exist", f"{WORLDS}/none")
    play.get("shows a leaderboard of nobody", f"{GAME}/leaderboard?limit=0", key="ann")
    place = play.arrange("GET", f"{GAME}/state?player={user_id(play, 'bob')}")["state"]
    play.get("shows the map", f"{GAME}/map?x=0&y=0&radius=5", key="ann", hide=TOWN)
    town = play.arrange("GET", f"{GAME}/map?x={place['townX']}&y={place['townY']}&radius=0")
    if [each["user_id"] for each in town["towns"]] != [user_id(play, "bob")]:
        raise AssertionError(town)
    play.get("shows a map without a place", f"{GAME}/map", key="ann")
    play.get("lists reports", f"{GAME}/reports", key="ann")
    play.get("lists reports with a bad cursor", f"{GAME}/reports?cursor=x", key="ann")
    play.post("reads a report that does not exist", f"{GAME}/reports/1-1/read", key="ann")
    play.get("lists the hall of fame", "/v1/tribes/hall-of-fame", key="ann")
    play.get("lists the hall of fame with a bad cursor", "/v1/tribes/hall-of-fame?cursor=x")
    for path in ("history", "leaderboard", "map?x=1&y=1", "reports"):
        play.get(f"{path} without a town", f"{GAME}/{path}", key="cyn")
        play.get(f"{path} of a world that does not exist", f"{WORLDS}/none/{path}", key="cyn")
    play.get("state of a world that does not exist", f"{WORLDS}/none/state", key="cyn")
    play.post("reads a report without a town", f"{GAME}/reports/1-1/read", key="cyn")
    play.post("reads a report of a world that does not exist", f"{WORLDS}/none/reports/1-1/read", key="cyn")
    play.post("acts in a world that does not exist", f"{WORLDS}/none/actions", {"type": "tap", "lot": "1"}, key="cyn")


def play_reports(play, rules):
    world = f"{WORLDS}/thieves"
    fast = copy.deepcopy(rules)
    fast["heists"]["travel_ms_per_field"] = 1
    play.arrange("POST", WORLDS, {"id": "thieves", "speed": 10_000, "rules": fast})
    ann, bob = (f"?player={user_id(play, name)}" for name in ("ann", "bob"))
    for player in (ann, bob):
        play.arrange("POST", f"{world}/join{player}")
    for lot, building in (("1", "house"), ("2", "school")):
        play.arrange("POST", f"{world}/actions{ann}", {"type": "construct", "lot": lot, "building": building})
    play.arrange("POST", f"{world}/actions{ann}", {"type": "train", "education": "thief", "amount": 3})
    town = play.arrange("GET", f"{world}/state{bob}")["state"]
    play.arrange("POST", f"{world}/actions{ann}", {"type": "steal", "x": town["townX"], "y": town["townY"], "thieves": 3})
    play.eventually(lambda: play.arrange("GET", f"{world}/reports{bob}")["items"], "the thieves have arrived")
    for player in (ann, bob):  # the ids of the two reports may differ by a millisecond
        report = play.arrange("GET", f"{world}/reports{player}")["items"][0]["id"]
        play.normaliser.capture("report", report)
    play.get("lists the reports of a thief", f"{world}/reports", key="ann", hide=TOWN)
    play.get("lists the reports of a victim", f"{world}/reports", key="bob", hide=TOWN)
    play.post("reads a report", f"{world}/reports/{report}/read", key="bob")
    play.post("reads a report again", f"{world}/reports/{report}/read", key="bob")
    play.post("reads a report with an unknown parameter", f"{world}/reports/{report}/read?x=1", key="bob")
    play.get("lists a report that was read", f"{world}/reports", key="bob", hide=TOWN)


def play_socket(play):
    play.get("asks for a WebSocket without an upgrade", f"{GAME}/ws", key="ann")
    play.get("asks for a WebSocket from another page", f"{GAME}/ws", key="ann", headers={"Origin": "http://elsewhere.example"})
    play.get("asks for a WebSocket without a town", f"{GAME}/ws", key="cyn")
    play.get("asks for a WebSocket of a world that does not exist", f"{WORLDS}/none/ws", key="cyn")
    play.get("asks for a WebSocket without a token", f"{GAME}/ws", key=NOBODY)
    play.get("asks for a WebSocket with a bad parameter", f"{GAME}/ws?x=1", key="ann")

    def upgrade(title, key):
        token = play.keys["ann"]
        text = (f"GET {GAME}/ws HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nConnection: Upgrade\r\n"
                f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n")
        play.raw(title, text.encode(), show=text.replace(token, "<token of ann>").replace("\r\n", "\n").strip())

    upgrade("opens a WebSocket", "dGhlIHNhbXBsZSBub25jZQ==")
    upgrade("opens a WebSocket with a bad key", "x")


def play_input(play):
    refuse_each(play, "creates a world", "POST", WORLDS, {"id": "w", "speed": 1},
                {"id": [None, "1", '""', '"a b"'], "speed": ["0", "10001", "1.5", '"1"'], "rules": ["1", "{}"]})
    refuse_each(play, "changes a world", "PATCH", f"{WORLDS}/other", {}, {"speed": ["0"], "state": ['"won"', "1"], "x": ["1"]})
    for action, fields in (({"type": "construct", "lot": "1", "building": "house"},
                            {"type": [None, '"fly"', "1"], "lot": [None, '"0"', '"11"', "1"], "building": [None, '"castle"'],
                             "x": ["1"]}),
                           ({"type": "train", "education": "chef", "amount": 1},
                            {"education": [None, '"king"'], "amount": [None, "0", "-1", "1.5", "9007199254740992"]}),
                           ({"type": "steal", "x": 1, "y": 1, "thieves": 1},
                            {"x": [None, "-1", '"1"'], "y": [None], "thieves": [None, "0", "1.5"]}),
                           ({"type": "cancel", "queue": "training", "index": 0}, {"queue": [None, '"x"'], "index": [None, "-1"]})):
        refuse_each(play, f"acts ({action['type']})", "POST", f"{GAME}/actions", action, fields, key="ann")
    play.post("acts with an array", f"{GAME}/actions", "[]", key="ann")
    play.post("acts with a body of another type", f"{GAME}/actions", "{}", key="ann", headers={"Content-Type": "text/plain"})
    play.post("acts with a bad key", f"{GAME}/actions", {"type": "tap", "lot": "1"}, key="ann",
              headers={"Idempotency-Key": "a b"})
    play.post("creates a world with a body of another type", WORLDS, "{}", headers={"Content-Type": "text/plain"})
    play.send("changes a world with a body of another type", "PATCH", f"{WORLDS}/other", "{}",
              headers={"Content-Type": "text/plain"})
    play.send("deletes a world with a bad name", "DELETE", f"{WORLDS}/a%20b")


def play_tokens(play):
    routes = [("GET", WORLDS), ("POST", WORLDS), ("GET", GAME), ("PATCH", f"{WORLDS}/other"), ("DELETE", f"{WORLDS}/other"),
              ("GET", f"{GAME}/rules"), ("POST", f"{GAME}/join"), ("GET", f"{GAME}/state"), ("POST", f"{GAME}/actions"),
              ("GET", f"{GAME}/history"), ("GET", f"{GAME}/leaderboard"), ("GET", f"{GAME}/map?x=1&y=1"),
              ("GET", f"{GAME}/reports"), ("POST", f"{GAME}/reports/1-1/read"), ("GET", "/v1/tribes/hall-of-fame")]
    for method, path in routes:
        play.send(f"{method} {path} without a token", method, path, key=NOBODY)
        play.send(f"{method} {path} with the ledger key", method, path, key="ledger")
    for method, path in (("POST", WORLDS), ("PATCH", f"{WORLDS}/other"), ("DELETE", f"{WORLDS}/other")):
        play.send(f"{method} {path} by a player", method, path, key="ann")


def play_ends(play, rules):
    play.send("closes a world with towns", "PATCH", GAME, {"state": "closed"})
    play.post("acts in a closed world", f"{GAME}/actions", {"type": "tap", "lot": "1"}, key="ann")
    play.post("joins a closed world", f"{GAME}/join", key="dee")
    play.send("lets it run again", "PATCH", GAME, {"state": "running"})
    play_winning(play, rules)
    play.send("deletes a world", "DELETE", f"{WORLDS}/tiny")
    play.send("deletes a world that does not exist", "DELETE", f"{WORLDS}/none")
    play.get("looks at a world that was deleted", f"{WORLDS}/tiny/state", key="ann")


def play_winning(play, rules):
    short = copy.deepcopy(rules) | {"goal_coins": rules["start_coins"] + 1}
    for name in ("house", "shop"):
        short["buildings"][name]["first"] = {"cost": 0, "seconds": SHORT_S}
    play.arrange("POST", WORLDS, {"id": "short", "speed": 10_000, "rules": short})
    play.arrange("POST", f"{WORLDS}/short/join?player={user_id(play, 'dee')}")
    actions = f"{WORLDS}/short/actions?player={user_id(play, 'dee')}"
    for lot, building in (("1", "house"), ("2", "shop")):
        play.arrange("POST", actions, {"type": "construct", "lot": lot, "building": building})
    play.arrange("POST", actions, {"type": "tap", "lot": "2"})
    play.eventually(lambda: [world["state"] for world in play.arrange("GET", WORLDS)["items"] if world["id"] == "short"]
                    == ["won"], "the world is won")
    play.send("changes a world that was won", "PATCH", f"{WORLDS}/short", {"speed": 5})
    play.post("joins a world that was won", f"{WORLDS}/short/join", key="ann")
    play.get("shows a world that was won", f"{WORLDS}/short", key="dee")
    play.get("shows a town of a world that was won", f"{WORLDS}/short/state?path=.resources", key="dee", hide=TOWN)
    play.eventually(lambda: play.arrange("GET", "/v1/tribes/hall-of-fame")["items"], "the journal has it")
    play.get("lists a winner in the hall of fame", "/v1/tribes/hall-of-fame")
