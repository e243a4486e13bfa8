// Streams of events, from the cases that both clients share.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { MessageParser, type Message } from '../src/events.js';

const shared = new URL('../../../cases/streams.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(shared, 'utf8')) as { cases: { name: string; text: string; messages: Message[] }[] };

for (const { name, text, messages } of cases) {
  test(name, () => {
    const bytes = new TextEncoder().encode(text);
    for (let size = 1; size <= bytes.length; ++size) {
      const parser = new MessageParser();
      const found: Message[] = [];
      for (let at = 0; at < bytes.length; at += size) found.push(...parser.feed(bytes.subarray(at, at + size)));
      assert.deepEqual(found, messages, `in pieces of ${size} bytes`);
    }
  });
}
