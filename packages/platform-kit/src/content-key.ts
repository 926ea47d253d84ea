/** Dedupe keys for platforms that give their updates no id. */
import { createHash } from 'node:crypto'
import type { PlatformEvent } from '@runbound/protocol'

/** Left out: where we run and what the raw object looked like may differ between two deliveries of one event. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'instance_uuid',
  'workspace_uuid',
  'placement_generation',
  'bot_uuid',
  'source_platform_object',
])

/**
 * A `dedupe_key` from the content of an event and the platform's time: equal for a redelivery, different for another
 * event. `version` goes in where the platform counts edits or changes. Null if the event has no platform time: two
 * equal messages could then not be told from one delivered twice.
 *
 * @example
 * services.emit({ event, dedupe_key: contentKey(event) })
 */
export function contentKey(event: PlatformEvent, version: string | number | null = null): string | null {
  if (!(event.timestamp > 0)) return null
  const content = JSON.stringify({ ...event, version }, (key, value: unknown) => {
    if (OWN_FIELDS.has(key)) return undefined
    if (typeof value === 'bigint') return `${value}n`
    return sorted(value)
  })
  return `${event.type}:${createHash('sha256').update(content).digest('hex').slice(0, 40)}`
}

/** Objects with their keys in order, so that the order in which a platform wrote them does not matter. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}
