/** Signatures seen inside their window, so that a captured request can't come in again under another idempotency key. */
import { WINDOW_S } from './signature.ts'

/** A timestamp may lie ahead by one window and stays valid for another. */
const KEEP_MS = 2 * WINDOW_S * 1000
/** Most signatures remembered; the oldest go first. */
const MAX_SEEN = 100_000
/**
 * Signatures count whole seconds, so a caller may say the same twice in one second and tell the two apart by their keys.
 * Such twins come close together; what comes later than this is a copy.
 */
const TWIN_MS = 10_000

/** Remembers the dedupe key that a signature came with first. In memory: after a restart the host's own keys still hold. */
export class SeenSignatures {
  readonly #seen = new Map<string, { readonly key: string; readonly at: number }>()

  /** The request's own key, or for a copy of an earlier request that one's. `now` in milliseconds. */
  keyOf(signature: string, own: string, now: number): string {
    for (const [oldest, { at }] of this.#seen) {
      if (now - at <= KEEP_MS && this.#seen.size < MAX_SEEN) break
      this.#seen.delete(oldest)
    }
    const known = this.#seen.get(signature)
    if (known === undefined) this.#seen.set(signature, { key: own, at: now })
    return known === undefined || now - known.at <= TWIN_MS ? own : known.key
  }
}
