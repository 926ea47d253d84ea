/**
 * How often somebody may try a password: counted for each address and for each account, before anything is hashed. In memory:
 * a restart forgives, and nobody can fill the database by guessing.
 */
import type { Clock } from '../clock.ts'

const WINDOW_MS = 15 * 60_000
const PER_ADDRESS = 10
/** More than for one address: a stranger who guesses should not lock the owner out at once. The link always works. */
const PER_ACCOUNT = 30
const KEPT = 10_000

interface Count {
  tries: number
  readonly until: number
}

export class Attempts {
  readonly #clock: Clock
  readonly #counts = new Map<string, Count>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Takes one try; the milliseconds to wait instead when there is none left. */
  take(address: string, account: string): number | null {
    const now = this.#clock.now()
    const counts = [
      { count: this.#count(`address ${network(address)}`, now), most: PER_ADDRESS },
      { count: this.#count(`account ${account.toLowerCase()}`, now), most: PER_ACCOUNT },
    ]
    const full = counts.filter(({ count, most }) => count.tries >= most)
    if (full.length > 0) return Math.max(...full.map(({ count }) => count.until - now))
    for (const { count } of counts) count.tries += 1
    return null
  }

  /** The password was right: the tries before it are forgiven. */
  forgive(address: string, account: string): void {
    this.#counts.delete(`address ${network(address)}`)
    this.#counts.delete(`account ${account.toLowerCase()}`)
  }

  #count(key: string, now: number): Count {
    const known = this.#counts.get(key)
    if (known !== undefined && known.until > now) return known
    // The oldest goes first: a Map keeps the order of insertion.
    if (this.#counts.size >= KEPT) this.#counts.delete(this.#counts.keys().next().value ?? '')
    const count = { tries: 0, until: now + WINDOW_MS }
    this.#counts.delete(key)
    this.#counts.set(key, count)
    return count
  }
}

/** Whoever has one IPv6 address has the 2^64 beside it. */
function network(address: string): string {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (v4 !== undefined) return v4
  return address.includes(':') ? address.split(':').slice(0, 4).join(':') : address
}
