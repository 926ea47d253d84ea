/** Tables of the room `conversations/`: conversations, the mailbox, the transcript and its full-text index. */
import { filled, flag, integer, oneOf, orNull, rowId, type TableOf, text } from './column.ts'

export const conversationsTables = {
  conversations: {
    conversation_key: text,
    workspace_uuid: text,
    bot_uuid: orNull(text),
    conversation_id: text,
    thread_id: orNull(text),
    chat_type: orNull(text),
    chat_id: orNull(text),
    member_id: orNull(text),
    title: orNull(text),
    last_seq: filled(integer),
    reset_after_seq: filled(integer),
    created_at: integer,
    last_event_at: integer,
  },
  mailbox: {
    position: rowId,
    row_id: text,
    workspace_uuid: text,
    event_id: text,
    bot_uuid: orNull(text),
    processor_id: text,
    lane: text,
    conversation_key: orNull(text),
    scope: filled(oneOf('chat', 'member')),
    gives_position: filled(flag),
    state: oneOf('accepted', 'admitted', 'active', 'done'),
    kind: orNull(oneOf('run', 'command', 'steer', 'cancel', 'drop')),
    reason: orNull(text),
    due_at: orNull(integer),
    attempt: filled(integer),
    run_id: orNull(text),
    owner: orNull(text),
    epoch: filled(integer),
    accepted_at: integer,
    admitted_at: orNull(integer),
    done_at: orNull(integer),
  },
  transcript: {
    id: rowId,
    transcript_id: text,
    workspace_uuid: text,
    conversation_key: text,
    seq: integer,
    bot_uuid: orNull(text),
    conversation_id: orNull(text),
    thread_id: orNull(text),
    role: text,
    item_type: filled(text),
    content: orNull(text),
    content_json: orNull(text),
    attachment_refs: filled(text),
    event_id: text,
    run_id: orNull(text),
    processor_id: orNull(text),
    delivery_id: orNull(text),
    message_id: orNull(text),
    actor_id: orNull(text),
    created_at: integer,
    metadata: filled(text),
  },
} as const

/** The full-text index (FTS5, without content): `rowid` is the transcript's `id`, `grams` comes from `grams()`. */
export const transcriptTextTable = { rowid: rowId, grams: text } as const

export type ConversationsTable = TableOf<typeof conversationsTables.conversations>
export type MailboxTable = TableOf<typeof conversationsTables.mailbox>
export type TranscriptTable = TableOf<typeof conversationsTables.transcript>
export type TranscriptTextTable = TableOf<typeof transcriptTextTable>

export interface ConversationsTables {
  conversations: ConversationsTable
  mailbox: MailboxTable
  transcript: TranscriptTable
  transcript_text: TranscriptTextTable
}
