"""The economy for operators: adjusting, importing, exporting and deleting players; and a game with all options."""
import json

from bodies import AMOUNT_MAX, characters, refuse_each

REALM = "/v1/economy/default"
ANN = f"{REALM}/players/ann"
PLAYERS = f"{REALM}/players"
NDJSON = {"Content-Type": "application/x-ndjson"}


def play_economy_care(play):
    play_adjust(play)
    play_import(play)
    play_export(play)
    play_delete(play)
    play_options(play)
    play_input(play)


def adjust(play, title, player="ann", **body):
    return play.post(title, f"{PLAYERS}/{player}/adjust", {"reason": "why"} | body)


def play_adjust(play):
    adjust(play, "gives a prize", points=500, items={"net": 2}, name="Ann 🧄", reason="won the contest", guild_id="77",
           effects={"gain": {"value": 5, "seconds": 600}})
    adjust(play, "takes some of it back", points=-100, items={":net:": -1}, effects={"gain": None, "vampire": None})
    adjust(play, "renames a player", name="Ann")
    play.get("shows the leaderboard with the new name", f"{REALM}/leaderboard")
    for title, body in {"takes more points than there are": {"points": -401},
                        "gives more points than can be owned": {"points": AMOUNT_MAX},
                        "takes more items than there are": {"items": {"net": -2}},
                        "gives more items than can be owned": {"points": 1, "items": {"net": 5}},
                        "gives an item that does not exist": {"items": {"sword": 1}},
                        "sets an effect that does not exist": {"effects": {"luck": None}}}.items():
        adjust(play, title, **body)
    key = {"Idempotency-Key": "adjust-1"}
    for title in ("gives points once", "gives points once, asked again"):
        play.post(title, f"{ANN}/adjust", {"points": 1, "reason": "once"}, headers=key)
    play.get("lists the last adjustment", f"{REALM}/events?type=adjust&limit=1")


def play_import(play):
    lines = [{"id": "bob", "points": 7, "items": {"net": 3}, "name": "Bob"}, {"id": "cat"}, {"id": "ann", "points": 1},
             {"id": "a b"}, {"id": "dan", "items": {"sword": 1}}, {"id": "dan", "items": {"net": 6}}, {"id": "eve", "x": 1},
             {"id": "bob"}]
    body = "\n".join(map(json.dumps, lines)) + "\n{\n"
    for title in ("imports players", "imports players again"):
        play.post(title, PLAYERS, body, headers=NDJSON)
    play.post("imports one player", PLAYERS, {"id": "fay", "points": 9})
    play.post("imports an array of players", PLAYERS, [{"id": "fay"}, {"id": "gus", "name": "Gus"}])
    play.get("lists openings", f"{REALM}/events?type=opening")
    for title, wrong in {"nothing": "", "half a value": "[{", "blank lines": " \n\n"}.items():
        play.post(f"imports {title}", PLAYERS, wrong)
    play.post("imports too many players in an array", PLAYERS, json.dumps([{"id": "x"}] * 1001), show="(1001 players)")
    play.post("imports players in a body of another type", PLAYERS, "{}", headers={"Content-Type": "text/plain"})
    play.post("imports players into a realm with a name that cannot be", "/v1/economy/a:b/players", {"id": "x"})


def play_export(play):
    play.get("exports a player", f"{PLAYERS}/bob/export")
    play.get("exports a player who never played", f"{PLAYERS}/nobody/export")
    play.get("exports a player with a bad id", f"{PLAYERS}/lb/export")


def play_delete(play):
    play.send("deletes a player", "DELETE", f"{PLAYERS}/bob")
    play.send("deletes a player who is gone", "DELETE", f"{PLAYERS}/bob")
    play.send("deletes a player with a bad id", "DELETE", f"{PLAYERS}/lb")
    play.get("shows a player who was deleted", f"{PLAYERS}/bob")
    play.get("lists the events of a player who was deleted", f"{PLAYERS}/bob/events")


def play_options(play):
    play.get("shows a catalogue with options", f"{REALM}/items")
    play.post("farms", f"{ANN}/farm", {"name": "Ann", "seed": 1})
    play.post("farms too soon", f"{ANN}/farm", {"name": "Ann", "seed": 1})
    play.get("shows a player who has to wait", ANN)
    sale = f"{ANN}/sell"
    adjust(play, "gives items to sell", items={"net": 1, "rod": 1})
    play.post("sells items", sale, {"item": "net", "quantity": 1, "guild_id": "77"})
    play.post("sells more than there is", sale, {"item": "net", "quantity": 9})
    play.post("sells what the bank does not buy", sale, {"item": "rod", "quantity": 1})
    play.post("sells what does not exist", sale, {"item": "sword", "quantity": 1})
    adjust(play, "makes a player as rich as can be", "max", points=AMOUNT_MAX, items={"net": 1})
    play.post("sells for more than can be owned", f"{PLAYERS}/max/sell", {"item": "net", "quantity": 1})
    play.get("lists sales", f"{REALM}/events?type=sale")


def play_input(play):
    refuse_each(play, "adjusts", "POST", f"{ANN}/adjust", {"reason": "why", "points": 1}, {
        "reason": [None, "1", '""', characters(257), '"a\\u0000"'],
        "points": ["0", "1.5", '"5"', str(AMOUNT_MAX + 1), str(-AMOUNT_MAX - 1)],
        "items": ["[]", '{"net": 0}', '{"net": "1"}', '{"": 1}', '{"net": 1, ":NET:": 1}'],
        "name": ["1", '""', characters(65), '"a\\u0000"'],
        "effects": ["1", '{"gain": 1}', '{"gain": {"value": 1}}', '{"gain": {"value": 0, "seconds": 1}}',
                    '{"vampire": {"value": 101, "seconds": 1}}', '{"gain": {"value": 1, "seconds": 315360001}}'],
        "guild_id": ['"a b"'], "seed": ['"x"'], "x": ["1"]})
    adjust(play, "adjusts nothing")
    adjust(play, "adjusts a player with a bad id", "lb", points=1)
    refuse_each(play, "sells", "POST", f"{ANN}/sell", {"item": "net", "quantity": 1},
                {"item": [None, "1", '""'], "quantity": [None, "0", "1.5", '"5"'], "x": ["1"]})
