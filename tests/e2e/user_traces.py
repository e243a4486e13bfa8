"""A user who leaves traces in every system, and a search for them, byte by byte."""
import base64
import json
import socket
import sqlite3
from contextlib import closing
from urllib.parse import quote

from discord import CHANNEL, GUILD, Discord, dispatch, member, message, user
from harness import redis_cli


class Redis:
    """Talks to a Redis as it is: values may have any bytes."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(str(path))
        self.stream = self.socket.makefile("rb")

    def ask(self, *words):
        words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        self.socket.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words))
        return self._read()

    def _read(self):
        kind, rest = (line := self.stream.readline())[:1], line[1:-2]
        if kind == b"$":
            return None if rest == b"-1" else self.stream.read(int(rest) + 2)[:-2]
        if kind == b"*":
            return [self._read() for _ in range(int(rest))] if rest != b"-1" else None
        return int(rest) if kind == b":" else rest

    def close(self):
        self.stream.close()
        self.socket.close()

    def contents(self):
        """Each key with its value, whatever its type is."""
        read = {b"string": ("GET",), b"list": ("LRANGE", 0, -1), b"set": ("SMEMBERS",), b"hash": ("HGETALL",),
                b"zset": ("ZRANGE", 0, -1, "WITHSCORES"), b"stream": ("XRANGE", "-", "+")}
        cursor = b"0"
        while True:
            cursor, keys = self.ask("SCAN", cursor, "COUNT", 1000)
            for key in keys:
                kind = self.ask("TYPE", key)
                if kind in read:
                    command, *more = read[kind]
                    yield key, self.ask(command, key, *more)
            if cursor == b"0":
                return


def flat(value):
    if isinstance(value, list):
        for element in value:
            yield from flat(element)
    elif value is not None:
        yield value if isinstance(value, bytes) else str(value).encode()


def needles(*words):
    """The words as bytes, as JSON with escapes, and in base64."""
    found = set()
    for word in words:
        found |= {word.encode(), json.dumps(word)[1:-1].encode(), quote(word).encode(),
                  base64.b64encode(word.encode()).rstrip(b"=")[:-1]}
    return found


def search_redis(path, wanted):
    with closing(Redis(path)) as redis:
        return [f"Redis {path.parent.name}: {key.decode(errors='replace')}" for key, value in redis.contents()
                if any(needle in text for text in flat([key, value]) for needle in wanted)]


def search_sqlite(path, wanted):
    found = []
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        db.text_factory = bytes
        tables = [name.decode() for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for row in db.execute(f'SELECT * FROM "{table}"'):
                if any(needle in text for text in flat(list(row)) for needle in wanted):
                    found.append(f"SQL {table}: {row}")
    return found


def search_files(directory, wanted):
    """Every byte of every file, such as the pages that SQLite no longer uses and the commands that Redis has logged."""
    found = []
    for path in sorted(directory.rglob("*")):
        try:
            data = path.read_bytes() if path.is_file() else b""
        except OSError:
            continue  # a file that has just been replaced
        found += [f"file {path.relative_to(directory)}: {needle}" for needle in wanted if needle in data]
    return found


def search(server, wanted, files=True):
    """Where any of the needles is."""
    found = search_redis(server.redis_socket, wanted) + search_redis(server.cache_socket, wanted)
    found += search_sqlite(server.data / "larder.db", wanted)
    return found + (search_files(server.data, wanted) if files else [])


class Life:
    """Uses every system as this user, together with another user who stays."""

    def __init__(self, case, server, id, number=0, other="80351110229900000"):
        self.case, self.server, self.id, self.other = case, server, id, other
        self.client = server.client()
        case.addCleanup(self.client.close)
        self.name = f"Heimlichkeit-{number}-ü"
        self.text = f"geheimer Text {number} \"für\" alle"
        self.number = number
        self.needles = needles(id, self.name, f"geheimer Text {number}")

    def ask(self, method, path, body=None, status=(200, 201), **more):
        answer = self.client.send(method, path, body, **more)
        self.case.assertIn(answer.status, status, (path, answer))
        return answer.json

    def live(self, types, webhooks=False):
        if webhooks:
            # Nobody listens there, so all deliveries wait.
            self.ask("POST", "/v1/webhooks", {"url": "http://127.0.0.1:1/"})
        self.live_in_ledger(*types)
        self.live_in_economy()
        self.live_in_messages()
        self.live_in_discord()

    def order(self, name):
        return f"{name}-{self.id}-{self.number}"

    def live_in_ledger(self, gold, silver):
        def entry(order, op, amount, uid=self.id, **more):
            self.ask("POST", "/v1/ledger/entries", {"order_id": order, "op": op, "type": gold, "domain": "main", "uid": uid,
                                                    "amount": amount, "remark": self.text, **more}, status=(200, 409))
        entry(self.order("a"), "add", 500)
        entry(self.order("lot"), "add", 50, expires_at="2090-01-01T00:00:00Z")
        entry(self.order("later"), "add", 60, effective_at="2080-01-01T00:00:00Z")
        entry(self.order("b"), "add", 300, uid=self.other, remark=f"thanks to {self.id}")
        entry(self.order("too-much"), "deduct", 100_000)
        for order, sender, receiver in (("out", self.id, self.other), ("in", self.other, self.id)):
            self.ask("POST", "/v1/ledger/transfers", {"order_id": self.order(order), "type": gold, "domain": "main",
                                                      "from": sender, "to": receiver, "amount": 30, "remark": self.text})
        self.ask("POST", "/v1/ledger/exchanges", {"order_id": self.order("ex"), "uid": self.id, "domain": "main",
                                                  "from_type": gold, "to_type": silver, "amount": 20})
        for order in ("hold", "closed"):
            self.ask("POST", "/v1/ledger/holds", {"order_id": self.order(order), "type": gold, "domain": "main",
                                                  "uid": self.id, "amount": 40, "remark": self.text})
        self.ask("POST", f"/v1/ledger/holds/{self.id}/{self.order('closed')}/capture", {"amount": 15})

    def live_in_economy(self):
        for realm in ("default", f"guild-{self.number}"):
            players = f"/v1/economy/{realm}/players"
            for player, name in ((self.id, self.name), (self.other, "someone")):
                for _ in range(6):
                    self.ask("POST", f"{players}/{player}/farm", {"name": name})
                self.ask("POST", f"{players}/{player}/rewards/daily", {}, status=(200, 409))
            for giver, taker in ((self.id, self.other), (self.other, self.id)):
                self.ask("POST", f"{players}/{giver}/pay", {"to": taker, "amount": 3}, status=(200, 409),
                         headers={"Idempotency-Key": f"{realm}-{giver}-{self.number}"})
            self.ask("POST", f"{players}/{self.other}/discombobulate", {"target": self.id, "amount": 30},
                     status=(200, 409))
            self.ask("POST", f"{players}/{self.id}/adjust", {"points": 5, "items": {":chopsticks:": 1}, "name": self.name,
                                                             "reason": self.text})
            self.ask("POST", f"{players}/{self.id}/bomb", {"seconds": 5000}, status=(200, 409))

    def live_in_messages(self):
        for author, target in ((self.id, self.other), (self.other, self.id)):
            self.ask("POST", "/v1/messages", {"text": self.text, "author_id": author, "target_id": target,
                                              "rule": {"tokens": 5, "seconds": 60}},
                     headers={"Idempotency-Key": f"message-{author}-{self.number}"})
        self.ask("POST", "/v1/messages/select", {"user_id": self.id})

    def live_in_discord(self):
        discord = Discord(self.case, self.client)
        guild, channel = f"{GUILD}{self.number}", f"{CHANNEL}{self.number}"
        first = 50_000_000_000_000_000 + 10 * self.number
        discord.apply(
            dispatch("GUILD_CREATE", {
                "id": guild, "name": "Larder", "owner_id": self.id, "member_count": 2, "large": False,
                "channels": [{"id": channel, "type": 0, "name": "general", "permission_overwrites": [
                    {"id": self.id, "type": 1, "allow": "0", "deny": "0"}]}],
                "roles": [], "stickers": [], "threads": [], "stage_instances": [], "guild_scheduled_events": [],
                "emojis": [{"id": str(first + 5), "name": "e", "user": user(self.id, self.name)}],
                "members": [member(self.id, self.name), member(self.other, "someone")],
                "presences": [{"user": {"id": self.id}, "guild_id": guild, "status": "online", "activities": []}],
                "voice_states": [{"user_id": self.id, "channel_id": channel, "session_id": "s"}]}),
            dispatch("MESSAGE_CREATE", message(str(first), self.text, self.id, channel, guild) | {
                "author": user(self.id, self.name)}),
            dispatch("MESSAGE_CREATE", message(str(first + 1), f"hello <@{self.id}>", self.other, channel, guild)),
            dispatch("MESSAGE_REACTION_ADD", {"user_id": self.id, "channel_id": channel, "message_id": str(first + 1),
                                              "guild_id": guild, "emoji": {"id": None, "name": "x"}}),
            dispatch("GUILD_BAN_ADD", {"guild_id": guild, "user": user(self.id, self.name)}))

    def set_aside_events(self):
        """As if SQL had refused an event, and as if Redis had lost one."""
        line = f"ok add 1 main 1 0 1 1700000000000 {self.id} dead {self.text}"
        redis_cli(self.server.redis_socket, "XADD", "{0}:score_outbox:dead", "*", "event", "1-1", "why", "it is bad",
                  "entry", line)
        redis_cli(self.server.redis_socket, "XADD", "ajobus:dead", "*", "event", "1-2", "why", "it is bad", "version", "1",
                  "type", "payer", "user_id", self.id, "guild_id", "0", "amount", "1", "payee_id", self.other, ".", self.name)
