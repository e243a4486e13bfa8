"""Runs the commands of one page of the documentation: python3 docs_page.py PAGE, in namespaces of its own (docs_place.py).

All blocks run in one shell, in their order, as a reader would copy them: `set -e -o pipefail` stops it at the first command that
fails, and a curl whose request is refused fails, too. Only `sh terminal` blocks have a shell each, because the reader opens another
terminal for them. The first block finds a server that was started as ./run does it, in the same directory."""
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from docs_blocks import prints, steps_of
from docs_place import Place
from processes import ROOT, die_with_parent, eventually

BLOCK_S = 60
# What curl says in addition, because the test lets it fail.
OF_CURL = re.compile(r"^curl: \(22\) .*\n", re.M)


class Wrong(Exception):
    """A block does not do what the page says."""


class Terminal:
    """A shell of its own, until Ctrl-C."""

    def __init__(self, place, step, number, begin=""):
        self.step = step
        self.expected = None
        self.output = place.directory / f"terminal{number}"
        self.errors = place.directory / f"terminal{number}.errors"
        script = place.directory / f"terminal{number}.sh"
        script.write_text(f"{begin}set -e -o pipefail\n{step.text}", encoding="utf-8")
        with open(self.output, "wb") as out, open(self.errors, "wb") as err:
            self.process = subprocess.Popen(["bash", script], cwd=place.work, env=place.env, stdin=subprocess.DEVNULL, stdout=out,
                                            stderr=err, start_new_session=True, preexec_fn=die_with_parent)
        eventually(lambda: self.said() or self.process.poll() is not None, f"{step.place} prints something", BLOCK_S)
        if self.process.poll() not in (None, 0):
            raise Wrong(f"{step.place}: ended with {self.process.poll()}\n{self.said()}{self.errors.read_text()}")

    def said(self):
        return self.output.read_text(errors="replace")

    def stop(self):
        """Checks what it printed, and presses Ctrl-C."""
        if self.expected is not None:
            deadline = time.monotonic() + BLOCK_S
            while not prints(self.said(), self.expected.text):
                if time.monotonic() > deadline:
                    raise Wrong(f"{self.expected.place}: the page shows\n{self.expected.text}and the terminal\n{self.said()}")
                time.sleep(0.05)
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
            self.process.wait(BLOCK_S)


class Page:
    def __init__(self, path):
        self.name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
        self.steps = steps_of(self.name, path.read_text(encoding="utf-8"))
        self.place = Place()
        self.terminals = []
        self.until = None
        self.shell = None
        self.count = 0
        self.printed = None  # the last block, and what it printed

    def run(self):
        try:
            if not any(step.kind == "no-server" for step in self.steps):
                self.start_server()
            for step in self.steps:
                if step.kind != "output":
                    self.end_until()
                getattr(self, "do_" + step.kind.replace("-", "_"))(step)
            self.end_until()
            self.do_stop(None)
        finally:
            self.place.close()

    def start_server(self):
        step = steps_of(self.name, "```sh terminal\nbuild/release/larder serve\n```\n")[0]
        self.do_terminal(step)

    def do_no_server(self, step):
        pass

    do_no_run = do_other = do_no_server

    def do_with(self, step):
        self.place.make(step.argument)

    def do_start(self, step):
        self.start_server()

    def do_stop(self, step):
        for terminal in reversed(self.terminals):
            terminal.stop()
        self.terminals.clear()

    def do_until(self, step):
        """A shell with the variables of the page's shell takes its place until Ctrl-C."""
        variables = self.place.directory / "variables"
        self.tell(f"declare -p | grep -v '^declare -[a-zA-Z]*r' >{variables}.part; mv {variables}.part {variables}\n")
        eventually(variables.exists, f"{step.place} begins", BLOCK_S)
        self.do_terminal(step, f"source {variables}\n")
        variables.unlink()
        self.until = self.terminals.pop()

    def end_until(self):
        if self.until:
            until, self.until = self.until, None
            until.stop()

    def do_file(self, step):
        (self.place.work / step.argument).write_text(step.text, encoding="utf-8")

    def do_terminal(self, step, begin=""):
        self.count += 1
        self.terminals.append(Terminal(self.place, step, self.count, begin))
        self.printed = None

    def do_output(self, step):
        if self.printed is None:
            (self.until or self.terminals[-1]).expected = step
        elif not prints(self.printed, step.text):
            raise Wrong(f"{step.place}: the page shows\n{step.text}and the commands printed\n{self.printed}")

    def do_run(self, step):
        self.count += 1
        block, out, err, done = (self.place.directory / f"{self.count}.{what}" for what in ("sh", "out", "err", "done"))
        block.write_text(step.text, encoding="utf-8")
        run = f"source {block} </dev/null >{out} 2>{err}"
        # A block that may fail runs without -e, which an `if` or `||` switches off.
        command = f"{run} || status=$?" if step.fails else run
        self.tell(f"status=0\n{command}\necho $status >{done}.part && mv {done}.part {done}\n")
        eventually(lambda: done.exists() or self.shell.poll() is not None, f"{step.place} ends", BLOCK_S)
        said, errors = out.read_text(errors="replace"), err.read_text(errors="replace")
        status = int(done.read_text()) if done.exists() else self.shell.poll()
        if status != step.fails or (step.refused and f"returned error: {step.refused}" not in errors):
            raise Wrong(f"{step.place}: ended with {status}, expected {step.fails} {step.refused or ''}\n{step.text}{said}\n{errors}")
        if re.search(r"^curl: \(22\)", errors, re.M) and not step.refused:
            raise Wrong(f"{step.place}: the server refused a request\n{step.text}{said}\n{errors}")
        self.printed = said + (OF_CURL.sub("", errors) if step.fails else "")

    def tell(self, text):
        if self.shell is None:
            self.shell = subprocess.Popen(["bash", "-e", "-o", "pipefail"], cwd=self.place.work, env=self.place.env, text=True,
                                          stdin=subprocess.PIPE, preexec_fn=die_with_parent)
        self.shell.stdin.write(text)
        self.shell.stdin.flush()


if __name__ == "__main__":
    try:
        Page(Path(sys.argv[1])).run()
    except (Wrong, AssertionError) as wrong:
        sys.exit(str(wrong))
