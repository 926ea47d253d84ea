/** The table of the room `delivery/`: the outbox. */
import { filled, integer, oneOf, orNull, rowId, type TableOf, text } from './column.ts'

export const deliveryTables = {
  outbox: {
    position: rowId,
    part_id: text,
    delivery_id: text,
    workspace_uuid: text,
    bot_uuid: text,
    run_id: orNull(text),
    event_id: orNull(text),
    processor_id: orNull(text),
    conversation_id: orNull(text),
    conversation_key: orNull(text),
    target: text,
    target_key: text,
    part: integer,
    parts: integer,
    chain: text,
    quote_message_id: orNull(text),
    stream_id: orNull(text),
    state: oneOf('streaming', 'queued', 'sending', 'sent', 'unknown', 'failed', 'held', 'discarded'),
    message_id: orNull(text),
    attempts: filled(integer),
    due_at: integer,
    reason: orNull(text),
    error: orNull(text),
    owner: orNull(text),
    created_at: integer,
    updated_at: integer,
    sent_at: orNull(integer),
  },
} as const

export type OutboxTable = TableOf<typeof deliveryTables.outbox>

export interface DeliveryTables {
  outbox: OutboxTable
}
