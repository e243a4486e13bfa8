"""Load on the messages of one user from several clients. No key makes a selection repeatable, so an attempt with an unknown
outcome may have spent a token."""
import http.client
import random
from collections import Counter

from harness import Hand, Load

MESSAGES = "/v1/messages"
TOKENS = 40
KINDS = {"make": 1, "choose": 29}


class MessagesLoad(Load):
    """`decided`: what was made and sent, by number."""

    def __init__(self, address_of, token, seed, clients=8, **more):
        super().__init__(address_of, token, KINDS, **more)
        self.begin_anew(0)
        self._hands = [_Hand(self, i, random.Random(f"{seed}/{i}")) for i in range(clients)]

    def begin_anew(self, number):
        """A lost Redis has forgotten which tokens were spent, so from now on the messages go to another user."""
        self.user, self.made, self.sent, self.uncertain = f"ada-{number}", [], [], 0

    def check(self, case, client):
        """No message is lost, and no token is spent twice. Spends what is left. Returns how many messages were sent."""
        case.assertEqual(self.problems, [])
        listed = set(self._listed(client))
        case.assertLessEqual(set(self.made), listed)
        # What is left and what was sent add up to all tokens, except those with an unknown outcome.
        while (message := self._choose(client).json["message"]) is not None:
            self.sent.append(message["id"])
        sent = Counter(self.sent)
        for id in listed:
            case.assertLessEqual(sent[id], TOKENS)
        lost = len(listed) * TOKENS - len(self.sent)
        case.assertLessEqual(lost, self.uncertain)
        return len(self.sent)

    def _choose(self, client):
        answer = client.post(f"{MESSAGES}/select", {"user_id": self.user})
        assert answer.status == 200, answer
        return answer

    def _listed(self, client):
        cursor = ""
        while cursor is not None:
            answer = client.get(f"{MESSAGES}?target_id={self.user}&limit=500" + (f"&cursor={cursor}" if cursor else ""))
            assert answer.status == 200, answer
            yield from (item["id"] for item in answer.json["items"])
            cursor = answer.json["next_cursor"]


class _Hand(Hand):
    """One client."""

    def ask(self, path, body):
        """The answer, or None if the outcome is unknown."""
        client = self.client()
        try:
            answer = client.post(path, body)
        except (OSError, http.client.HTTPException):  # the server has closed the connection
            answer = None
        if answer is not None and answer.status not in (200, 201, 503):
            raise AssertionError(f"{path} {body} was answered with {answer}")
        with self.load.lock:
            if answer is None or answer.status == 503:
                self.load.unknown += 1
                self.load.uncertain += path != MESSAGES
                answer = None
            else:
                self.load.decided[len(self.load.decided)] = answer.status
        if answer is None:
            self.load.stopping.wait(0.02)
        return answer

    def make(self):
        rule = {"tokens": TOKENS, "seconds": 1_000_000_000}
        answer = self.ask(MESSAGES, {"text": "hello", "author_id": "a", "target_id": self.load.user, "rule": rule})
        if answer:
            with self.load.lock:
                self.load.made.append(answer.json["id"])

    def choose(self):
        answer = self.ask(f"{MESSAGES}/select", {"user_id": self.load.user})
        if answer and answer.json["message"]:
            with self.load.lock:
                self.load.sent.append(answer.json["message"]["id"])
