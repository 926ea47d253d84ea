/** Reads the transcript: pages by windows, the position of a message, where a run's history ends. */
import { type HistoryPage, LIMITS, type TranscriptItem } from '@runbound/protocol'
import type { Store } from '@runbound/store'
import { cursorsOf } from './cursors.ts'
import { itemOf } from './transcript.ts'
import { entriesNewestFirst, entriesOldestFirst, newestBelow, positionOf } from './transcript-statements.ts'
import type { HistoryEnd, HistoryRequest } from './types.ts'

/** Positions start at 1, so 0 is below all; nothing is above this. */
const BELOW_ALL = 0
const ABOVE_ALL = Number.MAX_SAFE_INTEGER

export const METHOD = 'history_page'

/**
 * One page. `before_cursor` and `after_cursor` bound it by the windows they stand for, `direction` says from which end it is
 * taken. Both cursors of the answer stand for the whole page: either leads on, older as `before_cursor`, newer as `after_cursor`.
 */
export async function pageOf(store: Store, request: HistoryRequest): Promise<HistoryPage> {
  const { conversation_key, before_cursor, after_cursor, direction, up_to } = request
  const cursors = cursorsOf(METHOD, conversation_key)
  const limit = clampLimit(request.limit)
  const end = up_to === null ? ABOVE_ALL : up_to + 1
  const bounds = {
    conversation_key,
    above: after_cursor === null ? BELOW_ALL : cursors.read(after_cursor).high,
    below: before_cursor === null ? end : Math.min(cursors.read(before_cursor).low, end),
    // One more than asked for tells whether entries remain.
    limit: limit + 1,
  }
  const rows = await store.all(direction === 'forward' ? entriesOldestFirst(bounds) : entriesNewestFirst(bounds))
  const has_more = rows.length > limit
  const shown = has_more ? rows.slice(0, limit) : rows
  const first = shown[0]
  const last = shown.at(-1)
  const window =
    first === undefined || last === undefined
      ? null
      : cursors.write({ low: Math.min(first.seq, last.seq), high: Math.max(first.seq, last.seq) })
  return {
    items: shown.map((row) => itemOf(row, cursors, request.include_attachments)),
    next_cursor: has_more ? window : null,
    prev_cursor: window,
    has_more,
    total_count: null,
  }
}

function clampLimit(limit: number): number {
  if (!Number.isFinite(limit)) return LIMITS.page_items_default.value
  return Math.min(Math.max(Math.trunc(limit), 1), LIMITS.page_items.value)
}

/** Position of an event's own message; null while it has none. */
export async function findPosition(store: Store, eventId: string, conversationKey: string): Promise<number | null> {
  const row = await store.first(positionOf({ event_id: eventId, conversation_key: conversationKey }))
  return row?.seq ?? null
}

/** The newest entry before a message, or of all when the message has no position yet. */
export async function historyEnd(store: Store, conversationKey: string, eventId: string | null): Promise<HistoryEnd> {
  const own = eventId === null ? null : await findPosition(store, eventId, conversationKey)
  const below = own ?? ABOVE_ALL
  const newest = await store.first(newestBelow({ conversation_key: conversationKey, below }))
  if (newest === undefined) return { latest_cursor: null, transcript_seq: null, has_history_before: false }
  const cursor = cursorsOf(METHOD, conversationKey).write({ low: newest.seq, high: newest.seq })
  return { latest_cursor: cursor, transcript_seq: newest.seq, has_history_before: true }
}

/** The newest entries, oldest of them first, with attachments: for the operator's views. */
export async function newestEntries(
  store: Store,
  conversationKey: string,
  limit: number,
): Promise<readonly TranscriptItem[]> {
  const bounds = { conversation_key: conversationKey, above: BELOW_ALL, below: ABOVE_ALL, limit }
  const rows = await store.all(entriesNewestFirst(bounds))
  const cursors = cursorsOf(METHOD, conversationKey)
  return rows.map((row) => itemOf(row, cursors, true)).reverse()
}
