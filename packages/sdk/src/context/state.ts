/** Values that the host keeps per processor and scope. Needs no permission, but `available_apis.state`. */
import type { Json, StateKeys, StateScope, StateValue } from '@runbound/protocol'

/** The answer of a change. */
export interface StateChange {
  readonly success: boolean
}

/**
 * State of this processor. `scope` is `conversation`, `actor`, `subject` or `runner`. Every method fails with
 * PermissionDeniedError while the flag is false, with SdkError `invalid_argument` for another scope, and with
 * AgentAPIException `details.reason` `permission_denied` for a scope that the operator or the event does not allow.
 * Use a prefix such as `external.` for keys.
 */
export interface HasState {
  /**
   * Gives `{value}`: what was stored under the key, or null.
   *
   * @example
   * ```ts
   * import type { HasState } from '@runbound/sdk'
   *
   * export const topic = async (ctx: HasState) => (await ctx.stateGet('conversation', 'external.topic')).value
   * ```
   */
  stateGet(scope: StateScope, key: string): Promise<StateValue>

  /**
   * Stores a JSON value, at most 262,144 bytes of JSON; keys at most 255 characters. Gives `{success: true}` once it is
   * durable. Properties that are undefined are left out; anything else that JSON cannot hold (a function, a Date, NaN,
   * a cycle, undefined in a list) fails with SdkError `not_json` before anything is sent. A bigint is stored as a whole
   * number, and comes back as bigint only beyond 2^53.
   *
   * @example
   * ```ts
   * import type { HasState } from '@runbound/sdk'
   *
   * export const remember = (ctx: HasState) => ctx.stateSet('actor', 'external.seen', { at: Date.now() })
   * ```
   */
  stateSet(scope: StateScope, key: string, value: Json): Promise<StateChange>

  /**
   * Removes the key; `{success: false}` when it was not there.
   *
   * @example
   * ```ts
   * import type { HasState } from '@runbound/sdk'
   *
   * export const forget = (ctx: HasState) => ctx.stateDelete('actor', 'external.seen')
   * ```
   */
  stateDelete(scope: StateScope, key: string): Promise<StateChange>

  /**
   * Lists keys of a scope. Default: all prefixes, at most 100; `has_more` says whether there are others.
   *
   * @example
   * ```ts
   * import type { HasState } from '@runbound/sdk'
   *
   * export const mine = (ctx: HasState) => ctx.stateList('runner', { prefix: 'external.' })
   * ```
   */
  stateList(
    scope: StateScope,
    options?: { readonly prefix?: string | null; readonly limit?: number },
  ): Promise<StateKeys>
}
