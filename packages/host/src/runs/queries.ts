/** Reads of runs and their ledgers. */
import { query, type Slots, sql, sqlQuery } from '@runbound/store'

export interface RunRow {
  readonly id: number
  readonly run_id: string
  readonly workspace_uuid: string
  readonly event_id: string | null
  readonly event_type: string | null
  readonly processor_id: string
  readonly processor_kind: string
  readonly binding_id: string | null
  readonly runner_id: string
  readonly bot_uuid: string | null
  readonly conversation_id: string | null
  readonly conversation_key: string | null
  readonly thread_id: string | null
  readonly status: string
  readonly status_reason: string | null
  readonly reason_code: string | null
  readonly effect: number
  readonly attempt: number
  readonly created_at: number
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly updated_at: number
  readonly deadline_at: number | null
  readonly cancel_requested_at: number | null
  readonly usage: string | null
  readonly cost: string | null
  readonly metadata: string
}

const RUN =
  sql.raw(`id, run_id, workspace_uuid, event_id, event_type, processor_id, processor_kind, binding_id, runner_id,
  bot_uuid, conversation_id, conversation_key, thread_id, status, status_reason, reason_code, effect, attempt, created_at,
  started_at, finished_at, updated_at, deadline_at, cancel_requested_at, usage, cost, metadata`)

export const runById = sqlQuery(
  (p: Slots<{ run_id: string }>) => sql<RunRow>`
  select ${RUN} from runs where run_id = ${p('run_id')}`,
)

interface RunFilter {
  workspace_uuid: string
  processor_id: string | null
  conversation_id: string | null
  /** JSON list of statuses, or null for all. */
  statuses: string | null
  below: number
  limit: number
}

const FILTERED = (p: Slots<RunFilter & { conversation_key: string }>) => sql`
  workspace_uuid = ${p('workspace_uuid')} and id < ${p('below')}
  and (${p('processor_id')} is null or processor_id = ${p('processor_id')})
  and (${p('conversation_id')} is null or conversation_id = ${p('conversation_id')})
  and (${p('statuses')} is null or status in (select value from json_each(${p('statuses')})))`

/** Newest first. Two texts, so that each has its index. */
export const runsOfConversation = sqlQuery(
  (p: Slots<RunFilter & { conversation_key: string }>) => sql<RunRow>`
  select ${RUN} from runs where conversation_key = ${p('conversation_key')} and ${FILTERED(p)}
  order by id desc limit ${p('limit')}`,
)
export const runsOfWorkspace = sqlQuery(
  (p: Slots<RunFilter & { conversation_key: string }>) => sql<RunRow>`
  select ${RUN} from runs where ${FILTERED(p)} order by id desc limit ${p('limit')}`,
)

/** Counting stops at the limit, so that a long history costs no more than a short one. */
export const countOfConversation = sqlQuery(
  (p: Slots<RunFilter & { conversation_key: string }>) => sql<{ n: number }>`
  select count(*) as n from (select 1 from runs where conversation_key = ${p('conversation_key')} and ${FILTERED(p)}
  limit ${p('limit')})`,
)
export const countOfWorkspace = sqlQuery(
  (p: Slots<RunFilter & { conversation_key: string }>) => sql<{ n: number }>`
  select count(*) as n from (select 1 from runs where ${FILTERED(p)} limit ${p('limit')})`,
)

interface EventsFilter {
  run_id: string
  above: number
  below: number
  limit: number
}

export const eventsForward = query((db, p: Slots<EventsFilter>) =>
  db
    .selectFrom('run_events')
    .selectAll()
    .where('run_id', '=', p('run_id'))
    .where('sequence', '>', p('above'))
    .where('sequence', '<', p('below'))
    .orderBy('sequence')
    .limit(p('limit')),
)
export const eventsBackward = query((db, p: Slots<EventsFilter>) =>
  db
    .selectFrom('run_events')
    .selectAll()
    .where('run_id', '=', p('run_id'))
    .where('sequence', '>', p('above'))
    .where('sequence', '<', p('below'))
    .orderBy('sequence', 'desc')
    .limit(p('limit')),
)

/** Runs that no host of this process runs. */
export const leftRuns = query((db, p: Slots<{ owner: string }>) =>
  db
    .selectFrom('runs')
    .select(['run_id', 'row_id', 'effect', 'attempt', 'processor_id', 'event_id'])
    .where('status', 'in', ['created', 'queued', 'claimed', 'running'])
    .where('owner', '!=', p('owner'))
    .orderBy('id'),
)

export const traceOf = query((db, p: Slots<{ run_id: string; limit: number }>) =>
  db
    .selectFrom('run_trace')
    .select(['at', 'method', 'target', 'outcome', 'reason', 'micros'])
    .where('run_id', '=', p('run_id'))
    .orderBy('id')
    .limit(p('limit')),
)
export const grantOf = query((db, p: Slots<{ run_id: string }>) =>
  db.selectFrom('runs').select('run_grant').where('run_id', '=', p('run_id')),
)
