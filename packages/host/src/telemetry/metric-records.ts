/** Every metric of a host in one table: the text at `/metrics` and the table in docs/operations.md are made from it. */

/** One metric; `labels` never hold ids of runs, events, people or conversations, so that their number stays small. */
export interface MetricRecord {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly labels: readonly string[]
  /** One sentence. */
  readonly says: string
}

/** By name in Prometheus' spelling; seconds and bytes, as it wants them. */
export const METRICS = {
  runbound_events_total: {
    type: 'counter',
    labels: ['outcome', 'reason'],
    says: 'Events that platforms handed in: accepted, duplicate, or refused with the reason code.',
  },
  runbound_trail_total: {
    type: 'counter',
    labels: ['code'],
    says: 'Steps of the trail by reason code: what was routed, dropped, answered or failed, and why (docs/errors.md).',
  },
  runbound_runs_total: {
    type: 'counter',
    labels: ['status', 'processor', 'plugin'],
    says: 'Runs that ended.',
  },
  runbound_runs_not_started_total: {
    type: 'counter',
    labels: ['code'],
    says: 'Turns whose run could not start; such a turn is tried again, or dropped with a reason.',
  },
  runbound_runs_active: { type: 'gauge', labels: [], says: 'Runs that are active now.' },
  runbound_run_duration_seconds: {
    type: 'histogram',
    labels: ['processor_kind'],
    says: 'From the start of a run to its end.',
  },
  runbound_run_wait_seconds: {
    type: 'histogram',
    labels: ['processor_kind'],
    says: 'From the acceptance of an event to the start of its run: admission, the lane, a place at the plugin.',
  },
  runbound_mailbox_rows: { type: 'gauge', labels: ['state'], says: 'Turns in the mailbox that are not done.' },
  runbound_outbox_parts: {
    type: 'gauge',
    labels: ['state'],
    says: 'Parts of answers that are on their way, or wait for an operator (unknown, held).',
  },
  runbound_deliveries_total: {
    type: 'counter',
    labels: ['status', 'way'],
    says: 'Answers by how their delivery ended, and whether as a message or as a native stream.',
  },
  runbound_delivery_duration_seconds: {
    type: 'histogram',
    labels: ['way'],
    says: 'From an answer in the outbox to the end of its delivery.',
  },
  runbound_host_calls_total: {
    type: 'counter',
    labels: ['method', 'outcome'],
    says: 'Calls that plugins made to the host.',
  },
  runbound_host_call_duration_seconds: {
    type: 'histogram',
    labels: [],
    says: 'From the arrival of such a call to its answer.',
  },
  runbound_plugin_state: {
    type: 'gauge',
    labels: ['plugin', 'source', 'state'],
    says: '1 for the state in which an installed plugin is.',
  },
  runbound_plugin_restarts_total: {
    type: 'counter',
    labels: ['plugin', 'source'],
    says: 'Starts of a plugin after it went by itself, since the host started.',
  },
  runbound_spans_total: {
    type: 'counter',
    labels: ['outcome'],
    says: 'Spans that were exported, refused by the collector or lost on the way to it (failed), or dropped because it is too slow.',
  },
  runbound_event_loop_delay_seconds: {
    type: 'gauge',
    labels: ['quantile'],
    says: "How late the host's event loop was since the last look; measured from the first look on.",
  },
  process_resident_memory_bytes: { type: 'gauge', labels: [], says: 'Resident memory of the host process.' },
  nodejs_heap_size_used_bytes: { type: 'gauge', labels: [], says: 'JavaScript heap in use.' },
  process_cpu_seconds_total: { type: 'counter', labels: [], says: 'User and system CPU time of the host process.' },
  process_start_time_seconds: { type: 'gauge', labels: [], says: 'When the host started, in seconds since 1970.' },
} as const satisfies Readonly<Record<string, MetricRecord>>

/** The name of a metric. */
export type MetricName = keyof typeof METRICS
