// What TypeScript accepts and refuses. The calls are never made: this file is tested by compiling it.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Code, CodeOf, Item, Larder, Schemas, StreamedEvent } from '../src/index.js';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Same<A, B>): void {}

const player = { realm: 'main', id: '1' };

export async function accepted(larder: Larder): Promise<void> {
  const paid = await larder.post('/v1/economy/{realm}/players/{id}/pay', { path: player, body: { to: '2', amount: 5 }, idempotencyKey: 'k' });
  same<typeof paid.to_balance, number>(true);
  await larder.post('/v1/economy/{realm}/roulettes', { path: { realm: 'main' }, body: {}, deadlineMs: 5000 });
  await larder.get('/v1/ledger/types');
  same<Awaited<ReturnType<typeof larder.delete<'/v1/messages/{id}'>>>, undefined>(true);
  same<Item<'/v1/ledger/flows'>['order_id'], string>(true);
  for await (const flow of larder.items('/v1/ledger/flows', { query: { uid: '111' } })) same<typeof flow.balance, number>(true);
  larder.events({ system: ['economy', 'ledger'], user_id: '111' });
}

export async function refused(larder: Larder): Promise<void> {
  // @ts-expect-error: there is no such route
  await larder.post('/v1/economy/{realm}/players/{id}/sing', { path: player });
  // @ts-expect-error: this route has no PUT
  await larder.put('/v1/ledger/entries', {});
  // @ts-expect-error: the body is missing
  await larder.post('/v1/economy/{realm}/players/{id}/farm', { path: player });
  // @ts-expect-error: the path has an id, too
  await larder.post('/v1/economy/{realm}/players/{id}/farm', { path: { realm: 'main' }, body: { name: 'Ann' } });
  // @ts-expect-error: the amount is a number
  await larder.post('/v1/economy/{realm}/players/{id}/pay', { path: player, body: { to: '2', amount: '5' } });
  // @ts-expect-error: a query is needed
  await larder.get('/v1/ledger/flows');
  const body = { order_id: 'o', op: 'add', type: 1, domain: 'd', uid: 'u', amount: 1 } as const;
  // @ts-expect-error: the order_id is the key
  await larder.post('/v1/ledger/entries', { body, idempotencyKey: 'k' });
  // @ts-expect-error: this is no list
  larder.items('/v1/economy/{realm}/players/{id}', { path: player });
  // @ts-expect-error: events have no such filter
  larder.events({ colour: 'red' });
}

export function known(event: StreamedEvent): string {
  same<CodeOf<'post', '/v1/ledger/orders'> & 'type_not_found', 'type_not_found'>(true);
  same<CodeOf<'post', '/v1/ledger/orders'> & 'reward_not_ready', never>(true);
  same<Code & 'reward_not_ready', 'reward_not_ready'>(true);
  same<string, Code>(false);
  same<Schemas['Problem']['code'], string>(true);
  return event.kind === 'gap' ? event.after : event.id;
}

test('the types are checked by the compiler', () => assert.ok(true));
