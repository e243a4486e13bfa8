"""The bot on Discord. It needs discord.py, and clients/python:

    pip install discord.py ../../clients/python
    LARDER_KEY=$(larder key create --name bot --scope ledger,economy,discord) DISCORD_TOKEN=... python3 bot.py
"""
import os

import discord
from discord import app_commands

from commands import Command, Commands
from larder import AsyncLarder


class Bot(discord.Client):
    def __init__(self):
        intents = discord.Intents(guilds=True, guild_messages=True)
        super().__init__(intents=intents, enable_debug_events=True)  # without them, there is nothing to forward
        self.tree = app_commands.CommandTree(self)
        self.larder = AsyncLarder(os.environ.get("LARDER_URL", "http://127.0.0.1:7420"), token=os.environ["LARDER_KEY"])
        # Everything that Discord says goes into Larder's cache, for all processes of the bot.
        self.forwarder = self.larder.forward(self)

    async def setup_hook(self):
        self.commands = await Commands.open(self.larder)
        await self.tree.sync()

    async def play(self, interaction, **options):
        await interaction.response.defer()  # Discord wants a sign within 3 s, and Larder may just be starting again
        command = Command(str(interaction.id), str(interaction.guild_id or 0), str(interaction.user.id),
                          interaction.user.display_name, interaction.command.name, **options)
        await interaction.followup.send(await self.commands.answer(command))

    async def close(self):
        await super().close()
        await self.forwarder.stop()
        await self.larder.close()


bot = Bot()
Points = app_commands.Range[int, 1]


@bot.tree.command(description="Farm points")
async def farm(interaction: discord.Interaction):
    await bot.play(interaction)


@bot.tree.command(description="Get your daily reward")
async def daily(interaction: discord.Interaction):
    await bot.play(interaction)


@bot.tree.command(description="Win or lose points")
async def gamble(interaction: discord.Interaction, amount: Points):
    await bot.play(interaction, amount=amount)


@bot.tree.command(description="Give points to somebody")
async def pay(interaction: discord.Interaction, to: discord.User, amount: Points):
    await bot.play(interaction, to=str(to.id), amount=amount)


@bot.tree.command(description="Award a prize")
@app_commands.default_permissions()
async def prize(interaction: discord.Interaction, to: discord.User, amount: Points):
    await bot.play(interaction, to=str(to.id), amount=amount)


@bot.tree.command(description="See your points")
async def balance(interaction: discord.Interaction):
    await bot.play(interaction)


if __name__ == "__main__":
    bot.run(os.environ["DISCORD_TOKEN"])
