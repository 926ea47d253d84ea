/** The operator's list of events: by bot, type and time; found by text, message link or id. On the reader thread. */
import type { Store } from '@runbound/store'
import { cursorsOf } from '../conversations/cursors.ts'
import { redactBinary } from '../conversations/redact.ts'
import { gather, LOOK } from '../gather.ts'
import { readEnvelope } from './envelope-text.ts'
import { filterOf, foundOf } from './listing-rows.ts'
import * as sql from './listing-statements.ts'
import { searchWords, type WordsNeeds } from './listing-words.ts'
import { envelopeOf } from './statements.ts'
import type { EventOnly, EventSearch, FoundEvents } from './types.ts'

const NEWEST = Number.MAX_SAFE_INTEGER
/** Newest first. WireError `invalid_cursor` for a cursor of other filters. */
export async function searchEvents(
  store: Store,
  needs: WordsNeeds,
  search: EventSearch,
  only?: EventOnly,
): Promise<FoundEvents> {
  const cursors = cursorsOf('events', scopeOf(search, only))
  const q = search.q?.trim() ?? ''
  if (q !== '') return searchWords(store, needs, search, q, cursors, only)
  const before = search.before_cursor === null ? null : cursors.read(search.before_cursor)
  const after = search.after_cursor === null ? null : cursors.read(search.after_cursor)
  const forward = after !== null
  const filter = { ...filterOf(search), above: after?.high ?? 0, below: before?.low ?? NEWEST }
  const read = (from: number, limit: number) => {
    const { conversation_key } = search
    const window = { ...filter, ...(forward ? { above: from } : { below: from }), limit }
    if (conversation_key === null)
      return store.slow(forward ? sql.eventsOldestFirst(window) : sql.eventsNewestFirst(window))
    const ofChat = { ...window, conversation_key }
    return store.slow(forward ? sql.eventsOfChatOldestFirst(ofChat) : sql.eventsOfChat(ofChat))
  }
  const start = forward ? filter.above : filter.below
  const page =
    only === undefined ? await wholePage(read, start, search.limit) : await fittingPage(read, start, search, only)
  const { items, first, last, has_more } = page
  const cursor = first === null ? null : cursors.write({ low: Math.min(first, last), high: Math.max(first, last) })
  return {
    items: forward ? [...items].reverse() : items,
    next_cursor: has_more || forward ? cursor : null,
    prev_cursor: cursor,
    has_more,
  }
}

type Read = (from: number, limit: number) => Promise<readonly sql.ListedEvent[]>

async function wholePage(read: Read, start: number, limit: number) {
  const rows = await read(start, limit + 1)
  const shown = rows.slice(0, limit)
  const [first, last] = [shown[0]?.seq ?? null, shown.at(-1)?.seq ?? start]
  return { items: shown.map(foundOf), first, last, has_more: rows.length > limit }
}

async function fittingPage(read: Read, start: number, { limit }: EventSearch, only: EventOnly) {
  const page = await gather(start, limit, async (from) => {
    const rows = (await read(from, LOOK)).map(foundOf)
    const picked = await only.pick(rows)
    return rows.map((row) => ({ position: row.seq, items: picked.has(row.event_id) ? [row] : [] }))
  })
  return { ...page, first: page.last === start ? null : page.first }
}

/** The envelope of an event as views show it, bytes left out; undefined: not known. */
export async function shownEnvelope(store: Store, eventId: string): Promise<object | undefined> {
  const row = await store.first(envelopeOf({ event_id: eventId }))
  return row === undefined ? undefined : redactBinary(readEnvelope(row.envelope))
}

function scopeOf(
  { before_cursor: _before, after_cursor: _after, limit: _limit, ...filters }: EventSearch,
  only: EventOnly | undefined,
): string {
  return JSON.stringify([...Object.entries(filters).sort(), only?.scope ?? null])
}
