"""Forwarding: in order, in batches, and never without a bound."""
import asyncio
import json
import unittest

from fake_larder import FakeLarder, OfAsyncio, hangs_up, refuses, says, stays_silent
from larder import AsyncLarder


def taken(handler):
    count = len(handler.got.body.split(b"\n"))
    says(200, {"applied": count, "ignored": 0, "unknown": {}, "failed": []})(handler)


def sequence(got):
    return [json.loads(line)["s"] for line in got.body.split(b"\n")]


class Bot:
    """Hands over texts as a Client of discord.py does."""

    def __init__(self):
        self.problems, self.count, self.own = [], 0, []

    async def says(self, **data):
        self.count += 1
        text = json.dumps({"t": "MESSAGE_CREATE", "s": self.count, "op": 0, "d": data}, separators=(",", ":"))
        await self.on_socket_raw_receive(text)

    def note(self, kind, message):
        self.problems.append((kind, message))

    @property
    def kinds(self):
        return [kind for kind, _ in self.problems]


class Forwarding(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.fake = FakeLarder()
        self.addCleanup(self.fake.close)
        self.bot = Bot()

    async def forward(self, client=None, **options):
        larder = AsyncLarder(self.fake.url, **OfAsyncio.options(self.fake), **(client or {}))
        self.addAsyncCleanup(larder.close)
        return larder.forward(self.bot, **({"on_problem": self.bot.note} | options))

    async def until(self, check):
        async with asyncio.timeout(30):
            while not check():
                await asyncio.sleep(0)

    async def test_events_go_out_in_their_order_in_batches(self):
        forwarder = await self.forward()
        self.fake.deeds = [taken] * 3
        await self.bot.on_socket_raw_receive('{"t":null,"s":null,"op":11,"d":null}')
        await self.bot.on_socket_raw_receive('{"op":10,"d":{"heartbeat_interval":41250}}')
        await self.bot.on_socket_raw_receive(b"compressed")
        for i in range(2500):
            await self.bot.says(id=str(i), text="Åsa\n")
        self.assertEqual(await forwarder.stop(60), 0)
        self.assertEqual([len(sequence(got)) for got in self.fake.requests], [1000, 1000, 500])
        self.assertEqual(sum(map(sequence, self.fake.requests), []), list(range(1, 2501)))
        first = self.fake.requests[0]
        self.assertEqual((first.line, first.headers["Content-Type"]), ("POST /v1/discord/events", "application/x-ndjson"))
        self.assertEqual((forwarder.applied, forwarder.dropped, self.bot.problems), (2500, 0, []))
        await self.bot.says()
        self.assertEqual(forwarder.waiting, 0, "a stopped forwarder takes nothing")

    async def test_no_request_is_above_8_mib(self):
        forwarder = await self.forward()
        self.fake.deeds = [taken] * 3
        for _ in range(10):
            await self.bot.says(text="x" * 2_000_000)
        await self.bot.says(text="x" * 9_000_000)
        self.assertEqual(await forwarder.stop(60), 0)
        self.assertEqual(sum(map(sequence, self.fake.requests), []), list(range(1, 11)))
        self.assertLessEqual(max(len(got.body) for got in self.fake.requests), 8 * 1024 * 1024)
        self.assertEqual((forwarder.dropped, self.bot.kinds), (1, ["dropped", "back"]))

    async def test_while_larder_is_away_events_wait_and_then_they_come_in_their_order(self):
        forwarder = await self.forward()
        self.fake.deeds = [taken, *[hangs_up] * 20, refuses(401, "unauthorized"), taken, taken]
        await self.bot.says()
        await self.until(lambda: self.fake.requests)
        for _ in range(30):
            await self.bot.says()
        await self.until(lambda: "away" in self.bot.kinds)
        for _ in range(30):
            await self.bot.says()
        self.assertEqual(await forwarder.stop(60), 0)
        said = [sequence(got) for got in self.fake.requests]
        self.assertEqual([again for again in said[1:-1] if again != said[1]], [])
        self.assertEqual(said[0] + said[1] + said[-1], list(range(1, 62)))
        self.assertEqual((self.bot.kinds, forwarder.applied), (["away", "back"], 61))

    async def test_beyond_its_memory_the_oldest_events_are_lost_and_that_is_said_once(self):
        forwarder = await self.forward(bytes_max=100_000)
        for _ in range(1000):
            await self.bot.says(text="x" * 1000)
        waiting = forwarder.waiting
        self.assertTrue(50 < waiting < 100, waiting)
        self.assertEqual((forwarder.dropped, self.bot.kinds), (1000 - waiting, ["dropped"]))
        self.fake.deeds = [taken]
        self.assertEqual(await forwarder.stop(60), 0)
        self.assertEqual(sum(map(sequence, self.fake.requests), []), list(range(1001 - waiting, 1001)))
        self.assertEqual(self.bot.kinds, ["dropped", "back"])

    async def test_an_event_that_stands_in_the_way_is_found_and_the_others_go_on(self):
        def poisoned(handler):
            (refuses(400, "invalid_request") if b"poison" in handler.got.body else taken)(handler)

        forwarder = await self.forward()
        self.fake.deeds = [poisoned] * 100
        for i in range(1, 51):
            await self.bot.says(text="poison" if i == 37 else "bread")
        self.assertEqual(await forwarder.stop(60), 0)
        arrived = sum((sequence(got) for got in self.fake.requests if b"poison" not in got.body), [])
        self.assertEqual(arrived, [i for i in range(1, 51) if i != 37])
        self.assertEqual((forwarder.applied, forwarder.refused, self.bot.kinds), (49, 1, ["refused"]))

    async def test_a_batch_that_takes_too_long_is_divided_and_no_event_is_lost(self):
        def stalls(handler):
            handler.server.fake.sleep(30)
            stays_silent(handler)

        for slow in (stalls, refuses(408, "request_timeout"), says(504)):
            with self.subTest(slow):
                fake = self.fake = FakeLarder()
                self.addCleanup(fake.close)
                self.bot = Bot()
                forwarder = await self.forward({"attempt_s": 0.2})
                fake.deeds = [lambda handler: (slow if handler.got.body.count(b"\n") > 1 else taken)(handler)] * 100
                for _ in range(7):
                    await self.bot.says()
                self.assertEqual(await forwarder.stop(60), 0)
                self.assertEqual(sum((sequence(got) for got in fake.requests if len(sequence(got)) <= 2), []), list(range(1, 8)))
                self.assertEqual((forwarder.applied, self.bot.kinds[:2]), (7, ["away", "back"]))

    async def test_a_single_event_that_takes_too_long_is_not_refused(self):
        forwarder = await self.forward()
        self.fake.deeds = [refuses(408, "request_timeout", {"Retry-After": "60"}), taken]
        await self.bot.says()
        self.assertEqual(await forwarder.stop(60), 0)
        self.assertEqual((forwarder.applied, forwarder.refused, self.bot.kinds), (1, 0, ["away", "back"]))

    async def test_a_success_that_is_not_one_of_larder_is_an_outage(self):
        forwarder = await self.forward()
        self.fake.deeds = [says(200), says(204), says(200, "<html>"), says(200, {"applied": 1}), says(200, []), taken]
        await self.bot.says()
        self.assertEqual(await forwarder.stop(60), 0)
        self.assertEqual([sequence(got) for got in self.fake.requests], [[1]] * 6)
        self.assertEqual((forwarder.applied, self.bot.kinds), (1, ["away", "back"]))

    async def test_a_mistake_in_the_client_is_told_and_the_next_event_or_the_stop_goes_on_where_it_was(self):
        for more in (0, 1):
            with self.subTest(more=more):
                self.bot = Bot()
                forwarder = await self.forward()
                post, forwarder._post = forwarder._post, None
                with self.assertLogs("larder", "ERROR"):
                    await self.bot.says()
                    await self.until(lambda: self.bot.problems)
                forwarder._post = post
                self.fake.requests, self.fake.deeds = [], [taken] * 2
                for _ in range(more):
                    await self.bot.says()
                self.assertEqual(await forwarder.stop(60), 0)
                self.assertEqual(sum(map(sequence, self.fake.requests), []), list(range(1, 2 + more)))
                self.assertEqual((forwarder.applied, self.bot.kinds), (1 + more, ["away", "back"]))

    async def test_what_larder_has_refused_is_told(self):
        forwarder = await self.forward()
        self.fake.deeds = [says(200, {"applied": 1, "ignored": 1, "unknown": {},
                                      "failed": [{"index": 2, "code": "invalid_dispatch", "detail": "d.id is missing"}]})]
        for _ in range(3):
            await self.bot.says()
        await forwarder.stop(60)
        self.assertEqual((forwarder.applied, forwarder.ignored, forwarder.refused), (1, 1, 1))
        self.assertIn("the first one: d.id is missing", self.bot.problems[0][1])

    async def test_a_stop_does_not_wait_for_larder_forever(self):
        forwarder = await self.forward()
        self.fake.deeds = [stays_silent]
        await self.bot.says()
        self.assertEqual(await forwarder.stop(0.05), 1)

    async def test_a_report_of_a_problem_that_fails_stops_nothing(self):
        def mistake(kind, message):
            raise RuntimeError("a mistake in the bot")

        forwarder = await self.forward(on_problem=mistake)
        self.fake.deeds = [refuses(403, "forbidden"), taken]
        await self.bot.says()
        with self.assertLogs("larder", "ERROR"):
            self.assertEqual(await forwarder.stop(60), 0)
        self.assertEqual(forwarder.applied, 1)

    async def test_what_the_bot_itself_does_with_the_texts_goes_on(self):
        async def own(text):
            self.bot.own.append(text)

        self.bot.on_socket_raw_receive = own
        forwarder = await self.forward()
        self.fake.deeds = [taken]
        await self.bot.says()
        await forwarder.stop(60)
        self.assertEqual((len(self.bot.own), forwarder.applied), (1, 1))

    async def test_a_client_without_debug_events_is_refused(self):
        self.bot._enable_debug_events = False
        with self.assertRaisesRegex(ValueError, "enable_debug_events=True"):
            await self.forward()


if __name__ == "__main__":
    unittest.main()
