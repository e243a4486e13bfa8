"""Replaces what differs from run to run by a placeholder that names its kind, and leaves everything else as it is.

A placeholder stands for one value that has the right format: a time near now, a generated request id, a number of
seconds that counts down. A value of another format stays, so the comparison reports it. White space and the order of
members stay.
"""
import calendar
import re
import time

TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{3})Z")
DATE = re.compile(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT")
REQUEST_ID = re.compile(r"[0-9a-f]{16}")
# Ids of a stream (a time in milliseconds and a number), and cursors and positions made from them: "<id>-p", "<id>.0".
STREAM_ID = re.compile(r"\d{13}-\d+(-[pi]|\.\d+)?")
POSITION = re.compile(r"\d{10}(?:\.\d+)?")  # a cursor of a message history
SECONDS_LEFT = re.compile(r"(\d+) seconds? (?:is|are) left")
RATE_LEFT = re.compile(r"(?<=;t=)\d+")

# Countdowns begin at a multiple of this, so for this long they round up to the same number.
STEP_S = 600
NEAR_MS = 10_000

_TOKEN = re.compile(r'[{}\[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}\[\],:"]+')


def rewrite_json(text, change):
    """The same text, with change(path, raw value) in place of each string, number, true, false and null."""
    out, stack, end = [], [], 0  # stack: member names and indices of the current value, outermost first
    tokens = list(_TOKEN.finditer(text))
    for i, token in enumerate(tokens):
        raw = token[0]
        out.append(text[end:token.start()])
        end = token.end()
        is_name = raw[0] == '"' and i + 1 < len(tokens) and tokens[i + 1][0] == ":"
        if raw in "{[":
            stack.append("" if raw == "{" else 0)
        elif raw in "}]":
            if stack:
                stack.pop()
        elif is_name and stack:
            stack[-1] = raw[1:-1]
        elif raw == "," and stack and isinstance(stack[-1], int):
            stack[-1] += 1
        elif raw not in ",:":
            raw = change(tuple(stack), raw)
        out.append(raw)
    return "".join(out) + text[end:]


def whole_steps(seconds):
    """"<86400 s>" for 86400, and for what is left of it during the next ten minutes."""
    number = int(seconds)
    return seconds if number <= 60 else f"<{-(-number // STEP_S) * STEP_S} s>"


class Normaliser:
    def __init__(self):
        self.begin_ms = time.time_ns() // 1_000_000
        self.names = {}  # captured value -> its placeholder

    def capture(self, name, value):
        self.names[value] = f"<{name}>"

    def moment(self, match, may_come=False):
        """Replaces a time of this run, or a time that comes after a wait. A time that a request has chosen stays."""
        ms = calendar.timegm(time.strptime(match[1], "%Y-%m-%dT%H:%M:%S")) * 1000 + int(match[2])
        now = time.time_ns() // 1_000_000
        if self.begin_ms - NEAR_MS <= ms <= now + NEAR_MS:
            return "<time>"
        if may_come and ms > now:
            return f"<time + {round((ms - now) / 1000 / STEP_S) * STEP_S} s>"
        return match[0]

    def sent(self, text):
        """The text of a request. Replaces only what was captured from earlier answers."""
        for value in sorted(self.names, key=len, reverse=True):  # one value may begin with another
            text = text.replace(value, self.names[value])
        return text

    def header(self, name, value):
        value = self.names.get(value, value)
        if name == "RateLimit":
            return RATE_LEFT.sub(lambda match: whole_steps(match[0]), value)
        if name == "Retry-After":
            return whole_steps(value)
        if name in ("Content-Security-Policy", "Set-Cookie"):
            return self.sent(value)
        return value

    def json(self, text, hide=None, request_id=None):
        """`hide`: last names of paths -> kind, for values that only this answer draws by chance. `request_id`: the id
        in the answer's header."""
        hide = hide or {}

        def change(path, raw):
            words = ".".join(str(part) for part in path)
            for end, kind in hide.items():
                if words == end or words.endswith("." + end):
                    return f"<{kind}>"
            name = next((part for part in reversed(path) if isinstance(part, str)), "")
            if raw[0] == '"':
                return f'"{self._text(name, raw[1:-1], request_id)}"'
            if name == "game_ms" and raw != "0":  # 0 is the start of a world
                return "<game ms>"
            countdown = name in ("seconds_left", "retry_after_s") or "cooldowns" in path
            return whole_steps(raw) if countdown and raw.isdigit() else raw

        return rewrite_json(text, change)

    def _text(self, name, value, request_id):
        if value in self.names:
            return self.names[value]
        if name == "detail":
            value = SECONDS_LEFT.sub(lambda match: f"{whole_steps(match[1])} seconds are left", value)
            return TIME.sub(self.moment, value)
        if match := TIME.fullmatch(value):
            return self.moment(match, may_come=name in ("due_at", "retry_at"))
        if name == "request_id" and REQUEST_ID.fullmatch(value):
            return "<request id>" if value == request_id else "<request id of another answer>"
        if name in ("id", "next_cursor", "after", "next", "trigger_id") and (match := STREAM_ID.fullmatch(value)):
            return f"<stream id>{match[1] or ''}"
        if name == "next_cursor" and POSITION.fullmatch(value):
            return "<position>"
        return value

    def events(self, text):
        """The text of a stream of server-sent events."""
        lines = []
        for line in text.split("\n"):
            field, _, value = line.partition(": ")
            if field == "id" and STREAM_ID.fullmatch(value):
                line = "id: <event id>"  # its last part says how the events were packed, which depends on time
            elif field == "data":
                line = f"data: {self.json(value)}"
            lines.append(line)
        return "\n".join(lines)
