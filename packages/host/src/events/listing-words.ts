/** Events by what somebody typed: those that an id or a link names come first, then those whose messages hold the words. */
import { WireError } from '@runbound/protocol'
import type { Store } from '@runbound/store'
import type { Cursors } from '../conversations/cursors.ts'
import { gather, LOOK } from '../gather.ts'
import { eventsOf, filterOf, foundOf } from './listing-rows.ts'
import * as sql from './listing-statements.ts'
import { messageIdsIn } from './message-link.ts'
import type { EventNeeds, EventOnly, EventSearch, FoundEvent, FoundEvents } from './types.ts'

const NEWEST = Number.MAX_SAFE_INTEGER
/** Begins cursors of the second part: positions of messages, not of events. No cursor of the first part has a dot there. */
const IN_TEXT = 't.'

export type WordsNeeds = Pick<EventNeeds, 'said' | 'bots'>

/** Newest first in each part; pages go from the first part to the second. WireError `invalid_cursor`, also for `after_cursor`. */
export async function searchWords(
  store: Store,
  needs: WordsNeeds,
  search: EventSearch,
  q: string,
  cursors: Cursors,
  only?: EventOnly,
): Promise<FoundEvents> {
  if (search.after_cursor !== null)
    throw new WireError('invalid_cursor', 'A search has no pages of newer events. Ask again without a cursor.')
  const { before_cursor, limit } = search
  const inText = before_cursor?.startsWith(IN_TEXT) ? cursors.read(before_cursor.slice(IN_TEXT.length)) : null
  const below = before_cursor === null || inText !== null ? NEWEST : cursors.read(before_cursor).low
  const message_id = await namedMessage(store, needs, search, q)
  const picked = (rows: readonly FoundEvent[]) => only?.pick(rows) ?? new Set(rows.map(({ event_id }) => event_id))
  const page = (items: readonly FoundEvent[], next_cursor: string | null): FoundEvents => {
    return { items, next_cursor, prev_cursor: null, has_more: next_cursor !== null }
  }

  const named =
    inText !== null
      ? { items: [], last: below, has_more: false }
      : await gather(below, limit, async (at) => {
          const rows = await namedBy(store, needs, search, q, message_id, at)
          const fit = await picked(rows)
          return rows.map((row) => ({ position: row.seq, items: fit.has(row.event_id) ? [row] : [] }))
        })
  if (named.has_more) return page(named.items, cursors.write({ low: named.last, high: named.last }))

  const from = inText ?? { low: NEWEST, high: NEWEST }
  const said = await gather(from.low, limit - named.items.length, async (at) => {
    const { workspace_uuid } = search
    const hits = await needs.said({ workspace_uuid, words: q, below: at, limit: LOOK, ceiling: from.high })
    const known = await eventsOf(
      store,
      hits.map(({ event_id }) => event_id),
    )
    const fitting = [...known.values()].filter((row) => fits(row, search) && !isNamed(row, q, message_id))
    const fit = await picked(fitting)
    const rows = new Map(fitting.filter(({ event_id }) => fit.has(event_id)).map((row) => [row.event_id, row]))
    return hits.map(({ position, event_id }) => {
      const row = rows.get(event_id)
      return { position, items: row === undefined ? [] : [row] }
    })
  })
  // What was said since the first page is left out on all: an event would move away from where it was to come.
  const high = from.high === NEWEST ? Math.max(said.first, said.last) : from.high
  const next = said.has_more ? IN_TEXT + cursors.write({ low: said.last, high }) : null
  return page([...named.items, ...said.items], next)
}

const isNamed = (row: FoundEvent, q: string, messageId: string | null): boolean =>
  row.event_id === q || (messageId !== null && row.message_id === messageId)

const anywhere = (search: EventSearch) => ({
  ...filterOf(search),
  conversation_key: search.conversation_key,
  above: 0,
  below: NEWEST,
})

const botsOf = async (needs: WordsNeeds, { bot_uuid }: EventSearch): Promise<string> =>
  JSON.stringify(bot_uuid === null ? await needs.bots() : [bot_uuid])

/** Of a link only the part that names most exactly counts: its last, where an event has it. */
async function namedMessage(store: Store, needs: WordsNeeds, search: EventSearch, q: string): Promise<string | null> {
  const ids = messageIdsIn(q)
  if (ids.length === 0) return null
  const bot_uuids = await botsOf(needs, search)
  for (const message_id of ids) {
    const rows = await store.slow(sql.eventsByMessage({ ...anywhere(search), bot_uuids, message_id, limit: 1 }))
    if (rows.length > 0) return message_id
  }
  return null
}

async function namedBy(
  store: Store,
  needs: WordsNeeds,
  search: EventSearch,
  q: string,
  message_id: string | null,
  below: number,
): Promise<FoundEvent[]> {
  const filter = { ...anywhere(search), below, limit: LOOK }
  const own = await store.slow(sql.eventNamed({ ...filter, event_id: q }))
  const ofMessage =
    message_id === null
      ? []
      : await store.slow(sql.eventsByMessage({ ...filter, bot_uuids: await botsOf(needs, search), message_id }))
  const all = new Map([...own, ...ofMessage].map((row) => [row.seq, foundOf(row)]))
  return [...all.values()].sort((a, b) => b.seq - a.seq).slice(0, LOOK)
}

function fits(row: FoundEvent, search: EventSearch): boolean {
  const { bot_uuid, event_type, from, until } = filterOf(search)
  return (
    (bot_uuid === null || row.bot_uuid === bot_uuid) &&
    (event_type === null || row.event_type.startsWith(event_type)) &&
    (search.conversation_key === null || row.conversation_key === search.conversation_key) &&
    (from === null || row.created_at >= from) &&
    (until === null || row.created_at <= until)
  )
}
