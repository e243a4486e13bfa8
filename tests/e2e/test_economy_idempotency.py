"""Idempotency-Key on every move: the same request gets the same answer again, and nothing happens twice."""
import threading

from economy import EconomyCase, Realm, new_name
from harness import main, run_larder

# Each move that succeeds, with another body for the same key; then each move that a script refuses.
DONE = [
    ("/players/ann/farm", {"name": "Ann"}, {"name": "Other"}),
    ("/players/ann/pay", {"to": "bob", "amount": 3}, {"to": "bob", "amount": 4}),
    ("/players/ann/rewards/daily", None, {"guild_id": "1"}),
    ("/players/ann/rewards/weekly", {}, {"guild_id": "1"}),
    ("/players/ann/gamble", {"amount": 10}, {"amount": "all"}),
    ("/players/ann/discombobulate", {"target": "bob", "amount": 50}, {"target": "bob", "amount": 51}),
    ("/players/ann/trade", {"to": "bob", "item": "herb", "quantity": 2}, {"to": "bob", "item": "herb", "quantity": 1}),
    ("/players/ann/craft", {"item": "cross"}, {"item": ":cross:"}),
    ("/players/ann/use", {"item": "satellite"}, {"item": "shoe"}),
    ("/players/ann/use", {"item": "shoe"}, {"item": "satellite"}),
    ("/players/ann/use", {"item": "chopsticks"}, {"item": "shoe"}),
    ("/players/ann/use", {"item": "wand", "target": "bob"}, {"item": "wand", "target": "cat"}),
    ("/players/ann/bomb", {"seconds": 5000}, {"seconds": 5001}),
    ("/players/ann/inspect", {"target": "bob"}, {"target": "cat"}),
    ("/roulettes", None, {"guild_id": "1"}),
    ("/roulettes/loaded/shots", {"player": "ann"}, {"player": "bob"}),
]
REFUSED = [
    ("/players/max/farm", {"name": "Max"}, "balance_limit"),
    ("/players/ann/pay", {"to": "bob", "amount": 10**6}, "insufficient_balance"),
    ("/players/ann/pay", {"to": "max", "amount": 1}, "balance_limit"),
    ("/players/cat/rewards/daily", None, "reward_not_ready"),
    ("/players/ann/gamble", {"amount": 10**6}, "insufficient_balance"),
    ("/players/ann/discombobulate", {"target": "bob", "amount": 1}, "offer_too_low"),
    ("/players/cat/discombobulate", {"target": "bob", "amount": 1}, "on_cooldown"),
    ("/players/ann/trade", {"to": "bob", "item": "herb", "quantity": 100}, "not_enough_items"),
    ("/players/ann/trade", {"to": "bob", "item": "herb", "quantity": 19}, "stack_full"),
    ("/players/ann/trade", {"to": "bob", "item": "wand", "quantity": 1}, "not_tradable"),
    ("/players/ann/craft", {"item": "wand"}, "stack_full"),
    ("/players/bob/craft", {"item": "wand"}, "not_enough_items"),
    ("/players/eve/craft", {"item": "gear"}, "insufficient_balance"),
    ("/players/ann/craft", {"item": "bone"}, "not_craftable"),
    ("/players/ann/use", {"item": "cross"}, "not_usable"),
    ("/players/eve/use", {"item": "cross"}, "not_enough_items"),
    ("/players/eve/bomb", {"seconds": 1}, "not_enough_items"),
    ("/players/eve/inspect", {"target": "bob"}, "insufficient_balance"),
    ("/roulettes/never/shots", {"player": "ann"}, "roulette_not_found"),
]


class Keys(EconomyCase):
    def setUp(self):
        super().setUp()
        self.new_realm()

    def new_realm(self):
        """A realm with everything that the moves above need."""
        self.realm = Realm(self.server.redis_socket, new_name("realm"))
        fill = self.realm.filling
        self.realm.run(
            *fill("ann", 1000, herb=19, satellite=1, athletic_shoe=1, chopsticks=1, magic_wand=1, bomb=1, cross=1),
            *fill("bob", 100, herb=3), *fill("cat", 100), *fill("max", 2**53 - 1),
            ("SET", "cat:daily", 1, "EX", 5000), ("SET", "cat:discombobulate", 1, "EX", 5000),
            ("HSET", "roulette:loaded", "left", 5, "drawn", 6, "seed", 1))

    @staticmethod
    def said(answer):
        return answer.status, {name: value for name, value in answer.json.items() if name != "request_id"}

    def assert_again(self, path, body, key, first):
        state = self.realm.state()
        for _ in range(2):
            again = self.send("POST", path, body, key)
            self.assertEqual(self.said(again), self.said(first))
            self.assertEqual(again.headers["Idempotency-Replayed"], "true")
        self.assertEqual(self.realm.state(), state)

    def test_a_move_that_is_sent_again_is_not_made_again(self):
        for path, body, other in DONE:
            with self.subTest(path=path, body=body):
                self.new_realm()
                key = new_name("key")
                first = self.send("POST", path, body, key)
                self.assertIn(first.status, (200, 201), first)
                self.assertNotIn("Idempotency-Replayed", first.headers)
                self.assert_again(path, body, key, first)
                state = self.realm.state()
                self.assert_problem(self.send("POST", path, other, key), 422, "idempotency_conflict")
                self.assert_problem(self.send("POST", "/players/eve/rewards/daily", None, key), 422,
                                    "idempotency_conflict")
                self.assertEqual(self.realm.state(), state)

    def test_a_refusal_is_answered_again_as_it_was_although_it_would_be_possible_now(self):
        for path, body, code in REFUSED:
            with self.subTest(path=path, body=body):
                self.new_realm()
                key = new_name("key")
                first = self.send("POST", path, body, key)
                self.assertEqual(first.json.get("code"), code, first)
                self.assertNotIn("Idempotency-Replayed", first.headers)
                self.assert_again(path, body, key, first)
                self.assert_problem(self.send("POST", path, (body or {}) | {"guild_id": "9"}, key), 422,
                                    "idempotency_conflict")
        poor = {"to": "ann", "amount": 5}
        key = new_name("key")
        first = self.send("POST", "/players/eve/pay", poor, key)
        self.assertEqual(first.json["code"], "insufficient_balance")
        self.done("ann", "pay", to="eve", amount=50)
        self.assert_again("/players/eve/pay", poor, key, first)
        self.assertEqual(self.owns("eve"), (50, {}))

    def test_what_is_wrong_in_itself_is_refused_again_and_keeps_no_key(self):
        for what, body, status, code in (("pay", {"to": "ann", "amount": 1}, 409, "self_target"),
                                         ("craft", {"item": "sword"}, 409, "unknown_item"),
                                         ("use", {"item": "herb"}, 409, "not_usable"),
                                         ("rewards/hourly", {}, 404, "reward_not_found"),
                                         ("pay", {"to": "bob", "amount": 0}, 400, "invalid_request")):
            key = new_name("key")
            for _ in range(2):
                answer = self.move("ann", what, key, **body)
                self.assertEqual((answer.status, answer.json["code"]), (status, code), answer)
            self.assertEqual(self.move("ann", "pay", key, to="bob", amount=1).status, 200)

    def test_a_key_belongs_to_one_realm_and_route(self):
        for path, body in (("/players/ann/pay", {"to": "bob", "amount": 3}),
                           ("/players/ann/pay", {"to": "bob", "amount": 10**6})):
            key = new_name("key")
            first = self.send("POST", path, body, key)
            home, state = self.realm, self.realm.state()
            self.new_realm()
            there = self.realm.state()
            self.assert_problem(self.send("POST", path, body, key), 422, "idempotency_conflict")
            self.assertEqual(self.realm.state(), there)
            answer = self.client.post("/v1/messages", {"text": "x", "author_id": "a", "target_id": "t",
                                                       "rule": {"tokens": 1, "seconds": 1}},
                                      headers={"Idempotency-Key": key})
            self.assert_problem(answer, 422, "idempotency_conflict")
            self.realm = home
            self.assert_again(path, body, key, first)
            self.assertEqual(self.realm.state(), state)

    def test_a_key_of_a_route_that_keeps_it_elsewhere_is_no_key_of_a_move(self):
        key = new_name("key")
        made = self.client.post("/v1/ledger/types", {"name": key}, headers={"Idempotency-Key": key})
        self.assertEqual(made.status, 201, made)
        self.assert_problem(self.move("ann", "pay", key, to="bob", amount=1), 422, "idempotency_conflict")
        again = self.client.post("/v1/ledger/types", {"name": key}, headers={"Idempotency-Key": key})
        self.assertEqual((again.status, again.headers["Idempotency-Replayed"]), (201, "true"))

    def test_of_many_at_once_one_is_made(self):
        for path, body, _ in DONE:
            with self.subTest(path=path, body=body):
                self.new_realm()
                key, answers = new_name("key"), []

                def send():
                    client = self.server.client()
                    answers.append(client.post(self.path(path), body, headers={"Idempotency-Key": key}))
                    client.close()

                threads = [threading.Thread(target=send) for _ in range(6)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                self.assertEqual(len({answer.raw for answer in answers}), 1, answers)
                self.assertIn(answers[0].status, (200, 201), answers)
                self.assertEqual(sum("Idempotency-Replayed" not in answer.headers for answer in answers), 1)
                self.assert_again(path, body, key, answers[0])

    def test_every_caller_has_keys_of_its_own(self):
        made = run_larder("key", "create", "--name", "another", "--scope", "economy", "--data", self.server.data)
        another = self.server.client(made.stdout.strip())
        self.addCleanup(another.close)
        key, body = new_name("key"), {"to": "bob", "amount": 3}
        self.assertEqual(self.send("POST", "/players/ann/pay", body, key).json["balance"], 997)
        self.assertEqual(self.send("POST", "/players/ann/pay", body, key, client=another).json["balance"], 994)

    def test_a_bad_key_is_refused_by_name(self):
        for key in ("x" * 129, "with space", "tab\there"):
            answer = self.send("POST", "/players/ann/pay", {"to": "bob", "amount": 3}, key)
            self.assert_problem(answer, 400, "invalid_request", "Idempotency-Key")
        self.assertEqual(self.move("ann", "pay", "x" * 128, to="bob", amount=3).status, 200)


if __name__ == "__main__":
    main()
