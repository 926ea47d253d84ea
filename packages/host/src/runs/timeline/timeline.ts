/** Everything of a run in the order of time, a page at a time. What is shown is what is stored. */
import { WireError } from '@runbound/protocol'
import type { Store } from '@runbound/store'
import { withNames } from '../../trail/named.ts'
import { eventEntry, grantEntry, jsonOf, mailboxEntry, traceEntry, trailEntry } from './entries.ts'
import { type Key, ORIGINS, timelineKeys } from './keys.ts'
import { laneOf } from './lanes.ts'
import { ledgerEntry } from './ledger-entry.ts'
import { outboxEntry } from './outbox-entry.ts'
import * as rows from './rows.ts'
import type { TimelineEntry, TimelinePage, TimelineRequest } from './types.ts'

export const PAGE_MAX = 500
const CURSOR = /^t(\d{1,16})\.(\d)\.(\d{1,16})-(\d{1,16})\.(\d)\.(\d{1,16})$/

/**
 * One page. Both of its cursors stand for the page: `before_cursor` asks for what is older than it, `after_cursor` for what
 * is newer. WireError `invalid_cursor`.
 */
export async function pageOfTimeline(store: Store, request: TimelineRequest): Promise<TimelinePage> {
  const { run_id, lanes } = request
  const limit = Math.min(Math.max(Math.trunc(request.limit) || 1, 1), PAGE_MAX)
  const above = request.after_cursor === null ? null : readCursor(request.after_cursor).last
  const below = request.before_cursor === null ? null : readCursor(request.before_cursor).first
  const wanted = lanes === null ? null : new Set(lanes)
  const keys = (await store.slow(timelineKeys({ run_id }))).filter(
    (key) =>
      (wanted === null || wanted.has(laneOf(key))) &&
      (above === null || compare(key, above) > 0) &&
      (below === null || compare(key, below) < 0),
  )
  const forward = request.direction === 'forward'
  const shown = forward ? keys.slice(0, limit) : keys.slice(-limit)
  const has_more = keys.length > limit
  const cursor = writeCursor(shown)
  const items = await entriesOf(store, run_id, shown)
  return {
    items: forward ? items : items.reverse(),
    next_cursor: has_more ? cursor : null,
    prev_cursor: cursor,
    has_more,
  }
}

async function entriesOf(store: Store, run_id: string, keys: readonly Key[]): Promise<TimelineEntry[]> {
  const ids = ORIGINS.map((_origin, rank) =>
    JSON.stringify(keys.filter((key) => key.rank === rank).map(({ pos }) => pos)),
  )
  const has = (rank: number): boolean => ids[rank] !== '[]'
  const idsOf = (rank: number): string => ids[rank] ?? '[]'
  const [event, mailbox, trail, grant, ledger, trace, outbox] = await Promise.all([
    has(0) ? store.slow(rows.eventRow({ run_id })) : [],
    has(1) ? store.slow(rows.mailboxRow({ run_id })) : [],
    has(2) ? trailWithNames(store, idsOf(2)) : [],
    has(3) ? store.slow(rows.grantRow({ run_id })) : [],
    has(4) ? store.slow(rows.ledgerRows({ run_id, ids: idsOf(4) })) : [],
    has(5) ? store.slow(rows.traceRows({ ids: idsOf(5) })) : [],
    has(6) ? store.slow(rows.outboxRows({ run_id, ids: idsOf(6) })) : [],
  ])
  const [trails, entries, calls, parts] = [byPos(trail), byPos(ledger), byPos(trace), byPos(outbox)]
  return keys.map((key) => {
    switch (ORIGINS[key.rank]) {
      case 'event':
        return eventEntry(key, event[0])
      case 'mailbox':
        return mailboxEntry(key, mailbox[0])
      case 'trail':
        return trailEntry(key, trails.get(key.pos))
      case 'ledger':
        return ledgerEntry(key, entries.get(key.pos))
      case 'trace':
        return traceEntry(key, calls.get(key.pos))
      case 'outbox':
        return outboxEntry(key, parts.get(key.pos))
      default:
        return grantEntry(key, grant[0])
    }
  })
}

async function trailWithNames(store: Store, ids: string): Promise<rows.TrailRow[]> {
  const found = await store.slow(rows.trailRows({ ids }))
  const read = found.map((row) => ({
    row,
    processor_id: row.processor_id,
    message: row.message,
    details: detailsOf(row),
  }))
  return (await withNames(store, read)).map(({ row, message }) => ({ ...row, message }))
}

function detailsOf({ details }: rows.TrailRow): Readonly<Record<string, unknown>> {
  const value = details === null ? null : jsonOf(details)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

const byPos = <R extends { readonly pos: number }>(list: readonly R[]): ReadonlyMap<number, R> =>
  new Map(list.map((row) => [row.pos, row]))

type Place = Pick<Key, 'at' | 'rank' | 'pos'>

const compare = (a: Place, b: Place): number => a.at - b.at || a.rank - b.rank || a.pos - b.pos

/** First and last entry of a page, in the order of time. */
function writeCursor(keys: readonly Key[]): string | null {
  const [first, last] = [keys[0], keys.at(-1)]
  if (first === undefined || last === undefined) return null
  return `t${first.at}.${first.rank}.${first.pos}-${last.at}.${last.rank}.${last.pos}`
}

function readCursor(cursor: string): { readonly first: Place; readonly last: Place } {
  const parts = CURSOR.exec(cursor)?.slice(1).map(Number)
  if (parts === undefined)
    throw new WireError(
      'invalid_cursor',
      'This is no cursor of a timeline. Pass next_cursor or prev_cursor of a page, or none.',
    )
  const [at = 0, rank = 0, pos = 0, lastAt = 0, lastRank = 0, lastPos = 0] = parts
  return { first: { at, rank, pos }, last: { at: lastAt, rank: lastRank, pos: lastPos } }
}
