/** Reads of the operator's list of events: filtered in one index, wide rows for the page alone. */
import { type Slots, sql, sqlQuery } from '@runbound/store'

export interface ListedEvent {
  readonly seq: number
  readonly event_id: string
  readonly event_type: string
  /** Seconds. */
  readonly event_time: number | null
  readonly source: string
  readonly bot_uuid: string | null
  readonly conversation_id: string | null
  readonly conversation_key: string | null
  readonly thread_id: string | null
  readonly actor_id: string | null
  readonly actor_name: string | null
  readonly message_id: string | null
  readonly input_summary: string | null
  /** Milliseconds. */
  readonly created_at: number
}

const LISTED =
  sql.raw(`seq, event_id, event_type, event_time, source, bot_uuid, conversation_id, conversation_key, thread_id,
  actor_id, actor_name, message_id, input_summary, created_at`)

/** Null: not filtered by. Both ends of the window are excluded. */
export interface EventFilter {
  readonly workspace_uuid: string
  readonly bot_uuid: string | null
  /** A type, or the beginning of one: `message.`. */
  readonly event_type: string | null
  readonly from: number | null
  readonly until: number | null
  readonly above: number
  readonly below: number
  readonly limit: number
}

const window = (p: Slots<EventFilter>) => sql`
  workspace_uuid = ${p('workspace_uuid')} and seq > ${p('above')} and seq < ${p('below')}`
/** The plus keeps the engine from going through the workspace where another index names the events. */
const inWindow = (p: Slots<EventFilter>) => sql`
  +workspace_uuid = ${p('workspace_uuid')} and +seq > ${p('above')} and +seq < ${p('below')}`

const wanted = (p: Slots<EventFilter>, where: typeof window) => sql`
  ${where(p)}
  and (${p('bot_uuid')} is null or bot_uuid = ${p('bot_uuid')})
  and (${p('event_type')} is null or substr(event_type, 1, length(${p('event_type')})) = ${p('event_type')})
  and (${p('from')} is null or created_at >= ${p('from')}) and (${p('until')} is null or created_at <= ${p('until')})`

export const eventsNewestFirst = sqlQuery(
  (p: Slots<EventFilter>) => sql<ListedEvent>`
  select ${LISTED} from events where seq in (select seq from events where ${wanted(p, window)} order by seq desc limit ${p('limit')})
  order by seq desc`,
)
export const eventsOldestFirst = sqlQuery(
  (p: Slots<EventFilter>) => sql<ListedEvent>`
  select ${LISTED} from events where seq in (select seq from events where ${wanted(p, window)} order by seq limit ${p('limit')})
  order by seq`,
)
export const eventsOfChat = sqlQuery(
  (p: Slots<EventFilter & { readonly conversation_key: string }>) => sql<ListedEvent>`
  select ${LISTED} from events where conversation_key = ${p('conversation_key')} and ${wanted(p, inWindow)}
  order by seq desc limit ${p('limit')}`,
)
export const eventsOfChatOldestFirst = sqlQuery(
  (p: Slots<EventFilter & { readonly conversation_key: string }>) => sql<ListedEvent>`
  select ${LISTED} from events where conversation_key = ${p('conversation_key')} and ${wanted(p, inWindow)}
  order by seq limit ${p('limit')}`,
)
/** What an index other than that of the list finds is filtered by the conversation as well. */
export interface FoundFilter extends EventFilter {
  readonly conversation_key: string | null
}
const found = (p: Slots<FoundFilter>) => sql`
  ${wanted(p, inWindow)} and (${p('conversation_key')} is null or conversation_key = ${p('conversation_key')})`

/** The event of this id, where it fits. */
export const eventNamed = sqlQuery(
  (p: Slots<FoundFilter & { readonly event_id: string }>) => sql<ListedEvent>`
  select ${LISTED} from events where event_id = ${p('event_id')} and ${found(p)} limit ${p('limit')}`,
)
/** Events by id, in any order. */
export const eventsById = sqlQuery(
  (p: Slots<{ readonly event_ids: string }>) => sql<ListedEvent>`
  select ${LISTED} from events where event_id in (select value from json_each(${p('event_ids')}))`,
)
/** Events of this platform message id, at whichever bot: its index asks for the bot. */
export const eventsByMessage = sqlQuery(
  (p: Slots<FoundFilter & { readonly bot_uuids: string; readonly message_id: string }>) => sql<ListedEvent>`
  select ${LISTED} from events
  where bot_uuid in (select value from json_each(${p('bot_uuids')}))
    and message_id = ${p('message_id')} and ${found(p)}
  order by seq desc limit ${p('limit')}`,
)
