/** The statements of runs, run_events and run_trace; no other file of the host writes them. */
import { type Slots, sql, sqlStatement, statement } from '@runbound/store'

interface NewRunRow {
  run_id: string
  workspace_uuid: string
  event_id: string
  event_type: string
  row_id: string
  processor_id: string
  processor_kind: string
  binding_id: string
  runner_id: string
  installation_uuid: string
  bot_uuid: string | null
  conversation_id: string | null
  conversation_key: string | null
  thread_id: string | null
  actor_id: string | null
  attempt: number
  owner: string
  epoch: number
  debug: 0 | 1
  now: number
  deadline_at: number | null
  run_grant: string
  metadata: string
}

/** A run starts as `running` with its first ledger entry already counted. */
export const insertRun = statement(
  (db, p: Slots<NewRunRow>) =>
    db.insertInto('runs').values({
      run_id: p('run_id'),
      workspace_uuid: p('workspace_uuid'),
      event_id: p('event_id'),
      event_type: p('event_type'),
      row_id: p('row_id'),
      processor_id: p('processor_id'),
      processor_kind: p('processor_kind'),
      binding_id: p('binding_id'),
      runner_id: p('runner_id'),
      installation_uuid: p('installation_uuid'),
      bot_uuid: p('bot_uuid'),
      conversation_id: p('conversation_id'),
      conversation_key: p('conversation_key'),
      thread_id: p('thread_id'),
      actor_id: p('actor_id'),
      status: 'running',
      attempt: p('attempt'),
      owner: p('owner'),
      epoch: p('epoch'),
      debug: p('debug'),
      created_at: p('now'),
      started_at: p('now'),
      updated_at: p('now'),
      deadline_at: p('deadline_at'),
      last_sequence: 1,
      run_grant: p('run_grant'),
      metadata: p('metadata'),
    }),
  { expect: 1 },
)

interface Guard {
  run_id: string
  epoch: number
  now: number
}

/** "Still running, and still ours": the first statement of every unit of a run. */
export const guard = statement(
  (db, p: Slots<Guard>) =>
    db
      .updateTable('runs')
      .set({ updated_at: p('now') })
      .where('run_id', '=', p('run_id'))
      .where('status', '=', 'running')
      .where('epoch', '=', p('epoch')),
  { expect: 1 },
)

/** The same, and the run has had an effect from here on. */
export const guardWithEffect = statement(
  (db, p: Slots<Guard>) =>
    db
      .updateTable('runs')
      .set({ updated_at: p('now'), effect: 1 })
      .where('run_id', '=', p('run_id'))
      .where('status', '=', 'running')
      .where('epoch', '=', p('epoch')),
  { expect: 1 },
)

/** The same, and room for `count` ledger entries, whose last number comes back. */
export const guardAndNumber = sqlStatement(
  (p: Slots<Guard & { count: number; effect: 0 | 1 }>) => sql`
    update runs set updated_at = ${p('now')}, last_sequence = last_sequence + ${p('count')}, effect = max(effect, ${p('effect')})
    where run_id = ${p('run_id')} and status = 'running' and epoch = ${p('epoch')}
    returning last_sequence`,
  { expect: 1 },
)

interface EventRow {
  run_id: string
  /** How many entries of the same unit come after this one. */
  back: number
  type: string
  data: string
  usage: string | null
  source: string
  now: number
  metadata: string
}

/** One entry, numbered from the run's own counter: only the host numbers, and there are no holes. */
export const insertEvent = sqlStatement(
  (p: Slots<EventRow>) => sql`
    insert into run_events (run_id, sequence, type, data, usage, source, created_at, metadata)
    select run_id, last_sequence - ${p('back')}, ${p('type')}, ${p('data')}, ${p('usage')}, ${p('source')}, ${p('now')},
      ${p('metadata')}
    from runs where run_id = ${p('run_id')}`,
  { expect: 1 },
)

/** For other rooms' units: counts one entry while the run is running, and changes nothing afterwards. */
export const numberWhileRunning = sqlStatement(
  (p: Slots<{ run_id: string }>) => sql`
    update runs set last_sequence = last_sequence + 1 where run_id = ${p('run_id')} and status = 'running'`,
)
export const insertEventWhileRunning = sqlStatement(
  (p: Slots<Omit<EventRow, 'back'>>) => sql`
    insert into run_events (run_id, sequence, type, data, usage, source, created_at, metadata)
    select run_id, last_sequence, ${p('type')}, ${p('data')}, ${p('usage')}, ${p('source')}, ${p('now')}, ${p('metadata')}
    from runs where run_id = ${p('run_id')} and status = 'running'`,
)

export const requestCancel = statement(
  (db, p: Slots<Guard>) =>
    db
      .updateTable('runs')
      .set({ updated_at: p('now'), cancel_requested_at: p('now') })
      .where('run_id', '=', p('run_id'))
      .where('status', '=', 'running')
      .where('epoch', '=', p('epoch')),
  { expect: 1 },
)

interface Ending extends Guard {
  status: string
  status_reason: string | null
  reason_code: string | null
  usage: string | null
  cost: string | null
  count: number
}

/** The end, once: numbers the last entries of the ledger in the same statement. */
export const endRun = sqlStatement(
  (p: Slots<Ending>) => sql`
    update runs set status = ${p('status')}, status_reason = ${p('status_reason')}, reason_code = ${p('reason_code')},
      usage = ${p('usage')}, cost = ${p('cost')}, finished_at = ${p('now')}, updated_at = ${p('now')},
      last_sequence = last_sequence + ${p('count')}
    where run_id = ${p('run_id')} and status = 'running' and epoch = ${p('epoch')}
    returning last_sequence`,
  { expect: 1 },
)

/** The end of a run whose host died: whoever finds it first ends it. */
export const endLeftRun = sqlStatement(
  (p: Slots<{ run_id: string; reason: string; code: string; now: number }>) => sql`
    update runs set status = 'failed', status_reason = ${p('reason')}, reason_code = ${p('code')},
      finished_at = ${p('now')}, updated_at = ${p('now')}, last_sequence = last_sequence + 1
    where run_id = ${p('run_id')} and status in ('created', 'queued', 'claimed', 'running')`,
  { expect: 1 },
)

/** All entries of a batch in one statement. */
export const insertTrace = sqlStatement(
  (p: Slots<{ run_id: string; entries: string }>) => sql`
    insert into run_trace (run_id, at, method, target, outcome, reason, micros)
    select ${p('run_id')}, value ->> 'at', value ->> 'method', value ->> 'target', value ->> 'outcome',
      value ->> 'reason', value ->> 'micros'
    from json_each(${p('entries')})`,
)
