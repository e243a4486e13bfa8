"""The code blocks of README.md and of the pages in docs/, and what each of them is. Each block says it after its fence:

    ```sh                    commands, which run exactly as they are printed
    ```sh terminal           the same in a terminal of its own, until Ctrl-C: at `stop`, or at the end of the page
    ```sh until Ctrl-C       the same in the shell of the page, until it has printed what the page shows
    ```sh refused 409        one request, which the server refuses with this status
    ```sh fails 1            one command, which ends with this exit code
    ```sh no-run: why        commands that cannot run in a test
    ```text output           what the block before it prints: `...` stands for anything, and white space does not count
    ```json file NAME        what the reader saves as NAME (in any language)
    ```text, json, js, ...   no commands

and between the blocks, in comments that a reader does not see:

    <!-- test: no server -->     at the start of a page: do not start a server before the first commands
    <!-- test: stop -->          Ctrl-C in every other terminal
    <!-- test: start -->         `larder serve` again
    <!-- test: with NAME -->     at the start of a page: what docs_place.py has under this name must be there
"""
import re
from dataclasses import dataclass, field

# What docs_place.py can have for a page only if it runs as root: servers that give up their rights, and files of the machine.
FOR_ROOT = ("tls", "postgresql", "usr-local")

A_COMMAND = re.compile(r"(curl|larder|build/release/larder|redis-cli|psql|cmake|pip|npm|apt|apt-get|docker|sudo|git|ssh|python3|node|"
                   r"nginx|caddy|systemctl|\./\w+|bench/\w+|tests/\w+|tools/\w+)\b")
LANGUAGES = {"text", "json", "js", "ts", "python", "cpp", "cmake", "toml", "mermaid", "nginx", "caddy", "yaml", "csv"}


@dataclass
class Step:
    """A block, or a comment for the test. `kind`: run, terminal, until, no-run, output, file, other, stop, start, with, no-server."""

    page: str
    line: int
    kind: str
    text: str = ""
    language: str = ""
    argument: str = ""  # no-run: why; file: its name; with: what
    refused: int | None = None  # run: the status with which the server refuses the request
    fails: int = 0  # run: the exit code of the last command
    problems: list = field(default_factory=list)

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def _fence(info, step):
    """Reads what follows the fence."""
    language, _, rest = info.partition(" ")
    step.language, step.kind = language, "other"
    if not language:
        step.problems.append("a block says what it is: sh if it has commands, otherwise text, json, ...")
    elif language == "sh":
        step.kind = "run"
        if match := re.fullmatch(r"no-run: (.{10,})", rest):
            step.kind, step.argument = "no-run", match[1]
        elif rest in ("terminal", "until Ctrl-C"):
            step.kind = rest.split()[0]
        elif match := re.fullmatch(r"refused (\d{3})", rest):
            step.refused, step.fails = int(match[1]), 22
        elif match := re.fullmatch(r"fails (\d+)", rest):
            step.fails = int(match[1])
        elif rest:
            step.problems.append(f"a block with commands cannot be '{rest}'")
    elif match := re.fullmatch(r"file (\S+)", rest):
        step.kind, step.argument = "file", match[1]
    elif rest == "output":
        step.kind = "output"
    elif rest:
        step.problems.append(f"a block cannot be '{rest}'")
    elif language not in LANGUAGES:
        step.problems.append(f"'{language}' is no language of a block")
    return step


def _check(step, before):
    if step.kind in ("other", "output") and step.language in ("text", ""):
        for line in step.text.splitlines():
            if A_COMMAND.match(line.removeprefix("$ ")):
                step.problems.append(f"commands belong into a block of their own, marked sh: {line[:60]}")
    if step.kind == "output" and (before is None or before.kind not in ("run", "terminal", "until")):
        step.problems.append("nothing before it prints this output")
    if step.refused and len(re.findall(r"^curl|[|;&]\s*curl", step.text, re.M)) != 1:
        step.problems.append("a refused block has one request")


def steps_of(page, text):
    """The blocks and comments of a page, in their order."""
    found, fence, before = [], None, None
    for number, line in enumerate(text.splitlines(), 1):
        if fence is None:
            if comment := re.fullmatch(r"<!-- test: (\w+) ?(.*?) -->", line):
                kind = f"{comment[1]} {comment[2]}".strip()
                kind = "no-server" if kind == "no server" else comment[1]
                step = Step(page, number, kind, argument=comment[2])
                if kind not in ("no-server", "stop", "start", "with"):
                    step.problems.append("no such comment for the test")
                found.append(step)
            elif opening := re.match(r"( *)(`{3,}|~{3,})(.*)$", line):
                fence, lines = opening, []
                step = _fence(opening[3].strip(), Step(page, number, "other"))
        elif line.strip() == fence[2]:
            step.text = "\n".join(line.removeprefix(fence[1]) for line in lines) + "\n"
            _check(step, before)
            found.append(step)
            before, fence = step, None
        else:
            lines.append(line)
    if fence is not None:
        found.append(Step(page, number, "other", problems=["a block without an end"]))
    return found


# What differs from run to run. Each must be in the page in the same form.
_VARIES = [
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z", "<time>"),
    (r"lk_[0-9a-f]{12}_[0-9a-f]{64}", "<service key>"),
    (r"eyJ[\w.-]{3,}", "<player token>"),
    (r"\b[0-9a-v]{20}\b", "<player id>"),
    (r"\b\d{13}-\d+(\.\d+)?(-i)?\b", "<event id>"),
    (r'"seed":\d+', '"seed":<seed>'),
    (r'"request_id":"[0-9a-f]{16}"', '"request_id":<id>'),
    (r"\b[0-9a-f]{12}\b", "<key id>"),
]


def _plain(text):
    for pattern, name in _VARIES:
        text = re.sub(pattern, name, text)
    return re.sub(r"\s+", "", text)


def prints(output, expected):
    """Whether the output is what the page shows."""
    pattern = ".*".join(re.escape(part) for part in _plain(expected).split("..."))
    return re.fullmatch(pattern, _plain(output), re.S) is not None
