/** What a run reads as a tool's result: always an object or null, because the Python SDK's own trace holds nothing else. */
import type { Json, JsonObject } from '@runbound/protocol'

/** Lists become `{items}`, other values `{value}` (wire.md §6.5). */
export function asObject(value: Json): JsonObject | null {
  if (value === null) return null
  if (Array.isArray(value)) return { items: value }
  return typeof value === 'object' ? (value as JsonObject) : { value }
}
