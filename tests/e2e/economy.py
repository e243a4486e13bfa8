"""What the tests of the economy share. Every answer is also compared with /openapi.json."""
import itertools
import json
import math
import uuid

from harness import TIME, SharedServerCase, redis_cli, run_larder
from openapi import Document

ECONOMY = "/v1/economy"


def new_name(prefix):
    return f"{prefix}-{uuid.uuid4().hex}"


class Dice:
    """A second implementation of Redis' math.random, so that every roll is known beforehand."""

    def __init__(self, seed):
        self.state = (seed << 16) + 0x330E

    def draw(self, low, high):
        self.state = (self.state * 0x5DEECE66D + 0xB) % 2**48
        largest = 2**31 - 1
        return low + math.floor((self.state >> 17) % largest / largest * (high - low + 1))


def seed_where(likes, *ranges):
    """The first seed whose draws from these ranges `likes` accepts, and the draws."""
    for seed in itertools.count(1):
        dice = Dice(seed)
        values = [dice.draw(low, high) for low, high in ranges]
        if likes(*values):
            return seed, values


def verify(data, *args):
    return run_larder("economy", "verify", "--data", data, *args)


_RUN = "for _, command in ipairs(cjson.decode(ARGV[1])) do redis.call(unpack(command)) end"
_STATE = """
local out = {}
for _, key in ipairs(redis.call('KEYS', ARGV[1] .. '*')) do
  if not key:match(':lease$') and not key:match(':projected$') then
    out[#out + 1] = key .. ' ' .. redis.sha1hex(redis.call('DUMP', key))
  end
end
table.sort(out)
return out
"""


class Realm:
    """The keys of a realm, for access without Larder."""

    def __init__(self, redis_socket, name):
        self.socket = redis_socket
        self.name = name

    def key(self, what):
        return what if self.name == "default" else f"{{{self.name}}}:{what}"

    def cli(self, command, what, *args):
        return redis_cli(self.socket, command, self.key(what), *args).strip()

    def run(self, *commands):
        """Runs all commands in one step. Each has a key of the realm after its name."""
        words = [[command, self.key(what), *map(str, args)] for command, what, *args in commands]
        redis_cli(self.socket, "EVAL", _RUN, 0, json.dumps(words))

    def fill(self, player, points=0, **items):
        """Call this before the first move: the realm begins with what it finds."""
        self.run(*self.filling(player, points, **items))

    @staticmethod
    def filling(player, points=0, **items):
        if points or items:
            yield "ZADD", "lb", points, player
        for item, count in items.items():
            yield "HSET", f"{player}:inventory", f":{item}:", count

    def state(self):
        """Every key with a digest of its value, except the keys of the projector."""
        return redis_cli(self.socket, "EVAL", _STATE, 0, self.key("")).strip().splitlines()


class EconomyCase(SharedServerCase):
    """Each test has its own realm. Tests may choose seeds."""

    server_args = ("--set", "economy.allow_seed=true")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        client = cls.server.client()
        cls.document = Document(client)
        client.close()

    @classmethod
    def tearDownClass(cls):
        done = verify(cls.server.data)
        assert done.returncode == 0, done.stdout + done.stderr
        super().tearDownClass()

    def setUp(self):
        super().setUp()
        self.realm = Realm(self.server.redis_socket, new_name("realm"))

    def path(self, path):
        return f"{ECONOMY}/{self.realm.name}{path}"

    def send(self, method, path, body=None, key=None, client=None):
        path = self.path(path)
        headers = {"Idempotency-Key": key} if key else {}
        answer = (client or self.client).send(method, path, body, headers=headers)
        self.assertEqual(self.document.faults_of(method, path, answer), [], answer)
        return answer

    def get(self, path):
        answer = self.send("GET", path)
        self.assertEqual(answer.status, 200, answer)
        return answer.json

    def move(self, player, what, key=None, **body):
        return self.send("POST", f"/players/{player}/{what}", body, key)

    def done(self, player, what, status=200, **body):
        """Makes a move that must succeed. Returns its answer."""
        answer = self.move(player, what, **body)
        self.assertEqual(answer.status, status, answer)
        return answer.json

    def assert_too_poor(self, answer, balance, price):
        """The move must be refused, with the balance and the price."""
        self.assert_problem(answer, 409, "insufficient_balance", balance=balance, needs={":garlic:": price})
        self.assertEqual(answer.json["detail"], f"it needs {price} :garlic:; the balance is {balance}")

    def player(self, player):
        return self.get(f"/players/{player}")

    def owns(self, player):
        """Balance and inventory of a player."""
        seen = self.player(player)
        return seen["balance"], seen["inventory"]

    def history(self, path="/events", query=""):
        """Events, oldest first, without ids and times. The ids of two events always differ, even if one is of points and the
        other of items."""
        page = self.get(f"{path}?limit=500{query}")
        self.assertIsNone(page["next_cursor"])
        types = {event["id"]: event["type"] for event in page["items"]}
        self.assertEqual(len(types), len(page["items"]))
        for event in page["items"]:
            self.assertRegex(event.pop("id"), r"^\d+-\d+$" if "amount" in event else r"^\d+-\d+-i$")
            if cause := event.pop("trigger_id", None):
                self.assertEqual(types.get(cause, event["trigger"]), event["trigger"])
            self.assertRegex(event.pop("at"), TIME)
            self.assertEqual(event.pop("version"), 1)
        return page["items"][::-1]

    def lines(self, path="/events", query=""):
        """Lines like "ann payer -3 payee_id=bob": first events of points, then events of items, because within one
        millisecond their order is unknown. Openings are left out."""
        points, items = [], []
        for event in self.history(path, query):
            of_points = "amount" in event
            change = event.pop("amount") if of_points else f"{event.pop('quantity')} {event.pop('item')}"
            words = [event.pop("user_id"), event.pop("type"), str(change)]
            guild = event.pop("guild_id")
            words += [f"in {guild}"] if guild != "0" else []
            words += [f"{name}={value}" for name, value in sorted(event.items())]
            if words[1] != "opening":
                (points if of_points else items).append(" ".join(words))
        return points + items
