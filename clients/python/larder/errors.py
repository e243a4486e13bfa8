"""What this client raises."""


class LarderError(Exception):
    """What all errors of this client have in common. `outcome_unknown`: whether the request may have taken effect. To find
    out, send the request again with the same key or order_id."""

    def __init__(self, message, outcome_unknown):
        super().__init__(message)
        self.outcome_unknown = outcome_unknown


class Refusal(LarderError):
    """Larder said no. The same request would be refused again.

    status, code, field, detail, request_id: see the docs of Larder. If the answer did not come from Larder, code is
    "http_<status>". problem: the whole document, with the other members of the refusal, such as "balance" or
    "seconds_left".
    """

    def __init__(self, status, problem=None, outcome_unknown=False):
        problem = problem or {}
        self.status = status
        self.code = problem.get("code", f"http_{status}")
        self.field = problem.get("field")
        self.detail = problem.get("detail", f"the answer has the status {status}, and is not one of Larder")
        self.request_id = problem.get("request_id")
        self.problem = problem
        super().__init__(f"{self.code}: {self.detail}", outcome_unknown)


class Unavailable(LarderError):
    """No answer has decided the request, and the request is not sent again, because it must not be or because its deadline
    has passed. `attempts` is how often it was sent. `timed_out`: whether the last attempt got no answer in time."""

    def __init__(self, why, attempts, outcome_unknown, timed_out=False):
        times = "once" if attempts == 1 else f"{attempts} times"
        outcome = "it may have taken effect" if outcome_unknown else "it has not taken effect"
        super().__init__(f"{why}; the request was sent {times}, and {outcome}", outcome_unknown)
        self.attempts = attempts
        self.timed_out = timed_out
