/** One timer for all deadlines of a peer: armed for the earliest, it sweeps what is due. Calls cost a comparison. */

/** Something that ends at `due` (performance.now() milliseconds; Infinity: never). */
export interface Timed {
  readonly due: number
  expire(): void
}

/** Longest delay that a timer takes (2^31 - 1 ms); a later deadline is armed again on the way. */
const LONGEST = 2_147_483_647

/** Timers may fire up to a millisecond early against performance.now(). */
const EARLY = 1

/** Watches the deadlines of a changing set of things. */
export class Deadlines {
  readonly #items: () => Iterable<Timed>
  #timer: ReturnType<typeof setTimeout> | undefined
  #armedFor = Number.POSITIVE_INFINITY

  constructor(items: () => Iterable<Timed>) {
    this.#items = items
  }

  /** Says that something of the set is due at `due`. */
  watch(due: number): void {
    if (due < this.#armedFor) this.#arm(due)
  }

  /** Stops the timer for good. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#armedFor = Number.NEGATIVE_INFINITY
  }

  #arm(due: number): void {
    clearTimeout(this.#timer)
    this.#armedFor = due
    const delay = Math.min(Math.max(due - performance.now(), 0), LONGEST)
    this.#timer = setTimeout(() => this.#sweep(), Math.ceil(delay))
  }

  #sweep(): void {
    this.#armedFor = Number.POSITIVE_INFINITY
    const now = performance.now() + EARLY
    const over: Timed[] = []
    let next = Number.POSITIVE_INFINITY
    for (const item of this.#items()) {
      if (item.due <= now) over.push(item)
      else if (item.due < next) next = item.due
    }
    for (const item of over) item.expire()
    this.watch(next)
  }
}
