/** The results of a run on their way to the host: numbered, in order, at most 256 waiting (entities.md §4.5). */
import type { JsonObject, RunnerResult } from '@runbound/protocol'
import { LIMITS } from '@runbound/protocol'
import { dataOf } from '../calls/wire.ts'

/** One run's results as a stream that its host reads. */
export class RunOutput implements AsyncIterableIterator<JsonObject> {
  readonly #onLeft: () => void
  #waiting: JsonObject[] = []
  #sequence = 0
  #closed = false
  #reader: ((step: IteratorResult<JsonObject>) => void) | undefined
  #writers: (() => void)[] = []

  /** `onLeft` is called when the host stops reading. */
  constructor(onLeft: () => void) {
    this.#onLeft = onLeft
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Adds a result; waits while too many are unread. After the end results are dropped: nobody may see them. */
  async push(result: RunnerResult): Promise<void> {
    while (!this.#closed && this.#waiting.length >= LIMITS.result_queue.value) {
      await new Promise<void>((resolve) => this.#writers.push(resolve))
    }
    this.#add(result)
  }

  /** Adds the terminal result, which always has room, and ends. Later results are dropped. */
  finish(result: RunnerResult): void {
    this.#add(result)
    this.#close()
  }

  /** Ends without a word: the host has cancelled and wants to hear nothing. */
  abandon(): void {
    this.#waiting = []
    this.#close()
  }

  next(): Promise<IteratorResult<JsonObject>> {
    const result = this.#waiting.shift()
    this.#writers.shift()?.()
    if (result !== undefined) return Promise.resolve({ done: false, value: result })
    if (this.#closed) return Promise.resolve({ done: true, value: undefined })
    return new Promise((resolve) => {
      this.#reader = resolve
    })
  }

  return(): Promise<IteratorResult<JsonObject>> {
    this.#onLeft()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #add(result: RunnerResult): void {
    if (this.#closed) return
    // What the author wrote into sequence does not count.
    const value = dataOf({ ...result, sequence: ++this.#sequence })
    const reader = this.#reader
    this.#reader = undefined
    if (reader === undefined) this.#waiting.push(value)
    else reader({ done: false, value })
  }

  #close(): void {
    this.#closed = true
    for (const go of this.#writers.splice(0)) go()
    this.#reader?.({ done: true, value: undefined })
    this.#reader = undefined
  }
}
