"""What a request sends, and what its answer means."""
import functools
import json
import re
import uuid
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode, urlsplit

from .retry import Repetition, Said
from .writes import WRITES

DEADLINE_S_MAX = 12 * 3600  # Larder keeps an Idempotency-Key for 24 hours
SEGMENT = re.compile(r"\{(\w+)\}")
KEY = re.compile(r"[!-~]{1,128}")
KEYLESS = {"order": ": its order_id is the key", "once": ": it could take effect twice, so it is sent once"}
TARGET = re.compile(r"/[!-~]*")


@dataclass
class Place:
    """Where Larder answers."""

    is_secure: bool
    host: str
    port: int
    path: str

    @classmethod
    def of(cls, url):
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} must be an address like http://127.0.0.1:7420")
        is_secure = parts.scheme == "https"
        return cls(is_secure, parts.hostname, parts.port or (443 if is_secure else 80), parts.path.rstrip("/"))

    @property
    def host_field(self):
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.is_secure else 80) else f"{host}:{self.port}"


@dataclass
class Request:
    """One request, as every attempt sends it."""

    method: str
    target: str
    headers: dict
    body: bytes | None
    repetition: Repetition = field(default=Repetition.READS)


def check_token(token):
    if not re.fullmatch("[!-~]+", token):
        raise ValueError("token must be a service key or the token of a player")
    return token


def check_deadline(seconds):
    if not 0 < seconds <= DEADLINE_S_MAX:
        raise ValueError("deadline_s must be above 0 and at most 12 hours")
    return seconds


def fill_path(template, values):
    """Puts the values into the {names} of a path."""
    names = SEGMENT.findall(template)
    if unknown := set(values) - set(names):
        raise TypeError(f"{template} has no {{{sorted(unknown)[0]}}}")

    def fill(match):
        value = str(values.get(match[1], ""))
        if value == "":
            raise TypeError(f"{match[1]} is missing in {template}")
        if value in (".", ".."):  # a URL with such a segment would mean another path
            raise TypeError(f"{match[1]} must not be {value!r}")
        return quote(value, safe="")

    return SEGMENT.sub(fill, template)


def query_text(values):
    """Values in lists are separated by commas. Values that are None are left out."""
    given = {name: _word(value) for name, value in (values or {}).items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _word(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple, set)) else str(value)


def make_request(place, token, method, template, values, query=None, body=None, key=None, content_type="application/json"):
    """`body`: bytes, or a value that becomes JSON."""
    write = "reads" if method == "GET" else _kind_of(method, template)
    if key is not None and write not in ("key", None):
        raise TypeError(f"{method} {template} takes no idempotency_key{KEYLESS.get(write, '')}")
    if key is not None and not KEY.fullmatch(key):
        raise ValueError("idempotency_key must have 1 to 128 visible ASCII characters")
    target = place.path + fill_path(template, values) + query_text(query)
    if not TARGET.fullmatch(target):  # it would become another request
        raise ValueError(f"{target!r} must begin with / and have only visible ASCII characters: give texts as values of {{names}}")
    headers = {"Host": place.host_field, "Authorization": f"Bearer {token}", "Accept": "*/*"}
    if write == "key" or key is not None:
        headers["Idempotency-Key"] = uuid.uuid4().hex if key is None else key
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body, allow_nan=False).encode()
    if body is not None:
        headers["Content-Type"] = content_type
    if method != "GET":
        headers["Content-Length"] = str(len(body or b""))
    return Request(method, target, headers, body, _repetition_of(write, key))


def _repetition_of(write, key):
    if write == "reads":
        return Repetition.READS
    # A route that is newer than this client may be repeated only if the caller has given it a key.
    return Repetition.TWICE if write == "once" or (write is None and key is None) else Repetition.SAFE


def _kind_of(method, path):
    """How a write may be repeated. The path may already have its values, as in f"/v1/messages/{id}"."""
    if (method, path) in WRITES:
        return WRITES[method, path]
    found = [template for verb, template in WRITES if verb == method and _pattern(template).fullmatch(path)]
    # A path with fewer {names} is more specific.
    return WRITES[method, min(found, key=lambda template: template.count("{"))] if found else None


@functools.cache
def _pattern(template):
    return re.compile("[^/{}]+".join(map(re.escape, SEGMENT.split(template)[::2])))


def value_of(headers, body):
    """What a successful answer says; None if it says nothing. Raises ValueError if the answer is incomplete."""
    if not body:
        return None
    return json.loads(body) if "json" in headers.get("content-type", "") else body.decode()


def said(status, headers, body):
    """An unsuccessful answer, as the rules of retry.py see it."""
    seconds = headers.get("retry-after", "")
    try:
        problem = json.loads(body)
    except ValueError:
        problem = None
    is_problem = isinstance(problem, dict) and isinstance(problem.get("code"), str)
    return Said(status, problem if is_problem else None, int(seconds) if seconds.isdecimal() else None)


def text_of(error):
    """What went wrong, in words."""
    return str(error) or type(error).__name__
