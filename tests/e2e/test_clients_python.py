"""The clients for Python while their server is killed and answers get lost: the sample bot, and threads."""
import os
import sys
import threading
from collections import Counter

from cutting_proxy import CuttingProxy
from harness import ROOT, SEED, Server, eventually, main
from sample_bots import SampleBotCase

sys.path.insert(0, str(ROOT / "clients/python"))

from larder import Event, Larder, Refusal  # noqa: E402

HANDS, ORDERS = 4, 75


class Python(SampleBotCase):
    def test_a_thousand_moves_through_kills_are_each_made_once(self):
        self.rehearse([sys.executable, ROOT / "examples/python-bot/rehearsal.py"],
                      env=os.environ | {"PYTHONPATH": str(ROOT / "clients/python")})

    def test_threads_share_a_client_through_a_kill(self):
        server = self.open(Server("--set", "server.access_log=false"))
        proxy = self.open(CuttingProxy(lambda: server.address, SEED))
        larder = Larder(proxy.url, token=server.token)
        self.addCleanup(larder.close)
        gold = larder.post("/v1/ledger/types", {"name": "gold"})["id"]
        done, heard = [], []
        hands = [threading.Thread(target=self.post_orders, args=(larder, gold, i, done)) for i in range(HANDS)]
        threading.Thread(target=self.hear, args=(larder, heard), daemon=True).start()
        self.begin_to_hear(larder, gold, heard)
        for hand in hands:
            hand.start()
        eventually(lambda: len(done) >= 100, "a part is done")
        server.kill()
        server.start()
        for hand in hands:
            hand.join()
        orders = Counter({f"o{i}-{j}": 1 for i in range(HANDS) for j in range(ORDERS)})
        self.assertEqual(Counter(done), orders)
        flows = larder.items("/v1/ledger/flows", query={"uid": "111"})
        self.assertEqual(Counter(flow["order_id"] for flow in flows), orders)
        account = larder.get("/v1/ledger/accounts/{type}/{domain}/{uid}", type=gold, domain="main", uid="111")
        self.assertEqual(account["balance"], HANDS * ORDERS)
        eventually(lambda: len(heard) >= len(done), "every event is heard")
        self.assertEqual(Counter(heard), orders)
        with self.assertRaises(Refusal) as caught:
            larder.post("/v1/ledger/entries", self.entry(gold, "much", "111", op="deduct", amount=10**6))
        self.assertEqual((caught.exception.code, caught.exception.problem["balance"]),
                         ("insufficient_balance", HANDS * ORDERS))

    @staticmethod
    def entry(gold, order_id, uid, op="add", amount=1):
        return {"order_id": order_id, "op": op, "type": gold, "domain": "main", "uid": uid, "amount": amount}

    def post_orders(self, larder, gold, hand, done):
        for i in range(ORDERS):
            done.append(larder.post("/v1/ledger/entries", self.entry(gold, f"o{hand}-{i}", "111"))["order_id"])

    @staticmethod
    def hear(larder, heard):
        for event in larder.events(system="ledger"):
            heard.append(event.data["order_id"] if isinstance(event, Event) else event)

    def begin_to_hear(self, larder, gold, heard):
        """A stream begins with what happens now. So this makes something happen until the stream has begun."""
        for i in range(10**6):
            if heard:
                break
            larder.post("/v1/ledger/entries", self.entry(gold, f"before-{i}", "herald"))
        eventually(lambda: f"before-{i - 1}" in heard, "the last of these is heard")
        heard.clear()


if __name__ == "__main__":
    main()
