/** The typed client of the HTTP API: for the cli, the console and scripts. Works in Node and in browsers. */
import { z } from 'zod'
import type { Endpoint, EndpointInput, EndpointOutput } from './endpoint.ts'
import { ENDPOINTS, type EndpointName, type Endpoints, LIVE_PATH } from './endpoints.ts'
import { ApiErrorSchema, type LiveQuerySchema } from './schemas.ts'

const BRAND = Symbol.for('runbound.api-error')

/** The host said no. `code` is stable; `status` is HTTP's, 0 when the host could not be reached (`unreachable`). */
export class ApiError extends Error {
  readonly [BRAND] = true
  readonly code: string
  readonly status: number
  readonly at: string | null

  constructor(code: string, message: string, status: number, at: string | null = null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.at = at
  }

  static is(value: unknown): value is ApiError {
    return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true
  }
}

export interface ClientOptions {
  /** Such as `http://127.0.0.1:5490`; empty in a browser that the host served. */
  readonly url: string
  /** API key; absent: the browser's session. */
  readonly key?: string
  readonly fetch?: typeof fetch
}

type Call<E extends Endpoint> = keyof EndpointInput<E> extends never
  ? (input?: Record<string, never>) => Promise<EndpointOutput<E>>
  : Record<never, never> extends EndpointInput<E>
    ? (input?: EndpointInput<E>) => Promise<EndpointOutput<E>>
    : (input: EndpointInput<E>) => Promise<EndpointOutput<E>>

export type Client = { readonly [N in EndpointName]: Call<Endpoints[N]> } & {
  /**
   * What changes, as it changes; ends when the signal aborts or the host goes. `opened` is called once the host tells of
   * changes: what is caused after that is not missed.
   */
  live(signal: AbortSignal, opened?: () => void, filter?: LiveFilter): AsyncIterable<LiveChange>
}

/** Which changes are told; `kinds` with commas between them. Absent: all. */
export type LiveFilter = z.input<typeof LiveQuerySchema>

export interface LiveChange {
  readonly kind: string
  readonly run_id?: string | null
  readonly conversation_key?: string | null
  readonly data?: unknown
}

/** Every call rejects with {@link ApiError}. */
export function createClient(options: ClientOptions): Client {
  const headers: Record<string, string> = options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }
  const http = options.fetch ?? fetch
  const calls = Object.fromEntries(
    Object.entries(ENDPOINTS).map(([name, record]) => [
      name,
      (input: unknown) => call(record, (input ?? {}) as { params?: object; query?: object; body?: unknown }),
    ]),
  )

  async function request(path: string, init: RequestInit): Promise<Response> {
    let response: Response
    try {
      response = await http(`${options.url}${path}`, { ...init, headers: { ...headers, ...init.headers } })
    } catch (cause) {
      throw new ApiError('unreachable', `No host answers at ${options.url}. Start it: runbound start`, 0, null, cause)
    }
    if (response.ok) return response
    const body = ApiErrorSchema.safeParse(await response.json().catch(() => null))
    if (body.success)
      throw new ApiError(body.data.error.code, body.data.error.message, response.status, body.data.error.at)
    throw new ApiError('unexpected', `The host answered ${response.status} without saying why.`, response.status)
  }

  async function call(record: Endpoint, input: { params?: object; query?: object; body?: unknown }): Promise<unknown> {
    const filled = record.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(String(Reflect.get(input.params ?? {}, name))),
    )
    const path = withQuery(filled, input.query ?? {})
    const response = await request(path, {
      method: record.method.toUpperCase(),
      ...(input.body === undefined
        ? {}
        : { body: JSON.stringify(input.body), headers: { 'content-type': 'application/json' } }),
    })
    const answer = record.response.safeParse(await response.json())
    if (!answer.success)
      throw new ApiError(
        'unexpected',
        `The answer of ${path} has another shape than this client knows: ${z.prettifyError(answer.error)}`,
        response.status,
      )
    return answer.data
  }

  async function* live(signal: AbortSignal, opened?: () => void, filter: LiveFilter = {}): AsyncIterable<LiveChange> {
    const response = await request(withQuery(LIVE_PATH, filter), { signal, headers: { accept: 'text/event-stream' } })
    if (response.body === null) return
    opened?.()
    let rest = ''
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        const blocks = (rest + value).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) {
          const data = block
            .split('\n')
            .filter((line) => line.startsWith('data: '))
            .map((line) => line.slice(6))
            .join('\n')
          if (data !== '') yield JSON.parse(data) as LiveChange
        }
      }
    } catch (error) {
      if (!signal.aborted) throw new ApiError('unreachable', `The connection to ${options.url} broke.`, 0, null, error)
    } finally {
      await reader.cancel().catch(() => undefined)
    }
  }

  return { ...calls, live } as Client
}

function withQuery(path: string, given: object): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? path : `${path}?${query}`
}
