"""kill -9 under load: afterwards, everything that was acknowledged is there, once."""
import random
import time
from collections import Counter

from harness import LONG, SEED, Case, Server, choose_crashes, crash, main
from workload import Workload

ROUNDS = 50 if LONG else 3


class Crash(Case):
    def setUp(self):
        self.rng = random.Random(SEED)
        self.server = self.open(Server("--set", "server.access_log=false"))
        client = self.server.client()
        self.addCleanup(client.close)
        self.load = Workload.of_everything(lambda: self.server.address, self.server.token, client, SEED)
        self.addCleanup(self.load.stop)

    def test_no_acknowledged_order_is_lost_or_applied_twice(self):
        self.load.start()
        kinds = choose_crashes(self.rng, ROUNDS)
        for number, kind in enumerate(kinds, 1):
            self.load.wait_for_more(20)
            time.sleep(self.rng.uniform(0, 0.5))
            crash(self.server, kind, self.rng)
            self.assertEqual(self.load.problems, [])
            print(f"round {number} ({kind}): {len(self.load.acknowledged)} acknowledged", flush=True)
        self.load.wait_for_more(20)
        self.load.stop()
        client = self.server.client()
        self.addCleanup(client.close)
        flows = self.load.verify(self, client)
        print(f"{len(kinds)} rounds {dict(Counter(kinds))}: {len(self.load.acknowledged)} acknowledged, "
              f"{self.load.unknown} attempts with an unknown outcome, none lost, none twice; flows: {dict(flows)}",
              flush=True)

        # Check again after a clean restart: nothing was only in memory.
        self.assertEqual(self.server.stop(), 0)
        self.server.start()
        client = self.server.client()
        self.addCleanup(client.close)
        self.load.verify(self, client)


if __name__ == "__main__":
    main()
