/** Callers of `/sync` who wait for an answer: one per session, and every one of them gets one. */
import type { OutgoingMessage } from '@runbound/platform-kit'
import type { MessageChain } from '@runbound/protocol'

/** A caller who waits. Messages to its session are collected here instead of being called back. */
export interface Waiter {
  readonly session_id: string
  readonly message_id: string
  readonly collected: readonly OutgoingMessage[]
  /** Resolves with the first complete answer; for hosts that can't say when everything has ended. */
  readonly answered: Promise<void>
  /** What was collected, as one chain. */
  chain(): MessageChain
}

interface Open extends Waiter {
  readonly collected: OutgoingMessage[]
  readonly resolve: () => void
}

export class SyncWaiters {
  readonly #open = new Map<string, Open>()

  /** Null: somebody waits for this session already. */
  open(session_id: string, message_id: string): Waiter | null {
    if (this.#open.has(session_id)) return null
    const { promise, resolve } = Promise.withResolvers<void>()
    const collected: OutgoingMessage[] = []
    const chain = () => collected.flatMap((message) => message.chain.filter((component) => component.type !== 'Source'))
    this.#open.set(session_id, { session_id, message_id, collected, answered: promise, resolve, chain })
    return this.#open.get(session_id) ?? null
  }

  /** From now on messages to this session go to the callback again. */
  close(waiter: Waiter): void {
    if (this.#open.get(waiter.session_id) === waiter) this.#open.delete(waiter.session_id)
  }

  /** Gives a message to whoever waits for it. False: nobody does. */
  take(message: OutgoingMessage): boolean {
    const waiter = this.#waiting(message)
    if (waiter === undefined) return false
    waiter.collected.push(message)
    if (message.part >= message.parts) waiter.resolve()
    return true
  }

  /** True if somebody waits for this message. */
  expects(message: Omit<OutgoingMessage, 'chain'>): boolean {
    return this.#waiting(message) !== undefined
  }

  /** Who waits for an answer to this message, or for anything in this session where no message is answered. */
  #waiting(message: Omit<OutgoingMessage, 'chain'>): Open | undefined {
    const waiter = this.#open.get(message.target.target_id)
    const reply_to = message.target.message_id ?? null
    return waiter !== undefined && (reply_to === null || reply_to === waiter.message_id) ? waiter : undefined
  }
}
