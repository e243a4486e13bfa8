"""Load on a realm from several clients. The number of a move, with its realm, is its Idempotency-Key. The number is also
its guild, so the events tell afterwards what each move did, and whether it happened once."""
import http.client
import json
import random
import time
from collections import Counter, defaultdict
from urllib.parse import quote

from economy import ECONOMY
from harness import PATIENCE_S, ROOT, Hand, Load, eventually
from http_client import Client

KINDS = {"farm": 12, "pay": 6, "reward": 3, "gamble": 5, "discombobulate": 2, "trade": 4, "craft": 4, "use": 4, "bomb": 2,
         "inspect": 1, "roulette": 3, "again": 3}


def busy_catalogue():
    """The shipped game, but nobody has to wait, and players find a lot."""
    game = json.loads((ROOT / "src/systems/economy/ajo.json").read_text())
    game["farm"] |= {"gain": 20, "drop_balance_min": 0, "drop_faces": 100}
    game["bomb"] |= {"timer_max_s": 60, "spread_s": 0}
    game["discombobulate"]["lock_s"] = 0
    for reward in game["rewards"]:
        reward["every_s"] = 1
    drops = {"herb": 20, "bone": 15, "tooth": 10, "bomb": 15, "cross": 5, "chopsticks": 5, "athletic_shoe": 5, "gear": 5}
    for item in game["items"]:
        item["drop"] = drops.get(item["id"].strip(":"), 0)
    return game


class Move:
    def __init__(self, number, path, body):
        self.number, self.path, self.body = number, path, body
        self.status = self.answer = None

    @property
    def player(self):
        return self.path.split("/")[2] if self.path.startswith("/players/") else self.body.get("player")

    def events(self, costs):
        """The events that the move must have left: whose, what and how much."""
        if self.status not in (200, 201):
            return Counter()
        left, body, answer, me = Counter(), self.body, self.answer, self.player
        what = self.path.split("/")[3] if self.path.startswith("/players/") else "roulette"
        if what == "farm":
            bite, blast, drop = answer["vampire"], answer["bomb"], answer["drop"]
            left["farm", me, "", answer["gained"]] += 1
            left["bomb", me, "", -blast["damage"] if blast else 0] += 1
            left["vampire", me, "", -bite["damage"] if bite else 0] += 1
            left["item_used", me, ":reminder_ribbon:", -1 if bite and bite["necklace_used"] else 0] += 1
            left["item_earned", me, drop["item"] if drop else "", 1 if drop else 0] += 1
        elif what == "pay":
            left["payer", me, "", -body["amount"]] += 1
            left["payee", body["to"], "", body["amount"]] += 1
        elif what == "rewards":
            left["timely_reward", me, "", answer["reward"]] += 1
        elif what == "gamble":
            left["gamble", me, "", answer["change"]] += 1
        elif what == "discombobulate":
            left["discombobulator", me, "", -body["amount"]] += 1
            left["discombobulatee", body["target"], "", -answer["damage"]] += 1
        elif what == "trade":
            left["trader", me, answer["item"], -body["quantity"]] += 1
            left["tradee", body["to"], answer["item"], body["quantity"]] += 1
        elif what == "craft":
            left["item_crafted", me, answer["item"], 1] += 1
            for item, amount in costs[answer["item"]]:
                left["craft_fee", me, item, -amount] += 1
        elif what in ("use", "bomb"):
            left["item_used", me, answer["item"] if what == "use" else ":bomb:", -1] += 1
        elif what == "inspect":
            left["inventory_fee", me, "", -10] += 1
        elif "lost" in answer:
            left["ded", me, "", -answer["lost"]] += 1
        return Counter({event: count for event, count in left.items() if event[3] != 0})


class EconomyLoad(Load):
    """Clients that share a few players. They repeat a move until it is decided. `decided`: the moves, by number."""

    def __init__(self, address_of, token, seed, realm="main", clients=6, players=8, **more):
        super().__init__(address_of, token, KINDS, **more)
        self.realm = realm
        self.players = [f"p{i}" for i in range(players)]
        self.roulettes = []
        self.repeatable = []  # moves whose answers Redis has kept
        # In a realm that does not exist, an Idempotency-Key does not remember a refusal.
        client = Client(address_of(), token, timeout_s=30)
        client.send("PUT", f"{ECONOMY}/{realm}", {})
        client.close()
        self._hands = [_Hand(self, i, random.Random(f"{seed}/{i}")) for i in range(clients)]

    @property
    def moves(self):
        return self.decided

    def outcomes(self):
        return Counter("done" if move.status < 300 else move.answer["code"] for move in self.moves.values())

    def check(self, case, client):
        """Every acknowledged move must have left its events once, and they must add up to what players own. Returns
        the number of events."""
        case.assertEqual(self.problems, [])
        items = client.get(f"{ECONOMY}/{self.realm}/items").json["items"]
        costs = {item["id"]: [("" if cost["points"] else cost["item"], cost["amount"]) for cost in item["craft"]]
                 for item in items}
        expected = {number: events for number, move in self.moves.items() if (events := move.events(costs))}
        told, owned, count = self._history(client, sum(sum(events.values()) for events in expected.values()))
        for number in expected.keys() | told.keys():
            move = self.moves.get(number)
            case.assertEqual(told.get(number), expected.get(number), f"{number} {move and (move.path, move.body, move.answer)}")
        for player in self.players:
            seen = client.get(f"{ECONOMY}/{self.realm}/players/{player}").json
            case.assertEqual({"": seen["balance"]} | seen["inventory"],
                             {"": 0} | {item: amount for item, amount in owned[player].items() if amount}, player)
        return count

    def _history(self, client, at_least):
        """Events by move and by player, when all of them are in SQL: the lease of a dead projector has to run out
        first."""
        pages = []

        def arrived():
            pages[:] = self._pages(client)
            return len(pages) >= at_least

        eventually(arrived, f"{at_least} events are in SQL", pause_s=0.2)
        told, owned = defaultdict(Counter), defaultdict(Counter)
        for event in pages:
            # An item that points were paid for is not a change of items.
            item, amount = ("", event["amount"]) if "amount" in event else (event["item"], event["quantity"])
            told[event["guild_id"]][event["type"], event["user_id"], item, amount] += 1
            owned[event["user_id"]][item] += amount
        return told, owned, len(pages)

    def _pages(self, client):
        cursor = ""
        while cursor is not None:
            answer = client.get(f"{ECONOMY}/{self.realm}/events?limit=500" + (f"&cursor={cursor}" if cursor else ""))
            assert answer.status == 200, answer
            yield from answer.json["items"]
            cursor = answer.json["next_cursor"]


def decide(client_of, path, body, key, patience_s=PATIENCE_S):
    """Repeats the request until an answer decides it. Also returns how many attempts had an unknown outcome."""
    deadline, unknown = time.monotonic() + patience_s, 0
    while True:
        client = client_of()
        try:
            answer = client.post(path, body, headers={"Idempotency-Key": key})
            if answer.status in (200, 201, 404, 409):
                return answer, unknown
            if answer.status != 503:
                raise AssertionError(f"{path} {body} was answered with {answer}")
        except (OSError, http.client.HTTPException):  # the server has closed the connection
            pass
        unknown += 1
        if time.monotonic() > deadline:
            raise AssertionError(f"{path} {body} is not decided in {patience_s} s")
        time.sleep(0.02)


class _Hand(Hand):
    """One client."""

    def __init__(self, load, index, rng):
        super().__init__(load, index, rng)
        self.count = 0

    def ask(self, move):
        answer, unknown = decide(self.client, f"{ECONOMY}/{self.load.realm}{quote(move.path)}",
                                 move.body | {"guild_id": move.number}, f"{self.load.realm}-{move.number}",
                                 self.load.patience_s)
        with self.load.lock:
            self.load.unknown += unknown
        told = {name: value for name, value in answer.json.items() if name != "request_id"}
        return answer, (answer.status, told)

    def make(self, path, **body):
        self.count += 1
        move = Move(f"c{self.index}-{self.count}", path, body)
        _, (move.status, move.answer) = self.ask(move)
        with self.load.lock:
            self.load.moves[move.number] = move
            self.load.repeatable.append(move)
        return move

    def of_player(self, what, **body):
        return self.make(f"/players/{self.player()}/{what}", **body)

    def player(self):
        return self.rng.choice(self.load.players)

    def two(self, what, field, **body):
        me, other = self.rng.sample(self.load.players, 2)
        return self.make(f"/players/{me}/{what}", **{field: other}, **body)

    # The kinds of moves.

    def farm(self):
        player = self.player()
        self.make(f"/players/{player}/farm", name=f"{player} of {self.index}")

    def pay(self):
        self.two("pay", "to", amount=self.rng.randint(1, 60))

    def reward(self):
        self.of_player(f"rewards/{self.rng.choice(('daily', 'weekly'))}")

    def gamble(self):
        self.of_player("gamble", amount=self.rng.randint(1, 60))

    def discombobulate(self):
        self.two("discombobulate", "target", amount=self.rng.randint(1, 200))

    def trade(self):
        self.two("trade", "to", item=self.rng.choice(("herb", "bone", "tooth", "cross", "gear", "wand")),
                 quantity=self.rng.randint(1, 3))

    def craft(self):
        self.of_player("craft", item=self.rng.choice(("cross", "necklace", "wand", "satellite", "gear", "bone")))

    def use(self):
        if self.rng.random() < 0.3:
            self.two("use", "target", item="wand")
        else:
            self.of_player("use", item=self.rng.choice(("chopsticks", "cross", "shoe", "satellite")))

    def bomb(self):
        self.of_player("bomb", seconds=self.rng.randint(0, 2))

    def inspect(self):
        self.two("inspect", "target")

    def roulette(self):
        if not self.load.roulettes or self.rng.random() < 0.2:
            move = self.make("/roulettes")
            self.load.roulettes = [*self.load.roulettes[-3:], move.answer["id"]]
        else:
            self.make(f"/roulettes/{self.rng.choice(self.load.roulettes)}/shots", player=self.player())

    def again(self):
        with self.load.lock:
            if not self.load.repeatable:
                return
            move = self.rng.choice(self.load.repeatable)
        answer, told = self.ask(move)
        if told != (move.status, move.answer) or answer.headers["Idempotency-Replayed"] != "true":
            self.load.problems.append(f"{move.number} was first {move.status} {move.answer}, then {told}")
