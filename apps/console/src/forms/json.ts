/** JSON as the API knows it, and the few questions that forms ask of it. */
import type { Output } from '../data/client.ts'

export type JsonObject = Output<'getPlugin'>['settings']
export type Json = JsonObject[string]

/** An object, and no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Equal as JSON; the order of keys does not count, and an absent key is the same as undefined. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].every((key) => sameJson(Reflect.get(a, key), Reflect.get(b, key)))
}

/** The list that stands there, or none. */
export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/** The object without these keys and without what is undefined. */
export function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([key, value]) => value !== undefined && !names.includes(key)),
  )
}
