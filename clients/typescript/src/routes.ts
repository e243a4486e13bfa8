// What the OpenAPI document says about each route, as types: what a request takes, what the answer has, and the refusals.
import type { components, paths } from './generated/api.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The objects that the OpenAPI document names, such as `Schemas['Problem']`. */
export type Schemas = components['schemas'];

/** A problem document (RFC 9457): what Larder answers when it refuses a request. */
export type Problem = Schemas['Problem'];

/** The paths that have this method, as the OpenAPI document writes them: `/v1/economy/{realm}/leaderboard`. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: object } ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends keyof paths> = M extends keyof paths[P] ? paths[P][M] : never;

type Parameters<Op, In extends string> = Op extends { parameters: { [N in In]?: infer T } } ? Exclude<T, undefined> : never;

type JsonOf<T> = T extends { content: { 'application/json': infer Json } } ? Json : never;

type BodyOf<Op> = Op extends { requestBody?: infer T } ? JsonOf<Exclude<T, undefined>> : never;

/** An option that exists only if the route has it, and may be left out only if the route allows that. */
type Option<Name extends string, T> = [T] extends [never]
  ? unknown
  : Partial<T> extends T
    ? { [N in Name]?: T }
    : { [N in Name]: T };

type BodyOption<Op> = [BodyOf<Op>] extends [never]
  ? unknown
  : Op extends { requestBody: object }
    ? { body: BodyOf<Op> }
    : { body?: BodyOf<Op> };

type HeaderOf<Op> = Parameters<Op, 'header'>;

type KeyOption<Op> = [HeaderOf<Op>] extends [never]
  ? unknown
  : 'Idempotency-Key' extends keyof HeaderOf<Op>
    ? {
        /** The same text makes the same write: use the id of what caused it, such as that of a Discord interaction. */
        idempotencyKey?: string;
      }
    : unknown;

export interface CallOptions {
  /** For how long to repeat the request while its outcome is unknown. */
  deadlineMs?: number;
  /** Gives up the request. Its outcome is then unknown, unless the request only reads. */
  signal?: AbortSignal;
}

/** What a request to this route takes. */
export type Wanted<M extends Method, P extends PathOf<M>> = CallOptions &
  Option<'path', Parameters<Operation<M, P>, 'path'>> &
  Option<'query', Parameters<Operation<M, P>, 'query'>> &
  BodyOption<Operation<M, P>> &
  KeyOption<Operation<M, P>>;

/** The arguments after the path: the options may be left out if the route needs none. */
export type Rest<M extends Method, P extends PathOf<M>> =
  CallOptions extends Wanted<M, P> ? [options?: Wanted<M, P>] : [options: Wanted<M, P>];

type Success = 200 | 201 | 202 | 204;

type ContentOf<T> = T extends { content: infer C } ? (C extends { 'application/json': infer Json } ? Json : string) : undefined;

/** What this route answers. */
export type Answer<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer R } ? { [S in keyof R & Success]: ContentOf<R[S]> }[keyof R & Success] : never;

/** The paths of lists: they answer a page with `items` and `next_cursor`. */
export type ListPath = {
  [P in PathOf<'get'>]: Answer<'get', P> extends { items: readonly unknown[]; next_cursor: string | null } ? P : never;
}[PathOf<'get'>];

export type Item<P extends ListPath> = Answer<'get', P> extends { items: readonly (infer T)[] } ? T : never;

type CodesIn<T> = T extends { content: { 'application/problem+json': { code?: infer C } } } ? Exclude<C, undefined> : never;

/** The names of the refusals of this route. */
export type CodeOf<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer R } ? { [S in keyof R]: CodesIn<R[S]> }[keyof R] : never;

/** The names of all refusals. */
export type Code = { [M in Method]: { [P in PathOf<M>]: CodeOf<M, P> }[PathOf<M>] }[Method];
