/** Mounts the endpoint records on Hono: scope, validation, handler, one error shape. Fails at start when one has no handler. */

import { getConnInfo } from '@hono/node-server/conninfo'
import {
  ENDPOINTS,
  type Endpoint,
  type EndpointAnswer,
  type EndpointName,
  type EndpointRequest,
  type Endpoints,
} from '@runbound/api'
import { stringify } from '@runbound/link'
import type { Context, Hono } from 'hono'
import { HostError } from '../errors.ts'
import type { Principal } from '../identity/types.ts'
import { DEPTH_MAX, deeperThan } from '../json-depth.ts'
import type { Logger } from '../logger.ts'
import type { Doors } from './doors.ts'
import { failure, failureOf } from './failures.ts'

/** Largest body of an API request in bytes. */
const BODY_BYTES = 1024 * 1024

/** What a handler may know of the HTTP exchange, and put into its answer. */
export interface Exchange {
  readonly headers: Headers
  /** The caller's address; empty where the server does not know it. */
  readonly address: string
  /** Headers of the answer. */
  readonly answer: Headers
}

/** A handler of an endpoint with access `none` gets no principal. */
export type ApiHandler<E extends Endpoint> = (
  request: EndpointRequest<E>,
  principal: CallerOf<E>,
  exchange: Exchange,
) => EndpointAnswer<E> | Promise<EndpointAnswer<E>>
type CallerOf<E extends Endpoint> = E['scope'] extends 'none' ? null : Principal
/** Handlers of one table of records. */
export type Handlers<T extends Readonly<Record<string, Endpoint>>> = { readonly [N in keyof T]: ApiHandler<T[N]> }
export type ApiHandlers = Handlers<Endpoints>

/** The handler with its types forgotten, after the record has validated what it gets. */
type AnyHandler = (
  request: { params: unknown; query: unknown; body: unknown },
  principal: Principal | null,
  exchange: Exchange,
) => unknown

export function mountApi(app: Hono, handlers: ApiHandlers, doors: Doors, logger: Logger): void {
  for (const [name, record] of Object.entries<Endpoint>(ENDPOINTS)) {
    const handler = handlers[name as EndpointName] as AnyHandler | undefined
    if (handler === undefined) throw new HostError('programming', `Endpoint ${name} has no handler.`)
    app.on(record.method.toUpperCase(), record.path.replace(/\{(\w+)\}/g, ':$1'), async (c) => {
      const principal = await doors.principal(c.req.raw.headers)
      const refusal = doors.allows(principal, record.scope)
      if (refusal !== null) return failure(refusal.status, refusal.code, refusal.message)
      try {
        const input = await inputOf(record, c.req.param(), c.req.query(), c.req.raw)
        if (input instanceof Response) return input
        // Not Response.json: ids beyond 2^53 are bigint here.
        const answer = new Headers({ 'content-type': 'application/json', 'cache-control': 'no-store' })
        const exchange: Exchange = { headers: c.req.raw.headers, address: addressOf(c), answer }
        const caller = record.scope === 'none' ? null : principal
        return new Response(stringify(await handler(input, caller, exchange), { nonFinite: 'null' }), {
          headers: answer,
        })
      } catch (error) {
        return failureOf(error, logger)
      }
    })
  }
}

/** Of the connection itself: headers of proxies are anybody's word. */
function addressOf(c: Context): string {
  try {
    return getConnInfo(c).remote.address ?? ''
  } catch {
    return '' // not served by a socket
  }
}

async function inputOf(
  record: Endpoint,
  params: object,
  query: object,
  request: Request,
): Promise<{ params: unknown; query: unknown; body: unknown } | Response> {
  const parsed = { params: {} as unknown, query: {} as unknown, body: undefined as unknown }
  const given: { params: unknown; query: unknown; body: unknown } = { params, query, body: undefined }
  if (record.body !== undefined) {
    const body = await bodyOf(request)
    if (body instanceof Response) return body
    given.body = body.json
  }
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = record[part]
    if (schema === undefined) continue
    const result = schema.safeParse(given[part])
    if (!result.success) {
      const issue = result.error.issues[0]
      const at = [part, ...(issue?.path ?? []).map(String)].join('.')
      return failure(422, 'invalid_input', `${at}: ${issue?.message ?? 'is not valid'}.`, at)
    }
    parsed[part] = result.data
  }
  return parsed
}

async function bodyOf(request: Request): Promise<{ json: unknown } | Response> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';', 1)
  if (type.trim().toLowerCase() !== 'application/json') {
    return failure(415, 'invalid_input', 'Send the body as application/json.')
  }
  const text = await readText(request)
  if (text === null) return failure(413, 'too_large', `The body is larger than ${BODY_BYTES} bytes.`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return failure(400, 'invalid_input', 'The body is no JSON.', 'body')
  }
  if (deeperThan(json, DEPTH_MAX))
    return failure(422, 'invalid_input', `The body is nested deeper than ${DEPTH_MAX} levels.`, 'body')
  return { json }
}

/** Null as soon as the body is larger than allowed, whatever it said of its length. */
async function readText(request: Request): Promise<string | null> {
  if (Number(request.headers.get('content-length') ?? 0) > BODY_BYTES) return null
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > BODY_BYTES) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
