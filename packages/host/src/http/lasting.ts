/**
 * Connections that last longer than a request (live readers, web chats) are asked again whether their caller may still be
 * here: at once when a session or key has been ended, and every few seconds for those whose time is over.
 */
import type { Identity } from '../identity/types.ts'

/** How long a connection may outlive the time of its session or key, in milliseconds. */
const RECHECK_MS = 5_000

interface Connection {
  readonly admitted: () => Promise<boolean>
  readonly end: () => void
}

export class LastingConnections {
  readonly #open = new Set<Connection>()
  readonly #stop: () => void

  constructor(identity: Pick<Identity, 'onEnded'>) {
    const off = identity.onEnded(() => this.#recheck())
    const timer = setInterval(() => this.#recheck(), RECHECK_MS).unref()
    this.#stop = () => {
      off()
      clearInterval(timer)
    }
  }

  /** Watches one connection until what it returns is called; `end` is called when the caller is not admitted any more. */
  add(admitted: () => Promise<boolean>, end: () => void): () => void {
    const connection = { admitted, end }
    this.#open.add(connection)
    return () => this.#open.delete(connection)
  }

  stop(): void {
    this.#stop()
    this.#open.clear()
  }

  #recheck(): void {
    // Who can't be asked about is not let in either.
    for (const { admitted, end } of this.#open) void admitted().then((still) => (still ? undefined : end()), end)
  }
}
