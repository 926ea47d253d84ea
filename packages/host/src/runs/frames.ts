/** Reads the stream of a run so that it can be left at any moment, also while the plugin is silent. */
import type { JsonObject } from '@runbound/protocol'

export class Frames {
  readonly #iterator: AsyncIterator<JsonObject>
  readonly #signal: AbortSignal
  #interrupt: (() => void) | null = null

  constructor(frames: AsyncIterable<JsonObject>, signal: AbortSignal) {
    this.#iterator = frames[Symbol.asyncIterator]()
    this.#signal = signal
    // One listener for the whole stream: a race per frame would pile up reactions on the signal.
    signal.addEventListener('abort', () => this.#interrupt?.(), { once: true })
  }

  /** The next frame, or undefined at the end. Rejects with the signal's reason as soon as it aborts. */
  next(): Promise<JsonObject | undefined> {
    return new Promise((resolve, reject) => {
      const interrupted = () => reject(this.#signal.reason)
      if (this.#signal.aborted) {
        interrupted()
        return
      }
      this.#interrupt = interrupted
      this.#iterator.next().then(({ done, value }) => resolve(done === true ? undefined : value), reject)
    })
  }

  /** Tells the stream that nobody reads on. Does not wait: a plugin that hangs must not hold its run. */
  leave(): void {
    this.#iterator.return?.().then(undefined, () => undefined)
  }
}
