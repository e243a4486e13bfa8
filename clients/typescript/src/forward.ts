import { Backlog } from './backlog.js';
import type { Clock } from './clock.js';
import { LarderError, Refusal, Unavailable } from './errors.js';
import type { Answer } from './routes.js';
import { TimedOut } from './transport.js';

/** A dispatch of Discord's gateway. */
export interface RawPacket {
  t: string | null;
  d: unknown;
  s: number | null;
}

type Listener = (packet: RawPacket, shard: number) => void;

/** What a Client of discord.js can do: it emits `raw` for every dispatch of the gateway. */
export interface RawClient {
  on(event: 'raw', listener: Listener): unknown;
  off(event: 'raw', listener: Listener): unknown;
}

export interface ForwardProblem {
  /**
   * - `away`: Larder does not take events now. They wait, and are sent again until it does.
   * - `back`: Larder takes events again.
   * - `dropped`: too many events waited, and the oldest are lost. Reported once per outage; `dropped` counts them.
   * - `refused`: Larder has refused some events for good, and has taken the others.
   */
  kind: 'away' | 'back' | 'dropped' | 'refused';
  message: string;
  error?: unknown;
}

export interface ForwardOptions {
  /** How much memory waiting events may take; 64 MiB if absent. */
  bytesMax?: number;
  /** Is told what goes wrong; console.warn if absent. */
  onProblem?: (problem: ForwardProblem) => void;
}

type Report = Answer<'post', '/v1/discord/events'>;
export type Post = (lines: Buffer, deadlineMs: number, signal: AbortSignal) => Promise<unknown>;

// What a request may have.
const eventsMax = 1000;
const bytesMax = 8 * 1024 * 1024;

const gatherMs = 50;
const deadlineMs = 30_000;
const pauseMs = 5_000;

/**
 * Sends events to Larder, in order, one request at a time. An event of the bot only puts its text into a queue, so
 * the bot never waits. While Larder is away, events wait in memory, up to `bytesMax`; beyond that, the oldest are
 * dropped. After a loss, objects of the cache may be out of date until Discord sends them again: restart the bot, and
 * READY and GUILD_CREATE replace everything.
 */
export class Forwarder {
  /** How many events Larder has applied, ignored (they change no object) and refused. */
  readonly counts = { applied: 0, ignored: 0, refused: 0, dropped: 0 };

  readonly #backlog = new Backlog();
  readonly #stopping = new AbortController();
  readonly #bytesMax: number;
  readonly #onProblem: (problem: ForwardProblem) => void;
  readonly #working: Promise<void>;
  #batch: Buffer[] = []; // on its way
  #batchMax = eventsMax;
  #state: 'well' | 'away' | 'lossy' = 'well';
  #listening = true;
  #wake = () => {};

  constructor(
    private readonly client: RawClient,
    private readonly clock: Clock,
    private readonly post: Post,
    options: ForwardOptions,
  ) {
    this.#bytesMax = options.bytesMax ?? 64 * 1024 * 1024;
    this.#onProblem = options.onProblem ?? ((problem) => console.warn(`larder: ${problem.message}`));
    client.on('raw', this.#listen);
    this.#working = this.#work();
  }

  /** How many events Larder does not have yet. */
  get waiting(): number {
    return this.#backlog.length + this.#batch.length;
  }

  /** Takes no more events, and sends those that wait, for at most `drainMs`. Returns how many are left. */
  async stop(drainMs = 5_000): Promise<number> {
    this.client.off('raw', this.#listen);
    this.#listening = false;
    this.#wake();
    const timer = setTimeout(() => this.#stopping.abort(), drainMs);
    await this.#working;
    clearTimeout(timer);
    return this.waiting;
  }

  // discord.js changes `d` after this event, so its text is made now.
  readonly #listen: Listener = ({ t, d, s }, shard) => {
    if (!t) return;
    const event = Buffer.from(JSON.stringify({ t, d, s, shard }));
    if (event.length > bytesMax) return this.#drop(1, `an event ${t} of ${event.length} bytes is too large`);
    this.#backlog.push(event);
    while (this.#backlog.bytes > this.#bytesMax && this.#backlog.length > 1) {
      this.#backlog.take(1, bytesMax);
      this.#drop(1, 'too many events wait for Larder, so the oldest are lost; restart the bot to fill the cache again');
    }
    this.#wake();
  };

  #drop(count: number, message: string): void {
    this.counts.dropped += count;
    if (this.#state === 'lossy') return;
    this.#state = 'lossy';
    this.#tell({ kind: 'dropped', message });
  }

  #tell(problem: ForwardProblem): void {
    try {
      this.#onProblem(problem);
    } catch (error) {
      console.error('larder: onProblem has failed:', error);
    }
  }

  async #work(): Promise<void> {
    while (await this.#take()) {
      while (this.#batch.length > 0 && !this.#stopping.signal.aborted) await this.#send();
    }
  }

  /** Takes the next batch. Returns false if there is none and there will be none. */
  async #take(): Promise<boolean> {
    while (this.#backlog.length === 0 && this.#listening) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    if (this.#listening) await this.#rest(gatherMs);
    if (this.#stopping.signal.aborted) return false;
    this.#batch = this.#backlog.take(this.#batchMax, bytesMax);
    return this.#batch.length > 0;
  }

  /** Sends the batch once. If Larder has not taken the batch, all or a part of it is still there. */
  async #send(): Promise<void> {
    try {
      const lines = Buffer.concat(this.#batch.flatMap((event) => [event, newline]));
      const report = await this.post(lines.subarray(0, -1), deadlineMs, this.#stopping.signal);
      if (!isReport(report)) throw new LarderError('a success that is not one of Larder', true);
      this.#batch = [];
      this.#batchMax = Math.min(eventsMax, this.#batchMax * 2);
      this.#note(report);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      if (error instanceof Refusal && [400, 413, 422].includes(error.status)) return this.#divide(error);
      if (tookTooLong(error)) this.#halve();
      if (this.#state === 'well') {
        this.#state = 'away';
        this.#tell({ kind: 'away', message: `events wait, because Larder does not take them: ${messageOf(error)}`, error });
      }
      await this.#rest(pauseMs);
    }
  }

  /** One of these events keeps Larder from taking the others: looks for it. */
  #divide(error: Refusal): void {
    if (this.#batch.length === 1) {
      this.counts.refused += 1;
      this.#tell({ kind: 'refused', message: `an event was refused: ${error.message}`, error });
      this.#batch = [];
    } else {
      this.#halve();
    }
  }

  /** The second half waits again. A single event stays as it is. */
  #halve(): void {
    this.#batchMax = Math.ceil(this.#batch.length / 2);
    this.#backlog.putBack(this.#batch.splice(this.#batchMax));
  }

  #note(report: Report): void {
    this.counts.applied += report.applied;
    this.counts.ignored += report.ignored;
    this.counts.refused += report.failed.length;
    if (this.#state !== 'well') {
      this.#state = 'well';
      this.#tell({ kind: 'back', message: `Larder takes events again; ${this.counts.dropped} were lost since the start` });
    }
    const first = report.failed[0];
    const message = `${report.failed.length} events were refused, the first one: ${first?.detail}`;
    if (first) this.#tell({ kind: 'refused', message });
  }

  /** Returns earlier if the forwarder stops. */
  async #rest(ms: number): Promise<void> {
    await this.clock.sleep(ms, this.#stopping.signal).catch((error: unknown) => {
      if (!this.#stopping.signal.aborted) throw error;
    });
  }
}

const newline = Buffer.from('\n');

/** Whether this is Larder's answer. The answer of a proxy may be anything. */
function isReport(value: unknown): value is Report {
  return typeof value === 'object' && value !== null && ['applied', 'ignored', 'failed'].every((name) => name in value);
}

/** Whether a smaller batch may do better. */
function tookTooLong(error: unknown): boolean {
  if (error instanceof Unavailable) return tookTooLong(error.cause);
  return error instanceof TimedOut || (error instanceof Refusal && [408, 504].includes(error.status));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
