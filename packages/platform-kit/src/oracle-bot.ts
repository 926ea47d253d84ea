/** One bot of the oracle: its chats outlive every host, and what no host has accepted is delivered again. */
import type { Accepted, AdapterCapabilities, AdapterInstance, IncomingEvent, OutgoingStream } from './adapter.ts'
import { AdapterError } from './errors.ts'
import type { Handlers, OracleCalls, OracleEntry, OracleState } from './oracle-messages.ts'
import { recordingServices } from './recording-services.ts'
import { scriptedAdapter } from './scripted-adapter.ts'
import { ScriptedBot } from './scripted-bot.ts'
import type { SyncedLog } from './synced-log.ts'

/** Pause before an event that the host refused for now is delivered again, in milliseconds. */
const REDELIVER_MS = 100

/** Hands an event to the host at the other end; null when it went away or said nothing. */
export type HandOver = (incoming: IncomingEvent) => Promise<Accepted | null>

interface Undelivered {
  readonly incoming: IncomingEvent
  readonly resolve: (answer: Accepted) => void
}

/** The calls of an adapter. */
type AdapterCall = Exclude<keyof OracleCalls, 'emit' | 'say' | 'script' | 'lose_streams' | 'state' | 'forget'>

export class OracleBot {
  readonly state: ScriptedBot
  readonly #log: SyncedLog
  readonly #streams = new Map<string, OutgoingStream>()
  readonly #undelivered = new Set<Undelivered>()
  #adapter: AdapterInstance | null = null
  #handOver: HandOver | null = null

  constructor(bot_uuid: string, log: SyncedLog) {
    this.state = new ScriptedBot(bot_uuid)
    this.#log = log
  }

  /** A host has connected; it serves the bot until it goes. The host before it, if any, is cut off. */
  async connect(capabilities: AdapterCapabilities, handOver: HandOver): Promise<void> {
    const journal = (entry: Pick<OracleEntry, 'what' | 'message' | 'action' | 'params'>) => this.#note(entry)
    this.#handOver = handOver
    this.#adapter = scriptedAdapter(
      this.state,
      { capabilities, journal: (_bot, entry) => journal(entry) },
      recordingServices(this.state.bot_uuid),
    )
    await this.#note({ what: 'connected' })
  }

  async disconnect(handOver: HandOver): Promise<void> {
    if (this.#handOver !== handOver) return
    this.#handOver = null
    this.#adapter = null
    this.state.running = false
    await this.#note({ what: 'disconnected' })
  }

  /** Something happened on the platform: delivered to hosts until one accepts it or refuses it for good. */
  async deliver(incoming: IncomingEvent): Promise<Accepted> {
    await this.#note({ what: 'emitted', dedupe_key: incoming.dedupe_key })
    return new Promise((resolve) => {
      const one = { incoming, resolve }
      this.#undelivered.add(one)
      if (this.state.running) void this.#attempt(one)
    })
  }

  /** What the connected host may call. */
  handlers(signal: AbortSignal): Handlers<AdapterCall> {
    const adapter = this.#adapter
    if (adapter === null) throw new AdapterError('unavailable', 'This bot is not connected.')
    return {
      start: async () => {
        await adapter.start()
        for (const one of this.#undelivered) void this.#attempt(one)
      },
      stop: () => adapter.stop(),
      send: (message) => adapter.send(message, signal),
      open_stream: async ({ message, text }) => {
        const opened = await need(adapter.openStream)(message, text, signal)
        if (opened.message_id !== null) this.#streams.set(opened.message_id, opened.stream)
        return { message_id: opened.message_id }
      },
      edit_stream: async ({ message_id, operation, text }) => {
        const stream = this.#streams.get(message_id)
        if (stream === undefined) throw new AdapterError('stream_lost', `There is no stream ${message_id}.`)
        return (await stream[operation](text)) ?? { message_id }
      },
      resume_stream: async (target) => {
        const stream = await need(adapter.resumeStream)(target)
        if (stream !== null && target.message_id !== null) this.#streams.set(target.message_id, stream)
        return { open: stream !== null }
      },
      outcome: ({ delivery_key }) => need(adapter.outcome)(delivery_key),
      api: ({ action, params }) => need(adapter.api)(action, params, signal),
      typing: (target) => need(adapter.typing)(target),
    }
  }

  view(): OracleState {
    const { running, messages, violations } = this.state
    return { running, messages, violations, undelivered: this.#undelivered.size }
  }

  async #attempt(one: Undelivered): Promise<void> {
    const handOver = this.#handOver
    if (handOver === null) return
    await this.#note({ what: 'delivered', dedupe_key: one.incoming.dedupe_key })
    const answer = await handOver(one.incoming)
    // No answer: the host died or is broken. It stays undelivered until a host starts.
    if (answer === null || !this.#undelivered.has(one)) return
    await this.#note({ what: 'accepted', dedupe_key: one.incoming.dedupe_key, answer })
    if (answer.status === 'refused' && answer.retry) {
      setTimeout(() => void this.#attempt(one), REDELIVER_MS)
      return
    }
    this.#undelivered.delete(one)
    one.resolve(answer)
  }

  #note(entry: Omit<OracleEntry, 'n' | 'at' | 'bot_uuid'>): Promise<void> {
    return this.#log.append({ bot_uuid: this.state.bot_uuid, ...entry })
  }
}

function need<T>(method: T | undefined): T {
  if (method === undefined) throw new AdapterError('not_supported', 'This platform was set up without that.')
  return method
}
