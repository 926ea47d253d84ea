/** The context of a run, composed: its data, what every Runner can do, and what this one's permissions open. */
import type { EventId, JsonObject } from '@runbound/protocol'
import type {
  Asked,
  Capabilities,
  Declared,
  EveryCapability,
  EveryPermission,
  MayCallTools,
  Permissions,
  When,
} from '../rights.ts'
import type { CanUseBox } from './box.ts'
import type {
  CanGetEvents,
  CanGetPrompt,
  CanPageEvents,
  CanPageHistory,
  CanSearchHistory,
  CanSteer,
} from './history.ts'
import type { RunHost } from './host.ts'
import type { CanLog, CanReply } from './replies.ts'
import type { RunApi } from './run-api.ts'
import type { RunData } from './run-data.ts'
import type { HasRunRecords } from './run-records.ts'
import type { HasState } from './state.ts'
import type { CanCallTools, CanListTools } from './tools.ts'

/**
 * What `run(ctx)` and event handlers get. It has exactly what the Runner asked for; asked for means "may be granted", and
 * `ctx.context.available_apis` and `ctx.resources` say whether it is. Valid only while the run lasts: afterwards every
 * call fails at once with AgentAPIException `details.reason` `run_ended`, also from background work.
 *
 * Helpers of a plugin best name just what they use: `ctx: CanReply & HasState`.
 *
 * @example
 * ```ts
 * import { defineRunner } from '@runbound/sdk'
 *
 * export const greeter = defineRunner({
 *   name: 'greeter',
 *   usages: ['agent'],
 *   capabilities: { tool_calling: true },
 *   permissions: { tools: ['call'], history: ['page'] },
 *   async run(ctx) {
 *     const past = await ctx.historyPage({ limit: 5 })
 *     await ctx.reply(`Hello! ${past.items.length} messages so far.`)
 *   },
 * })
 * ```
 */
export type RunnerContext<
  P extends Permissions = Record<never, never>,
  C = JsonObject,
  E extends EventId = EventId,
  K extends Capabilities = Record<never, never>,
> = RunData<C, E> & {
  /** The documented lower-level proxy of this run. */
  readonly api: RunApi<P, C, E, K>
  /** The LangBot API bound to this run (`self.plugin` of the Python SDK). */
  readonly host: RunHost<P, K>
} & CanLog &
  CanListTools &
  CanGetPrompt &
  HasState &
  HasRunRecords &
  CanUseBox &
  When<MayCallTools<P, K>, CanReply & CanCallTools> &
  When<Asked<P, 'history', 'page'>, CanPageHistory> &
  When<Asked<P, 'history', 'search'>, CanSearchHistory> &
  When<Asked<P, 'events', 'get'>, CanGetEvents> &
  When<Asked<P, 'events', 'page'>, CanPageEvents> &
  When<Declared<K, 'steering'>, CanSteer>

/** A context with everything, for what serves runs and for code that works with any Runner. */
export type FullRunnerContext = RunnerContext<EveryPermission, JsonObject, EventId, EveryCapability>
