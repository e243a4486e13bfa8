"""The economy: input that is refused, by move, field and kind of wrong value."""
from bodies import characters, refuse_each
from play_economy import REALM

PLAYER = f"{REALM}/players/ann"
ID = [None, "1", '"a b"', '"lb"']
QUANTITY = [None, "0", "1.5", '"5"', "9007199254740992"]
ITEM = [None, "1", '""', characters(65)]
SEED = ["-1", "2147483648", '"x"', "1.5"]
BAD_PLAYERS = ("a%20b", "a:b", "lb", "score_1", "u" * 65)


def play_economy_input(play):
    play_fields(play)
    play_bodies(play)
    play_paths(play)
    play_queries(play)


def play_fields(play):
    moves = [("farm", {"name": "Ann"}, {"name": [None, "null", "1", '""', characters(65), '"a\\u0000b"'], "seed": SEED,
                                        "guild_id": ["1", '""', '"a b"'], "x": ["1"]}),
             ("pay", {"to": "bob", "amount": 1}, {"to": ID, "amount": QUANTITY, "seed": ['"x"'], "x": ["1"]}),
             ("rewards/daily", {}, {"guild_id": ["1"], "seed": ["-1"], "x": ["1"]}),
             ("gamble", {"amount": 1}, {"amount": [None, "0", "1.5", '"5"', '"ALL"', "null"], "x": ["1"]}),
             ("discombobulate", {"target": "bob", "amount": 1}, {"target": ID, "amount": QUANTITY, "x": ["1"]}),
             ("trade", {"to": "bob", "item": "herb", "quantity": 1}, {"to": ID, "item": ITEM, "quantity": QUANTITY,
                                                                      "x": ["1"]}),
             ("craft", {"item": "gear"}, {"item": ITEM, "x": ["1"]}),
             ("use", {"item": "cross"}, {"item": ITEM, "target": ["1", '"a b"', '"lb"'], "x": ["1"]}),
             ("bomb", {"seconds": 0}, {"seconds": [None, "-1", "1.5", '"5"'], "x": ["1"]}),
             ("inspect", {"target": "bob"}, {"target": ID, "x": ["1"]})]
    for move, good, wrong in moves:
        refuse_each(play, move, "POST", f"{PLAYER}/{move}", good, wrong)
    refuse_each(play, "loads a roulette", "POST", f"{REALM}/roulettes", {},
                {"seed": ["-1"], "guild_id": ["1"], "player": ['"ann"']})
    refuse_each(play, "shoots", "POST", f"{REALM}/roulettes/r1/shots", {"player": "ann"}, {"player": ID, "x": ["1"]})


def play_bodies(play):
    for body in ("", "[]", "{", "null", '{"name": "A", "name": "B"}'):
        play.post(f"farms with the body {body or 'nothing'}", f"{PLAYER}/farm", body)
    play.post("farms with bytes that are no UTF-8", f"{PLAYER}/farm", b'{"name":"\xff"}')
    play.post("farms with a body of another type", f"{PLAYER}/farm", "{}", headers={"Content-Type": "text/plain"})
    play.post("claims a reward with an empty body of another type", f"{PLAYER}/rewards/daily", "",
              headers={"Content-Type": "text/plain"})


def play_paths(play):
    for player in BAD_PLAYERS:
        shown = player if len(player) < 40 else f"of {len(player)} characters"
        play.get(f"shows the player {shown}", f"{REALM}/players/{player}")
        play.post(f"farms as the player {shown}", f"{REALM}/players/{player}/farm", {"name": "x"})
    for realm in ("a%20b", "a:b", "r" * 65):
        shown = realm if len(realm) < 40 else f"of {len(realm)} characters"
        play.get(f"shows the leaderboard of the realm {shown}", f"/v1/economy/{realm}/leaderboard")
        play.post(f"loads a roulette of the realm {shown}", f"/v1/economy/{realm}/roulettes")
    play.post("shoots a roulette with a bad id", f"{REALM}/roulettes/a_b/shots", {"player": "ann"})
    play.post("shoots a roulette with a long id", f"{REALM}/roulettes/{'r' * 33}/shots", {"player": "ann"})
    play.post("claims a reward with a long name", f"{PLAYER}/rewards/{'d' * 33}")
    play.post("claims a reward with a parameter", f"{PLAYER}/rewards/daily?x=1")


def play_queries(play):
    for path, queries in {"/leaderboard": ("limit=0", "limit=501", "limit=x", "around=a%20b", "around=", "cursor=1"),
                          "/items": ("x=1",), "/players/ann": ("x=1",),
                          "/events": ("limit=0", "limit=501", "cursor=x", "cursor=1-1", "cursor=1-1-x", "cursor=-1-0-p",
                                      "type=",
                                      "user=ann", f"type={'x' * 65}"),
                          "/players/ann/events": ("limit=x", "cursor=", "cursor=p", "type=farm&type=pay")}.items():
        for query in queries:
            shown = query if len(query) < 40 else f"{query[:8]}... of {len(query)} characters"
            play.get(f"reads {path}?{shown}", f"{REALM}{path}?{query}")
