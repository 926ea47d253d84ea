/** Records of runs and their ledger. Each method needs the flag of its name in `available_apis`, no permission. */
import type {
  AgentRun,
  AgentRunEvent,
  PageDirection,
  RunEventPage,
  RunnerResult,
  RunPage,
  RunStatus,
} from '@runbound/protocol'

/**
 * Run records within what this run may see. A run id that is left out means the current run. Every method fails with
 * PermissionDeniedError while its flag is false, and with AgentAPIException `details.reason` `not_found` for a run that
 * is not visible.
 */
export interface HasRunRecords {
  /**
   * Gives the record of a run. Default: the current one.
   *
   * @example
   * ```ts
   * import type { HasRunRecords } from '@runbound/sdk'
   *
   * export const status = async (ctx: HasRunRecords) => (await ctx.runGet()).status
   * ```
   */
  runGet(run_id?: string | null): Promise<AgentRun>

  /**
   * Gives a page of runs, newest first. Default: 50 of all statuses.
   *
   * @example
   * ```ts
   * import type { HasRunRecords } from '@runbound/sdk'
   *
   * export const failures = (ctx: HasRunRecords) => ctx.runList({ statuses: ['failed', 'timeout'], limit: 10 })
   * ```
   */
  runList(options?: {
    readonly conversation_id?: string | null
    readonly statuses?: readonly RunStatus[] | null
    readonly before_cursor?: string | null
    readonly limit?: number
  }): Promise<RunPage>

  /**
   * Gives a page of a run's events in the order of their `sequence`. Default: the current run, 50, `forward`.
   *
   * @example
   * ```ts
   * import type { HasRunRecords } from '@runbound/sdk'
   *
   * export const next = (ctx: HasRunRecords, cursor: string) => ctx.runEventsPage({ after_cursor: cursor })
   * ```
   */
  runEventsPage(options?: {
    readonly run_id?: string | null
    readonly before_cursor?: string | null
    readonly after_cursor?: string | null
    readonly limit?: number
    readonly direction?: PageDirection
  }): Promise<RunEventPage>

  /**
   * Asks for the end of a run; gives its record. Default: the current run, without a reason. Whoever cancels its own run
   * sees `ctx.signal` abort.
   *
   * @example
   * ```ts
   * import type { HasRunRecords } from '@runbound/sdk'
   *
   * export const stop = (ctx: HasRunRecords, run: string) => ctx.runCancel({ run_id: run, reason: 'not needed any more' })
   * ```
   */
  runCancel(options?: { readonly run_id?: string | null; readonly reason?: string | null }): Promise<AgentRun>

  /**
   * Adds a result to the ledger of the run that it names. Never for a result that the Runner also yields.
   *
   * @example
   * ```ts
   * import { type HasRunRecords, result, type RunnerContext } from '@runbound/sdk'
   *
   * export const step = (ctx: RunnerContext & HasRunRecords) =>
   *   ctx.runAppendResult(result.processorLog(ctx.run_id, 'half way'))
   * ```
   */
  runAppendResult(result: RunnerResult): Promise<AgentRunEvent>

  /**
   * Ends a run of the plugin; gives its record. Default: the current run. Handlers that return are finished by the SDK.
   *
   * @example
   * ```ts
   * import type { HasRunRecords } from '@runbound/sdk'
   *
   * export const done = (ctx: HasRunRecords, run: string) => ctx.runFinalize({ run_id: run, status: 'completed' })
   * ```
   */
  runFinalize(options?: {
    readonly run_id?: string | null
    readonly status?: RunStatus | null
    readonly reason?: string | null
  }): Promise<AgentRun>
}
