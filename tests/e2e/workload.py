"""Load on the ledger from several clients, and the proof afterwards that nothing was lost and nothing came twice."""
import http.client
import random
import threading
import time

from harness import AMOUNT_MAX, PATIENCE_S, Client, eventually

OUTCOME = ("order_id", "op", "old_balance", "change", "balance")


def decide(op, amount, old):
    """The model: what the ledger must do with one entry."""
    if op == "add":
        return ("ok", old + amount) if old + amount <= AMOUNT_MAX else ("balance_limit", old)
    if op == "deduct":
        return ("ok", old - amount) if amount <= old else ("insufficient_balance", old)
    return "ok", amount


class Acknowledged:
    """An entry, and what the server said about it."""

    def __init__(self, entry, status, body):
        self.entry = entry
        self.status = status
        self.outcome = {name: body[name] for name in OUTCOME}


class Workload:
    """Clients that post entries to a few accounts which they share, and repeat what is undecided until it is not."""

    def __init__(self, address_of, token, type_id, seed, clients=4, users=6, patience_s=PATIENCE_S):
        self._address_of = address_of  # a function: a server that comes again has another port
        self._token = token
        self._type = type_id
        self._patience_s = patience_s
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self.users = [f"user-{i}" for i in range(users)]
        self.acknowledged = {}
        self.unknown = 0  # answers that left the outcome open
        self.problems = []
        self._threads = [threading.Thread(target=self._run, args=(i, random.Random(f"{seed}/{i}")), daemon=True)
                         for i in range(clients)]

    def start(self):
        for thread in self._threads:
            thread.start()
        return self

    def stop(self):
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def wait_for_more(self, count):
        """Until so many more entries are acknowledged."""
        goal = len(self.acknowledged) + count
        deadline = time.monotonic() + self._patience_s
        while len(self.acknowledged) < goal and not self.problems:
            if time.monotonic() > deadline:
                raise AssertionError(f"nothing is acknowledged any more ({len(self.acknowledged)} so far)")
            time.sleep(0.01)

    def _run(self, index, rng):
        client = Client(None, self._token, timeout_s=30)
        try:
            number = 0
            while not self._stop.is_set() and not self.problems:
                number += 1
                entry = {"order_id": f"c{index}-{number}", "op": rng.choices(("add", "deduct", "reset"), (6, 5, 1))[0],
                         "type": self._type, "domain": "main", "uid": rng.choice(self.users),
                         "amount": rng.randint(1, 100), "remark": f"entry {number}"}
                self._post(client, entry)
                if rng.random() < 0.05:
                    self._post(client, self.acknowledged[entry["order_id"]].entry)
        except Exception as error:
            self.problems.append(f"client {index}: {error!r}")
        finally:
            client.close()

    def _post(self, client, entry):
        deadline = time.monotonic() + self._patience_s
        while True:
            client.address = self._address_of()
            try:
                answer = client.entry(**entry)
                decided = answer.status in (200, 409)
                if not decided and answer.status != 503:
                    raise AssertionError(f"{entry} was answered with {answer}")
            except (OSError, http.client.HTTPException):
                client.close()
                decided = False
            if decided:
                return self._acknowledge(entry, answer)
            with self._lock:
                self.unknown += 1
            if time.monotonic() > deadline:
                raise AssertionError(f"{entry} is not decided in {self._patience_s} s")
            time.sleep(0.02)

    def _acknowledge(self, entry, answer):
        body = answer.json
        if answer.status == 409 and body["code"] not in ("insufficient_balance", "balance_limit"):
            raise AssertionError(f"{entry} was answered with {answer}")
        status = "ok" if answer.status == 200 else body["code"]
        said = Acknowledged(entry, status, body)
        with self._lock:
            before = self.acknowledged.setdefault(entry["order_id"], said)
        if (before.status, before.outcome) != (said.status, said.outcome):
            self.problems.append(f"{entry} was first {before.status} {before.outcome}, then {answer}")

    def wait_for_journal(self, client):
        """The lease of a projector that died has to run out first, and a store that was away is looked for in steps."""
        for uid in self.users:
            expected = sum(said.entry["uid"] == uid for said in list(self.acknowledged.values()))
            eventually(lambda: len(client.flows(uid)) >= expected, f"the flows of {uid} arrive", pause_s=0.2)

    def verify(self, case, client):
        """Orders, flows and balances agree with what was acknowledged, and with the model."""
        case.assertEqual(self.problems, [])
        for said in self.acknowledged.values():
            answer = client.order(said.entry["uid"], said.entry["order_id"])
            case.assertEqual(answer.status, 200, f"{said.entry} was acknowledged and is lost: {answer}")
            order = answer.json
            case.assertEqual((order["status"], {name: order[name] for name in OUTCOME}), (said.status, said.outcome))
            for name in ("type", "domain", "uid", "amount"):
                case.assertEqual(order[name], said.entry[name], order)
        self.wait_for_journal(client)
        journaled = 0
        for uid in self.users:
            flows = client.flows(uid)
            journaled += len(flows)
            self._verify_flows(case, uid, flows)
            balance = client.account(self._type, "main", uid)["balance"]
            case.assertEqual(balance, flows[0]["balance"] if flows else 0, f"balance of {uid}")
        case.assertEqual(journaled, len(self.acknowledged))

    def _verify_flows(self, case, uid, flows):
        orders = [flow["order_id"] for flow in flows]
        expected = {order for order, said in self.acknowledged.items() if said.entry["uid"] == uid}
        case.assertEqual(len(orders), len(set(orders)), f"an order of {uid} has two flows")
        case.assertEqual(set(orders), expected, f"flows of {uid}")
        balance = 0
        for flow in reversed(flows):
            said = self.acknowledged[flow["order_id"]]
            case.assertEqual({name: flow[name] for name in OUTCOME}, said.outcome)
            case.assertEqual((flow["amount"], flow["remark"]), (said.entry["amount"], said.entry["remark"]))
            case.assertEqual(flow["old_balance"], balance, f"the chain of {uid} is broken at {flow}")
            case.assertEqual((flow["status"], flow["balance"]), decide(flow["op"], flow["amount"], balance), flow)
            balance = flow["balance"]
