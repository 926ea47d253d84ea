/** Answers of tools and platforms as objects: the SDK's own record of a call holds nothing else (wire.md §6.5). */
import type { Json, JsonObject } from '@runbound/protocol'
import { isJsonObject } from '@runbound/protocol/schemas'

/** Lists become `{items}`, other values `{value}`; objects and null stay. */
export function wrapResult(value: Json): JsonObject | null {
  if (value === null || isJsonObject(value)) return value
  return Array.isArray(value) ? { items: value } : { value }
}
