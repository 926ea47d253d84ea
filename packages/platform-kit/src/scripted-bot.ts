/** The state of one bot on the scriptable platform: what was called, what a chat shows, what is scripted next. */
import type { MessageChain } from '@runbound/protocol'
import type { Accepted, AdapterServices, IncomingEvent, OutgoingMessage, ReplyTarget, Settled } from './adapter.ts'
import { AdapterError } from './errors.ts'
import { type Outcome, play, type ScriptedMethod } from './outcome.ts'
import { chatFields, replyTarget, user, userGroup } from './platform-events.ts'
import { sampleEvent } from './sample-events.ts'

/** One call of the adapter, as it came in. Times in milliseconds of the host's clock. */
export interface RecordedCall {
  readonly method: ScriptedMethod
  readonly at: number
  readonly args: Readonly<Record<string, unknown>>
  /** `pending` until it has ended; else `ok` or the error's kind (`throw` for anything but an AdapterError). */
  outcome: string
  endedAt: number | null
}

/** A message as the people in the chat see it. */
export interface ShownMessage {
  readonly message_id: string
  readonly delivery_key: string
  readonly target: ReplyTarget
  readonly quote_message_id: string | null
  readonly conversation_id: string | null
  readonly run_id: string | null
  readonly part: number
  readonly parts: number
  text: string
  chain: MessageChain
  /** `whole`: sent at once. A stream is `open` until it is finished or aborted, or `lost` when the platform closed it. */
  state: 'whole' | 'open' | 'finished' | 'aborted' | 'lost'
  /** When the text last changed, and how often it did. */
  changedAt: number
  edits: number
}

/** Who says something where; see {@link ScriptedBot.say}. */
export interface Said {
  readonly sender?: string
  readonly group?: string
  readonly thread_id?: string
  readonly message_id?: string
  readonly dedupe_key?: string | null
  readonly chain?: MessageChain
}

const FINISHED: ReadonlySet<ShownMessage['state']> = new Set(['whole', 'finished', 'aborted'])

/** One bot on the scriptable platform. It outlives adapters, so that a restarted host finds its chats as they were. */
export class ScriptedBot {
  readonly bot_uuid: string
  readonly calls: RecordedCall[] = []
  readonly messages: ShownMessage[] = []
  /** Rules of the platform that the host broke: edits faster than declared, overlapping edits. Empty in a good host. */
  readonly violations: string[] = []
  running = false
  #services: AdapterServices | null = null
  readonly #scripts = new Map<ScriptedMethod, Outcome[]>()
  readonly #waiting = new Set<() => void>()
  #count = 0

  constructor(bot_uuid: string) {
    this.bot_uuid = bot_uuid
  }

  /** Queues outcomes for the next calls of a method; afterwards it works again. */
  script(method: ScriptedMethod, ...outcomes: Outcome[]): void {
    this.#scripts.set(method, [...(this.#scripts.get(method) ?? []), ...outcomes])
  }

  /** Hands an event to the host. Without a `dedupe_key` it gets a fresh update id; give null for none. */
  async emit(incoming: Omit<IncomingEvent, 'dedupe_key'> & { readonly dedupe_key?: string | null }): Promise<Accepted> {
    if (this.#services === null || !this.running) {
      return { status: 'refused', reason: 'bot_stopped', message: 'The bot is not running.', retry: true }
    }
    return this.#services.emit({
      ...incoming,
      dedupe_key: incoming.dedupe_key === undefined ? this.nextId('update') : incoming.dedupe_key,
    })
  }

  /** A person writes: `message.received` in the private chat of `sender` (default `u-1`), or in `group`. */
  say(text: string, said: Said = {}): Promise<Accepted> {
    return this.emit(this.saying(text, said))
  }

  /** The event of {@link ScriptedBot.say}, not yet handed to anybody. Without a `dedupe_key` it gets a fresh update id. */
  saying(text: string, said: Said = {}): IncomingEvent {
    const message_id = said.message_id ?? this.nextId('in')
    const sender = user(said.sender ?? 'u-1', { nickname: said.sender ?? 'Ann' })
    const group = said.group === undefined ? null : userGroup(said.group, { name: said.group })
    const chat = chatFields(group?.id ?? sender.id, group)
    const timestamp = Math.floor(this.now() / 1000)
    const source = { type: 'Source', id: message_id, timestamp } as const
    const message_chain: MessageChain = [source, ...(said.chain ?? [{ type: 'Plain', text }])]
    const about = { bot_uuid: this.bot_uuid, timestamp }
    return {
      event: sampleEvent('message.received', about, { message_id, message_chain, sender, ...chat }),
      thread_id: said.thread_id ?? null,
      reply_target: replyTarget(chat, message_id, said.thread_id ?? null),
      dedupe_key: said.dedupe_key === undefined ? this.nextId('update') : said.dedupe_key,
    }
  }

  /** Texts shown in a chat (all chats without `target_id`), in the order in which they first appeared. */
  texts(target_id?: string): string[] {
    return this.messages
      .filter((message) => target_id === undefined || message.target.target_id === target_id)
      .map((message) => message.text)
  }

  /** Resolves with the first message that fits, once it is closed. Rejects after `timeoutMs` with what is shown instead. */
  waitFor(fits: (message: ShownMessage) => boolean, timeoutMs = 5_000): Promise<ShownMessage> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = this.messages.find((message) => FINISHED.has(message.state) && fits(message))
        if (found === undefined) return
        clearTimeout(timer)
        this.#waiting.delete(look)
        resolve(found)
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(look)
        reject(
          new Error(
            `No such message within ${timeoutMs} ms. Shown: ${JSON.stringify(this.messages.map(({ text, state }) => [state, text]))}`,
          ),
        )
      }, timeoutMs)
      this.#waiting.add(look)
      look()
    })
  }

  /** Resolves once everything that this event caused has ended. Rejects after `timeoutMs`, and where the host can't say. */
  async settled(event_id: string, timeoutMs = 10_000): Promise<Settled> {
    if (this.#services?.settled === undefined)
      throw new Error('The host of this bot does not say when an event is over.')
    return this.#services.settled(event_id, AbortSignal.timeout(timeoutMs))
  }

  /** The platform closes all open streams: their next edit is refused with `stream_lost`. */
  loseStreams(): void {
    for (const message of this.messages) if (message.state === 'open') message.state = 'lost'
  }

  /** Takes over the services of the adapter that now serves this bot. */
  connect(services: AdapterServices): void {
    this.#services = services
  }

  now(): number {
    return this.#services?.now() ?? Date.now()
  }

  nextId(kind: string): string {
    return `${kind}-${++this.#count}`
  }

  /** Records a call and plays its next scripted outcome around the effect. */
  async perform<T>(
    method: ScriptedMethod,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal | null,
    effect: () => Promise<T>,
  ): Promise<T> {
    const call: RecordedCall = { method, at: this.now(), args, outcome: 'pending', endedAt: null }
    this.calls.push(call)
    const outcome = this.#scripts.get(method)?.shift() ?? { do: 'ok' }
    try {
      const result = await play(outcome, signal, effect)
      call.outcome = 'ok'
      return result
    } catch (error) {
      call.outcome = AdapterError.is(error) ? error.kind : 'throw'
      throw error
    } finally {
      call.endedAt = this.now()
      this.changed()
    }
  }

  /** Shows a message in its chat. */
  show(
    message: Omit<OutgoingMessage, 'chain'>,
    text: string,
    chain: MessageChain,
    state: 'whole' | 'open',
  ): ShownMessage {
    const shown: ShownMessage = {
      message_id: this.nextId('out'),
      delivery_key: message.delivery_key,
      target: message.target,
      quote_message_id: message.quote_message_id ?? null,
      conversation_id: message.conversation_id,
      run_id: message.run_id,
      part: message.part,
      parts: message.parts,
      text,
      chain,
      state,
      changedAt: this.now(),
      edits: 0,
    }
    this.messages.push(shown)
    this.changed()
    return shown
  }

  /** Wakes those who wait for a message. */
  changed(): void {
    for (const look of [...this.#waiting]) look()
  }
}
