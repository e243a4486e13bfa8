// Requests to the server, typed by its OpenAPI document.
import createClient from 'openapi-fetch';
import type { components, paths } from './schema';

export type Schemas = components['schemas'];
export type Problem = Schemas['Problem'];
export type World = Schemas['World'];
export type TownDocument = Schemas['Town'];
export type RankedTown = Schemas['RankedTown'];
export type MapTown = Schemas['MapTown'];
export type Report = Schemas['HeistReport'];
export type Fame = Schemas['Fame'];
export interface User {
  user_id: string;
  username: string;
}

// The cookie goes with every request; scripts never see the token.
export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' });

// The server refused, and says why.
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail ?? problem.title);
  }
}
// The server did not answer, or could not work. The request may be sent again.
export class Unreachable extends Error {}

interface Answered<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'code' in value && 'status' in value;

// The body of a successful answer.
export async function ask<T>(asking: Promise<Answered<T>>): Promise<T> {
  let answered;
  try {
    answered = await asking;
  } catch (error) {
    throw new Unreachable(String(error));
  }
  const { data, error, response } = answered;
  if (response.ok) return data as T;
  if (response.status >= 500 || !isProblem(error)) throw new Unreachable(`status ${response.status}`);
  throw new Refused(error);
}

// Not crypto.randomUUID(): browsers have it only on https and on this machine.
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

// Sends a write under one Idempotency-Key until the server has answered, so that it takes effect once.
export async function write<T>(send: (key: string) => Promise<Answered<T>>): Promise<T> {
  const key = newKey();
  for (let wait = 500; ; wait = Math.min(8000, wait * 2)) {
    try {
      return await ask(send(key));
    } catch (error) {
      const again = error instanceof Unreachable || (error instanceof Refused && error.problem.code === 'in_progress');
      if (!again) throw error;
      await pause(wait);
    }
  }
}
