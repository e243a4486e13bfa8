"""HTTP/1.1 over asyncio streams: one request at a time on a connection."""
import asyncio

PIECE_BYTES = 65536
BROKEN = (OSError, EOFError, ValueError, asyncio.LimitOverrunError)


class Connection:
    def __init__(self, reader, writer):
        self._reader = reader
        self._writer = writer
        self.status = None
        self.headers = {}  # of the answer; names in lower case
        self.is_reusable = False  # after the whole answer has been read

    @classmethod
    async def open(cls, place):
        streams = await asyncio.open_connection(place.host, place.port, ssl=True if place.is_secure else None)
        return cls(*streams)

    @property
    def is_alive(self):
        if self._reader._buffer:  # an answer that nobody asked for; asyncio has no public way to see it
            return False
        return not self._reader.at_eof() and self._reader.exception() is None and not self._writer.is_closing()

    async def ask(self, request, headers):
        """Sends the request and reads the head of its answer."""
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        # Without drain(): the server may refuse a long body and close the connection before it has read all of it.
        self._writer.write(f"{request.method} {request.target} HTTP/1.1\r\n{head}\r\n".encode("ascii") + (request.body or b""))
        self.status = 100
        while self.status < 200:
            status_line, *lines = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")[:-2]
            version, status = status_line.split(" ", 2)[:2]
            if not version.startswith("HTTP/1."):
                raise ValueError(f"{version} is not a version of HTTP that this client knows")
            self.status = int(status)
        self.headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        self.is_reusable = version == "HTTP/1.1" and "close" not in self.headers.get("connection", "").lower()

    async def body(self):
        return b"".join([piece async for piece in self.pieces()])

    async def pieces(self):
        """The body as it comes."""
        if self.status in (204, 304):
            return
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            async for piece in self._chunks():
                yield piece
        elif "content-length" in self.headers:
            async for piece in self._exactly(int(self.headers["content-length"])):
                yield piece
        else:
            self.is_reusable = False
            while piece := await self._reader.read(PIECE_BYTES):
                yield piece

    async def _chunks(self):
        while size := int((await self._reader.readuntil(b"\r\n")).split(b";")[0], 16):
            async for piece in self._exactly(size):
                yield piece
            await self._reader.readexactly(2)
        while await self._reader.readuntil(b"\r\n") != b"\r\n":
            pass  # a trailer

    async def _exactly(self, size):
        while size > 0:
            piece = await self._reader.read(min(size, PIECE_BYTES))
            if not piece:
                raise EOFError("the connection has ended")
            size -= len(piece)
            yield piece

    def close(self):
        self._writer.close()

    async def closed(self):
        await self._writer.wait_closed()


class Pool:
    """Connections to one place."""

    def __init__(self, place, connections_max, fresh_s):
        self._place = place
        self._fresh_s = fresh_s
        self._free = asyncio.Semaphore(connections_max)
        self._idle = []  # pairs of a connection and the time since which it has been idle

    async def use(self, task, request, headers):
        """Awaits task(connection) with a connection that has read the head of the answer. Raises NotSent if the request
        cannot have arrived."""
        async with self._free:
            try:
                connection = self._take() or await Connection.open(self._place)
            except OSError as error:
                raise NotSent(error) from error
            keep = False
            try:
                await connection.ask(request, headers)
                result = await task(connection)
                keep = connection.is_reusable
                return result
            finally:
                if keep:
                    self._idle.append((connection, asyncio.get_running_loop().time()))
                else:
                    connection.close()

    def _take(self):
        while self._idle:
            connection, since = self._idle.pop()
            if asyncio.get_running_loop().time() - since < self._fresh_s and connection.is_alive:
                return connection
            connection.close()
        return None

    async def close(self):
        idle, self._idle = [connection for connection, _ in self._idle], []
        for connection in idle:
            connection.close()
        await asyncio.gather(*(connection.closed() for connection in idle), return_exceptions=True)


class NotSent(Exception):
    """There was no connection."""


