/** Runs by what somebody typed: those that it names by id come first, then those of messages that hold the words. */
import { WireError } from '@runbound/protocol'
import type { Store } from '@runbound/store'
import { gather, LOOK } from '../gather.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { filterOf, foundOf } from './listing-rows.ts'
import * as sql from './listing-statements.ts'
import type { FoundRun, FoundRuns, RunSearch, RunText } from './types.ts'

const BELOW_ALL = 0
const ABOVE_ALL = Number.MAX_SAFE_INTEGER
const ALL = Number.MAX_SAFE_INTEGER
const METHOD = 'runs'
/** The beginning of a run id that is long enough to mean one. */
const ID_START = /^[0-9a-f][0-9a-f-]{3,35}$/i
/** Begins cursors of the second part: positions of messages, not of runs. No cursor of the first part has a dot there. */
const IN_TEXT = 't.'

/** Newest first in each part; pages go from the first part to the second. WireError `invalid_cursor`, also for `after_cursor`. */
export async function searchWords(
  store: Store,
  text: RunText,
  search: RunSearch,
  q: string,
  scope: string,
): Promise<FoundRuns> {
  if (search.after_cursor !== null)
    throw new WireError('invalid_cursor', 'A search has no pages of newer runs. Ask again without a cursor.')
  const cursor = search.before_cursor
  const inText = cursor?.startsWith(IN_TEXT) ? readCursor(METHOD, scope, cursor.slice(IN_TEXT.length)) : null
  const below = cursor === null || inText !== null ? ABOVE_ALL : readCursor(METHOD, scope, cursor).low
  const named = inText === null ? await namedBy(store, search, q, below) : []
  const own = named.slice(0, search.limit)
  const last = own.at(-1)
  const page = (items: readonly FoundRun[], next_cursor: string | null): FoundRuns => {
    return { items, next_cursor, prev_cursor: null, has_more: next_cursor !== null }
  }
  if (named.length > own.length && last !== undefined)
    return page(own.map(foundOf), writeCursor(METHOD, scope, { low: last.id, high: last.id }))

  const from = inText ?? { low: ABOVE_ALL, high: ABOVE_ALL }
  const said = await gather(from.low, search.limit - own.length, (at) =>
    runsOfWords(store, text, search, q, { low: at, high: from.high }),
  )
  // What was said since the first page is left out on all: an event would move away from where it was to come.
  const high = from.high === ABOVE_ALL ? Math.max(said.first, said.last) : from.high
  const next = said.has_more ? IN_TEXT + writeCursor(METHOD, scope, { low: said.last, high }) : null
  return page([...own.map(foundOf), ...said.items], next)
}

const idStart = (q: string): string | null => (ID_START.test(q) ? q.toLowerCase() : null)

const foundFilter = (search: RunSearch) => {
  const { event_id, conversation_key } = search
  return { ...filterOf(search), event_id, conversation_key, above: BELOW_ALL }
}

/** One more than a page holds. */
async function namedBy(store: Store, search: RunSearch, q: string, below: number): Promise<readonly sql.ListedRow[]> {
  const filter = { ...foundFilter(search), below, limit: search.limit + 1 }
  const first = idStart(q)
  const [byId, ofEvent] = await Promise.all([
    first === null ? [] : store.slow(sql.listedById({ ...filter, first, last: `${first}~` })),
    store.slow(sql.listedOfEvents({ ...filter, event_ids: JSON.stringify([q]) })),
  ])
  const all = new Map([...byId, ...ofEvent].map((row) => [row.id, row]))
  return [...all.values()].sort((a, b) => b.id - a.id).slice(0, filter.limit)
}

/** Runs of one event stay together, at its message that was found. */
async function runsOfWords(
  store: Store,
  text: RunText,
  search: RunSearch,
  q: string,
  { low, high }: { readonly low: number; readonly high: number },
) {
  const { workspace_uuid } = search
  const messages = await text({ workspace_uuid, words: q, below: low, limit: LOOK, ceiling: high })
  const event_ids = JSON.stringify(messages.map(({ event_id }) => event_id))
  const rows = await store.slow(sql.listedOfEvents({ ...foundFilter(search), below: ABOVE_ALL, event_ids, limit: ALL }))
  const first = idStart(q)
  const named = (row: sql.ListedRow) => row.event_id === q || (first !== null && row.run_id.startsWith(first))
  const byEvent = Map.groupBy(rows, (row) => row.event_id)
  return messages.map(({ position, event_id }) => ({
    position,
    items: (byEvent.get(event_id) ?? []).filter((row) => !named(row)).map(foundOf),
  }))
}
