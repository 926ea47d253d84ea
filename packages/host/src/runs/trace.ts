/** The trace of one run: what the host saw it do. Batched and capped; a crash may lose its tail. */
import type { TraceEntry } from '../gateway/types.ts'

/** Refusals for want of a right: what an operator can change. */
const RIGHTS = new Set<string | null>(['permission_denied', 'target_denied', 'actor_denied'])

/** Entries kept of one run, and how many are gathered before they are written. */
const KEPT = 1_000
const BATCH = 64

export class TraceBuffer {
  #entries: TraceEntry[] = []
  #seen = 0
  #lastAt = 0
  #denied: TraceEntry | null = null

  /** The first call that was refused for want of a right: why a run may have done nothing. */
  get firstDenied(): TraceEntry | null {
    return this.#denied
  }

  /** True when a batch is full and wants to be written. */
  add(entry: TraceEntry): boolean {
    this.#seen += 1
    this.#lastAt = Math.max(this.#lastAt, entry.at)
    if (RIGHTS.has(entry.reason)) this.#denied ??= entry
    if (this.#seen <= KEPT) this.#entries.push(entry)
    return this.#entries.length >= BATCH
  }

  /** What waits, as JSON; null when nothing does. The last batch of a capped trace says how much is missing. */
  take(end: boolean): string | null {
    const entries = this.#entries
    this.#entries = []
    const missing = this.#seen - KEPT
    if (end && missing > 0) {
      entries.push({
        // Of the last call, kept or not: the batch may be empty, because all that is kept was written before.
        at: this.#lastAt,
        method: '(trace)',
        target: null,
        outcome: 'ok',
        reason: missing === 1 ? '1 more call is not kept' : `${missing} more calls are not kept`,
        micros: 0,
      })
    }
    return entries.length === 0 ? null : JSON.stringify(entries)
  }
}
