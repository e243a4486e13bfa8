// Decides what follows an attempt without success. Knows no network and no clock: clients/cases/retries.json tests it.
import { Refusal, Unavailable } from './errors.js';
import type { Problem } from './routes.js';

/** What a repetition of the request does: nothing, because it only reads; nothing more; or it makes the change twice. */
export type Repetition = 'reads' | 'safe' | 'twice';

/** An unsuccessful answer. */
export interface Said {
  kind: 'said';
  status: number;
  problem: Partial<Problem> | undefined; // undefined: the answer is not a problem document
  retryAfterMs: number | undefined;
}

/** No answer, or an incomplete one. `unsent`: Larder cannot have got the request. */
export interface Lost {
  kind: 'lost';
  why: string;
  cause: unknown;
  unsent: boolean;
}

export type Failure = Said | Lost;

const firstPauseMs = 100;
const longestPauseMs = 5000;

/** The attempts of one request, until a time of the caller's clock. */
export class Attempts {
  #count = 0;
  #outcomeUnknown = false;

  constructor(
    private readonly repetition: Repetition,
    private readonly deadline: number,
    private readonly random: () => number,
  ) {}

  /** Returns the pause in ms before the next attempt, or throws if there must be none. */
  pauseAfter(failure: Failure, now: number): number {
    this.#count += 1;
    this.#outcomeUnknown ||= this.repetition !== 'reads' && mayHaveTakenEffect(failure);
    const again = asksToWait(failure) || (isOutage(failure) && this.repetition !== 'twice');
    if (!again) throw this.#error(failure);
    const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#count - 1));
    const pause = Math.max(longest * (0.5 + this.random() / 2), (failure.kind === 'said' && failure.retryAfterMs) || 0);
    if (now + pause >= this.deadline) throw this.#error(failure);
    return pause;
  }

  #error(failure: Failure): Error {
    if (failure.kind === 'lost') return new Unavailable(failure.why, this.#count, this.#outcomeUnknown, failure.cause);
    const refused = new Refusal(failure.status, failure.problem, this.#outcomeUnknown && !decides(failure));
    if (failure.status < 500 && !isInProgress(failure)) return refused;
    return new Unavailable(refused.message, this.#count, this.#outcomeUnknown, refused);
  }
}

function isInProgress(said: Said): boolean {
  return said.status === 409 && said.problem?.code === 'in_progress';
}

/** Answers of Larder that only delay a request: it has not begun, or an earlier attempt still runs. */
function asksToWait(failure: Failure): boolean {
  return failure.kind === 'said' && (failure.status === 429 || failure.status === 408 || isInProgress(failure));
}

function isOutage(failure: Failure): boolean {
  return failure.kind === 'lost' || failure.status >= 500;
}

function mayHaveTakenEffect(failure: Failure): boolean {
  if (failure.kind === 'lost') return !failure.unsent;
  if (isInProgress(failure)) return true;
  return failure.status >= 500 && failure.problem?.outcome_unknown !== false;
}

/** Whether the refusal also says what became of earlier attempts. It does not if Larder refused without looking. */
function decides(said: Said): boolean {
  return said.problem?.code !== undefined && ![401, 403, 408, 429].includes(said.status);
}
