/** A small bounded memory of look-ups, so that each request does not ask the table. */
import type { Clock } from '../clock.ts'

/** How long a found session or key is trusted without asking the table again. */
const CACHE_MS = 5_000
const CACHE_ENTRIES = 1_000

export class Cache<T> {
  #entries = new Map<string, { value: T; until: number }>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    return entry !== undefined && entry.until > this.#clock.now() ? entry.value : undefined
  }

  set(key: string, value: T): void {
    if (this.#entries.size >= CACHE_ENTRIES) this.#entries.clear()
    this.#entries.set(key, { value, until: this.#clock.now() + CACHE_MS })
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  /** What was revoked must count at once. */
  clear(): void {
    this.#entries.clear()
  }
}
