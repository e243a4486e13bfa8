"""Plays exchanges against one server, and records each of them."""
import gzip
import json
import re
import socket
import time
from contextlib import closing
from http.client import HTTPResponse

from harness import Answer
from normalise import DATE, REQUEST_ID, Normaliser
from transcript import Record

ADMIN = "admin"
NOBODY = None
SHOWN_CHARS_MAX = 1500
LONG_BODY_CHARS = 500  # a longer body is written once, then referred to
PAUSE_S = 0.003  # no two writes are in the same millisecond, so their order is certain


class Play:
    """`keys`: tokens by the names that the scripts use."""

    def __init__(self, server, keys=None):
        self.server = server
        self.client = server.client(token="")
        self.keys = {ADMIN: server.token} | (keys or {})
        self.normaliser = Normaliser()
        self.records = []
        self.bodies = {}  # text -> the title of the first answer that has it
        for name, token in self.keys.items():
            self.normaliser.capture(f"{name} key", token)

    def close(self):
        self.client.close()

    # For the scripts.

    def send(self, title, method, path, body=None, headers=None, key=ADMIN, capture=None, show=None, **how):
        """Sends a request and records it with its answer.

        `key` names the token; `headers` may have an Authorization instead. `capture`: placeholder -> (member,
        pattern), for ids that later requests use. `show` replaces a body that is too long to read. `how`: see keep().
        """
        headers = dict(headers or {})
        if key is not NOBODY:
            headers.setdefault("Authorization", f"Bearer {self.keys[key]}")
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body, ensure_ascii=False)
        if method != "GET":
            time.sleep(PAUSE_S)
        try:
            answer = self.client.send(method, path, body, headers)
        except (OSError, ValueError) as error:
            answer = error
        taken = self._capture(answer, capture or {})
        lines = [f"{method} {path}", *self._header_lines(headers)]
        if body is not None:
            lines.append(show or _shown(body))
        self.keep(title, "\n".join(lines), answer, **how)
        return taken

    def get(self, title, path, **more):
        return self.send(title, "GET", path, **more)

    def post(self, title, path, body=None, **more):
        return self.send(title, "POST", path, body, **more)

    def raw(self, title, data, show=None, answers=1):
        """Sends bytes as they are, and records this many answers of the connection."""
        got = []
        try:
            with closing(socket.create_connection(self.server.address, timeout=30)) as connection:
                connection.sendall(data)
                with connection.makefile("rb") as stream:
                    got = [_read_answer(stream) for _ in range(answers)]
        except (OSError, ValueError) as error:
            got.append(error)
        for number, answer in enumerate(got, 1):
            self.keep(title if answers == 1 else f"{title}, answer {number}", show or _shown_raw(data), answer)

    def arrange(self, method, path, body=None):
        """Sends a request that is not recorded. It must succeed."""
        time.sleep(PAUSE_S)
        answer = self.client.send(method, path, body, {"Authorization": f"Bearer {self.keys[ADMIN]}"})
        if answer.status >= 300:
            raise AssertionError(f"{method} {path}: {answer}")
        return answer.json

    def arrange_beside(self, method, path, body, headers):
        """The same on a separate connection, for a thread of the script."""
        client = self.server.client(self.keys[ADMIN])
        client.send(method, path, body, headers)
        client.close()

    def eventually(self, check, what):
        """Waits for something that a server does by itself. This is not recorded, because the number of attempts
        depends on time."""
        deadline = time.monotonic() + 60
        while not check():
            if time.monotonic() > deadline:
                raise AssertionError(f"waited in vain: {what}")
            time.sleep(0.01)

    # How records are made.

    def _capture(self, answer, wanted):
        """A value that is missing or has another form keeps its text, so that the comparison shows it."""
        taken = {}
        for name, (member, pattern) in wanted.items():
            try:
                value = answer.json[member]
            except (AttributeError, KeyError, TypeError, ValueError):
                value = None
            known = f"<{name}>" in self.normaliser.names.values()  # a second answer must have the same value
            if isinstance(value, str) and re.fullmatch(pattern, value) and not known:
                self.normaliser.capture(name, value)
            taken[name] = value if isinstance(value, str) else "missing"
        return taken

    def _header_lines(self, headers):
        if "Authorization" not in headers:
            yield "no Authorization"
        for name, value in headers.items():
            if name == "Authorization" and value == f"Bearer {self.keys[ADMIN]}":
                continue
            yield f"no {name}" if value is None else f"{name}: {value}"

    def keep(self, title, request, answer, hide=None, digest=None):
        """Records an exchange; also for scripts that send and read by themselves. `hide`: see Normaliser.json.
        `digest`: a function from the text of the answer's body to what is recorded of it."""
        if isinstance(answer, Exception):
            text = f"no answer: {type(answer).__name__}"
        else:
            text = self._answer_text(title, answer, hide, digest)
        self.records.append(Record(title, self.normaliser.sent(request), text))

    def _answer_text(self, title, answer, hide, digest):
        lines = [str(answer.status), *self._unusual_headers(answer)]
        body = answer.raw
        if answer.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        elif answer.headers.get("Content-Encoding") == "br":
            body = b"<brotli>"
        if body:
            text = body.decode("utf-8", "backslashreplace")
            text = digest(text) if digest else self._body_text(answer, text, hide)
            seen = self.bodies.setdefault(text, title)
            lines.append(text if seen == title or len(text) < LONG_BODY_CHARS else f'<the same body as "{seen}">')
        return "\n".join(lines)

    def _body_text(self, answer, body, hide):
        media = answer.headers.get("Content-Type", "")
        if "json" in media:
            return self.normaliser.json(body, hide, answer.headers.get("X-Request-Id"))
        if media == "text/event-stream":
            return self.normaliser.events(body)
        return body

    def _unusual_headers(self, answer):
        """The headers that not every answer has, or that have an unusual value; and the usual headers that are
        missing."""
        problem = answer.status >= 400
        usual = {"Date": DATE.pattern, "X-Request-Id": REQUEST_ID.pattern, "X-Content-Type-Options": "nosniff",
                 "Content-Type": re.escape("application/problem+json" if problem else "application/json"),
                 "Content-Length": str(len(answer.raw)), "Cache-Control": "no-store"}
        seen = set()
        for name, value in answer.headers.items():
            as_usual = name in usual and name not in seen and re.fullmatch(usual[name], value)
            seen.add(name)
            if not as_usual:
                yield f"{name}: {self.normaliser.header(name, value)}"
        yield from (f"no {name}" for name in usual if name not in seen)


def _read_answer(stream):
    """Reads one of several answers on the same connection."""
    class OneStream:
        def makefile(self, mode):
            return _Kept(stream)

    response = HTTPResponse(OneStream())
    response.begin()
    return Answer(response.status, response.headers, response.read())


class _Kept:
    """A file that stays open after http.client has read one answer from it."""

    def __init__(self, stream):
        self.stream = stream

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def close(self):
        pass


def _shown(body):
    """The text of a body, with escapes for invisible characters; only the beginning if it is long."""
    text = body.decode("utf-8", "backslashreplace") if isinstance(body, bytes) else body
    text = re.sub(r"[\x00-\x08\x0b-\x1f\x7f\ufeff]", lambda match: repr(match[0])[1:-1], text)
    return text if len(text) <= SHOWN_CHARS_MAX else f"{text[:60]}... <{len(text)} characters>"


def _shown_raw(data):
    """The same for raw bytes: CRLF ends a line, and any other LF is an escape."""
    lines = data.decode("utf-8", "backslashreplace").split("\r\n")
    return _shown("\n".join(line.replace("\n", "\\n") for line in lines).rstrip("\n"))
