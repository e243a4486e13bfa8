"""Players and their sessions."""
from harness import Case, run_larder

AUTH = "/v1/auth"
PASSWORD = "correct horse"
numbers = iter(range(10**6))


def new_name():
    return f"player_{next(numbers)}"


class Player:
    """A client of the accounts, with one session."""

    def __init__(self, case, client, name=None):
        self.case, self.client, self.name = case, client, name or new_name()
        client.token = ""
        case.addCleanup(client.close)

    def sign_in(self, route, status, password=PASSWORD, **more):
        answer = self.client.post(f"{AUTH}/{route}", {"username": self.name, "password": password}, **more)
        self.case.assertEqual(answer.status, status, answer)
        self.id, self.client.token = answer.json["user_id"], answer.json["token"]
        return answer

    def register(self):
        self.sign_in("register", 201)
        return self

    def login(self, password=PASSWORD):
        self.sign_in("login", 200, password)
        return self

    def beside(self, client, token=None):
        """The same player on another connection."""
        other = Player(self.case, client, self.name)
        other.id, client.token = self.id, token or self.client.token
        return other

    def status(self):
        return self.client.get(f"{AUTH}/me").status

    def session(self):
        answer = self.client.get(f"{AUTH}/session")
        self.case.assertEqual(answer.status, 200, answer)
        return answer.json["user"]


class AccountsCase(Case):
    def player(self, server, name=None):
        return Player(self, server.client(), name)

    def larder(self, *args, data, code=0, **more):
        done = run_larder(*args, "--data", data, **more)
        self.assertEqual(done.returncode, code, done)
        return done.stdout if code == 0 else done.stderr
