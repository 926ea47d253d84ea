/** Everything of a run in the order of time, a page at a time. What is shown is what is stored. */
import { WireError } from '@runbound/protocol'
import type { Store } from '@runbound/store'
import { withNames } from '../../trail/named.ts'
import { eventEntry, grantEntry, jsonOf, mailboxEntry, traceEntry, trailEntry } from './entries.ts'
import { type Bounds, type Key, ORIGINS } from './keys.ts'
import { laneOf } from './lanes.ts'
import { ledgerEntry } from './ledger-entry.ts'
import { outboxEntry } from './outbox-entry.ts'
import * as rows from './rows.ts'
import type { TimelineEntry, TimelinePage, TimelineRequest } from './types.ts'
import { EVERYTHING, keysOfPage, type Places } from './window.ts'

export const PAGE_MAX = 500
const CURSOR = /^t([0-9a-z.]{1,100})-([0-9a-z.]{1,100})$/

/**
 * One page. Both of its cursors stand for the page: `before_cursor` asks for what is older than it, `after_cursor` for what
 * is newer. WireError `invalid_cursor`.
 */
export async function pageOfTimeline(store: Store, request: TimelineRequest): Promise<TimelinePage> {
  const { run_id, lanes } = request
  const limit = Math.min(Math.max(Math.trunc(request.limit) || 1, 1), PAGE_MAX)
  const wanted = lanes === null ? null : new Set(lanes)
  const forward = request.direction === 'forward'
  const { keys, places, has_more } = await keysOfPage(
    store,
    { run_id, forward, bounds: boundsOf(request), limit },
    (key) => wanted === null || wanted.has(laneOf(key)),
  )
  const cursor = keys.length === 0 ? null : writeCursor(places)
  const items = await entriesOf(store, run_id, keys)
  return {
    items,
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

function boundsOf({ before_cursor, after_cursor }: TimelineRequest): Bounds {
  return {
    above: after_cursor === null ? EVERYTHING.above : readCursor(after_cursor).high,
    below: before_cursor === null ? EVERYTHING.below : readCursor(before_cursor).low,
  }
}

/** Positions begin at -1 in a table without entries; a cursor has no sign. */
const writeCursor = ({ low, high }: Places): string => `t${written(low)}-${written(high)}`
const written = (positions: readonly number[]): string => positions.map((pos) => (pos + 1).toString(36)).join('.')

function readCursor(cursor: string): Places {
  const parts = CURSOR.exec(cursor)
  const [low, high] = [parts?.[1], parts?.[2]].map((text) =>
    (text ?? '').split('.').map((pos) => Number.parseInt(pos, 36) - 1),
  )
  const valid = (positions: readonly number[] | undefined): positions is readonly number[] =>
    positions?.length === ORIGINS.length && positions.every(Number.isSafeInteger)
  if (valid(low) && valid(high)) return { low, high }
  throw new WireError(
    'invalid_cursor',
    'This is no cursor of a timeline. Pass next_cursor or prev_cursor of a page, or none.',
  )
}
