"""Every command that README.md and the pages in docs/ print does what they say. docs_blocks.py says how a page marks its blocks,
docs_page.py runs them, and docs_place.py says where.

Why namespaces? The pages print the address of a server, 127.0.0.1:7420, and those of other machines. A test may not depend on what
listens there, and a replaced address would be another command than the one that a reader copies. In a network namespace of its own
each page has all addresses for itself.
"""
import ast
import json
import os
import re
import subprocess
import sys
import tomllib
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from docs_blocks import FOR_ROOT, prints, steps_of
from docs_place import own_namespaces
from harness import PATIENCE_S, ROOT, TempDir, main, run_larder

HERE = Path(__file__).resolve().parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "clients").glob("*/README.md")])
AT_ONCE = 3  # the pages mostly wait


def name_of(page):
    return page.relative_to(ROOT).as_posix()


def steps(page):
    return steps_of(name_of(page), page.read_text(encoding="utf-8"))


def run(page):
    """What is wrong with the page; nothing if all is well."""
    done = subprocess.run(own_namespaces([sys.executable, HERE / "docs_page.py", page]), capture_output=True, text=True,
                          timeout=5 * PATIENCE_S)
    return done.stderr.strip() or f"ended with {done.returncode}" if done.returncode else ""


def may_have_namespaces():
    return subprocess.run(own_namespaces(["true"]), capture_output=True, text=True)


class Commands(unittest.TestCase):
    maxDiff = None

    def test_every_block_says_what_it_is(self):
        problems = [f"{step.place}: {problem}" for page in PAGES for step in steps(page) for problem in step.problems]
        self.assertEqual(problems, [])

    def test_every_page_does_what_it_prints(self):
        allowed = may_have_namespaces()
        self.assertEqual(allowed.returncode, 0, f"needs namespaces of its own, as root or as a user: {allowed.stderr}")
        pages = [page for page in PAGES if any(step.kind in ("run", "terminal", "until") for step in steps(page))]
        if os.geteuid() != 0:
            left_out = [page for page in pages if any(step.kind == "with" and step.argument in FOR_ROOT for step in steps(page))]
            pages = [page for page in pages if page not in left_out]
            print("left out, because only root can run them:", *map(name_of, left_out), flush=True)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            wrong = {name_of(page): said for page, said in zip(pages, pool.map(run, pages)) if said}
        print("".join(f"\n--- {page}\n{said}\n" for page, said in wrong.items()), flush=True)
        self.assertEqual(sorted(wrong), [])


    def test_every_example_in_python_can_be_compiled(self):
        for page in PAGES:
            for step in steps(page):
                if step.language == "python":
                    with self.subTest(step.place):
                        compile(step.text, step.place, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)

    def test_every_example_in_json_can_be_read(self):
        for page in PAGES:
            for step in steps(page):
                if step.language == "json" and step.kind in ("file", "other"):
                    with self.subTest(step.place):
                        json.loads(step.text)


LIVEZ = "curl http://127.0.0.1:7420/livez"
# What a page must not have, and what the test says to it. The first word says what the block is.
MISTAKES = {
    "sh\nfalse\necho not reached": "ended with 1",
    "sh\nfalse | cat": "ended with 1",
    "sh\ncat missing.key": "ended with 1",
    "sh\ncurl http://127.0.0.1:7420/nope": "ended with 22",
    "sh\ncurl http://127.0.0.1:7420/nope | cat": "ended with 22",
    'sh\necho "$(curl http://127.0.0.1:7420/nope)"': "the server refused a request",
    "sh\ncurl http://127.0.0.1:7420/v1/ledger/types": "ended with 22",
    "sh refused 409\ncurl http://127.0.0.1:7420/v1/ledger/types": "expected 22 409",
    f"sh refused 409\n{LIVEZ}": "ended with 0, expected 22 409",
    f"sh fails 1\n{LIVEZ}": "ended with 0, expected 1",
    "sh\nredis-cli -s data/redis/redis.sock ZADD bombs": "ended with 1",
    "sh\nlarder key create --nome bot": "ended with 1",
    "sh\necho 1\n```\n```text output\n2": "the page shows\n2\nand the commands printed\n1",
}
MARKS = {
    "\nls": "a block says what it is",
    "shell\nls": "'shell' is no language of a block",
    "sh sometimes\nls": "a block with commands cannot be 'sometimes'",
    "sh no-run: \nls": "a block with commands cannot be 'no-run:'",
    "text\nlarder serve": "commands belong into a block of their own",
    "text output\n1": "nothing before it prints this output",
    "sh refused 409\ncurl a; curl b": "a refused block has one request",
    "text\n1\n```\n```sh\nls": None,
}


class Mistakes(unittest.TestCase):
    def test_a_block_without_a_mark_or_with_a_wrong_one_is_found(self):
        for block, problem in MARKS.items():
            with self.subTest(block):
                found = [said for step in steps_of("page", f"```{block}\n```\n") for said in step.problems]
                self.assertEqual([problem and said[:len(problem)] for said in found], [problem] if problem else [])

    def test_a_block_without_an_end_is_found(self):
        self.assertEqual(steps_of("page", "```sh\nls\n")[0].problems, ["a block without an end"])

    def test_a_page_that_does_something_else_than_it_prints_fails(self):
        directory = TempDir()
        self.addCleanup(directory.remove)
        pages = [directory / f"{i}.md" for i in range(len(MISTAKES))]
        for page, block in zip(pages, MISTAKES):
            page.write_text(f"```{block}\n```\n", encoding="utf-8")
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for block, said in zip(MISTAKES, pool.map(run, pages)):
                with self.subTest(block):
                    self.assertIn(MISTAKES[block], said)

    def test_only_what_varies_may_differ_from_the_page(self):
        self.assertTrue(prints('{"id":"1","at":"2026-11-19T23:00:00.123Z"}\n', '{"id": "1",\n "at": "2020-01-01T00:00:00.000Z"}'))
        self.assertTrue(prints('{"id":"1","name":"gold","more":[]}', '{"id":"1",...}'))
        self.assertFalse(prints('{"id":"1","name":"gold"}', '{"id":"2",...}'))
        self.assertFalse(prints('{"id":"1"}{"id":"2"}', '{"id":"1"}'))
        self.assertFalse(prints("", "..{}"))


class CommandLine(unittest.TestCase):
    """Also the commands that cannot run here, and those in the text, are commands of this larder."""

    @classmethod
    def setUpClass(cls):
        cls.helps = {}

    def help_of(self, words):
        """The help of a command; None if there is no such command."""
        if words not in self.helps:
            done = run_larder(*words, "--help")
            self.helps[words] = done.stdout if done.returncode == 0 else None
        return self.helps[words]

    def problem_of(self, words):
        """What is wrong with the words after `larder`."""
        command, rest = (), list(words)
        while rest and re.fullmatch(r"[a-z-]+", rest[0]) and not rest[0].startswith("-"):
            if not re.search(rf"^  {rest[0]} ", self.help_of(command).split("Subcommands:")[-1].split("Example")[0], re.M):
                break
            command += (rest.pop(0),)
        if not command:
            return None if words[0] in ("--help", "--version") else "no such command"
        text = self.help_of(command)
        if "Subcommands:" in text and rest and not rest[0].startswith("-"):
            return f"`larder {' '.join(command)}` has no command {rest[0]}"
        for word in rest:
            flag = word.partition("=")[0]
            if flag.startswith("--") and len(flag) > 2 and not re.search(rf"(^|[ ,]){flag}\b", text, re.M):
                return f"`larder {' '.join(command)}` has no {flag}"
        return None

    def test_every_command_of_larder_exists_with_its_flags(self):
        problems = []
        for page in PAGES:
            # Here, larder is the name of a service, of its user or of a container.
            text = re.sub(r"(runuser -u|systemctl \w+|journalctl --unit|docker compose exec) larder( --)?", lambda name: " " * len(name[0]),
                          page.read_text(encoding="utf-8"))
            for found in re.finditer(r"(?:^|[`(; ])(?:build/release/)?larder (?!import [A-Z])((?:-[-\w]+|[a-z]+)[^`|;)#>\n]*)[`|;)#>\n]", text, re.M):
                if "`" not in found[0] and not self.in_block(text, found.start()):
                    continue
                for words in self.alternatives(found[1].split()):
                    if problem := self.problem_of(words):
                        problems.append(f"{name_of(page)}:{text.count(chr(10), 0, found.start()) + 1}: {problem} ({found[0].strip()})")
        self.assertEqual(problems, [])

    def test_every_setting_that_a_text_names_exists(self):
        done = run_larder("config", "dump")
        self.assertEqual(done.returncode, 0, done.stderr)
        known = set()

        def add(table, before):
            for name, value in table.items():
                add(value, f"{before}{name}.") if isinstance(value, dict) else known.add(f"{before}{name}")

        add(tomllib.loads(done.stdout), "")
        sections = {name.split(".")[0] for name in known if "." in name}
        unknown = []
        for page in PAGES:
            for name in re.findall(r"(?:--set |`)([a-z]+\.[a-z_.]+)(?==|`| =)", page.read_text(encoding="utf-8")):
                if name.split(".")[0] in sections and name not in known and not name.endswith((".md", ".json", ".rdb", "_total")):
                    unknown.append((name_of(page), name))
        self.assertEqual(unknown, [])
        rows = re.findall(r"^\| (`[^|]*) \|", (ROOT / "docs/operating.md").read_text(encoding="utf-8"), re.M)
        listed = {name for row in rows for name in re.findall(r"`([a-z]+(?:\.[a-z_]+)*)(?:\.<\w+>)?`", row)}
        missing = {name for name in known if name not in listed and name.rpartition(".")[0] not in listed}
        self.assertEqual(missing, set(), "settings that docs/operating.md does not list")

    @staticmethod
    def in_block(text, place):
        return len(re.findall(r"^ *```", text[:place], re.M)) % 2 == 1

    @staticmethod
    def alternatives(words):
        """`ledger verify|rebuild` is two commands. `...` stands for any."""
        if "..." in words:
            return []
        found = [[]]
        for word in words:
            found = [[*one, part] for one in found for part in (word.split("|") if re.fullmatch(r"[a-z|-]+", word) else [word])]
        return found


if __name__ == "__main__":
    main()
