/** A bounded memory of what has ended, so that a late caller hears "ended" and not "never existed". */
import type { CloseWhy } from './types.ts'

export interface EndedRun {
  readonly installation_uuid: string
  readonly why: CloseWhy
}

const KEPT = 10_000

/** Keeps the newest ended runs; the oldest are forgotten first and then count as unknown. */
export class EndedRuns {
  readonly #runs = new Map<string, EndedRun>()
  readonly #kept: number

  constructor(kept = KEPT) {
    this.#kept = kept
  }

  add(runId: string, run: EndedRun): void {
    this.#runs.set(runId, run)
    if (this.#runs.size <= this.#kept) return
    // A Map iterates in order of insertion: its first key is the oldest.
    for (const oldest of this.#runs.keys()) {
      this.#runs.delete(oldest)
      return
    }
  }

  get(runId: string): EndedRun | undefined {
    return this.#runs.get(runId)
  }
}
