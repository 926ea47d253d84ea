/**
 * Hands events to the host until it has taken them. An event is in the log before; it is handed over again after a
 * restart, with the same key, so the host sees each at least once and can tell a repetition.
 */
import type { Accepted, AdapterServices, IncomingEvent } from '@runbound/platform-kit'
import type { PlatformEvent } from '@runbound/protocol'
import { fillFiles } from './chains.ts'
import type { FileStore } from './files.ts'
import type { LogRecord, PendingEvent } from './model.ts'
import type { Store } from './store.ts'

/** What became of an event. `failed`: nobody knows; it stays in the log and is handed over again later. */
export type Emitted =
  | { readonly status: 'accepted'; readonly event_id: string | null }
  | { readonly status: 'refused'; readonly reason: string; readonly message: string; readonly retry: boolean }
  | { readonly status: 'failed'; readonly message: string }

export class Emitter {
  readonly #store: Store
  readonly #files: FileStore
  readonly #services: AdapterServices
  /** The last hand-over of each lane: events of one chat reach the host in their order. */
  readonly #lanes = new Map<string, Promise<unknown>>()

  constructor(store: Store, files: FileStore, services: AdapterServices) {
    this.#store = store
    this.#files = files
    this.#services = services
  }

  /** Hands over one event of the log, after those before it in its lane. An event that was taken already is accepted. */
  emit(key: string): Promise<Emitted> {
    const event = this.#store.world.events.get(key)
    if (event === undefined) return Promise.resolve({ status: 'accepted', event_id: null })
    const before = this.#lanes.get(event.lane) ?? Promise.resolve()
    const turn = before.then(() => this.#handOver(key))
    this.#lanes.set(event.lane, turn)
    void turn.finally(() => {
      if (this.#lanes.get(event.lane) === turn) this.#lanes.delete(event.lane)
    })
    return turn
  }

  /** Hands over what an earlier process could not. Refused events wait for their person to try again. */
  resume(): void {
    for (const event of this.#store.world.events.values()) if (!event.refused) void this.emit(event.key)
  }

  async #handOver(key: string): Promise<Emitted> {
    const event = this.#store.world.events.get(key)
    if (event === undefined) return { status: 'accepted', event_id: null }
    if (this.#services.signal.aborted) return { status: 'failed', message: 'The bot is stopping.' }
    try {
      const accepted = await this.#services.emit(await this.#fill(event.incoming))
      await this.#store.commit(this.#settle(event, accepted))
      if (accepted.status === 'refused') return accepted
      this.#follow(event, accepted.event_id)
      return { status: 'accepted', event_id: accepted.event_id }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      this.#services.log('error', `The host did not answer for event ${key}: ${message}`)
      return { status: 'failed', message: 'The host could not take the message just now. It is kept; try again.' }
    }
  }

  /** Keeps at the message why it got no answer; the trail has the whole story. */
  #follow(event: PendingEvent, eventId: string): void {
    const { settled, signal } = this.#services
    if (settled === undefined || event.message_id === null) return
    const messageId = event.message_id
    settled
      .call(this.#services, eventId, signal)
      .then(({ status, reason, message: text }) => {
        const message = this.#store.world.message(messageId)
        if (status === 'answered' || message === undefined || message.deleted_at !== null) return undefined
        const outcome = { status, reason, message: text }
        return this.#store.commit([{ t: 'message', message: { ...message, outcome } }])
      })
      // The bot stops, or the log can't be written: the message stays without its reason.
      .catch(() => {})
  }

  #settle(event: PendingEvent, accepted: Accepted): LogRecord[] {
    const refusal = accepted.status === 'refused' ? { message: accepted.message, retry: accepted.retry } : null
    const records: LogRecord[] = [
      refusal === null ? { t: 'event_done', key: event.key } : { t: 'event', event: { ...event, refused: true } },
    ]
    // Only the message's own first event says whether the message arrived.
    const message = event.message_id === null ? undefined : this.#store.world.message(event.message_id)
    if (message !== undefined && message.uuid === event.key) {
      records.push({ t: 'message', message: { ...message, status: refusal === null ? 'sent' : 'refused', refusal } })
    }
    return records
  }

  async #fill(incoming: IncomingEvent): Promise<IncomingEvent> {
    const dataUrl = async (id: string): Promise<string | null> => {
      const file = this.#store.world.files.get(id)
      if (file === undefined) return null
      return `data:${file.mime};base64,${(await this.#files.read(id)).toString('base64')}`
    }
    const event = await fillEvent(incoming.event, dataUrl)
    return { ...incoming, event }
  }
}

async function fillEvent(
  event: PlatformEvent,
  dataUrl: (id: string) => Promise<string | null>,
): Promise<PlatformEvent> {
  if (event.type === 'message.received') {
    return { ...event, message_chain: await fillFiles(event.message_chain, dataUrl) }
  }
  if (event.type === 'message.edited') return { ...event, new_content: await fillFiles(event.new_content, dataUrl) }
  return event
}
