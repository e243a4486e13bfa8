"""Idempotency-Key: the same write gets the same answer again."""
import threading
import uuid

from harness import SharedServerCase, main, run_larder

TYPES = "/v1/ledger/types"
ORDERS = "/v1/ledger/orders"


class IdempotencyKey(SharedServerCase):
    def setUp(self):
        super().setUp()
        self.key = uuid.uuid4().hex

    def post(self, path, body, key=None, client=None):
        return (client or self.client).post(path, body, headers={"Idempotency-Key": self.key if key is None else key})

    def test_the_same_request_answers_the_same_again(self):
        body = {"name": uuid.uuid4().hex}
        first = self.post(TYPES, body)
        self.assertEqual(first.status, 201, first)
        self.assertNotIn("Idempotency-Replayed", first.headers)
        again = self.post(TYPES, body)
        self.assertEqual((again.status, again.raw), (201, first.raw))
        self.assertEqual(again.headers["Idempotency-Replayed"], "true")
        # Without the key, it is a second type with that name.
        self.assertEqual(self.client.post(TYPES, body).json["code"], "type_exists")

    def test_a_change_that_is_sent_again_is_not_made_again(self):
        first, other = (self.client.new_type(uuid.uuid4().hex) for _ in range(2))
        rate = f"/v1/ledger/rates/{first}/{other}"
        cases = [("PATCH", f"{TYPES}/{first}", {"remark": "old"}, {"remark": "new"}),
                 ("PUT", rate, {"numerator": 1, "denominator": 1}, {"numerator": 2, "denominator": 1})]
        for method, path, change, later in cases:
            headers = {"Idempotency-Key": uuid.uuid4().hex}
            answer = self.client.send(method, path, change, headers=headers)
            self.assertEqual(answer.status, 200, answer)
            self.assertEqual(self.client.send(method, path, later).status, 200)
            again = self.client.send(method, path, change, headers=headers)
            self.assertEqual((again.status, again.raw), (200, answer.raw))
            self.assertEqual(again.headers["Idempotency-Replayed"], "true")
            conflict = self.client.send(method, path, later, headers=headers)
            self.assertEqual((conflict.status, conflict.json["code"]), (422, "idempotency_conflict"), conflict)
        self.assertEqual(self.client.get(f"{TYPES}/{first}").json["remark"], "new")
        base = {"domain": "main", "uid": "u", "amount": 3}
        self.client.entry(order_id="a", op="add", type=first, **base)
        exchange = base | {"order_id": "x", "from_type": first, "to_type": other}
        self.assertEqual(self.client.post("/v1/ledger/exchanges", exchange).json["credited"], 6, "at the later rate")

    def test_a_refusal_is_answered_again_as_it_was(self):
        body = {"type": 999999, "domain": "main", "uid": "u"}
        first = self.post(ORDERS, body)
        self.assertEqual(first.json["code"], "type_not_found")
        again = self.post(ORDERS, body)
        self.assertEqual((again.status, again.raw), (first.status, first.raw))
        self.assertEqual(again.headers["Content-Type"], "application/problem+json")
        self.assertEqual(again.headers["Idempotency-Replayed"], "true")

    def test_the_same_key_for_another_request_is_a_conflict(self):
        self.assertEqual(self.post(TYPES, {"name": uuid.uuid4().hex}).status, 201)
        for path, body in [(TYPES, {"name": uuid.uuid4().hex}), (ORDERS, {"type": 1, "domain": "main", "uid": "u"})]:
            answer = self.post(path, body)
            self.assertEqual((answer.status, answer.json["code"]), (422, "idempotency_conflict"), answer)

    def test_every_caller_has_keys_of_its_own(self):
        body = {"name": uuid.uuid4().hex}
        self.assertEqual(self.post(TYPES, body).status, 201)
        made = run_larder("key", "create", "--name", "another", "--scope", "ledger", "--data", self.server.data)
        with_another = self.server.client(made.stdout.strip())
        self.addCleanup(with_another.close)
        self.assertEqual(self.post(TYPES, body, client=with_another).json["code"], "type_exists")

    def test_a_bad_key_is_refused_by_name(self):
        for key in ["", "x" * 129, "with space", "tab\there"]:
            with self.subTest(key=key):
                answer = self.post(TYPES, {"name": uuid.uuid4().hex}, key=key)
                self.assertEqual((answer.status, answer.json["field"]), (400, "Idempotency-Key"), answer)

    def test_of_many_at_once_one_runs(self):
        body = {"name": uuid.uuid4().hex}
        answers = []

        def send():
            client = self.server.client()
            answers.append(self.post(TYPES, body, client=client))
            client.close()

        threads = [threading.Thread(target=send) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        made = [a for a in answers if a.status == 201]
        self.assertGreaterEqual(len(made), 1)
        self.assertEqual(len({a.raw for a in made}), 1)
        self.assertEqual(sum("Idempotency-Replayed" not in a.headers for a in made), 1)
        for answer in answers:
            if answer.status != 201:
                self.assertEqual((answer.status, answer.json["code"]), (409, "in_progress"), answer)
                self.assertEqual((answer.headers["Retry-After"], answer.json["retry_after_s"]), ("1", 1), answer)


if __name__ == "__main__":
    main()
