import type { Code, Problem } from './routes.js';

/** What all errors of this client have in common. */
export class LarderError extends Error {
  override name = 'LarderError';

  /** Whether the request may have taken effect. To find out, send it again with the same key or order_id. */
  readonly outcomeUnknown: boolean;

  constructor(message: string, outcomeUnknown: boolean, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.outcomeUnknown = outcomeUnknown;
  }
}

/** Larder said no. The same request would be refused again. */
export class Refusal extends LarderError {
  override name = 'Refusal';
  readonly status: number;
  /** The name of the refusal, such as `insufficient_balance`. If the answer did not come from Larder: `http_<status>`. */
  readonly code: Code | (string & {});
  /** The field of the request that was refused. */
  readonly field: string | undefined;
  /** One sentence for a person. */
  readonly detail: string;
  readonly requestId: string | undefined;
  /** The whole document, with the other members of the refusal, such as `balance` or `seconds_left`. */
  readonly problem: Partial<Problem>;

  constructor(status: number, problem: Partial<Problem> | undefined, outcomeUnknown = false) {
    const code = problem?.code ?? `http_${status}`;
    const detail = problem?.detail ?? `the answer has the status ${status}, and is not one of Larder`;
    super(`${code}: ${detail}`, outcomeUnknown);
    this.status = status;
    this.code = code;
    this.field = problem?.field;
    this.detail = detail;
    this.requestId = problem?.request_id;
    this.problem = problem ?? {};
  }
}

/** No answer has decided the request, and it is not sent again, because it must not be or its deadline has passed. */
export class Unavailable extends LarderError {
  override name = 'Unavailable';
  /** How often the request was sent. */
  readonly attempts: number;

  constructor(why: string, attempts: number, outcomeUnknown: boolean, cause?: unknown) {
    const outcome = outcomeUnknown ? 'it may have taken effect' : 'it has not taken effect';
    super(`${why}; the request was sent ${attempts === 1 ? 'once' : `${attempts} times`}, and ${outcome}`, outcomeUnknown, cause);
    this.attempts = attempts;
  }
}
