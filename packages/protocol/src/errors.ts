/**
 * Errors that cross the wire (entities.md §5, wire.md §1.13): the documented code and shape, with our stable reason in
 * `details.reason`. Recognised by brand, because a plugin may carry its own copy of this package.
 */

/** Documented codes. Anything the specification does not name is `host.action_error` with a reason. */
export const ERROR_CODES = [
  'host.action_error',
  'host.malformed_response',
  'deadline_exceeded',
  'runtime_error',
  'box.export.limit_exceeded',
  'box.export.transport_truncated',
  'box.export.invalid_response',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

/** Who has to act so that the next try succeeds. */
export type Actor = 'author' | 'operator' | 'user' | 'host' | 'platform'

interface ReasonFacts {
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly who: Actor
  /** What it means, for the generated table; the message of an error says the particulars. */
  readonly means: string
}

/** Every reason that the host gives. Pinned by a test: adding is fine, renaming is a breaking change. */
export const REASONS = {
  unknown_method: { code: 'host.action_error', retryable: false, who: 'author', means: 'no such method' },
  unknown_form: {
    code: 'host.action_error',
    retryable: false,
    who: 'author',
    means: 'the method exists, but not in this form',
  },
  invalid_params: {
    code: 'host.action_error',
    retryable: false,
    who: 'author',
    means: 'the parameters do not fit the method',
  },
  invalid_result: {
    code: 'host.action_error',
    retryable: false,
    who: 'author',
    means: 'a result of the run does not fit its kind',
  },
  too_large: { code: 'host.action_error', retryable: false, who: 'author', means: 'a named limit was exceeded' },
  not_registered: {
    code: 'host.action_error',
    retryable: false,
    who: 'author',
    means: 'a call before register_plugin was answered',
  },
  run_unknown: {
    code: 'host.action_error',
    retryable: false,
    who: 'author',
    means: 'no living run has this id for this plugin',
  },
  run_ended: {
    code: 'host.action_error',
    retryable: false,
    who: 'author',
    means: 'the run has ended; its context is dead',
  },
  query_unknown: {
    code: 'host.action_error',
    retryable: false,
    who: 'author',
    means: 'no living query has this id for this plugin',
  },
  permission_denied: {
    code: 'host.action_error',
    retryable: false,
    who: 'operator',
    means: 'not granted to this run or installation',
  },
  target_denied: {
    code: 'host.action_error',
    retryable: false,
    who: 'operator',
    means: 'granted, but not for this target',
  },
  actor_denied: {
    code: 'host.action_error',
    retryable: false,
    who: 'operator',
    means: 'granted, but not to the person who caused this run',
  },
  not_found: { code: 'host.action_error', retryable: false, who: 'author', means: 'the named thing does not exist' },
  no_reply_target: {
    code: 'host.action_error',
    retryable: false,
    who: 'author',
    means: 'the event has nowhere to reply to',
  },
  not_supported: { code: 'host.action_error', retryable: false, who: 'platform', means: 'the platform cannot do this' },
  not_available: {
    code: 'host.action_error',
    retryable: false,
    who: 'operator',
    means: 'not available in this version or not set up',
  },
  stream_closed: { code: 'host.action_error', retryable: false, who: 'author', means: 'the reply stream has ended' },
  limit_reached: { code: 'host.action_error', retryable: false, who: 'author', means: 'a quota or count is used up' },
  conflict: {
    code: 'host.action_error',
    retryable: false,
    who: 'author',
    means: 'the state of the thing does not allow this',
  },
  invalid_cursor: {
    code: 'host.action_error',
    retryable: false,
    who: 'author',
    means: 'the cursor was not made by this method for this scope',
  },
  delivery_failed: {
    code: 'host.action_error',
    retryable: false,
    who: 'platform',
    means: 'the platform refused the message',
  },
  delivery_unknown: {
    code: 'host.action_error',
    retryable: false,
    who: 'platform',
    means: 'nobody knows whether the platform took the message',
  },
  platform_failed: {
    code: 'host.action_error',
    retryable: false,
    who: 'platform',
    means: 'the platform answered with an error',
  },
  tool_failed: { code: 'host.action_error', retryable: false, who: 'author', means: 'the tool itself failed' },
  busy: { code: 'host.action_error', retryable: true, who: 'author', means: 'too many calls in flight' },
  storage_full: {
    code: 'host.action_error',
    retryable: true,
    who: 'operator',
    means: 'the host cannot write any more',
  },
  shutting_down: { code: 'runtime_error', retryable: true, who: 'operator', means: 'the host is stopping' },
  link_closed: { code: 'runtime_error', retryable: true, who: 'host', means: 'the connection to the peer is gone' },
  deadline: { code: 'deadline_exceeded', retryable: true, who: 'author', means: 'the time of the run or call is over' },
  cancelled: { code: 'host.action_error', retryable: false, who: 'user', means: 'the run was cancelled' },
  key_expired: { code: 'host.action_error', retryable: false, who: 'author', means: 'the debug key has expired' },
  internal: {
    code: 'host.action_error',
    retryable: false,
    who: 'host',
    means: 'a fault of the host; the log has the cause',
  },
} as const satisfies Record<string, ReasonFacts>
export type Reason = keyof typeof REASONS

/** `data.error` of an error answer (entities.md §5.1, AgentAPIError). */
export interface WireErrorData {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
  readonly details: Readonly<Record<string, unknown>>
}

const BRAND = Symbol.for('runbound.wire-error')

/**
 * An error that crosses the wire. `code`, `retryable` come from the reason's record; `details.reason` is the reason.
 *
 * @example
 * throw new WireError('not_found', 'Event e-1 is not known here. Use an id from ctx.eventPage().')
 */
export class WireError extends Error {
  readonly [BRAND] = true
  readonly code: string
  readonly retryable: boolean
  readonly details: Readonly<Record<string, unknown>>

  constructor(reason: Reason, message: string, options: { details?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'WireError'
    this.code = REASONS[reason].code
    this.retryable = REASONS[reason].retryable
    this.details = { reason, ...options.details }
  }

  get reason(): Reason {
    return this.details.reason as Reason
  }

  toData(): WireErrorData {
    return { code: this.code, message: this.message, retryable: this.retryable, details: this.details }
  }

  /** True for a WireError of any copy of this package. */
  static is(value: unknown): value is WireError {
    return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true
  }
}
