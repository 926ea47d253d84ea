/** Statements and queries of conversations, transcript and its full-text index. Positions are computed inside. */
import { query, type Slots, sql, sqlQuery, sqlStatement } from '@runbound/store'

export interface EntryValues {
  readonly transcript_id: string
  readonly workspace_uuid: string
  readonly conversation_key: string
  readonly bot_uuid: string | null
  readonly conversation_id: string | null
  readonly thread_id: string | null
  readonly role: string
  readonly content: string
  readonly content_json: string | null
  readonly attachment_refs: string
  readonly event_id: string
  readonly run_id: string | null
  readonly processor_id: string | null
  readonly delivery_id: string | null
  readonly message_id: string | null
  readonly actor_id: string | null
  readonly created_at: number
  readonly metadata: string
}

export interface ConversationValues {
  readonly conversation_key: string
  readonly workspace_uuid: string
  readonly bot_uuid: string | null
  readonly conversation_id: string
  readonly thread_id: string | null
  readonly chat_type: string | null
  readonly chat_id: string | null
  readonly member_id: string | null
  readonly now: number
}

/** The entry of the same event is what makes an inbound message be written once, over attempts and processors. */
const spokenBefore = (p: Slots<{ conversation_key: string; event_id: string }>) => sql`
  select 1 from transcript
  where event_id = ${p('event_id')} and conversation_key = ${p('conversation_key')} and role = 'user'`

const nextPosition = (p: Slots<ConversationValues & { event_id: string }>, once: boolean) => sql`
  insert into conversations (conversation_key, workspace_uuid, bot_uuid, conversation_id, thread_id, chat_type, chat_id,
    member_id, last_seq, created_at, last_event_at)
  select ${p('conversation_key')}, ${p('workspace_uuid')}, ${p('bot_uuid')}, ${p('conversation_id')}, ${p('thread_id')},
    ${p('chat_type')}, ${p('chat_id')}, ${p('member_id')}, 1, ${p('now')}, ${p('now')}
  where ${once ? sql`not exists (${spokenBefore(p)})` : sql`true`}
  on conflict (conversation_key) do update set last_seq = last_seq + 1, last_event_at = excluded.last_event_at`

const newEntry = (p: Slots<EntryValues>, once: boolean) => sql`
  insert into transcript (transcript_id, workspace_uuid, conversation_key, seq, bot_uuid, conversation_id, thread_id, role,
    content, content_json, attachment_refs, event_id, run_id, processor_id, delivery_id, message_id, actor_id, created_at,
    metadata)
  select ${p('transcript_id')}, ${p('workspace_uuid')}, ${p('conversation_key')}, last_seq, ${p('bot_uuid')},
    ${p('conversation_id')}, ${p('thread_id')}, ${p('role')}, ${p('content')}, ${p('content_json')},
    ${p('attachment_refs')}, ${p('event_id')}, ${p('run_id')}, ${p('processor_id')}, ${p('delivery_id')},
    ${p('message_id')}, ${p('actor_id')}, ${p('created_at')}, ${p('metadata')}
  from conversations
  where conversation_key = ${p('conversation_key')} ${once ? sql`and not exists (${spokenBefore(p)})` : sql``}`

/** Gives the next position of a conversation, which is made if it is new. */
export const takePosition = sqlStatement((p: Slots<ConversationValues & { event_id: string }>) =>
  nextPosition(p, false),
)
/** The same, unless the event's message stands there already. */
export const takePositionOnce = sqlStatement((p: Slots<ConversationValues & { event_id: string }>) =>
  nextPosition(p, true),
)
/** The entry at the position that was just taken. */
export const insertEntry = sqlStatement((p: Slots<EntryValues>) => newEntry(p, false), { expect: 1 })
export const insertEntryOnce = sqlStatement((p: Slots<EntryValues>) => newEntry(p, true))

/** Indexes an entry; does nothing when the entry was not written. */
export const indexEntry = sqlStatement(
  (p: Slots<{ transcript_id: string; grams: string }>) => sql`
    insert into transcript_text (rowid, grams)
    select id, ${p('grams')} from transcript where transcript_id = ${p('transcript_id')}`,
)

const ITEM_COLUMNS = [
  'transcript_id',
  'event_id',
  'bot_uuid',
  'workspace_uuid',
  'conversation_id',
  'thread_id',
  'role',
  'item_type',
  'content',
  'content_json',
  'attachment_refs',
  'seq',
  'run_id',
  'processor_id',
  'message_id',
  'created_at',
  'metadata',
] as const

interface PageSlots {
  readonly conversation_key: string
  /** Both bounds are excluded. */
  readonly above: number
  readonly below: number
  readonly limit: number
}

/** What a reset hid stays hidden: the bound is read in the same statement. */
const resetAfter = (p: Slots<{ conversation_key: string }>) => sql<number>`coalesce(
  (select reset_after_seq from conversations where conversation_key = ${p('conversation_key')}), 0)`
const visibleAbove = (p: Slots<PageSlots>) => sql<number>`max(${p('above')}, ${resetAfter(p)})`

export const entriesNewestFirst = query((db, p: Slots<PageSlots>) =>
  db
    .selectFrom('transcript')
    .select(ITEM_COLUMNS)
    .where('conversation_key', '=', p('conversation_key'))
    .where('seq', '>', visibleAbove(p))
    .where('seq', '<', p('below'))
    .orderBy('seq', 'desc')
    .limit(p('limit')),
)

export const entriesOldestFirst = query((db, p: Slots<PageSlots>) =>
  db
    .selectFrom('transcript')
    .select(ITEM_COLUMNS)
    .where('conversation_key', '=', p('conversation_key'))
    .where('seq', '>', visibleAbove(p))
    .where('seq', '<', p('below'))
    .orderBy('seq', 'asc')
    .limit(p('limit')),
)

/** Position of the newest entry below one, for the start of each run: not a column more than is asked for. */
export const newestBelow = query((db, p: Slots<{ conversation_key: string; below: number }>) =>
  db
    .selectFrom('transcript')
    .select('seq')
    .where('conversation_key', '=', p('conversation_key'))
    .where('seq', '<', p('below'))
    .where('seq', '>', resetAfter(p))
    .orderBy('seq', 'desc')
    .limit(1),
)

/** Position of an event's own message. */
export const positionOf = query((db, p: Slots<{ event_id: string; conversation_key: string }>) =>
  db
    .selectFrom('transcript')
    .select('seq')
    .where('event_id', '=', p('event_id'))
    .where('conversation_key', '=', p('conversation_key'))
    .where('role', '=', 'user'),
)

/**
 * Entries of a conversation that match, newest first. `match` starts with the conversation's own token. `cross join` makes
 * the engine begin with the index: otherwise it asks the index once for each entry of the conversation.
 */
export const searchEntries = sqlQuery(
  (
    p: Slots<{
      match: string
      conversation_key: string
      up_to: number
      roles: string
      item_types: string
      limit: number
    }>,
  ) => sql<SearchRow>`
    select t.transcript_id, t.event_id, t.bot_uuid, t.workspace_uuid, t.conversation_id, t.thread_id, t.role, t.item_type,
      t.content, t.content_json, t.attachment_refs, t.seq, t.run_id, t.processor_id, t.message_id, t.created_at, t.metadata
    from transcript_text f cross join transcript t
    where t.id = f.rowid and transcript_text match ${p('match')} and t.conversation_key = ${p('conversation_key')}
      and t.seq <= ${p('up_to')}
      and t.seq > coalesce((select reset_after_seq from conversations where conversation_key = ${p('conversation_key')}), 0)
      and (${p('roles')} = '' or t.role in (select value from json_each(nullif(${p('roles')}, ''))))
      and (${p('item_types')} = '' or t.item_type in (select value from json_each(nullif(${p('item_types')}, ''))))
    order by f.rowid desc limit ${p('limit')}`,
)

/** One entry as it is read. */
export interface SearchRow {
  readonly transcript_id: string
  readonly event_id: string
  readonly bot_uuid: string | null
  readonly workspace_uuid: string
  readonly conversation_id: string | null
  readonly thread_id: string | null
  readonly role: string
  readonly item_type: string
  readonly content: string | null
  readonly content_json: string | null
  readonly attachment_refs: string
  readonly seq: number
  readonly run_id: string | null
  readonly processor_id: string | null
  readonly message_id: string | null
  readonly created_at: number
  readonly metadata: string
}
