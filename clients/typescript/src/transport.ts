// Sends one request once.
import type { Failure } from './retry.js';
import type { Problem } from './routes.js';

export interface Sent {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
}

export interface Success {
  kind: 'success';
  value: unknown;
}

/** The cause of an answer that was lost because it did not come in time. */
export class TimedOut extends Error {}

type Fetch = typeof globalThis.fetch;

/** An unsuccessful answer, as the rules of retry.ts see it. */
export function said(status: number, headers: Headers, text: string): Failure {
  const seconds = headers.get('Retry-After');
  return {
    kind: 'said',
    status,
    problem: problemIn(text),
    retryAfterMs: seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined,
  };
}

export function lost(cause: unknown): Failure {
  return { kind: 'lost', why: `no answer: ${messageOf(cause)}`, cause, unsent: isUnsent(cause) };
}

/** Returns an answer or a failure. Throws only if `signal` gives up the request. */
export async function send(fetch: Fetch, sent: Sent, timeoutMs: number, signal?: AbortSignal): Promise<Success | Failure> {
  signal?.throwIfAborted();
  const abort = new AbortController();
  const giveUp = () => abort.abort(signal?.reason);
  signal?.addEventListener('abort', giveUp, { once: true });
  const timer = setTimeout(() => abort.abort(new TimedOut(`nothing came within ${Math.ceil(timeoutMs)} ms`)), timeoutMs);
  try {
    // A redirected POST would become a GET, and its answer would look like a success.
    const { url, method, headers, body } = sent;
    const request = { method, headers, redirect: 'manual', signal: abort.signal } as const;
    const response = await fetch(url, body === undefined ? request : { ...request, body });
    const text = await response.text();
    return response.ok ? { kind: 'success', value: valueOf(response, text) } : said(response.status, response.headers, text);
  } catch (cause) {
    signal?.throwIfAborted();
    return lost(abort.signal.aborted ? abort.signal.reason : cause);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

function valueOf(response: Response, text: string): unknown {
  if (text === '') return undefined;
  return response.headers.get('Content-Type')?.includes('json') ? JSON.parse(text) : text;
}

function problemIn(text: string): Partial<Problem> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isProblem = typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string';
    return isProblem ? (value as Partial<Problem>) : undefined;
  } catch {
    return undefined;
  }
}

const connecting = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** fetch says "fetch failed", and the cause says why. */
function isUnsent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && connecting.has(String(error.code))) || isUnsent(error.cause);
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error.cause instanceof Error ? messageOf(error.cause) : '';
  const own = error.message || ('code' in error ? String(error.code) : error.name);
  return inner === '' ? own : `${own} (${inner})`;
}
