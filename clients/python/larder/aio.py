"""The client for programs on asyncio."""
import asyncio
import random
import time
from contextlib import aclosing

from .aio_http import BROKEN, Connection, NotSent, Pool
from .forward import Forwarder
from .request import Place, check_deadline, check_token, make_request, said, text_of, value_of
from .retry import Attempts, Lost, Repetition
from .sse import SILENCE_S, MessageParser, StreamState
from .sync import FRESH_S

CONNECTIONS_MAX = 100


class Clock:
    now = staticmethod(time.monotonic)
    sleep = staticmethod(asyncio.sleep)


class AsyncLarder:
    """A client for one event loop. Any number of tasks may use it at the same time. See Larder for the arguments."""

    def __init__(self, url="http://127.0.0.1:7420", *, token, deadline_s=90, attempt_s=30, clock=Clock, random=random.random):
        self._place = Place.of(url)
        self._token = check_token(token)
        self._deadline_s = check_deadline(deadline_s)
        self._attempt_s = attempt_s
        self._clock = clock
        self._random = random
        self._pool = Pool(self._place, CONNECTIONS_MAX, FRESH_S)

    async def get(self, path, *, query=None, deadline_s=None, **values):
        """`values` are the {names} in the path."""
        return await self._request("GET", path, values, query=query, deadline_s=deadline_s)

    async def post(self, path, body=None, *, query=None, idempotency_key=None, deadline_s=None, **values):
        """The same idempotency_key makes the same write: use the id of what caused it, such as that of a Discord
        interaction. The client makes one up if there is none."""
        return await self._request("POST", path, values, query=query, body=body, key=idempotency_key, deadline_s=deadline_s)

    async def put(self, path, body=None, *, query=None, idempotency_key=None, deadline_s=None, **values):
        return await self._request("PUT", path, values, query=query, body=body, key=idempotency_key, deadline_s=deadline_s)

    async def patch(self, path, body=None, *, query=None, idempotency_key=None, deadline_s=None, **values):
        return await self._request("PATCH", path, values, query=query, body=body, key=idempotency_key, deadline_s=deadline_s)

    async def delete(self, path, body=None, *, query=None, idempotency_key=None, deadline_s=None, **values):
        return await self._request("DELETE", path, values, query=query, body=body, key=idempotency_key, deadline_s=deadline_s)

    async def items(self, path, *, query=None, **values):
        """The items of a list, page by page."""
        query = dict(query or {})
        while True:
            page = await self.get(path, query=query, **values)
            for item in page["items"]:
                yield item
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]

    async def events(self, *, last_event_id=None, **filters):
        """Events as they happen; `filters` are those of the route, such as system="economy". The stream resumes by
        itself when its connection or Larder breaks, and ends when you leave the loop. Raises a Refusal if Larder refuses to
        send any."""
        state = StreamState(last_event_id)
        request = make_request(self._place, self._token, "GET", "/v1/events", {}, query=filters)
        attempts = self._endless()
        while True:
            async with aclosing(self._messages(request, state.headers())) as stream:
                async for told in stream:
                    if isinstance(told, dict):
                        attempts = self._endless()
                        if event := state.read(told):
                            yield event
            await self._clock.sleep(max(state.reconnect_s, attempts.pause_after(told, self._clock.now())))

    def forward(self, client, **options):
        """Sends the events of Discord's gateway to Larder's cache, in order: see Forwarder. `client` is a Client or a Bot of
        discord.py, made with enable_debug_events=True."""
        return Forwarder(client, self._clock, self._post_events, **options)

    async def close(self):
        """Closes the idle connections."""
        await self._pool.close()

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.close()

    def _endless(self):
        return Attempts(Repetition.READS, float("inf"), self._random)

    async def _post_events(self, lines, deadline_s):
        request = make_request(self._place, self._token, "POST", "/v1/discord/events", {}, body=lines,
                               content_type="application/x-ndjson")
        return await self._decide(request, deadline_s)

    async def _request(self, method, path, values, *, deadline_s, **more):
        return await self._decide(make_request(self._place, self._token, method, path, values, **more), deadline_s)

    async def _decide(self, request, deadline_s):
        """Sends the same request until an answer decides it, or until its deadline."""
        limit_s = self._deadline_s if deadline_s is None else check_deadline(deadline_s)
        deadline = self._clock.now() + limit_s
        attempts = Attempts(request.repetition, deadline, self._random)
        while True:
            left = max(0.001, deadline - self._clock.now())
            success, outcome = await self._attempt(request, min(self._attempt_s, left))
            if success:
                return outcome
            await self._clock.sleep(attempts.pause_after(outcome, self._clock.now()))

    async def _attempt(self, request, timeout_s):
        """Sends the request once. Returns True and the value of the answer, or False and what went wrong."""
        try:
            async with asyncio.timeout(timeout_s):
                status, headers, body = await self._pool.use(_whole, request, request.headers)
            if 200 <= status < 300:
                return True, value_of(headers, body)
            return False, said(status, headers, body)
        except NotSent as error:
            return False, Lost(f"no connection: {error}", unsent=True)
        except TimeoutError:
            return False, Lost(f"no answer: nothing came within {timeout_s:.3g} s", timed_out=True)
        except BROKEN as error:
            return False, Lost(f"no answer: {text_of(error)}")

    async def _messages(self, request, headers):
        """The messages of one stream; the last item is what went wrong."""
        connection = None
        try:
            async with asyncio.timeout(SILENCE_S):
                connection = await Connection.open(self._place)
                await connection.ask(request, request.headers | headers)
                body = None if connection.status == 200 else await connection.body()
            if body is not None:
                yield said(connection.status, connection.headers, body)
                return
            parser, pieces = MessageParser(), connection.pieces()
            while True:
                async with asyncio.timeout(SILENCE_S):
                    piece = await anext(pieces, None)
                if piece is None:
                    break
                for message in parser.feed(piece):
                    yield message
            yield Lost("the stream has ended")
        except BROKEN as error:  # includes TimeoutError
            yield Lost(f"no answer: {text_of(error)}")
        finally:
            if connection:
                connection.close()


async def _whole(connection):
    return connection.status, connection.headers, await connection.body()
