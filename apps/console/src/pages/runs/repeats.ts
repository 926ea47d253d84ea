/** The same call again and again, as a streamed answer makes it, is one row; opened, each of them is there. */
import { type Entry, isProblem } from './entries.ts'

/** A row of the timeline: an entry, or several of the same that stand for each other. */
export interface TimelineRow {
  /** The first of them: its place, and the address that opens them. */
  readonly entry: Entry
  /** 1: the entry alone. */
  readonly count: number
  /** All of them together in ms; null where none is known. */
  readonly took: number | null
}

/** Two of the same are still read at a glance. */
const FEWEST = 3

/**
 * Rows of these entries, in their order. Folded are only calls that follow each other, do the same and went well; the group
 * that has the entry `openId` stays open, so that every address leads to its own row.
 */
export function rowsOf(entries: readonly Entry[], openId: string | undefined): readonly TimelineRow[] {
  const rows: TimelineRow[] = []
  for (let at = 0; at < entries.length; ) {
    const first = entries[at]
    if (first === undefined) break
    const group = sameFrom(first, entries, at)
    if (group.length < FEWEST || group.some(({ id }) => id === openId)) rows.push(...group.map(alone))
    else rows.push(together(first, group))
    at += group.length
  }
  return rows
}

/** The id of the row that has the entry while nothing is open; the entry's own where it is not among them. */
export function rowHolding(entries: readonly Entry[], id: string): string {
  const place = entries.findIndex((entry) => entry.id === id)
  let until = 0
  for (const { entry, count } of rowsOf(entries, undefined)) {
    until += count
    if (place >= 0 && place < until) return entry.id
  }
  return id
}

/** What they have in common: "reply_stream" of "reply_stream 7f3c". */
export function repeatedName({ title }: Entry): string {
  return title.split(' ', 1)[0] ?? title
}

function sameFrom(first: Entry, entries: readonly Entry[], at: number): readonly Entry[] {
  let end = at + 1
  if (repeats(first)) while (isSame(first, entries[end])) end += 1
  return entries.slice(at, end)
}

/** One that is refused, under way or only told by the plugin stands for itself. */
function repeats(entry: Entry): boolean {
  return entry.origin === 'trace' && entry.outcome === 'ok' && !entry.claimed && !isProblem(entry)
}

function isSame(first: Entry, other: Entry | undefined): boolean {
  return (
    other !== undefined &&
    repeats(other) &&
    other.lane === first.lane &&
    other.type === first.type &&
    other.title === first.title &&
    other.target === first.target
  )
}

function alone(entry: Entry): TimelineRow {
  return { entry, count: 1, took: entry.duration_ms }
}

function together(entry: Entry, group: readonly Entry[]): TimelineRow {
  const known = group.flatMap(({ duration_ms }) => (duration_ms === null ? [] : [duration_ms]))
  return { entry, count: group.length, took: known.length === 0 ? null : known.reduce((sum, ms) => sum + ms, 0) }
}
