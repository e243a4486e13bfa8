export { Larder, type LarderOptions } from './larder.js';
export type { Clock } from './clock.js';
export { LarderError, Refusal, Unavailable } from './errors.js';
export type { EventFilter, EventOptions, Gap, Happened, StreamedEvent } from './events.js';
export { Forwarder, type ForwardOptions, type ForwardProblem, type RawClient, type RawPacket } from './forward.js';
export type { Answer, CallOptions, Code, CodeOf, Item, ListPath, Method, PathOf, Problem, Schemas, Wanted } from './routes.js';
