"""Two servers on one Redis and one PostgreSQL: no flow is missing, none is there twice, and they share the work."""
import itertools
import random
import re
import time
import uuid

from harness import LONG, SEED, Case, PostgresServer, RedisServer, Server, eventually, main, now_ms, stamp
from workload import Workload

LEDGER = "/v1/ledger"
ROUNDS = 10 if LONG else 2
FLOW_TABLES = 2


class TwoServers(Case):
    def setUp(self):
        self.rng = random.Random(SEED)
        redis = self.open(RedisServer())
        self.postgres = self.open(PostgresServer())
        args = ("--redis", redis.url, "--sql", self.postgres.url, "--set", "server.access_log=false")
        self.servers = [Server(*args), Server(*args)]
        for server in self.servers:  # both make the schema and the first key at the same time
            self.addCleanup(server.close)
            server.begin()
        for server in self.servers:
            server.wait_for_address()
        tokens = [server.token for server in self.servers if (server.data / "admin.key").exists()]
        self.assertEqual(len(tokens), 1, "one of the two got the admin key")
        self.token = tokens[0]
        self.a, self.b = self.clients()

    def clients(self):
        clients = [server.client(token=self.token) for server in self.servers]
        for client in clients:
            self.addCleanup(client.close)
        return clients

    def projected(self):
        """How many events each server has moved into the journal since its start."""
        pattern = re.compile(r'^larder_projected_events_total\{outbox="ledger"\} (\S+)$', re.M)
        texts = [client.get("/metrics").raw.decode() for client in self.clients()]
        return [int(float(match[1])) if (match := pattern.search(text)) else 0 for text in texts]

    def rows(self, what="*"):
        tables = " UNION ALL ".join(f"SELECT uid, event_ms, event_seq, order_id, op, type_id FROM score_flow_{i}"
                                    for i in range(FLOW_TABLES))
        return int(self.postgres.query(f"SELECT count({what}) FROM ({tables}) AS flow")[0])

    def entry(self, type_id, op="add", amount=5, **more):
        return {"order_id": uuid.uuid4().hex, "op": op, "type": type_id, "domain": "main", "uid": "u",
                "amount": amount} | more

    def test_what_one_does_the_other_knows_at_once(self):
        gold, silver = self.a.new_type("gold"), self.b.new_type("silver")
        entry = self.entry(gold)
        self.assertEqual(self.b.entry(**entry).json["balance"], 5, "a type made at the other")
        self.a.send("PUT", f"{LEDGER}/rates/{gold}/{silver}", {"numerator": 2, "denominator": 1})
        base = {"domain": "main", "amount": 1}
        requests = [("/entries", entry),
                    ("/transfers", base | {"order_id": "t", "type": gold, "from": "u", "to": "v"}),
                    ("/exchanges", base | {"order_id": "x", "uid": "u", "from_type": gold, "to_type": silver}),
                    ("/holds", base | {"order_id": "h", "type": gold, "uid": "u"}),
                    ("/holds/u/h/capture", None),
                    ("/entries", self.entry(gold, "deduct", 100))]
        for path, body in requests:
            with self.subTest(path=path):
                first = self.a.post(LEDGER + path, body)
                again = self.b.post(LEDGER + path, body)
                passing = ("replayed", "request_id")
                self.assertEqual(again.status, first.status)
                self.assertEqual({name: value for name, value in again.json.items() if name not in passing},
                                 {name: value for name, value in first.json.items() if name not in passing})
                self.assertIs(again.json["replayed"], True)
        self.assertEqual(self.a.account(gold, "main", "u"), self.b.account(gold, "main", "u"))
        self.assertEqual(self.a.flows("u"), self.b.flows("u"))
        self.assertEqual([flow["op"] for flow in self.a.flows("u")],
                         ["deduct", "capture", "hold", "exchange_in", "exchange_out", "transfer_out", "add"])

    def test_a_lot_falls_due_once_though_the_server_that_took_it_is_gone(self):
        gold = self.a.new_type("gold")
        due = [now_ms() + 3000 + i for i in range(20)]
        for i, ms in enumerate(due):
            answer = self.a.entry(**self.entry(gold, uid=f"u{i}", expires_at=stamp(ms)))
            self.assertEqual(answer.status, 200, answer)
        self.servers[0].kill()
        for i, ms in enumerate(due):
            eventually(lambda: len(self.b.flows(f"u{i}")) == 2, "the lot expires")
            self.assertEqual([(flow["op"], flow["balance"]) for flow in self.b.flows(f"u{i}")],
                             [("expire", 0), ("add", 5)])
            self.assertEqual(self.b.flows(f"u{i}")[0]["at"], stamp(ms))

    def test_no_order_is_lost_or_applied_twice_while_one_of_them_dies_again_and_again(self):
        turn = itertools.count()
        load = Workload.of_everything(lambda: self.servers[next(turn) % 2].address, self.token, self.a, SEED,
                                      clients=6)
        self.addCleanup(load.stop)
        load.start()
        projected = [0, 0]  # a restarted server counts from 0
        for number in range(1, ROUNDS + 1):
            load.wait_for_more(150)
            time.sleep(self.rng.uniform(0, 0.5))
            victim = self.rng.randrange(2)
            projected[victim] += self.projected()[victim]
            self.servers[victim].kill()
            load.wait_for_more(50)
            self.servers[victim].start()
            self.assertEqual(load.problems, [])
            print(f"round {number} (server {victim}): {len(load.acknowledged)} acknowledged", flush=True)
        load.wait_for_more(150)
        load.stop()
        flows = [load.verify(self, client) for client in self.clients()]
        self.assertEqual(flows[0], flows[1])
        total = sum(flows[0].values())
        self.assertEqual((self.rows(), self.rows("DISTINCT (uid, event_ms, event_seq)")), (total, total))
        shares = [before + now for before, now in zip(projected, self.projected())]
        self.assertGreater(min(shares), 0, "both move events into the journal")
        print(f"{ROUNDS} kills: {len(load.acknowledged)} acknowledged, {load.unknown} attempts with an unknown outcome, "
              f"{total} flows, projected by each: {shares}", flush=True)


if __name__ == "__main__":
    main()
