"""The ledger: the successful answers of each route, and what its rules refuse."""
import time

from bodies import AMOUNT_MAX, FUTURE, PAST
from normalise import TIME

LEDGER = "/v1/ledger"
GOLD, SILVER, BRONZE, LATER, OVER = 1, 2, 3, 4, 5
UNKNOWN_TYPE = 999
OLD_ORDER = "7:1999"  # looks like an issued order, but was never issued: as if it was forgotten
ISSUED = r"\d+:1\d{3}"
HELD_MS = 2000


def entry(order_id, op, amount, uid="alice", type=GOLD, domain="main", **more):
    return {"order_id": order_id, "op": op, "type": type, "domain": domain, "uid": uid, "amount": amount} | more


def make_types(play):
    """Makes the types that the scripts use. play_types records how types are made."""
    for more in ({"name": "gold"}, {"name": "silver"}, {"name": "bronze"}, {"name": "later", "starts_at": FUTURE},
                 {"name": "over", "ends_at": PAST}):
        play.arrange("POST", f"{LEDGER}/types", more)


def play_ledger(play):
    make_types(play)
    play_entries(play)
    play_entry_refusals(play)
    soon = begin_holds(play)
    play_batches(play)
    play_transfers(play)
    play_rates(play)
    play_exchanges(play)
    play_holds(play)
    end_holds(play, soon)
    play_accounts(play)
    play_flows(play)
    play_views(play)
    play_once(play)


def play_entries(play):
    entries, orders = f"{LEDGER}/entries", f"{LEDGER}/orders"
    play.post("adds points", entries, entry("a1", "add", 100, remark="a gift"))
    play.post("adds the same points again", entries, entry("a1", "add", 100))
    play.post("deducts points", entries, entry("a2", "deduct", 30))
    play.post("deducts too many points", entries, entry("a3", "deduct", 71))
    play.post("deducts too many points again", entries, entry("a3", "deduct", 71))
    play.post("resets points", entries, entry("a4", "reset", 500))
    play.post("resets points to 0", entries, entry("a5", "reset", 0, uid="zero"))
    play.post("takes a type as text and an amount as 5.0", entries,
              '{"order_id":"a6","op":"add","type":"1","domain":"main","uid":"alice","amount":5.0}')
    play.post("adds points in another domain", entries, entry("a7", "add", 1, domain="season:2"))
    play.post("adds points of a user with every allowed character", entries, entry("o_:.-9", "add", 9, uid="u_.@+|-9"))
    play.post("adds the most that a balance can have", entries, entry("a8", "add", AMOUNT_MAX, uid="rich"))
    play.post("adds one more", entries, entry("a9", "add", 1, uid="rich"))
    play.post("adds one more again", entries, entry("a9", "add", 1, uid="rich"))
    play.post("adds points that expire", entries, entry("l1", "add", 20, uid="lots", expires_at=FUTURE))
    play.post("adds points that count later", entries,
              entry("l2", "add", 30, uid="lots", effective_at="2098-01-01T00:00:00Z", expires_at=FUTURE))
    play.post("adds points that count later again", entries,
              entry("l2", "add", 30, uid="lots", effective_at="2098-01-01T00:00:00Z", expires_at=FUTURE))
    play.post("deducts points that expire", entries, entry("l3", "deduct", 5, uid="lots"))
    issued = play.post("issues an order", orders, {"type": GOLD, "domain": "main", "uid": "alice"},
                       capture={"issued order": ("order_id", ISSUED)})["issued order"]
    play.post("adds points with an issued order", entries, entry(issued, "add", 2))
    play.post("adds points with an issued order again", entries, entry(issued, "add", 2))
    play.post("issues an order of a type that is over", orders, {"type": OVER, "domain": "main", "uid": "alice"},
              capture={"order of a type that is over": ("order_id", r"\d+:5\d{3}")})
    play.post("issues an order of a type that does not exist", orders,
              {"type": UNKNOWN_TYPE, "domain": "main", "uid": "alice"})
    play.get("shows an order of a user with every allowed character", f"{LEDGER}/orders/u_.@+|-9/o_:.-9")
    play.get("shows an issued order", f"{LEDGER}/orders/alice/{issued}")
    for title, path in (("an add", "alice/a1"), ("a refused deduct", "alice/a3"), ("a reset", "alice/a4"),
                        ("an add with times", "lots/l2"), ("an order of another user", "bob/a1"),
                        ("an order that does not exist", "alice/none")):
        play.get(f"shows {title}", f"{LEDGER}/orders/{path}")


def play_entry_refusals(play):
    entries = f"{LEDGER}/entries"
    play.post("uses an order for another op", entries, entry("a1", "deduct", 100))
    play.post("uses an order for another type", entries, entry("a1", "add", 100, type=SILVER))
    play.post("uses an order for another domain", entries, entry("a1", "add", 100, domain="other"))
    play.post("uses an order for another amount", entries, entry("a1", "add", 101))
    play.post("uses an order for everything else", entries, entry("a1", "reset", 7, type=SILVER, domain="other"))
    play.post("uses an order with other times", entries,
              entry("l2", "add", 30, uid="lots", expires_at="2098-01-01T00:00:00Z"))
    play.post("adds points of a type that does not exist", entries, entry("b1", "add", 1, type=UNKNOWN_TYPE))
    play.post("adds points of a type that has not begun", entries, entry("b1", "add", 1, type=LATER))
    play.post("adds points of a type that is over", entries, entry("b1", "add", 1, type=OVER))
    play.post("adds points with an order that is too old", entries, entry(OLD_ORDER, "add", 1))
    play.post("adds points that have expired", entries, entry("b1", "add", 1, expires_at=PAST))
    play.post("adds points that expire before they count", entries,
              entry("b1", "add", 1, effective_at=FUTURE, expires_at="2098-01-01T00:00:00Z"))
    play.post("deducts points that expire by themselves", entries, entry("b1", "deduct", 1, expires_at=FUTURE))
    play.post("resets points that count later", entries, entry("b1", "reset", 1, effective_at=FUTURE))


def play_batches(play):
    def batch(title, mode, *entries):
        play.post(title, f"{LEDGER}/entries/batch", {"mode": mode, "entries": list(entries)})

    mixed = [entry("c1", "add", 10, uid="carol"), entry("c2", "deduct", 11, uid="carol"),
             entry("c3", "deduct", 4, uid="carol"),
             entry("c1", "add", 12, uid="carol"), entry("c4", "add", 1, type=UNKNOWN_TYPE),
             entry("c5", "add", 1, type=OVER),
             entry(OLD_ORDER, "add", 1), entry("c6", "add", 1, uid="rich"), entry("c7", "add", 1, expires_at=PAST),
             entry("c8", "add", 1, uid="dave", expires_at=FUTURE), entry("c9", "reset", 0, uid="carol")]
    batch("posts a batch in which each entry counts on its own", "continue", *mixed)
    batch("posts that batch again", "continue", *mixed)
    good = [entry("d1", "add", 10, uid="erin"), entry("d2", "deduct", 3, uid="erin"),
            entry("d3", "reset", 5, uid="frank")]
    batch("posts a batch of all or none", "atomic", *good)
    batch("posts a batch of all or none again", "atomic", *good)
    for title, bad in (("cannot be paid", entry("d5", "deduct", 1000, uid="erin")),
                       ("has a type that does not exist", entry("d5", "add", 1, type=UNKNOWN_TYPE)),
                       ("has a type that is over", entry("d5", "add", 1, type=OVER)),
                       ("has an order that is too old", entry(OLD_ORDER, "add", 1)),
                       ("has an order of another entry", entry("d1", "add", 11, uid="erin")),
                       ("grows too large", entry("d5", "add", 1, uid="rich")),
                       ("has expired", entry("d5", "add", 1, expires_at=PAST))):
        batch(f"posts a batch of all or none whose second entry {title}", "atomic", entry("d4", "add", 1, uid="erin"),
              bad)
    play.get("shows an order of a batch that was refused", f"{LEDGER}/orders/erin/d4")


def transfer(order_id, amount, to="bob", type=GOLD, **more):
    return {"order_id": order_id, "type": type, "domain": "main", "from": "alice", "to": to, "amount": amount} | more


def play_transfers(play):
    def send(title, body):
        play.post(title, f"{LEDGER}/transfers", body)

    send("transfers points", transfer("t1", 40, remark="rent"))
    send("transfers the same points again", transfer("t1", 40))
    send("transfers points that expire", {"order_id": "t2", "type": GOLD, "domain": "main", "from": "lots", "to": "bob",
                                          "amount": 3})
    send("transfers too many points", transfer("t3", 10**6))
    send("transfers too many points again", transfer("t3", 10**6))
    send("transfers points to one who has too many", transfer("t4", 1, to="rich"))
    send("transfers points to oneself", transfer("t5", 1, to="alice"))
    send("transfers points of a type that does not exist", transfer("t5", 1, type=UNKNOWN_TYPE))
    send("transfers points of a type that is over", transfer("t5", 1, type=OVER))
    send("transfers points with an order that is too old", transfer(OLD_ORDER, 1))
    send("transfers points to another with the same order", transfer("t1", 40, to="carol"))
    send("transfers points with the order of an entry", transfer("a1", 100))
    for order in ("t1", "t3", "t4"):
        play.get(f"shows the transfer {order}", f"{LEDGER}/orders/alice/{order}")


def play_rates(play):
    def put(title, types, numerator, denominator):
        play.send(title, "PUT", f"{LEDGER}/rates/{types}", {"numerator": numerator, "denominator": denominator})

    play.get("lists no rates", f"{LEDGER}/rates")
    put("sets a rate", "1/2", 3, 10)
    put("sets a rate again", "1/2", 1, 10)
    put("sets a rate the other way", "2/1", AMOUNT_MAX, 1)
    put("sets a rate to a third type", "1/3", 2, 1)
    put("sets a rate to a type that is over", "1/5", 1, 1)
    put("sets a rate of a type to itself", "1/1", 1, 1)
    put("sets a rate to a type that does not exist", f"1/{UNKNOWN_TYPE}", 1, 1)
    put("sets a rate of a type that does not exist", f"{UNKNOWN_TYPE}/1", 1, 1)
    play.get("shows a rate", f"{LEDGER}/rates/1/2")
    play.get("shows a rate that does not exist", f"{LEDGER}/rates/3/1")
    play.get("lists rates", f"{LEDGER}/rates")
    play.get("lists two rates", f"{LEDGER}/rates?limit=2")
    play.get("lists the next rates", f"{LEDGER}/rates?limit=2&cursor=1-3")


def play_exchanges(play):
    def exchange(title, order_id, amount, from_type=GOLD, to_type=SILVER, uid="alice"):
        play.post(title, f"{LEDGER}/exchanges", {"order_id": order_id, "uid": uid, "domain": "main",
                                                 "from_type": from_type,
                                                 "to_type": to_type, "amount": amount})

    exchange("exchanges points", "x1", 29)
    exchange("exchanges the same points again", "x1", 29)
    exchange("exchanges too many points", "x2", 10**6)
    exchange("exchanges too many points again", "x2", 10**6)
    exchange("exchanges points for more than a balance can have", "x3", 2, SILVER, GOLD)
    exchange("exchanges too few points for one", "x4", 9)
    exchange("exchanges points without a rate", "x4", 1, BRONZE, GOLD)
    exchange("exchanges points for the same type", "x4", 1, GOLD, GOLD)
    exchange("exchanges points of a type that does not exist", "x4", 1, UNKNOWN_TYPE, GOLD)
    exchange("exchanges points for a type that does not exist", "x4", 1, GOLD, UNKNOWN_TYPE)
    exchange("exchanges points for a type that is over", "x4", 1, GOLD, OVER)
    exchange("exchanges points with an order that is too old", OLD_ORDER, 10)
    exchange("exchanges another amount with the same order", "x1", 30)
    exchange("exchanges for another type with the same order", "x1", 29, GOLD, BRONZE)
    play.get("shows an exchange", f"{LEDGER}/orders/alice/x1")


def hold(order_id, amount, uid="alice", type=GOLD, **more):
    return {"order_id": order_id, "type": type, "domain": "main", "uid": uid, "amount": amount} | more


def begin_holds(play):
    """Begins what ends by itself later. Returns the time when it ends."""
    soon_ms = time.time_ns() // 1_000_000 + HELD_MS
    soon = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(soon_ms // 1000)) + f".{soon_ms % 1000:03}Z"
    for name, value in (("soon", soon), ("expire:soon", f"expire:{soon_ms}"), ("mature:soon:0", f"mature:{soon_ms}:0")):
        play.normaliser.capture(name, value)
    play.post("adds points to be held", f"{LEDGER}/entries", entry("s1", "add", 50, uid="sue"))
    play.post("holds points that come back soon", f"{LEDGER}/holds", hold("s2", 20, uid="sue", expires_at=soon))
    play.post("adds points that expire soon", f"{LEDGER}/entries", entry("s3", "add", 7, uid="sue", expires_at=soon))
    play.post("adds points that count soon", f"{LEDGER}/entries", entry("s4", "add", 3, uid="sue", effective_at=soon))
    play.get("shows an account before its points come back", f"{LEDGER}/accounts/1/main/sue")
    return soon_ms


def end_holds(play, soon_ms):
    play.eventually(lambda: time.time_ns() // 1_000_000 > soon_ms + 20, "the hold has expired")
    play.get("shows an account after its points came back", f"{LEDGER}/accounts/1/main/sue")
    play.post("captures a hold that has expired", f"{LEDGER}/holds/sue/s2/capture")
    play.post("releases a hold that has expired", f"{LEDGER}/holds/sue/s2/release")
    play.get("shows a hold that has expired", f"{LEDGER}/orders/sue/s2")
    play.get("lists the flows of what ended by itself", f"{LEDGER}/flows?uid=sue")


def play_holds(play):
    holds = f"{LEDGER}/holds"
    play.post("holds points", holds, hold("h1", 50, remark="a table"))
    play.post("holds the same points again", holds, hold("h1", 50))
    play.post("holds points until a time", holds, hold("h2", 60, expires_at=FUTURE))
    play.post("holds more points", holds, hold("h3", 10))
    play.post("holds too many points", holds, hold("h4", 10**6))
    play.post("holds too many points again", holds, hold("h4", 10**6))
    play.post("holds points of a type that does not exist", holds, hold("h5", 1, type=UNKNOWN_TYPE))
    play.post("holds points of a type that is over", holds, hold("h5", 1, type=OVER))
    play.post("holds points with an order that is too old", holds, hold(OLD_ORDER, 1))
    play.post("holds points until a time that is over", holds, hold("h5", 1, expires_at=PAST))
    play.post("holds another amount with the same order", holds, hold("h1", 51))
    play.post("holds points until another time with the same order", holds, hold("h2", 60))
    play.get("shows an account with holds", f"{LEDGER}/accounts/1/main/alice")
    play.post("captures more than is held", f"{holds}/alice/h1/capture", {"amount": 51})
    play.post("captures a part of a hold", f"{holds}/alice/h1/capture", {"amount": 20})
    play.post("captures the same part again", f"{holds}/alice/h1/capture", {"amount": 20})
    play.post("captures another part of a hold that was captured", f"{holds}/alice/h1/capture", {"amount": 21})
    play.post("releases a hold that was captured", f"{holds}/alice/h1/release")
    play.post("captures a whole hold without a body", f"{holds}/alice/h2/capture")
    play.post("captures a whole hold again", f"{holds}/alice/h2/capture", {})
    play.post("releases a hold", f"{holds}/alice/h3/release", {})
    play.post("releases a hold again without a body", f"{holds}/alice/h3/release")
    play.post("captures a hold that was released", f"{holds}/alice/h3/capture")
    play.post("holds points that were held and released", holds, hold("h3", 10))
    play.post("captures a hold that does not exist", f"{holds}/alice/none/capture")
    play.post("captures a hold that was refused", f"{holds}/alice/h4/capture")
    play.post("releases a hold of another user", f"{holds}/bob/h3/release")
    play.post("releases an entry", f"{holds}/alice/a1/release")
    play.get("shows a hold that was captured", f"{LEDGER}/orders/alice/h1")
    play.get("shows a hold that was released", f"{LEDGER}/orders/alice/h3")


def play_accounts(play):
    accounts = f"{LEDGER}/accounts"
    play.get("shows an account", f"{accounts}/1/main/alice")
    play.get("shows an account with lots", f"{accounts}/1/main/lots")
    play.get("shows an account of another domain", f"{accounts}/1/season:2/alice")
    play.get("shows an account that was never used", f"{accounts}/1/main/nobody")
    play.get("shows an account of a type that is over", f"{accounts}/5/main/alice")
    play.get("shows an account of a type that does not exist", f"{accounts}/{UNKNOWN_TYPE}/main/alice")
    play.get("shows an account by a path that is percent-encoded", f"{accounts}/%31/m%61in/u_.%40%2B%7C-9")
    moment = play.post("adds points at a moment", f"{LEDGER}/holds", hold("m1", 1),
                       capture={"moment": ("at", TIME.pattern)})
    play.get("shows an account at a moment", f"{accounts}/1/main/alice/at?time={moment['moment']}")
    play.get("shows an account before its first entry", f"{accounts}/1/main/alice/at?time=2020-01-01T01:00:00%2B01:00")
    play.get("shows an account in the future", f"{accounts}/1/main/alice/at?time={FUTURE}")
    play.get("shows an account of a type that does not exist at a moment",
             f"{accounts}/{UNKNOWN_TYPE}/main/alice/at?time={PAST}")


def play_flows(play):
    flows = f"{LEDGER}/flows"
    form = ("next_cursor", r"\d{13}-\d+")
    taken = play.get("lists three flows", f"{flows}?uid=alice&limit=3", capture={"cursor": form})
    taken = play.get("lists the next three flows", f"{flows}?uid=alice&limit=3&cursor={taken['cursor']}",
                     capture={"second cursor": form})
    play.get("lists the other flows", f"{flows}?uid=alice&cursor={taken['second cursor']}")
    play.get("lists flows of a type", f"{flows}?uid=alice&type=2")
    play.get("lists flows of a domain", f"{flows}?uid=alice&domain=season%3A2")
    play.get("lists flows of a time", f"{flows}?uid=alice&from={FUTURE}")
    play.get("lists flows before a time", f"{flows}?uid=alice&to={PAST}")
    play.get("lists flows between times", f"{flows}?uid=lots&from={PAST}&to={FUTURE}&type=1&domain=main&limit=500")
    play.get("lists the flows of one who got points", f"{flows}?uid=bob")
    play.get("lists the flows of a user without any", f"{flows}?uid=nobody")


def play_views(play):
    """The totals are of a moment minutes ago, so here they are all 0."""
    for what in ("accounts", "holds", "transfers"):
        play.get(f"lists the {what} of alice", f"{LEDGER}/users/alice/{what}", hide={"sent_at": "time"})
        play.get(f"lists one of the {what} of alice", f"{LEDGER}/users/alice/{what}?limit=1")
        play.get(f"lists the {what} of nobody", f"{LEDGER}/users/nobody/{what}")
        play.get(f"lists {what} with a wrong cursor", f"{LEDGER}/users/alice/{what}?cursor=x")
        play.get(f"lists {what} of what is no user", f"{LEDGER}/users/a%20b/{what}")
    play.client.send("GET", f"{LEDGER}/flows?uid=bob", headers={"Authorization": f"Bearer {play.keys['admin']}"})
    play.get("lists resets in the journal", f"{LEDGER}/journal?op=reset")
    play.get("lists the journal of no domain", f"{LEDGER}/journal?domain=nosuch")
    for query in ("type=0", "op=x", "from=x", "cursor=1-1", "uid=alice"):
        play.get(f"lists the journal with {query}", f"{LEDGER}/journal?{query}")
    play.get("shows totals", f"{LEDGER}/totals?type=1", hide={"at": "a moment ago"})
    play.get("shows totals of no type", f"{LEDGER}/totals?type=99")
    play.get("shows totals with a wrong cursor", f"{LEDGER}/totals?cursor=x")
    play.get("finds a type by its name", f"{LEDGER}/types?name=gold")
    play.get("finds no type by its name", f"{LEDGER}/types?name=nosuch")


def play_once(play):
    """Writes without an order take an Idempotency-Key; writes with an order ignore it."""
    def once(title, key, method, path, body, **more):
        for again in ("", ", asked again"):
            play.send(title + again, method, f"{LEDGER}{path}", body, headers={"Idempotency-Key": key}, **more)

    account = {"type": GOLD, "domain": "main", "uid": "alice"}
    once("makes a type once", "k1", "POST", "/types", {"name": "once"})
    once("is refused a type once", "k2", "POST", "/types", {"name": "gold"})
    once("changes a type once", "k3", "PATCH", "/types/3", {"remark": "once"})
    once("sets a rate once", "k4", "PUT", "/rates/3/1", {"numerator": 1, "denominator": 2})
    once("issues an order once", "k5", "POST", "/orders", account, capture={"order of a key": ("order_id", ISSUED)})
    once("adds points with a key, which does not matter", "k1", "POST", "/entries", entry("k6", "add", 1))
    once("holds points with a bad key, which does not matter", "a b", "POST", "/holds", hold("k7", 1))
    play.post("makes another type with the same key", f"{LEDGER}/types", {"name": "twice"},
              headers={"Idempotency-Key": "k1"})
    play.send("uses the key of a type for a rate", "PUT", f"{LEDGER}/rates/3/1", {"numerator": 1, "denominator": 3},
              headers={"Idempotency-Key": "k1"})
