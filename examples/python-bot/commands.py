"""What the bot does for each command. The id of the command is the key of its move: however often a request is sent, the
command takes effect once."""
from dataclasses import dataclass

from larder import Refusal, Unavailable

REALM = "main"
DOMAIN = "bot"


@dataclass
class Command:
    id: str
    guild: str
    user: str
    user_name: str
    name: str
    amount: int = 1
    to: str = ""


@dataclass
class Outcome:
    """Nothing of a command has happened if it was refused."""

    text: str
    done: dict | None = None
    refused: str | None = None


class Commands:
    def __init__(self, larder, prizes):
        self._larder = larder
        self._prizes = prizes

    @classmethod
    async def open(cls, larder):
        return cls(larder, await type_of_prizes(larder))

    async def run(self, command):
        """Raises Unavailable if Larder did not answer in time."""
        move = getattr(self, f"_{command.name}", None)
        if move is None:
            return Outcome(f"I do not know /{command.name}.", refused="unknown_command")
        try:
            return await move(command)
        except Refusal as refusal:
            return Outcome(text_of(refusal), refused=refusal.code)

    async def answer(self, command):
        """The text for the player, whatever happens."""
        try:
            return (await self.run(command)).text
        except Unavailable as error:
            unknown = "I cannot say whether that has worked. Look at your /balance."
            return unknown if error.outcome_unknown else "Please try again later."

    async def _move(self, command, what, body, **values):
        path = f"/v1/economy/{{realm}}/players/{{id}}/{what}"
        body = {**body, "guild_id": command.guild}
        return await self._larder.post(path, body, realm=REALM, id=command.user, idempotency_key=command.id, **values)

    async def _farm(self, command):
        done = await self._move(command, "farm", {"name": command.user_name})
        found = f" You find {done['drop']['item']}!" if done["drop"] else ""
        return Outcome(f"You farm {done['gained']} and have {done['balance']}.{found}", done)

    async def _daily(self, command):
        done = await self._move(command, "rewards/{reward}", {}, reward="daily")
        return Outcome(f"You get {done['reward']} and have {done['balance']}.", done)

    async def _gamble(self, command):
        done = await self._move(command, "gamble", {"amount": command.amount})
        won = "win" if done["change"] > 0 else "lose"
        return Outcome(f"You {won} {abs(done['change'])} and have {done['balance']}.", done)

    async def _pay(self, command):
        done = await self._move(command, "pay", {"to": command.to, "amount": command.amount})
        return Outcome(f"You pay {command.amount} and have {done['balance']}.", done)

    async def _prize(self, command):
        entry = {"order_id": f"prize:{command.id}", "op": "add", "type": self._prizes, "domain": DOMAIN, "uid": command.to,
                 "amount": command.amount}
        done = await self._larder.post("/v1/ledger/entries", entry)
        return Outcome(f"<@{command.to}> has {done['balance']} prize points.", done)

    async def _balance(self, command):
        done = await self._larder.get("/v1/economy/{realm}/players/{id}", realm=REALM, id=command.user)
        return Outcome(f"You have {done['balance']}.", done)


def text_of(refusal):
    if refusal.code == "insufficient_balance":
        return f"You have only {refusal.problem['balance']}."
    if refusal.code == "reward_not_ready":
        return f"Come back in {refusal.problem['seconds_left']} seconds."
    return f"No: {refusal.detail}."


async def type_of_prizes(larder):
    """The points of prizes are of a type of the ledger, which the first start creates."""
    try:
        return (await larder.post("/v1/ledger/types", {"name": "prizes"}))["id"]
    except Refusal as refusal:
        if refusal.code != "type_exists":
            raise
        return refusal.problem["id"]
