/** The operator's list of runs: filtered, searched by id or text, paged by position. On the reader thread. */
import type { Store } from '@runbound/store'
import { readCursor, writeCursor } from './cursor.ts'
import { filterOf, foundOf } from './listing-rows.ts'
import * as sql from './listing-statements.ts'
import { searchWords } from './listing-words.ts'
import type { FoundRun, FoundRuns, RunHead, RunSearch, RunText } from './types.ts'

const BELOW_ALL = 0
const ABOVE_ALL = Number.MAX_SAFE_INTEGER
const METHOD = 'runs'

/** Newest first, or the page before a page. WireError `invalid_cursor` for a cursor of other filters. */
export async function searchRuns(store: Store, text: RunText, search: RunSearch): Promise<FoundRuns> {
  const scope = scopeOf(search)
  const q = search.q?.trim() ?? ''
  if (q !== '') return searchWords(store, text, search, q, scope)
  const before = search.before_cursor === null ? null : readCursor(METHOD, scope, search.before_cursor)
  const after = search.after_cursor === null ? null : readCursor(METHOD, scope, search.after_cursor)
  const filter = { ...filterOf(search), above: after?.high ?? BELOW_ALL, below: before?.low ?? ABOVE_ALL }
  const limit = search.limit + 1
  const paged = (rows: readonly sql.ListedRow[]) => pageOf(rows, search.limit, scope, after !== null)

  if (search.event_id !== null)
    return paged(
      await store.slow(
        sql.listedOfEvents({
          ...filter,
          event_id: null,
          conversation_key: search.conversation_key,
          event_ids: JSON.stringify([search.event_id]),
          limit,
        }),
      ),
    )
  if (search.conversation_key !== null)
    return paged(
      await store.slow(sql.listedOfConversation({ ...filter, conversation_key: search.conversation_key, limit })),
    )
  if (after !== null) return paged([...(await store.slow(sql.listedOldestFirst({ ...filter, limit })))].reverse())
  return paged(await store.slow(sql.listedNewestFirst({ ...filter, limit })))
}

/** One run as the list shows it; undefined: not known. */
export async function listedRun(store: Store, runId: string): Promise<FoundRun | undefined> {
  const row = await store.first(sql.listedRun({ run_id: runId }))
  return row === undefined ? undefined : foundOf(row)
}

/** Runs of events, oldest first. */
export async function runsOfEvents(
  store: Store,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, readonly RunHead[]>> {
  if (eventIds.length === 0) return new Map()
  const rows = await store.slow(sql.headsOfEvents({ ids: JSON.stringify([...new Set(eventIds)]) }))
  return Map.groupBy(rows, ({ event_id }) => event_id ?? '')
}

/** Runs by id. */
export async function runHeads(store: Store, runIds: readonly string[]): Promise<ReadonlyMap<string, RunHead>> {
  if (runIds.length === 0) return new Map()
  const rows = await store.slow(sql.headsOfRuns({ ids: JSON.stringify([...new Set(runIds)]) }))
  return new Map(rows.map((row) => [row.run_id, row]))
}

/** Rows come newest first. A page of newer ones has its further row at the beginning. */
function pageOf(rows: readonly sql.ListedRow[], limit: number, scope: string, newer: boolean): FoundRuns {
  const has_more = rows.length > limit
  const shown = newer ? rows.slice(-limit) : rows.slice(0, limit)
  const ids = shown.map(({ id }) => id)
  const cursor = ids.length === 0 ? null : writeCursor(METHOD, scope, { low: Math.min(...ids), high: Math.max(...ids) })
  return {
    items: shown.map(foundOf),
    next_cursor: has_more || newer ? cursor : null,
    prev_cursor: cursor,
    has_more,
  }
}

/** A cursor belongs to its filters; the size of a page may change. */
function scopeOf({ before_cursor: _before, after_cursor: _after, limit: _limit, ...filters }: RunSearch): string {
  return JSON.stringify(Object.entries(filters).sort())
}
