import { randomUUID } from 'node:crypto';

import { systemClock, type Clock } from './clock.js';
import { EventStream, type EventFilter, type EventOptions, type StreamedEvent } from './events.js';
import { Forwarder, type ForwardOptions, type Post, type RawClient } from './forward.js';
import { writes } from './generated/writes.js';
import { fillPath, queryText, type PathValues, type QueryValues } from './request.js';
import { Attempts, type Repetition } from './retry.js';
import type { Answer, CallOptions, Item, ListPath, Method, PathOf, Rest, Wanted } from './routes.js';
import { send, type Sent } from './transport.js';

export interface LarderOptions {
  /** Where Larder answers; http://127.0.0.1:7420 if absent. */
  url?: string;
  /** A service key, or the token of a player. */
  token: string;
  /** For how long to repeat a request while its outcome is unknown: 90 s if absent, at most 12 h. The default is above
   * the 60 s for which a key stays in progress after its server has died. */
  deadlineMs?: number;
  /** For how long to wait for one answer; 30 s if absent. */
  attemptMs?: number;
  fetch?: typeof globalThis.fetch;
  clock?: Clock;
  /** A number from 0 to 1, for the length of pauses. */
  random?: () => number;
}

const deadlineMsMax = 12 * 3_600_000; // Larder keeps an Idempotency-Key for 24 hours

interface AnyOptions extends CallOptions {
  path?: PathValues;
  query?: QueryValues;
  body?: unknown;
  idempotencyKey?: string;
}

/** A client. Any number of requests may run at the same time. */
export class Larder {
  readonly #url: string;
  readonly #token: string;
  readonly #deadlineMs: number;
  readonly #attemptMs: number;
  readonly #fetch: typeof globalThis.fetch;
  readonly #clock: Clock;
  readonly #random: () => number;

  constructor(options: LarderOptions) {
    this.#url = (options.url ?? 'http://127.0.0.1:7420').replace(/\/+$/, '');
    if (!/^https?:$/.test(new URL(this.#url).protocol)) throw new TypeError('url must begin with http:// or https://');
    if (!/^[!-~]+$/.test(options.token)) throw new TypeError('token must be a service key or the token of a player');
    this.#token = options.token;
    this.#deadlineMs = checkedDeadline(options.deadlineMs ?? 90_000);
    this.#attemptMs = options.attemptMs ?? 30_000;
    this.#fetch = options.fetch ?? ((...args) => globalThis.fetch(...args));
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
  }

  get<P extends PathOf<'get'>>(path: P, ...rest: Rest<'get', P>): Promise<Answer<'get', P>> {
    return this.#call('get', path, rest[0]);
  }
  post<P extends PathOf<'post'>>(path: P, ...rest: Rest<'post', P>): Promise<Answer<'post', P>> {
    return this.#call('post', path, rest[0]);
  }
  put<P extends PathOf<'put'>>(path: P, ...rest: Rest<'put', P>): Promise<Answer<'put', P>> {
    return this.#call('put', path, rest[0]);
  }
  patch<P extends PathOf<'patch'>>(path: P, ...rest: Rest<'patch', P>): Promise<Answer<'patch', P>> {
    return this.#call('patch', path, rest[0]);
  }
  delete<P extends PathOf<'delete'>>(path: P, ...rest: Rest<'delete', P>): Promise<Answer<'delete', P>> {
    return this.#call('delete', path, rest[0]);
  }

  /** The items of a list, page by page. */
  async *items<P extends ListPath>(path: P, ...rest: Rest<'get', P>): AsyncGenerator<Item<P>, void, undefined> {
    const options: AnyOptions = { ...rest[0] };
    for (;;) {
      const page = (await this.#request('get', path, options)) as { items: Item<P>[]; next_cursor: string | null };
      yield* page.items;
      if (page.next_cursor === null) return;
      options.query = { ...options.query, cursor: page.next_cursor };
    }
  }

  /** Events as they happen. The stream resumes by itself when its connection or Larder breaks. It ends when you leave
   * the loop, or when `signal` is aborted. Throws a Refusal if Larder refuses to send any. */
  events(filter: EventFilter = {}, options: EventOptions = {}): AsyncGenerator<StreamedEvent, void, undefined> {
    if (!/^[!-~]*$/.test(options.lastEventId ?? '')) throw new TypeError('lastEventId must be the id of an event');
    const { url, headers } = this.#sent('get', '/v1/events', { query: filter });
    const stream = new EventStream(this.#fetch, this.#clock, this.#random, url, headers, options.lastEventId);
    return stream.events(options.signal);
  }

  /** Sends the events of Discord's gateway to Larder's cache, in order: see {@link Forwarder}. `client` is a
   * Client of discord.js, or anything that emits `raw` as it does. */
  forward(client: RawClient, options: ForwardOptions = {}): Forwarder {
    const post: Post = (lines, deadlineMs, signal) => this.#forward(lines, { deadlineMs, signal });
    return new Forwarder(client, this.#clock, post, options);
  }

  async #call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    options: Wanted<M, P> | undefined,
  ): Promise<Answer<M, P>> {
    return (await this.#request(method, path, (options ?? {}) as AnyOptions)) as Answer<M, P>;
  }

  async #request(method: Method, path: string, options: AnyOptions): Promise<unknown> {
    const { key, repetition } = planOf(method, path, options.idempotencyKey);
    const sent = this.#sent(method, path, options);
    if (key !== undefined) sent.headers['Idempotency-Key'] = key;
    return this.#decide(sent, repetition, options);
  }

  #sent(method: Method, path: string, options: AnyOptions): Sent {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.#token}` };
    if (options.body !== undefined) headers['Content-Type'] = 'application/json';
    return {
      url: this.#url + fillPath(path, options.path) + queryText(options.query),
      method: method.toUpperCase(),
      headers,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
    };
  }

  /** Sends the same request until an answer decides it, or until its deadline. */
  async #decide(sent: Sent, repetition: Repetition, options: CallOptions): Promise<unknown> {
    const deadline = this.#clock.now() + checkedDeadline(options.deadlineMs ?? this.#deadlineMs);
    const attempts = new Attempts(repetition, deadline, this.#random);
    for (;;) {
      const left = Math.max(1, deadline - this.#clock.now());
      const outcome = await send(this.#fetch, sent, Math.min(this.#attemptMs, left), options.signal);
      if (outcome.kind === 'success') return outcome.value;
      await this.#clock.sleep(attempts.pauseAfter(outcome, this.#clock.now()), options.signal);
    }
  }

  async #forward(lines: Buffer, options: CallOptions): Promise<unknown> {
    const sent = this.#sent('post', '/v1/discord/events', {});
    sent.headers['Content-Type'] = 'application/x-ndjson';
    return this.#decide({ ...sent, body: lines }, 'safe', options);
  }
}

const keyless = { order: ': its order_id is the key', once: ': it could take effect twice, so it is sent once', free: '' };

/** The key to send a request with, and what a repetition of the request does. */
function planOf(method: Method, path: string, key: string | undefined): { key: string | undefined; repetition: Repetition } {
  const route = `${method.toUpperCase()} ${path}`;
  const kind = method === 'get' ? 'free' : writes[route];
  if (key !== undefined && kind !== undefined && kind !== 'key') {
    throw new TypeError(`${route} takes no idempotencyKey${keyless[kind]}`);
  }
  if (key !== undefined && !/^[!-~]{1,128}$/.test(key)) {
    throw new TypeError('idempotencyKey must have 1 to 128 visible ASCII characters');
  }
  if (method === 'get') return { key, repetition: 'reads' };
  if (kind === 'once') return { key, repetition: 'twice' };
  // A route that is newer than this client may be repeated only if the caller has given it a key.
  if (kind === undefined) return { key, repetition: key === undefined ? 'twice' : 'safe' };
  return { key: kind === 'key' ? (key ?? randomUUID()) : undefined, repetition: 'safe' };
}

function checkedDeadline(ms: number): number {
  if (!(ms > 0 && ms <= deadlineMsMax)) throw new RangeError('deadlineMs must be above 0 and at most 12 hours');
  return ms;
}
