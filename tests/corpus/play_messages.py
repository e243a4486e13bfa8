"""Messages: what every route answers and refuses."""
from bodies import characters, refuse_each, without

MESSAGES = "/v1/messages"
OFTEN = {"tokens": 100, "seconds": 600}
SEED = {"roll.seed": "seed"}


def draft(target="ada", text="hello", rule=None, **more):
    return {"text": text, "author_id": "900", "target_id": target, "rule": rule or OFTEN} | more


def play_messages(play):
    play_making(play)
    play_selecting(play)
    play_changing(play)
    play_listing(play)
    play_deleting(play)
    play_once(play)
    play_input(play)
    play_queries(play)


def play_making(play):
    play.get("lists no messages", MESSAGES)
    play.post("makes a message", MESSAGES, draft())
    play.post("makes a message with every field", MESSAGES,
              draft("bea", "\"quoted\" \\ \n\t ü 🍕", {"tokens": 1, "seconds": 6000, "refill": "continuous"},
                    active=False))
    play.post("makes a message of the largest size", MESSAGES,
              draft("cyn", "é" * 2000, {"tokens": 10**9, "seconds": 10**9, "refill": "interval"}, active=True),
              show='{"text": <2000 characters>, "author_id": "900", "target_id": "cyn", ...}')
    play.get("shows a message", f"{MESSAGES}/1")
    play.get("shows a message that does not exist", f"{MESSAGES}/99")


def play_selecting(play):
    def select(title, user, **more):
        play.post(title, f"{MESSAGES}/select", {"user_id": user}, **more)

    select("selects the only message", "ada", hide=SEED)
    select("selects a message that was sent before", "ada")
    select("selects for a user whose message is not active", "bea")
    select("selects for a user without messages", "nobody")
    play.post("makes a message that may be sent once", MESSAGES, draft("dee", "once", {"tokens": 1, "seconds": 6000}))
    select("selects a message that may be sent once", "dee", hide=SEED)
    select("selects when no message may be sent", "dee")
    play.post("makes a message whose tokens come one by one", MESSAGES,
              draft("eli", "drop", {"tokens": 2, "seconds": 12_000, "refill": "continuous"}))
    select("selects a message whose tokens come one by one", "eli", hide=SEED)
    select("selects it again", "eli")
    select("selects it when its tokens are gone", "eli")
    for _ in range(2):
        play.arrange("POST", MESSAGES, draft("flo", "either"))
    drawn = {"message.id": "one of two", "message.created_at": "time", "message.changed_at": "time"}
    select("draws one of two messages", "flo", hide=SEED | drawn | {"roll.values.0": "0 or 1"})
    select("draws the other one", "flo", hide=SEED | drawn)
    select("selects the one that was sent first", "flo", hide=drawn)


def play_changing(play):
    def change(title, body, id=1, **more):
        play.send(title, "PATCH", f"{MESSAGES}/{id}", body, **more)

    change("changes nothing of a message", {})
    change("changes the text and the author of a message", {"text": "changed", "author_id": "901"})
    change("changes a part of the rule of a message", {"rule": {"tokens": 5}})
    change("changes the rule of a message", {"rule": {"tokens": 7, "seconds": 1200, "refill": "continuous"}})
    change("changes nothing of the rule of a message", {"rule": {}})
    change("changes the target of a message", {"target_id": "gus"})
    change("makes a message inactive", {"active": False})
    play.post("selects when the only message is inactive", f"{MESSAGES}/select", {"user_id": "gus"})
    change("makes a message active", {"active": True})
    play.post("selects a message that has a new target", f"{MESSAGES}/select", {"user_id": "gus"}, hide=SEED)
    change("changes a message that does not exist", {"active": False}, id=99)


def play_listing(play):
    play.get("lists messages of a target", f"{MESSAGES}?target_id=dee")
    play.get("lists messages of a target without any", f"{MESSAGES}?target_id=nobody")
    play.get("lists two messages", f"{MESSAGES}?limit=2")
    play.get("lists the next messages", f"{MESSAGES}?limit=2&cursor=3")
    play.get("lists messages after the last", f"{MESSAGES}?cursor=1000")
    history = f"{MESSAGES}/users/gus/history"
    play.get("shows the history of a user", history)
    play.get("shows the history of a user without any", f"{MESSAGES}/users/nobody/history")
    play.get("shows the history of a user who was told a message that moved", f"{MESSAGES}/users/ada/history")
    for name in ("x", "y", "z"):
        play.arrange("POST", MESSAGES, draft("han", name))
        play.arrange("POST", f"{MESSAGES}/select", {"user_id": "han"})
    taken = play.get("shows two of the history", f"{MESSAGES}/users/han/history?limit=2",
                     capture={"cursor": ("next_cursor", r"\d{10}(?:\.\d+)?")})
    play.get("shows the rest of the history", f"{MESSAGES}/users/han/history?limit=2&cursor={taken['cursor']}")


def play_deleting(play):
    play.send("deletes a message", "DELETE", f"{MESSAGES}/1")
    play.send("deletes a message that was deleted", "DELETE", f"{MESSAGES}/1")
    play.get("shows a message that was deleted", f"{MESSAGES}/1")
    play.get("shows the history without a message that was deleted", f"{MESSAGES}/users/gus/history")


def play_once(play):
    """The server stores the answer for the Idempotency-Key."""
    def once(title, key, method, path, body=None, **more):
        for again in ("", ", asked again"):
            play.send(title + again, method, path, body, headers={"Idempotency-Key": key}, **more)

    once("makes a message once", "m-1", "POST", MESSAGES, draft("ivy"))
    once("selects once", "m-2", "POST", f"{MESSAGES}/select", {"user_id": "ivy"}, hide=SEED)
    once("changes once", "m-3", "PATCH", f"{MESSAGES}/2", {"text": "once"})
    once("deletes once", "m-4", "DELETE", f"{MESSAGES}/2")
    once("is refused once", "m-5", "DELETE", f"{MESSAGES}/99")
    once("is refused once for its body", "m-6", "POST", MESSAGES, {})
    play.post("makes another message with the same key", MESSAGES, draft("ivy", "other"),
              headers={"Idempotency-Key": "m-1"})
    play.post("selects with the key of a message", f"{MESSAGES}/select", {"user_id": "ivy"},
              headers={"Idempotency-Key": "m-1"})
    play.post("makes a message with a bad key", MESSAGES, draft("ivy"), headers={"Idempotency-Key": "a b"})


def play_input(play):
    identifier = [None, "1", '"a b"']
    fields = {"text": [None, "1", '""', characters(2001), '"a\\u0000b"'], "author_id": identifier,
              "target_id": identifier,
              "active": ['"true"', "1"], "rule": [None, "1", "[]", "{}"], "id": ['"1"']}
    refuse_each(play, "makes a message", "POST", MESSAGES, draft(), fields)
    changes = {name: [piece for piece in pieces if piece not in (None, "{}")] for name, pieces in fields.items()}
    refuse_each(play, "changes a message", "PATCH", f"{MESSAGES}/3", {}, changes)
    rule = {"tokens": 1, "seconds": 1, "refill": "interval"}
    wrong = [("tokens", 0), ("tokens", 10**9 + 1), ("tokens", "1"), ("seconds", 0), ("seconds", 1.5),
             ("refill", "lazy"),
             ("refill", 1), ("x", 1)]
    for name, value in wrong:
        play.post(f"makes a message with rule.{name} {value!r}", MESSAGES, draft(rule=rule | {name: value}))
        play.send(f"changes a message with rule.{name} {value!r}", "PATCH", f"{MESSAGES}/3", {"rule": {name: value}})
    for name in ("tokens", "seconds"):
        play.post(f"makes a message without rule.{name}", MESSAGES, draft(rule=without(rule, name)))
    refuse_each(play, "selects", "POST", f"{MESSAGES}/select", {"user_id": "ada"},
                {"user_id": identifier, "seed": ["1"]})
    for body in ("", "[]", "{"):
        play.post(f"makes a message with the body {body or 'nothing'}", MESSAGES, body)
        play.send(f"changes a message with the body {body or 'nothing'}", "PATCH", f"{MESSAGES}/3", body)


def play_queries(play):
    for id in ("0", "-1", "x", "1.5", "9007199254740992"):
        play.get(f"shows the message {id}", f"{MESSAGES}/{id}")
    play.send("changes the message x", "PATCH", f"{MESSAGES}/x", {})
    play.send("deletes the message x", "DELETE", f"{MESSAGES}/x")
    play.send("deletes a message with a parameter", "DELETE", f"{MESSAGES}/3?x=1")
    for path, queries in {"": ("target_id=a%20b", "limit=0", "limit=501", "cursor=x", "cursor=-1", "x=1"),
                          "/users/ada/history": ("limit=x", "cursor=x", "cursor=1.2.3", "cursor=.", "x=1"),
                          "/users/a%20b/history": ("",)}.items():
        for query in queries:
            play.get(f"reads {path}?{query}", f"{MESSAGES}{path}?{query}")
