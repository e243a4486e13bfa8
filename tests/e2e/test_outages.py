"""Stores that become unavailable and come back, and servers that stop."""
import os
import signal
import socket
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

from harness import (PATIENCE_S, SEED, Case, PostgresServer, RedisServer, Server, children_of, eventually, is_alive,
                     kill_quietly, main, redis_cli, run_larder)
from workload import Workload

TYPES = "/v1/ledger/types"


class OutageCase(Case):
    def open_client(self, server, **more):
        client = server.client(**more)
        self.addCleanup(client.close)
        return client

    def load_on(self, server, type_id, seed=SEED, **more):
        load = Workload(lambda: server.address, server.token, type_id, seed, **more)
        self.addCleanup(load.stop)
        return load.start()

    def entry(self, type_id, **more):
        return {"order_id": uuid.uuid4().hex, "op": "add", "type": type_id, "domain": "main", "uid": "u",
                "amount": 1} | more

    def assert_not_ready(self, client, broken, more=("cache_redis",)):
        """/readyz must say that the server is not ready, and ?verbose must name the problem."""
        names = ("server", "redis", "sql", "clock", "outbox", "schedule", "lost", "dead_events", "dead_work", *more)
        checks = {name: "failed" if name == broken else "ok" for name in names}
        answer = eventually(lambda: (a := client.get("/readyz?verbose")).status == 503 and a, "/readyz notices")
        self.assert_problem(answer, 503, "not_ready", checks=checks, problems=answer.json["problems"])
        self.assertEqual(list(answer.json["problems"]), [broken])
        self.assert_problem(client.get("/readyz"), 503, "not_ready")
        self.assertEqual(client.get("/livez").status, 200)

    def wait_until_ready(self, client):
        eventually(lambda: client.get("/readyz").status == 200, "/readyz is well again")


class RedisAway(OutageCase):
    def test_a_redis_that_hangs_is_answered_with_503_and_recovers_by_itself(self):
        server = self.open(Server("--set", "redis.timeout_ms=500"))
        client = self.open_client(server)
        type_id = client.new_type("points")
        self.assertEqual(client.entry(**self.entry(type_id, amount=10)).status, 200)
        pid = server.redis_pid()
        self.addCleanup(kill_quietly, pid, signal.SIGCONT)
        os.kill(pid, signal.SIGSTOP)

        hanging = self.entry(type_id, amount=5)
        answer = client.entry(**hanging)
        self.assert_problem(answer, 503, "store_unavailable", outcome_unknown=True)
        self.assertEqual(answer.headers["Retry-After"], "1")
        with self.symptom("Redis, or a master of a cluster, is stopped, hangs or cannot be reached") as row:
            row.answer(answer)
            row.readyz(client, "redis")
        for path in (f"/v1/ledger/accounts/{type_id}/main/u", "/v1/ledger/orders/u/x"):
            self.assert_problem(client.get(path), 503, "store_unavailable", outcome_unknown=False)
        self.assertEqual(client.get(TYPES).status, 200, "what needs only SQL goes on")
        self.assert_not_ready(client, "redis")

        os.kill(pid, signal.SIGCONT)
        self.wait_until_ready(client)
        answer = eventually(lambda: (a := client.entry(**hanging)).status == 200 and a, "the retry is decided")
        self.assertEqual((answer.json["old_balance"], answer.json["balance"]), (10, 15))
        self.assertEqual(client.account(type_id, "main", "u")["balance"], 15)
        eventually(lambda: len(client.flows("u")) == 2, "both flows arrive")
        self.assertEqual(server.redis_pid(), pid)

    def test_another_redis_may_stop_and_start_again_under_load(self):
        redis = self.open(RedisServer())
        server = self.open(Server("--redis", redis.url, "--set", "redis.timeout_ms=500"))
        client = self.open_client(server)
        self.assertIsNone(server.redis_pid(), "no Redis of its own")
        type_id = client.new_type("points")
        load = self.load_on(server, type_id)
        for _ in range(2):
            load.wait_for_more(50)
            redis.stop()
            eventually(lambda: client.entry(**self.entry(type_id, uid="probe")).status == 503, "entries are refused")
            answer = client.entry(**self.entry(type_id, uid="probe"))
            self.assert_problem(answer, 503, "store_unavailable", outcome_unknown=False)
            self.assert_not_ready(client, "redis", more=())
            redis.start()
            self.wait_until_ready(client)
        load.wait_for_more(50)
        load.stop()
        load.verify(self, client)
        self.assertIsNone(server.process.poll())

    def test_scripts_that_redis_forgot_are_sent_again(self):
        server = self.open(Server())
        client = self.open_client(server)
        type_id = client.new_type("points")
        for i in range(3):
            redis_cli(server.redis_socket, "SCRIPT", "FLUSH")
            self.assertEqual(client.entry(**self.entry(type_id)).json["balance"], i + 1)
        self.assertEqual(len(client.flows("u")), 3)


class SqlAway(OutageCase):
    def test_entries_go_on_without_postgresql_and_their_flows_arrive_afterwards(self):
        postgres = self.open(PostgresServer())
        server = self.open(Server("--sql", postgres.url))
        client = self.open_client(server)
        type_id = client.new_type("points")
        load = self.load_on(server, type_id)
        for _ in range(2):
            load.wait_for_more(50)
            postgres.stop()
            unknown = load.unknown
            load.wait_for_more(100)
            self.assertEqual(load.unknown, unknown, "an entry needs no SQL")
            self.assertEqual(client.entry(**self.entry(type_id, uid="probe")).status, 200)
            self.assert_not_ready(client, "sql")
            for path in ("/v1/ledger/flows?uid=user-0", TYPES):
                self.assert_problem(client.get(path), 503, "store_unavailable", outcome_unknown=False)
            answer = client.post(TYPES, {"name": uuid.uuid4().hex})
            self.assert_problem(answer, 503, "store_unavailable", outcome_unknown=answer.json.get("outcome_unknown"))
            self.assertIn(answer.json["outcome_unknown"], (True, False))
            postgres.start()
            self.wait_until_ready(client)
        load.wait_for_more(50)
        load.stop()
        load.verify(self, client)
        eventually(lambda: len(client.flows("probe")) == 2, "the flows of the outage arrive")
        tables = " UNION ALL ".join(f"SELECT uid, order_id FROM score_flow_{i}" for i in range(2))
        rows = postgres.query(f"SELECT count(*), count(DISTINCT (uid, order_id)) FROM ({tables}) AS flow")
        expected = len(load.acknowledged) + 2
        self.assertEqual(rows, [f"{expected}|{expected}"])

    def test_a_postgresql_that_hangs_keeps_the_server_neither_from_saying_so_nor_from_ending(self):
        postgres = self.open(PostgresServer())
        server = self.open(Server("--sql", postgres.url))
        client = self.open_client(server)
        type_id = client.new_type("points")
        pids = [postgres.process.pid, *(pid for pid, _ in children_of(postgres.process.pid))]
        for pid in pids:
            self.addCleanup(kill_quietly, pid, signal.SIGCONT)
            os.kill(pid, signal.SIGSTOP)
        self.assertEqual(client.entry(**self.entry(type_id, amount=4)).status, 200)
        self.assert_not_ready(client, "sql")
        redis_pid = server.redis_pid()
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 1, "the end is forced")
        self.assertIn("stopped by force", server.log())
        eventually(lambda: not is_alive(redis_pid), "redis-server follows")
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
        server.start()
        client = self.open_client(server)
        self.assertEqual(client.account(type_id, "main", "u")["balance"], 4)
        eventually(lambda: [flow["balance"] for flow in client.flows("u")] == [4], "the flow arrives, once")

    def test_a_start_waits_for_a_database_that_is_still_starting(self):
        postgres = self.open(PostgresServer())
        postgres.stop()
        server = Server("--sql", postgres.url)
        self.addCleanup(server.close)
        server.begin()
        with self.symptom("SQL is away when a server starts") as row:
            row.log(server)
        postgres.start()
        server.wait_for_address()
        self.assertEqual(self.open_client(server).get("/readyz").status, 200)


class Stopping(OutageCase):
    def test_sigterm_ends_it_cleanly_and_the_next_start_has_everything(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            server = self.open(Server())
            client = self.open_client(server)
            type_id = client.new_type("points")
            load = self.load_on(server, type_id, clients=3)
            load.wait_for_more(100)
            redis_pid = server.redis_pid()
            server.signal(number)
            self.assertEqual(server.wait(), 0)
            eventually(lambda: not is_alive(redis_pid), "redis-server is gone")
            self.assertIn('"message":"stopped"', server.log())
            server.start()
            load.wait_for_more(20)
            load.stop()
            load.verify(self, self.open_client(server))

    def test_a_request_that_runs_is_finished_before_the_end(self):
        server = self.open(Server())
        client = self.open_client(server)
        type_id = client.new_type("points")
        body = f'{{"order_id":"slow","op":"add","type":{type_id},"domain":"main","uid":"u","amount":7}}'.encode()
        head = (f"POST /v1/ledger/entries HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {server.token}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode()
        with socket.create_connection(server.address, timeout=PATIENCE_S) as slow:
            slow.sendall(head + body[:10])
            time.sleep(0.2)  # so that the request has begun; otherwise the connection would be closed as idle
            server.signal(signal.SIGTERM)
            eventually(lambda: '"stopping"' in server.log() or self.refuses(server.address), "it stops accepting")
            slow.sendall(body[10:])
            answer = b""
            while piece := slow.recv(4096):
                answer += piece
        self.assertTrue(answer.startswith(b"HTTP/1.1 200 OK\r\n"), answer)
        self.assertIn(b'"balance":7', answer)
        self.assertIn(b"Connection: close", answer)
        self.assertEqual(server.wait(), 0)
        server.start()
        client = self.open_client(server)
        self.assertEqual(client.account(type_id, "main", "u")["balance"], 7)
        self.assertEqual([flow["order_id"] for flow in client.flows("u")], ["slow"])

    @staticmethod
    def refuses(address):
        try:
            socket.create_connection(address, timeout=1).close()
            return False
        except OSError:
            return True

    def test_a_second_sigterm_forces_the_end(self):
        server = self.open(Server())
        client = self.open_client(server)
        type_id = client.new_type("points")
        self.assertEqual(client.entry(**self.entry(type_id, amount=3)).status, 200)
        redis_pid = server.redis_pid()
        with socket.create_connection(server.address, timeout=PATIENCE_S) as slow:
            slow.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n")  # never complete, so the drain waits for it
            time.sleep(0.2)
            server.signal(signal.SIGTERM)
            eventually(lambda: self.refuses(server.address), "it stops accepting")
            self.assertIsNone(server.process.poll())
            server.signal(signal.SIGTERM)
            self.assertEqual(server.wait(), 1)
        self.assertIn("stopped by force", server.log())
        eventually(lambda: not is_alive(redis_pid), "redis-server follows")
        server.start()
        self.assertEqual(self.open_client(server).account(type_id, "main", "u")["balance"], 3)


class Keys(OutageCase):
    def key(self, server, *args):
        done = run_larder("key", args[0], "--data", server.data, *args[1:])
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_new_key_works_at_once_and_a_revoked_one_stops(self):
        server = self.open(Server("--set", "log.level=debug"))
        self.assertEqual(self.open_client(server).get(TYPES).status, 200)
        tokens = []
        for number in range(2):
            token = self.key(server, "create", "--name", f"bot{number}", "--scope", "ledger").strip()
            tokens.append(token)
            client = self.open_client(server, token=token)
            self.assertEqual(client.get(TYPES).status, 200, "the first request with a new key")
            self.key(server, "revoke", token.split("_")[1])
            answer = eventually(lambda: (a := client.get(TYPES)).status == 401 and a, "the key stops working")
            self.assert_problem(answer, 401, "unauthorized")
        listed = self.key(server, "list")
        time.sleep(1.1)  # the log is written once a second
        server.stop()
        log = server.log()
        for token in [*tokens, server.token]:
            secret = token.split("_")[2]
            self.assertNotIn(secret, listed)
            self.assertNotIn(secret, log)
            self.assertIn(token.split("_")[1], log, "the log names the key")

    def test_a_new_key_works_at_once_for_many_requests_together(self):
        server = self.open(Server())
        token = self.key(server, "create", "--name", "bot", "--scope", "ledger").strip()
        clients = [self.open_client(server, token=token) for _ in range(16)]
        for client in clients:
            client.get("/livez")  # connects the client
        barrier = threading.Barrier(len(clients))

        def first_request(client):
            barrier.wait()
            return client.get(TYPES).status

        with ThreadPoolExecutor(len(clients)) as pool:
            self.assertEqual(list(pool.map(first_request, clients)), [200] * len(clients))

    def test_keys_made_beside_a_server_under_load_disturb_nothing(self):
        server = self.open(Server())
        client = self.open_client(server)
        load = self.load_on(server, client.new_type("points"))
        for number in range(5):
            self.key(server, "create", "--name", f"bot{number}", "--scope", "ledger")
        load.wait_for_more(50)
        load.stop()
        load.verify(self, client)
        self.assertEqual(self.key(server, "list").count("bot"), 5)


if __name__ == "__main__":
    main()
