/** Our requests that wait for an answer: numbers, deadlines, aborting, streams, and what is done with answers. */
import type { Json, JsonObject } from '@runbound/protocol'
import { Deadlines, type Timed } from './deadlines.ts'
import { answerDefect, requestText } from './envelope.ts'
import { isObject, LinkError, RemoteError } from './errors.ts'
import { IncomingStream, type StreamOwner } from './incoming-stream.ts'
import type { CallOptions, LinkFault, LinkLimits, Transport } from './types.ts'

/** How long the answer to a cancel or an acknowledgement is remembered, in milliseconds. */
const CONTROL_MS = 5000

/** The first number of a connection is random below this, as other peers choose it. */
const FIRST_BELOW = 100_000

/** How many cancelled requests are remembered, so that their last frames are no surprise. */
const ABANDONED = 256

interface Pending extends Timed {
  answer(envelope: JsonObject, data: JsonObject, bytes: number): void
  fail(error: unknown): void
}

/** The asking half of a peer. */
export class Calls implements StreamOwner {
  readonly limits: LinkLimits
  readonly #transport: Transport
  readonly #defaultMs: number
  readonly #fault: (fault: LinkFault) => void
  readonly #pending = new Map<number, Pending>()
  readonly #deadlines = new Deadlines(() => this.#pending.values())
  readonly #first = Math.floor(Math.random() * FIRST_BELOW)
  #next = this.#first
  /** The last requests that we cancelled; the oldest first. */
  readonly #abandoned = new Set<number>()
  #gone: LinkError | null = null

  constructor(transport: Transport, limits: LinkLimits, defaultMs: number, fault: (fault: LinkFault) => void) {
    this.#transport = transport
    this.limits = limits
    this.#defaultMs = defaultMs
    this.#fault = fault
  }

  get size(): number {
    return this.#pending.size
  }

  call(action: string, data: JsonObject, options: CallOptions = {}): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      const { signal } = options
      if (signal?.aborted) {
        reject(signal.reason)
        return
      }
      const ms = this.#totalMs(options)
      const seqId = this.#next++
      const text = requestText(seqId, action, data, false)
      const call = new Call(this, seqId, action, ms, signal, resolve, reject)
      try {
        this.#post(seqId, call, text)
        this.#deadlines.watch(call.due)
      } catch (error) {
        call.fail(error)
      }
    })
  }

  stream(action: string, data: JsonObject, options: CallOptions = {}): IncomingStream {
    return new IncomingStream(this, action, data, this.#totalMs(options), options)
  }

  /** An answer came in. */
  receive(envelope: JsonObject, bytes: number): void {
    const pending = this.#find(envelope.seq_id)
    if (pending === undefined) {
      this.#stray(envelope.seq_id)
      return
    }
    const defect = answerDefect(envelope)
    if (defect === null && isObject(envelope.data)) {
      pending.answer(envelope, envelope.data, bytes)
      return
    }
    this.#fault({ kind: 'invalid_answer', detail: `An answer is invalid: ${defect}.` })
    pending.fail(new LinkError('protocol', `The answer is invalid: ${defect}.`))
  }

  /** The answer to one request came, but could not be read: its caller must not wait for a better one. */
  failOne(seqId: number, error: LinkError): void {
    this.#pending.get(seqId)?.fail(error)
  }

  /** The connection is gone: everything that waits fails now. */
  closeAll(error: LinkError): void {
    this.#gone = error
    this.#deadlines.stop()
    for (const pending of [...this.#pending.values()]) pending.fail(error)
    this.#pending.clear()
  }

  open(stream: IncomingStream, action: string, data: JsonObject): number {
    const seqId = this.#next++
    this.#post(seqId, stream, requestText(seqId, action, data, true))
    return seqId
  }

  forget(seqId: number): void {
    this.#pending.delete(seqId)
  }

  watch(due: number): void {
    this.#deadlines.watch(due)
  }

  /** Sends a cancel or an acknowledgement; its answer matters to nobody, a refusal is a fault for the log. */
  control(
    action: '__stream_ack' | '__cancel_action',
    data: { readonly seq_id: number; readonly index?: number },
  ): void {
    if (this.#gone !== null) return
    if (action === '__cancel_action') this.#remember(data.seq_id)
    const seqId = this.#next++
    const due = performance.now() + CONTROL_MS
    const leave = (): void => this.forget(seqId)
    const pending: Pending = {
      due,
      answer: (envelope) => {
        leave()
        if (envelope.code === 0) return
        this.#fault({ kind: 'control_refused', detail: `${action} was refused: ${String(envelope.message)}` })
      },
      fail: leave,
      expire: leave,
    }
    try {
      this.#post(seqId, pending, requestText(seqId, action, data, false))
    } catch (error) {
      if (!LinkError.is(error)) throw error
      this.#fault({ kind: 'control_refused', detail: `${action} could not be sent: ${error.message}` })
    }
    this.#deadlines.watch(due)
  }

  #post(seqId: number, pending: Pending, text: string): void {
    if (this.#gone !== null) throw this.#gone
    this.#pending.set(seqId, pending)
    try {
      // Only the total queue is bounded here; callers that want back-pressure await their answers.
      void this.#transport.send(text)
    } catch (error) {
      this.#pending.delete(seqId)
      throw error
    }
  }

  #totalMs(options: CallOptions): number {
    const ms = options.timeoutMs ?? this.#defaultMs
    if (!(ms > 0)) throw new LinkError('invalid', `timeoutMs must be above 0, not ${String(ms)}.`)
    return ms
  }

  #find(seqId: Json | undefined): Pending | undefined {
    return typeof seqId === 'number' ? this.#pending.get(seqId) : undefined
  }

  /** An answer that nobody waits for. What crossed our cancel is nobody's fault. */
  #stray(seqId: Json | undefined): void {
    if (typeof seqId === 'number' && this.#abandoned.has(seqId)) return
    const asked = typeof seqId === 'number' && seqId >= this.#first && seqId < this.#next
    const detail = `An answer to ${asked ? 'a request that was answered already' : 'no request of ours'} was ignored.`
    this.#fault({ kind: asked ? 'late_answer' : 'unknown_answer', detail })
  }

  #remember(seqId: number): void {
    this.#abandoned.add(seqId)
    if (this.#abandoned.size <= ABANDONED) return
    for (const oldest of this.#abandoned) {
      this.#abandoned.delete(oldest)
      return
    }
  }
}

/** One call that waits for its one answer. */
class Call implements Pending {
  readonly due: number
  readonly #owner: Calls
  readonly #seqId: number
  readonly #action: string
  readonly #ms: number
  readonly #signal: AbortSignal | undefined
  readonly #resolve: (data: JsonObject) => void
  readonly #reject: (error: unknown) => void
  readonly #onAbort: (() => void) | undefined

  constructor(
    owner: Calls,
    seqId: number,
    action: string,
    ms: number,
    signal: AbortSignal | undefined,
    resolve: (data: JsonObject) => void,
    reject: (error: unknown) => void,
  ) {
    this.#owner = owner
    this.#seqId = seqId
    this.#action = action
    this.#ms = ms
    this.due = ms === Number.POSITIVE_INFINITY ? ms : performance.now() + ms
    this.#resolve = resolve
    this.#reject = reject
    this.#signal = signal
    if (signal === undefined) return
    this.#onAbort = () => this.#abandon(signal.reason)
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  answer(envelope: JsonObject, data: JsonObject): void {
    this.#leave()
    if (envelope.code === 0) this.#resolve(data)
    else this.#reject(new RemoteError(this.#action, String(envelope.message), data))
  }

  fail(error: unknown): void {
    this.#leave()
    this.#reject(error)
  }

  expire(): void {
    this.#abandon(new LinkError('timeout', `${this.#action} was not answered within ${this.#ms} ms.`))
  }

  /** Nobody waits any more, so the other side need not work on it. */
  #abandon(error: unknown): void {
    this.fail(error)
    this.#owner.control('__cancel_action', { seq_id: this.#seqId })
  }

  #leave(): void {
    this.#owner.forget(this.#seqId)
    if (this.#onAbort !== undefined) this.#signal?.removeEventListener('abort', this.#onAbort)
  }
}
