/** The bot of one http address: routes of callers on one side, callbacks on the other. */
import type {
  AdapterCapabilities,
  AdapterInstance,
  AdapterServices,
  IncomingEvent,
  OutgoingMessage,
  StreamTarget,
} from '@runbound/platform-kit'
import { answer, Fault, refusal } from './answers.ts'
import { CallbackClient } from './callback.ts'
import { EventMaker, type InboundEvent } from './events.ts'
import { readMessage, readSession, verified } from './inbound.ts'
import { Outbound } from './outbound.ts'
import { Sequences } from './sequences.ts'
import type { HttpSettings } from './settings.ts'
import { SyncWaiters, type Waiter } from './sync.ts'
import { syncAnswer, untilEnded } from './sync-route.ts'

/** Requests that may wait for their event to be stored; more are told to come again. */
export const MAX_INBOUND = 4_096
/** Shortest time between two callbacks of one stream, in milliseconds. */
export const STREAM_INTERVAL_MS = 200

export interface HttpTiming {
  /** Pause before the first retry of a callback, in milliseconds. */
  readonly firstPauseMs: number
}

/** Truth of this platform: no lengths of its own, nothing to edit, every session can be written to. */
function capabilities(streams: boolean): AdapterCapabilities {
  return {
    events: ['message.received'],
    apis: [],
    streaming: streams ? { minIntervalMs: STREAM_INTERVAL_MS } : null,
    edit: false,
    reaction: false,
    quote: true,
    send: true,
    provesDelivery: false,
    interactions: null,
    limits: { maxText: null, unit: 'utf16', maxAttachments: null },
  }
}

export class HttpBot {
  readonly #settings: HttpSettings
  readonly #services: AdapterServices
  readonly #events: EventMaker
  readonly #waiters = new SyncWaiters()
  readonly #sequences: Sequences
  readonly #outbound: Outbound
  readonly #stopped = new AbortController()
  #running = false
  #inbound = 0

  constructor(settings: HttpSettings, services: AdapterServices, timing: HttpTiming) {
    const now = () => services.now()
    this.#settings = settings
    this.#services = services
    this.#events = new EventMaker(services)
    this.#sequences = new Sequences(now)
    const { callbackUrl, outboundSecret, callbackTimeout, callbackRetries, receiverDeduplicates } = settings
    this.#outbound = new Outbound({
      client:
        callbackUrl === null
          ? null
          : new CallbackClient({
              url: callbackUrl,
              secret: outboundSecret,
              timeoutMs: callbackTimeout * 1000,
              retries: callbackRetries,
              firstPauseMs: timing.firstPauseMs,
              now,
            }),
      waiters: this.#waiters,
      sequences: this.#sequences,
      receiverDeduplicates,
      now,
    })
  }

  adapter(): AdapterInstance {
    const streams = this.#settings.streams
    return {
      capabilities: capabilities(streams),
      start: () => this.#start(),
      stop: () => this.#stop(),
      send: (message, signal) => this.#outbound.send(message, signal),
      http: { auth: 'own', handle: (request) => this.#handle(request) },
      ...(streams
        ? {
            openStream: (message: Omit<OutgoingMessage, 'chain'>, text: string, signal: AbortSignal) =>
              this.#outbound.openStream(message, text, signal),
            resumeStream: async (target: StreamTarget) => this.#outbound.resumeStream(target.message),
          }
        : {}),
    }
  }

  async #start(): Promise<void> {
    if (this.#running) return
    this.#running = true
    this.#outbound.start()
    if (!this.#settings.signatureRequired) {
      this.#services.log(
        'warning',
        'signature_required is off: everybody who reaches this address can write as anybody.',
      )
    }
  }

  async #stop(): Promise<void> {
    if (!this.#running) return
    this.#running = false
    this.#stopped.abort()
    this.#outbound.stop()
  }

  /** Every request gets an answer. What failed inside is logged, and told as 50001 without particulars. */
  async #handle(request: Request): Promise<Response> {
    try {
      return await this.#route(request)
    } catch (error) {
      if (error instanceof Fault) return refusal(error)
      this.#services.log('error', `A request failed: ${said(error)}`)
      return refusal(new Fault(50001, 'internal', 'The host failed; its log has the cause.'))
    }
  }

  async #route(request: Request): Promise<Response> {
    if (!this.#running) throw new Fault(50301, 'stopped', 'This bot is not running.')
    const { pathname } = new URL(request.url)
    const uuid = this.#services.bot_uuid
    const action = pathname.slice(pathname.lastIndexOf(uuid) + uuid.length).replace(/\/$/, '')
    if (action !== '' && action !== '/sync' && action !== '/reset') {
      throw new Fault(40401, 'not_found', 'There are /bots/<uuid>, /bots/<uuid>/sync and /bots/<uuid>/reset.')
    }
    if (request.method !== 'POST') throw new Fault(40501, 'method_not_allowed', 'Use POST.')
    if (action === '/reset') return this.#reset(request)
    const inbound = await this.#read(request)
    return action === '/sync' ? this.#sync(inbound, request.signal) : this.#message(inbound)
  }

  async #message({ message, message_id, incoming }: InboundEvent): Promise<Response> {
    this.#sequences.open(message.session_id, message_id)
    const { duplicate } = await this.#emit(incoming)
    return answer(202, { accepted_message_id: message_id, session_id: message.session_id, duplicate })
  }

  async #sync({ message, message_id, incoming }: InboundEvent, left: AbortSignal): Promise<Response> {
    // Before the event is in: an answer may be there before `emit` resolves.
    const waiter = this.#waiters.open(message.session_id, message_id)
    if (waiter === null) {
      throw new Fault(
        40901,
        'session_busy',
        'Another /sync of this session waits for its answer. Call again after it, or use another session_id.',
      )
    }
    try {
      this.#sequences.open(message.session_id, message_id)
      const { event_id, duplicate } = await this.#emit(incoming)
      if (duplicate) {
        throw new Fault(40901, 'duplicate', 'This message was accepted before; its answer went to the first request.', {
          accepted_message_id: message_id,
        })
      }
      const seconds = 4 * this.#settings.callbackTimeout
      const ended = await untilEnded(this.#services, { event_id, waiter, seconds, left, stopped: this.#stopped.signal })
      this.#waiters.close(waiter)
      if (ended.status === 'left') this.#passOn(waiter)
      return syncAnswer(waiter, ended, seconds, this.#settings.callbackUrl !== null)
    } finally {
      this.#waiters.close(waiter)
    }
  }

  /** Collected for a caller who has gone: called back instead, so that it is not lost. */
  #passOn(waiter: Waiter): void {
    for (const message of waiter.collected) {
      this.#outbound.send(message, this.#stopped.signal).catch((error: unknown) => {
        const about = { session_id: waiter.session_id, message_id: waiter.message_id }
        this.#services.log('warning', `An answer for a caller who went away was not delivered: ${said(error)}`, about)
      })
    }
  }

  async #reset(request: Request): Promise<Response> {
    const { body } = await verified(request, this.#settings, this.#services.now())
    const { session_id, session_type } = readSession(body, this.#settings)
    if (this.#services.resetConversation === undefined) {
      throw new Fault(50101, 'not_supported', 'This host cannot start a new conversation. Use another session_id.')
    }
    await this.#services.resetConversation({ target_type: session_type, target_id: session_id })
    return answer(200, { session_id, reset: true })
  }

  async #read(request: Request): Promise<InboundEvent> {
    const proof = await verified(request, this.#settings, this.#services.now())
    return this.#events.make(proof, readMessage(proof.body, this.#settings))
  }

  async #emit(incoming: IncomingEvent): Promise<{ event_id: string; duplicate: boolean }> {
    if (this.#inbound >= MAX_INBOUND)
      throw new Fault(50301, 'overloaded', `${MAX_INBOUND} requests are being stored. Try again.`)
    this.#inbound++
    try {
      const accepted = await this.#services.emit(incoming)
      if (accepted.status === 'refused') {
        const code = accepted.reason === 'invalid_event' ? 40001 : 50301
        throw new Fault(code, accepted.reason, accepted.message, { retry: accepted.retry })
      }
      return { event_id: accepted.event_id, duplicate: accepted.status === 'duplicate' }
    } finally {
      this.#inbound--
    }
  }
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
