"""The bot without Discord: players who exist only here send commands, and an object takes the place of discord.py's client.

    PYTHONPATH=../../clients/python LARDER_URL=... LARDER_KEY=... python3 rehearsal.py MOVES SEED

Prints a line of JSON for each command that is decided, and one for each event that Larder tells. Ends when its input ends.
"""
import asyncio
import itertools
import json
import os
import random
import sys
from dataclasses import asdict

from commands import Command, Commands
from larder import AsyncLarder, Gap

PLAYERS = [str(1000 + i) for i in range(8)]
HANDS = 6  # players who send commands at the same time
GUILD, CHANNEL = "41771983423143937", "41771983423143938"


def tell(**what):
    print(json.dumps(what), flush=True)


def make_command(rng, number):
    user, to = rng.sample(PLAYERS, 2)
    name = rng.choice(["farm", "farm", "farm", "pay", "pay", "gamble", "gamble", "prize", "daily"])
    # The guild says which command an event belongs to.
    return Command(f"c{number}", f"c{number}", user, f"Player {user}", name, rng.randint(1, 9), to)


class Gateway:
    """Hands over the texts of the gateway, as a Client of discord.py does."""

    def __init__(self):
        self.s = 0

    async def dispatch(self, t, d):
        self.s += 1
        await self.on_socket_raw_receive(json.dumps({"t": t, "s": self.s, "op": 0, "d": d}, separators=(",", ":")))

    async def say(self, number, command):
        await self.dispatch("MESSAGE_CREATE", {
            "id": str(1420070400000000000 + number), "channel_id": CHANNEL, "guild_id": GUILD,
            "author": {"id": command.user, "username": command.user_name}, "content": f"/{command.name}"})


async def listen(larder, hears):
    """Tells every event of the economy, from the first one that comes."""
    async for event in larder.events(system="economy"):
        hears.set()
        if isinstance(event, Gap):
            tell(gap=asdict(event))
        else:
            tell(event=event.data["id"], user=event.user_id)


async def work(commands, gateway, numbers, rng):
    for number in numbers:
        command = make_command(rng, number)
        await gateway.say(number, command)
        outcome = await commands.run(command)
        tell(command=asdict(command), outcome=asdict(outcome))


async def main(moves, seed):
    rng = random.Random(seed)
    async with AsyncLarder(os.environ["LARDER_URL"], token=os.environ["LARDER_KEY"]) as larder:
        commands = await Commands.open(larder)
        gateway = Gateway()
        forwarder = larder.forward(gateway)
        channels = [{"id": CHANNEL, "type": 0, "name": "game"}]
        await gateway.dispatch("GUILD_CREATE", {"id": GUILD, "name": "Rehearsal", "owner_id": PLAYERS[0], "member_count": 0,
                                                "roles": [], "channels": channels, "members": []})
        hears = asyncio.Event()
        listening = asyncio.create_task(listen(larder, hears))
        # A stream begins with what happens now. So something happens until it has begun.
        for number in itertools.count(1):
            if hears.is_set():
                break
            await commands.run(Command(f"h{number}", GUILD, "herald", "Herald", "farm"))
            await asyncio.sleep(0.02)
        numbers = iter(range(1, moves + 1))
        await asyncio.gather(*(work(commands, gateway, numbers, rng) for _ in range(HANDS)))
        tell(left=await forwarder.stop(60), forwarded={"applied": forwarder.applied, "ignored": forwarder.ignored,
                                                       "refused": forwarder.refused, "dropped": forwarder.dropped})
        await asyncio.to_thread(sys.stdin.read)
        listening.cancel()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
