"""The commands of larder with their options, read from `larder --help` of each of them."""
import os
import re
import subprocess
import tomllib
from dataclasses import dataclass, field

# The words of a usage line, and of an option that takes a value.
PLACEHOLDER = "TEXT"


@dataclass
class Option:
    names: list  # "-h", "--help"; for an argument without a flag, its name
    value: bool
    required: bool
    help: str

    @property
    def name(self):
        return self.names[-1]

    @property
    def is_file(self):
        return self.name in ("--config", "file")

    @property
    def is_directory(self):
        return self.name in ("--data", "directory", "dir")


@dataclass
class Command:
    words: tuple  # ("ledger", "verify"); () is larder itself
    summary: str
    options: list
    arguments: list  # without a flag
    example: str = ""
    children: list = field(default_factory=list)  # words -> Command

    @property
    def path(self):
        return " ".join(self.words)


def run(binary, *args):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LARDER_")}
    return subprocess.run([binary, *args], check=True, capture_output=True, text=True, env=environment).stdout


def entries(text, title):
    """Pairs of the left and the right column below a title, such as "Options:"."""
    section = re.search(rf"^{title}:\n((?:  .*\n)+)", text, re.M)
    found = []
    for line in section[1].splitlines() if section else []:
        if re.match(r"  \S", line):
            left, _, right = line.strip().partition("  ")
            found.append([left, right.strip()])
        else:
            found[-1][1] = f"{found[-1][1]} {line.strip()}".strip()
    return found


def option(left, right):
    words = left.split()
    return Option(words[0].split(","), PLACEHOLDER in words, "REQUIRED" in words, right)


def read(binary, words=(), summary=""):
    """The command with everything below it."""
    text = run(binary, *words, "--help")
    example = re.search(r"^Example:\n  (.*)", text, re.M)
    command = Command(words, summary, [option(*entry) for entry in entries(text, "Options")],
                      [option(*entry) for entry in entries(text, "Positionals")], example[1] if example else "")
    command.children = [read(binary, (*words, name), help_text) for name, help_text in entries(text, "Subcommands")]
    return command


def flat(command):
    """The command, then every command below it."""
    return [command, *(each for child in command.children for each in flat(child))]


def settings(binary):
    """The names of all settings."""
    def names(table, prefix=""):
        for key, value in table.items():
            if isinstance(value, dict):
                yield from names(value, f"{prefix}{key}.")
            else:
                yield prefix + key
    return list(names(tomllib.loads(run(binary, "config", "dump"))))
