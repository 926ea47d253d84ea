/** How long a text is, in the unit in which a platform counts. */
import type { AdapterLimits, LengthUnit } from './adapter.ts'

/** Measures a text; the unit is known to whoever made the function. */
export type Measure = (text: string) => number

const ENCODER = new TextEncoder()
/** Scratch space for counting bytes: encodeInto needs a target, and 3 bytes hold any UTF-16 unit. */
const SCRATCH = new Uint8Array(3 * 4096)

function utf16(text: string): number {
  return text.length
}

function codepoint(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length - 1; at++) {
    // A well-formed pair is one character; a lone surrogate counts as one as well.
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
      count--
      at++
    }
  }
  return count
}

function byte(text: string): number {
  let bytes = 0
  for (let rest = text; rest !== ''; ) {
    const { read, written } = ENCODER.encodeInto(rest, SCRATCH)
    bytes += written
    rest = rest.slice(read)
  }
  return bytes
}

const MEASURES: Readonly<Record<Exclude<LengthUnit, 'rendered'>, Measure>> = { utf16, codepoint, byte }

/** Length of a text in UTF-16 units, code points or UTF-8 bytes. */
export function textLength(text: string, unit: Exclude<LengthUnit, 'rendered'>): number {
  return MEASURES[unit](text)
}

/**
 * The function that measures in the unit of these limits. A `measure` of the adapter always wins, because it knows
 * what is really sent; unit `rendered` without one throws a TypeError: only the adapter can know that length.
 */
export function measureOf(limits: Pick<AdapterLimits, 'unit' | 'measure'>): Measure {
  if (limits.measure !== undefined) {
    const owner = limits
    return (text) => owner.measure?.(text) ?? 0
  }
  if (limits.unit === 'rendered') {
    throw new TypeError(
      'limits.unit is "rendered", but limits.measure is missing: the adapter must say how long a text is when sent.',
    )
  }
  return MEASURES[limits.unit]
}
