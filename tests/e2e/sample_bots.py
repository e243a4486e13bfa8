"""The sample bots in examples/ against the real server: a bot makes 1000 moves while the server is killed and answers get lost.
Afterwards, the journals and balances must have each move that the bot was told about, once, and nothing else."""
import json
import random
import subprocess
import threading
from collections import Counter

from cutting_proxy import CuttingProxy
from economy_load import EconomyLoad, Move
from harness import PATIENCE_S, SEED, Case, Server, die_with_parent, eventually, run_larder

MOVES = 1000
KILLS = {300: "both", 650: "server"}  # after how many decided commands
REALM = "main"
HERALD = "herald"  # plays until the bot hears of events, and belongs to nothing else
FIRST_MESSAGE = 1420070400000000001


class Bot:
    """A rehearsal of a sample bot. `decided`: its commands with their outcomes. `heard`: the ids of the events that it got."""

    def __init__(self, command, **how):
        self.decided, self.heard, self.gaps = [], [], []
        self.result = None
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                         preexec_fn=die_with_parent, **how)
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self):
        for line in self._process.stdout:
            said = json.loads(line)
            if "command" in said:
                self.decided.append(said)
            elif "event" in said:
                self.heard += [said["event"]] if said["user"] != HERALD else []
            elif "gap" in said:
                self.gaps.append(said)
            else:
                self.result = said

    def wait_until(self, check, what):
        eventually(lambda: check() or self._process.poll() is not None, what)
        assert check(), f"the bot ended with {self._process.poll()}: {what}"

    def end(self):
        self._process.stdin.close()
        status = self._process.wait(PATIENCE_S)
        self._reading.join(PATIENCE_S)
        return status

    def close(self):
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()


class Moves(EconomyLoad):
    """The moves of a bot, to compare with the journal."""

    def _pages(self, client):
        return (event for event in super()._pages(client) if event["user_id"] != HERALD)


def move_of(said):
    """A command and its outcome as a move of the economy."""
    command, outcome = said["command"], said["outcome"]
    body = {"pay": {"to": command["to"], "amount": command["amount"]}}.get(command["name"], {})
    what = {"daily": "rewards/daily"}.get(command["name"], command["name"])
    move = Move(command["id"], f"/players/{command['user']}/{what}", body)
    move.status, move.answer = (200, outcome["done"]) if outcome.get("done") else (409, {"code": outcome["refused"]})
    return move


class SampleBotCase(Case):
    def rehearse(self, command, **how):
        """Plays the whole rehearsal. `command` is the program; `how` are more arguments of Popen."""
        self.server = self.open(Server("--set", "server.access_log=false"))
        proxy = self.open(CuttingProxy(lambda: self.server.address, SEED))
        done = run_larder("key", "create", "--data", self.server.data, "--name", "bot", "--scope", "economy,ledger,discord")
        self.assertEqual(done.returncode, 0, done.stderr)
        env = how.pop("env") | {"LARDER_URL": proxy.url, "LARDER_KEY": done.stdout.strip()}
        bot = Bot([*command, str(MOVES), str(random.Random(SEED).getrandbits(31))], env=env, **how)
        self.addCleanup(bot.close)
        for count, kind in KILLS.items():
            bot.wait_until(lambda: len(bot.decided) >= count, f"{count} commands are decided")
            self.server.kill(redis=kind == "both")
            self.assertLess(len(bot.decided), MOVES, "the server was killed too late")
            self.server.start()
        bot.wait_until(lambda: bot.result, "the rehearsal is over")
        self.check(bot)
        self.assertGreater(proxy.cuts, 10)
        print(f"{len(bot.decided)} commands {dict(self.outcomes(bot))}, {proxy.cuts} answers swallowed", flush=True)

    def check(self, bot):
        self.assertEqual(sorted(said["command"]["id"] for said in bot.decided), sorted(f"c{i + 1}" for i in range(MOVES)))
        self.check_economy(bot)
        self.check_prizes(bot)
        self.check_cache(bot)
        self.assertEqual(bot.end(), 0)
        for command in (("economy", "verify"), ("ledger", "verify")):
            done = run_larder(*command, "--data", self.server.data)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done)

    def check_economy(self, bot):
        client = self.server.client()
        moves = Moves(lambda: self.server.address, self.server.token, SEED, realm=REALM, clients=0)
        moves.players = [str(1000 + i) for i in range(8)]
        moves.decided = {said["command"]["id"]: move_of(said) for said in bot.decided if said["command"]["name"] != "prize"}
        self.assertGreater(len(moves.decided), MOVES / 2)
        moves.check(self, client)
        journal = Counter(event["id"] for event in moves._pages(client))
        eventually(lambda: len(bot.heard) >= len(journal), "the bot hears of every event")
        self.assertEqual((bot.gaps, Counter(bot.heard)), ([], journal))
        client.close()

    def check_prizes(self, bot):
        client = self.server.client()
        given = Counter()
        for said in bot.decided:
            if said["command"]["name"] == "prize":
                self.assertIsNotNone(said["outcome"].get("done"), said)
                given[said["command"]["to"], f"prize:{said['command']['id']}", said["command"]["amount"]] += 1
        self.assertGreater(len(given), MOVES / 20)
        users = {user for user, _, _ in given}
        told = Counter((user, flow["order_id"], flow["change"]) for user in users for flow in client.flows(user))
        self.assertEqual(told, given)
        for user in users:
            self.assertEqual(client.account(1, "bot", user)["balance"], sum(amount for to, _, amount in given if to == user))
        client.close()

    def check_cache(self, bot):
        self.assertEqual((bot.result["left"], bot.result["forwarded"]["dropped"], bot.result["forwarded"]["refused"]), (0, 0, 0))
        self.assertEqual(bot.result["forwarded"]["applied"], MOVES + 1)
        client = self.server.client()
        keys = [["message", str(FIRST_MESSAGE + i)] for i in range(MOVES)]
        answer = client.post("/v1/discord/lookup", {"keys": keys})
        self.assertEqual(answer.status, 200, answer)
        names = {said["command"]["id"]: said["command"]["name"] for said in bot.decided}
        self.assertEqual([message and message["content"] for message in answer.json["items"]],
                         [f"/{names[f'c{i + 1}']}" for i in range(MOVES)])
        client.close()

    def outcomes(self, bot):
        return Counter("done" if said["outcome"].get("done") else said["outcome"]["refused"] for said in bot.decided)
