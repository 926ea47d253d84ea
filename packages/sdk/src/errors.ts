/**
 * Errors that authors meet. What the host or the link refused is an {@link AgentAPIException}; what is not granted to the run
 * is a {@link PermissionDeniedError}; a call that makes no sense is an {@link SdkError}.
 * All are recognised by brand, because a plugin may carry its own copy of this package.
 */
import type { Reason, WireErrorData } from '@runbound/protocol'
import { REASONS } from '@runbound/protocol'

const API_BRAND = Symbol.for('runbound.sdk.agent-api-exception')
const DENIED_BRAND = Symbol.for('runbound.sdk.permission-denied')
const SDK_BRAND = Symbol.for('runbound.sdk.error')

function hasBrand(value: unknown, brand: symbol): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, brand)
}

/**
 * A call that the host refused, or that failed there or on the way: `error` has `code`, `message`, `retryable` and
 * `details`, and the same are properties. `details.reason` is stable. A send that timed out may have been delivered:
 * `retryable` says nothing about that.
 *
 * @example
 * ```ts
 * import { AgentAPIException, type CanCallTools, type RunnerContext } from '@runbound/sdk'
 *
 * export async function actor(ctx: RunnerContext & CanCallTools) {
 *   try {
 *     return await ctx.callTool('event_get_actor')
 *   } catch (error) {
 *     if (!AgentAPIException.isInstance(error)) throw error
 *     await ctx.log(`${error.error.code}: ${error.error.message}`, 'error')
 *     return null
 *   }
 * }
 * ```
 */
export class AgentAPIException extends Error {
  readonly [API_BRAND] = true
  readonly error: WireErrorData

  constructor(error: WireErrorData, options?: { readonly cause?: unknown }) {
    super(error.message, options)
    this.name = 'AgentAPIException'
    this.error = error
  }

  get code(): string {
    return this.error.code
  }

  get retryable(): boolean {
    return this.error.retryable
  }

  get details(): WireErrorData['details'] {
    return this.error.details
  }

  /** Makes the exception that the host would answer with for this reason. */
  static of(reason: Reason, message: string, details: Record<string, unknown> = {}): AgentAPIException {
    const { code, retryable } = REASONS[reason]
    return new AgentAPIException({ code, message, retryable, details: { reason, ...details } })
  }

  /** True for an AgentAPIException of any copy of this package. */
  static isInstance(value: unknown): value is AgentAPIException {
    return hasBrand(value, API_BRAND)
  }
}

/**
 * Not granted to this run: a resource, an operation, or an API whose flag is false. The host refused it, nothing was
 * done, and the message is the host's. `code` is `permission_denied`.
 */
export class PermissionDeniedError extends Error {
  readonly [DENIED_BRAND] = true
  readonly code = 'permission_denied'

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'PermissionDeniedError'
  }

  /** True for a PermissionDeniedError of any copy of this package. */
  static isInstance(value: unknown): value is PermissionDeniedError {
    return hasBrand(value, DENIED_BRAND)
  }
}

/** What an {@link SdkError} is about. */
export type SdkErrorCode =
  /** A definition (plugin, Runner, field) that cannot work. */
  | 'invalid_definition'
  /** An argument outside what is documented. */
  | 'invalid_argument'
  /** A value that JSON cannot hold. */
  | 'not_json'
  /** A text or list above its named limit. */
  | 'too_large'
  /** A reply stream that has ended. */
  | 'stream_closed'
  /** No bot is associated with this run. */
  | 'no_bot'
  /** The run's event is no platform event. */
  | 'no_platform_event'
  /** A plugin that cannot be loaded. */
  | 'load_failed'

/** A mistake in the plugin's own code or package. Never crosses the wire; nothing was sent. */
export class SdkError extends Error {
  readonly [SDK_BRAND] = true
  readonly code: SdkErrorCode

  constructor(code: SdkErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'SdkError'
    this.code = code
  }

  /** True for an SdkError of any copy of this package. */
  static isInstance(value: unknown): value is SdkError {
    return hasBrand(value, SDK_BRAND)
  }
}
