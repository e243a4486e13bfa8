"""Proves that a ledger kept everything that it acknowledged: all orders, flows and balances, each once."""
import threading
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor

from harness import Client, eventually, now_ms

LEDGER = "/v1/ledger"
TAKING = ("deduct", "transfer_out", "exchange_out", "hold", "expire")
GIVING = ("add", "transfer_in", "transfer_return", "exchange_in", "release", "mature")
BY_ITSELF = ("mature", "expire")
OUTCOME = ("order_id", "op", "old_balance", "change", "balance")
OPS = {"/transfers": "transfer_out", "/exchanges": "exchange_out", "/holds": "hold"}
# What may change from one answer about an order to the next: for example, a hold is open, then captured.
PASSING = {"replayed", "state", "captured"}
OF_PROBLEMS = {"type", "title", "status", "detail", "code", "request_id"}


def lasting(answer):
    """"ok" or the code of the refusal, and the members that every answer about that order has."""
    body = answer.json
    if answer.status == 200:
        return "ok", {name: value for name, value in body.items() if name not in PASSING | {"status"}}
    return body["code"], {name: value for name, value in body.items() if name not in PASSING | OF_PROBLEMS}


class Said:
    """A request that decides one order, and the server's answer."""

    def __init__(self, path, body, status, answer):
        self.path = path
        self.body = body
        self.uid = body["from"] if path == "/transfers" else body["uid"]
        self.order_id = body["order_id"]
        self.status = status
        self.answer = answer


def waits(flow):
    """An add whose points do not count yet."""
    return flow["op"] == "add" and flow.get("effective_at", "") > flow["at"]


def crossed_slots(flow):
    """A transfer that was under way for a while: when it left, the balance after its arrival was unknown."""
    return flow["op"] == "transfer_out" and flow["status"] == "ok" and "to_balance" not in flow


def balance_after(flow):
    """The model: what a flow must do to the balance that it finds."""
    old, amount, op = flow["old_balance"], flow["amount"], flow["op"]
    if flow["status"] != "ok" or waits(flow):
        return old
    if op == "reset":
        return amount
    return old - amount if op in TAKING else old + amount if op in GIVING else old


class Proof:
    def __init__(self, load, case, client):
        self.load = load
        self.case = case
        self.client = client
        self.said = dict(load.acknowledged)
        self.untouched = set(load.untouched)

    def verify(self):
        self.case.assertEqual(self.load.problems, [])
        self._let_time_pass()
        self._settle_doubts()
        self._check_replays()
        self.client.close()  # it may have been idle for so long that the server has given it up
        flows = {uid: self._flows_of(uid) for uid in self.load.users + self.load.closed_users}
        self._check_flows(flows)
        self._check_accounts(flows)
        self._check_closed_group()
        return Counter(flow["op"] for of_user in flows.values() for flow in of_user)

    def _let_time_pass(self):
        """Waits, so that no account changes by itself while it is checked."""
        time.sleep(max(0, self.load.last_due_ms - now_ms() + 1) / 1000)

    def _settle_doubts(self):
        for (uid, order_id), (path, body) in self.load.uncertain.items():
            if self.client.order(uid, order_id).status == 200:
                self.said[uid, order_id] = Said(path, body, *lasting(self.client.post(LEDGER + path, body)))
            else:
                self.untouched.add((uid, order_id))

    def _check_replays(self):
        """Every order must give the same answer again. Asks in parallel, because every answer waits for the disk."""
        mine = threading.local()
        clients = []

        def run(check, *args):
            if not hasattr(mine, "client"):
                mine.client = Client(self.client.address, self.client.token)
                clients.append(mine.client)
            return check(mine.client, *args)

        with ThreadPoolExecutor(8) as pool:
            jobs = [pool.submit(run, self._check_order, said) for said in self.said.values()]
            jobs += [pool.submit(run, self._check_closed_hold, *closed) for closed in self.load.closed_holds.values()]
            jobs += [pool.submit(run, self._check_untouched, *key) for key in self.untouched]
            try:
                for job in jobs:
                    job.result()
            finally:
                for job in jobs:
                    job.cancel()
        for client in clients:
            client.close()

    def _check_order(self, client, said):
        answer = client.post(LEDGER + said.path, said.body)
        self.case.assertIn(answer.status, (200, 409), f"{said.body} was acknowledged and is lost: {answer}")
        self.case.assertEqual(lasting(answer), (said.status, said.answer), f"another answer to {said.body}")
        self.case.assertIs(answer.json["replayed"], True, f"{said.body} was decided anew: {answer}")
        answer = client.order(said.uid, said.order_id)
        self.case.assertEqual(answer.status, 200, f"{said.body} was acknowledged and is lost: {answer}")
        order = answer.json
        self.case.assertEqual((order["status"], {name: order[name] for name in OUTCOME}),
                              (said.status, {name: said.answer[name] for name in OUTCOME}))
        type_id = said.body.get("type") or said.body["from_type"]
        self.case.assertEqual([order[name] for name in ("type", "domain", "uid", "amount")],
                              [type_id, said.body["domain"], said.uid, said.body["amount"]], order)

    def _check_closed_hold(self, client, path, body, first):
        answer = client.post(LEDGER + path, body)
        self.case.assertEqual((answer.status, answer.json), (200, first | {"replayed": True}), path)

    def _check_untouched(self, client, uid, order_id):
        answer = client.order(uid, order_id)
        self.case.assertEqual(answer.status, 404, f"{order_id} of {uid} was refused and left a trace: {answer}")

    def _flows_of(self, uid):
        """The flows, oldest first. The lease of a dead projector has to run out before all flows are there."""
        expected = sum(said.uid == uid for said in self.said.values())
        flows = []

        def arrived():
            flows[:] = self.client.flows(uid)
            return len(flows) >= expected

        eventually(arrived, f"the flows of {uid} arrive", pause_s=0.2)
        return flows[::-1]

    def _check_flows(self, flows):
        """There must be exactly the flows that the answers promise, with the same content."""
        found, of_order = Counter(), {}
        for uid, of_user in flows.items():
            for flow in of_user:
                if flow["op"] not in BY_ITSELF:
                    found[uid, flow["op"], flow["order_id"], flow["amount"], flow["status"]] += 1
                    of_order[uid, flow["op"], flow["order_id"]] = flow
        expected = Counter()
        for (uid, order_id), said in self.said.items():
            op = said.body.get("op") or OPS[said.path]
            flow = of_order.get((uid, op, order_id))
            self.case.assertIsNotNone(flow, f"no flow of {said.body}")
            expected[uid, op, order_id, said.body["amount"], said.status] += 1
            self.case.assertEqual({name: flow[name] for name in OUTCOME},
                                  {name: said.answer[name] for name in OUTCOME})
            if said.path != "/exchanges":
                self.case.assertEqual(flow["remark"], said.body.get("remark", ""))
            if said.status == "ok":
                expected.update(self._other_flows(said, flow))
        self.case.assertEqual((found - expected, expected - found), (Counter(), Counter()),
                              "flows that nobody was promised, flows that are missing")

    def _other_flows(self, said, flow):
        """The other flows of an order that was done."""
        uid, order_id, amount = said.uid, said.order_id, said.body["amount"]
        if said.path == "/transfers":
            yield said.body["to"], "transfer_in", order_id, amount, "ok"
            if crossed_slots(flow):
                yield uid, "transfer_done", order_id, amount, "ok"
        elif said.path == "/exchanges":
            yield uid, "exchange_in", order_id, said.answer["credited"], "ok"
        elif said.path == "/holds":
            closed = self.load.closed_holds.get((uid, order_id))
            if closed or "expires_at" in said.body:
                captured = closed[2]["captured"] if closed else 0
                if captured > 0:
                    yield uid, "capture", order_id, captured, "ok"
                if captured < amount:
                    yield uid, "release", order_id, amount - captured, "ok"

    def _check_accounts(self, flows):
        """The flows of every account must be an unbroken chain that ends with the account's current state."""
        for uid, of_user in flows.items():
            by_type = defaultdict(list)
            for flow in of_user:
                by_type[flow["type"]].append(flow)
            for type_id in filter(None, (self.load.gold, self.load.silver)):
                self._check_account(uid, type_id, by_type[type_id])

    def _check_account(self, uid, type_id, flows):
        sums = Counter()
        balance = 0
        for flow in flows:
            self.case.assertEqual(flow["old_balance"], balance, f"the chain of {uid} is broken at {flow}")
            self.case.assertEqual((flow["balance"], flow["change"]), (balance_after(flow),
                                                                      flow["balance"] - balance), flow)
            self.case.assertEqual(flow["status"] == "insufficient_balance",
                                  flow["op"] in TAKING and flow["amount"] > balance, flow)
            balance = flow["balance"]
            if flow["status"] == "ok":
                sums[flow["op"]] += flow["amount"]
                sums["waiting"] += flow["amount"] if waits(flow) else 0
                sums["sent"] += flow["amount"] if crossed_slots(flow) else 0
        account = self.client.account(type_id, "main", uid)
        waiting = sum(lot["amount"] for lot in account["lots"] if lot["effective_at"])
        shown = (account["balance"], account["held"], account["pending"], waiting)
        expected = (balance, sums["hold"] - sums["capture"] - sums["release"],
                    sums["sent"] - sums["transfer_done"] - sums["transfer_return"], sums["waiting"] - sums["mature"])
        self.case.assertEqual(shown, expected, f"balance, held, pending and waiting of {uid}: {account}")
        self.case.assertEqual(account["held"], sum(hold["amount"] for hold in account["holds"]), account)

    def _check_closed_group(self):
        accounts = [self.client.account(self.load.gold, "main", uid) for uid in self.load.closed_users]
        points = sum(account["balance"] + account["held"] + account["pending"] for account in accounts)
        self.case.assertEqual(points, self.load.points_of_closed_users, "points of a closed group came or went")
