/**
 * How often somebody may try a password: counted for each address and for each account, before anything is hashed. In memory:
 * a restart forgives, and nobody can fill the database by guessing.
 */
import type { Clock } from '../clock.ts'

const WINDOW_MS = 15 * 60_000
const PER_ADDRESS = 10
/** More than for one address: a stranger who guesses should not lock the owner out at once. The link always works. */
const PER_ACCOUNT = 30
/** Counts of each kind that are kept. */
const KEPT = 10_000

interface Count {
  tries: number
  readonly until: number
}

export class Attempts {
  readonly #clock: Clock
  // Apart: names, of which anybody can make up any number, take no room from addresses.
  readonly #addresses = new Counts(PER_ADDRESS)
  readonly #accounts = new Counts(PER_ACCOUNT)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Takes one try; the milliseconds to wait instead when there is none left. A refusal leaves no trace. */
  take(address: string, account: string): number | null {
    const now = this.#clock.now()
    const [from, name] = [network(address), account.toLowerCase()]
    const wait = this.#addresses.wait(from, now) ?? this.#accounts.wait(name, now)
    if (wait !== null) return wait
    this.#addresses.add(from, now)
    this.#accounts.add(name, now)
    return null
  }

  /** The try came to no check of the password: it does not count. */
  giveBack(address: string, account: string): void {
    this.#addresses.subtract(network(address))
    this.#accounts.subtract(account.toLowerCase())
  }

  /** The password was right: the tries before it are forgiven. */
  forgive(address: string, account: string): void {
    this.#addresses.delete(network(address))
    this.#accounts.delete(account.toLowerCase())
  }
}

/** Counts of one kind. What is dropped for room is never a full count that still holds. */
class Counts {
  readonly #most: number
  readonly #counts = new Map<string, Count>()

  constructor(most: number) {
    this.#most = most
  }

  /** How long until `key` has a try again; null: it has one now. Changes no count. */
  wait(key: string, now: number): number | null {
    const known = this.#counts.get(key)
    if (known !== undefined && known.until > now) return known.tries >= this.#most ? known.until - now : null
    return this.#makeRoom(now)
  }

  add(key: string, now: number): void {
    const known = this.#counts.get(key)
    if (known !== undefined && known.until > now) known.tries += 1
    else this.#counts.set(key, { tries: 1, until: now + WINDOW_MS })
  }

  subtract(key: string): void {
    const known = this.#counts.get(key)
    if (known !== undefined) known.tries -= 1
  }

  delete(key: string): void {
    this.#counts.delete(key)
  }

  /** Room for one more; how long until there is some when every count is full. */
  #makeRoom(now: number): number | null {
    if (this.#counts.size < KEPT) return null
    let fewest: readonly [string, Count] | undefined
    let soonest = Number.POSITIVE_INFINITY
    for (const entry of this.#counts) {
      const [key, count] = entry
      if (count.until <= now) {
        this.#counts.delete(key)
        return null
      }
      soonest = Math.min(soonest, count.until)
      // The fewest tries, and among them the oldest: many single tries do not push out a guess that goes on.
      if (count.tries < this.#most && count.tries < (fewest?.[1].tries ?? this.#most)) fewest = entry
    }
    if (fewest === undefined) return soonest - now
    this.#counts.delete(fewest[0])
    return null
  }
}

/** Whoever has one IPv6 address has the 2^64 beside it. */
function network(address: string): string {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (v4 !== undefined) return v4
  return address.includes(':') ? address.split(':').slice(0, 4).join(':') : address
}
