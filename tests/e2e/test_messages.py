"""Messages as a bot sees them: created, changed, deleted and selected, and their history; on one server and on
two."""
import json
import random
import re
import uuid

from harness import (LONG, SEED, TIME, Case, PostgresServer, RedisServer, Server, SharedServerCase, TracelessCase, crash,
                     choose_crashes, eventually, main, redis_cli, run_larder)
from bad_input import BAD_IDS, BAD_UTF8, BAD_WHOLE, JUNK
from event_stream import Listener
from messages_load import MESSAGES, MessagesLoad

OFTEN = {"tokens": 1_000_000, "seconds": 1}


def draft(target, rule=None, **more):
    return {"text": "hello", "author_id": "author", "target_id": target, "rule": rule or OFTEN, **more}


class Bot:
    """A client of the messages."""

    def __init__(self, case, client):
        self.case, self.client = case, client
        case.addCleanup(client.close)

    def make(self, target, rule=None, **more):
        answer = self.client.post(MESSAGES, draft(target, rule, **more))
        self.case.assertEqual(answer.status, 201, answer)
        return answer.json

    def change(self, message, **fields):
        answer = self.client.send("PATCH", f"{MESSAGES}/{message['id']}", fields)
        self.case.assertEqual(answer.status, 200, answer)
        return answer.json

    def delete(self, message):
        answer = self.client.send("DELETE", f"{MESSAGES}/{message['id']}")
        self.case.assertEqual((answer.status, answer.raw), (204, b""), answer)

    def select(self, user, **more):
        answer = self.client.post(f"{MESSAGES}/select", {"user_id": user}, **more)
        self.case.assertEqual(answer.status, 200, answer)
        return answer.json

    def chosen(self, user):
        message = self.select(user)["message"]
        return message and message["id"]

    def listed(self, path):
        items, cursor = [], None
        while True:
            answer = self.client.get(path + (f"&cursor={cursor}" if cursor else ""))
            self.case.assertEqual(answer.status, 200, answer)
            items += answer.json["items"]
            cursor = answer.json["next_cursor"]
            if cursor is None:
                return items

    def history(self, user, limit=2):
        return [item["message_id"] for item in self.listed(f"{MESSAGES}/users/{user}/history?limit={limit}")]


class Api(SharedServerCase):
    def setUp(self):
        super().setUp()
        self.bot = Bot(self, self.client)
        self.user = uuid.uuid4().hex

    def test_a_message_is_made_read_changed_and_deleted(self):
        made = self.bot.make(self.user, {"tokens": 3, "seconds": 60}, text="größer 🍕")
        self.assertRegex(made["id"], r"^\d+$")
        self.assertRegex(made["created_at"], TIME)
        self.assertEqual(made, {
            "id": made["id"], "text": "größer 🍕", "author_id": "author", "target_id": self.user, "active": True,
            "rule": {"tokens": 3, "seconds": 60, "refill": "interval"}, "created_at": made["created_at"],
            "changed_at": made["created_at"]})
        self.assertEqual(self.client.get(f"{MESSAGES}/{made['id']}").json, made)
        changed = self.bot.change(made, text="other", active=False, rule={"seconds": 5, "refill": "continuous"})
        self.assertEqual(changed, made | {"text": "other", "active": False, "changed_at": changed["changed_at"],
                                          "rule": {"tokens": 3, "seconds": 5, "refill": "continuous"}})
        self.assertEqual(self.client.get(f"{MESSAGES}/{made['id']}").json, changed)
        self.bot.delete(made)
        for method in ("GET", "DELETE"):
            self.assert_problem(self.client.send(method, f"{MESSAGES}/{made['id']}"), 404, "message_not_found")
        self.assert_problem(self.client.send("PATCH", f"{MESSAGES}/{made['id']}", {}), 404, "message_not_found")

    def test_a_list_has_those_of_a_target_page_by_page(self):
        made = [self.bot.make(self.user, text=f"{number}") for number in range(5)]
        self.bot.make("somebody-else")
        self.assertEqual(self.bot.listed(f"{MESSAGES}?target_id={self.user}&limit=2"), made)
        self.assertGreaterEqual(len(self.bot.listed(f"{MESSAGES}?limit=3")), 6)

    def test_each_is_sent_once_before_any_twice_then_the_least_recent_one(self):
        made = {self.bot.make(self.user)["id"] for _ in range(6)}
        first = self.bot.select(self.user)
        self.assertEqual(sorted(first), ["message", "roll", "sent_at", "tokens_left"])
        self.assertEqual(first["tokens_left"], OFTEN["tokens"] - 1)
        self.assertEqual(sorted(first["roll"]), ["among", "seed", "values"])
        order = [first["message"]["id"]] + [self.bot.chosen(self.user) for _ in range(5)]
        self.assertEqual(set(order), made)
        self.assertEqual([self.bot.chosen(self.user) for _ in range(6)], order)
        self.assertIsNone(self.bot.select(self.user)["roll"])
        self.assertEqual(self.bot.history(self.user), [order[0], *reversed(order[1:])])

    def test_without_tokens_it_tells_when_there_will_be_some(self):
        self.assertEqual(self.bot.select(self.user), {"message": None, "retry_at": None})
        made = self.bot.make(self.user, {"tokens": 1, "seconds": 3600})
        sent = self.bot.select(self.user)
        self.assertEqual((sent["message"]["id"], sent["tokens_left"]), (made["id"], 0))
        refused = self.bot.select(self.user)
        self.assertIsNone(refused["message"])
        self.assertEqual(refused["retry_at"][14:], sent["sent_at"][14:])  # an hour later
        self.assertEqual(self.client.get(f"{MESSAGES}/{made['id']}").json, sent["message"])

    def test_deactivating_keeps_the_history_and_deleting_does_not(self):
        made = [self.bot.make(self.user) for _ in range(2)]
        order = [self.bot.chosen(self.user) for _ in range(2)]
        self.bot.change(made[0], active=False)
        self.assertEqual(self.bot.history(self.user), order[::-1])
        self.assertEqual({self.bot.chosen(self.user) for _ in range(3)}, {made[1]["id"]})
        self.bot.delete(made[0])
        self.assertEqual(self.bot.history(self.user), [made[1]["id"]])
        self.bot.delete(made[1])
        self.assertEqual(self.bot.history(self.user), [])
        self.assertEqual(self.bot.select(self.user), {"message": None, "retry_at": None})

    def test_a_retry_with_an_idempotency_key_is_not_a_second_selection(self):
        self.bot.make(self.user, {"tokens": 5, "seconds": 3600})
        headers = {"Idempotency-Key": self.user}
        first = self.bot.select(self.user, headers=headers)
        self.assertEqual(self.bot.select(self.user, headers=headers), first)
        self.assertEqual(self.bot.select(self.user)["tokens_left"], 3)

    def test_what_happens_is_told_on_the_event_stream_and_counted(self):
        before = self.selections()
        listener = Listener(self.server.address, self.server.token, f"?system=messages&user_id={self.user}")
        self.addCleanup(listener.close)
        made = self.bot.make(self.user, {"tokens": 2, "seconds": 3600})
        self.bot.select(self.user)
        self.bot.change(made, text="other", rule={"tokens": 1})
        self.bot.select(self.user)
        self.bot.select(self.user)
        self.bot.delete(made)
        self.bot.select(self.user)
        eventually(lambda: len(listener.events) >= 5, "all are told")
        told = [event.data for event in listener.events]
        self.assertEqual([event["type"] for event in told], ["created", "selected", "changed", "selected", "deleted"])
        self.assertEqual([event["data"]["message_id"] for event in told], [made["id"]] * 5)
        self.assertEqual([told[1]["data"]["tokens_left"], told[3]["data"]["tokens_left"]], [1, 0])
        after = self.selections()
        self.assertEqual({outcome: after[outcome] - before[outcome] for outcome in after},
                         {"selected": 2, "refused_by_rate": 1, "empty": 1})

    def test_a_message_that_goes_to_another_user_is_told_to_both(self):
        listener = Listener(self.server.address, self.server.token, f"?system=messages&user_id={self.user}")
        self.addCleanup(listener.close)
        made = self.bot.make(self.user)
        self.bot.change(made, target_id="another")
        eventually(lambda: len(listener.events) >= 2, "both are told")
        self.assertEqual([event.data["type"] for event in listener.events], ["created", "changed"])

    def test_a_change_of_nothing_changes_nothing(self):
        made = self.bot.make(self.user)
        self.assertEqual(self.bot.change(made), made)
        self.assert_problem(self.client.send("PATCH", f"{MESSAGES}/{made['id']}"), 400, "invalid_request")

    def selections(self):
        text = self.client.get("/metrics").raw.decode()
        found = re.findall(r'^larder_messages_selections_total\{outcome="(\w+)"\} (\d+)', text, re.M)
        return {outcome: int(count) for outcome, count in found}

    def test_a_key_needs_the_scope(self):
        token = run_larder("key", "create", "--data", self.server.data, "--name", "other", "--scope", "ledger")
        client = self.server.client(token.stdout.split()[-1])
        self.addCleanup(client.close)
        self.assert_problem(client.get(MESSAGES), 403, "forbidden")
        self.assert_problem(client.post(f"{MESSAGES}/select", {"user_id": "u"}), 403, "forbidden")


class BadInput(TracelessCase):
    BAD = {
        "text": [*JUNK, "1", '""', json.dumps("x" * 2001), json.dumps("🍕" * 2001), '"a\\u0000b"'],
        "author_id": [*JUNK, "1", *map(json.dumps, BAD_IDS)],
        "target_id": [*JUNK, "1", *map(json.dumps, BAD_IDS)],
        "active": ["1", "0", '"true"', "[]", "{}"],
    }
    BAD_RULE = {"tokens": [*BAD_WHOLE, '"5"', "0", "1000000001"], "seconds": [*BAD_WHOLE, '"5"', "0", "1000000001"],
                "refill": [*JUNK, "1", '""', '"Interval"', '"lazy"']}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        client = cls.server.client()
        cls.message = client.post(MESSAGES, draft("ada")).json
        client.post(f"{MESSAGES}/select", {"user_id": "ada"})
        client.close()
        seen = lambda: redis_cli(cls.server.redis_socket, "GET", "{messages}:caught_up").strip()
        eventually(lambda: seen() not in ("", "0"), "the server has looked at the change")

    def refused(self, method, path, body, field):
        with self.subTest(method=method, path=path, body=body[:200], field=field):
            self.assert_problem(self.client.send(method, path, body), 400, "invalid_request", field)

    def test_a_bad_value_of_any_field_is_refused_by_name(self):
        whole = draft("ada")
        for method, path in (("POST", MESSAGES), ("PATCH", f"{MESSAGES}/{self.message['id']}")):
            for name, bad in self.BAD.items():
                for text in bad:
                    self.refused(method, path, json.dumps(whole | {name: "@@"}).replace('"@@"', text), name)
            for name, bad in self.BAD_RULE.items():
                for text in bad:
                    rule = json.dumps(OFTEN | {name: "@@"}).replace('"@@"', text)
                    self.refused(method, path, json.dumps(whole | {"rule": "@@"}).replace('"@@"', rule), f"rule.{name}")
            for name in ("x", "id", "created_at", "version"):
                self.refused(method, path, json.dumps(whole | {name: 1}), name)
            self.refused(method, path, json.dumps(whole | {"rule": OFTEN | {"x": 1}}), "rule.x")
            for bad in BAD_UTF8:
                self.refused(method, path, json.dumps(whole).encode().replace(b"hello", bad), None)

    def test_a_field_that_is_required_is_required_by_name(self):
        whole = draft("ada")
        for name in whole:
            self.refused("POST", MESSAGES, json.dumps({key: value for key, value in whole.items() if key != name}), name)
        for name in OFTEN:
            rule = {key: value for key, value in OFTEN.items() if key != name}
            self.refused("POST", MESSAGES, json.dumps(whole | {"rule": rule}), f"rule.{name}")
        self.refused("POST", f"{MESSAGES}/select", "{}", "user_id")

    def test_a_bad_parameter_is_refused_by_name(self):
        for method in ("GET", "PATCH", "DELETE"):
            for bad in ("0", "-1", "x", "1.5", "9" * 30):
                self.refused(method, f"{MESSAGES}/{bad}", "{}", "id")
        for query, field in (("target_id=a%20b", "target_id"), ("limit=0", "limit"), ("limit=501", "limit"),
                             ("cursor=x", "cursor"), ("cursor=-1", "cursor"), ("x=1", "x")):
            self.refused("GET", f"{MESSAGES}?{query}", "", field)
        for query, field in (("cursor=x", "cursor"), ("cursor=1e5", "cursor"), ("cursor=1.2.3", "cursor"),
                             ("cursor=.", "cursor"), ("cursor=inf", "cursor"), ("limit=x", "limit")):
            self.refused("GET", f"{MESSAGES}/users/ada/history?{query}", "", field)
        self.refused("GET", f"{MESSAGES}/users/a%20b/history", "", "user_id")
        for body in ('{"user_id": 1}', '{"user_id": "a b"}'):
            self.refused("POST", f"{MESSAGES}/select", body, "user_id")
        self.refused("POST", f"{MESSAGES}/select", '{"user_id": "u", "seed": 1}', "seed")


class TwoServers(Case):
    def test_a_change_on_one_counts_on_the_other(self):
        redis, postgres = self.open(RedisServer()), self.open(PostgresServer())
        servers = [self.open(Server("--redis", redis.url, "--sql", postgres.url)) for _ in range(2)]
        token = next(server.token for server in servers if (server.data / "admin.key").exists())
        one, other = (Bot(self, server.client(token)) for server in servers)
        made = one.make("ada")
        self.assertEqual(other.select("ada")["message"]["text"], "hello")
        one.change(made, text="changed")
        self.assertEqual(other.select("ada")["message"]["text"], "changed")
        one.change(made, active=False)
        self.assertIsNone(other.chosen("ada"))
        new = one.make("ada")
        self.assertEqual(other.chosen("ada"), new["id"])
        other.delete(new)
        self.assertIsNone(one.chosen("ada"))
        self.assertEqual(one.history("ada"), [made["id"]])


class Crash(Case):
    """kill -9 while messages are selected and changed: no bucket exceeds its rate, and nothing acknowledged is
    lost."""

    ROUNDS = 30 if LONG else 3

    def test_no_token_is_spent_twice_and_no_message_is_lost(self):
        rng = random.Random(SEED)
        server = self.open(Server())
        load = MessagesLoad(lambda: server.address, server.token, SEED)
        self.addCleanup(load.stop)
        load.start()
        for kind in choose_crashes(rng, self.ROUNDS):
            load.wait_for_more(50)
            crash(server, kind, rng)
        load.wait_for_more(50)
        load.stop()
        bot = Bot(self, server.client())
        sent = load.check(self, bot.client)
        print(f"{sent} sent, {load.uncertain} selections with an unknown outcome")
        self.assertEqual(set(bot.history(load.user, 500)), set(load.sent))


if __name__ == "__main__":
    main()
