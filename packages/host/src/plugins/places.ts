/** Places for runs at one plugin: a plugin works on 128 requests at once and refuses the next one (wire.md §1.11). */

/** Runs at once at one plugin. The rest of its 128 requests are for what is asked of it beside its runs. */
export const RUNS_AT_ONCE = 96

export class Places {
  #free: number
  #closed = false
  #waiting: ((mine: boolean) => void)[] = []

  constructor(places = RUNS_AT_ONCE) {
    this.#free = places
  }

  get closed(): boolean {
    return this.#closed
  }

  /** A free place, first come, first served; calling what it resolves with gives it back, once. Null: closed. */
  async take(): Promise<(() => void) | null> {
    if (this.#closed) return null
    if (this.#free > 0) this.#free--
    else if (!(await new Promise<boolean>((resolve) => this.#waiting.push(resolve)))) return null
    let held = true
    return () => {
      if (!held) return
      held = false
      // Handed on directly, so that nobody who comes just now slips in before those who wait.
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next(true)
    }
  }

  /** Gives no more places; those who wait learn it. */
  close(): void {
    this.#closed = true
    for (const refuse of this.#waiting.splice(0)) refuse(false)
  }
}
