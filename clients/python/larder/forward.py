"""Sends the events of Discord's gateway to Larder's cache."""
import asyncio
import json
import logging
from collections import deque

from .errors import LarderError, Refusal

# What a request may have.
EVENTS_MAX = 1000
BYTES_MAX = 8 * 1024 * 1024

GATHER_S = 0.05
DEADLINE_S = 30
PAUSE_S = 5
OVERHEAD_BYTES = 100  # what an event takes in memory besides its bytes
HOOK = "on_socket_raw_receive"

log = logging.getLogger("larder")


class Backlog:
    """Events that wait, oldest first. `bytes` is what they take in memory, roughly."""

    def __init__(self):
        self._events = deque()
        self.bytes = 0

    def __len__(self):
        return len(self._events)

    def push(self, event):
        self._events.append(event)
        self.bytes += len(event) + OVERHEAD_BYTES

    def take(self, count_max, bytes_max=BYTES_MAX):
        """Takes the oldest events: at most count_max with together at most bytes_max, newlines included; but at least
        one."""
        taken, size = [], 0
        while self._events and len(taken) < count_max:
            size += len(self._events[0]) + 1
            if size > bytes_max and taken:
                break
            taken.append(self._events.popleft())
            self.bytes -= len(taken[-1]) + OVERHEAD_BYTES
        return taken

    def put_back(self, events):
        """These events are the oldest again."""
        self._events.extendleft(reversed(events))
        self.bytes += sum(len(event) + OVERHEAD_BYTES for event in events)


class Forwarder:
    """Sends events to Larder, in order, one request at a time. An event of the bot only puts its text into a queue,
    so the bot never waits. While Larder is away, events wait in memory, up to bytes_max; beyond that, the oldest are
    dropped. After a loss, objects of the cache may be out of date until Discord sends them again: restart the bot, and READY
    and GUILD_CREATE replace everything.

    applied, ignored (they change no object), refused, dropped: how many events.
    on_problem(kind, message) is called when something goes wrong; without it, the log "larder" gets a warning. The kinds:
    - "away": Larder does not take events now. They wait, and are sent again until it does.
    - "back": Larder takes events again.
    - "dropped": too many events waited, and the oldest are lost. Reported once per outage.
    - "refused": Larder has refused some events for good, and has taken the others.
    """

    def __init__(self, client, clock, post, *, bytes_max=64 * 1024 * 1024, on_problem=None):
        self.applied = self.ignored = self.refused = self.dropped = 0
        self._clock = clock
        self._post = post
        self._bytes_max = bytes_max
        self._on_problem = on_problem
        self._backlog = Backlog()
        self._batch = []  # on its way
        self._batch_max = EVENTS_MAX
        self._state = "well"  # or "away", or "lossy"
        self._listening = True
        self._awake = asyncio.Event()
        self._work = None
        _listen(client, self.take)

    @property
    def waiting(self):
        """How many events Larder does not have yet."""
        return len(self._backlog) + len(self._batch)

    def take(self, text):
        """Takes the text of one dispatch. Call it on the event loop."""
        if not self._listening or not _is_dispatch(text):
            return
        event = text.replace("\n", " ").encode()  # within a string of JSON, there is no newline
        if len(event) > BYTES_MAX:
            self._drop(f"an event of {len(event)} bytes is too large")
            return
        self._backlog.push(event)
        while self._backlog.bytes > self._bytes_max and len(self._backlog) > 1:
            self._backlog.take(1)
            self._drop("too many events wait for Larder, so the oldest are lost; restart the bot to fill the cache again")
        self._awake.set()
        self._start()

    async def stop(self, drain_s=5):
        """Takes no more events, and sends those that wait, for at most drain_s. Returns how many are left."""
        self._listening = False
        self._awake.set()
        if self.waiting:
            self._start()
        if self._work:
            await asyncio.wait([self._work], timeout=drain_s)
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)
        return self.waiting

    def _start(self):
        """Begins to send. Begins again if an unexpected exception has ended the sending."""
        if self._work is None or self._work.done():
            self._work = asyncio.get_running_loop().create_task(self._run())
            self._work.add_done_callback(self._end)

    def _end(self, work):
        if not work.cancelled() and work.exception():
            log.error("the forwarder has failed; the next event starts it again", exc_info=work.exception())
            self._note_outage(work.exception())

    def _drop(self, message):
        self.dropped += 1
        if self._state != "lossy":
            self._state = "lossy"
            self._tell("dropped", message)

    def _tell(self, kind, message):
        try:
            if self._on_problem:
                self._on_problem(kind, message)
            else:
                log.warning(message)
        except Exception:
            log.exception("on_problem has failed")

    async def _run(self):
        while True:
            while not self._backlog and self._listening:
                self._awake.clear()
                await self._awake.wait()
            if self._listening:
                await self._clock.sleep(GATHER_S)
            self._batch = self._batch or self._backlog.take(self._batch_max)
            if not self._batch:
                return
            while self._batch:
                await self._send()

    async def _send(self):
        """Sends the batch once. If Larder has not taken the batch, all or a part of it is still there."""
        try:
            report = await self._post(b"\n".join(self._batch), DEADLINE_S)
            if not _is_report(report):
                raise LarderError("a success that is not one of Larder", True)
        except LarderError as error:
            if isinstance(error, Refusal) and error.status in (400, 413, 422):
                self._divide(error)
                return
            if _took_too_long(error):
                self._halve()
            self._note_outage(error)
            await self._clock.sleep(PAUSE_S)
        else:
            self._batch = []
            self._batch_max = min(EVENTS_MAX, self._batch_max * 2)
            self._note(report)

    def _divide(self, error):
        """One of these events keeps Larder from taking the others: looks for it."""
        if len(self._batch) == 1:
            self.refused += 1
            self._tell("refused", f"an event was refused: {error}")
            self._batch = []
        else:
            self._halve()

    def _halve(self):
        """The second half waits again. A single event stays as it is."""
        self._batch_max = (len(self._batch) + 1) // 2
        self._backlog.put_back(self._batch[self._batch_max:])
        del self._batch[self._batch_max:]

    def _note_outage(self, error):
        if self._state == "well":
            self._state = "away"
            self._tell("away", f"events wait, because Larder does not take them: {error}")

    def _note(self, report):
        self.applied += report["applied"]
        self.ignored += report["ignored"]
        self.refused += len(report["failed"])
        if self._state != "well":
            self._state = "well"
            self._tell("back", f"Larder takes events again; {self.dropped} were lost since the start")
        if report["failed"]:
            first = report["failed"][0]["detail"]
            self._tell("refused", f"{len(report['failed'])} events were refused, the first one: {first}")


def _took_too_long(error):
    """Whether a smaller batch may do better."""
    return error.status == 408 if isinstance(error, Refusal) else getattr(error, "timed_out", False)


def _is_report(value):
    """Whether this is Larder's answer. The answer of a proxy may be anything."""
    return isinstance(value, dict) and value.keys() >= {"applied", "ignored", "failed"}


def _listen(client, take):
    """Gives `take` the text of everything that the gateway sends."""
    if getattr(client, "_enable_debug_events", True) is False:
        raise ValueError("make the client with enable_debug_events=True")
    own = getattr(client, HOOK, None)

    async def on_socket_raw_receive(text):
        take(text)
        if own:
            await own(text)

    setattr(client, HOOK, on_socket_raw_receive)


def _is_dispatch(text):
    """Whether this is an event. Discord's texts begin with the name of the event, or with null in its place."""
    if not isinstance(text, str) or text.startswith('{"t":null'):
        return False
    return text.startswith('{"t":"') or bool(json.loads(text).get("t"))
