/** Secrets that the host has met (settings of bots, processors and plugins): their values are hidden wherever they turn up. */

import type { Secrets } from '../sealed-values.ts'

/** Shorter ones are no secrets worth the name, and would hide ordinary words. */
const SHORTEST = 6
/** Secrets that are remembered; of more, the oldest are forgotten. */
const KEPT = 1_000
const HIDDEN = '[hidden]'

export class KnownSecrets {
  readonly #values = new Set<string>()
  #pattern: RegExp | null = null

  add(secret: string): void {
    if (secret.length < SHORTEST || this.#values.has(secret)) return
    this.#values.add(secret)
    if (this.#values.size > KEPT) for (const oldest of this.#values.values().take(1)) this.#values.delete(oldest)
    this.#pattern = null
  }

  /** The text without known secrets, also where they stand encoded in a URL or in JSON. */
  hide(text: string): string {
    if (this.#values.size === 0) return text
    this.#pattern ??= new RegExp([...this.#values].flatMap(spellings).toSorted(byLength).map(literal).join('|'), 'g')
    return text.replace(this.#pattern, HIDDEN)
  }
}

function spellings(secret: string): readonly string[] {
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])]
}

/** As a pattern that means itself. */
const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** The longest first: a secret that begins with another one is hidden whole. */
const byLength = (one: string, other: string): number => other.length - one.length

/** The same seals, whose secrets become known as they pass: before they are stored, and when they are read. */
export function learnsSecrets<T extends Secrets>(secrets: T, known: { add(secret: string): void }): T {
  return {
    ...secrets,
    seal(text, place) {
      known.add(text)
      return secrets.seal(text, place)
    },
    open(sealed, place) {
      const text = secrets.open(sealed, place)
      known.add(text)
      return text
    },
  }
}
