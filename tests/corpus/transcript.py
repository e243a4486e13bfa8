"""The text in which exchanges are recorded, and its comparison.

    === makes a type                   a title, once in its file
    POST /v1/ledger/types              the request; its headers follow where they are not the usual ones
    {"name": "gold"}
    --- 201                            the answer; likewise
    {"id":1,"name":"gold"}

Of an answer's headers, those are left out that every answer has and that are as they should be; see exchange.py.
"""
import difflib
import re

TITLE = "=== "
ANSWER = "--- "
RUN = re.compile(r"([^\s-])\1{49,}")


class Record:
    def __init__(self, title, request, answer):
        """`request` and `answer` are lines of text. The answer begins with its status."""
        self.title, self.request, self.answer = title, request, answer

    def text(self):
        lines = [*(self.request.split("\n") if self.request else []), *(ANSWER + self.answer).split("\n")]
        return "\n".join([TITLE + self.title, *map(_safe, lines)]) + "\n"


def _safe(line):
    """The line in a form that cannot be taken for a title, without white space at its end and without long runs."""
    if line.startswith(TITLE):
        line = "\\" + line
    line = RUN.sub(lambda match: f"<{match[1]}, {len(match[0])} times>", line)
    return re.sub(r"[ \t\r]+$", lambda match: match[0].replace(" ", "\\x20").replace("\t", "\\t").replace("\r", "\\r"),
                  line)


def text_of(records):
    titles = [record.title for record in records]
    twice = sorted({title for title in titles if titles.count(title) > 1})
    if twice:
        raise ValueError(f"these titles are there twice: {twice}")
    return "\n".join(record.text() for record in records)


def parse(text):
    """Title -> the lines of the exchange, in order."""
    blocks = {}
    for line in text.split("\n"):
        if line.startswith(TITLE):
            lines = blocks[line[len(TITLE):]] = []
        elif blocks:
            lines.append(line)
    return {title: _trimmed(lines) for title, lines in blocks.items()}


def _trimmed(lines):
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines


def compare(expected_text, got_text):
    """A report for each exchange that differs: its title and its lines, with - before recorded lines and + before new
    lines."""
    expected, got = parse(expected_text), parse(got_text)
    reports = []
    for title, lines in expected.items():
        if title not in got:
            reports.append(f"{TITLE}{title}\nis recorded, and was not played")
        elif got[title] != lines:
            reports.append(f"{TITLE}{title}\n" + _difference(lines, got[title]))
    reports += [f"{TITLE}{title}\nwas played, and is not recorded" for title in got if title not in expected]
    common = [title for title in expected if title in got]
    if not reports and common != list(got):
        reports.append("the exchanges were played in another order than they were recorded")
    return reports


def _difference(expected, got):
    lines = [line for line in difflib.ndiff(expected, got) if not line.startswith("?")]
    return "\n".join(lines + [mark for pair in _changed_pairs(expected, got) for mark in pair])


def _changed_pairs(expected, got):
    """Where two long lines begin to differ, because readers do not find it by eye."""
    if len(expected) != len(got):
        return
    for old, new in zip(expected, got):
        if old == new or len(old) + len(new) < 160:
            continue
        at = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
        begin = max(at - 30, 0)
        yield (f"  recorded from column {at + 1}: ...{old[begin:at + 60]}",
               f"       now from column {at + 1}: ...{new[begin:at + 60]}")
