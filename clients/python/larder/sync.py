"""The client for programs with threads, or with one."""
import http.client
import random
import selectors
import time
from contextlib import closing

from .request import Place, check_deadline, check_token, make_request, said, text_of, value_of
from .retry import Attempts, Lost, Repetition
from .sse import SILENCE_S, MessageParser, StreamState

FRESH_S = 30  # Larder closes a connection that is idle for 60 s
BROKEN = (OSError, http.client.HTTPException)


class Clock:
    now = staticmethod(time.monotonic)
    sleep = staticmethod(time.sleep)


class Larder:
    """A client. Any number of threads may use it at the same time.

    url: where Larder answers. token: a service key, or the token of a player. deadline_s: for how long to repeat a request
    while its outcome is unknown; at most 12 hours. (The default is above the 60 s for which a key stays in progress after
    its server has died.) attempt_s: for how long to wait for one answer.
    """

    def __init__(self, url="http://127.0.0.1:7420", *, token, deadline_s=90, attempt_s=30, clock=Clock, random=random.random):
        self._place = Place.of(url)
        self._token = check_token(token)
        self._deadline_s = check_deadline(deadline_s)
        self._attempt_s = attempt_s
        self._clock = clock
        self._random = random
        self._idle = []  # pairs of a connection and the time since which it has been idle

    def get(self, path, *, query=None, deadline_s=None, **values):
        """`values` are the {names} in the path."""
        return self._request("GET", path, values, query=query, deadline_s=deadline_s)

    def post(self, path, body=None, *, query=None, idempotency_key=None, deadline_s=None, **values):
        """The same idempotency_key makes the same write: use the id of what caused it, such as that of a Discord
        interaction. The client makes one up if there is none."""
        return self._request("POST", path, values, query=query, body=body, key=idempotency_key, deadline_s=deadline_s)

    def put(self, path, body=None, *, query=None, idempotency_key=None, deadline_s=None, **values):
        return self._request("PUT", path, values, query=query, body=body, key=idempotency_key, deadline_s=deadline_s)

    def patch(self, path, body=None, *, query=None, idempotency_key=None, deadline_s=None, **values):
        return self._request("PATCH", path, values, query=query, body=body, key=idempotency_key, deadline_s=deadline_s)

    def delete(self, path, body=None, *, query=None, idempotency_key=None, deadline_s=None, **values):
        return self._request("DELETE", path, values, query=query, body=body, key=idempotency_key, deadline_s=deadline_s)

    def items(self, path, *, query=None, **values):
        """The items of a list, page by page."""
        query = dict(query or {})
        while True:
            page = self.get(path, query=query, **values)
            yield from page["items"]
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]

    def events(self, *, last_event_id=None, **filters):
        """Events as they happen; `filters` are those of the route, such as system="economy". The stream resumes by
        itself when its connection or Larder breaks, and ends when you leave the loop. Raises a Refusal if Larder refuses to
        send any."""
        state = StreamState(last_event_id)
        request = make_request(self._place, self._token, "GET", "/v1/events", {}, query=filters)
        attempts = self._endless()
        while True:
            with closing(self._connection(SILENCE_S)) as connection:
                for told in _messages(connection, request, state.headers()):
                    if isinstance(told, dict):
                        attempts = self._endless()
                        if event := state.read(told):
                            yield event
            self._clock.sleep(max(state.reconnect_s, attempts.pause_after(told, self._clock.now())))

    def _endless(self):
        return Attempts(Repetition.READS, float("inf"), self._random)

    def close(self):
        """Closes the idle connections."""
        while self._idle:
            self._idle.pop()[0].close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _request(self, method, path, values, *, deadline_s, **more):
        return self._decide(make_request(self._place, self._token, method, path, values, **more), deadline_s)

    def _decide(self, request, deadline_s):
        """Sends the same request until an answer decides it, or until its deadline."""
        limit_s = self._deadline_s if deadline_s is None else check_deadline(deadline_s)
        deadline = self._clock.now() + limit_s
        attempts = Attempts(request.repetition, deadline, self._random)
        while True:
            left = max(0.001, deadline - self._clock.now())
            success, outcome = self._attempt(request, min(self._attempt_s, left))
            if success:
                return outcome
            self._clock.sleep(attempts.pause_after(outcome, self._clock.now()))

    def _attempt(self, request, timeout_s):
        """Sends the request once. Returns True and the value of the answer, or False and what went wrong."""
        try:
            connection = self._take(timeout_s)
        except OSError as error:
            return False, Lost(f"no connection: {text_of(error)}", unsent=True)
        keep = False
        try:
            response = _ask(connection, request, request.headers)
            body = response.read()
            headers = {name.lower(): value for name, value in response.getheaders()}
            keep = not response.will_close
            if 200 <= response.status < 300:
                return True, value_of(headers, body)
            return False, said(response.status, headers, body)
        except (*BROKEN, ValueError) as error:
            keep = False
            return False, Lost(f"no answer: {text_of(error)}", timed_out=isinstance(error, TimeoutError))
        finally:
            if keep:
                self._idle.append((connection, time.monotonic()))
            else:
                connection.close()

    def _take(self, timeout_s):
        while self._idle:
            try:
                connection, since = self._idle.pop()
            except IndexError:  # another thread was faster
                break
            if time.monotonic() - since < FRESH_S and not _is_readable(connection.sock):
                connection.sock.settimeout(timeout_s)
                return connection
            connection.close()
        connection = self._connection(timeout_s)
        connection.connect()
        return connection

    def _connection(self, timeout_s):
        kind = http.client.HTTPSConnection if self._place.is_secure else http.client.HTTPConnection
        return kind(self._place.host, self._place.port, timeout=timeout_s)


def _is_readable(sock):
    """Whether an idle connection has something to read. That can only be its end."""
    with selectors.DefaultSelector() as selector:
        selector.register(sock, selectors.EVENT_READ)
        return bool(selector.select(0))


def _ask(connection, request, headers):
    try:
        connection.request(request.method, request.target, request.body, headers)
    except (BrokenPipeError, ConnectionResetError):
        pass  # the server may have refused the request before it had all of it
    return connection.getresponse()


def _messages(connection, request, headers):
    """The messages of one stream; the last item is what went wrong."""
    try:
        response = _ask(connection, request, request.headers | headers)
        if response.status != 200:
            fields = {name.lower(): value for name, value in response.getheaders()}
            yield said(response.status, fields, response.read())
            return
        parser = MessageParser()
        while data := response.read1(65536):
            yield from parser.feed(data)
        yield Lost("the stream has ended")
    except (*BROKEN, ValueError) as error:
        yield Lost(f"no answer: {text_of(error)}")
