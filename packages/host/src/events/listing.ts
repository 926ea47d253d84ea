/** The operator's list of events: by bot, type and time; found by text, message link or id. On the reader thread. */
import type { Store } from '@runbound/store'
import { cursorsOf } from '../conversations/cursors.ts'
import { redactBinary } from '../conversations/redact.ts'
import { readEnvelope } from './envelope-text.ts'
import * as sql from './listing-statements.ts'
import { messageIdsIn } from './message-link.ts'
import { envelopeOf } from './statements.ts'
import type { EventNeeds, EventSearch, FoundEvent, FoundEvents } from './types.ts'

const NEWEST = Number.MAX_SAFE_INTEGER
const LOOKS = 10
const LOOK = 200

type ListingNeeds = Pick<EventNeeds, 'said' | 'bots'>

/** Newest first. WireError `invalid_cursor` for a cursor of other filters. */
export async function searchEvents(store: Store, needs: ListingNeeds, search: EventSearch): Promise<FoundEvents> {
  const cursors = cursorsOf('events', scopeOf(search))
  const { workspace_uuid, bot_uuid, from, until } = search
  const event_type = search.event_type?.replace(/\*$/, '') ?? null
  const before = search.before_cursor === null ? null : cursors.read(search.before_cursor)
  const after = search.after_cursor === null ? null : cursors.read(search.after_cursor)
  const filter = {
    workspace_uuid,
    bot_uuid,
    event_type,
    from,
    until,
    above: after?.high ?? 0,
    below: before?.low ?? NEWEST,
    limit: search.limit + 1,
  }
  const page = (rows: readonly sql.ListedEvent[]): FoundEvents => {
    const has_more = rows.length > search.limit
    const shown = after === null ? rows.slice(0, search.limit) : rows.slice(-search.limit)
    const seqs = shown.map(({ seq }) => seq)
    const cursor = seqs.length === 0 ? null : cursors.write({ low: Math.min(...seqs), high: Math.max(...seqs) })
    const next_cursor = has_more || after !== null ? cursor : null
    return { items: shown.map(foundOf), next_cursor, prev_cursor: cursor, has_more }
  }

  const q = search.q?.trim() ?? ''
  if (q !== '') {
    const own = await store.slow(sql.eventsById({ event_ids: JSON.stringify([q]) }))
    if (own.length > 0) return page(own)
    const message_ids = messageIdsIn(q)
    if (message_ids.length > 0) {
      const bot_uuids = JSON.stringify(bot_uuid === null ? await needs.bots() : [bot_uuid])
      const rows = await store.slow(
        sql.eventsByMessage({ ...filter, bot_uuids, message_ids: JSON.stringify(message_ids) }),
      )
      if (rows.length > 0) return page(nearest(rows, message_ids))
    }
    return byText(store, needs, search, q, cursors)
  }
  if (search.conversation_key !== null)
    return page(await store.slow(sql.eventsOfChat({ ...filter, conversation_key: search.conversation_key })))
  if (after !== null) return page([...(await store.slow(sql.eventsOldestFirst(filter)))].reverse())
  return page(await store.slow(sql.eventsNewestFirst(filter)))
}

/** Of a link only the part that names most exactly counts: its last, where an event has it. */
function nearest(rows: readonly sql.ListedEvent[], ids: readonly string[]): readonly sql.ListedEvent[] {
  const best = ids.find((id) => rows.some((row) => row.message_id === id))
  return rows.filter((row) => row.message_id === best)
}

/** Messages that hold the words; positions are those of the transcript. */
async function byText(
  store: Store,
  needs: ListingNeeds,
  search: EventSearch,
  q: string,
  cursors: ReturnType<typeof cursorsOf>,
): Promise<FoundEvents> {
  let below = search.before_cursor === null ? NEWEST : cursors.read(search.before_cursor).low
  const found = new Map<string, FoundEvent>()
  for (let look = 0; look < LOOKS; look++) {
    const said = await needs.said({ workspace_uuid: search.workspace_uuid, words: q, below, limit: LOOK })
    const rows = await eventsOf(
      store,
      said.map(({ event_id }) => event_id),
    )
    for (const { position, event_id } of said) {
      if (found.size >= search.limit) return textPage(found, below, cursors)
      below = position
      const row = rows.get(event_id)
      if (row !== undefined && fits(row, search)) found.set(event_id, row)
    }
    if (said.length < LOOK) return textPage(found, null, cursors)
  }
  return textPage(found, below, cursors)
}

function textPage(found: ReadonlyMap<string, FoundEvent>, low: number | null, cursors: ReturnType<typeof cursorsOf>) {
  const next_cursor = low === null ? null : cursors.write({ low, high: low })
  return { items: [...found.values()], next_cursor, prev_cursor: null, has_more: low !== null }
}

function fits(row: FoundEvent, { bot_uuid, event_type, conversation_key, from, until }: EventSearch): boolean {
  return (
    (bot_uuid === null || row.bot_uuid === bot_uuid) &&
    (event_type === null || row.event_type.startsWith(event_type.replace(/\*$/, ''))) &&
    (conversation_key === null || row.conversation_key === conversation_key) &&
    (from === null || row.created_at >= from) &&
    (until === null || row.created_at <= until)
  )
}

/** Events by id, for other lists: who and what they were about. */
export async function eventsOf(store: Store, eventIds: readonly string[]): Promise<ReadonlyMap<string, FoundEvent>> {
  if (eventIds.length === 0) return new Map()
  const rows = await store.slow(sql.eventsById({ event_ids: JSON.stringify([...new Set(eventIds)]) }))
  return new Map(rows.map((row) => [row.event_id, foundOf(row)]))
}

/** The envelope of an event as views show it, bytes left out; undefined: not known. */
export async function shownEnvelope(store: Store, eventId: string): Promise<object | undefined> {
  const row = await store.first(envelopeOf({ event_id: eventId }))
  return row === undefined ? undefined : redactBinary(readEnvelope(row.envelope))
}

/** Ids of made-up events begin so (event-id.ts). */
const foundOf = (row: sql.ListedEvent): FoundEvent => ({ ...row, debug: row.event_id.startsWith('debug:') })

function scopeOf({ before_cursor: _before, after_cursor: _after, limit: _limit, ...filters }: EventSearch): string {
  return JSON.stringify(Object.entries(filters).sort())
}
