/** Messages on their way out: to a waiting caller, else as callbacks, in order per session. */
import { AdapterError, type OutgoingMessage, type OutgoingStream, type SentMessage } from '@runbound/platform-kit'
import type { MessageChain } from '@runbound/protocol'
import { exact } from './answers.ts'
import type { CallbackClient } from './callback.ts'
import { Lanes } from './lanes.ts'
import type { Sequences } from './sequences.ts'
import type { SyncWaiters } from './sync.ts'

export interface OutboundParts {
  /** Null: no callback_url is set. */
  readonly client: CallbackClient | null
  readonly waiters: SyncWaiters
  readonly sequences: Sequences
  readonly receiverDeduplicates: boolean
  readonly now: () => number
}

type Head = Omit<OutgoingMessage, 'chain'>

export class Outbound {
  readonly #parts: OutboundParts
  readonly #lanes = new Lanes()
  readonly #stopping = new AbortController()
  #running = false

  constructor(parts: OutboundParts) {
    this.#parts = parts
  }

  start(): void {
    this.#running = true
  }

  stop(): void {
    this.#running = false
    this.#stopping.abort()
    this.#parts.client?.close()
  }

  async send(message: OutgoingMessage, signal: AbortSignal): Promise<SentMessage> {
    this.#ready(signal)
    checkChain(message.chain)
    if (!this.#parts.waiters.take(message)) {
      await this.#post(
        message,
        message.chain,
        { stream: false, final: message.part >= message.parts },
        message.delivery_key,
        signal,
      )
    }
    return { message_id: message.delivery_key }
  }

  async openStream(
    message: Head,
    text: string,
    signal: AbortSignal,
  ): Promise<{ message_id: string; stream: OutgoingStream }> {
    this.#ready(signal)
    const stream = new CallbackStream(message, (...call) => this.#write(message, ...call), 0)
    await stream.update(text)
    return { message_id: message.delivery_key, stream }
  }

  /** A stream is nothing but its callbacks, so one that an earlier process opened simply goes on. */
  resumeStream(message: Head): OutgoingStream {
    return new CallbackStream(message, (...call) => this.#write(message, ...call), Math.floor(this.#parts.now() / 1000))
  }

  /** A waiting caller gets only the final text: its answer is one message, not a history of drafts. */
  async #write(message: Head, text: string, final: boolean, deliveryKey: string): Promise<void> {
    this.#ready(this.#stopping.signal)
    const chain: MessageChain = [{ type: 'Plain', text }]
    if (
      final ? this.#parts.waiters.take({ ...message, chain, part: 1, parts: 1 }) : this.#parts.waiters.expects(message)
    )
      return
    await this.#post(message, chain, { stream: true, final }, deliveryKey, this.#stopping.signal)
  }

  #ready(signal: AbortSignal): void {
    if (!this.#running) throw new AdapterError('unavailable', 'The bot is not running.')
    if (signal.aborted) throw new AdapterError('unavailable', 'The call was aborted before anything was sent.')
  }

  #post(
    message: Head,
    chain: MessageChain,
    kind: { stream: boolean; final: boolean },
    deliveryKey: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { client, sequences, now } = this.#parts
    if (client === null) {
      return Promise.reject(
        new AdapterError('refused', 'callback_url is not set, and no caller of /sync waits for this session.'),
      )
    }
    const session_id = message.target.target_id
    const reply_to = message.target.message_id ?? null
    const body = JSON.stringify(
      {
        session_id,
        reply_to,
        sequence: sequences.next(session_id, reply_to),
        is_final: kind.final,
        stream: kind.stream,
        message: shown(chain, message.quote_message_id ?? null),
        timestamp: now() / 1000,
      },
      exact,
    )
    // A growing text carries all that came before it: sent twice it shows the same.
    const repeatable = this.#parts.receiverDeduplicates || (kind.stream && !kind.final)
    return this.#lanes.run(session_id, () => client.post(body, deliveryKey, repeatable, signal))
  }
}

type Write = (text: string, final: boolean, deliveryKey: string) => Promise<void>

class CallbackStream implements OutgoingStream {
  readonly #message: Head
  readonly #write: Write
  #count: number
  #open = true

  constructor(message: Head, write: Write, count: number) {
    this.#message = message
    this.#write = write
    this.#count = count
  }

  async update(text: string): Promise<void> {
    if (!this.#open) throw new AdapterError('stream_lost', 'This stream has ended.')
    await this.#write(text, false, `${this.#message.delivery_key}#${++this.#count}`)
  }

  finish(text: string): Promise<SentMessage> {
    return this.#end(text)
  }

  abort(text: string): Promise<SentMessage> {
    return this.#end(text)
  }

  async #end(text: string): Promise<SentMessage> {
    if (!this.#open) throw new AdapterError('stream_lost', 'This stream has ended.')
    this.#open = false
    try {
      await this.#write(text, true, `${this.#message.delivery_key}#final`)
    } catch (error) {
      // Nothing was taken: the host may try the end again.
      if (AdapterError.is(error) && (error.kind === 'unavailable' || error.kind === 'rate_limited')) this.#open = true
      throw error
    }
    return { message_id: this.#message.delivery_key }
  }
}

/** What the receiver sees: no Source of ours, and the quoted message first. */
function shown(chain: MessageChain, quote_message_id: string | null): MessageChain {
  const parts = chain.filter((component) => component.type !== 'Source')
  if (quote_message_id === null) return parts
  return [
    { type: 'Quote', id: quote_message_id, group_id: null, sender_id: null, target_id: null, origin: [] },
    ...parts,
  ]
}

/** A path of this host means nothing to the receiver, and must not be told. */
function checkChain(chain: MessageChain): void {
  for (const component of chain) {
    const path = 'path' in component ? component.path : 'file_path' in component ? component.file_path : null
    if (path !== null && path !== '')
      throw new AdapterError('invalid', `${component.type}: a path can't be sent. Give url or base64.`)
  }
}
