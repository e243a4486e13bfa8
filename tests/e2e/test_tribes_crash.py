"""kill -9 while towns grow, players act and thieves travel: afterwards, everything that was acknowledged has happened, once,
and every town is what its events make of it."""
import random
import time
from collections import Counter

from harness import LONG, SEED, Case, Server, choose_crashes, crash, eventually, main, redis_cli, run_larder, sqlite_query
from tribes_load import TribesLoad, busy_rules

ROUNDS = 200 if LONG else 5
WORLD = "/v1/tribes/worlds/w"
PLAYERS = 12


class TribesCrash(Case):
    def setUp(self):
        self.rng = random.Random(SEED)
        self.server = self.open(Server("--set", "server.access_log=false"))
        client = self.server.client()
        rules = busy_rules(client.get("/v1/tribes/worlds/default/rules").json["rules"])
        made = client.post("/v1/tribes/worlds", {"id": "w", "speed": 500, "rules": rules})
        self.assertEqual(made.status, 201, made)
        players, places = [], {}
        for i in range(PLAYERS):
            account = client.post("/v1/auth/register", {"username": f"player{i}", "password": f"word-{i}-pass"})
            self.assertEqual(account.status, 201, account)
            players.append(account.json["user_id"])
            town = client.post(f"{WORLD}/join?player={players[-1]}").json["state"]
            places[players[-1]] = (town["townX"], town["townY"])
        client.close()
        self.load = TribesLoad(lambda: self.server.address, self.server.token, "w", players, SEED)
        self.load.places = places
        self.addCleanup(self.load.stop)

    def assert_verified(self):
        done = run_larder("tribes", "verify", "--data", self.server.data)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertRegex(done.stdout, r"^no differences: played \d+ events? of \d+ worlds? again and compared \d+ towns?\n$")

    def assert_all_due(self):
        self.assertEqual(redis_cli(self.server.redis_socket, "ZCARD", "{tribes:w}:user_updates").strip(), str(PLAYERS))

    def test_no_acknowledged_action_is_lost_or_done_twice(self):
        self.load.start()
        kinds = choose_crashes(self.rng, ROUNDS)
        for number, kind in enumerate(kinds, 1):
            self.load.wait_for_more(50)
            time.sleep(self.rng.uniform(0, 0.3))
            crash(self.server, kind, self.rng)
            self.load.wait_for_more(20)
            self.assertEqual(self.load.problems, [])
            self.assert_verified()  # while players keep acting
            self.assert_all_due()
            print(f"round {number} ({kind}): {len(self.load.decided)} decided", flush=True)
        self.load.wait_for_more(50)
        self.load.stop()
        waiting = lambda: redis_cli(self.server.redis_socket, "XLEN", "{tribes:w}:outbox").strip()  # noqa: E731
        eventually(lambda: waiting() == "0", "the journal has all events")
        done = self.load.check(self, lambda sql: sqlite_query(self.server.data / "larder.db", sql))
        self.assert_verified()
        heists = run_larder("tribes", "verify", "--data", self.server.data).stdout
        print(f"{ROUNDS} rounds {dict(Counter(kinds))}: {len(self.load.decided)} actions {dict(self.load.outcomes())}, "
              f"{self.load.unknown} attempts with an unknown outcome, none lost, none twice; {done} done; {heists}", flush=True)
        self.assertEqual(self.server.stop(), 0)
        self.assert_verified()
        self.server.start()
        self.assert_verified()


if __name__ == "__main__":
    main()
