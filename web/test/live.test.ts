// The socket of a town, against a fake WebSocket: nothing is lost, and nothing is sent under two ids.
import { webcrypto } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Connection, Handlers } from '../src/play/live';
import { Live } from '../src/play/live';

class FakeSocket {
  static readonly OPEN = 1;
  static made: FakeSocket[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.made.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.break();
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
    this.say({ type: 'state', revision: 1, state: {} });
  }
  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  break(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

const newest = (): FakeSocket => {
  const socket = FakeSocket.made.at(-1);
  if (!socket) throw new Error('there is no socket');
  return socket;
};
const idOf = (text: string | undefined): string => (JSON.parse(text ?? '{}') as { id: string }).id;

let connections: Connection[];
let prepare: Handlers['prepare'];
let live: Live;

async function start(): Promise<void> {
  live = new Live('ws://test/', {
    prepare: () => prepare(),
    message: () => undefined,
    connection: (now) => connections.push(now),
    silenceMs: () => 30_000,
  });
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('crypto', webcrypto); // nodejs 18 has no global one
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
  FakeSocket.made = [];
  connections = [];
  prepare = () => Promise.resolve('go');
});
afterEach(() => {
  live.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('an action without an answer is sent again under the same id', async () => {
  await start();
  newest().open();
  const done = live.act({ type: 'tap', lot: '1' });
  const first = newest().sent[0];
  newest().break();
  await vi.advanceTimersByTimeAsync(1000);
  newest().open();
  expect(FakeSocket.made.length).toBe(2);
  expect(newest().sent).toEqual([first]);
  newest().say({ type: 'response', id: idOf(first), revision: 2 });
  expect(await done).toBe(null);
  newest().break();
  await vi.advanceTimersByTimeAsync(1000);
  newest().open();
  expect(newest().sent).toEqual([]);
});

test('an action of an outage is sent when the connection is back', async () => {
  prepare = () => Promise.reject(new Error('no server'));
  await start();
  void live.act({ type: 'tap', lot: '2' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(FakeSocket.made).toEqual([]);
  expect(connections.at(-1)).toBe('lost');
  prepare = () => Promise.resolve('go');
  await vi.advanceTimersByTimeAsync(12_000);
  newest().open();
  expect(newest().sent.length).toBe(1);
  expect(connections.at(-1)).toBe('live');
});

test('an action that the server could not do is sent again, and a refusal is told', async () => {
  await start();
  newest().open();
  const done = live.act({ type: 'upgrade', lot: '1' });
  const id = idOf(newest().sent[0]);
  newest().say({ type: 'response', id, problem: { status: 503, code: 'store_unavailable' } });
  await vi.advanceTimersByTimeAsync(1000);
  expect(newest().sent.map(idOf)).toEqual([id, id]);
  newest().say({ type: 'response', id, problem: { status: 409, code: 'max_level' } });
  expect(await done).toMatchObject({ code: 'max_level' });
});

test('a silent connection is taken for lost', async () => {
  await start();
  newest().open();
  await vi.advanceTimersByTimeAsync(29_000);
  newest().say({ type: 'patch', revision: 2, patch: {} });
  await vi.advanceTimersByTimeAsync(29_000);
  expect(connections.at(-1)).toBe('live');
  await vi.advanceTimersByTimeAsync(1001);
  expect(connections.at(-1)).toBe('lost');
  await vi.advanceTimersByTimeAsync(1000);
  expect(FakeSocket.made.length).toBe(2);
});

test('nothing connects again when the session is over', async () => {
  prepare = () => Promise.resolve('over');
  await start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(FakeSocket.made).toEqual([]);
});
