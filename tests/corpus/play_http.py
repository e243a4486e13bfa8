"""What all routes share: the operation routes, tokens, methods, headers, compression, and malformed HTTP."""
import base64
import hashlib
import re
import socket
from contextlib import closing
from html.parser import HTMLParser
from http.client import HTTPResponse

from exchange import ADMIN, NOBODY
from harness import Answer

TYPES, ENTRIES = "/v1/ledger/types", "/v1/ledger/entries"
HOST = b"Host: x\r\n"
UNKNOWN_SECRET = "0" * 64


def play_http(play):
    play_operation(play)
    play_openapi(play)
    play_docs(play)
    play_tokens(play)
    play_unmatched(play)
    play_heads(play)
    play_request_ids(play)
    play_compression(play)
    play_event_requests(play)
    play_event_stream(play)
    play_malformed(play)
    play_lengths(play)
    play_connections(play)
    play_continue(play)


def play_operation(play):
    for path in ("/livez", "/healthz", "/readyz", "/readyz?verbose", "/readyz?verbose=true", "/readyz?verbose=false",
                 "/readyz?verbose=maybe", "/readyz?verbose&verbose", "/readyz?x=1", "/livez?x=1", "/healthz?x=1"):
        play.get(f"asks {path}", path, key=NOBODY)
    play.get("asks /livez with a token that is wrong", "/livez", headers={"Authorization": "Bearer x"})
    for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"):
        play.get(f"asks for metrics through a proxy that says {header}", "/metrics", key=NOBODY,
                 headers={header: "for=1.2.3.4"})


class Skeleton(HTMLParser):
    """The elements of a page with their ids and links, without its prose."""

    def __init__(self, text):
        super().__init__()
        self.elements = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        shown = ("id", "href", "src", "charset", "lang", "type")
        known = [f"{name}={value}" for name, value in attributes if name in shown]
        self.elements.append(" ".join([tag, *known]))


def play_openapi(play):
    """play_openapi.py records the text of the document."""
    def digest(text):
        return "<the document>" if text == text_of_it else "<another document>"

    text_of_it = play.client.get("/openapi.json").raw.decode()
    play.get("asks for the description of the API", "/openapi.json", key=NOBODY, digest=digest)
    play.get("asks for the description of the API, compressed", "/openapi.json", key=NOBODY, digest=digest,
             headers={"Accept-Encoding": "gzip"})


def play_docs(play):
    """The prose of the page is not recorded. Its policy must allow exactly its own script and style."""
    def digest(page):
        for tag in ("script", "style"):
            inside = re.search(rf"<{tag}>(.*?)</{tag}>", page, re.S)
            sha256 = hashlib.sha256(inside[1].encode() if inside else b"").digest()
            play.normaliser.capture(f"digest of the {tag}", base64.b64encode(sha256).decode())
        return "; ".join(Skeleton(page).elements)

    digest(play.client.get("/docs").raw.decode())
    play.get("asks for the documentation", "/docs", key=NOBODY, digest=digest)
    play.get("asks for the documentation with a token that is wrong", "/docs", headers={"Authorization": "Bearer x"},
             digest=digest)


def play_tokens(play):
    admin = play.keys[ADMIN]
    wrong = admin[:-1] + ("0" if admin[-1] != "0" else "1")
    for value, name in ((wrong, "admin key with another end"), (admin + "0", "admin key and a 0"),
                        (admin[:-1], "admin key, cut")):
        play.normaliser.capture(name, value)
    variants = {"no scheme": admin, "an empty value": "", "a scheme alone": "Bearer", "a scheme and a space": "Bearer ",
                "another scheme": "Basic dTpw", "the scheme Token": f"Token {admin}", "two spaces": f"Bearer  {admin}",
                "a word behind the token": f"Bearer {admin} x", "a token that is none": "Bearer x",
                "a short token": "Bearer lk_",
                "a token without an id": f"Bearer lk__{UNKNOWN_SECRET}",
                "a token of a player": "Bearer eyJhbGciOi.J9.x",
                "a secret that is wrong": f"Bearer {wrong}", "a secret that is too long": f"Bearer {admin}0",
                "a secret that is cut": f"Bearer {admin[:-1]}", "an unknown id": f"Bearer lk_unknown_{UNKNOWN_SECRET}",
                "the scheme in small letters": f"bearer {admin}", "the scheme in capital letters": f"BEARER {admin}"}
    for title, value in variants.items():
        play.get(f"authorizes with {title}", TYPES, headers={"Authorization": value})
    play.get("authorizes with nothing", TYPES, key=NOBODY)
    play.get("authorizes with a key that was revoked", TYPES, key="revoked")
    for key in ("ledger", "economy", "messages"):
        play.get(f"reads the ledger with the {key} key", TYPES, key=key)
        play.get(f"reads the economy with the {key} key", "/v1/economy/default/items", key=key)
        play.get(f"reads messages with the {key} key", "/v1/messages", key=key)
    play.get("reads a path that does not exist without a token", "/v1/nothing", key=NOBODY)


def play_unmatched(play):
    paths = ["/v1", "/v1/", "/v1/ledger", "/v1/ledger/types/", "//v1/ledger/types", "/V1/ledger/types",
             "/v1/ledger/accounts/1",
             "/v1/ledger/accounts/1//alice", "/v1/messages/", "/nothing", "/livez/", "/%6Civez",
             "/v1/ledger%2Ftypes", "/" + "/".join("a" * 16), "/" + "/".join("a" * 17), "/a?b#c"]
    for path in paths:
        play.get(f"asks for {path}", path)
    for method, path in (("POST", "/livez"), ("PUT", TYPES), ("DELETE", TYPES), ("PATCH", ENTRIES), ("GET", ENTRIES),
                         ("HEAD", ENTRIES), ("OPTIONS", TYPES), ("TRACE", TYPES), ("BREW", TYPES), ("get", TYPES),
                         ("POST", "/v1/messages/1"), ("GET", "/v1/messages/select"), ("DELETE", "/v1/messages/select")):
        play.send(f"asks {method} of {path}", method, path)
    play.send("asks a method of a path that does not exist", "BREW", "/nothing")


def play_heads(play):
    for path in ("/livez", "/readyz?verbose", TYPES, f"{TYPES}/999", "/v1/economy/default/leaderboard", "/v1/messages",
                 "/nothing",
                 "/v1/ledger/flows"):
        play.send(f"asks HEAD of {path}", "HEAD", path)
    play.send("asks HEAD without a token", "HEAD", TYPES, key=NOBODY)


def play_request_ids(play):
    for title, value in (("letters", "abc_DEF.1-2"), ("64 characters", "x" * 64), ("65 characters", "x" * 65),
                         ("a space", "a b"),
                         ("nothing", ""), ("a quote", 'a"b')):
        play.get(f"sends a request id of {title}", "/livez", key=NOBODY, headers={"X-Request-Id": value})
    play.get("sends a request id and is refused", f"{TYPES}/x", headers={"X-Request-Id": "mine"})
    play.post("sends a request id with an Idempotency-Key", "/v1/messages", {},
              headers={"X-Request-Id": "first", "Idempotency-Key": "i"})
    play.post("sends another request id with the same Idempotency-Key", "/v1/messages", {},
              headers={"X-Request-Id": "second", "Idempotency-Key": "i"})


def play_compression(play):
    items = "/v1/economy/default/items"
    for value in ("gzip", "GZIP", "x-gzip", "*", "gzip;q=0", "gzip;q=0.000, *", "*;q=0", "br, gzip;q=0.5", "identity",
                  ""):
        play.get(f"accepts the encoding {value!r}", items, headers={"Accept-Encoding": value})
    play.get("accepts gzip of a short answer", "/livez", key=NOBODY, headers={"Accept-Encoding": "gzip"})
    play.send("accepts gzip of a long answer to HEAD", "HEAD", items, headers={"Accept-Encoding": "identity"})


def play_event_requests(play):
    events = "/v1/events"
    play.get("listens without a token", events, key=NOBODY)
    play.get("listens to a system without its scope", f"{events}?system=ledger", key="economy")
    play.get("listens to several systems without the scope of one", f"{events}?system=economy,messages", key="economy")
    for query in ("system=x", "system=", "system=ledger,", "system=admin", "type=a%20b", "type=", "type=,", "type=nonsense",
                  f"type={'x' * 65}",
                  "user_id=a%20b", "user_id=", "user_id=a,,b", "x=1", "system=ledger&system=economy"):
        shown = query if len(query) < 40 else f"{query[:8]}... of {len(query)} characters"
        play.get(f"listens to ?{shown}", f"{events}?{query}")
    users = ",".join(f"u{i}" for i in range(51))
    play.get("listens to 51 users", f"{events}?user_id={users}")
    for value in ("x", "0", "1-1", "-1-0.0", "1700000000000-0.0x"):
        play.get(f"listens after the event {value}", events, headers={"Last-Event-ID": value})
    play.post("listens with POST", events)
    play.send("asks HEAD of a stream", "HEAD", events)


def play_event_stream(play):
    """One stream with a filter, and the events on it."""
    play.arrange("POST", TYPES, {"name": "gold"})
    query = "/v1/events?system=ledger,messages&user_id=alice,bob&type=add,deduct,created"
    head = (f"GET {query} HTTP/1.1\r\nHost: x\r\nX-Request-Id: stream\r\n"
            f"Authorization: Bearer {play.keys[ADMIN]}\r\n\r\n")
    with closing(socket.create_connection(play.server.address, timeout=60)) as connection:
        connection.sendall(head.encode())
        response = HTTPResponse(connection)
        response.begin()
        begun = _read_events(response, 1)
        play.keep("begins to listen", _lines(head), Answer(response.status, response.headers, begun))
        entry = {"type": 1, "domain": "main", "uid": "alice", "amount": 5}
        play.post("adds points that are told", ENTRIES, entry | {"order_id": "e1", "op": "add", "remark": "ü \"x\"\n"})
        play.post("deducts too many points, which is told", ENTRIES,
                  entry | {"order_id": "e2", "op": "deduct", "amount": 9})
        play.post("resets points, which is not told", ENTRIES, entry | {"order_id": "e3", "op": "reset"})
        play.post("adds points of another, which is not told", ENTRIES,
                  entry | {"order_id": "e4", "op": "add", "uid": "carol"})
        play.post("adds points that expire, which is told", ENTRIES,
                  entry | {"order_id": "e5", "op": "add", "uid": "bob", "expires_at": "2099-12-31T23:59:59.999Z"})
        told = Answer(response.status, response.headers, _read_events(response, 3))
        play.keep("is told three events", _lines(head), told)
        play.post("makes a message that is told", "/v1/messages",
                  {"text": "hi", "author_id": "900", "target_id": "bob", "rule": {"tokens": 1, "seconds": 600}})
        told = Answer(response.status, response.headers, _read_events(response, 1))
        play.keep("is told an event of another system", _lines(head), told)


def _lines(head):
    return head.strip().replace("\r\n", "\n")


def _read_events(response, count):
    """Reads this many blocks that end with an empty line."""
    out = b""
    while count > 0:
        line = response.readline()
        out += line
        count -= line == b"\n"
        if not line:
            break
    return out


def play_malformed(play):
    get = b"GET /livez HTTP/1.1\r\n"
    cases = {"no HTTP": b"hello\r\n\r\n", "another version": b"GET /livez HTTP/9.9\r\n" + HOST + b"\r\n",
             "HTTP/2's preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "no Host": get + b"\r\n",
             "two Hosts": get + HOST + HOST + b"\r\n",
             "an empty Host": get + b"Host:\r\n\r\n", "a header without a colon": get + HOST + b"bad header\r\n\r\n",
             "a space before the colon": get + HOST + b"X : y\r\n\r\n",
             "a folded header": get + HOST + b"X: a\r\n b\r\n\r\n",
             "a bare LF": b"GET /livez HTTP/1.1\n" + HOST + b"\r\n", "a bare CR": get + HOST + b"X: a\rb\r\n\r\n",
             "a NUL in a header": get + HOST + b"X: a\0b\r\n\r\n",
             "a header name with a space": get + HOST + b"X Y: z\r\n\r\n",
             "a target that is no path": b"GET livez HTTP/1.1\r\n" + HOST + b"\r\n",
             "an asterisk": b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n",
             "a whole URL": b"GET http://x/livez HTTP/1.1\r\n" + HOST + b"\r\n",
             "another scheme": b"GET ftp://x/livez HTTP/1.1\r\n" + HOST + b"\r\n",
             "a fragment": b"GET /livez#x HTTP/1.1\r\n" + HOST + b"\r\n",
             "a space in the target": b"GET /li vez HTTP/1.1\r\n" + HOST + b"\r\n",
             "raw bytes in the target": b"GET /livez\xff HTTP/1.1\r\n" + HOST + b"\r\n",
             "CONNECT": b"CONNECT x:1 HTTP/1.1\r\n" + HOST + b"\r\n",
             "an empty line first": b"\r\n" + get + HOST + b"\r\n", "HTTP/1.0": b"GET /livez HTTP/1.0\r\n\r\n",
             "HTTP/1.0 that stays open": b"GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
             "a connection to be closed": get + HOST + b"Connection: close\r\n\r\n",
             "an upgrade": get + HOST + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"}
    for title, data in cases.items():
        play.raw(f"sends {title}", data)


def play_lengths(play):
    get = b"GET /livez HTTP/1.1\r\n" + HOST
    auth = b"Authorization: Bearer " + play.keys[ADMIN].encode() + b"\r\nContent-Type: application/json\r\n"
    post = b"POST " + ENTRIES.encode() + b" HTTP/1.1\r\n" + HOST + auth
    play.raw("sends a header that is too large", get + b"X: " + b"x" * 9000 + b"\r\n\r\n",
             show="GET /livez\nX: <9000 characters>")
    play.raw("sends a target that is too long", b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
             show="GET /<9000 characters>")
    play.raw("sends 100 header fields", get + b"X: y\r\n" * 99 + b"\r\n", show="GET /livez\n<99 fields and Host>")
    play.raw("sends 101 header fields", get + b"X: y\r\n" * 100 + b"\r\n", show="GET /livez\n<100 fields and Host>")
    for title, lines in {"a negative length": b"Content-Length: -1\r\n\r\n",
                         "a length that is none": b"Content-Length: x\r\n\r\n",
                         "two lengths": b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
                         "the same length twice": b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
                         "a list of lengths": b"Content-Length: 2, 2\r\n\r\n{}",
                         "a length and chunks": b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                         "a length over the limit": b"Content-Length: 1048577\r\n\r\n{",
                         "a huge length": b"Content-Length: 9223372036854775807\r\n\r\n{",
                         "an unknown transfer encoding": b"Transfer-Encoding: gzip\r\n\r\n",
                         "two transfer encodings": b"Transfer-Encoding: gzip, chunked\r\n\r\n",
                         "chunks": b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                         "chunks with an extension and a trailer":
                             b"Transfer-Encoding: chunked\r\n\r\n2;x=y\r\n{}\r\n0\r\nX-Request-Id: z\r\n\r\n",
                         "a bad chunk": b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                         "an encoded body": b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
                         "an expectation": b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
                         "another expectation": b"Expect: tea\r\nContent-Length: 2\r\n\r\n{}"}.items():
        play.raw(f"sends {title}", post + lines)
    play.raw("sends chunks with HTTP/1.0", b"POST /livez HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    play.raw("sends chunks over the limit", post + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 17,
             show=f"POST {ENTRIES}\nTransfer-Encoding: chunked\n<17 chunks of 64 KiB>")


def play_connections(play):
    get = b"GET /livez HTTP/1.1\r\n" + HOST
    play.raw("sends two requests at once",
             get + b"\r\n" + b"GET /nothing HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n", answers=2)
    play.raw("sends a request and something else", get + b"\r\nhello\r\n\r\n", answers=2)


def play_continue(play):
    """A client that waits until it may send its body."""
    nobody = f"POST {ENTRIES} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    play.raw("waits until it may send its body, without a token", nobody.encode())
    large = f"POST {ENTRIES} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n"
    play.raw("begins to send a large body without a token", large.encode())
    head = (f"POST {ENTRIES} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {play.keys[ADMIN]}\r\n"
            "Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
    with closing(socket.create_connection(play.server.address, timeout=30)) as connection:
        connection.sendall(head.encode())
        told = b""
        while not told.endswith(b"\r\n\r\n"):
            told += connection.recv(1)
        connection.sendall(b"{}")
        response = HTTPResponse(connection)
        response.begin()
        answer = Answer(response.status, response.headers, response.read())
    shown = told.decode().strip().replace("\r\n", "\n")
    play.keep("waits until it may send its body", f"{_lines(head)}\n<is told: {shown}>\n{{}}", answer)
