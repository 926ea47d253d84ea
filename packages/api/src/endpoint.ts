/** The shape of an endpoint record: one record drives validation, scope check, OpenAPI document and the typed client. */
import type { z } from 'zod'

/** What a caller must be allowed to do. Owners and the cli's key have all of them (`*`). */
export const SCOPES = ['read', 'operate', 'configure', 'plugins', 'chat', 'metrics'] as const
export type Scope = (typeof SCOPES)[number]
/** `*`: only who may do everything. `any`: whoever is signed in, about themselves. `none`: before signing in. */
export type Access = Scope | '*' | 'any' | 'none'

export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** `/api/v1/...` with `{name}` for path parameters. */
  readonly path: string
  readonly summary: string
  readonly scope: Access
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  readonly response: z.ZodType
}

/** Keeps the literal types of an endpoint, so that the client infers input and output. */
export function endpoint<const E extends Endpoint>(record: E): E {
  return record
}

type Input<S> = S extends z.ZodType ? z.input<S> : unknown
type Output<S> = S extends z.ZodType ? z.output<S> : unknown

/** What a client passes: path parameters, query and body in one object. */
export type EndpointInput<E extends Endpoint> = (E['params'] extends z.ZodObject
  ? { readonly params: Input<E['params']> }
  : unknown) &
  (E['query'] extends z.ZodObject ? { readonly query?: Input<E['query']> } : unknown) &
  (E['body'] extends z.ZodType ? { readonly body: Input<E['body']> } : unknown)
/** What a handler gets after validation. */
export type EndpointRequest<E extends Endpoint> = {
  readonly params: E['params'] extends z.ZodObject ? Output<E['params']> : Record<string, never>
  readonly query: E['query'] extends z.ZodObject ? Output<E['query']> : Record<string, never>
  readonly body: E['body'] extends z.ZodType ? Output<E['body']> : undefined
}
export type EndpointOutput<E extends Endpoint> = z.output<E['response']>
/** What a handler returns. */
export type EndpointAnswer<E extends Endpoint> = z.input<E['response']>
