/** Tables of the room `events/`: routes and subscriptions, events and their keys, the trail. */
import { filled, flag, integer, oneOf, orNull, rowId, type TableOf, text } from './column.ts'

export const eventsTables = {
  routes: {
    route_id: text,
    workspace_uuid: text,
    bot_uuid: text,
    event_pattern: text,
    filters: filled(text),
    target_type: oneOf('agent', 'pipeline', 'discard'),
    processor_id: orNull(text),
    priority: filled(integer),
    position: integer,
    scope: filled(oneOf('chat', 'member')),
    enabled: filled(flag),
    description: filled(text),
  },
  subscriptions: {
    bot_uuid: text,
    processor_id: text,
    workspace_uuid: text,
    scope: filled(oneOf('chat', 'member')),
    enabled: filled(flag),
  },
  events: {
    seq: rowId,
    event_id: text,
    workspace_uuid: text,
    bot_uuid: orNull(text),
    event_type: text,
    event_time: orNull(integer),
    source: text,
    conversation_id: orNull(text),
    conversation_key: orNull(text),
    thread_id: orNull(text),
    actor_type: orNull(text),
    actor_id: orNull(text),
    actor_name: orNull(text),
    subject_type: orNull(text),
    subject_id: orNull(text),
    message_id: orNull(text),
    input_summary: orNull(text),
    envelope: text,
    raw_ref: orNull(text),
    created_at: integer,
  },
  event_keys: { bot_uuid: text, dedupe_key: text, event_id: text, created_at: integer },
  trail: {
    id: rowId,
    workspace_uuid: text,
    event_id: text,
    processor_id: orNull(text),
    at: integer,
    step: text,
    code: text,
    message: text,
    details: orNull(text),
  },
} as const

export type RoutesTable = TableOf<typeof eventsTables.routes>
export type SubscriptionsTable = TableOf<typeof eventsTables.subscriptions>
export type EventsTable = TableOf<typeof eventsTables.events>
export type EventKeysTable = TableOf<typeof eventsTables.event_keys>
export type TrailTable = TableOf<typeof eventsTables.trail>

export interface EventsTables {
  routes: RoutesTable
  subscriptions: SubscriptionsTable
  events: EventsTable
  event_keys: EventKeysTable
  trail: TrailTable
}
