"""The ledger: input that is refused, by field and kind of wrong value; also paths and queries that are refused."""
from bodies import (BAD_ID, FEW_AMOUNTS, FEW_IDS, FEW_TYPES, FUTURE, MOMENT, PAST, POSITIVE, TEXT, TYPE_ID, characters,
                    refuse_each,
                    with_piece, without)
from play_ledger import LEDGER, entry, hold, make_types, transfer

TYPES, ENTRIES = f"{LEDGER}/types", f"{LEDGER}/entries"
ENTRY = entry("b1", "add", 1)
TYPE = {"name": "new"}


def play_ledger_input(play):
    make_types(play)
    play_json(play)
    play_type_fields(play)
    play_entry_fields(play)
    play_batch_shapes(play)
    play_move_fields(play)
    play_paths(play)
    play_queries(play)


def play_json(play):
    """Bodies that are not a JSON object. One route is enough, because all bodies are read in one place."""
    good = with_piece(ENTRY, "amount", "1")
    texts = {"an empty body": "", "a space": " ", "null": "null", "a string": '"x"', "an array": "[]",
             "an open brace": "{",
             "a brace too many": "{}}",
             "a name without quotes": "{a:1}", "a trailing comma": '{"a":1,}',
             "a missing colon": '{"a" 1}', "a comment": "//x\n{}", "a leading zero": '{"a":01}',
             "a plus sign": '{"a":+1}', "NaN": '{"a":NaN}', "a number beyond a double": '{"a":1e400}',
             "a raw tab in a string": '{"a":"\t"}', "an unknown escape": '{"a":"\\x"}',
             "half a surrogate": '{"a":"\\ud800"}',
             "a byte order mark": "\ufeff{}", "a fault in the third line": '{\n "a": 1,\n  "b" 2}', "a cut": good[:50],
             "the same object twice": "{}{}", "trailing garbage": good + "x", "a NUL behind it": "{}\x00"}
    for title, text in texts.items():
        play.post(f"reads {title}", ENTRIES, text.encode())
    deep = '{"a":' * 17 + "1" + "}" * 17
    play.post("reads an object that is too deep", ENTRIES, deep)
    play.post("reads an array that is too deep", ENTRIES, "[" * 1000 + "]" * 1000,
              show="<an array in an array, 1000 deep>")
    play.post("reads bytes that are no UTF-8", ENTRIES, b'{"order_id":"a\xff"}')
    play.post("reads UTF-8 that is cut", ENTRIES, b'{"order_id":"\xe2\x82"}')
    play.post("reads a surrogate in UTF-8", ENTRIES, b'{"order_id":"\xed\xa0\x80"}')
    play.post("reads a name that is there twice", ENTRIES, good[:-1] + ', "amount": 1}')
    play.post("reads a name that is there twice, once escaped", ENTRIES, good[:-1] + ', "amo\\u0075nt": 1}')
    play.post("reads a name that is there twice in an inner object", ENTRIES, '{"a":{"b":1,"b":1}}')
    play.post("reads an unknown field", ENTRIES, ENTRY | {"x": 1})
    play.post("reads an unknown field with a long name", ENTRIES, ENTRY | {"é" * 100: 1})
    play.post("reads a body just within the limit", ENTRIES, "{}" + " " * (1024 * 1024 - 2),
              show="{} <and spaces, 1 MiB>")
    play.post("reads a body just over the limit", ENTRIES, "{}" + " " * (1024 * 1024 - 1),
              show="{} <and spaces, 1 MiB and a byte>")
    for media in ("text/plain", "application/jsonx", "application/json-patch+json", "", None):
        play.post(f"reads a body of type {media!r}", ENTRIES, "{}", headers={"Content-Type": media})
    for media in ("application/json; charset=utf-8", "Application/JSON ;x=y"):
        play.post(f"reads a body of type {media!r}", ENTRIES, "{}", headers={"Content-Type": media})


def play_type_fields(play):
    days = ["0", "3651", '"7"']
    wrong = {"name": [*TEXT, '""', characters(65), characters(65, "é"), '"a\\u0000b"'],
             "starts_at": ['""', *MOMENT, '"2023-02-29T00:00:00Z"'],
             "ends_at": ['"2024-01-01T24:00:00Z"', '"2024-01-01T00:00:00+25:00"', "true"], "order_ttl_days": days,
             "order_age_days_max": days, "remark": ["1", characters(257), '"\\u0000"'], "id": ["1"]}
    refuse_each(play, "makes a type", "POST", TYPES, TYPE, wrong)
    refuse_each(play, "changes a type", "PATCH", f"{TYPES}/1", TYPE,
                {"name": ["1", '""'], "starts_at": MOMENT, "ends_at": MOMENT, "order_ttl_days": ["0", '"7"'],
                 "order_age_days_max": ["3651"], "remark": ["1", characters(257)], "created_at": [f'"{PAST}"']})


def play_entry_fields(play):
    wrong = {"order_id": [*BAD_ID, "null", characters(129), '"a|b"'], "op": [None, "null", "1", '"ADD"', '"transfer"'],
             "type": [*TYPE_ID, "null", "true", '"1x"', "9007199254740992"],
             "domain": [*BAD_ID, characters(65), '"a@b"'],
             "uid": [*BAD_ID, characters(65), '"a:b"', '"é"'],
             "amount": [*POSITIVE, "null", "true", "-1", "1e300", '"all"', "9223372036854775808"],
             "remark": ["1", characters(257), '"a\\u0000b"'], "effective_at": ['"now"', *MOMENT],
             "expires_at": ['""', '"2024-01-01T00:00:00"']}
    refuse_each(play, "posts an entry", "POST", ENTRIES, ENTRY, wrong)
    refuse_each(play, "resets", "POST", ENTRIES, entry("b1", "reset", 1), {"amount": [None, "-1", '"0"']})
    account = {"type": 1, "domain": "main", "uid": "alice"}
    refuse_each(play, "issues an order", "POST", f"{LEDGER}/orders", account,
                {"type": FEW_TYPES, "domain": FEW_IDS, "uid": FEW_IDS, "amount": ["1"]})


def play_batch_shapes(play):
    batch, good = f"{ENTRIES}/batch", entry("b1", "add", 1)
    refuse_each(play, "posts a batch", "POST", batch, {"mode": "atomic", "entries": [good]},
                {"mode": [None, "1", '"all"'], "entries": [None, "[]", "{}", '"x"', "[1]", "[null]", "[[]]"],
                 "x": ["1"]})
    play.post("posts a batch of 1001 entries", batch, {"mode": "continue", "entries": [good] * 1001},
              show='{"mode": "continue", "entries": <1001 of them>}')
    bad = {"an empty entry": {}, "an unknown field": good | {"x": 1}, "no uid": without(good, "uid"),
           "amount 0": good | {"amount": 0}, "a time of a deduct": entry("b2", "deduct", 1, expires_at=FUTURE),
           "a long remark": good | {"remark": "x" * 257}}
    for title, second in bad.items():
        mode = "atomic" if title.startswith("a") else "continue"
        play.post(f"posts a batch whose second entry has {title}", batch, {"mode": mode, "entries": [good, second]})


def play_move_fields(play):
    order = {"order_id": FEW_IDS, "domain": FEW_IDS, "amount": FEW_AMOUNTS}
    refuse_each(play, "transfers", "POST", f"{LEDGER}/transfers", transfer("b1", 1),
                order | {"type": FEW_TYPES, "from": FEW_IDS, "to": FEW_IDS, "remark": ["1", characters(257)],
                         "uid": ['"alice"']})
    exchange = {"order_id": "b1", "uid": "alice", "domain": "main", "from_type": 1, "to_type": 2, "amount": 1}
    refuse_each(play, "exchanges", "POST", f"{LEDGER}/exchanges", exchange,
                order | {"uid": FEW_IDS, "from_type": FEW_TYPES, "to_type": FEW_TYPES, "remark": ['"x"']})
    refuse_each(play, "holds", "POST", f"{LEDGER}/holds", hold("b1", 1),
                order | {"type": FEW_TYPES, "uid": FEW_IDS, "expires_at": MOMENT, "remark": ["1", characters(257)],
                         "op": ['"hold"']})
    refuse_each(play, "sets a rate", "PUT", f"{LEDGER}/rates/1/2", {"numerator": 1, "denominator": 1},
                {"numerator": POSITIVE, "denominator": FEW_AMOUNTS, "rate": ["1"]})
    refuse_each(play, "captures", "POST", f"{LEDGER}/holds/alice/h1/capture", {},
                {"amount": ['"5"', "0", "1.5"], "x": ["1"]})
    refuse_each(play, "releases", "POST", f"{LEDGER}/holds/alice/h1/release", {}, {"amount": ["1"]})
    play.post("releases with a body that is no object", f"{LEDGER}/holds/alice/h1/release", "[]")
    play.post("captures with a body that is no JSON", f"{LEDGER}/holds/alice/h1/capture", "{")


def play_paths(play):
    long_id = "x" * 129
    for path, ids in {"/types/{}": ("0", "+1", "1.5", "%201", "9007199254740992"),
                      "/accounts/{}/main/alice": ("0", "x"), "/accounts/1/{}/alice": ("a%20b", "a@b", long_id),
                      "/accounts/1/main/{}": ("a%20b", "%C3%A9", "a%2Fb", long_id), "/orders/{}/a1": ("a:b",),
                      "/orders/alice/{}": ("a%7Cb", long_id), "/rates/{}/2": ("0", "x"), "/rates/1/{}": ("1.5",),
                      "/accounts/x/main/alice/at?time=" + "{}": (PAST,)}.items():
        for id in ids:
            shown = id if len(id) < 40 else f"of {len(id)} characters"
            play.get(f"reads the path {path.replace('{}', '<' + shown + '>')}", LEDGER + path.format(id))
    for what in ("capture", "release"):
        play.post(f"asks to {what} a hold of a bad user", f"{LEDGER}/holds/a:b/h1/{what}")
        play.post(f"asks to {what} a hold by a bad order", f"{LEDGER}/holds/alice/a%7Cb/{what}")
    play.post("captures a hold with a parameter", f"{LEDGER}/holds/alice/h1/capture?amount=1")
    play.send("changes a type by a bad id", "PATCH", f"{TYPES}/x", {})
    play.send("sets a rate by a bad type", "PUT", f"{LEDGER}/rates/1/x", {"numerator": 1, "denominator": 1})
    for path in ("%", "%2", "%zz", "%00", "%FF", "%ED%A0%80"):
        play.get(f"reads the path /{path}", f"{LEDGER}/orders/alice/{path}")


def play_queries(play):
    flows = f"{LEDGER}/flows"
    for query in ("", "uid=", "uid=a%20b", "uid=alice&uid=bob", "uid=alice&type=0", "uid=alice&type=x",
                  "uid=alice&domain=",
                  "uid=alice&domain=a/b", "uid=alice&from=yesterday", "uid=alice&to=2024-01-01", "uid=alice&limit=0",
                  "uid=alice&limit=501", "uid=alice&limit=", "uid=alice&cursor=", "uid=alice&cursor=x",
                  "uid=alice&cursor=-1", "uid=alice&cursor=0", "uid=alice&order=o", "uid=alice&Uid=bob", "uid=%FF",
                  "%FF=1",
                  "uid=%zz", "uid=alice&&", "uid=alice&x", "uid=a+b", "uid=alice&limit=%31"):
        play.get(f"reads the flows of ?{query}", f"{flows}?{query}")
    play.get("reads the flows of a long cursor", f"{flows}?uid=alice&cursor={'9' * 257}")
    for list_path, queries in {"types": ("limit=0", "limit=x", "cursor=x", "cursor=0", "names=gold"),
                               "rates": ("limit=0", "cursor=x", "cursor=1", "cursor=1-", "cursor=0-1", "cursor=1-2-3",
                                         "from=1")}.items():
        for query in queries:
            play.get(f"lists {list_path} of ?{query}", f"{LEDGER}/{list_path}?{query}")
    for query in ("", "time=", "time=now", "time=2024-01-01", "time=2024-01-01T00:00:00Z&x=1"):
        play.get(f"reads an account at ?{query}", f"{LEDGER}/accounts/1/main/alice/at?{query}")
    play.get("shows an account with a parameter", f"{LEDGER}/accounts/1/main/alice?x=1")
    play.get("shows an order with a parameter", f"{LEDGER}/orders/alice/a1?x=1")
    play.get("shows a type with a parameter", f"{TYPES}/1?x=1")
    play.get("shows a rate with a parameter", f"{LEDGER}/rates/1/2?x=1")
