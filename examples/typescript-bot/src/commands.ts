// What the bot does for each command. The id of the command is the key of its move: however often a request is sent,
// the command takes effect once.
import { Refusal, Unavailable, type Larder } from 'larder-client';

export interface Command {
  id: string;
  guild: string;
  user: string;
  userName: string;
  name: string;
  amount?: number;
  to?: string;
}

/** Nothing of a command has happened if it was refused. */
export type Outcome = { done: unknown; text: string } | { refused: string; text: string };

const realm = 'main';
const domain = 'bot';

export class Commands {
  private constructor(
    private readonly larder: Larder,
    private readonly prizes: number,
  ) {}

  static async open(larder: Larder): Promise<Commands> {
    return new Commands(larder, await typeOfPrizes(larder));
  }

  /** Throws Unavailable if Larder did not answer in time. */
  async run(command: Command): Promise<Outcome> {
    try {
      return await this.#move(command);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { refused: error.code, text: textOf(error) };
    }
  }

  /** The text for the player, whatever happens. */
  async answer(command: Command): Promise<string> {
    try {
      return (await this.run(command)).text;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      return error.outcomeUnknown ? 'I cannot say whether that has worked. Look at your /balance.' : 'Please try again later.';
    }
  }

  async #move({ id, guild, user, userName, name, amount = 1, to = user }: Command): Promise<Outcome> {
    const path = { realm, id: user };
    const idempotencyKey = id;
    switch (name) {
      case 'farm': {
        const body = { name: userName, guild_id: guild };
        const done = await this.larder.post('/v1/economy/{realm}/players/{id}/farm', { path, body, idempotencyKey });
        return { done, text: `You farm ${done.gained} and have ${done.balance}.${done.drop ? ` You find ${done.drop.item}!` : ''}` };
      }
      case 'daily': {
        const reward = { ...path, reward: 'daily' };
        const done = await this.larder.post('/v1/economy/{realm}/players/{id}/rewards/{reward}', { path: reward, body: { guild_id: guild }, idempotencyKey });
        return { done, text: `You get ${done.reward} and have ${done.balance}.` };
      }
      case 'gamble': {
        const done = await this.larder.post('/v1/economy/{realm}/players/{id}/gamble', { path, body: { amount, guild_id: guild }, idempotencyKey });
        return { done, text: `You ${done.change > 0 ? 'win' : 'lose'} ${Math.abs(done.change)} and have ${done.balance}.` };
      }
      case 'pay': {
        const done = await this.larder.post('/v1/economy/{realm}/players/{id}/pay', { path, body: { to, amount, guild_id: guild }, idempotencyKey });
        return { done, text: `You pay ${amount} and have ${done.balance}.` };
      }
      case 'prize': {
        const body = { order_id: `prize:${id}`, op: 'add', type: this.prizes, domain, uid: to, amount } as const;
        const done = await this.larder.post('/v1/ledger/entries', { body });
        return { done, text: `<@${to}> has ${done.balance} prize points.` };
      }
      case 'balance': {
        const done = await this.larder.get('/v1/economy/{realm}/players/{id}', { path });
        return { done, text: `You have ${done.balance}.` };
      }
      default:
        return { refused: 'unknown_command', text: `I do not know /${name}.` };
    }
  }
}

function textOf({ code, problem, detail }: Refusal): string {
  if (code === 'insufficient_balance') return `You have only ${problem.balance}.`;
  if (code === 'reward_not_ready') return `Come back in ${problem.seconds_left} seconds.`;
  return `No: ${detail}.`;
}

/** The points of prizes are of a type of the ledger, which the first start creates. */
async function typeOfPrizes(larder: Larder): Promise<number> {
  try {
    return (await larder.post('/v1/ledger/types', { body: { name: 'prizes' } })).id;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'type_exists' && error.problem.id) return error.problem.id;
    throw error;
  }
}
