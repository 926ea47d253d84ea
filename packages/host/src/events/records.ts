/** Events as plugins read them: `event_get` and `event_page`. */
import { type AgentEventRecord, type EventPage, LIMITS } from '@runbound/protocol'
import type { Store } from '@runbound/store'
import { seconds } from '../clock.ts'
import { cursorsOf } from '../conversations/cursors.ts'
import { chatKeyOf, memberOf } from '../conversations/keys.ts'
import { redactBinary } from '../conversations/redact.ts'
import { readEnvelope } from './envelope-text.ts'
import { recordOf, recordsBefore } from './statements.ts'
import type { EventPageRequest, EventRecord } from './types.ts'

const NEWEST = Number.MAX_SAFE_INTEGER

interface StoredEvent {
  readonly seq: number
  readonly event_id: string
  readonly event_type: string
  readonly event_time: number | null
  readonly source: string
  readonly workspace_uuid: string
  readonly bot_uuid: string | null
  readonly conversation_id: string | null
  readonly conversation_key: string | null
  readonly thread_id: string | null
  readonly actor_type: string | null
  readonly actor_id: string | null
  readonly actor_name: string | null
  readonly subject_type: string | null
  readonly subject_id: string | null
  readonly input_summary: string | null
  readonly raw_ref: string | null
  readonly created_at: number
  readonly envelope: string
}

/** The record of one event, with the conversation it belongs to; undefined: not known. */
export async function findRecord(store: Store, eventId: string): Promise<EventRecord | undefined> {
  const stored = await store.first(recordOf({ event_id: eventId }))
  if (stored === undefined) return undefined
  return { ...recordFrom(stored, stored.conversation_key ?? ''), conversation_key: stored.conversation_key }
}

/** Newest first. Both cursors of a page stand for the page; WireError `invalid_cursor` for a foreign one. */
export async function pageOfRecords(store: Store, request: EventPageRequest): Promise<EventPage> {
  const { conversation_key: key, event_types: types, before_cursor: before } = request
  const limit = Math.min(Math.max(Math.trunc(request.limit) || 1, 1), LIMITS.page_items.value)
  const cursors = cursorsOf('event_page', chatKeyOf(key))
  const stored = await store.all(
    recordsBefore({
      conversation_key: chatKeyOf(key),
      before: before === null ? NEWEST : cursors.read(before).low,
      types: types ?? [],
      all_types: types === null ? 1 : 0,
      member: memberOf(key),
      limit: limit + 1,
    }),
  )
  const items = stored.slice(0, limit)
  const newest = items[0]
  const oldest = items.at(-1)
  const has_more = stored.length > limit
  const cursor = newest && oldest ? cursors.write({ low: oldest.seq, high: newest.seq }) : null
  return {
    items: items.map((item) => recordFrom(item, chatKeyOf(key))),
    next_cursor: has_more ? cursor : null,
    prev_cursor: cursor,
    has_more,
    total_count: null,
  }
}

function recordFrom(stored: StoredEvent, chatKey: string): AgentEventRecord {
  const { workspace_uuid, bot_uuid, envelope, created_at, conversation_key: _key, ...same } = stored
  return {
    ...same,
    bot_id: bot_uuid,
    workspace_id: workspace_uuid,
    input_ref: null,
    cursor: cursorsOf('event_page', chatKey).write({ low: stored.seq, high: stored.seq }),
    created_at: seconds(created_at),
    metadata: { input_event: redactBinary(readEnvelope(envelope).data) },
  }
}
