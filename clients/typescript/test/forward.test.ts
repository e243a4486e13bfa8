// Forwarding: in order, in batches, and never without a bound.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';

import type { ForwardOptions, ForwardProblem, Forwarder, LarderOptions } from '../src/index.js';
import { FakeLarder, hangsUp, refuses, says, type Deed, type Got } from './fake_larder.js';

const taken: Deed = (response, got) => {
  const count = got.body.split('\n').length;
  says(200, { applied: count, ignored: 0, unknown: {}, failed: [] })(response, got);
};

class Bot extends EventEmitter {
  readonly problems: ForwardProblem[] = [];
  #s = 0;

  forwardTo(fake: FakeLarder, options: ForwardOptions = {}, client: Partial<LarderOptions> = {}): Forwarder {
    return fake.client(client).forward(this, { onProblem: (problem) => this.problems.push(problem), ...options });
  }
  says(d: object, shard = 0): void {
    this.emit('raw', { t: 'MESSAGE_CREATE', d, s: ++this.#s }, shard);
  }
  get kinds(): string[] {
    return this.problems.map(({ kind }) => kind);
  }
}

function sequence(got: Got): number[] {
  return got.body.split('\n').map((line) => (JSON.parse(line) as { s: number }).s);
}

function upTo(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i + 1);
}

test('events go out in their order, in batches, as they were when they came', async (context) => {
  const fake = await FakeLarder.start(context);
  const bot = new Bot();
  const forwarder = bot.forwardTo(fake);
  fake.deeds = [taken, taken, taken];
  const data = { id: '1' };
  bot.says(data, 3);
  data.id = 'changed later';
  bot.emit('raw', { t: null, d: null, s: null, op: 11 }, 0); // no dispatch
  for (let i = 1; i < 2500; ++i) bot.says({ id: `${i}` });
  assert.equal(await forwarder.stop(), 0);
  assert.deepEqual(fake.requests.map((got) => sequence(got).length), [1000, 1000, 500]);
  assert.deepEqual(fake.requests.flatMap(sequence), upTo(2500));
  const [first] = fake.requests;
  assert.equal(`${first?.method} ${first?.url}`, 'POST /v1/discord/events');
  assert.equal(first?.headers['content-type'], 'application/x-ndjson');
  assert.deepEqual(JSON.parse(first?.body.split('\n')[0] ?? ''), { t: 'MESSAGE_CREATE', d: { id: '1' }, s: 1, shard: 3 });
  assert.deepEqual(forwarder.counts, { applied: 2500, ignored: 0, refused: 0, dropped: 0 });
  assert.deepEqual(bot.problems, []);
  bot.says({ id: 'after the end' });
  assert.equal(forwarder.waiting, 0);
});

test('no request is above 8 MiB', async (context) => {
  const fake = await FakeLarder.start(context);
  const bot = new Bot();
  const forwarder = bot.forwardTo(fake);
  fake.deeds = [taken, taken, taken];
  for (let i = 0; i < 10; ++i) bot.says({ text: 'x'.repeat(2_000_000) });
  assert.equal(await forwarder.stop(60_000), 0);
  assert.deepEqual(fake.requests.flatMap(sequence), upTo(10));
  for (const { body } of fake.requests) assert.ok(body.length <= 8 * 1024 * 1024);
  bot.says({ text: 'x'.repeat(9_000_000) });
  assert.equal(forwarder.counts.dropped, 0, 'a stopped forwarder takes nothing');
});

test('while Larder is away, events wait, and then they come in their order', async (context) => {
  const fake = await FakeLarder.start(context);
  const bot = new Bot();
  const forwarder = bot.forwardTo(fake);
  const outage = Array.from({ length: 20 }, () => hangsUp);
  fake.deeds = [taken, ...outage, refuses(401, 'unauthorized'), taken, taken];
  bot.says({});
  while (fake.requests.length < 1) await new Promise(setImmediate);
  for (let i = 0; i < 30; ++i) bot.says({});
  while (!bot.kinds.includes('away')) await new Promise(setImmediate);
  for (let i = 0; i < 30; ++i) bot.says({});
  assert.equal(await forwarder.stop(60_000), 0);
  const said = fake.requests.map(sequence);
  const first = said[1] ?? [];
  for (const again of said.slice(1, -1)) assert.deepEqual(again, first);
  assert.deepEqual([...(said[0] ?? []), ...first, ...(said.at(-1) ?? [])], upTo(61));
  assert.deepEqual(bot.kinds, ['away', 'back']);
  assert.equal(forwarder.counts.applied, 61);
});

test('beyond its memory, the oldest events are lost, and that is said once', async (context) => {
  const fake = await FakeLarder.start(context);
  const bot = new Bot();
  const forwarder = bot.forwardTo(fake, { bytesMax: 100_000 });
  for (let i = 0; i < 1000; ++i) bot.says({ text: 'x'.repeat(1000) });
  const { waiting } = forwarder;
  assert.ok(waiting * 1000 < 100_000 && waiting > 50, String(waiting));
  assert.equal(forwarder.counts.dropped, 1000 - waiting);
  assert.deepEqual(bot.kinds, ['dropped']);
  fake.deeds = [taken];
  assert.equal(await forwarder.stop(), 0);
  assert.deepEqual(fake.requests.flatMap(sequence), upTo(1000).slice(1000 - waiting));
  assert.deepEqual(bot.kinds, ['dropped', 'back']);
});

test('an event that stands in the way is found, and the others go on', async (context) => {
  const fake = await FakeLarder.start(context);
  const bot = new Bot();
  const forwarder = bot.forwardTo(fake);
  const poisoned: Deed = (response, got) => (got.body.includes('poison') ? refuses(400, 'invalid_request') : taken)(response, got);
  fake.deeds = Array.from({ length: 100 }, () => poisoned);
  for (let i = 1; i <= 50; ++i) bot.says({ text: i === 37 ? 'poison' : 'bread' });
  assert.equal(await forwarder.stop(60_000), 0);
  const arrived = fake.requests.filter(({ body }) => !body.includes('poison')).flatMap(sequence);
  assert.deepEqual(arrived, upTo(50).filter((s) => s !== 37));
  assert.deepEqual([forwarder.counts.applied, forwarder.counts.refused, bot.kinds], [49, 1, ['refused']]);
});

const slow: Record<string, (fake: FakeLarder) => Deed> = {
  'in the client': (fake) => () => (fake.now += 30_000),
  'on its way to Larder': () => refuses(408, 'request_timeout'),
  'in a proxy': () => says(504),
};
for (const [where, slowly] of Object.entries(slow)) {
  test(`a batch that takes too long ${where} is divided, and no event is lost`, async (context) => {
    const fake = await FakeLarder.start(context);
    const bot = new Bot();
    const forwarder = bot.forwardTo(fake, {}, { attemptMs: 200 });
    const deed: Deed = (response, got) => (sequence(got).length > 2 ? slowly(fake) : taken)(response, got);
    fake.deeds = Array.from({ length: 100 }, () => deed);
    for (let i = 0; i < 7; ++i) bot.says({});
    assert.equal(await forwarder.stop(60_000), 0);
    assert.deepEqual(fake.requests.map(sequence).filter(({ length }) => length <= 2).flat(), upTo(7));
    assert.deepEqual([forwarder.counts.applied, ...bot.kinds.slice(0, 2)], [7, 'away', 'back']);
  });
}

test('a single event that takes too long is not refused', async (context) => {
  const fake = await FakeLarder.start(context);
  const bot = new Bot();
  const forwarder = bot.forwardTo(fake);
  fake.deeds = [refuses(408, 'request_timeout', {}, { 'Retry-After': '60' }), taken];
  bot.says({});
  assert.equal(await forwarder.stop(60_000), 0);
  assert.deepEqual([forwarder.counts.applied, forwarder.counts.refused, bot.kinds], [1, 0, ['away', 'back']]);
});

test('a success that is not one of Larder is an outage', async (context) => {
  const fake = await FakeLarder.start(context);
  const bot = new Bot();
  const forwarder = bot.forwardTo(fake);
  fake.deeds = [says(200), says(204), says(200, '<html>'), says(200, { applied: 1 }), says(200, []), taken];
  bot.says({});
  assert.equal(await forwarder.stop(60_000), 0);
  assert.deepEqual(fake.requests.map(sequence), Array.from({ length: 6 }, () => [1]));
  assert.deepEqual([forwarder.counts.applied, bot.kinds], [1, ['away', 'back']]);
});

test('what Larder has refused is told', async (context) => {
  const fake = await FakeLarder.start(context);
  const bot = new Bot();
  const forwarder = bot.forwardTo(fake);
  fake.deeds = [says(200, { applied: 1, ignored: 1, unknown: {}, failed: [{ index: 2, code: 'invalid_dispatch', detail: 'd.id is missing' }] })];
  for (let i = 0; i < 3; ++i) bot.says({});
  await forwarder.stop();
  assert.deepEqual(forwarder.counts, { applied: 1, ignored: 1, refused: 1, dropped: 0 });
  assert.match(bot.problems[0]?.message ?? '', /1 events? w(as|ere) refused, the first one: d\.id is missing/);
});

test('a stop does not wait for Larder forever', async (context) => {
  const fake = await FakeLarder.start(context);
  const bot = new Bot();
  const forwarder = bot.forwardTo(fake);
  bot.says({});
  fake.deeds = [() => {}];
  assert.equal(await forwarder.stop(50), 1);
});

test('a report of a problem that fails stops nothing', async (context) => {
  const fake = await FakeLarder.start(context);
  const bot = new Bot();
  context.mock.method(console, 'error', () => {});
  const forwarder = bot.forwardTo(fake, {
    onProblem: () => {
      throw new Error('a mistake in the bot');
    },
  });
  fake.deeds = [refuses(403, 'forbidden'), taken];
  bot.says({});
  assert.equal(await forwarder.stop(60_000), 0);
  assert.equal(forwarder.counts.applied, 1);
});
