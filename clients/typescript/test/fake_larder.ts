// A server that does what a test says, one thing for each request.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

import { Larder, type LarderOptions } from '../src/index.js';

export interface Got {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Deed = (response: ServerResponse, got: Got) => void;

/** Answers with this status and this JSON. */
export function says(status: number, value?: unknown, headers: Record<string, string> = {}): Deed {
  return (response) => {
    const media = status < 400 ? 'application/json' : 'application/problem+json';
    response.writeHead(status, { ...(value === undefined ? {} : { 'Content-Type': media }), ...headers });
    response.end(value === undefined ? '' : JSON.stringify(value));
  };
}

export function refuses(status: number, code: string, more: object = {}, headers: Record<string, string> = {}): Deed {
  return says(status, { type: 'about:blank', title: 'No', status, detail: 'no', code, ...more }, headers);
}

/** Gets the whole request, and ends the connection without an answer. */
export const hangsUp: Deed = (response) => response.socket?.destroy();

/** Sends a part of the answer only. */
export const breaksOff: Deed = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
  response.write('{"balance":');
  setImmediate(() => response.socket?.destroy());
};

export const staysSilent: Deed = () => {};

/** Sends a part of a stream of events, and ends it. */
export function streams(text: string): Deed {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.end(text);
  };
}

export class FakeLarder {
  readonly requests: Got[] = [];
  readonly pauses: number[] = [];
  deeds: Deed[] = [];
  now = 0; // the time of its clients
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(context: TestContext): Promise<FakeLarder> {
    const fake = new FakeLarder();
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    context.after(() => fake.stop());
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** A client whose pauses take no time. */
  client(options: Partial<LarderOptions> = {}): Larder {
    const sleep = async (ms: number, signal?: AbortSignal) => {
      this.pauses.push(ms);
      this.now += ms;
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    };
    return new Larder({ url: this.url, token: 'lk_test', clock: { now: () => this.now, sleep }, random: () => 1, ...options });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    try {
      for await (const piece of request) pieces.push(piece as Buffer);
    } catch {
      return; // the client has left
    }
    const { method = '', url = '', headers } = request;
    const got = { method, url, headers, body: Buffer.concat(pieces).toString() };
    this.requests.push(got);
    const deed = this.deeds.shift() ?? refuses(418, 'nothing_planned');
    deed(response, got);
  }
}
