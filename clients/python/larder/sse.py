"""Server-sent events: cuts the bytes of a stream into messages, and messages into events."""
import codecs
import json
import re
from dataclasses import dataclass

SILENCE_S = 45  # Larder sends something every 15 s, so a connection that is silent for longer is dead
FIELD = re.compile(r"(id|event|data|retry): ?(.*)", re.S)  # any other line is a comment


@dataclass(frozen=True)
class Event:
    """Something that happened. Keep `id` with what you have done: a stream with this last_event_id begins after it."""

    id: str
    name: str  # <system>.<type>, such as "economy.farm"
    system: str
    type: str
    user_id: str | None
    at: str
    data: dict


@dataclass(frozen=True)
class Gap:
    """Larder no longer has all events since `after`, so some may be missing here: ask the journals."""

    after: str
    next: str | None


class MessageParser:
    """Cuts bytes into messages, each a dict of id, event, data and retry. A message may have only an id, which says how
    far the stream is."""

    def __init__(self):
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._rest = ""
        self._message = {}

    def feed(self, data):
        lines = (self._rest + self._decoder.decode(data)).split("\n")
        self._rest = lines.pop()
        for line in lines:
            line = line.removesuffix("\r")
            if line:
                self._take(line)
            else:
                yield self._message
                self._message = {}

    def _take(self, line):
        if match := FIELD.fullmatch(line):
            name, value = match.groups()
            before = self._message.get(name) if name == "data" else None
            self._message[name] = value if before is None else f"{before}\n{value}"


class StreamState:
    """What a stream of events knows beyond one connection."""

    def __init__(self, last_event_id):
        if not re.fullmatch("[!-~]*", last_event_id or ""):
            raise ValueError("last_event_id must be the id of an event")
        self.last_event_id = last_event_id
        self.reconnect_s = 0

    def headers(self):
        return {"Accept": "text/event-stream"} | ({"Last-Event-ID": self.last_event_id} if self.last_event_id else {})

    def read(self, message):
        """The event in the message; None if the message has none."""
        if message.get("retry", "").isdecimal():
            self.reconnect_s = int(message["retry"]) / 1000
        event = _event_of(message) if "data" in message else None
        self.last_event_id = message.get("id", self.last_event_id)
        return event


def _event_of(message):
    data = json.loads(message["data"])
    if message.get("event") == "gap":
        return Gap(data["after"], data["next"])
    known = {name: data.get(name) for name in ("system", "type", "user_id", "at", "data")}
    return Event(message.get("id", ""), message.get("event", ""), **known)
