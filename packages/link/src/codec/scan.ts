/**
 * One pass over a JSON text before anything is built from it: refuses depth and digit bombs, and finds out whether
 * the engine's own parser would lose something (big whole numbers, Python's bare words).
 */
import { overLimit } from '../errors.ts'

const QUOTE = 34
const BACKSLASH = 92

/** What the codec may build from a text at most. */
export interface ShapeLimits {
  /** Deepest nesting of objects and arrays. */
  readonly depth: number
  /** Digits of one number. */
  readonly digits: number
}

/** A whole number of fewer digits is always exact as a JavaScript number. */
const SAFE_DIGITS = 15

/**
 * Checks depth and digits; true when the exact reader is needed instead of JSON.parse.
 * Throws LinkError `too_large` with the name of the limit. Broken JSON is left for the reader to refuse.
 */
export function needsExactReader(text: string, limits: ShapeLimits): boolean {
  let depth = 0
  let exact = false
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === QUOTE) {
      i = endOfString(text, i)
      if (i === -1) return exact
    } else if (unit === 123 || unit === 91) {
      if (++depth > limits.depth) throw overLimit('depth', limits.depth, 'the JSON is nested deeper')
    } else if (unit === 125 || unit === 93) {
      depth--
    } else if (unit >= 48 && unit <= 57) {
      const end = endOfNumber(text, i)
      if (end - i > SAFE_DIGITS && tooPrecise(text, i, end, limits.digits)) exact = true
      i = end - 1
    } else if (unit === 78 || unit === 73) {
      exact = true
    }
  }
  return exact
}

/** Index of the quote that ends the string starting at `start`; -1 when it has no end. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, at: number): boolean {
  let from = at
  while (text.charCodeAt(from - 1) === BACKSLASH) from--
  return (at - from) % 2 === 1
}

/** Index after the last character that can belong to the number starting at `start`. */
export function endOfNumber(text: string, start: number): number {
  let end = start + 1
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end)
    // digits, and + - . E e
    const belongs =
      (unit >= 48 && unit <= 57) || unit === 43 || unit === 45 || unit === 46 || unit === 69 || unit === 101
    if (!belongs) break
  }
  return end
}

function tooPrecise(text: string, start: number, end: number, limit: number): boolean {
  let digits = 0
  let whole = true
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 48 && unit <= 57) digits++
    else whole = false
  }
  if (digits > limit) throw overLimit('digits', limit, `a number has ${digits} digits`)
  return whole && digits > SAFE_DIGITS
}
