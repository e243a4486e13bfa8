// Applies dispatches to the cache of discord.js, in memory, as its gateway would. Prints events per second.
//   node apply.js FILE.ndjson GUILDS     the first GUILDS lines are GUILD_CREATEs, which are not timed
const fs = require('node:fs');
const { Client, Partials } = require('discord.js');

const [file, guilds] = process.argv.slice(2);
const packets = fs.readFileSync(file, 'utf8').trim().split('\n').map(line => JSON.parse(line));
const client = new Client({ intents: 53608447, partials: Object.values(Partials).filter(p => typeof p === 'number') });
client.user = client.users._add({ id: '1', username: 'bench', discriminator: '0', bot: true });
const shard = { id: 0, status: 0, ping: 0, expectedGuilds: new Set(), emit() {}, checkReady() {}, gotGuild() {} };
const handle = packet => client.ws.handlePacket(packet, shard);
client.ws.status = 0;

packets.slice(0, Number(guilds)).forEach(handle);
const events = packets.slice(Number(guilds));
const begin = process.hrtime.bigint();
events.forEach(handle);
const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
if (client.guilds.cache.size !== Number(guilds)) throw new Error(`${client.guilds.cache.size} guilds are in the cache`);
console.log(events.length / seconds);
process.exit(0);
