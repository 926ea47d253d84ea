/** Errors of the link that never cross the wire, and the error that the other side answered with. */
import type { Json, JsonObject, WireErrorData } from '@runbound/protocol'
import type { LinkLimits } from './types.ts'

/**
 * Why a link operation failed: `timeout` (deadline or silence), `closed` (connection gone), `too_large` (a named
 * limit), `slow_consumer` (frames waited too long for us), `protocol` (the other side broke the protocol),
 * `invalid` (our own caller asked for something that cannot be sent).
 */
export type LinkErrorCode = 'timeout' | 'closed' | 'too_large' | 'slow_consumer' | 'protocol' | 'invalid'

const LINK = Symbol.for('runbound.link-error')
const REMOTE = Symbol.for('runbound.remote-error')

function branded(value: unknown, brand: symbol): boolean {
  return typeof value === 'object' && value !== null && Reflect.get(value, brand) === true
}

/** A failure of the link itself; `limit` names the exceeded limit when there is one. */
export class LinkError extends Error {
  readonly [LINK] = true
  readonly code: LinkErrorCode
  readonly limit: keyof LinkLimits | undefined

  constructor(code: LinkErrorCode, message: string, options: { limit?: keyof LinkLimits; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'LinkError'
    this.code = code
    this.limit = options.limit
  }

  /** True for a LinkError of any copy of this package. */
  static is(value: unknown): value is LinkError {
    return branded(value, LINK)
  }
}

/** Makes the error of an exceeded limit; the sentence always names the limit, its value and what was met. */
export function overLimit(limit: keyof LinkLimits, allowed: number, met: string): LinkError {
  return new LinkError('too_large', `Limit ${limit} (${allowed}) exceeded: ${met}.`, { limit })
}

/**
 * The other side answered with an error. `message` and `data` are as received; `error` is the structured form, if
 * the answer had one; `code` is its code, else `remote_error`.
 */
export class RemoteError extends Error {
  readonly [REMOTE] = true
  readonly code: string
  readonly action: string
  readonly data: JsonObject
  readonly error: WireErrorData | undefined

  constructor(action: string, message: string, data: JsonObject) {
    super(message)
    this.name = 'RemoteError'
    this.action = action
    this.data = data
    this.error = structured(data)
    this.code = this.error?.code ?? 'remote_error'
  }

  /** Our stable reason (`details.reason`), when the other side gave one. */
  get reason(): string | undefined {
    const reason = this.error?.details.reason
    return typeof reason === 'string' ? reason : undefined
  }

  /** True for a RemoteError of any copy of this package. */
  static is(value: unknown): value is RemoteError {
    return branded(value, REMOTE)
  }
}

/** Reads `data.error`, or `data` itself with `code` and `message` (wire.md §1.13). */
function structured(data: JsonObject): WireErrorData | undefined {
  const source = isObject(data.error) ? data.error : data
  if (typeof source.code !== 'string' || typeof source.message !== 'string') return undefined
  return {
    code: source.code,
    message: source.message,
    retryable: source.retryable === true,
    details: isObject(source.details) ? source.details : {},
  }
}

/** True for a JSON object: neither null nor an array. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
