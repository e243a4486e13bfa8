"""Decides what follows an attempt without success. Knows no network and no clock: clients/cases/retries.json tests it."""
from dataclasses import dataclass
from enum import Enum

from .errors import Refusal, Unavailable

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 5


class Repetition(Enum):
    """What a repetition of the request does."""

    READS = "reads"  # nothing, because the request only reads
    SAFE = "safe"  # nothing more
    TWICE = "twice"  # it makes the change a second time


@dataclass
class Said:
    """An unsuccessful answer."""

    status: int
    problem: dict | None = None  # None: the answer is not a problem document
    retry_after_s: int | None = None


@dataclass
class Lost:
    """No answer, or an incomplete one. `unsent`: Larder cannot have got the request."""

    why: str
    unsent: bool = False
    timed_out: bool = False


class Attempts:
    """The attempts of one request, until a time of the caller's clock."""

    def __init__(self, repetition, deadline, random):
        self._repetition = repetition
        self._deadline = deadline
        self._random = random
        self._count = 0
        self._outcome_unknown = False

    def pause_after(self, failure, now):
        """Returns the pause in seconds before the next attempt, or raises if there must be none."""
        self._count += 1
        if self._repetition is not Repetition.READS and _may_have_taken_effect(failure):
            self._outcome_unknown = True
        if not _asks_to_wait(failure) and not (_is_outage(failure) and self._repetition is not Repetition.TWICE):
            raise self._error(failure)
        longest = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** min(self._count - 1, 10))
        pause = longest * (0.5 + self._random() / 2)
        if isinstance(failure, Said):
            pause = max(pause, failure.retry_after_s or 0)
        if now + pause >= self._deadline:
            raise self._error(failure)
        return pause

    def _error(self, failure):
        if isinstance(failure, Lost):
            return Unavailable(failure.why, self._count, self._outcome_unknown, failure.timed_out)
        refused = Refusal(failure.status, failure.problem, self._outcome_unknown and not _decides(failure))
        if failure.status < 500 and not _is_in_progress(failure):
            return refused
        return Unavailable(str(refused), self._count, self._outcome_unknown, timed_out=failure.status == 504)


def _is_in_progress(failure):
    return failure.status == 409 and (failure.problem or {}).get("code") == "in_progress"


def _asks_to_wait(failure):
    """Answers of Larder that only delay a request: it has not begun, or an earlier attempt still runs."""
    return isinstance(failure, Said) and (failure.status in (408, 429) or _is_in_progress(failure))


def _is_outage(failure):
    return isinstance(failure, Lost) or failure.status >= 500


def _may_have_taken_effect(failure):
    if isinstance(failure, Lost):
        return not failure.unsent
    if _is_in_progress(failure):
        return True
    return failure.status >= 500 and (failure.problem or {}).get("outcome_unknown") is not False


def _decides(failure):
    """Whether the refusal also says what became of earlier attempts. It does not if Larder refused without looking."""
    return failure.problem is not None and failure.status not in (401, 403, 408, 429)
