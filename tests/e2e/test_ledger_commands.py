"""The commands of `larder ledger`, as an operator uses them."""
import shutil

from harness import Case, RedisServer, Server, TempDir, eventually, main, redis_cli, run_larder


class LedgerCommands(Case):
    def setUp(self):
        self.directory = TempDir()
        self.addCleanup(self.directory.remove)
        self.data = self.directory / "data"

    def ledger(self, what, *args):
        return run_larder("ledger", what, *args, "--data", self.data)

    def fill(self, server):
        """Makes something of everything. Returns what a client would send again, and the answers that it got."""
        client = server.client()
        self.addCleanup(client.close)
        gold = client.new_type("gold")
        account = {"type": gold, "domain": "main", "uid": "alice"}
        issued = client.post("/v1/ledger/orders", account).json["order_id"]
        sent = [("entries", {"order_id": "1", "op": "add", **account, "amount": 100}),
                ("entries", {"order_id": "2", "op": "deduct", **account, "amount": 1000}),
                ("entries", {"order_id": issued, "op": "add", **account, "amount": 3,
                             "expires_at": "2099-01-01T00:00:00Z"}),
                ("holds", {"order_id": "3", **account, "amount": 10}),
                ("transfers", {"order_id": "4", "type": gold, "domain": "main", "from": "alice", "to": "bob",
                               "amount": 20})]
        answers = [client.post(f"/v1/ledger/{path}", body) for path, body in sent]
        self.assertEqual([answer.status for answer in answers], [200, 409, 200, 200, 200], answers)
        # A reader of the journal waits until the journal has everything.
        self.assertEqual(len(client.flows("alice")), 5)
        self.assertEqual(len(client.flows("bob")), 1)
        accounts = [client.account(gold, "main", uid) for uid in ("alice", "bob")]
        return gold, issued, sent, [answer.json for answer in answers], accounts

    def assert_refused(self, done, *words):
        self.assertEqual((done.returncode, done.stdout), (1, ""), done)
        line = done.stderr.splitlines()[-1]
        self.assertTrue(line.startswith("larder: "), done.stderr)
        for word in words:
            self.assertIn(word, line)

    def test_verify_beside_a_server_and_without_one(self):
        server = self.open(Server(data=self.data))
        gold, *_ = self.fill(server)
        fine = ("no differences: compared 6 flows, 2 accounts and 5 orders with Redis, and 8 keys of Redis with the "
                "journal\n")
        for args in ([], ["--redis", f"unix:{server.redis_socket}"]):
            done = self.ledger("verify", *args)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, fine, ""), done)
        redis_cli(server.redis_socket, "SET", f"{{bob}}:main:{gold}:score", "7")
        done = self.ledger("verify")
        with self.symptom("Redis and SQL differ") as row:
            row.command("ledger verify", done)
        self.assertEqual(done.stdout.splitlines(),
                         [f"account bob {gold} main: balance 7 in Redis, 20 by 1 flow",
                          fine.replace("no differences", "1 difference").strip()])
        self.assertEqual(server.stop(), 0)
        done = self.ledger("verify")
        self.assertEqual((done.returncode, len(done.stdout.splitlines()), done.stderr), (1, 2, ""), done)
        self.assertEqual(redis_cli(server.redis_socket, "PING", check=False).strip(), "")

    def test_a_lost_redis_is_rebuilt(self):
        server = self.open(Server(data=self.data))
        gold, issued, sent, answers, accounts = self.fill(server)
        self.assert_refused(self.ledger("rebuild"), "in use by another larder")
        self.assertEqual(server.stop(), 0)
        with self.symptom("a rebuild finds data in Redis") as row:
            row.command("ledger rebuild", self.ledger("rebuild"))
        shutil.rmtree(self.data / "redis")

        with self.symptom("Redis is empty, but SQL is not") as row:
            row.ended(run_larder("serve", "--data", self.data, "--listen", "127.0.0.1:0"))
        done = self.ledger("rebuild")
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (0, "rebuilt 2 accounts and 5 orders from 6 flows\n", ""), done)
        self.assert_refused(self.ledger("rebuild"), "not empty")

        server.start()
        client = server.client()
        self.addCleanup(client.close)
        self.assertEqual([client.account(gold, "main", uid) for uid in ("alice", "bob")], accounts)
        for (path, body), first in zip(sent, answers):
            again = client.post(f"/v1/ledger/{path}", body)
            if again.status == 409:
                self.assertEqual(again.json["code"], first["code"])
                continue
            self.assertEqual((again.status, again.json), (200, first | {"replayed": True}), body)
        for _ in range(40):
            new = client.post("/v1/ledger/orders", {"type": gold, "domain": "main", "uid": "alice"})
            self.assertNotEqual(new.json["order_id"], issued)
        self.assertEqual(client.entry(order_id="5", op="deduct", type=gold, domain="main", uid="alice",
                                      amount=73).json["balance"], 0)
        done = self.ledger("verify")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)

    def test_a_rebuild_that_was_cut_off_keeps_servers_out(self):
        redis = self.open(RedisServer())
        server = self.open(Server("--redis", redis.url, data=self.data))
        self.fill(server)
        external = ("--redis", redis.url)
        self.assert_refused(self.ledger("rebuild", *external), "not empty")
        redis_cli(redis.socket, "FLUSHALL")
        eventually(lambda: redis_cli(redis.socket, "KEYS", "larder:server:*").strip(), "the server says it is there")
        redis_cli(redis.socket, "EVAL", "for _, key in ipairs(redis.call('KEYS', '*:score*')) do "
                  "redis.call('DEL', key) end", 0)
        done = self.ledger("rebuild", *external)
        self.assert_refused(done, f"process {server.process.pid}")
        with self.symptom("a rebuild finds servers at work") as row:
            row.command("ledger rebuild", done)
        self.assertEqual(server.stop(), 0)
        self.assertEqual(redis_cli(redis.socket, "KEYS", "larder:*").strip(), "")

        redis_cli(redis.socket, "SET", "larder:rebuilding", "1")
        args = ("serve", "--data", self.data, "--listen", "127.0.0.1:0", *external)
        with self.symptom("a rebuild of Redis is running, or was cut off") as row:
            row.ended(run_larder(*args))
        done = self.ledger("rebuild", *external)
        self.assertEqual((done.returncode, done.stdout),
                         (0, "rebuilt 2 accounts and 5 orders from 6 flows\n"), done)
        server.start()
        self.assertEqual(self.ledger("verify", *external).returncode, 0)

    def test_the_balances_of_another_installation_are_taken_in(self):
        redis = self.open(RedisServer())
        external = ("--redis", redis.url)
        server = self.open(Server(*external, data=self.data))
        client = server.client()
        gold = client.new_type("gold")
        client.close()
        self.assert_refused(self.ledger("adopt", *external), "a server works on this Redis", f"{server.process.pid}")
        self.assertEqual(server.stop(), 0)
        for uid, value in (("alice", "7"), ("bob", "0"), ("carol", "1.5")):
            redis_cli(redis.socket, "SET", f"{{{uid}}}:main:{gold}:score", value)
        redis_cli(redis.socket, "SET", "{alice}:old:score_os", "1_1_2_5_7")
        line = f"{{carol}}:main:{gold}:score: it is not a whole number from 0 to 9007199254740991"
        for what, said in (("--dry-run", "would take in 2 balances with 7 points; 0 known before, 1 refused"),
                           ("", "took in 2 balances with 7 points; 0 known before, 1 refused"),
                           ("", "took in 0 balances with 0 points; 2 known before, 1 refused")):
            done = self.ledger("adopt", *external, *what.split())
            self.assertEqual((done.returncode, done.stdout.strip()), (1, said), done)
            self.assertIn(line, done.stderr)

        server.start()
        client = server.client()
        self.addCleanup(client.close)
        self.assertEqual([(flow["op"], flow["balance"]) for flow in client.flows("alice")], [("opening", 7)])
        entry = {"op": "add", "type": gold, "domain": "main", "amount": 5}
        again = client.entry(order_id="old", uid="alice", **entry)
        self.assertEqual((again.status, again.json["balance"], again.json["replayed"]), (200, 7, True), again)
        self.assertEqual(client.account(gold, "main", "alice")["balance"], 7)
        refused = client.entry(order_id="1", uid="carol", **entry)
        self.assertEqual(refused.json["key"], f"{{carol}}:main:{gold}:score", refused)
        with self.symptom("another program has written a value under a key of Larder") as row:
            row.answer(refused)
        refused = client.get(f"/v1/ledger/accounts/{gold}/main/carol")
        self.assertEqual((refused.status, refused.json["code"]), (409, "foreign_record"), refused)
        refused = client.get("/v1/ledger/orders/alice/old")
        self.assertEqual((refused.status, refused.json["original"]["op"]), (409, "add"), refused)
        redis_cli(redis.socket, "DEL", f"{{carol}}:main:{gold}:score")
        self.assertEqual(self.ledger("verify", *external).returncode, 0)

    def test_no_transfer_waits_for_a_person(self):
        server = self.open(Server(data=self.data))
        self.fill(server)
        done = self.ledger("transfers", "list")
        self.assertEqual((done.returncode, done.stdout), (0, "no transfer waits for a person\n"), done)
        for what in ("complete", "return"):
            self.assert_refused(self.ledger("transfers", what, "alice", "4"), "no transfer 4 of alice waits for a person")

    def test_without_data_there_is_nothing_to_do(self):
        for what in ("rebuild", "adopt"):
            self.assert_refused(self.ledger(what), "there is no data directory")
        with self.symptom("a command does not find the data of the server") as row:
            row.command("ledger verify", self.ledger("verify"))
        self.assertFalse(self.data.exists())


if __name__ == "__main__":
    main()
