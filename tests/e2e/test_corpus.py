"""The server must answer as it did when tests/corpus/answers was recorded: status, headers, and the text of every
body.

If an answer was meant to change, record it again with `tests/corpus/record BINARY`, and commit the difference
together with the change.
"""
import difflib
import json
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor

from harness import ROOT, main

CORPUS = ROOT / "tests" / "corpus"
sys.path.insert(0, str(CORPUS))

import covered  # noqa: E402
import key_patterns  # noqa: E402
import transcript  # noqa: E402
from normalise import Normaliser, rewrite_json  # noqa: E402
from play import NAMES, SCRIPTS, keys_left, play_file  # noqa: E402
from play_openapi import STRUCTURE, pretty, sorted_members  # noqa: E402

ANSWERS = CORPUS / "answers"
REPORTS_MAX = 20  # per file; a fault early in a script causes many more


def recorded(name):
    return (ANSWERS / name).read_text(encoding="utf-8")


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pool = ThreadPoolExecutor(4)
        cls.addClassCleanup(cls.pool.shutdown)
        cls.played = {name: cls.pool.submit(play_file, name) for name in NAMES}

    def test_every_answer_is_the_recorded_one(self):
        for name in NAMES:
            with self.subTest(file=name):
                got = self.played[name].result()[name]
                reports = self.structure_reports(got) if name == STRUCTURE else transcript.compare(recorded(name), got)
                if reports:
                    shown = "\n\n".join(reports[:REPORTS_MAX])
                    self.fail(f"{name}, differences: {len(reports)} (- recorded, + now)\n\n{shown}")

    @staticmethod
    def structure_reports(got):
        before, now = (pretty(sorted_members(json.loads(text))).splitlines() for text in (recorded(STRUCTURE), got))
        lines = difflib.unified_diff(before, now, "recorded", "now", lineterm="", n=8)
        text = "\n".join(list(lines)[:200])
        return [text] if text else []

    def test_every_key_has_a_pattern(self):
        for name in NAMES:
            self.played[name].result()
        patterns = key_patterns.load(ROOT / "docs" / "keys.md")
        self.assertEqual(key_patterns.unknown(patterns, keys_left), [])
        self.assertGreater(len(keys_left), 100)
        self.assertEqual(key_patterns.unknown(patterns, [b"lb", b"ann:elsewhere:x"]), [b"ann:elsewhere:x"])

    def test_every_route_and_refusal_is_recorded(self):
        self.assertEqual(covered.missing(*covered.load(ANSWERS, SCRIPTS)), [])


class Comparison(unittest.TestCase):
    """The comparison reports every possible change of an answer."""

    TITLE = "holds points"

    def setUp(self):
        self.text = recorded("ledger.txt")
        self.block = self.text[self.text.index(f"=== {self.TITLE}\n"):]
        self.block = self.block[:self.block.index("\n\n")]

    def reports(self, old, new):
        self.assertIn(old, self.block)
        return transcript.compare(self.text, self.text.replace(self.block, self.block.replace(old, new, 1)))

    def test_the_same_is_no_difference(self):
        self.assertEqual(transcript.compare(self.text, self.text), [])

    def test_a_change_of_any_part_is_reported(self):
        changes = {"the status": ("--- 200", "--- 201"), "a header": ("--- 200", "--- 200\nX-New: 1"),
                   "a value": ('"balance":388', '"balance":389'), "the order of members": ('"type":1,"domain":"main"',
                                                                                           '"domain":"main","type":1'),
                   "white space": ('"replayed":false', '"replayed": false'),
                   "a member that is gone": (',"state":"open"', ""),
                   "a member that is new": ('"state":"open"', '"state":"open","x":1')}
        for what, (old, new) in changes.items():
            with self.subTest(what=what):
                report, = self.reports(old, new)
                self.assertIn(f"=== {self.TITLE}\n", report)
                self.assertRegex(report, r"(?m)^\+ ")

    def test_an_exchange_that_is_new_or_gone_is_reported(self):
        without = self.text.replace(self.block + "\n\n", "")
        self.assertEqual(transcript.compare(self.text, without), [f"=== {self.TITLE}\nis recorded, and was not played"])
        self.assertEqual(transcript.compare(without, self.text), [f"=== {self.TITLE}\nwas played, and is not recorded"])


class Normalising(unittest.TestCase):
    """Only values of the right format are replaced."""

    def test_the_text_around_a_value_stays(self):
        text = '{ "a" : [1, {"b":"x\\"y"}] ,"c":{} , "d":null}'
        self.assertEqual(rewrite_json(text, lambda path, raw: raw), text)
        seen = []
        rewrite_json(text, lambda path, raw: seen.append((path, raw)) or raw)
        self.assertEqual(seen, [(("a", 0), "1"), (("a", 1, "b"), '"x\\"y"'), (("d",), "null")])

    def test_what_is_no_value_of_this_run_stays(self):
        normaliser = Normaliser()
        for text in ('{"at":"2020-01-01T00:00:00.000Z"}', '{"at":"yesterday"}', '{"request_id":"mine"}',
                     '{"id":"12-0"}',
                     '{"seconds_left":5}', '{"seconds":86399}',
                     '{"detail":"an RFC 3339 time such as 2026-01-31T12:00:00.000Z"}'):
            self.assertEqual(normaliser.json(text), text)

    def test_a_countdown_is_told_by_where_it_began(self):
        normaliser = Normaliser()
        for left in (86_400, 86_399, 85_801):
            self.assertEqual(normaliser.json(f'{{"seconds_left":{left}}}'), '{"seconds_left":<86400 s>}')
        self.assertEqual(normaliser.json('{"seconds_left":86401}'), '{"seconds_left":<87000 s>}')


if __name__ == "__main__":
    main()
