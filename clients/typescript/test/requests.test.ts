// What is sent, and sent again.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Larder, LarderError, Refusal, Unavailable } from '../src/index.js';
import { breaksOff, FakeLarder, hangsUp, refuses, says, staysSilent } from './fake_larder.js';

const farm = '/v1/economy/{realm}/players/{id}/farm';
const farmed = { gained: 1, balance: 1, drop: null, vampire: null, bomb: null, roll: { seed: 1, values: [] } };
const someone = { path: { realm: 'main', id: '1|2' }, body: { name: 'Åsa' } };

function refusalOf(code: string) {
  return (error: unknown) => error instanceof Refusal && error.code === code;
}

test('a move is sent as the route wants it, with a key of its own', async (context) => {
  const fake = await FakeLarder.start(context);
  fake.deeds = [says(200, farmed), says(200, farmed)];
  const larder = fake.client();
  assert.deepEqual(await larder.post(farm, someone), farmed);
  await larder.post(farm, someone);
  const [first, second] = fake.requests;
  assert.equal(`${first?.method} ${first?.url}`, 'POST /v1/economy/main/players/1%7C2/farm');
  assert.equal(first?.headers.authorization, 'Bearer lk_test');
  assert.equal(first?.headers['content-type'], 'application/json');
  assert.deepEqual(JSON.parse(first?.body ?? ''), { name: 'Åsa' });
  assert.ok(first?.headers['idempotency-key']);
  assert.notEqual(first?.headers['idempotency-key'], second?.headers['idempotency-key']);
});

test('a move whose answer is lost is sent again, the same in every byte', async (context) => {
  const fake = await FakeLarder.start(context);
  fake.deeds = [hangsUp, breaksOff, refuses(409, 'in_progress', { retry_after_s: 1 }, { 'Retry-After': '1' }), says(200, farmed)];
  assert.deepEqual(await fake.client().post(farm, { ...someone, idempotencyKey: 'interaction-1' }), farmed);
  assert.equal(fake.requests.length, 4);
  assert.equal(fake.requests[0]?.headers['idempotency-key'], 'interaction-1');
  const texts = new Set(fake.requests.map(({ method, url, headers, body }) => JSON.stringify([method, url, headers, body])));
  assert.equal(texts.size, 1);
  assert.deepEqual(fake.pauses, [100, 200, 1000]);
});

test('an order is its own key', async (context) => {
  const fake = await FakeLarder.start(context);
  const flow = { order_id: 'o', op: 'add', status: 'ok', old_balance: 0, change: 5, balance: 5, replayed: true };
  fake.deeds = [refuses(503, 'store_unavailable', { outcome_unknown: true }), says(200, flow)];
  const larder = fake.client();
  const body = { order_id: 'o', op: 'add', type: 1, domain: 'main', uid: 'u', amount: 5 } as const;
  assert.equal((await larder.post('/v1/ledger/entries', { body })).balance, 5);
  assert.deepEqual(fake.requests.map(({ headers }) => headers['idempotency-key']), [undefined, undefined]);
  const wrong = { body, idempotencyKey: 'k' } as unknown as { body: typeof body };
  await assert.rejects(larder.post('/v1/ledger/entries', wrong), /its order_id is the key/);
});

test('a write that could take effect twice is sent once', async (context) => {
  const fake = await FakeLarder.start(context);
  fake.deeds = [hangsUp];
  const body = { username: 'ann', password: 'correct horse' };
  await assert.rejects(fake.client().post('/v1/auth/register', { body }), (error: unknown) => {
    assert.ok(error instanceof Unavailable && error.outcomeUnknown && error.attempts === 1, String(error));
    return true;
  });
  const wrong = { body, idempotencyKey: 'k' } as unknown as { body: typeof body };
  await assert.rejects(fake.client().post('/v1/auth/register', wrong), /sent once/);
  assert.equal(fake.requests.length, 1);
});

test('a route that this client does not know is repeated under a given key only', async (context) => {
  const fake = await FakeLarder.start(context);
  const larder = fake.client() as unknown as { post(path: string, options?: object): Promise<unknown> };
  fake.deeds = [hangsUp, hangsUp, says(200, {})];
  await assert.rejects(larder.post('/v9/new'), Unavailable);
  await larder.post('/v9/new', { idempotencyKey: 'k' });
  assert.deepEqual(fake.requests.map(({ headers }) => headers['idempotency-key']), [undefined, 'k', 'k']);
});

test('a refusal has its code, field and further members', async (context) => {
  const fake = await FakeLarder.start(context);
  fake.deeds = [refuses(400, 'invalid_request', { field: 'amount', request_id: 'r1' }), refuses(409, 'insufficient_balance', { balance: 3 })];
  const pay = () => fake.client().post('/v1/economy/{realm}/players/{id}/pay', { path: { realm: 'main', id: '1' }, body: { to: '2', amount: 5 } });
  await assert.rejects(pay, (error: unknown) => {
    assert.ok(error instanceof Refusal && error instanceof LarderError);
    assert.deepEqual([error.status, error.code, error.field, error.detail, error.requestId], [400, 'invalid_request', 'amount', 'no', 'r1']);
    return true;
  });
  await assert.rejects(pay, (error: unknown) => error instanceof Refusal && error.problem.balance === 3);
  assert.equal(fake.requests.length, 2);
});

test('an answer that does not come in time is lost', async (context) => {
  const fake = await FakeLarder.start(context);
  fake.deeds = [staysSilent, says(200, farmed)];
  assert.deepEqual(await fake.client({ attemptMs: 50 }).post(farm, someone), farmed);
  assert.equal(fake.requests.length, 2);
});

test('an answer that is no JSON is lost', async (context) => {
  const fake = await FakeLarder.start(context);
  fake.deeds = [(response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('<html>'), says(200, farmed)];
  assert.deepEqual(await fake.client().post(farm, someone), farmed);
});

test('a redirection is not followed', async (context) => {
  const fake = await FakeLarder.start(context);
  fake.deeds = [(response) => response.writeHead(302, { Location: '/elsewhere' }).end(), says(200, {})];
  await assert.rejects(fake.client().post(farm, someone), refusalOf('http_302'));
  assert.equal(fake.requests.length, 1);
});

test('nothing listens: the deadline ends it, and nothing has happened', async (context) => {
  const fake = await FakeLarder.start(context);
  const larder = fake.client({ deadlineMs: 10_000 });
  await fake.stop();
  await assert.rejects(larder.post(farm, someone), (error: unknown) => {
    assert.ok(error instanceof Unavailable && !error.outcomeUnknown && error.attempts > 3, String(error));
    return true;
  });
});

test('a signal gives a request up', async (context) => {
  const fake = await FakeLarder.start(context);
  const abort = new AbortController();
  fake.deeds = [() => abort.abort(new Error('enough'))];
  await assert.rejects(fake.client().post(farm, { ...someone, signal: abort.signal }), /enough/);
});

test('an answer without content is undefined', async (context) => {
  const fake = await FakeLarder.start(context);
  fake.deeds = [says(204)];
  assert.equal(await fake.client().delete('/v1/messages/{id}', { path: { id: 7 } }), undefined);
});

test('a list goes on from page to page', async (context) => {
  const fake = await FakeLarder.start(context);
  fake.deeds = [says(200, { items: [1, 2], next_cursor: 'c 2' }), says(200, { items: [3], next_cursor: null })];
  const found: unknown[] = [];
  for await (const flow of fake.client().items('/v1/ledger/flows', { query: { uid: '111', limit: 2 } })) found.push(flow);
  assert.deepEqual(found, [1, 2, 3]);
  assert.deepEqual(fake.requests.map(({ url }) => url), ['/v1/ledger/flows?uid=111&limit=2', '/v1/ledger/flows?uid=111&limit=2&cursor=c+2']);
});

test('what cannot be sent is refused before it is sent', async (context) => {
  const fake = await FakeLarder.start(context);
  const larder = fake.client();
  await assert.rejects(larder.post(farm, { ...someone, path: { realm: '..', id: '1' } }), /path\.realm must not be/);
  await assert.rejects(larder.post(farm, { ...someone, path: { realm: '', id: '1' } }), /path\.realm is missing/);
  await assert.rejects(larder.post(farm, { ...someone, idempotencyKey: 'a b' }), /idempotencyKey must have/);
  assert.throws(() => larder.events({}, { lastEventId: '5-0.0\r\nX: y' }), /lastEventId must be/);
  assert.throws(() => new Larder({ token: 'lk\n' }), /token must be/);
  assert.throws(() => new Larder({ token: 'lk', url: 'localhost' }), /Invalid URL|url/);
  assert.throws(() => new Larder({ token: 'lk', deadlineMs: 86_400_000 }), /at most 12 hours/);
  assert.equal(fake.requests.length, 0);
});
