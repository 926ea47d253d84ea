/** How the pages of a run's timeline become one list without a gap: read from the newest back, the newest merged in. */
import type { Output } from '../../data/client.ts'
import type { Entry } from './entries.ts'

export interface Timeline {
  /** Oldest first. */
  readonly entries: readonly Entry[]
  /** False: older entries are on their way. */
  readonly complete: boolean
  /** There are older entries that are not read: such a run is downloaded rather than looked through. */
  readonly truncated: boolean
}

/** Reads one page, newest first; `before` is the cursor of the page after it. Rejects with ApiError. */
export type ReadPage = (before: string | undefined) => Promise<Output<'runTimeline'>>

/** The newest pages, and whether older ones were left out. */
interface Newest {
  readonly entries: readonly Entry[]
  /** There are entries that are older than these. */
  readonly hasOlder: boolean
}

/**
 * Entries oldest first, of at most `mostPages` pages; `onPart` gets what is there so far, the newest part first. Rejects with
 * ApiError.
 */
export async function wholeTimeline(
  read: ReadPage,
  mostPages: number,
  onPart?: (part: Timeline) => void,
): Promise<Timeline> {
  const { entries, hasOlder } = await newestPages(read, mostPages, () => false, onPart)
  return { entries, complete: true, truncated: hasOlder }
}

/**
 * What is known, brought up to date: pages are read back until one has an entry that is known, so that nothing is missing
 * between. The same object when nothing changed. Rejects with ApiError.
 */
export async function caughtUp(
  read: ReadPage,
  known: Timeline,
  mostPages: number,
): Promise<(now: Timeline) => Timeline> {
  const ids = new Set(known.entries.map(({ id }) => id))
  let met = false
  const newest = await newestPages(read, mostPages, (items) => {
    met ||= items.some(({ id }) => ids.has(id))
    return met
  })
  // Where what is known was never met, it can't be joined: what was read stands for itself.
  return (now) =>
    met || !newest.hasOlder ? withNewest(now, newest) : { ...now, entries: newest.entries, truncated: true }
}

async function newestPages(
  read: ReadPage,
  mostPages: number,
  isEnough: (items: readonly Entry[]) => boolean,
  onPart?: (part: Timeline) => void,
): Promise<Newest> {
  let entries: readonly Entry[] = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const { items, has_more, next_cursor } = await read(cursor)
    entries = [...items.toReversed(), ...entries]
    if (!has_more || next_cursor === null) return { entries, hasOlder: false }
    if (isEnough(items)) break
    cursor = next_cursor
    onPart?.({ entries, complete: false, truncated: false })
  }
  return { entries, hasOlder: true }
}

/** The newest in the place of what was known of their time; all of it when there is no older one. */
function withNewest(known: Timeline, { entries: newest, hasOlder }: Newest): Timeline {
  const [first] = newest
  if (first === undefined) return known
  const ids = new Set(newest.map(({ id }) => id))
  const older = hasOlder ? known.entries.filter(({ id, at }) => at <= first.at && !ids.has(id)) : []
  const entries = [...older, ...newest]
  const truncated = known.truncated && hasOlder
  // The same as before stays the same: nothing is drawn anew while nothing happens.
  return truncated === known.truncated && sameAs(known.entries, entries) ? known : { ...known, entries, truncated }
}

function sameAs(a: readonly Entry[], b: readonly Entry[]): boolean {
  return (
    a.length === b.length &&
    a.every((entry, at) => {
      const other = b[at]
      return (
        other !== undefined &&
        entry.id === other.id &&
        entry.type === other.type &&
        entry.outcome === other.outcome &&
        entry.duration_ms === other.duration_ms &&
        entry.title === other.title
      )
    })
  )
}
