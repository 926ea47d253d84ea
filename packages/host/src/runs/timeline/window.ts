/** Takes the keys of one page: the tables of a run are merged by time, each in its own order, as far as the page goes. */
import type { Store } from '@runbound/store'
import { type Bounds, type Key, keysBackward, keysForward, ORIGINS } from './keys.ts'

/** Keys that are looked at in one read where lanes leave most of them out. */
const LOOK = 500
const ABOVE_NONE = -1
const BELOW_ALL = Number.MAX_SAFE_INTEGER

export const EVERYTHING: Bounds = { above: ORIGINS.map(() => ABOVE_NONE), below: ORIGINS.map(() => BELOW_ALL) }

/** First and last position of a page in each table, both included; a table without an entry in it has `high` = `low` - 1. */
export interface Places {
  readonly low: readonly number[]
  readonly high: readonly number[]
}

/**
 * At most `limit` wanted keys in the way that is asked, and whether there are more. Order of time holds between tables; within
 * one its own order counts, so that a clock that was set back neither repeats nor hides an entry.
 */
export async function keysOfPage(
  store: Store,
  request: { readonly run_id: string; readonly forward: boolean; readonly bounds: Bounds; readonly limit: number },
  wanted: (key: Key) => boolean,
): Promise<{ readonly keys: readonly Key[]; readonly places: Places; readonly has_more: boolean }> {
  const { run_id, forward, bounds, limit } = request
  const above = [...bounds.above]
  const below = [...bounds.below]
  /** Where a page from the newest end begins: just above what stands there. */
  const top = [...bounds.below]
  const keys: Key[] = []
  const done = (has_more: boolean) => ({ keys, places: placesOf(forward, bounds, { above, below }, top), has_more })
  for (let first = true; ; first = false) {
    const look = limit + 1 > LOOK || first ? limit + 1 : LOOK
    const slots = { run_id, above: JSON.stringify(above), below: JSON.stringify(below), limit: look }
    const rows = await store.slow(forward ? keysForward(slots) : keysBackward(slots))
    const tables = ORIGINS.map((_origin, rank) => rows.filter((row) => row.rank === rank))
    if (first && !forward) raiseTop(top, tables)
    // Of each table at most `look` are known: only so many merged ones are certainly the next.
    const certain = merged(tables, forward).slice(0, look)
    for (const key of certain) {
      const fits = wanted(key)
      if (fits && keys.length === limit) return done(true)
      if (fits) keys.push(key)
      if (forward) above[key.rank] = key.pos
      else below[key.rank] = key.pos
    }
    if (certain.length < look) return done(false)
  }
}

function raiseTop(top: number[], tables: readonly (readonly Key[])[]): void {
  for (const [rank, [newest]] of tables.entries()) {
    if (top[rank] === BELOW_ALL) top[rank] = (newest?.pos ?? ABOVE_NONE) + 1
  }
}

function placesOf(forward: boolean, from: Bounds, reached: Bounds, top: readonly number[]): Places {
  if (forward) return { low: from.above.map((pos) => pos + 1), high: reached.above }
  return {
    low: reached.below.map((pos, rank) => Math.min(pos, top[rank] ?? pos)),
    high: top.map((pos) => pos - 1),
  }
}

/** Each table keeps its order; of their next keys the one goes first that time, and then the order of tables, names. */
function merged(tables: readonly (readonly Key[])[], forward: boolean): Key[] {
  const next = tables.map(() => 0)
  const out: Key[] = []
  for (;;) {
    let best: Key | undefined
    for (const [rank, table] of tables.entries()) {
      const key = table[next[rank] ?? 0]
      if (key === undefined) continue
      const sooner = best === undefined ? -1 : key.at - best.at || key.rank - best.rank
      if (best === undefined || (forward ? sooner < 0 : sooner > 0)) best = key
    }
    if (best === undefined) return out
    next[best.rank] = (next[best.rank] ?? 0) + 1
    out.push(best)
  }
}
