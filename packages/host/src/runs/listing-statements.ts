/** Reads of the operator's list of runs: what it filters by is looked up in one index, the wide rows for the page alone. */
import { type Slots, sql, sqlQuery } from '@runbound/store'
import type { RunRow } from './queries.ts'
import type { RunHead } from './types.ts'

/** A run as the list needs it: the record's columns and those that views show. */
export interface ListedRow extends RunRow {
  readonly installation_uuid: string
  readonly actor_id: string | null
  readonly debug: number
  readonly last_sequence: number
}

export const LISTED =
  sql.raw(`id, run_id, workspace_uuid, event_id, event_type, processor_id, processor_kind, binding_id, runner_id,
  bot_uuid, conversation_id, conversation_key, thread_id, status, status_reason, reason_code, effect, attempt, created_at,
  started_at, finished_at, updated_at, deadline_at, cancel_requested_at, usage, cost, metadata,
  installation_uuid, actor_id, debug, last_sequence`)

/** Null: not filtered by. Both ends of the window are excluded. */
export interface ListFilter {
  readonly workspace_uuid: string
  /** JSON list. */
  readonly statuses: string | null
  readonly processor_id: string | null
  readonly installation_uuid: string | null
  readonly bot_uuid: string | null
  readonly actor_id: string | null
  readonly debug: number | null
  readonly from: number | null
  readonly until: number | null
  readonly above: number
  readonly below: number
  readonly limit: number
}

const window = (p: Slots<ListFilter>) => sql`
  workspace_uuid = ${p('workspace_uuid')} and id > ${p('above')} and id < ${p('below')}`
/** The plus keeps the engine from going through the workspace where another index names the runs. */
const inWindow = (p: Slots<ListFilter>) => sql`
  +workspace_uuid = ${p('workspace_uuid')} and +id > ${p('above')} and +id < ${p('below')}`

const wanted = (p: Slots<ListFilter>, where: typeof window) => sql`
  ${where(p)}
  and (${p('statuses')} is null or status in (select value from json_each(${p('statuses')})))
  and (${p('from')} is null or created_at >= ${p('from')}) and (${p('until')} is null or created_at <= ${p('until')})
  and (${p('processor_id')} is null or processor_id = ${p('processor_id')})
  and (${p('installation_uuid')} is null or installation_uuid = ${p('installation_uuid')})
  and (${p('bot_uuid')} is null or bot_uuid = ${p('bot_uuid')})
  and (${p('actor_id')} is null or actor_id = ${p('actor_id')})
  and (${p('debug')} is null or debug = ${p('debug')})`

export const listedNewestFirst = sqlQuery(
  (p: Slots<ListFilter>) => sql<ListedRow>`
  select ${LISTED} from runs where id in (select id from runs where ${wanted(p, window)} order by id desc limit ${p('limit')})
  order by id desc`,
)
export const listedOldestFirst = sqlQuery(
  (p: Slots<ListFilter>) => sql<ListedRow>`
  select ${LISTED} from runs where id in (select id from runs where ${wanted(p, window)} order by id limit ${p('limit')})
  order by id`,
)

/** Runs of one conversation, newest first; its own index finds them. */
export const listedOfConversation = sqlQuery(
  (p: Slots<ListFilter & { readonly conversation_key: string }>) => sql<ListedRow>`
  select ${LISTED} from runs where conversation_key = ${p('conversation_key')} and ${wanted(p, inWindow)}
  order by id desc limit ${p('limit')}`,
)
/** What an index other than that of the list finds is filtered by these as well. */
export interface FoundFilter extends ListFilter {
  readonly event_id: string | null
  readonly conversation_key: string | null
}
const found = (p: Slots<FoundFilter>) => sql`
  ${wanted(p, inWindow)} and (${p('event_id')} is null or event_id = ${p('event_id')})
  and (${p('conversation_key')} is null or conversation_key = ${p('conversation_key')})`

/** Runs of some events, newest first. */
export const listedOfEvents = sqlQuery(
  (p: Slots<FoundFilter & { readonly event_ids: string }>) => sql<ListedRow>`
  select ${LISTED} from runs where event_id in (select value from json_each(${p('event_ids')})) and ${found(p)}
  order by id desc limit ${p('limit')}`,
)
/** Runs whose id lies in a range of text: those that begin alike. */
export const listedById = sqlQuery(
  (p: Slots<FoundFilter & { readonly first: string; readonly last: string }>) => sql<ListedRow>`
  select ${LISTED} from runs where run_id >= ${p('first')} and run_id < ${p('last')} and ${found(p)}
  order by id desc limit ${p('limit')}`,
)

export const listedRun = sqlQuery(
  (p: Slots<{ readonly run_id: string }>) => sql<ListedRow>`select ${LISTED} from runs where run_id = ${p('run_id')}`,
)

export const headsOfEvents = sqlQuery(
  (p: Slots<{ readonly ids: string }>) => sql<RunHead>`
  select run_id, event_id, status, processor_id from runs
  where event_id in (select value from json_each(${p('ids')})) order by id`,
)
export const headsOfRuns = sqlQuery(
  (p: Slots<{ readonly ids: string }>) => sql<RunHead>`
  select run_id, event_id, status, processor_id from runs where run_id in (select value from json_each(${p('ids')}))`,
)
