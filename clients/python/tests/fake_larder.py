"""A server that does what a test says, one thing for each request; and both clients behind one interface."""
import asyncio
import itertools
import json
import socket
import sys
import threading
from contextlib import aclosing, closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from larder import AsyncLarder, Larder  # noqa: E402

CASES = Path(__file__).resolve().parents[2] / "cases"


def says(status, value=None, **headers):
    """Answers with this status and this JSON."""

    def deed(handler):
        body = b"" if value is None else json.dumps(value).encode()
        handler.send_response(status)
        if value is not None:
            handler.send_header("Content-Type", "application/json" if status < 400 else "application/problem+json")
        if status != 204:
            handler.send_header("Content-Length", str(len(body)))
        for name, text in headers.items():
            handler.send_header(name.replace("_", "-"), text)
        handler.end_headers()
        handler.wfile.write(body)

    return deed


def refuses(status, code, headers=None, **more):
    problem = {"type": "about:blank", "title": "No", "status": status, "detail": "no", "code": code, **more}
    return says(status, problem, **(headers or {}))


def hangs_up(handler):
    """Gets the whole request, and ends the connection without an answer."""
    handler.close_connection = True


def breaks_off(handler):
    """Sends a part of the answer only."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "100")
    handler.end_headers()
    handler.wfile.write(b'{"balance":')
    handler.close_connection = True


def stays_silent(handler):
    handler.server.fake.closing.wait()
    handler.close_connection = True


def streams(text, chunked=False):
    """Sends a part of a stream of events, and ends it."""

    def deed(handler):
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header(*(("Transfer-Encoding", "chunked") if chunked else ("Connection", "close")))
        handler.end_headers()
        data = text.encode()
        for piece in (data[i:i + 7] for i in range(0, len(data), 7)) if chunked else [data]:
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece)
        handler.close_connection = True

    return deed


class Got:
    def __init__(self, handler):
        self.line = f"{handler.command} {handler.path}"
        self.headers = dict(handler.headers.items())
        self.key = self.headers.get("Idempotency-Key")
        self.body = handler.rfile.read(int(self.headers.get("Content-Length", 0)))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        fake = self.server.fake
        self.got = Got(self)
        with fake.lock:
            fake.requests.append(self.got)
            deed = fake.deeds.pop(0) if fake.deeds else refuses(418, "nothing_planned")
        deed(self)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def log_message(self, *_):
        pass


class Listening(ThreadingHTTPServer):
    daemon_threads = True

    def get_request(self):
        connection, address = super().get_request()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.fake.connections += 1
        return connection, address


class FakeLarder:
    def __init__(self):
        self.requests, self.pauses, self.deeds = [], [], []
        self.connections = 0
        self.lock = threading.Lock()
        self.closing = threading.Event()
        self._now = 0
        self._server = Listening(("127.0.0.1", 0), Handler)
        self._server.fake = self
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self):
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()

    # The clock of a client whose pauses take no time.

    def now(self):
        return self._now

    def sleep(self, seconds):
        self.pauses.append(round(seconds, 3))
        self._now += seconds


class AsyncClock:
    def __init__(self, fake):
        self.fake, self.now = fake, fake.now

    async def sleep(self, seconds):
        self.fake.sleep(seconds)
        await asyncio.sleep(0)


class OfThreads:
    """Runs the tests of a class with the client for threads."""

    def ask(self, fake, method, *args, client=None, **more):
        """Makes one call of a new client. Returns its result; a list gives a list of its items."""
        with Larder(fake.url, **self.options(fake), **(client or {})) as larder:
            result = getattr(larder, method)(*args, **more)
            return list(result) if method == "items" else result

    def hear(self, fake, count, **filters):
        with Larder(fake.url, **self.options(fake)) as larder, closing(larder.events(**filters)) as events:
            return list(itertools.islice(events, count))

    @staticmethod
    def options(fake):
        return {"token": "lk_test", "clock": fake, "random": lambda: 1}


class OfAsyncio:
    """Runs them with the client for asyncio."""

    def ask(self, fake, method, *args, client=None, **more):
        async def run():
            async with AsyncLarder(fake.url, **self.options(fake), **(client or {})) as larder:
                result = getattr(larder, method)(*args, **more)
                return [item async for item in result] if method == "items" else await result

        return asyncio.run(run())

    def hear(self, fake, count, **filters):
        async def run():
            found = []
            async with AsyncLarder(fake.url, **self.options(fake)) as larder, aclosing(larder.events(**filters)) as events:
                async for event in events:
                    found.append(event)
                    if len(found) == count:
                        return found

        return asyncio.run(run())

    @staticmethod
    def options(fake):
        return {"token": "lk_test", "clock": AsyncClock(fake), "random": lambda: 1}
