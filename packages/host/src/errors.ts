/** Errors of the host that never cross the wire: configuration, start-up, programming. By brand and string code. */
const BRAND = Symbol.for('runbound.host-error')

export type HostErrorCode =
  | 'invalid_config'
  | 'invalid_manifest'
  | 'not_found'
  | 'conflict'
  | 'not_approved'
  | 'plugin_failed'
  | 'folder_in_use'
  | 'folder_not_writable'
  | 'port_in_use'
  | 'newer_database'
  | 'sign_in_refused'
  | 'too_many_attempts'
  | 'busy'
  | 'programming'

export class HostError extends Error {
  readonly [BRAND] = true
  readonly code: HostErrorCode
  /** Where: a field path such as `routes[0].filters[1].operator`, a file and line. */
  readonly at: string | null
  /** When a try may succeed again; null: time changes nothing. */
  readonly retryAfterSeconds: number | null

  constructor(
    code: HostErrorCode,
    message: string,
    options: { at?: string; cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'HostError'
    this.code = code
    this.at = options.at ?? null
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
  }

  static is(value: unknown): value is HostError {
    return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true
  }
}
