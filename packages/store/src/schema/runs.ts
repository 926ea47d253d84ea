/** Tables of the room `runs/`: the run record, its ledger, its trace. */
import { filled, flag, integer, oneOf, orNull, rowId, type TableOf, text } from './column.ts'

export const runsTables = {
  runs: {
    id: rowId,
    run_id: text,
    workspace_uuid: text,
    event_id: orNull(text),
    event_type: orNull(text),
    row_id: orNull(text),
    processor_id: text,
    processor_kind: text,
    binding_id: orNull(text),
    runner_id: text,
    installation_uuid: text,
    bot_uuid: orNull(text),
    conversation_id: orNull(text),
    conversation_key: orNull(text),
    thread_id: orNull(text),
    actor_id: orNull(text),
    status: oneOf('created', 'queued', 'claimed', 'running', 'completed', 'failed', 'cancelled', 'timeout'),
    status_reason: orNull(text),
    reason_code: orNull(text),
    effect: filled(flag),
    attempt: filled(integer),
    owner: text,
    epoch: integer,
    debug: filled(flag),
    created_at: integer,
    started_at: orNull(integer),
    finished_at: orNull(integer),
    updated_at: integer,
    deadline_at: orNull(integer),
    cancel_requested_at: orNull(integer),
    last_sequence: filled(integer),
    usage: orNull(text),
    cost: orNull(text),
    run_grant: text,
    metadata: filled(text),
  },
  run_events: {
    run_id: text,
    sequence: integer,
    type: text,
    data: text,
    usage: orNull(text),
    source: text,
    created_at: integer,
    metadata: filled(text),
  },
  run_trace: {
    id: rowId,
    run_id: text,
    at: integer,
    method: text,
    target: orNull(text),
    outcome: text,
    reason: orNull(text),
    micros: integer,
    details: orNull(text),
  },
} as const

export type RunsTable = TableOf<typeof runsTables.runs>
export type RunEventsTable = TableOf<typeof runsTables.run_events>
export type RunTraceTable = TableOf<typeof runsTables.run_trace>

export interface RunsTables {
  runs: RunsTable
  run_events: RunEventsTable
  run_trace: RunTraceTable
}
