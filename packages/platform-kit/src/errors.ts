/** How a platform says no. The delivery room decides by `kind` alone whether and when to try again. */

export const ADAPTER_ERROR_KINDS = [
  /** Try again after `retryAfterMs`. Nothing was sent. */
  'rate_limited',
  /** The message is over the platform's limit. Permanent: split differently or give up. */
  'too_long',
  /** The platform refuses for good: blocked, no rights, chat gone. */
  'refused',
  /** The platform can't be reached and nothing was sent. Try again later. */
  'unavailable',
  /** It may or may not have been sent: a timeout after the request went out. Never repeated by itself. */
  'unknown_outcome',
  /** The platform or this adapter can't do that at all. */
  'not_supported',
  /** The parameters are wrong. */
  'invalid',
  /** A native stream was closed by the platform; the rest has to go into a new message. */
  'stream_lost',
] as const
export type AdapterErrorKind = (typeof ADAPTER_ERROR_KINDS)[number]

const BRAND = Symbol.for('runbound.adapter-error')

export class AdapterError extends Error {
  readonly [BRAND] = true
  readonly kind: AdapterErrorKind
  readonly retryAfterMs: number | null

  constructor(kind: AdapterErrorKind, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AdapterError'
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs ?? null
  }

  static is(value: unknown): value is AdapterError {
    return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true
  }
}

const CONFIG_BRAND = Symbol.for('runbound.config-error')

/**
 * A setting of a bot is wrong. Thrown by `PlatformDefinition.create`; never crosses the wire.
 *
 * @example
 * throw new ConfigError('callback_url', 'ftp://... is no http(s) URL. Give the address that takes the replies.')
 */
export class ConfigError extends Error {
  readonly [CONFIG_BRAND] = true
  readonly code = 'config.invalid'
  /** Name of the setting. */
  readonly field: string

  constructor(field: string, message: string, options: { cause?: unknown } = {}) {
    super(`${field}: ${message}`, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ConfigError'
    this.field = field
  }

  static is(value: unknown): value is ConfigError {
    return typeof value === 'object' && value !== null && CONFIG_BRAND in value
  }
}
