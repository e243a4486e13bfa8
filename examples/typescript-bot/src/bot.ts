// The bot on Discord. Build clients/typescript and then this folder (`npm ci`, `npm run build` in each), and start it:
//   LARDER_KEY=$(larder key create --name bot --scope ledger,economy,discord) DISCORD_TOKEN=... npm start
import { ApplicationCommandOptionType, Client, Events, GatewayIntentBits, type ChatInputCommandInteraction } from 'discord.js';
import { Larder } from 'larder-client';

import { Commands, type Command } from './commands.js';

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`set ${name}`);
  return value;
}

function commandOf(interaction: ChatInputCommandInteraction): Command {
  const { id, guildId, user, commandName, options } = interaction;
  const amount = options.getInteger('amount');
  const to = options.getUser('to');
  return {
    id,
    guild: guildId ?? '0',
    user: user.id,
    userName: user.displayName,
    name: commandName,
    ...(amount === null ? {} : { amount }),
    ...(to === null ? {} : { to: to.id }),
  };
}

const amount = { type: ApplicationCommandOptionType.Integer, name: 'amount', description: 'How many points', required: true, minValue: 1 } as const;
const to = { type: ApplicationCommandOptionType.User, name: 'to', description: 'To whom', required: true } as const;
const definitions = [
  { name: 'farm', description: 'Farm points' },
  { name: 'daily', description: 'Get your daily reward' },
  { name: 'gamble', description: 'Win or lose points', options: [amount] },
  { name: 'pay', description: 'Give points to somebody', options: [to, amount] },
  { name: 'prize', description: 'Award a prize', options: [to, amount], defaultMemberPermissions: '0' },
  { name: 'balance', description: 'See your points' },
];

const larder = new Larder({ url: process.env['LARDER_URL'] ?? 'http://127.0.0.1:7420', token: setting('LARDER_KEY') });
const commands = await Commands.open(larder);
const client = new Client({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages] });

// Everything that Discord says goes into Larder's cache, for all processes of the bot.
const forwarder = larder.forward(client);

client.on(Events.InteractionCreate, async (interaction) => {
  if (!interaction.isChatInputCommand()) return;
  await interaction.deferReply(); // Discord wants a sign within 3 s, and Larder may just be starting again
  await interaction.editReply(await commands.answer(commandOf(interaction)));
});
client.once(Events.ClientReady, (ready) => ready.application.commands.set(definitions));

process.once('SIGTERM', async () => {
  await client.destroy();
  await forwarder.stop();
});
await client.login(setting('DISCORD_TOKEN'));
