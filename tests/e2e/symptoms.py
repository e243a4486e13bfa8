"""The table of docs/operating.md: symptom, what Larder says, what to do. A case gives its row what Larder has really said,
so the table cannot differ from the server. tests/docs_tables finds rows without a case."""
import json
import re

from processes import ROOT, eventually

TITLE = "What does Larder say when something is wrong?"
DEGRADES = ("dead_events", "dead_work")  # the server still does its work
# A place where Larder says something, and the words: `...` stands for anything. Without words, the code says enough.
CLAUSE = re.compile(r'(start|log|/readyz `\w+`|\d{3} `\w+`|`larder [^`]+`)(?:: "([^"]+)")?')


def rows():
    """Symptom -> what Larder says, and what to do. Lines in bold only divide the table."""
    section = (ROOT / "docs/operating.md").read_text(encoding="utf-8").split(f"## {TITLE}\n")[1].split("\n## ")[0]
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("|")]
    found = {}
    for symptom, says, remedy in lines[2:]:
        if symptom.startswith("**"):
            continue
        assert symptom not in found, f"twice in the table: {symptom}"
        found[symptom] = says, remedy
    assert found, "the table is missing"
    return found


def _fits(words, text):
    return words is None or re.fullmatch(".*".join(map(re.escape, words.split("..."))), text, re.S) is not None


def _logged(text):
    """What each line of a log says: the message, and the message with its reason."""
    for line in text.splitlines():
        if as_text := re.match(r"\S+Z (?:info|warn|error) +(.*?)( \w+=|$)", line):
            yield as_text[1]  # before the settings were read
        if not (line.startswith("{") and line.endswith("}")):
            continue  # of another program, or not complete yet
        entry = json.loads(line)
        yield entry["message"]
        yield f"{entry['message']}: {entry.get('why') or entry.get('error')}"


class Symptom:
    """A row of the table, for Case.symptom()."""

    def __init__(self, case, name):
        self.case, self.name = case, name
        self.clauses = [match.groups() for match in CLAUSE.finditer(rows()[name][0])]
        self.unheard = set(self.clauses)

    def _hear(self, place, said):
        """Larder has said one of these texts at this place. True if the row has it."""
        heard = {clause for clause in self.clauses
                 if clause[0] == place and any(_fits(clause[1], text) for text in said)}
        self.unheard -= heard
        return bool(heard)

    def _assert_heard(self, place, said):
        said = list(said)
        self.case.assertTrue(self._hear(place, said), f"the row '{self.name}' has not at {place} what Larder said: {said}")

    def start(self, stderr, stdout="", code=1):
        """A server has ended before it was ready. The last line says why."""
        last = stderr.splitlines()[-1]
        self.case.assertEqual((code, stdout), (1, ""), last)
        self.case.assertTrue(last.startswith("larder: "), last)
        self._assert_heard("start", [last.removeprefix("larder: ")])

    def ended(self, done):
        """The same for what run_larder() returned."""
        self.start(done.stderr, done.stdout, done.returncode)

    def command(self, name, done):
        """A command has found something wrong."""
        self.case.assertEqual(done.returncode, 1, done)
        lines = [line.strip().removeprefix("larder: ") for line in (done.stdout + done.stderr).splitlines()]
        self._assert_heard(f"`larder {name}`", lines)

    def answer(self, answer):
        """A request was refused."""
        body = answer.json
        self._assert_heard(f"{answer.status} `{body.get('code')}`", [body.get("detail", "")])

    def log(self, server):
        """The log says it, now or soon."""
        eventually(lambda: self._hear("log", _logged(server.log())), f"the log has what the row '{self.name}' says")

    def command_log(self, done):
        self._assert_heard("log", _logged(done.stderr))

    def readyz(self, client, check, only=True):
        """/readyz is not well, now or soon, because of this check (and of no other)."""
        place, said = f"/readyz `{check}`", []

        def says():
            said[:] = [client.get("/readyz?verbose")]
            problems = said[0].json.get("problems", {})
            return check in problems and (not only or len(problems) == 1) and self._hear(place, [problems[check]])
        try:
            eventually(says, f"{place} says what the row '{self.name}' says")
        except AssertionError as error:
            raise AssertionError(f"{error}: {said}") from None
        answer, = said
        if check in DEGRADES and only:
            self.case.assertEqual((answer.status, answer.json["status"], answer.json["checks"][check]),
                                  (200, "degraded", "degraded"), answer)
            self.case.assertEqual(client.get("/readyz").json, {"status": "degraded"})
        else:
            self.case.assertEqual(answer.json["checks"][check], "failed", answer)
            self.case.assert_problem(answer, 503, "not_ready", checks=answer.json["checks"],
                                     problems=answer.json["problems"])
            if only:
                self.case.assert_problem(client.get("/readyz"), 503, "not_ready")
        self.case.assertEqual(client.get("/livez").status, 200)
