/** Reads of the operator's views: conversations by their newest message, and everything that was said in one. */
import { type Slots, sql, sqlQuery } from '@runbound/store'

export interface ChatRow {
  readonly conversation_key: string
  readonly bot_uuid: string | null
  readonly conversation_id: string
  readonly thread_id: string | null
  readonly chat_type: string | null
  readonly chat_id: string | null
  readonly member_id: string | null
  readonly title: string | null
  readonly messages: number
  readonly created_at: number
  readonly last_at: number
  readonly last_role: string | null
  readonly last_text: string | null
  readonly last_event_id: string | null
  readonly last_run_id: string | null
  /** The newest message of a person: whose chat it is. */
  readonly person_event_id: string | null
  readonly runs_active: number
}

interface ChatFilter {
  readonly workspace_uuid: string
  readonly bot_uuid: string | null
  /** Null: both. */
  readonly debug: number | null
  readonly before_at: number
  readonly before_key: string
  readonly limit: number
}

const CHAT =
  sql.raw(`c.conversation_key, c.bot_uuid, c.conversation_id, c.thread_id, c.chat_type, c.chat_id, c.member_id, c.title,
  c.last_seq as messages, c.created_at, c.last_event_at as last_at, t.role as last_role, substr(t.content, 1, 200) as last_text,
  t.event_id as last_event_id, t.run_id as last_run_id,
  (select p.event_id from transcript p where p.conversation_key = c.conversation_key and p.role = 'user' order by p.seq desc limit 1)
    as person_event_id`)
const LAST = sql.raw('left join transcript t on t.conversation_key = c.conversation_key and t.seq = c.last_seq')

/** Debug conversations have a bot that begins with an exclamation mark in their key (keys.ts). */
const isDebug = sql.raw(`(substr(c.conversation_key, instr(c.conversation_key, '/') + 1, 1) = '!')`)

const newestBelow = (p: Slots<ChatFilter>) => sql`
  c.workspace_uuid = ${p('workspace_uuid')}
    and c.last_event_at <= ${p('before_at')}
    and (c.last_event_at < ${p('before_at')} or c.conversation_key < ${p('before_key')})
    and (${p('bot_uuid')} is null or c.bot_uuid = ${p('bot_uuid')})
    and (${p('debug')} is null or ${isDebug} = ${p('debug')})`

export const chatsByRecency = sqlQuery(
  (p: Slots<ChatFilter>) => sql<Omit<ChatRow, 'runs_active'>>`
  select ${CHAT} from conversations c ${LAST}
  where ${newestBelow(p)}
  order by c.last_event_at desc, c.conversation_key desc limit ${p('limit')}`,
)

/** What a search looks at: the ids of a chat, its title, and the newest name of its person. */
export interface ChatWords {
  readonly conversation_key: string
  readonly last_at: number
  readonly title: string | null
  readonly chat_id: string | null
  readonly conversation_id: string
  readonly member_id: string | null
  /** Null where the chat shows nobody's name: of a group. */
  readonly person: string | null
}

export const chatWords = sqlQuery(
  (p: Slots<ChatFilter>) => sql<ChatWords>`
  select c.conversation_key, c.last_event_at as last_at, c.title, c.chat_id, c.conversation_id, c.member_id,
    case when c.chat_type = 'person' or c.member_id is not null then
      (select e.actor_name from events e where e.event_id = (select p.event_id from transcript p
        where p.conversation_key = c.conversation_key and p.role = 'user' order by p.seq desc limit 1)) end as person
  from conversations c where ${newestBelow(p)}
  order by c.last_event_at desc, c.conversation_key desc limit ${p('limit')}`,
)

/** Chats by key, the newest message first. */
export const chatsByKeys = sqlQuery(
  (p: Slots<{ readonly keys: string }>) => sql<Omit<ChatRow, 'runs_active'>>`
  select ${CHAT} from conversations c ${LAST}
  where c.conversation_key in (select value from json_each(${p('keys')}))
  order by c.last_event_at desc, c.conversation_key desc`,
)

export const chatByKey = sqlQuery(
  (p: Slots<{ readonly conversation_key: string; readonly workspace_uuid: string }>) => sql<
    Omit<ChatRow, 'runs_active'>
  >`
  select ${CHAT} from conversations c ${LAST}
  where c.conversation_key = ${p('conversation_key')} and c.workspace_uuid = ${p('workspace_uuid')}`,
)

/** How many turns of these conversations run now. */
export const activeTurns = sqlQuery(
  (p: Slots<{ readonly keys: string }>) => sql<{ conversation_key: string; n: number }>`
  select conversation_key, count(*) as n from mailbox
  where state = 'active' and state <> 'done' and conversation_key in (select value from json_each(${p('keys')}))
  group by conversation_key`,
)

export interface SaidRow {
  readonly seq: number
  readonly role: string
  readonly item_type: string
  readonly content: string | null
  readonly content_json: string | null
  readonly created_at: number
  readonly event_id: string
  readonly run_id: string | null
  readonly processor_id: string | null
  readonly delivery_id: string | null
  readonly message_id: string | null
  readonly actor_id: string | null
  readonly metadata: string
  readonly in_history: number
}

interface SaidWindow {
  readonly conversation_key: string
  readonly above: number
  readonly below: number
  readonly limit: number
}

const SAID =
  sql.raw(`seq, role, item_type, content, content_json, created_at, event_id, run_id, processor_id, delivery_id,
  message_id, actor_id, metadata`)
const inHistory = (p: Slots<SaidWindow>) => sql`
  seq > coalesce((select reset_after_seq from conversations where conversation_key = ${p('conversation_key')}), 0) as in_history`

export const saidNewestFirst = sqlQuery(
  (p: Slots<SaidWindow>) => sql<SaidRow>`
  select ${SAID}, ${inHistory(p)} from transcript
  where conversation_key = ${p('conversation_key')} and seq > ${p('above')} and seq < ${p('below')}
  order by seq desc limit ${p('limit')}`,
)
export const saidOldestFirst = sqlQuery(
  (p: Slots<SaidWindow>) => sql<SaidRow>`
  select ${SAID}, ${inHistory(p)} from transcript
  where conversation_key = ${p('conversation_key')} and seq > ${p('above')} and seq < ${p('below')}
  order by seq limit ${p('limit')}`,
)
