// The stream of events (server-sent events). It resumes after the last event that the caller got.
import type { Clock } from './clock.js';
import { Attempts, type Failure } from './retry.js';
import type { paths } from './generated/api.js';
import { lost, said } from './transport.js';

type Query = NonNullable<paths['/v1/events']['get']['parameters']['query']>;

/** Which events: a value, or a list of values. */
export type EventFilter = { [N in keyof Query]?: Query[N] | readonly Exclude<Query[N], undefined>[] };

export interface EventOptions {
  /** The id of an event: the stream begins after it. Without an id, the stream begins with what happens now. */
  lastEventId?: string;
  signal?: AbortSignal;
}

/** Something that happened. Keep `id` with what you have done: a stream with this lastEventId begins after it. */
export interface Happened {
  kind: 'event';
  id: string;
  /** `<system>.<type>`, such as `economy.farm`. */
  name: string;
  system: string;
  type: string;
  user_id: string | null;
  at: string;
  data: Record<string, unknown>;
}

/** Larder no longer has all events since `after`, so some may be missing here: ask the journals. */
export interface Gap {
  kind: 'gap';
  after: string;
  next: string | null;
}

export type StreamedEvent = Happened | Gap;

/** One message of the stream. A message may have only an id, which says how far the stream is. */
export interface Message {
  id?: string;
  event?: string;
  data?: string;
  retry?: string;
}

/** Cuts the bytes of a stream into messages. */
export class MessageParser {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #message: Message = {};

  *feed(bytes: Uint8Array): Generator<Message> {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const text = line.endsWith('\r') ? line.slice(0, -1) : line;
      if (text !== '') {
        this.#take(text);
      } else {
        yield this.#message;
        this.#message = {};
      }
    }
  }

  #take(line: string): void {
    const match = /^(id|event|data|retry): ?(.*)$/s.exec(line); // anything else is a comment
    if (match === null) return;
    const [name, value] = [match[1] as keyof Message, match[2] ?? ''];
    const before = name === 'data' ? this.#message.data : undefined;
    this.#message[name] = before === undefined ? value : `${before}\n${value}`;
  }
}

/** Larder sends something every 15 s, so a connection that is silent for longer is dead. */
const silenceMs = 45_000;

export class EventStream {
  #lastEventId: string | undefined;
  #reconnectMs = 0;
  #alive = false; // whether the present connection has brought anything

  constructor(
    private readonly fetch: typeof globalThis.fetch,
    private readonly clock: Clock,
    private readonly random: () => number,
    private readonly url: string,
    private readonly headers: Record<string, string>,
    lastEventId: string | undefined,
  ) {
    this.#lastEventId = lastEventId;
  }

  async *events(signal?: AbortSignal): AsyncGenerator<StreamedEvent, void, undefined> {
    let attempts = this.#attempts();
    while (!signal?.aborted) {
      const connection = new AbortController();
      const giveUp = () => connection.abort(signal?.reason);
      signal?.addEventListener('abort', giveUp, { once: true });
      let failure: Failure;
      try {
        failure = yield* this.#connect(connection);
      } finally {
        signal?.removeEventListener('abort', giveUp);
        connection.abort(); // also if the caller leaves its loop
      }
      if (signal?.aborted) return;
      if (this.#alive) attempts = this.#attempts();
      const pause = Math.max(this.#reconnectMs, attempts.pauseAfter(failure, this.clock.now()));
      await this.clock.sleep(pause, signal).catch((error: unknown) => {
        if (!signal?.aborted) throw error;
      });
    }
  }

  /** A stream has no deadline. */
  #attempts(): Attempts {
    return new Attempts('reads', Infinity, this.random);
  }

  /** Yields the events of one connection, and returns why it has ended. */
  async *#connect(connection: AbortController): AsyncGenerator<StreamedEvent, Failure, undefined> {
    this.#alive = false;
    try {
      const headers = { ...this.headers, Accept: 'text/event-stream' };
      const resumed = this.#lastEventId === undefined ? headers : { ...headers, 'Last-Event-ID': this.#lastEventId };
      const request = { headers: resumed, redirect: 'manual', signal: connection.signal } as const;
      const response = await unlessSilent(connection, () => this.fetch(this.url, request));
      if (!response.ok || response.body === null) {
        return said(response.status, response.headers, await unlessSilent(connection, () => response.text()));
      }
      const reader = response.body.getReader();
      const parser = new MessageParser();
      for (;;) {
        const { done, value } = await unlessSilent(connection, () => reader.read());
        if (done) return lost(new Error('the stream has ended'));
        this.#alive = true;
        for (const message of parser.feed(value)) {
          const event = this.#read(message);
          if (event !== undefined) yield event;
        }
      }
    } catch (cause) {
      return lost(cause);
    }
  }

  #read(message: Message): StreamedEvent | undefined {
    if (message.retry !== undefined && /^\d+$/.test(message.retry)) this.#reconnectMs = Number(message.retry);
    const data = message.data === undefined ? undefined : JSON.parse(message.data);
    if (message.id !== undefined) this.#lastEventId = message.id;
    if (data === undefined) return undefined;
    if (message.event === 'gap') return { kind: 'gap', ...data };
    return { kind: 'event', id: message.id ?? '', name: message.event ?? '', ...data };
  }
}

/** Aborts the connection if the task takes so long that the connection must be dead. */
async function unlessSilent<T>(connection: AbortController, task: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => connection.abort(new Error(`nothing came for ${silenceMs / 1000} s`)), silenceMs);
  try {
    return await task();
  } finally {
    clearTimeout(timer);
  }
}
