// Events: the stream goes on behind the last event.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Refusal, type StreamedEvent } from '../src/index.js';
import { FakeLarder, hangsUp, refuses, streams } from './fake_larder.js';

function event(id: string): string {
  const data = { system: 'ledger', type: 'add', user_id: 'u', at: '2026-01-01T00:00:00.000Z', data: { order_id: id } };
  return `id: ${id}\nevent: ledger.add\ndata: ${JSON.stringify(data)}\n\n`;
}

function idOf(event: StreamedEvent): string {
  return event.kind === 'event' ? `${event.id} ${event.name} ${event.user_id}` : `gap after ${event.after}, next ${event.next}`;
}

test('a stream that breaks goes on behind the last event', async (context) => {
  const fake = await FakeLarder.start(context);
  fake.deeds = [
    streams(`retry: 700\nid: 1-0.0\n\n${event('2-0.0')}id: 3-0.0\nevent: ledger.add\ndata: {"cut`),
    hangsUp,
    refuses(503, 'store_unavailable'),
    streams(`${event('3-0.0')}: keep-alive\nid: 4-0.0\n\n`),
    streams('event: gap\ndata: {"after":"4-0.0","next":"9-0.0"}\n\n' + event('9-0.0')),
  ];
  const found: string[] = [];
  for await (const event of fake.client().events({ system: ['ledger', 'economy'], user_id: 'u' })) {
    found.push(idOf(event));
    if (found.length === 4) break;
  }
  assert.deepEqual(found, ['2-0.0 ledger.add u', '3-0.0 ledger.add u', 'gap after 4-0.0, next 9-0.0', '9-0.0 ledger.add u']);
  assert.deepEqual(fake.requests.map(({ headers }) => headers['last-event-id']), [undefined, '2-0.0', '2-0.0', '2-0.0', '4-0.0']);
  assert.equal(fake.requests[0]?.url, '/v1/events?system=ledger%2Ceconomy&user_id=u');
  assert.deepEqual(fake.pauses, [700, 700, 700, 700]);
});

test('a stream begins behind a given event', async (context) => {
  const fake = await FakeLarder.start(context);
  fake.deeds = [streams(event('6-0.0'))];
  const stream = fake.client().events({}, { lastEventId: '5-0.0' });
  assert.equal((await stream.next()).value?.kind, 'event');
  await stream.return();
  assert.equal(fake.requests[0]?.headers['last-event-id'], '5-0.0');
});

test('a stream that is refused ends with the refusal', async (context) => {
  const fake = await FakeLarder.start(context);
  fake.deeds = [refuses(403, 'forbidden')];
  await assert.rejects(fake.client().events().next(), (error: unknown) => error instanceof Refusal && error.code === 'forbidden');
});

test('a signal ends a stream', async (context) => {
  const fake = await FakeLarder.start(context);
  const abort = new AbortController();
  fake.deeds = [
    (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(event('2-0.0'));
    },
  ];
  const found: string[] = [];
  for await (const event of fake.client().events({}, { signal: abort.signal })) {
    found.push(idOf(event));
    setImmediate(() => abort.abort());
  }
  assert.equal(found.length, 1);
});
