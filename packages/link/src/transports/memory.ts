/** A pair of transports in one process: messages pass as JSON text, later, with back-pressure as on a pipe. */
import { LinkError, overLimit } from '../errors.ts'
import { resolveLimits } from '../limits.ts'
import type { LinkLimits, Transport, TransportEvents } from '../types.ts'
import { utf8Length } from '../utf8.ts'

/** Bytes that may wait for the other side before `send` asks for patience, as a pipe of 64 KiB would. */
const HIGH_WATER = 65_536

/** A macrotask where there is one, so that two busy ends never starve timers and sockets. */
const later: (run: () => void) => void = typeof setImmediate === 'function' ? setImmediate : (run) => setTimeout(run, 0)

/**
 * Makes two joined ends. Nothing is shared by reference, delivery is asynchronous and in order.
 * `send` throws LinkError `too_large` beyond messageBytes or queueBytes, `closed` after the end.
 */
export function memoryTransports(options: { readonly limits?: Partial<LinkLimits> } = {}): [Transport, Transport] {
  const limits = resolveLimits(options.limits)
  const left = new MemoryEnd(limits)
  const right = new MemoryEnd(limits)
  left.join(right)
  right.join(left)
  return [left, right]
}

class MemoryEnd implements Transport {
  readonly kind = 'memory'
  readonly #limits: LinkLimits
  #other: MemoryEnd | undefined
  #events: TransportEvents | undefined
  #closed = false
  /** What the other end has sent and our peer has not seen. */
  #inbox: { readonly text: string; readonly bytes: number }[] = []
  #inboxBytes = 0
  #scheduled = false
  #room: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined

  constructor(limits: LinkLimits) {
    this.#limits = limits
  }

  join(other: MemoryEnd): void {
    this.#other = other
  }

  start(events: TransportEvents): void {
    this.#events = events
    this.#schedule()
  }

  send(text: string): Promise<void> | null {
    if (this.#closed || this.#other === undefined) throw new LinkError('closed', 'The memory link is closed.')
    const bytes = utf8Length(text)
    const { messageBytes } = this.#limits
    if (bytes > messageBytes) throw overLimit('messageBytes', messageBytes, `a message has ${bytes} bytes`)
    return this.#other.#take(text, bytes)
  }

  async close(why = 'closed'): Promise<void> {
    if (this.#closed) return
    if (this.#other !== undefined) this.#other.#leave('remote', why)
    this.#leave('local', why)
  }

  #take(text: string, bytes: number): Promise<void> | null {
    const { queueBytes } = this.#limits
    if (this.#inboxBytes + bytes > queueBytes) throw overLimit('queueBytes', queueBytes, 'the other side does not read')
    this.#inbox.push({ text, bytes })
    this.#inboxBytes += bytes
    this.#schedule()
    if (this.#inboxBytes <= HIGH_WATER) return null
    this.#room ??= Promise.withResolvers<void>()
    return this.#room.promise
  }

  #schedule(): void {
    if (this.#scheduled || this.#events === undefined || this.#inbox.length === 0) return
    this.#scheduled = true
    later(() => this.#deliver())
  }

  #deliver(): void {
    this.#scheduled = false
    const messages = this.#inbox
    this.#inbox = []
    this.#inboxBytes = 0
    this.#room?.resolve()
    this.#room = undefined
    for (const { text, bytes } of messages) {
      if (this.#closed) return
      this.#events?.message(text, bytes)
    }
  }

  /** What was sent before the other end closed is still delivered, as on a pipe. */
  #leave(why: 'local' | 'remote', detail: string): void {
    if (this.#closed) return
    if (why === 'local') this.#closed = true
    later(() => {
      if (why === 'remote') this.#deliver()
      this.#closed = true
      this.#room?.resolve()
      this.#events?.closed({ why, detail })
    })
  }
}
