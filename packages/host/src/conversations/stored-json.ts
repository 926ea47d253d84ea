/** JSON as the database keeps it: written by us, so only ids beyond 2^53 need more than the engine's own parser. */
import { parse, stringify } from '@runbound/link'
import type { Json } from '@runbound/protocol'

const LONG_NUMBER = /\d{16}/

/** Whole numbers beyond 2^53 (bigint) become digits, NaN and infinities null. */
export function writeJson(value: unknown): string {
  return stringify(value, { nonFinite: 'null' })
}

export function readJson(text: string): Json {
  return LONG_NUMBER.test(text) ? parse(text) : JSON.parse(text)
}
