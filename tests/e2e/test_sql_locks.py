"""Somebody keeps a row of the SQL database locked. Only requests that need that row wait, and not for ever."""
import subprocess
import threading
import uuid

from harness import Case, PostgresServer, Server, eventually, main

TYPES = "/v1/ledger/types"
MESSAGES = "/v1/messages"


class Transaction:
    """A transaction that stays open until it is closed."""

    def __init__(self, postgres, statement):
        self.process = subprocess.Popen([postgres._bin / "psql", "-h", postgres.home, "-U", "larder", "-d", "postgres", "-qAt"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(f"BEGIN; {statement}; SELECT 'locked';\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "locked\n"

    def close(self):
        if self.process.poll() is None:
            self.process.communicate("ROLLBACK;\n")


class SqlLocks(Case):
    def setUp(self):
        self.postgres = self.open(PostgresServer())
        self.server = self.open(Server("--sql", self.postgres.url))
        self.client = self.new_client()
        self.type_id = self.client.new_type("points")

    def new_client(self):
        client = self.server.client()
        self.addCleanup(client.close)
        return client

    def lock(self, statement):
        transaction = Transaction(self.postgres, statement)
        self.addCleanup(transaction.close)
        return transaction

    def in_background(self, count, send):
        """The answers, which arrive while the test continues, and the threads."""
        answers = []
        clients = [self.new_client() for _ in range(count)]
        threads = [threading.Thread(target=lambda client=client: answers.append(send(client)), daemon=True)
                   for client in clients]
        for thread in threads:
            thread.start()
        return answers, threads

    def test_stuck_changes_of_messages_stop_nothing_else(self):
        draft = {"text": "hello", "author_id": "a", "target_id": "t", "rule": {"tokens": 1, "seconds": 1}}
        self.assertEqual(self.client.post(MESSAGES, draft).status, 201)
        transaction = self.lock("UPDATE message_clock SET version = version")
        answers, threads = self.in_background(12, lambda client: client.post(MESSAGES, draft))
        waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        eventually(lambda: self.postgres.query(waiting) >= ["1"], "the changes wait for the lock")
        for number in range(1, 20):
            entry = {"order_id": uuid.uuid4().hex, "op": "add", "type": self.type_id, "domain": "main", "uid": "u"}
            self.assertEqual(self.client.entry(**entry, amount=1).status, 200)
            self.assertEqual(self.client.get(TYPES).status, 200)
            self.assertEqual(self.client.get("/readyz").status, 200, self.client.get("/readyz?verbose"))
            eventually(lambda: len(self.client.flows("u")) == number, "the projector goes on")
        transaction.close()
        for thread in threads:
            thread.join()
        for answer in answers:
            if answer.status != 201:
                self.assert_problem(answer, 503, "store_unavailable", outcome_unknown=False)
        self.assertEqual(self.client.post(MESSAGES, draft).status, 201, "and afterwards all is well")

    def test_what_waits_for_a_lock_is_refused_in_the_end(self):
        draft = {"text": "hello", "author_id": "a", "target_id": "t", "rule": {"tokens": 1, "seconds": 1}}
        transaction = self.lock("UPDATE message_clock SET version = version")
        key = {"Idempotency-Key": uuid.uuid4().hex}
        answers, threads = self.in_background(8, lambda client: client.post(MESSAGES, draft, headers=key))
        for thread in threads:
            thread.join()
        refused = [answer for answer in answers if answer.json["code"] != "in_progress"]
        self.assertTrue(refused)
        with self.symptom("somebody keeps a row or a table of SQL locked") as row:
            for answer in refused:
                self.assert_problem(answer, 503, "store_unavailable", outcome_unknown=False)
                row.answer(answer)
            row.log(self.server)
        transaction.close()
        self.assertEqual(self.client.post(MESSAGES, draft, headers=key).status, 201)
        self.assertEqual(self.client.post(MESSAGES, draft, headers=key).headers["Idempotency-Replayed"], "true")
        self.assertEqual(self.postgres.query("SELECT count(*) FROM message"), ["1"])

    def test_a_locked_message_holds_up_only_its_own_changes(self):
        draft = {"text": "hello", "author_id": "a", "target_id": "t", "rule": {"tokens": 1, "seconds": 1}}
        locked, other = (self.client.post(MESSAGES, draft).json["id"] for _ in range(2))
        transaction = self.lock(f"UPDATE message SET version = version WHERE id = {locked}")
        answers, threads = self.in_background(
            1, lambda client: client.send("PATCH", f"{MESSAGES}/{locked}", {"text": "stuck"}))
        eventually(lambda: self.postgres.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"),
                   "the change waits for the lock")
        for text in ("a", "b", "c"):
            answer = self.client.send("PATCH", f"{MESSAGES}/{other}", {"text": text})
            self.assertEqual((answer.status, answer.json["text"]), (200, text), answer)
        transaction.close()
        threads[0].join()
        self.assertIn(answers[0].status, (200, 503), answers)


if __name__ == "__main__":
    main()
