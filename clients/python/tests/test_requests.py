"""What both clients send, and send again."""
import asyncio
import json
import unittest

from fake_larder import FakeLarder, OfAsyncio, OfThreads, breaks_off, hangs_up, refuses, says, stays_silent, streams
from larder import AsyncLarder, Event, Gap, Larder, LarderError, Refusal, Unavailable

FARM = "/v1/economy/{realm}/players/{id}/farm"
SOMEONE = {"realm": "main", "id": "1|2"}
NAME = {"name": "Åsa"}
FARMED = {"gained": 1, "balance": 1, "drop": None, "vampire": None, "bomb": None, "roll": {"seed": 1, "values": []}}


def event(id):
    data = {"system": "ledger", "type": "add", "user_id": "u", "at": "2026-01-01T00:00:00.000Z", "data": {"order_id": id}}
    return f"id: {id}\nevent: ledger.add\ndata: {json.dumps(data)}\n\n"


class Requests:
    def setUp(self):
        self.fake = FakeLarder()
        self.addCleanup(self.fake.close)

    def plan(self, *deeds):
        self.fake.deeds = list(deeds)

    def farm(self, **more):
        return self.ask(self.fake, "post", FARM, NAME, **SOMEONE, **more)

    def test_a_move_is_sent_as_the_route_wants_it_with_a_key_of_its_own(self):
        self.plan(says(200, FARMED), says(200, FARMED))
        self.assertEqual(self.farm(), FARMED)
        self.farm()
        first, second = self.fake.requests
        self.assertEqual(first.line, "POST /v1/economy/main/players/1%7C2/farm")
        self.assertEqual(first.headers["Authorization"], "Bearer lk_test")
        self.assertEqual(first.headers["Content-Type"], "application/json")
        self.assertEqual(json.loads(first.body), NAME)
        self.assertTrue(first.key)
        self.assertNotEqual(first.key, second.key)

    def test_a_move_whose_answer_is_lost_is_sent_again_the_same_in_every_byte(self):
        self.plan(hangs_up, breaks_off, refuses(409, "in_progress", {"Retry-After": "1"}), says(200, FARMED))
        self.assertEqual(self.farm(idempotency_key="interaction-1"), FARMED)
        requests = self.fake.requests
        self.assertEqual((len(requests), requests[0].key), (4, "interaction-1"))
        self.assertEqual(len({(got.line, str(got.headers), got.body) for got in requests}), 1)
        self.assertEqual(self.fake.pauses, [0.1, 0.2, 1])

    def test_an_order_is_its_own_key(self):
        self.plan(refuses(503, "store_unavailable", outcome_unknown=True), says(200, {"balance": 5}))
        entry = {"order_id": "o", "op": "add", "type": 1, "domain": "main", "uid": "u", "amount": 5}
        self.assertEqual(self.ask(self.fake, "post", "/v1/ledger/entries", entry), {"balance": 5})
        self.assertEqual([got.key for got in self.fake.requests], [None, None])

    def test_a_write_that_could_take_effect_twice_is_sent_once(self):
        self.plan(hangs_up)
        with self.assertRaises(Unavailable) as caught:
            self.ask(self.fake, "post", "/v1/auth/register", {"username": "ann", "password": "correct horse"})
        self.assertEqual((caught.exception.attempts, caught.exception.outcome_unknown), (1, True))
        self.assertEqual(len(self.fake.requests), 1)

    def test_a_refusal_has_its_code_field_and_further_members(self):
        self.plan(refuses(409, "insufficient_balance", field="amount", request_id="r1", balance=3))
        with self.assertRaises(LarderError) as caught:
            self.farm()
        refusal = caught.exception
        self.assertIsInstance(refusal, Refusal)
        self.assertEqual((refusal.status, refusal.code, refusal.field, refusal.detail, refusal.request_id),
                         (409, "insufficient_balance", "amount", "no", "r1"))
        self.assertEqual(refusal.problem["balance"], 3)

    def test_an_answer_that_does_not_come_in_time_is_lost(self):
        self.plan(stays_silent, says(200, FARMED))
        self.assertEqual(self.farm(client={"attempt_s": 0.05}), FARMED)
        self.assertEqual(len(self.fake.requests), 2)

    def test_an_answer_that_is_no_json_is_lost(self):
        def page(handler):
            handler.send_response(200)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", "6")
            handler.end_headers()
            handler.wfile.write(b"<html>")

        self.plan(page, says(200, FARMED))
        self.assertEqual(self.farm(), FARMED)

    def test_a_redirection_is_not_followed(self):
        self.plan(says(302, Location="/elsewhere"))
        with self.assertRaises(Refusal) as caught:
            self.farm()
        self.assertEqual((caught.exception.code, len(self.fake.requests)), ("http_302", 1))

    def test_nothing_listens_so_the_deadline_ends_it_and_nothing_has_happened(self):
        self.fake.close()
        with self.assertRaises(Unavailable) as caught:
            self.farm(deadline_s=10)
        self.assertFalse(caught.exception.outcome_unknown)
        self.assertGreater(caught.exception.attempts, 3)

    def test_an_answer_without_content_is_none(self):
        self.plan(says(204))
        self.assertIsNone(self.ask(self.fake, "delete", "/v1/messages/{id}", id=7))

    def test_a_list_goes_on_from_page_to_page(self):
        self.plan(says(200, {"items": [1, 2], "next_cursor": "c 2"}), says(200, {"items": [3], "next_cursor": None}))
        self.assertEqual(self.ask(self.fake, "items", "/v1/ledger/flows", query={"uid": "111"}), [1, 2, 3])
        self.assertEqual([got.line for got in self.fake.requests],
                         ["GET /v1/ledger/flows?uid=111", "GET /v1/ledger/flows?uid=111&cursor=c+2"])
        self.assertEqual(self.fake.connections, 1, "the second request uses the connection of the first")

    def test_a_stream_that_breaks_goes_on_behind_the_last_event(self):
        self.plan(streams(f'retry: 700\nid: 1-0.0\n\n{event("2-0.0")}id: 3-0.0\nevent: ledger.add\ndata: {{"cut'),
                  hangs_up,
                  refuses(503, "store_unavailable"),
                  streams(f"{event('3-0.0')}: keep-alive\nid: 4-0.0\n\n", chunked=True),
                  streams('event: gap\ndata: {"after":"4-0.0","next":"9-0.0"}\n\n' + event("9-0.0")))
        heard = self.hear(self.fake, 4, system=["ledger", "economy"], user_id="u")
        self.assertEqual([told.id for told in heard if isinstance(told, Event)], ["2-0.0", "3-0.0", "9-0.0"])
        self.assertEqual(heard[0], Event("2-0.0", "ledger.add", "ledger", "add", "u", "2026-01-01T00:00:00.000Z",
                                         {"order_id": "2-0.0"}))
        self.assertEqual(heard[2], Gap("4-0.0", "9-0.0"))
        self.assertEqual([got.headers.get("Last-Event-ID") for got in self.fake.requests],
                         [None, "2-0.0", "2-0.0", "2-0.0", "4-0.0"])
        self.assertEqual(self.fake.requests[0].line, "GET /v1/events?system=ledger%2Ceconomy&user_id=u")
        self.assertEqual(self.fake.pauses, [0.7] * 4)

    def test_a_stream_begins_behind_a_given_event(self):
        self.plan(streams(event("6-0.0")))
        self.hear(self.fake, 1, last_event_id="5-0.0")
        self.assertEqual(self.fake.requests[0].headers["Last-Event-ID"], "5-0.0")

    def test_a_text_that_would_become_another_request_is_refused_at_once(self):
        self.plan(says(200), says(200))
        with self.assertRaises(ValueError):
            self.ask(self.fake, "get", "/livez HTTP/1.1\r\nHost: x\r\n\r\nDELETE /v1/auth/me", deadline_s=1)
        with self.assertRaises(ValueError):
            self.hear(self.fake, 1, last_event_id="5-0.0\r\nX: y")
        self.assertEqual((self.fake.requests, self.fake.pauses), ([], []))

    def test_a_stream_that_is_refused_ends_with_the_refusal(self):
        self.plan(refuses(403, "forbidden"))
        with self.assertRaises(Refusal) as caught:
            self.hear(self.fake, 1)
        self.assertEqual(caught.exception.code, "forbidden")


class RequestsOfThreads(OfThreads, Requests, unittest.TestCase):
    def test_a_connection_that_has_ended_is_not_used_again(self):
        def leaves(handler):
            says(200, FARMED)(handler)
            handler.close_connection = True

        with Larder(self.fake.url, **self.options(self.fake)) as larder:
            for deed in (leaves, leaves):
                self.plan(deed)
                larder.post(FARM, NAME, **SOMEONE)
                while larder._idle and larder._idle[0][0].sock.recv(1):
                    pass  # until the end of the connection has arrived
        self.assertEqual((len(self.fake.requests), self.fake.pauses), (2, []))


class RequestsOfAsyncio(OfAsyncio, Requests, unittest.TestCase):
    def test_a_connection_with_an_answer_that_nobody_asked_for_is_not_used_again(self):
        def chatters(handler):
            says(200, FARMED)(handler)
            says(200, {"balance": 666})(handler)

        async def run():
            async with AsyncLarder(self.fake.url, **self.options(self.fake)) as larder, asyncio.timeout(30):
                self.plan(chatters, says(200, FARMED))
                first = await larder.post(FARM, NAME, **SOMEONE)
                while larder._pool._idle[0][0].is_alive:
                    await asyncio.sleep(0)
                return first, await larder.post(FARM, NAME, **SOMEONE)

        self.assertEqual(asyncio.run(run()), (FARMED, FARMED))
        self.assertEqual((len(self.fake.requests), self.fake.connections), (2, 2))


if __name__ == "__main__":
    unittest.main()
