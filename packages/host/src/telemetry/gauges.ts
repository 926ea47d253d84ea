/** What is measured when somebody looks: depths in the database, plugins, the process. Nothing of it runs in between. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Store } from '@runbound/store'
import type { PluginStatus } from '../plugins/types.ts'
import { mailboxDepth, outboxDepth } from './depth-statements.ts'
import type { MetricName } from './metric-records.ts'
import type { Sample, Samples } from './metric-text.ts'

/** States in the order of a row's life: a gauge that fell to nothing says 0 and does not vanish. */
const MAILBOX_STATES = ['accepted', 'admitted', 'active'] as const
const OUTBOX_STATES = ['streaming', 'queued', 'sending', 'unknown', 'held'] as const

/** How exact the delay of the event loop is, in milliseconds: each step is a timer, so it is coarse. */
const LOOP_STEP_MS = 20

export interface GaugeParts {
  readonly store: Pick<Store, 'all'>
  /** Milliseconds. */
  readonly startedAt: number
  plugins(): readonly PluginStatus[]
  activeRuns(): number
}

/** Metrics that are gauges, and the counters that others keep. */
export type Gauges = Pick<Samples, GaugeName>
type GaugeName = Extract<
  MetricName,
  | 'runbound_runs_active'
  | 'runbound_mailbox_rows'
  | 'runbound_outbox_parts'
  | 'runbound_plugin_state'
  | 'runbound_plugin_restarts_total'
  | 'runbound_event_loop_delay_seconds'
  | 'process_resident_memory_bytes'
  | 'nodejs_heap_size_used_bytes'
  | 'process_cpu_seconds_total'
  | 'process_start_time_seconds'
>

/** Looks, once for each call. `stop` ends the one thing that is measured between two looks. */
export function createGauges(parts: GaugeParts): { look(): Promise<Gauges>; stop(): void } {
  let loop: ReturnType<typeof monitorEventLoopDelay> | undefined

  function loopDelay(): readonly Sample[] {
    if (loop === undefined) {
      loop = monitorEventLoopDelay({ resolution: LOOP_STEP_MS })
      loop.enable()
      return []
    }
    // The histogram holds the whole time between two steps.
    const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LOOP_STEP_MS / 1e3)
    const samples: readonly Sample[] =
      loop.count === 0
        ? []
        : [
            [['0.5'], late(loop.percentile(50))],
            [['0.99'], late(loop.percentile(99))],
            [['1'], late(loop.max)],
          ]
    loop.reset()
    return samples
  }

  return {
    async look() {
      const [mailbox, outbox] = await Promise.all([parts.store.all(mailboxDepth()), parts.store.all(outboxDepth())])
      const { rss, heapUsed } = process.memoryUsage()
      const { user, system } = process.cpuUsage()
      const plugins = parts.plugins()
      return {
        runbound_runs_active: [[[], parts.activeRuns()]],
        runbound_mailbox_rows: depth(MAILBOX_STATES, mailbox),
        runbound_outbox_parts: depth(OUTBOX_STATES, outbox),
        runbound_plugin_state: plugins.map(({ plugin_id, source, state }) => [[plugin_id, source, state], 1]),
        runbound_plugin_restarts_total: plugins.map(({ plugin_id, source, restarts }) => [
          [plugin_id, source],
          restarts,
        ]),
        runbound_event_loop_delay_seconds: loopDelay(),
        process_resident_memory_bytes: [[[], rss]],
        nodejs_heap_size_used_bytes: [[[], heapUsed]],
        process_cpu_seconds_total: [[[], (user + system) / 1e6]],
        process_start_time_seconds: [[[], parts.startedAt / 1e3]],
      }
    },
    stop: () => loop?.disable(),
  }
}

function depth(
  states: readonly string[],
  rows: readonly { readonly state: string; readonly count: number }[],
): readonly Sample[] {
  return states.map((state) => [[state], rows.find((row) => row.state === state)?.count ?? 0])
}
