"""Accounts of players: what every route answers and refuses."""
from bodies import characters, refuse_each
from exchange import NOBODY
from harness import run_larder

AUTH = "/v1/auth"
ME = f"{AUTH}/me"
PASSWORD = "correct horse"
EXPIRES = {"expires_at": "time + 48 h"}
TOKEN, USER_ID = r"[\w-]+\.[\w-]+\.[\w-]{43}", r"[0-9a-v]{20}"

# Method, path, whether it needs a token, whether it takes a body.
ROUTES = [("POST", f"{AUTH}/register", False, True), ("POST", f"{AUTH}/login", False, True),
          ("POST", f"{AUTH}/logout", True, False), ("POST", f"{AUTH}/logout-everywhere", True, False),
          ("GET", f"{AUTH}/session", False, False), ("GET", ME, True, False), ("PATCH", ME, True, True),
          ("DELETE", ME, True, True)]


def play_accounts(play):
    play_signing_in(play)
    play_sessions(play)
    play_cookies(play)
    play_passwords(play)
    play_bots(play)
    play_limits(play)
    play_input(play)
    play_account_routes(play)
    play_deleting(play)


def sign_in(play, title, route, name, session, password=PASSWORD, **more):
    """Records an answer with a token, under the name of the session. Later requests use it as a key."""
    taken = play.post(title, f"{AUTH}/{route}", {"username": name, "password": password}, key=NOBODY, hide=EXPIRES,
                      capture={f"token of {session}": ("token", TOKEN), f"id of {name}": ("user_id", USER_ID)}, **more)
    play.keys[session] = taken[f"token of {session}"]
    return taken[f"id of {name}"]


def operate(play, *command):
    done = run_larder("user", *command, "--data", play.server.data)
    if done.returncode != 0:
        raise AssertionError(done.stderr)


def play_signing_in(play):
    sign_in(play, "registers", "register", "Ada", "ada")
    for name in ("Ada", "ADA", "ａｄａ"):
        play.post(f"registers {name} again", f"{AUTH}/register", {"username": name, "password": PASSWORD}, key=NOBODY)
    sign_in(play, "registers with another script", "register", "みかん", "mikan")
    sign_in(play, "logs in", "login", "ada", "ada again")
    for name, about in (("Ada", "a wrong password"), ("nobody", "an unknown name"), ("not a name", "what is no name")):
        play.post(f"logs in with {about}", f"{AUTH}/login", {"username": name, "password": "wrong password"}, key=NOBODY)
    sign_in(play, "registers a player who will be disabled", "register", "Dis", "dis")
    operate(play, "disable", "dis")
    play.post("logs in to a disabled account", f"{AUTH}/login", {"username": "dis", "password": PASSWORD}, key=NOBODY)


def play_sessions(play):
    play.get("shows the own account", ME, key="ada")
    play.get("shows who is logged in", f"{AUTH}/session", key="ada")
    play.get("shows that nobody is logged in", f"{AUTH}/session", key=NOBODY)
    play.get("shows who is logged in with a service key", f"{AUTH}/session")
    play.get("reads the ledger with a player token", "/v1/ledger/types", key="ada")
    play.post("logs out", f"{AUTH}/logout", key="ada again")
    play.post("logs out again", f"{AUTH}/logout", key="ada again")
    play.get("shows the account after the logout", ME, key="ada again")
    play.get("shows who is logged in after the logout", f"{AUTH}/session", key="ada again")
    sign_in(play, "logs in once more", "login", "Ada", "ada once more")
    play.post("logs out everywhere", f"{AUTH}/logout-everywhere", key="ada")
    play.get("shows the account after the logout everywhere", ME, key="ada once more")


def play_cookies(play):
    own = "http://{}:{}".format(*play.server.address)
    play.normaliser.capture("this server", own)
    sign_in(play, "registers with a cookie", "register?cookie=true", "Bea", "bea")
    sign_in(play, "logs in with a cookie from elsewhere", "login?cookie=true", "bea", "bea elsewhere",
            headers={"X-Forwarded-For": "10.0.0.1"})
    sign_in(play, "logs in without a cookie", "login?cookie=false", "BEA", "bea without")

    def by_cookie(title, method, path, origin=None, body=None, session="bea", **more):
        headers = {"Cookie": f"larder_session={play.keys[session]}"} | ({"Origin": origin} if origin else {})
        play.send(f"{title} by cookie", method, path, body, headers=headers, key=NOBODY, **more)

    by_cookie("shows the account", "GET", ME)
    by_cookie("shows the account from another site", "GET", ME, "https://evil.example")
    by_cookie("shows who is logged in", "GET", f"{AUTH}/session", own)
    by_cookie("shows who is logged in to another site", "GET", f"{AUTH}/session", "https://evil.example")
    by_cookie("logs out without an origin", "POST", f"{AUTH}/logout")
    by_cookie("logs out from another site", "POST", f"{AUTH}/logout", "https://evil.example")
    by_cookie("changes the password", "PATCH", ME, own, {"password": PASSWORD, "new_password": "battery staple"},
              hide=EXPIRES, capture={"token of bea later": ("token", TOKEN)})
    by_cookie("logs out, too late,", "POST", f"{AUTH}/logout", own)
    for route in ("register", "login"):
        play.post(f"tries to {route} for another site", f"{AUTH}/{route}?cookie=true",
                  {"username": "Bea", "password": PASSWORD}, headers={"Origin": "https://evil.example"}, key=NOBODY)
    sign_in(play, "logs in with the new password", "login?cookie=true", "Bea", "bea anew", "battery staple")
    by_cookie("logs out", "POST", f"{AUTH}/logout", own, session="bea anew")


def play_passwords(play):
    sign_in(play, "registers for a change", "register", "Cyn", "cyn")
    change = {"password": PASSWORD, "new_password": "battery staple"}
    play.send("changes the password with a wrong one", "PATCH", ME, change | {"password": "wrong password"}, key="cyn")
    play.send("changes the password to one with the name", "PATCH", ME, change | {"new_password": "I am CYN!"}, key="cyn")
    taken = play.send("changes the password", "PATCH", ME, change, key="cyn", hide=EXPIRES,
                      capture={"token of cyn later": ("token", TOKEN)})
    play.get("shows the account with the session before the change", ME, key="cyn")
    play.keys["cyn"] = taken["token of cyn later"]
    play.get("shows the account with the session after the change", ME, key="cyn")


def play_bots(play):
    """A service key acts for a player."""
    player = sign_in(play, "registers for a bot", "register", "Dee", "dee")
    play.get("shows a player to a bot", f"{ME}?player={player}")
    play.get("shows nobody to a bot", ME)
    play.get("shows an unknown player to a bot", f"{ME}?player=nobody")
    play.get("shows a player to another", f"{ME}?player={player}", key="cyn")
    play.post("logs a bot out", f"{AUTH}/logout?player={player}")
    play.post("logs a player out for a bot", f"{AUTH}/logout-everywhere?player={player}")
    play.post("logs an unknown player out for a bot", f"{AUTH}/logout-everywhere?player=nobody")
    change = {"password": PASSWORD, "new_password": "battery staple"}
    play.send("changes the password of an unknown player", "PATCH", f"{ME}?player=nobody", change)
    play.send("deletes an unknown player", "DELETE", f"{ME}?player=nobody", {"password": PASSWORD})


def play_limits(play):
    body = {"username": "Eve", "password": "wrong password"}
    for number in range(10):
        play.post(f"fails to log in for the time {number + 1}", f"{AUTH}/login", body, key=NOBODY)
    play.post("fails to log in too often", f"{AUTH}/login", body, key=NOBODY)
    play.post("logs in with another name", f"{AUTH}/login", body | {"username": "Flo"}, key=NOBODY)


def play_input(play):
    good = {"username": "Gus_1", "password": PASSWORD}
    names = [None, "1", '""', '"ab"', characters(33), '"gus l"', '"gus:1"', '"аda"', '"gus\\u200b"', '"µgus"', '"gus🍕"',
             '"00000000000000000000"']
    passwords = [None, "1", '""', '"1234567"', characters(257), '"my GUS_1!"', '"a\\u0000bcdefgh"']
    refuse_each(play, "registers", "POST", f"{AUTH}/register", good,
                {"username": names, "password": passwords, "x": ["1"]}, key=NOBODY)
    refuse_each(play, "logs in", "POST", f"{AUTH}/login", good,
                {"username": [None, "1", '"ab"', characters(33)], "password": [None, "1", '""', characters(257)],
                 "x": ["1"]}, key=NOBODY)
    refuse_each(play, "changes the password", "PATCH", ME, {"password": PASSWORD, "new_password": "battery staple"},
                {"password": [None, "1", '""'], "new_password": [None, "1", '"1234567"', characters(257)],
                 "username": ['"x"']}, key="cyn")
    refuse_each(play, "deletes the account", "DELETE", ME, {"password": PASSWORD}, {"password": [None, "1", '""']},
                key="cyn")
    for query in ("cookie=1", "cookie=", "x=1"):
        for route in ("register", "login"):
            play.post(f"{route}?{query}", f"{AUTH}/{route}?{query}", good, key=NOBODY)


def play_account_routes(play):
    for method, path, needs_token, takes_body in ROUTES:
        body = "{}" if takes_body else None
        key = "cyn" if needs_token else NOBODY
        if needs_token:
            play.send(f"{method} {path} without a token", method, path, body, key=NOBODY)
            play.send(f"{method} {path} with the ledger key", method, path, body, key="ledger")
        play.send(f"{method} {path}?x=1", method, f"{path}?x=1", body, key=key)
        if takes_body:
            play.send(f"{method} {path} with an array", method, path, "[]", key=key)
            play.send(f"{method} {path} with a body of another type", method, path, "{}", key=key,
                      headers={"Content-Type": "text/plain"})
        if method == "GET":
            play.send(f"{method} {path} as HEAD", "HEAD", path, key=key)
    for path in dict.fromkeys(path for _, path, *_ in ROUTES):
        play.send(f"a method that {path} does not have", "OPTIONS", path, key=NOBODY)


def play_deleting(play):
    play.send("deletes the account with a wrong password", "DELETE", ME, {"password": PASSWORD}, key="cyn")
    play.send("deletes the account", "DELETE", ME, {"password": "battery staple"}, key="cyn")
    play.get("shows an account that was deleted", ME, key="cyn")
    play.post("logs in to an account that was deleted", f"{AUTH}/login",
              {"username": "Cyn", "password": "battery staple"}, key=NOBODY)
    play.post("registers a name that is free again", f"{AUTH}/register", {"username": "CYN", "password": PASSWORD},
              key=NOBODY, hide=EXPIRES, capture={"id of the new cyn": ("user_id", USER_ID),
                                                 "token of the new cyn": ("token", TOKEN)})
