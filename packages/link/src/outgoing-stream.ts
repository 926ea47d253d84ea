/** The producing end of a stream (wire.md §1.8): numbers frames and stops while too many are unacknowledged. */
import type { JsonObject } from '@runbound/protocol'
import { WireError } from '@runbound/protocol'
import { endText, errorText, frameText } from './envelope.ts'
import { isObject } from './errors.ts'
import { exceedsBytes } from './utf8.ts'

/** Frames that may be on their way without acknowledgement. */
const WINDOW = 8

/** How a stream's texts go out: null when sent, a promise while the other side does not read. */
export type SendText = (text: string) => Promise<void> | null

/** One stream that we answer with. */
export class OutgoingStream {
  readonly #seqId: number
  readonly #flow: boolean
  readonly #frameBytes: number
  readonly #send: SendText
  readonly #iterator: AsyncIterator<JsonObject>
  #sent = 0
  #acked = 0
  #stopped = false
  #wake: (() => void) | null = null

  constructor(items: AsyncIterable<JsonObject>, seqId: number, flow: boolean, frameBytes: number, send: SendText) {
    this.#iterator = items[Symbol.asyncIterator]()
    this.#seqId = seqId
    this.#flow = flow
    this.#frameBytes = frameBytes
    this.#send = send
  }

  /** Sends all items and the end, or an error frame. Resolves when the producer is through; never rejects. */
  async run(): Promise<void> {
    let exhausted = false
    try {
      while (!this.#stopped) {
        const step = await this.#iterator.next()
        if (this.#stopped) return
        if (step.done === true) {
          exhausted = true
          this.#send(endText(this.#seqId))
          return
        }
        if (this.#flow && this.#sent - this.#acked >= WINDOW) await this.#room()
        if (this.#stopped) return
        const wait = this.#send(this.#frame(step.value))
        if (wait !== null) await wait
      }
    } catch (error) {
      if (!this.#stopped) this.#send(errorText(this.#seqId, error))
    } finally {
      if (!exhausted) this.#release()
    }
  }

  /** The consumer has processed the frames up to `index`. False when the stream is over; throws for a lie. */
  acknowledge(index: number): boolean {
    if (this.#stopped || !this.#flow) return false
    if (index < this.#acked || index > this.#sent) {
      const range = `${this.#acked} to ${this.#sent}`
      throw new WireError('invalid_params', `__stream_ack: index ${index} is out of range (${range}).`)
    }
    this.#acked = index
    this.#wake?.()
    return true
  }

  /** Sends nothing any more: the consumer has left, or the connection. */
  stop(): void {
    this.#stopped = true
    this.#wake?.()
    this.#release()
  }

  #frame(item: JsonObject): string {
    if (!isObject(item)) throw new WireError('internal', 'A stream item of the handler is no object.')
    const text = frameText(this.#seqId, this.#flow ? this.#sent + 1 : null, item)
    if (exceedsBytes(text, this.#frameBytes)) {
      throw new WireError('too_large', `Limit frameBytes (${this.#frameBytes}) exceeded by a stream frame.`)
    }
    this.#sent++
    return text
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        if (!this.#stopped && this.#sent - this.#acked >= WINDOW) return
        this.#wake = null
        resolve()
      }
    })
  }

  /** Lets the producer clean up; what goes wrong there has no reader any more. */
  #release(): void {
    this.#iterator.return?.().then(undefined, () => {})
  }
}
