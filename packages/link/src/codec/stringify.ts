/** Writes JSON so that every number survives at a Python or Runbound reader: bigint as digits, NaN as a bare word. */
import { LinkError } from '../errors.ts'

/** Far above what a receiver takes; there only to end on a circular value. */
const DEEPEST = 1000

/** How numbers that JSON does not know are written: as Python's bare words (default), or as null. */
export interface StringifyOptions {
  readonly nonFinite?: 'word' | 'null'
}

/**
 * JSON text of a value; like JSON.stringify, but bigint becomes digits and NaN, Infinity become bare words unless
 * `nonFinite` is `null`. A float beyond 2^53 is written in digits and read back as a bigint. Throws LinkError `invalid` for a circular value or one that has no JSON form.
 */
export function stringify(value: unknown, options: StringifyOptions = {}): string {
  const words = options.nonFinite !== 'null'
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch {
    // A bigint, or a circular value, or a toJSON that throws: the exact writer tells them apart.
    text = write(value, words, 0)
  }
  if (text === undefined) throw new LinkError('invalid', `A ${typeof value} has no JSON form.`)
  // JSON.stringify turns NaN and Infinity into null, so without a null in the text there was none.
  if (words && text.includes('null') && hasNonFinite(value)) return write(value, words, 0) ?? 'null'
  return text
}

function hasNonFinite(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasNonFinite)
  for (const key in value) if (hasNonFinite(Reflect.get(value, key))) return true
  return false
}

function write(value: unknown, words: boolean, depth: number): string | undefined {
  if (depth > DEEPEST) throw new LinkError('invalid', `The value is circular or nested deeper than ${DEEPEST}.`)
  switch (typeof value) {
    case 'bigint':
      return value.toString()
    case 'number':
      return Number.isFinite(value) || !words ? JSON.stringify(value) : String(value)
    case 'object':
      return value === null ? 'null' : writeObject(value, words, depth)
    default:
      return JSON.stringify(value)
  }
}

function writeObject(value: object, words: boolean, depth: number): string | undefined {
  const toJson: unknown = Reflect.get(value, 'toJSON')
  if (typeof toJson === 'function') return write(toJson.call(value), words, depth + 1)
  if (Array.isArray(value)) return `[${value.map((item) => write(item, words, depth + 1) ?? 'null').join(',')}]`
  const parts: string[] = []
  for (const [key, item] of Object.entries(value)) {
    const text = write(item, words, depth + 1)
    if (text !== undefined) parts.push(`${JSON.stringify(key)}:${text}`)
  }
  return `{${parts.join(',')}}`
}
