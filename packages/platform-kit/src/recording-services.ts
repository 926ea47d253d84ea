/** The host's side of an adapter for tests of adapters: remembers what was emitted, and deduplicates as the host does. */
import type { JsonObject } from '@runbound/protocol'
import type { Accepted, AdapterServices, IncomingEvent } from './adapter.ts'

export interface RecordingServices extends AdapterServices {
  /** Every event that the adapter handed in, duplicates too. */
  readonly emitted: readonly IncomingEvent[]
  /** Events that the host would have handled: the first of each `dedupe_key`. */
  readonly accepted: readonly IncomingEvent[]
  readonly logs: readonly { readonly level: string; readonly text: string; readonly details?: JsonObject }[]
  /** What the next events are answered with, instead of being accepted. */
  refuse(...answers: Extract<Accepted, { status: 'refused' }>[]): void
  /** Makes `emit` wait: events come through when the returned function is called. */
  hold(): () => void
  /** Aborts `signal`, as when the bot stops. */
  abort(): void
}

/** Services of a host that accepts everything once. `now` defaults to the system's clock, in milliseconds. */
export function recordingServices(
  bot_uuid: string,
  options: Partial<Pick<AdapterServices, 'now' | 'settled' | 'resetConversation'>> = {},
): RecordingServices {
  const controller = new AbortController()
  const emitted: IncomingEvent[] = []
  const accepted: IncomingEvent[] = []
  const logs: { level: string; text: string; details?: JsonObject }[] = []
  const notes = new Map<string, string>()
  const ids = new Map<string, string>()
  const refusals: Extract<Accepted, { status: 'refused' }>[] = []
  let gate = Promise.resolve()
  return {
    bot_uuid,
    bot_name: `bot ${bot_uuid}`,
    emitted,
    accepted,
    logs,
    signal: controller.signal,
    now: options.now ?? Date.now,
    ...(options.settled === undefined ? {} : { settled: options.settled }),
    ...(options.resetConversation === undefined ? {} : { resetConversation: options.resetConversation }),
    log: (level, text, details) => {
      logs.push({ level, text, ...(details === undefined ? {} : { details }) })
    },
    notes: {
      get: async (key) => notes.get(key) ?? null,
      set: async (key, value) => {
        notes.set(key, value)
      },
    },
    async emit(event) {
      emitted.push(event)
      await gate
      const refusal = refusals.shift()
      if (refusal !== undefined) return refusal
      const known = event.dedupe_key === null ? undefined : ids.get(event.dedupe_key)
      if (known !== undefined) return { status: 'duplicate', event_id: known }
      const event_id = `event-${accepted.push(event)}`
      if (event.dedupe_key !== null) ids.set(event.dedupe_key, event_id)
      return { status: 'accepted', event_id }
    },
    refuse: (...answers) => {
      refusals.push(...answers)
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return () => {
        gate = Promise.resolve()
        resolve()
      }
    },
    abort: () => controller.abort(),
  }
}
