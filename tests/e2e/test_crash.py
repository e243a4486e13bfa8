"""kill -9 under load: what was acknowledged is there afterwards, once."""
import random
import time
from collections import Counter

from harness import LONG, SEED, Case, Server, eventually, is_alive, main
from workload import Workload

ROUNDS = 50 if LONG else 3
MODES = ("both", "server", "redis", "while starting")


class Crash(Case):
    def setUp(self):
        self.rng = random.Random(SEED)
        self.server = self.open(Server("--set", "server.access_log=false"))
        client = self.server.client()
        self.addCleanup(client.close)
        self.load = Workload.of_everything(lambda: self.server.address, self.server.token, client, SEED)
        self.addCleanup(self.load.stop)

    def modes(self):
        """Each one once as far as there are rounds, then by chance."""
        first = self.rng.sample(MODES, len(MODES))[:ROUNDS]
        return first + [self.rng.choice(MODES) for _ in range(ROUNDS - len(first))]

    def crash(self, mode):
        if mode == "redis":
            old = eventually(self.server.redis_pid, "Redis runs")
            self.server.kill(server=False)
            eventually(lambda: not is_alive(old), "the old Redis is gone")
            eventually(self.server.redis_pid, "the server starts Redis again by itself")
            self.assertIsNone(self.server.process.poll(), "the server goes on without Redis")
            return
        self.server.kill(redis=mode != "server")
        if mode == "while starting":
            self.server.begin()
            time.sleep(self.rng.uniform(0, 0.3))
            self.server.kill(redis=self.rng.random() < 0.5)
        self.server.start()

    def test_no_acknowledged_order_is_lost_or_applied_twice(self):
        self.load.start()
        modes = self.modes()
        for number, mode in enumerate(modes, 1):
            self.load.wait_for_more(20)
            time.sleep(self.rng.uniform(0, 0.5))
            self.crash(mode)
            self.assertEqual(self.load.problems, [])
            print(f"round {number} ({mode}): {len(self.load.acknowledged)} acknowledged", flush=True)
        self.load.wait_for_more(20)
        self.load.stop()
        client = self.server.client()
        self.addCleanup(client.close)
        flows = self.load.verify(self, client)
        print(f"{len(modes)} rounds {dict(Counter(modes))}: {len(self.load.acknowledged)} acknowledged, "
              f"{self.load.unknown} attempts with an unknown outcome, none lost, none twice; flows: {dict(flows)}",
              flush=True)

        # And once more from a clean start: nothing of the above was only in memory.
        self.assertEqual(self.server.stop(), 0)
        self.server.start()
        client = self.server.client()
        self.addCleanup(client.close)
        self.load.verify(self, client)


if __name__ == "__main__":
    main()
