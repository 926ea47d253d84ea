/** The adapter side of the scriptable platform: checks what a platform checks, then changes what the chat shows. */
import type { Json, JsonObject, MessageChain } from '@runbound/protocol'
import type {
  AdapterCapabilities,
  AdapterInstance,
  AdapterServices,
  OutgoingMessage,
  OutgoingStream,
  SentMessage,
  StreamTarget,
} from './adapter.ts'
import { attachmentsOf, chainText, isBlank } from './chain.ts'
import { AdapterError } from './errors.ts'
import { measureOf } from './length.ts'
import { SAMPLE_APIS, sampleAnswer } from './sample-apis.ts'
import { sampleEventIds } from './sample-events.ts'
import type { ScriptedBot, ShownMessage } from './scripted-bot.ts'

/** What the platform can do unless told otherwise: everything but streams, edits and reactions. */
export const SCRIPTABLE_DEFAULTS: AdapterCapabilities = {
  events: sampleEventIds(),
  apis: SAMPLE_APIS,
  streaming: null,
  edit: false,
  reaction: false,
  quote: true,
  send: true,
  provesDelivery: false,
  interactions: null,
  limits: { maxText: 4096, unit: 'utf16', maxAttachments: 10 },
}

export interface ScriptableOptions {
  /** Platform name; default `scriptable`. */
  readonly name?: string
  /** Differences from {@link SCRIPTABLE_DEFAULTS}. */
  readonly capabilities?: Partial<AdapterCapabilities>
  /** Told of each thing that the platform took, before the adapter answers: a log that outlives the host. */
  readonly journal?: (bot: ScriptedBot, entry: JournalEntry) => Promise<void>
}

/** One thing that the platform took. */
export interface JournalEntry {
  readonly what: 'sent' | 'stream.opened' | 'stream.updated' | 'stream.finished' | 'stream.aborted' | 'api'
  readonly message?: ShownMessage
  readonly action?: string
  readonly params?: JsonObject
}

/** The adapter of one bot, with exactly the methods that its abilities call for. */
export function scriptedAdapter(
  bot: ScriptedBot,
  options: ScriptableOptions,
  services: AdapterServices,
): AdapterInstance {
  const capabilities: AdapterCapabilities = { ...SCRIPTABLE_DEFAULTS, ...options.capabilities }
  const adapter = new ScriptedAdapter(bot, capabilities, options.journal ?? (async () => {}))
  bot.connect(services)
  return {
    capabilities,
    start: () => adapter.start(),
    stop: () => adapter.stop(),
    send: (message, signal) => adapter.send(message, signal),
    typing: (target) => bot.perform('typing', { target: { ...target } }, null, async () => {}),
    ...(capabilities.streaming === null
      ? {}
      : {
          openStream: (message: Omit<OutgoingMessage, 'chain'>, text: string, signal: AbortSignal) =>
            adapter.openStream(message, text, signal),
          resumeStream: (target: StreamTarget) => adapter.resumeStream(target),
        }),
    ...(capabilities.provesDelivery ? { outcome: (key: string) => adapter.outcome(key) } : {}),
    ...(capabilities.apis.length > 0
      ? { api: (action: string, params: JsonObject, signal: AbortSignal) => adapter.api(action, params, signal) }
      : {}),
  }
}

class ScriptedAdapter {
  readonly #bot: ScriptedBot
  readonly #can: AdapterCapabilities
  readonly #journal: (bot: ScriptedBot, entry: JournalEntry) => Promise<void>

  constructor(
    bot: ScriptedBot,
    capabilities: AdapterCapabilities,
    journal: (bot: ScriptedBot, entry: JournalEntry) => Promise<void>,
  ) {
    this.#bot = bot
    this.#can = capabilities
    this.#journal = journal
  }

  start(): Promise<void> {
    return this.#bot.perform('start', {}, null, async () => {
      this.#bot.running = true
    })
  }

  async stop(): Promise<void> {
    if (!this.#bot.running) return
    await this.#bot.perform('stop', {}, null, async () => {
      this.#bot.running = false
    })
  }

  send(message: OutgoingMessage, signal: AbortSignal): Promise<SentMessage> {
    return this.#bot.perform('send', { ...message }, signal, async () => {
      const text = chainText(message.chain)
      this.#check(message, text, message.chain, signal)
      const shown = this.#bot.show(message, text, message.chain, 'whole')
      await this.#journal(this.#bot, { what: 'sent', message: shown })
      return { message_id: shown.message_id }
    })
  }

  openStream(message: Omit<OutgoingMessage, 'chain'>, text: string, signal: AbortSignal) {
    return this.#bot.perform('openStream', { ...message, text }, signal, async () => {
      const chain: MessageChain = [{ type: 'Plain', text }]
      this.#check(message, text, chain, signal)
      const shown = this.#bot.show(message, text, chain, 'open')
      await this.#journal(this.#bot, { what: 'stream.opened', message: shown })
      return { message_id: shown.message_id, stream: this.#stream(shown) }
    })
  }

  resumeStream(target: StreamTarget): Promise<OutgoingStream | null> {
    return this.#bot.perform('resumeStream', { message_id: target.message_id }, null, async () => {
      const shown = this.#bot.messages.find(
        (message) => message.message_id === target.message_id && message.state === 'open',
      )
      return shown === undefined ? null : this.#stream(shown)
    })
  }

  outcome(delivery_key: string) {
    return this.#bot.perform('outcome', { delivery_key }, null, async () => {
      const shown = this.#bot.messages.find((message) => message.delivery_key === delivery_key)
      return shown === undefined
        ? ({ status: 'not_sent' } as const)
        : ({ status: 'sent', message_id: shown.message_id } as const)
    })
  }

  api(action: string, params: JsonObject, signal: AbortSignal): Promise<Json> {
    return this.#bot.perform('api', { action, params }, signal, async () => {
      this.#alive(signal)
      if (!this.#can.apis.includes(action))
        throw new AdapterError('not_supported', `${action} is no API of this platform.`)
      const answer = sampleAnswer(action, params)
      await this.#journal(this.#bot, { what: 'api', action, params })
      return answer
    })
  }

  #stream(shown: ShownMessage): OutgoingStream {
    let busy = false
    const edit = (
      method: 'stream.update' | 'stream.finish' | 'stream.abort',
      text: string,
      state: ShownMessage['state'],
      what: JournalEntry['what'],
    ) =>
      this.#bot.perform(method, { message_id: shown.message_id, text }, null, async () => {
        if (busy) this.#broken('invalid', `${method} of ${shown.message_id} before the edit before it had ended`)
        busy = true
        try {
          this.#edit(shown, text, state, method)
          await this.#journal(this.#bot, { what, message: shown })
          return { message_id: shown.message_id }
        } finally {
          busy = false
        }
      })
    return {
      update: async (text) => {
        await edit('stream.update', text, 'open', 'stream.updated')
      },
      finish: (text) => edit('stream.finish', text, 'finished', 'stream.finished'),
      abort: (text) => edit('stream.abort', text, 'aborted', 'stream.aborted'),
    }
  }

  #edit(shown: ShownMessage, text: string, state: ShownMessage['state'], method: string): void {
    if (shown.state !== 'open')
      throw new AdapterError('stream_lost', `The stream ${shown.message_id} is ${shown.state}.`)
    this.#fits(text)
    const waited = this.#bot.now() - shown.changedAt
    const interval = this.#can.streaming?.minIntervalMs ?? 0
    // Clocks that count whole milliseconds may be one short.
    if (waited + 1 < interval) {
      this.#broken(
        'rate_limited',
        `${method} of ${shown.message_id} after ${waited} ms; ${interval} ms are declared`,
        interval - waited,
      )
    }
    Object.assign(shown, {
      text,
      chain: [{ type: 'Plain', text }],
      state,
      changedAt: this.#bot.now(),
      edits: shown.edits + 1,
    })
    this.#bot.changed()
  }

  #broken(kind: 'invalid' | 'rate_limited', what: string, retryAfterMs?: number): never {
    this.#bot.violations.push(what)
    throw new AdapterError(kind, what, retryAfterMs === undefined ? {} : { retryAfterMs })
  }

  #check(message: Omit<OutgoingMessage, 'chain'>, text: string, chain: MessageChain, signal: AbortSignal): void {
    this.#alive(signal)
    if (!this.#can.send && (message.target.message_id ?? null) === null) {
      throw new AdapterError('not_supported', 'This platform only answers messages.')
    }
    if (isBlank(chain)) throw new AdapterError('invalid', 'The message is empty.')
    const attachments = attachmentsOf(chain).length
    const most = this.#can.limits.maxAttachments
    if (most !== null && attachments > most)
      throw new AdapterError('too_long', `${attachments} attachments; at most ${most} fit.`)
    this.#fits(text)
  }

  #alive(signal: AbortSignal): void {
    if (signal.aborted) throw new AdapterError('unavailable', 'The call was aborted before anything was sent.')
    if (!this.#bot.running) throw new AdapterError('unavailable', 'The bot is not running.')
  }

  #fits(text: string): void {
    const { maxText } = this.#can.limits
    if (maxText === null) return
    const length = measureOf(this.#can.limits)(text)
    if (length > maxText)
      throw new AdapterError('too_long', `${length} ${this.#can.limits.unit}; at most ${maxText} fit.`)
  }
}
