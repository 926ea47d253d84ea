/** The consuming end of a stream (wire.md §1.8): order, acknowledgements, limits, silence, leaving early. */
import type { JsonObject } from '@runbound/protocol'
import { LinkError, overLimit, RemoteError } from './errors.ts'
import type { CallOptions, LinkLimits } from './types.ts'

/** Frames after which the producer is told that we are done with them. */
const ACK_EVERY = 4

/** What a stream needs from the calls of its peer. */
export interface StreamOwner {
  readonly limits: LinkLimits
  /** Sends the request; returns its number. Throws LinkError. */
  open(stream: IncomingStream, action: string, data: JsonObject): number
  forget(seqId: number): void
  control(action: '__stream_ack' | '__cancel_action', data: { readonly seq_id: number; readonly index?: number }): void
  watch(due: number): void
}

interface Waiter {
  resolve(result: IteratorResult<JsonObject, undefined>): void
  reject(error: unknown): void
}

const DONE: IteratorReturnResult<undefined> = Object.freeze({ done: true, value: undefined })

/** One stream that we asked for; the request is sent by the first `next()`. Can be read once. */
export class IncomingStream implements AsyncIterableIterator<JsonObject, undefined> {
  /** When this stream is over without an end: the total deadline, or the end of the allowed silence. */
  due = Number.POSITIVE_INFINITY
  readonly #owner: StreamOwner
  readonly #action: string
  readonly #data: JsonObject
  readonly #totalMs: number
  readonly #idleMs: number
  readonly #signal: AbortSignal | undefined
  #totalDue = Number.POSITIVE_INFINITY
  #state: 'new' | 'open' | 'over' = 'new'
  #seqId = -1
  #error: { readonly cause: unknown } | null = null
  #queue: { readonly item: JsonObject; readonly bytes: number }[] = []
  #queuedBytes = 0
  #waiters: Waiter[] = []
  #numbered: boolean | null = null
  #received = 0
  #delivered = 0
  #acked = 0

  constructor(owner: StreamOwner, action: string, data: JsonObject, totalMs: number, options: CallOptions) {
    this.#owner = owner
    this.#action = action
    this.#data = data
    this.#totalMs = totalMs
    this.#idleMs = options.idleMs ?? Number.POSITIVE_INFINITY
    this.#signal = options.signal
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return()
  }

  next(): Promise<IteratorResult<JsonObject, undefined>> {
    if (this.#state === 'new') this.#open()
    // Asking for the next frame is the proof that the last one is processed.
    else if (this.#state === 'open') this.#acknowledge()
    const first = this.#queue.shift()
    if (first !== undefined) {
      this.#queuedBytes -= first.bytes
      this.#delivered++
      return Promise.resolve({ done: false, value: first.item })
    }
    if (this.#error !== null) {
      const { cause } = this.#error
      this.#error = null
      return Promise.reject(cause)
    }
    if (this.#state === 'over') return Promise.resolve(DONE)
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject })
      this.#listen()
    })
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    if (this.#state === 'open') this.#cancel()
    this.#finish(null, true)
    return Promise.resolve(DONE)
  }

  /** A valid answer to our request: a frame, the end, or an error. Called by the calls. */
  answer(envelope: JsonObject, data: JsonObject, bytes: number): void {
    if (envelope.code !== 0) {
      this.#finish(new RemoteError(this.#action, String(envelope.message), data), false)
    } else if (envelope.chunk_status === 'end') {
      this.#finish(null, false)
    } else {
      const defect = this.#frameDefect(envelope, bytes)
      if (defect === null) this.#take(data, bytes)
      else this.#abandon(defect)
    }
  }

  /** The connection is gone, or an answer could not be read. What was received can still be read. */
  fail(error: unknown): void {
    this.#finish(error, false)
  }

  expire(): void {
    const total = this.#totalDue <= this.due
    const what = total ? `did not end within ${this.#totalMs} ms` : `was silent for ${this.#idleMs} ms`
    this.#abandon(new LinkError('timeout', `The stream ${this.#action} ${what}.`))
  }

  #open(): void {
    if (this.#signal?.aborted) {
      this.#finish(this.#signal.reason, true)
      return
    }
    this.#state = 'open'
    try {
      this.#seqId = this.#owner.open(this, this.#action, this.#data)
    } catch (error) {
      this.#finish(error, true)
      return
    }
    this.#signal?.addEventListener('abort', this.#onAbort, { once: true })
    this.#totalDue = performance.now() + this.#totalMs
    this.due = this.#totalDue
    this.#owner.watch(this.due)
  }

  readonly #onAbort = (): void => this.#abandon(this.#signal?.reason)

  /** Silence counts only while we wait: a slow consumer of ours holds the producer up by flow control. */
  #listen(): void {
    if (this.#idleMs === Number.POSITIVE_INFINITY) return
    this.due = Math.min(this.#totalDue, performance.now() + this.#idleMs)
    this.#owner.watch(this.due)
  }

  #frameDefect(envelope: JsonObject, bytes: number): LinkError | null {
    const index = envelope.stream_index ?? null
    this.#numbered ??= index !== null
    const expected = this.#numbered ? this.#received + 1 : null
    if (index !== expected) {
      const met = typeof index === 'number' ? String(index) : index === null ? 'none' : 'no number'
      const text = `The stream ${this.#action} is out of order: stream_index ${expected ?? 'none'} expected, ${met} received.`
      return new LinkError('protocol', text)
    }
    const { frameBytes, streamFrames, streamBytes } = this.#owner.limits
    if (bytes > frameBytes) return overLimit('frameBytes', frameBytes, `a frame of ${this.#action} has ${bytes} bytes`)
    if (this.#waiters.length > 0) return null
    if (this.#queue.length >= streamFrames) return tooSlow('streamFrames', streamFrames, this.#action)
    if (this.#queuedBytes + bytes > streamBytes) return tooSlow('streamBytes', streamBytes, this.#action)
    return null
  }

  #take(item: JsonObject, bytes: number): void {
    this.#received++
    const waiter = this.#waiters.shift()
    if (waiter === undefined) {
      this.#queue.push({ item, bytes })
      this.#queuedBytes += bytes
      return
    }
    this.#delivered++
    if (this.#waiters.length === 0) this.due = this.#totalDue
    else this.#listen()
    waiter.resolve({ done: false, value: item })
  }

  #acknowledge(): void {
    const index = this.#delivered
    if (this.#numbered !== true || index % ACK_EVERY !== 0 || index === this.#acked) return
    this.#acked = index
    this.#owner.control('__stream_ack', { seq_id: this.#seqId, index })
  }

  /** Ends at once, whatever still waits in the queue, and tells the producer. */
  #abandon(error: unknown): void {
    if (this.#state === 'open') this.#cancel()
    this.#finish(error, true)
  }

  #cancel(): void {
    this.#owner.control('__cancel_action', { seq_id: this.#seqId })
  }

  #finish(error: unknown, dropQueue: boolean): void {
    if (dropQueue) {
      this.#queue = []
      this.#queuedBytes = 0
    }
    if (this.#state === 'over') return
    if (this.#state === 'open') this.#owner.forget(this.#seqId)
    this.#state = 'over'
    this.#signal?.removeEventListener('abort', this.#onAbort)
    const waiters = this.#waiters
    this.#waiters = []
    const first = error === null ? undefined : waiters.shift()
    if (error !== null && first === undefined) this.#error = { cause: error }
    first?.reject(error)
    for (const waiter of waiters) waiter.resolve(DONE)
  }
}

function tooSlow(limit: 'streamFrames' | 'streamBytes', allowed: number, action: string): LinkError {
  const text = `Limit ${limit} (${allowed}) exceeded: the consumer of ${action} is too slow.`
  return new LinkError('slow_consumer', text, { limit })
}
