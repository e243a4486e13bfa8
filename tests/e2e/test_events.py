"""GET /v1/events: every event of every system comes once, with filters and resumes, and nobody waits for a slow
listener."""
import resource
import socket
import time
import uuid

from event_stream import EVENTS, FEED, Event, EventsCase
from harness import PATIENCE_S, TIME, Server, SharedServerCase, eventually, main, redis_cli, run_larder

LISTENERS_MAX = 1000
SHARE = 250  # of one key


class Stream(SharedServerCase, EventsCase):
    server_args = ("--set", "server.cors_origin=https://example.org")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        eventually(lambda: redis_cli(cls.server.redis_socket, "XLEN", "tribes:outbox").strip() == "0",
                   "the feed has the event with which the default world begins")

    def setUp(self):
        super().setUp()
        self.type = self.client.new_type(uuid.uuid4().hex)

    def post(self, op="add", amount=5, uid="u", order_id=None, **more):
        order_id = order_id or uuid.uuid4().hex
        answer = self.client.entry(order_id=order_id, op=op, type=self.type, domain="main", uid=uid, amount=amount, **more)
        self.assertIn(answer.status, (200, 409), answer)
        return order_id

    def test_tells_every_entry_with_its_fields_and_a_replay_not_again(self):
        listener = self.listen(self.server)
        uid = uuid.uuid4().hex
        cases = [("add", 7, "ok", 0, 7, 'a "b"\\\n\tü\U0001F355\u0001'), ("deduct", 9, "insufficient_balance", 7, 7, ""),
                 ("reset", 2**53 - 1, "ok", 7, 2**53 - 1, " two  words "), ("add", 1, "balance_limit", 2**53 - 1, 2**53 - 1, "")]
        orders = []
        for op, amount, status, old, new, remark in cases:
            orders.append(self.post(op, amount, uid, remark=remark))
            self.post(op, amount, uid, remark=remark, order_id=orders[-1])
        end = self.post(uid=uid)
        events = listener.wait_for(len(cases) + 1)
        self.assertEqual(listener.orders(), [*orders, end])
        flows = {flow["order_id"]: flow for flow in self.client.flows(uid)}
        for event, order, (op, amount, status, old, new, remark) in zip(events, orders, cases):
            self.assertRegex(event.id, r"^\d+-\d+\.\d+$")
            self.assertEqual(event.name, f"ledger.{op}")
            self.assertRegex(event.data["at"], TIME)
            self.assertRegex(event.data["data"].pop("id"), r"^\d+-\d+$")
            self.assertEqual(event.data, {
                "system": "ledger", "type": op, "user_id": uid, "at": flows[order]["at"],
                "data": {"order_id": order, "op": op, "status": status, "type": self.type, "domain": "main",
                         "amount": amount, "old_balance": old, "change": new - old, "balance": new, "remark": remark}})

    def test_the_detail_of_an_event_is_text_with_times_in_milliseconds(self):
        alice, bob, other = uuid.uuid4().hex, uuid.uuid4().hex, self.client.new_type(uuid.uuid4().hex)
        listener = self.listen(self.server, f"?user_id={alice},{bob}")
        rate = f"/v1/ledger/rates/{self.type}/{other}"
        self.assertEqual(self.client.send("PUT", rate, {"numerator": 2, "denominator": 1}).status, 200)
        ends = "2099-12-31T23:59:59.999Z"
        self.post("add", 20, alice, expires_at=ends)
        for path, body in (("holds", {"uid": alice, "type": self.type, "amount": 5, "expires_at": ends}),
                           ("holds", {"uid": alice, "type": self.type, "amount": 1}),
                           ("transfers", {"from": alice, "to": bob, "type": self.type, "amount": 3}),
                           ("exchanges", {"uid": alice, "from_type": self.type, "to_type": other, "amount": 4})):
            answer = self.client.post(f"/v1/ledger/{path}", {"order_id": uuid.uuid4().hex, "domain": "main"} | body)
            self.assertEqual(answer.status, 200, answer)
        ms = "4102444799999"
        expected = [("add", {"exp": ms}), ("hold", {"exp": ms, "state": "open"}), ("hold", {"exp": "0", "state": "open"}),
                    ("transfer_in", {"from": alice, "parts": f"{ms}:3"}), ("transfer_out", {"to": bob, "to_balance": "3"}),
                    ("exchange_in", {"from_type": str(self.type), "parts": "0:8"}),
                    ("exchange_out", {"to_type": str(other), "credited": "8", "to_balance": "8"})]
        events = listener.wait_for(len(expected))
        told = [(event.data["type"], event.data["data"].get("detail")) for event in events]
        self.assertEqual(sorted(told, key=str), sorted(expected, key=str))

    def test_has_the_headers_of_a_stream(self):
        headers = self.listen(self.server, headers={"X-Request-Id": "mine", "Origin": "https://example.org"}).response.headers
        for name, value in {"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
                            "X-Request-Id": "mine", "Access-Control-Allow-Origin": "https://example.org",
                            "Connection": "close", "Content-Length": None, "Transfer-Encoding": None}.items():
            self.assertEqual(headers[name], value, name)
        answer = self.client.send("HEAD", EVENTS)
        self.assertEqual((answer.status, answer.headers["Content-Type"], answer.raw), (200, "text/event-stream", b""))
        eventually(lambda: self.listeners_of(self.server) <= 1, "HEAD leaves no listener behind")
        preflight = self.client.send("OPTIONS", EVENTS, headers={"Authorization": None})
        self.assertIn("Last-Event-ID", preflight.headers["Access-Control-Allow-Headers"])

    def test_lets_through_what_the_filters_say(self):
        a, b = uuid.uuid4().hex, uuid.uuid4().hex
        queries = {"": "aAbBd", f"?user_id={a}": "aAd", f"?user_id={a},{b}": "aAbBd", "?type=reset": "AB",
                   "?type=reset,deduct": "ABd", f"?type=reset&user_id={b}": "B", "?system=ledger": "aAbBd",
                   "?system=economy,tribes": "", "?system=economy,ledger&type=deduct": "d", "?type=hold": "",
                   f"?user_id={a}&type=add%2Creset": "aA"}
        listeners = {query: self.listen(self.server, query) for query in queries}
        orders = {self.post("add", 5, a): "a", self.post("reset", 9, a): "A", self.post("add", 5, b): "b",
                  self.post("reset", 9, b): "B", self.post("deduct", 1, a): "d"}
        listeners[""].wait_for(len(orders))
        for query, expected in queries.items():
            got = listeners[query].wait_for(len(expected))
            # The order is kept within an outbox, and a user has one outbox.
            self.assertEqual(sorted(orders[event.order_id] for event in got), sorted(expected), query)
            by_a = [orders[event.order_id] for event in got if event.data["user_id"] == a]
            self.assertEqual(by_a, [letter for letter in "aAd" if letter in expected and letter in by_a], query)

    def test_shows_a_key_only_the_systems_of_its_scopes(self):
        ledger, economy = self.key(self.server, "ledger"), self.key(self.server, "economy,messages")
        both = self.key(self.server, "ledger,economy")
        seeing = [self.listen(self.server, token=token) for token in (ledger, both, self.server.token)]
        seeing.append(self.listen(self.server, "?system=ledger", token=both))
        blind = [self.listen(self.server, token=economy), self.listen(self.server, "?system=economy", token=both)]
        answer = self.client.get(EVENTS + "?system=ledger", headers={"Authorization": f"Bearer {economy}"})
        self.assert_problem(answer, 403, "forbidden")
        for authorization in (None, "Bearer nonsense"):
            answer = self.client.get(EVENTS, headers={"Authorization": authorization})
            self.assert_problem(answer, 401, "unauthorized")
        order = self.post()
        for listener in seeing:
            listener.wait_for(1)
            self.assertEqual(listener.orders(), [order])
        time.sleep(0.3)  # the feed is read every 50 ms: listeners that could see the event would have got it
        self.assertEqual([listener.events for listener in blind], [[], []])

    def test_refuses_what_it_does_not_understand(self):
        for value in ("x", "5", "5-1", "5-1.x", "-5-1.0", "5-1.0 5-1.1", "99999999999999999999-0.0"):
            answer = self.client.get(EVENTS, headers={"Last-Event-ID": value})
            self.assert_problem(answer, 400, "invalid_request", "Last-Event-ID")
        for query, field in (("?system=admin", "system"), ("?system=ledger,", "system"), ("?system=", "system"),
                             ("?system=ledger&system=economy", "system"), ("?type=a%20b", "type"), ("?type=nothing", "type"), ("?type=add,nothing", "type"), ("?user_id=a,,b", "user_id"),
                             ("?user_id=" + "u" * 65, "user_id"), ("?nosuch=1", "nosuch"), ("?type=%ff", "type"),
                             ("?type=" + ",".join(f"t{i}" for i in range(51)), "type")):
            self.assert_problem(self.client.get(EVENTS + query), 400, "invalid_request", field)
        self.assert_problem(self.client.post(EVENTS, {}), 405, "method_not_allowed")

    def test_resumes_behind_each_event_and_from_where_nothing_happened_yet(self):
        quiet = self.listen(self.server, "?user_id=nobody")
        eventually(lambda: quiet.last_event_id, "an id comes at once")
        listener = self.listen(self.server, last_event_id=quiet.last_event_id)
        orders = [self.post(uid=f"u{i % 5}") for i in range(30)]
        events = list(listener.wait_for(30))
        self.assertEqual(sorted(listener.orders()), sorted(orders))
        self.assertEqual(listener.retry, 1000)
        for i in (0, 1, 7, 28, 29):
            again = self.listen(self.server, last_event_id=events[i].id)
            again.wait_for(29 - i)
            self.assertEqual([event.id for event in again.events], [event.id for event in events[i + 1:]])

    def test_says_so_when_the_feed_no_longer_has_what_came_since(self):
        listener = self.listen(self.server)
        for i in range(3):
            self.post(uid=f"u{i}")
            listener.wait_for(i + 1)  # so that each event is in its own pack
        first, _, last = listener.events
        redis_cli(self.server.redis_socket, "XTRIM", FEED, "MAXLEN", "=", "1")
        again = self.listen(self.server, last_event_id=first.id)
        order = self.post()
        gap, kept, new = again.wait_for(3)
        self.assertEqual((gap.name, gap.id, gap.data), ("gap", None, {"after": first.id, "next": last.id}))
        self.assertEqual((kept.id, new.order_id), (last.id, order))
        # The same for an id that never existed.
        above = self.listen(self.server, last_event_id="9999999999999-0.0")
        order = self.post()
        gap, new = above.wait_for(2)
        self.assertEqual((gap.name, gap.data), ("gap", {"after": "9999999999999-0.0", "next": None}))
        self.assertEqual(new.order_id, order)

    def test_frees_a_listener_that_goes(self):
        eventually(lambda: self.listeners_of(self.server) == 0, "the others are gone")
        listeners = [self.listen(self.server) for _ in range(3)]
        self.assertEqual(self.listeners_of(self.server), 3)
        listeners[0].close()
        eventually(lambda: self.listeners_of(self.server) == 2, "one that closes is noticed without an event")
        listeners[1].socket.shutdown(socket.SHUT_WR)
        eventually(lambda: self.listeners_of(self.server) == 1, "one that only ends its side, too")
        sent = self.metric(self.server, "larder_events_sent_total")
        order = self.post()
        listeners[2].wait_for(1)
        self.assertEqual(listeners[2].orders(), [order])
        self.assertEqual(self.metric(self.server, "larder_events_sent_total"), sent + 1)

    def test_cuts_off_a_client_that_does_not_read_and_holds_up_no_other(self):
        eventually(lambda: self.listeners_of(self.server) == 0, "the others are gone")
        stuck = [self.listen(self.server, reads=False) for _ in range(3)]
        fast = self.listen(self.server)
        orders = self.post_many(self.server, self.type, 2500, remark="\u20ac" * 256)
        fast.wait_for(len(orders))
        self.assertEqual(sorted(fast.orders()), sorted(orders))
        eventually(lambda: self.listeners_of(self.server) == 1, "those that do not read are cut off")
        for listener in stuck:
            listener.thread.start()
            self.assertTrue(listener.ended.wait(PATIENCE_S))
            self.assertLess(len(listener.events), len(orders))
        resumed = self.listen(self.server, last_event_id=stuck[0].last_event_id)
        resumed.wait_for(len(orders) - len(stuck[0].events))
        self.assertEqual(stuck[0].orders() + resumed.orders(), fast.orders())

    def test_ends_with_its_key_and_lives_until_then(self):
        token = self.key(self.server, "ledger")
        mine = self.listen(self.server, "?user_id=nobody", token=token)
        other = self.listen(self.server, "?user_id=nobody")
        run_larder("key", "revoke", token.split("_")[1], "--data", self.server.data)
        eventually(lambda: mine.last_event_id and other.last_event_id, "the first ids come")
        self.post()
        last = self.listen(self.server, last_event_id=other.last_event_id).wait_for(1)[0]
        self.assertTrue(mine.ended.wait(PATIENCE_S), "a revoked key ends its stream")
        eventually(lambda: other.comments, "the other stream is kept alive")
        eventually(lambda: other.last_event_id == last.id, "and learns how far it has come")
        self.assertFalse(other.ended.is_set())
        self.assertEqual(other.events, [])


class Many(EventsCase):
    def test_takes_so_many_listeners_and_no_more(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        server = self.open(Server("--set", "server.access_log=false"))
        client = server.client()
        self.addCleanup(client.close)
        type_id = client.new_type("points")
        tokens = [server.token, *(self.key(server, "ledger") for _ in range(LISTENERS_MAX // SHARE - 1))]
        late = server.client(self.key(server, "ledger"))
        self.addCleanup(late.close)
        eventually(lambda: late.get("/v1/ledger/types").status == 200, "the server knows all keys")
        listeners = []
        for token in tokens:
            mine = server.client(token)
            self.addCleanup(mine.close)
            listeners += [self.listen(server, token=token, reads=i < 5) for i in range(SHARE)]
            answer = mine.get(EVENTS)  # a key cannot lock the others out
            self.assert_problem(answer, 503, "too_many_listeners", retry_after_s=5)
            self.assertEqual(answer.headers["Retry-After"], "5")
        self.assert_problem(late.get(EVENTS), 503, "too_many_listeners", retry_after_s=5)
        listeners.pop().close()
        eventually(lambda: self.listeners_of(server) < LISTENERS_MAX, "one has gone")
        listeners.append(self.listen(server, token=tokens[-1]))
        orders = self.post_many(server, type_id, 20)
        for listener in (listeners[i] for i in range(LISTENERS_MAX) if i % SHARE < 5 or i == LISTENERS_MAX - 1):
            listener.wait_for(len(orders))
            self.assertEqual(sorted(listener.orders()), sorted(orders))


if __name__ == "__main__":
    main()
