"""Webhooks: every event arrives at least once and in the order of its user, whoever fails, hangs or dies."""
import random
import ssl
import subprocess
import threading
import time
import uuid

from event_stream import EventsCase
from harness import LONG, SEED, Case, Server, SharedServerCase, TempDir, eventually, main, redis_cli
from store_servers import PostgresServer, RedisServer
from webhook_receiver import Receiver, is_signed, is_signed_in_javascript

HOOKS = "/v1/webhooks"
ALLOW = ("--set", "webhooks.allow=127.0.0.1")
ROUNDS = 20 if LONG else 3


class WebhookCase(Case):
    def receiver(self, *args, **more):
        return self.open(Receiver(*args, **more))

    def hook(self, client, receiver, **filters):
        answer = client.post(HOOKS, {"url": receiver.url, **filters})
        self.assertEqual(answer.status, 201, answer)
        return answer.json

    def deliveries(self, client, hook, state=""):
        query = f"&state={state}" if state else ""
        answer = client.get(f"{HOOKS}/{hook['id']}/deliveries?limit=500{query}")
        self.assertEqual(answer.status, 200, answer)
        return answer.json["items"]

    def add(self, client, uid, number, type_id, order_id=None):
        answer = client.entry(order_id=order_id or uuid.uuid4().hex, op="add", type=type_id, domain="main", uid=uid,
                              amount=1, remark=str(number))
        self.assertEqual(answer.status, 200, answer)
        return answer.json["order_id"]

    def assert_in_order(self, events, expected):
        """`expected` has the remarks of each user, in order."""
        got = {}
        for event in events:
            got.setdefault(event["user_id"], []).append(event["data"]["remark"])
        self.assertEqual(got, expected)


class Routes(SharedServerCase, WebhookCase, EventsCase):
    server_args = ALLOW

    def setUp(self):
        super().setUp()
        self.type = self.client.new_type(uuid.uuid4().hex)
        self.addCleanup(self.forget_all)

    def forget_all(self):
        for hook in self.client.get(HOOKS).json["items"]:
            self.client.send("DELETE", f"{HOOKS}/{hook['id']}")

    def test_a_delivery_is_the_event_of_the_feed_with_a_signature(self):
        receiver = self.receiver()
        listener = self.listen(self.server, "?system=ledger")
        hook = self.hook(self.client, receiver, systems=["ledger"], types=["add"])
        self.add(self.client, "ada", 'ü "1"', self.type)
        eventually(lambda: receiver.accepted, "the delivery arrives")
        request = receiver.accepted[0]
        for verify in (is_signed, is_signed_in_javascript):
            self.assertTrue(verify(hook["secret"], request.headers, request.body))
            self.assertFalse(verify(hook["secret"] + "x", request.headers, request.body))
            self.assertFalse(verify(hook["secret"], request.headers, request.body + b" "))
        told = listener.wait_for(1)[0]
        self.assertEqual(request.event, told.data)
        made = eventually(lambda: self.deliveries(self.client, hook, "delivered"), "it is listed")
        self.assertEqual(made[0]["event"], request.event)
        self.assertEqual((made[0]["status"], made[0]["attempts"], made[0]["why"]), (200, 1, None))
        self.assertEqual(str(made[0]["n"]), request.headers["Larder-Delivery"])
        replay = self.client.post(f"{HOOKS}/{hook['id']}/deliveries/{made[0]['n']}/replay")
        self.assertEqual((replay.status, replay.json["state"]), (200, "waiting"), replay)
        eventually(lambda: len(receiver.accepted) == 2, "it arrives again")
        self.assertEqual(receiver.accepted[1].body, request.body)
        self.assertEqual(self.client.send("DELETE", f"{HOOKS}/{hook['id']}").status, 204)

    def test_a_webhook_can_be_listed_changed_and_deleted(self):
        hook = self.client.post(HOOKS, {"url": "http://127.0.0.1:9/x", "realms": ["b", "a"], "types": None}).json
        path = f"{HOOKS}/{hook['id']}"
        shown = self.client.get(path).json
        self.assertNotIn("secret", shown)
        self.assertEqual((shown["realms"], shown["types"], shown["systems"]), (["a", "b"], None, None))
        changed = self.client.send("PATCH", path, {"realms": None, "systems": ["economy"], "url": "http://127.0.0.1:8/"})
        self.assertEqual((changed.json["realms"], changed.json["systems"], changed.json["url"]),
                         (None, ["economy"], "http://127.0.0.1:8/"))
        other = self.client.post(HOOKS, {"url": "http://127.0.0.1:9/y"}).json
        page = self.client.get(f"{HOOKS}?limit=1").json
        self.assertEqual(page["items"], [changed.json])
        self.assertEqual(self.client.get(f"{HOOKS}?cursor={page['next_cursor']}").json["items"][0]["id"], other["id"])
        for each in (hook, other):
            self.assertEqual(self.client.send("DELETE", f"{HOOKS}/{each['id']}").status, 204)
        for method, more in (("GET", ""), ("DELETE", ""), ("GET", "/deliveries"), ("POST", "/deliveries/1/replay")):
            self.assert_problem(self.client.send(method, path + more), 404, "webhook_not_found")
        self.assert_problem(self.client.send("PATCH", path, {}), 404, "webhook_not_found")
        eventually(lambda: redis_cli(self.server.redis_socket, "KEYS", "{larder}:webhook:*").strip() == "", "no key is left")

    def test_only_public_and_allowed_addresses_can_be_named(self):
        for url in ("http://127.0.0.2/", "http://10.1.2.3/", "https://192.168.1.1/x", "http://169.254.169.254/latest",
                    "http://[::1]/", "http://[fe80::1]/", "http://[fd00::1]/", "http://[::ffff:127.0.0.1]/",
                    "http://100.64.0.1/", "http://224.0.0.1/", "http://0.0.0.0/", "http://0x7f000002/", "http://127.2/"):
            answer = self.client.post(HOOKS, {"url": url})
            self.assert_problem(answer, 403, "address_not_allowed", "url")
        for url in ("http://u@127.0.0.1/", "http://127.0.0.1/#x", "ftp://127.0.0.1/", "x", "http://127.0.0.1:0/"):
            self.assert_problem(self.client.post(HOOKS, {"url": url}), 400, "invalid_request", "url")
        for field, value in (("systems", ["nosuch"]), ("systems", []), ("types", ["nosuch"]), ("realms", ["a/b"]),
                             ("types", "add"), ("unknown", 1)):
            self.assert_problem(self.client.post(HOOKS, {"url": "http://127.0.0.1:9/", field: value}), 400,
                                "invalid_request", field)
        self.assertEqual(self.client.get(HOOKS).json["items"], [])
        ledger = self.server.client(self.key(self.server, "ledger"))
        self.addCleanup(ledger.close)
        self.assert_problem(ledger.get(HOOKS), 403, "forbidden")

    def test_events_can_be_filtered_by_realm_and_guild(self):
        queries = {"?realm=a": {"a"}, "?realm=a,b": {"a", "b"}, "?guild_id=7": {"b"}, "?realm=a&guild_id=7": set(),
                   "?guild_id=5,7": {"a", "b"}, "?realm=c": set()}
        receiver = self.receiver()
        self.hook(self.client, receiver, realms=["b"])
        listeners = {query: self.listen(self.server, query) for query in queries}
        self.add(self.client, "ada", 1, self.type)  # has no realm
        for realm, guild in (("a", "5"), ("b", "7")):
            answer = self.client.post(f"/v1/economy/{realm}/players/ada/farm", {"name": "Ada", "guild_id": guild})
            self.assertEqual(answer.status, 200, answer)
        for query, realms in queries.items():
            eventually(lambda: {event.data["data"]["realm"] for event in listeners[query].events} == realms, query)
        for name in ("realm", "guild_id"):
            self.assert_problem(self.client.get(f"/v1/events?{name}=a/b"), 400, "invalid_request", name)
        eventually(lambda: receiver.accepted, "the webhook of realm b gets its events")
        self.assertEqual({request.event["data"]["realm"] for request in receiver.accepted}, {"b"})


class Troubles(WebhookCase):
    """A receiver that fails, hangs, answers late or dies."""

    def setUp(self):
        self.server = self.open(Server(*ALLOW, "--set", "server.access_log=false"))
        self.client = self.server.client()
        self.addCleanup(self.client.close)
        self.type = self.client.new_type("t")
        self.rng = random.Random(SEED)

    def hook(self, client, receiver, **filters):
        """The first start of a server also makes an event: it creates the default world."""
        return super().hook(client, receiver, **{"systems": ["ledger"]} | filters)

    def test_every_event_arrives_in_order_at_a_receiver_that_fails_and_answers_late(self):
        def moody(_):
            time.sleep(self.rng.choice((0, 0, 0, 0.05)))
            return self.rng.choice((200,) * 8 + (500, 302, 429))

        receiver = self.receiver(moody)
        good = self.receiver()
        self.hook(self.client, receiver)
        self.hook(self.client, good)
        users = [f"u{i}" for i in range(10)]
        for number in range(5):
            for user in users:
                self.add(self.client, user, number, self.type)
        expected = {user: [str(number) for number in range(5)] for user in users}
        eventually(lambda: len(good.firsts()) == 50, "the good receiver has all")
        eventually(lambda: len(receiver.firsts()) == 50, "the moody receiver has all")
        self.assert_in_order(receiver.firsts(), expected)
        self.assert_in_order(good.firsts(), expected)
        self.assertEqual(len(good.accepted), 50)

    def test_a_receiver_that_hangs_or_is_gone_delays_nobody_else(self):
        end = threading.Event()
        self.addCleanup(end.set)
        hanging = self.receiver(lambda _: end.wait(60) and 500 or 500)
        gone = self.receiver()
        hooks = [self.hook(self.client, hanging), self.hook(self.client, gone)]
        gone.close()
        good = self.receiver()
        self.hook(self.client, good)
        for number in range(30):
            self.add(self.client, f"u{number}", number, self.type)
        eventually(lambda: len(good.firsts()) == 30, "the good receiver has all")
        self.assertEqual(self.client.get("/readyz").status, 200)
        waiting = [self.deliveries(self.client, hook, "waiting") for hook in hooks]
        self.assertEqual([len(each) for each in waiting], [30, 30])
        eventually(lambda: any(each["attempts"] and each["why"] and each["status"] is None
                               for each in self.deliveries(self.client, hooks[1])), "why it waits is listed")
        self.assertEqual(self.server.stop(), 0)  # although requests hang
        back = self.receiver(port=gone.port)
        self.server.start()
        eventually(lambda: len(back.firsts()) == 30, "what waited arrives")

    def test_what_dies_is_visible_and_can_be_replayed(self):
        server = self.open(Server(*ALLOW, "--set", "webhooks.waiting_max=10"))
        client = server.client()
        self.addCleanup(client.close)
        type_id = client.new_type("t")
        receiver = self.receiver(lambda _: 503)
        hook = self.hook(client, receiver)
        for number in range(40):
            self.add(client, f"u{number % 7}", number, type_id)
        eventually(lambda: len(self.deliveries(client, hook, "dead")) == 30, "the oldest are dead")
        everything = self.deliveries(client, hook)
        self.assertEqual(sorted(int(each["event"]["data"]["remark"]) for each in everything), list(range(40)))
        eventually(lambda: "larder_webhook_dead_total 30" in client.get("/metrics").raw.decode(), "the metric counts them")
        self.assertEqual(client.get("/readyz").status, 200)
        receiver.answer = lambda _: 200
        for each in everything:
            answer = client.post(f"{HOOKS}/{hook['id']}/deliveries/{each['n']}/replay")
            self.assertEqual(answer.status, 200, answer)
            eventually(lambda: each["event"] in receiver.firsts(), "the replayed one arrives")
        self.assertEqual(len(receiver.firsts()), 40)
        self.assertEqual(self.deliveries(client, hook, "dead"), [])

    def test_nothing_is_lost_when_the_server_is_killed(self):
        receiver = self.receiver(lambda _: self.rng.choice((200,) * 19 + (500,)))
        self.hook(self.client, receiver)
        acknowledged = {f"u{i}": [] for i in range(8)}
        stop = threading.Event()

        def write(user):
            """Writes until the end, and repeats what got no answer: an order counts once."""
            number = 0
            while not stop.is_set():
                client = self.server.client()
                try:
                    while not stop.is_set():
                        answer = client.entry(order_id=f"{user}-{number}", op="add", type=self.type, domain="main", uid=user,
                                              amount=1, remark=str(number))
                        if answer.status != 200:
                            break
                        acknowledged[user].append(str(number))
                        number += 1
                        time.sleep(0.01)
                except OSError:
                    pass
                finally:
                    client.close()
                time.sleep(0.05)

        threads = [threading.Thread(target=write, args=(user,)) for user in acknowledged]
        for thread in threads:
            thread.start()
        self.addCleanup(stop.set)
        for number in range(ROUNDS):
            before = sum(map(len, acknowledged.values()))
            eventually(lambda: sum(map(len, acknowledged.values())) > before + 100, "entries are made")
            time.sleep(self.rng.uniform(0, 0.5))
            self.server.kill(redis=number % 2 == 0)
            self.server.start()
        stop.set()
        for thread in threads:
            thread.join()
        # The last one of each user may have had no answer.
        self.client = self.server.client()
        self.addCleanup(self.client.close)
        for user, numbers in acknowledged.items():
            self.add(self.client, user, len(numbers), self.type, order_id=f"{user}-{len(numbers)}")
            numbers.append(str(len(numbers)))
        count = sum(map(len, acknowledged.values()))
        eventually(lambda: len(receiver.firsts()) >= count, f"all {count} events arrive")
        self.assert_in_order(receiver.firsts(), acknowledged)
        print(f"{ROUNDS} kills: {count} events, {len(receiver.accepted) - count} came again, none lost", flush=True)


class Https(WebhookCase):
    def certificate(self, directory, name):
        """A context of a server whose certificate has this name and is signed by the test's own authority."""
        def openssl(*words):
            subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)

        ca, key = directory / "ca", directory / name
        if not (directory / "ca.crt").exists():
            openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", 2,
                    "-subj", "/CN=ca", "-keyout", f"{ca}.key", "-out", f"{ca}.crt")
        (directory / "names").write_text(f"subjectAltName=DNS:{name}\n")
        openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}",
                "-keyout", f"{key}.key", "-out", f"{key}.csr")
        openssl("x509", "-req", "-in", f"{key}.csr", "-CA", f"{ca}.crt", "-CAkey", f"{ca}.key", "-CAcreateserial", "-days", 2,
                "-extfile", directory / "names", "-out", f"{key}.crt")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{key}.crt", f"{key}.key")
        return context

    def test_the_certificate_must_have_the_name_of_the_host(self):
        directory = TempDir()
        self.addCleanup(directory.remove)
        right = self.receiver(tls=self.certificate(directory, "localhost"))
        wrong = self.receiver(tls=self.certificate(directory, "other.test"))
        server = self.open(Server("--set", "webhooks.allow=localhost", "--set", f"webhooks.tls_ca={directory / 'ca.crt'}"))
        client = server.client()
        self.addCleanup(client.close)
        hooks = [client.post(HOOKS, {"url": f"https://localhost:{each.port}/hook"}).json for each in (right, wrong)]
        self.add(client, "ada", 1, client.new_type("t"))
        eventually(lambda: right.accepted, "the one with its own name gets the event")
        self.assertTrue(is_signed(hooks[0]["secret"], right.accepted[0].headers, right.accepted[0].body))
        waiting = eventually(lambda: [each for each in self.deliveries(client, hooks[1]) if each["attempts"]], "the other fails")
        self.assertIn("certificate", waiting[0]["why"])
        self.assertEqual(wrong.requests, [])


class TwoServers(WebhookCase):
    def test_another_server_delivers_what_a_dead_one_has_left(self):
        redis, postgres = self.open(RedisServer()), self.open(PostgresServer())
        args = (*ALLOW, "--redis", redis.url, "--sql", postgres.url)
        servers = [self.open(Server(*args)) for _ in range(2)]
        token = servers[0].token
        first, second = (server.client(token) for server in servers)
        self.addCleanup(first.close)
        self.addCleanup(second.close)
        receiver = self.receiver()
        type_id = first.new_type("t")
        self.hook(second, receiver)
        for number in range(20):
            self.add(first, f"u{number % 3}", number, type_id)
        eventually(lambda: len(receiver.firsts()) == 20, "both servers know the webhook")
        self.assertEqual(len(receiver.accepted), 20)
        for number in range(20, 40):
            self.add(first, f"u{number % 3}", number, type_id)
        servers[0].kill(redis=False)
        eventually(lambda: len(receiver.firsts()) == 40, "the other server delivers")
        self.assert_in_order(receiver.firsts(), {f"u{i}": [str(n) for n in range(40) if n % 3 == i] for i in range(3)})


if __name__ == "__main__":
    main()
