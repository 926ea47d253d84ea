/** A small bounded memory of look-ups, so that each request does not ask the table. */
import type { Clock } from '../clock.ts'

/** How long a found session or key is trusted without asking the table again. */
const CACHE_MS = 5_000
const CACHE_ENTRIES = 1_000

export class Cache<T> {
  #entries = new Map<string, { value: T; until: number }>()
  #generation = 0
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    return entry !== undefined && entry.until > this.#clock.now() ? entry.value : undefined
  }

  /** Taken before the table is read; `set` keeps nothing that was read before the last `clear`. */
  get generation(): number {
    return this.#generation
  }

  set(key: string, value: T, readAt: number): void {
    if (readAt !== this.#generation) return
    if (this.#entries.size >= CACHE_ENTRIES) this.#entries.clear()
    this.#entries.set(key, { value, until: this.#clock.now() + CACHE_MS })
  }

  /** After a commit that took something back: it must count at once, also for look-ups that are on their way. */
  clear(): void {
    this.#generation += 1
    this.#entries.clear()
  }
}
