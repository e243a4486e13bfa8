"""Load on the ledger from several clients. ledger_proof.py checks afterwards that nothing was lost or happened
twice."""
import http.client
import random
import time

from harness import Hand, Load, now_ms, stamp
from ledger_proof import LEDGER, Proof, Said, lasting

PLAIN = {"plain": 19, "again": 1}
EVERYTHING = {"plain": 5, "lot": 4, "transfer": 4, "exchange": 2, "hold": 3, "close": 3, "batch": 2, "closed": 4,
              "again": 1}
POINTS_OF_CLOSED_USER = 1000


class Workload(Load):
    """Clients that share a few accounts. They repeat a request until it is decided."""

    def __init__(self, address_of, token, gold, seed, clients=4, users=6, silver=None, kinds=PLAIN, **more):
        super().__init__(address_of, token, kinds, **more)
        self.gold = gold
        self.silver = silver
        self.users = [f"user-{i}" for i in range(users)]
        self.closed_users = []  # they pass the same points around
        self.closed_holds = {}  # by user and order: path, body and answer of the request that closed it
        self.untouched = set()  # orders that were refused without a trace
        self.uncertain = {}  # refused without a trace after an attempt with an unknown outcome: path and body
        self.last_due_ms = 0  # when the last lot or hold changes by itself
        self._hands = [_Hand(self, i, random.Random(f"{seed}/{i}")) for i in range(clients)]

    @classmethod
    def of_everything(cls, address_of, token, client, seed, **more):
        """All operations, on two new types, with a group of users whose points stay among them."""
        gold, silver = client.new_type("gold"), client.new_type("silver")
        rate = client.send("PUT", f"{LEDGER}/rates/{gold}/{silver}", {"numerator": 3, "denominator": 2})
        assert rate.status == 200, rate
        load = cls(address_of, token, gold, seed, silver=silver, kinds=EVERYTHING, **more)
        load.closed_users = [f"closed-{i}" for i in range(4)]
        for uid in load.closed_users:
            entry = load.entry("start", "add", uid, POINTS_OF_CLOSED_USER)
            load.acknowledge("/entries", entry, *lasting(client.post(f"{LEDGER}/entries", entry)))
        return load

    @property
    def points_of_closed_users(self):
        return len(self.closed_users) * POINTS_OF_CLOSED_USER

    @property
    def acknowledged(self):
        """Said, by user and order."""
        return self.decided

    def verify(self, case, client):
        """Runs the proof through this client's server. Returns the number of flows by op."""
        return Proof(self, case, client).verify()

    def entry(self, order_id, op, uid, amount, **more):
        return {"order_id": order_id, "op": op, "type": self.gold, "domain": "main", "uid": uid, "amount": amount,
                "remark": f"{op} of {order_id}"} | more

    def acknowledge(self, path, body, status, answer):
        said = Said(path, body, status, answer)
        with self.lock:
            before = self.acknowledged.setdefault((said.uid, said.order_id), said)
        if (before.status, before.answer) != (status, answer):
            self.problems.append(f"{body} was first {before.status} {before.answer}, then {status} {answer}")

    def refused(self, path, bodies, unsure):
        """Notes an order that was refused without a trace. `unsure`: an earlier attempt may have been decided nevertheless."""
        with self.lock:
            for body in bodies:
                key = (body["uid"], body["order_id"])
                if unsure:
                    self.uncertain[key] = (path, body)
                else:
                    self.untouched.add(key)

    def due(self, ms):
        with self.lock:
            self.last_due_ms = max(self.last_due_ms, ms)
        return stamp(ms)


class _Hand(Hand):
    """One client."""

    def __init__(self, load, index, rng):
        super().__init__(load, index, rng)
        self.number = 0
        self.holds = []  # its own holds, which may be open

    def ask(self, path, body=None):
        """The answer that decides the request, and whether an earlier attempt had an unknown outcome."""
        deadline = time.monotonic() + self.load.patience_s
        unsure = False
        while True:
            client = self.client()
            try:
                answer = client.post(LEDGER + path, body)
                if answer.status in (200, 409) or self.is_too_late(answer):
                    return answer, unsure
                if answer.status not in (202, 503):
                    raise AssertionError(f"{path} {body} was answered with {answer}")
            except (OSError, http.client.HTTPException):  # the server has closed the connection
                answer = None
            if answer is None or answer.status == 503:
                unsure = True
                with self.load.lock:
                    self.load.unknown += 1
            if time.monotonic() > deadline:
                raise AssertionError(f"{path} {body} is not decided in {self.load.patience_s} s")
            time.sleep(0.02)

    @staticmethod
    def is_too_late(answer):
        """Whether the end of a lot or a hold had passed before the server could decide."""
        return answer.status == 400 and answer.json.get("field") == "expires_at"

    def decide(self, path, body):
        """Asks for one order. Returns whether it was done."""
        answer, unsure = self.ask(path, body)
        if self.is_too_late(answer):
            self.load.refused(path, [body], unsure)
            return False
        status, told = lasting(answer)
        if status not in ("ok", "insufficient_balance"):
            raise AssertionError(f"{path} {body} was answered with {answer}")
        self.load.acknowledge(path, body, status, told)
        return status == "ok"

    def order(self):
        self.number += 1
        return f"c{self.index}-{self.number}"

    def user(self):
        return self.rng.choice(self.load.users)

    def random_entry(self, uid=None):
        op = self.rng.choices(("add", "deduct", "reset"), (6, 5, 1))[0]
        return self.load.entry(self.order(), op, uid or self.user(), self.rng.randint(1, 100))

    def soon(self, after_ms, most_ms):
        return self.load.due(after_ms + self.rng.randint(1, most_ms))

    # The kinds of work.

    def plain(self):
        self.decide("/entries", self.random_entry())

    def lot(self):
        entry = self.load.entry(self.order(), "add", self.user(), self.rng.randint(1, 100))
        if self.rng.random() < 0.5:
            entry["effective_at"] = self.soon(now_ms(), 1000)
        if self.rng.random() < 0.8:
            entry["expires_at"] = self.soon(now_ms() + 1000, 2000)
        self.decide("/entries", entry)

    def move(self, users, most):
        source, target = self.rng.sample(users, 2)
        self.decide("/transfers", {"order_id": self.order(), "type": self.load.gold, "domain": "main", "from": source,
                                   "to": target, "amount": self.rng.randint(1, most), "remark": "hand to hand"})

    def transfer(self):
        self.move(self.load.users, 60)

    def exchange(self):
        self.decide("/exchanges", {"order_id": self.order(), "uid": self.user(), "domain": "main",
                                   "from_type": self.load.gold, "to_type": self.load.silver,
                                   "amount": self.rng.randint(1, 40)})

    def put_aside(self, uid, most):
        hold = {"order_id": self.order(), "type": self.load.gold, "domain": "main", "uid": uid,
                "amount": self.rng.randint(1, most)}
        if self.rng.random() < 0.5:
            hold["expires_at"] = self.soon(now_ms(), 2500)
        if self.decide("/holds", hold):
            self.holds.append(hold)

    def hold(self):
        self.put_aside(self.user(), 50)

    def close(self):
        if not self.holds:
            return
        hold = self.holds.pop(self.rng.randrange(len(self.holds)))
        key = (hold["uid"], hold["order_id"])
        how, body = "release", None
        if hold["uid"] not in self.load.closed_users and self.rng.random() < 0.7:
            part = self.rng.randint(1, hold["amount"])
            how, body = "capture", {"amount": part} if self.rng.random() < 0.6 else None
        path = f"/holds/{key[0]}/{key[1]}/{how}"
        answer, _ = self.ask(path, body)
        if answer.status == 409 and (answer.json["code"], answer.json.get("state")) != ("hold_closed", "expired"):
            raise AssertionError(f"{path} {body} was answered with {answer}")
        if answer.status == 200:
            with self.load.lock:
                self.load.closed_holds[key] = (path, body, {k: v for k, v in answer.json.items() if k != "replayed"})

    def closed(self):
        if self.rng.random() < 0.3:
            self.put_aside(self.rng.choice(self.load.closed_users), 300)
        else:
            self.move(self.load.closed_users, 300)

    def batch(self):
        atomic = self.rng.random() < 0.5
        uid = self.user() if atomic else None  # on a cluster, an atomic batch must stay in one partition
        entries = [self.random_entry(uid) for _ in range(self.rng.randint(2, 8))]
        answer, unsure = self.ask("/entries/batch", {"mode": "atomic" if atomic else "continue", "entries": entries})
        if answer.status == 409:
            if (answer.json["code"], answer.json.get("reason")) != ("batch_refused", "insufficient_balance"):
                raise AssertionError(f"a batch was answered with {answer}")
            self.load.refused("/entries", entries, unsure)
            return
        for entry, result in zip(entries, answer.json["results"], strict=True):
            told = {name: value for name, value in result.items() if name not in ("status", "replayed")}
            self.load.acknowledge("/entries", entry, result["status"], told)

    def again(self):
        with self.load.lock:
            if not self.load.acknowledged:
                return
            said = self.rng.choice(list(self.load.acknowledged.values()))
        self.decide(said.path, said.body)
