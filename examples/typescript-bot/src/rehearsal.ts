// The bot without Discord: players who exist only here send commands, and an emitter takes the place of discord.js.
//   LARDER_URL=... LARDER_KEY=... node dist/rehearsal.js MOVES SEED
// Prints a line of JSON for each command that is decided, and one for each event that Larder tells. Ends when its input ends.
import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

import { Larder } from 'larder-client';

import { Commands, type Command } from './commands.js';

const players = Array.from({ length: 8 }, (_, i) => `${1000 + i}`);
const hands = 6; // players who send commands at the same time
const guild = '41771983423143937';
const channel = '41771983423143938';

const moves = Number(process.argv[2]);
let seed = Number(process.argv[3]);

function below(limit: number): number {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; // a linear congruential generator
  return Math.floor((seed / 2 ** 32) * limit);
}

function oneOf<T>(things: readonly T[]): T {
  return things[below(things.length)]!;
}

function makeCommand(number: number): Command {
  const user = oneOf(players);
  const others = players.filter((player) => player !== user);
  // The guild says which command an event belongs to.
  const command = { id: `c${number}`, guild: `c${number}`, user, userName: `Player ${user}` };
  const name = oneOf(['farm', 'farm', 'farm', 'pay', 'pay', 'gamble', 'gamble', 'prize', 'daily']);
  return { ...command, name, to: oneOf(others), amount: 1 + below(9) };
}

function tell(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}

class Gateway extends EventEmitter {
  #s = 0;
  dispatch(t: string, d: object): void {
    this.emit('raw', { t, d, s: ++this.#s }, 0);
  }
  say(number: number, { user, userName, name }: Command): void {
    const author = { id: user, username: userName };
    this.dispatch('MESSAGE_CREATE', { id: `${1420070400000000000n + BigInt(number)}`, channel_id: channel, guild_id: guild, author, content: `/${name}` });
  }
}

let hears = false;

/** Tells every event of the economy, from the first one that comes. */
async function listen(larder: Larder, signal: AbortSignal): Promise<void> {
  for await (const event of larder.events({ system: 'economy' }, { signal })) {
    hears = true;
    tell(event.kind === 'gap' ? { gap: event } : { event: event.data['id'], user: event.user_id });
  }
}

async function work(commands: Commands, gateway: Gateway, next: () => number): Promise<void> {
  for (let number = next(); number <= moves; number = next()) {
    const command = makeCommand(number);
    gateway.say(number, command);
    const outcome = await commands.run(command);
    tell({ command, outcome });
  }
}

const larder = new Larder({ url: process.env['LARDER_URL'] ?? 'http://127.0.0.1:7420', token: process.env['LARDER_KEY'] ?? '' });
const commands = await Commands.open(larder);
const gateway = new Gateway();
const forwarder = larder.forward(gateway);
const channels = [{ id: channel, type: 0, name: 'game' }];
gateway.dispatch('GUILD_CREATE', { id: guild, name: 'Rehearsal', owner_id: players[0], member_count: 0, roles: [], channels, members: [] });

const leaving = new AbortController();
const listening = listen(larder, leaving.signal);
// A stream begins with what happens now. So something happens until it has begun.
for (let number = 1; !hears; ++number) {
  await commands.run({ id: `h${number}`, guild, user: 'herald', userName: 'Herald', name: 'farm' });
  await pause(20);
}
let last = 0;
await Promise.all(Array.from({ length: hands }, () => work(commands, gateway, () => ++last)));
tell({ left: await forwarder.stop(60_000), forwarded: forwarder.counts });
process.stdin.resume();
await once(process.stdin, 'end');
leaving.abort();
await listening;
