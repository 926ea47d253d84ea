/** Ids of events: one of their own for each thing that happened, with the type in them, in the order of their arrival. */
import { createHash } from 'node:crypto'
import type { PlatformEvent } from '@runbound/protocol'
import { timeId } from '../time-id.ts'

const VERSION_MAX = 128

/**
 * `platform:<type>:<time id>`, and for everything but a new message `:<version>`: edits and reactions of one message are told
 * apart by the adapter's dedupe key, where there is one. Bot, chat and message stand in the event's own columns: an id is
 * written into seventeen places of each message.
 */
export function platformEventId(event: PlatformEvent, dedupeKey: string | null, now: number): string {
  const id = `platform:${event.type}:${timeId(now)}`
  return dedupeKey === null || event.type === 'message.received' ? id : `${id}:${short(dedupeKey)}`
}

export function debugEventId(processorId: string, now: number): string {
  return `debug:${processorId}:${timeId(now)}`
}

function short(text: string): string {
  return text.length <= VERSION_MAX ? text : createHash('sha256').update(text).digest('hex').slice(0, 32)
}
