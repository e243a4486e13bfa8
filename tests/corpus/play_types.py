"""Score types: how they are created, listed and changed. Separate from the rest of the ledger, because a change of a
type's times waits until every server knows it."""
from bodies import FUTURE, PAST
from play_ledger import LEDGER, UNKNOWN_TYPE

BRONZE, OVER, SHORT = 3, 5, 6


def play_all_types(play):
    play_types(play)
    play_type_changes(play)


def play_types(play):
    types = f"{LEDGER}/types"
    play.get("lists no types", types)
    play.post("makes a type", types, {"name": "gold"})
    play.post("makes a type with every field", types,
              {"name": "silver", "starts_at": PAST, "ends_at": FUTURE, "order_ttl_days": 30, "order_age_days_max": 2,
               "remark": "for the shop"})
    play.post("makes a type with times in another zone and a whole number in another form", types,
              '{"name": "bronze 🍕", "starts_at": "2020-01-01t02:00:00.5+02:00", "order_ttl_days": 7.0, '
              '"remark": "\\"ü\\"\\n"}')
    play.post("makes a type that has not begun", types, {"name": "later", "starts_at": FUTURE})
    play.post("makes a type that is over", types, {"name": "over", "starts_at": None, "ends_at": PAST})
    play.post("makes a type whose name is taken", types, {"name": "gold"})
    play.post("makes a type that ends before it starts", types, {"name": "x", "starts_at": FUTURE, "ends_at": PAST})
    play.get("lists types", types)
    play.get("lists two types", f"{types}?limit=2")
    play.get("lists the next two types", f"{types}?limit=2&cursor=2")
    play.get("lists the last types", f"{types}?cursor=4&limit=500")
    play.get("shows a type", f"{types}/2")
    play.get("shows a type that does not exist", f"{types}/{UNKNOWN_TYPE}")


def play_type_changes(play):
    def change(title, body, type=BRONZE, **more):
        play.send(title, "PATCH", f"{LEDGER}/types/{type}", body, **more)

    change("changes nothing of a type", {})
    change("changes the name and the remark of a type", {"name": "copper", "remark": ""})
    change("changes the times of a type", {"starts_at": None, "ends_at": "2098-01-01T00:00:00Z"})
    change("takes the end of a type away", {"ends_at": None})
    change("raises how long the orders of a type are kept", {"order_ttl_days": 3650, "order_age_days_max": 1})
    change("changes the name of a type to one that is taken", {"name": "silver"})
    change("changes a type to end before it starts", {"starts_at": FUTURE, "ends_at": "2098-01-01T00:00:00Z"})
    change("changes a type that does not exist", {"remark": "x"}, UNKNOWN_TYPE)
    change("reopens a type whose points are gone", {"ends_at": None}, OVER)
    change("changes the remark of a type that is over", {"remark": "last season"}, OVER)
    play.post("makes a type to be ended", f"{LEDGER}/types", {"name": "short"})
    change("ends a type in the past", {"ends_at": PAST}, SHORT)
    change("reopens a type that has just ended", {"ends_at": None}, SHORT)
