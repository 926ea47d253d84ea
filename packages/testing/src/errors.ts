/** What goes wrong in a test with the kit, as a sentence that says what happened and what to do. */

const BRAND = Symbol.for('runbound.testing.error')

/** What a {@link TestKitError} is about. */
export type TestKitErrorCode =
  /** The plugin has no Runner that could answer. */
  | 'no_runner'
  /** No Runner of the plugin has this name. */
  | 'unknown_runner'
  /** No Runner of the plugin has this setting. */
  | 'unknown_setting'
  /** There is no event of this id. */
  | 'unknown_event'
  /** The host did not take the event; `details.reason` says why. */
  | 'event_refused'
  /** No message came in time; the error says what happened instead. */
  | 'no_reply'
  /** No run was started. */
  | 'no_run'
  /** Runs or deliveries did not end in time. */
  | 'not_settled'

/**
 * An expectation of the kit that was not met. Recognised by brand: {@link TestKitError.is}.
 *
 * @example
 * ```ts
 * import { type TestHost, TestKitError } from '@runbound/testing'
 *
 * export async function staysSilent(t: TestHost): Promise<boolean> {
 *   try {
 *     await t.reply()
 *     return false
 *   } catch (error) {
 *     return TestKitError.is(error) && error.code === 'no_reply'
 *   }
 * }
 * ```
 */
export class TestKitError extends Error {
  readonly [BRAND] = true
  readonly code: TestKitErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: TestKitErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.name = 'TestKitError'
    this.code = code
    this.details = details
  }

  /** True for a TestKitError of any copy of this package. */
  static is(value: unknown): value is TestKitError {
    return typeof value === 'object' && value !== null && Object.hasOwn(value, BRAND)
  }
}
