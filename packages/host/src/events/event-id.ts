/** Ids of events: readable, with the type in them, and one of their own for each thing that happened. */
import { createHash, randomUUID } from 'node:crypto'
import type { PlatformEvent } from '@runbound/protocol'

const NATURAL_MAX = 128

/**
 * `platform:<bot>:<type>:<what>:<version>`. An edit or a reaction shares its message's id, so what tells it apart is the
 * version: the adapter's dedupe key, else something random. `again`: the id is taken by an older event.
 */
export function platformEventId(
  botUuid: string,
  event: PlatformEvent,
  dedupeKey: string | null,
  again = false,
): string {
  const version = dedupeKey === null || again ? randomUUID() : short(dedupeKey)
  const what = naturalId(event)
  return `platform:${botUuid}:${event.type}:${what === '' ? '' : `${short(what)}:`}${version}`
}

export function debugEventId(processorId: string): string {
  return `debug:${processorId}:${randomUUID()}`
}

/** The platform's own id of the thing, for people who read logs. Message ids are unique only within their chat. */
function naturalId(event: PlatformEvent): string {
  if ('feedback_id' in event) return event.feedback_id
  if ('request_id' in event && event.request_id !== null) return String(event.request_id)
  if (!('message_id' in event) || !('chat_id' in event)) return ''
  const id = String(event.message_id)
  return id === '' ? '' : `${String(event.chat_id)}/${id}`
}

function short(text: string): string {
  return text.length <= NATURAL_MAX ? text : createHash('sha256').update(text).digest('hex').slice(0, 32)
}
