/** What JSON can hold, checked before anything is sent: silence would store something else than was given. */
import { stringify } from '@runbound/link'
import type { Json } from '@runbound/protocol'
import { SdkError } from '../../errors.ts'

/** Deepest nesting that the link takes; deeper values are circular or no data. */
const DEPTH = 100

/**
 * Refuses a value that JSON cannot hold. Undefined properties count as absent; whole numbers may be bigint.
 * Throws SdkError `not_json` with the place.
 */
export function assertJson(value: unknown, what: string): asserts value is Json {
  walk(value, what, 0)
}

function walk(value: unknown, at: string, depth: number): void {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return
    case 'number':
      if (!Number.isFinite(value)) refuse(at, `${value} is no JSON number`)
      return
    case 'object':
      break
    default:
      refuse(at, `${typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`} is not JSON`)
  }
  if (value === null) return
  if (depth >= DEPTH) refuse(at, `it is circular, or nested deeper than ${DEPTH}`)
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) walk(value[i], `${at}[${i}]`, depth + 1)
    return
  }
  const shape = Object.getPrototypeOf(value)
  // Objects of another realm have another Object.prototype; theirs has no prototype either.
  if (shape !== null && Object.getPrototypeOf(shape) !== null) {
    refuse(
      at,
      `a ${shape.constructor?.name ?? 'class instance'} is not JSON; give plain data (for a Date its toISOString())`,
    )
  }
  for (const key of Object.keys(value)) {
    const item: unknown = Reflect.get(value, key)
    if (item !== undefined) walk(item, `${at}.${key}`, depth + 1)
  }
}

function refuse(at: string, why: string): never {
  throw new SdkError('not_json', `${at}: ${why}.`)
}

/** Bytes that one UTF-16 unit can take at most in JSON text: `\u0000`. */
const WORST_UNIT = 6

/**
 * True if the JSON text of plain data is longer than `max` bytes. Small values cost one walk, only those near the limit
 * are written out.
 */
export function exceedsJsonBytes(value: unknown, max: number): boolean {
  const units = roughUnits(value, max)
  if (units > max) return true
  if (units * WORST_UNIT <= max) return false
  return new TextEncoder().encode(stringify(value)).length > max
}

/** Lower bound of the JSON text's length; stops once it is above `max`. */
function roughUnits(value: unknown, max: number): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 4
  let sum = 2
  for (const key in value) {
    if (!Array.isArray(value)) sum += key.length + 3
    sum += roughUnits(Reflect.get(value, key), max) + 1
    if (sum > max) return sum
  }
  return sum
}
