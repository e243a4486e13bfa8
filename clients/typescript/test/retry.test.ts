// The rules of retries, from the cases that both clients share.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Refusal, Unavailable } from '../src/errors.js';
import { Attempts, type Failure, type Repetition } from '../src/retry.js';

interface Case {
  name: string;
  repetition: Repetition;
  deadline_ms?: number;
  failures: {
    lost?: { unsent?: boolean };
    said?: { status: number; code?: string; outcome_unknown?: boolean; retry_after_s?: number };
    took_ms?: number;
  }[];
  pauses_ms: number[];
  end?: object;
}

const shared = new URL('../../../cases/retries.json', import.meta.url);
const cases = (JSON.parse(readFileSync(shared, 'utf8')) as { cases: Case[] }).cases;

function failureOf({ lost, said }: Case['failures'][number]): Failure {
  if (said === undefined) return { kind: 'lost', why: 'no answer', cause: undefined, unsent: lost?.unsent ?? false };
  const { status, code, outcome_unknown } = said;
  const members = outcome_unknown === undefined ? {} : { outcome_unknown };
  return {
    kind: 'said',
    status,
    problem: code === undefined ? undefined : { code, detail: 'no', ...members },
    retryAfterMs: said.retry_after_s === undefined ? undefined : said.retry_after_s * 1000,
  };
}

function endOf(error: unknown): object {
  if (error instanceof Refusal) {
    return { refusal: { status: error.status, code: error.code, outcome_unknown: error.outcomeUnknown } };
  }
  if (error instanceof Unavailable) {
    return { unavailable: { attempts: error.attempts, outcome_unknown: error.outcomeUnknown } };
  }
  throw error;
}

for (const { name, repetition, deadline_ms, failures, pauses_ms, end } of cases) {
  test(name, () => {
    const attempts = new Attempts(repetition, deadline_ms ?? 90_000, () => 1);
    const pauses: number[] = [];
    let now = 0;
    let ended: object | undefined;
    for (const failure of failures) {
      assert.equal(ended, undefined, 'the request ended too early');
      now += failure.took_ms ?? 0;
      try {
        pauses.push(attempts.pauseAfter(failureOf(failure), now));
        now += pauses.at(-1)!;
      } catch (error) {
        ended = endOf(error);
      }
    }
    assert.deepEqual(pauses, pauses_ms);
    assert.deepEqual(ended, end);
  });
}
