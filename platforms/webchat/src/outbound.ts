/** What the bot says: messages and native streams. A send is confirmed when it is on disk, and can be proven later. */
import {
  AdapterError,
  type OutgoingMessage,
  type OutgoingStream,
  type ReplyTarget,
  type SentMessage,
  type StreamTarget,
} from '@runbound/platform-kit'
import { fromChain, plainText } from './chains.ts'
import { FileError, type FileStore } from './files.ts'
import type { Hub } from './hub.ts'
import { JournalError } from './journal.ts'
import { BOT_ID, type ChatKey, chatKey, holds, type LogRecord, type Message, type Part } from './model.ts'
import { newMessage, type Scene } from './plan.ts'
import type { Store } from './store.ts'

type Outgoing = Omit<OutgoingMessage, 'chain'>

export interface OutboundParts {
  readonly store: Store
  readonly files: FileStore
  readonly hub: Hub
  scene(): Scene
}

/** Streams are written to the log at most this often, in milliseconds; the page sees every update. */
const CHECKPOINT_MS = 500

export class Outbound {
  readonly #parts: OutboundParts
  /** Sends on their way to the disk, by delivery key. */
  readonly #running = new Map<string, Promise<SentMessage>>()

  constructor(parts: OutboundParts) {
    this.#parts = parts
  }

  /** Says the message once: the same delivery key again answers what the first one did. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<SentMessage> {
    return this.#once(message.delivery_key, async () => {
      if (signal.aborted) throw new AdapterError('unavailable', 'The send was cancelled before it began.')
      const { parts, quoteId } = await this.#read(message)
      return this.#say(message, parts, quoteId, false)
    })
  }

  async openStream(
    message: Outgoing,
    text: string,
    signal: AbortSignal,
  ): Promise<{ message_id: string | null; stream: OutgoingStream }> {
    const { message_id } = await this.#once(message.delivery_key, async () => {
      if (signal.aborted) throw new AdapterError('unavailable', 'The stream was cancelled before it began.')
      return this.#say(message, this.#text(text), null, true)
    })
    const stream = message_id === null ? null : await this.#stream(message_id)
    if (stream === null) throw new AdapterError('stream_lost', 'The message of this stream is not there any more.')
    return { message_id, stream }
  }

  /** Goes on with a stream of an earlier process; null if its message is not in the log, or deleted. */
  async resumeStream({ message, message_id }: StreamTarget): Promise<OutgoingStream | null> {
    const id = message_id ?? this.#parts.store.world.delivery(message.delivery_key)?.message_id
    return id === undefined ? null : this.#stream(id)
  }

  /** Truth from the log. `unknown` only if the key may be one that had to be forgotten. */
  async outcome(
    deliveryKey: string,
  ): Promise<{ status: 'sent'; message_id: string } | { status: 'not_sent' } | { status: 'unknown' }> {
    await this.#running.get(deliveryKey)?.catch(() => {})
    const { world, now } = this.#parts.scene()
    const delivery = world.delivery(deliveryKey)
    if (delivery !== undefined) return { status: 'sent', message_id: delivery.message_id }
    return now - world.forgotAt < 24 * 60 * 60 * 1000 ? { status: 'unknown' } : { status: 'not_sent' }
  }

  /** The chat behind a target. Throws AdapterError `refused` where the bot can't speak now. */
  chat(target: ReplyTarget): ChatKey {
    const { world, now } = this.#parts.scene()
    if (target.target_type === 'person') {
      if (!world.people.has(target.target_id)) {
        throw new AdapterError('refused', `There is no person "${target.target_id}" in this web chat.`)
      }
      return chatKey('private', target.target_id)
    }
    const bot = world.member(target.target_id, BOT_ID)
    if (bot === undefined) throw new AdapterError('refused', `The bot is not in a group "${target.target_id}".`)
    if (holds(bot.muted, now)) throw new AdapterError('refused', 'The bot is muted in this group.')
    return chatKey('group', target.target_id)
  }

  #once(key: string, work: () => Promise<SentMessage>): Promise<SentMessage> {
    const running = this.#running.get(key)
    if (running !== undefined) return running
    const sent = this.#parts.store.world.delivery(key)
    if (sent !== undefined) return Promise.resolve({ message_id: sent.message_id })
    const started = work()
      .catch((error: unknown) => Promise.reject(asAdapterError(error)))
      .finally(() => this.#running.delete(key))
    this.#running.set(key, started)
    return started
  }

  async #read(message: OutgoingMessage): Promise<{ parts: Part[]; quoteId: string | null }> {
    // Refused before any file of it is stored.
    this.chat(message.target)
    const { limits } = this.#parts.scene()
    const attachments = message.chain.filter(({ type }) => type === 'Image' || type === 'File' || type === 'Voice')
    if (attachments.length > limits.maxAttachments) {
      throw new AdapterError('too_long', `A message may have ${limits.maxAttachments} attachments.`)
    }
    const read = await fromChain(message.chain, (bytes, name) => this.#parts.files.put(bytes, name))
    if (read.parts.length === 0) throw new AdapterError('invalid', 'The message is empty.')
    this.#checkLength(plainText(read.parts.filter(({ kind }) => kind !== 'file')))
    return read
  }

  async #say(message: Outgoing, parts: Part[], quoteId: string | null, streaming: boolean): Promise<SentMessage> {
    const chat = this.chat(message.target)
    const scene = this.#parts.scene()
    const quote = scene.world.message(message.quote_message_id ?? quoteId ?? '')
    const said = newMessage(scene, {
      chat,
      sender_id: BOT_ID,
      parts,
      quote_id: quote?.chat === chat ? quote.id : null,
      conversation_id: message.conversation_id,
      run_id: message.run_id,
      streaming,
    })
    const files = parts.flatMap((part): LogRecord[] => (part.kind === 'file' ? [{ t: 'file', file: part.file }] : []))
    const delivery = { t: 'delivery', key: message.delivery_key, message_id: said.id, at: scene.now } as const
    await this.#parts.store.commit([...files, { t: 'message', message: said }, delivery])
    return { message_id: said.id }
  }

  async #stream(id: string): Promise<OutgoingStream | null> {
    const { world } = this.#parts.scene()
    const message = world.message(id)
    if (message === undefined || message.sender_id !== BOT_ID || message.deleted_at !== null) return null
    let ended: SentMessage | null = null
    let savedAt = this.#parts.scene().now
    const end = async (text: string): Promise<SentMessage> => {
      if (ended !== null) return ended
      const last: Message = { ...this.#open(id), parts: this.#text(text), streaming: false }
      await this.#parts.store.commit([{ t: 'message', message: last }]).catch((error) => {
        throw asAdapterError(error)
      })
      ended = { message_id: id }
      return ended
    }
    return {
      update: async (text) => {
        if (ended !== null) throw new AdapterError('invalid', 'This stream has ended.')
        const old = this.#open(id)
        const next: Message = { ...old, parts: this.#text(text), streaming: true }
        const { now, world } = this.#parts.scene()
        if (now - savedAt >= CHECKPOINT_MS) {
          savedAt = now
          this.#parts.store.note({ t: 'message', message: next })
        } else world.apply({ t: 'message', message: next })
        this.#push(old, text)
      },
      finish: end,
      abort: end,
    }
  }

  /** Only the end of the text that is new goes to the pages. */
  #push(old: Message, text: string): void {
    const before = plainText(old.parts)
    let from = 0
    while (from < before.length && before[from] === text[from]) from++
    const { id: message_id, chat, conversation_id, run_id } = old
    this.#parts.hub.broadcast({
      type: 'stream',
      chat,
      message_id,
      conversation_id,
      run_id,
      from,
      text: text.slice(from),
    })
  }

  #open(id: string): Message {
    const message = this.#parts.scene().world.message(id)
    if (message === undefined || message.deleted_at !== null) {
      throw new AdapterError('refused', 'The message of this stream has been deleted.')
    }
    return message
  }

  #text(text: string): Part[] {
    this.#checkLength(text)
    return text === '' ? [] : [{ kind: 'text', text }]
  }

  #checkLength(text: string): void {
    const { maxText } = this.#parts.scene().limits
    if (text.length > maxText) throw new AdapterError('too_long', `A message may have ${maxText} UTF-16 units.`)
  }
}

/** A failed write left nothing behind, so the send may be repeated. */
export function asAdapterError(error: unknown): unknown {
  if (error instanceof FileError) {
    return new AdapterError(error.code === 'full' ? 'refused' : 'too_long', error.message, { cause: error })
  }
  if (error instanceof JournalError) {
    return new AdapterError('unavailable', 'The web chat could not write its log; nothing was sent.', { cause: error })
  }
  return error
}
