/** Reads what an adapter hands in: shape, size and depth of a platform event, with the field that is wrong. */
import type { IncomingEvent } from '@runbound/platform-kit'
import type { JsonObject, PlatformEvent } from '@runbound/protocol'
import { PlatformEventSchema } from '@runbound/protocol/schemas'
import { DEPTH_MAX, deeperThan } from '../json-depth.ts'

export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: string }

/** Longest key that is deduplicated by; longer ones are an adapter's mistake. */
const DEDUPE_KEY_MAX = 512

/** A platform event with every default filled in, or which field is wrong and why. */
export function readPlatformEvent(value: unknown): Read<PlatformEvent> {
  if (deeperThan(value, DEPTH_MAX)) return { ok: false, fault: `event: nested deeper than ${DEPTH_MAX} levels` }
  const read = PlatformEventSchema.safeParse(value)
  if (read.success) return { ok: true, value: read.data }
  const issue = read.error.issues[0]
  const field = issue === undefined ? 'event' : fieldPath('event', issue.path)
  return { ok: false, fault: `${field}: ${issue?.message ?? 'not readable'}` }
}

/** The parts beside the event, which TypeScript promises but a JavaScript adapter may get wrong. */
export function readIncoming(incoming: IncomingEvent): Read<PlatformEvent> {
  const { dedupe_key: key, extra, thread_id: thread } = incoming
  if (key !== null && (typeof key !== 'string' || key === '' || key.length > DEDUPE_KEY_MAX)) {
    return { ok: false, fault: `dedupe_key: must be null or text of 1 to ${DEDUPE_KEY_MAX} characters` }
  }
  if (thread != null && typeof thread !== 'string') return { ok: false, fault: 'thread_id: must be text or null' }
  if (extra !== undefined && !isReadable(extra)) {
    return { ok: false, fault: `extra: must be an object of at most ${DEPTH_MAX} levels` }
  }
  return readPlatformEvent(incoming.event)
}

/** `event.message_chain[0].text` from a path of zod. */
export function fieldPath(root: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((so, key) => so + (typeof key === 'number' ? `[${key}]` : `.${String(key)}`), root)
}

function isReadable(extra: JsonObject): boolean {
  return typeof extra === 'object' && extra !== null && !Array.isArray(extra) && !deeperThan(extra, DEPTH_MAX)
}
