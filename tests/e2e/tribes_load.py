"""Load on a world of tribes from several clients. Each action has an Idempotency-Key and is repeated until it is
decided, so the events tell afterwards whether each action happened once."""
import http.client
import random
import time
from collections import Counter

from harness import Hand, Load

LOTS = [str(lot) for lot in range(1, 11)]
KINDS = {"construct": 6, "upgrade": 2, "train": 4, "tap": 6, "steal": 5, "cancel": 1, "raze": 1, "look": 3}


def busy_rules(rules):
    """The shipped game, but everything is cheap and quick, and thieves need hardly any time."""
    for building in rules["buildings"].values():
        for level in building["levels"]:
            level["cost"] = 10
            level["seconds"] = 60
    for education in rules["educations"].values():
        education["cost"] = 5
        education["seconds"] = 30
    rules["taps"]["every_s"] = 60
    rules["heists"]["travel_ms_per_field"] = 20_000
    return rules


class TribesLoad(Load):
    """`decided`: key -> (player, status, code)"""

    def __init__(self, address_of, token, world, players, seed, clients=6, **more):
        super().__init__(address_of, token, KINDS, **more)
        self.world, self.players = world, players
        self.places = {}  # player -> field
        self._hands = [_Hand(self, i, random.Random(f"{seed}/{i}")) for i in range(clients)]

    def outcomes(self):
        return Counter(code for _, _, code in self.decided.values())

    def check(self, case, query):
        """SQL has one event for every action that was acknowledged, and no other. `query` returns rows as text."""
        case.assertEqual(self.problems, [])
        done = Counter(player for player, status, _ in self.decided.values() if status == 200)
        written = query(f"SELECT user_id FROM tribes_event WHERE type = 'action' AND world = '{self.world}'")
        case.assertEqual(Counter(written), done)
        return sum(done.values())


class _Hand(Hand):
    def decide(self, player, action):
        """Sends the action with one key until its outcome is known."""
        load = self.load
        key = f"{self.index}-{self.rng.getrandbits(64)}"
        deadline = time.monotonic() + load.patience_s
        while True:
            try:
                answer = self.client().post(f"/v1/tribes/worlds/{load.world}/actions?player={player}", action,
                                            headers={"Idempotency-Key": key})
                if answer.status < 500:
                    break
                if answer.status != 503:
                    raise AssertionError(f"{action}: {answer}")
            except (OSError, http.client.HTTPException):
                pass
            with load.lock:
                load.unknown += 1
            if time.monotonic() > deadline:
                raise AssertionError(f"{action}: no answer")
            time.sleep(0.02)
        if answer.status not in (200, 409):
            raise AssertionError(f"{action}: {answer}")
        with load.lock:
            load.decided[key] = (player, answer.status, "ok" if answer.status == 200 else answer.json["code"])

    def player(self):
        return self.rng.choice(self.load.players)

    def act(self, **action):
        self.decide(self.player(), action)

    def construct(self):
        self.act(type="construct", lot=self.rng.choice(LOTS),
                 building=self.rng.choice(("house", "house", "kitchen", "shop", "school")))

    def upgrade(self):
        self.act(type="upgrade", lot=self.rng.choice(LOTS))

    def raze(self):
        self.act(type="raze", lot=self.rng.choice(LOTS))

    def tap(self):
        self.act(type="tap", lot=self.rng.choice(LOTS))

    def train(self):
        self.act(type="train", education=self.rng.choice(("chef", "salesmouse", "guard", "thief", "thief")),
                 amount=self.rng.randint(1, 4))

    def cancel(self):
        self.act(type="cancel", queue=self.rng.choice(("construction", "training")), index=self.rng.randint(0, 2))

    def steal(self):
        x, y = self.load.places[self.player()]
        self.act(type="steal", x=x, y=y, thieves=self.rng.randint(1, 3))

    def look(self):
        try:
            self.client().get(f"/v1/tribes/worlds/{self.load.world}/state?player={self.player()}")
        except (OSError, http.client.HTTPException):
            pass
