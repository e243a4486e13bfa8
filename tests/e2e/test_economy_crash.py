"""kill -9 during moves: afterwards, everything that was acknowledged is there, once, and no planted bomb is lost."""
import json
import random
import time
from collections import Counter

from economy import ECONOMY, Realm, verify
from economy_load import EconomyLoad, busy_catalogue, decide
from harness import LONG, SEED, Case, Server, TempDir, choose_crashes, crash, eventually, main

ROUNDS = 50 if LONG else 3


class EconomyCrash(Case):
    def setUp(self):
        self.rng = random.Random(SEED)
        directory = TempDir()
        self.addCleanup(directory.remove)
        game = directory / "game.json"
        game.write_text(json.dumps(busy_catalogue()))
        self.server = self.open(Server("--set", "server.access_log=false", "--set", f"economy.catalogue={game}"))
        self.load = EconomyLoad(lambda: self.server.address, self.server.token, SEED)
        self.addCleanup(self.load.stop)

    def client(self):
        client = self.server.client()
        self.addCleanup(client.close)
        return client

    def realm(self, name):
        return Realm(self.server.redis_socket, name)

    def plant(self, realm):
        """Plants a bomb that becomes pending at about the time of the crash."""
        self.realm(realm).fill("ann", 0, bomb=1)
        self.realm(realm).fill("bob", 100)
        client = self.client()
        planted, _ = decide(lambda: client, f"{ECONOMY}/{realm}/players/ann/bomb", {"seconds": self.rng.randint(0, 2)},
                            f"plant-{realm}")
        self.assertEqual(planted.status, 200, planted)

    def assert_verified(self, *args):
        done = verify(self.server.data, *args)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertRegex(done.stdout, r"^no differences: compared \d+ players? of \d+ realms? with their events\n$")

    def assert_pending(self, realm):
        bombs = self.realm(realm)
        # If a dead server held the lease, the bomb becomes pending when the lease is over.
        eventually(lambda: bombs.cli("GET", "bomb") == "ann", f"the bomb of {realm} is pending", pause_s=0.2)
        self.assertEqual((bombs.cli("ZCARD", "bombs"), bombs.cli("ZCARD", "bombs-schedule")), ("0", "0"))
        farmed = self.client().post(f"{ECONOMY}/{realm}/players/bob/farm", {"name": "Bob"})
        self.assertEqual((farmed.status, farmed.json["bomb"]), (200, {"owner": "ann", "damage": 18}), farmed)

    def test_no_acknowledged_move_is_lost_or_made_twice_and_no_bomb_is_lost(self):
        self.load.start()
        kinds = choose_crashes(self.rng, ROUNDS)
        for number, kind in enumerate(kinds, 1):
            self.load.wait_for_more(50)
            self.plant(f"bombs-{number}")
            time.sleep(self.rng.uniform(0, 0.5))
            crash(self.server, kind, self.rng)
            self.load.wait_for_more(20)
            self.assertEqual(self.load.problems, [])
            self.assert_verified("--realm", "main")  # while players keep making moves
            print(f"round {number} ({kind}): {len(self.load.moves)} decided", flush=True)
        self.load.wait_for_more(50)
        self.load.stop()
        for number in range(1, ROUNDS + 1):
            self.assert_pending(f"bombs-{number}")
        main_realm = self.realm("main")
        eventually(lambda: main_realm.cli("ZCARD", "bombs") == main_realm.cli("ZCARD", "bombs-schedule") == "0",
                   "every bomb became pending", pause_s=0.2)
        events = self.load.check(self, self.client())
        self.assert_verified()
        print(f"{ROUNDS} rounds {dict(Counter(kinds))}: {len(self.load.moves)} moves {dict(self.load.outcomes())}, "
              f"{self.load.unknown} attempts with an unknown outcome, none lost, none twice; {events} events", flush=True)

        # Check again without a server, then after a clean start: nothing was only in memory.
        self.assertEqual(self.server.stop(), 0)
        self.assert_verified()
        self.server.start()
        self.assertEqual(self.load.check(self, self.client()), events)


if __name__ == "__main__":
    main()
