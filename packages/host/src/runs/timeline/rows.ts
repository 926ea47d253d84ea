/** Reads what a page of the timeline shows, table by table. */
import { type Slots, sql, sqlQuery } from '@runbound/store'

type Some = { readonly run_id: string; readonly ids: string }

export interface EventRow {
  readonly event_id: string
  readonly event_type: string
  readonly source: string
  readonly input_summary: string | null
  readonly actor_name: string | null
  readonly actor_id: string | null
  readonly message_id: string | null
}
export const eventRow = sqlQuery(
  (p: Slots<{ readonly run_id: string }>) => sql<EventRow>`
  select e.event_id, e.event_type, e.source, e.input_summary, e.actor_name, e.actor_id, e.message_id
  from runs r join events e on e.event_id = r.event_id where r.run_id = ${p('run_id')}`,
)

export interface MailboxRow {
  readonly accepted_at: number
  readonly admitted_at: number | null
  readonly started_at: number
  readonly kind: string | null
  readonly attempt: number
  readonly lane: string
}
export const mailboxRow = sqlQuery(
  (p: Slots<{ readonly run_id: string }>) => sql<MailboxRow>`
  select m.accepted_at, m.admitted_at, r.created_at as started_at, m.kind, r.attempt, m.lane
  from runs r join mailbox m on m.row_id = r.row_id where r.run_id = ${p('run_id')}`,
)

export interface TrailRow {
  readonly pos: number
  readonly processor_id: string | null
  readonly step: string
  readonly code: string
  readonly message: string
  readonly details: string | null
}
export const trailRows = sqlQuery(
  (p: Slots<{ readonly ids: string }>) => sql<TrailRow>`
  select id as pos, processor_id, step, code, message, details from trail where id in (select value from json_each(${p('ids')}))`,
)

export interface GrantRow {
  readonly run_grant: string
}
export const grantRow = sqlQuery(
  (p: Slots<{ readonly run_id: string }>) => sql<GrantRow>`select run_grant from runs where run_id = ${p('run_id')}`,
)

export interface LedgerRow {
  readonly pos: number
  readonly type: string
  readonly data: string
  readonly usage: string | null
  readonly source: string
  readonly started_at: number
}
export const ledgerRows = sqlQuery(
  (p: Slots<Some>) => sql<LedgerRow>`
  select l.sequence as pos, l.type, l.data, l.usage, l.source, coalesce(r.started_at, r.created_at) as started_at
  from run_events l join runs r on r.run_id = l.run_id
  where l.run_id = ${p('run_id')} and l.sequence in (select value from json_each(${p('ids')}))`,
)

export interface TraceRow {
  readonly pos: number
  readonly method: string
  readonly target: string | null
  readonly outcome: 'ok' | 'denied' | 'failed' | 'cancelled'
  readonly reason: string | null
  readonly micros: number
  readonly details: string | null
}
export const traceRows = sqlQuery(
  (p: Slots<{ readonly ids: string }>) => sql<TraceRow>`
  select id as pos, method, target, outcome, reason, micros, details from run_trace
  where id in (select value from json_each(${p('ids')}))`,
)

export interface OutboxRow {
  readonly pos: number
  readonly part_id: string
  readonly delivery_id: string
  readonly part: number
  readonly parts: number
  readonly chain: string
  readonly stream_id: string | null
  readonly state: string
  readonly message_id: string | null
  readonly attempts: number
  readonly reason: string | null
  readonly error: string | null
  readonly created_at: number
  readonly updated_at: number
  readonly sent_at: number | null
  /** How it went out, as delivery wrote it; null: it did not yet. */
  readonly how: string | null
}
export const outboxRows = sqlQuery(
  (p: Slots<Some>) => sql<OutboxRow>`
  select o.position as pos, o.part_id, o.delivery_id, o.part, o.parts, o.chain, o.stream_id, o.state, o.message_id, o.attempts,
    o.reason, o.error, o.created_at, o.updated_at, o.sent_at,
    coalesce(
      -- What went out after the run's end is in history only.
      (select t.metadata ->> 'how' from transcript t where t.event_id = o.event_id and t.delivery_id = o.delivery_id
        order by t.id desc limit 1),
      (select l.data ->> 'how' from run_events l where l.run_id = o.run_id and l.type = 'delivery.sent'
        and l.data ->> 'delivery_id' = o.delivery_id limit 1)) as how
  from outbox o where o.run_id = ${p('run_id')} and o.position in (select value from json_each(${p('ids')}))`,
)
