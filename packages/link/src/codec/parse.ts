/**
 * Reads JSON as Python writes it: bare NaN and Infinity, whole numbers of any size (as bigint beyond 2^53), lone
 * surrogates. Texts with none of these go to JSON.parse.
 */
import type { Json } from '@runbound/protocol'
import { LinkError } from '../errors.ts'
import { DEFAULT_LIMITS } from '../limits.ts'
import { endOfNumber, endOfString, needsExactReader, type ShapeLimits } from './scan.ts'

const NUMBER = /^-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/**
 * Parses one JSON text. Whole numbers beyond 2^53 become bigint; `NaN`, `Infinity`, `-Infinity` become those numbers.
 * Throws LinkError `protocol` when it is no JSON, `too_large` beyond the limits for depth and digits.
 *
 * @example
 * parse('{"n": 1180591620717411303424, "x": NaN}') // { n: 1180591620717411303424n, x: NaN }
 */
export function parse(text: string, limits: ShapeLimits = DEFAULT_LIMITS): Json {
  if (needsExactReader(text, limits)) return new ExactReader(text).read()
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new LinkError('protocol', 'The text is not JSON.', { cause })
  }
}

/** A plain recursive reader; the depth is already known to be bounded. */
class ExactReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): Json {
    const value = this.#value()
    this.#space()
    if (this.#at !== this.#text.length) throw this.#broken()
    return value
  }

  #value(): Json {
    this.#space()
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object()
      case '[':
        return this.#array()
      case '"':
        return this.#string()
      case 't':
        return this.#word('true', true)
      case 'f':
        return this.#word('false', false)
      case 'n':
        return this.#word('null', null)
      case 'N':
        return this.#word('NaN', Number.NaN)
      case 'I':
        return this.#word('Infinity', Number.POSITIVE_INFINITY)
      default:
        return this.#number()
    }
  }

  #object(): Json {
    const object: Record<string, Json> = {}
    this.#at++
    if (this.#takes('}')) return object
    do {
      this.#space()
      if (this.#text[this.#at] !== '"') throw this.#broken()
      const key = this.#string()
      if (!this.#takes(':')) throw this.#broken()
      const value = this.#value()
      // As JSON.parse does: an own property, never the prototype.
      if (key === '__proto__') {
        Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
      } else object[key] = value
    } while (this.#takes(','))
    if (!this.#takes('}')) throw this.#broken()
    return object
  }

  #array(): Json {
    const array: Json[] = []
    this.#at++
    if (this.#takes(']')) return array
    do array.push(this.#value())
    while (this.#takes(','))
    if (!this.#takes(']')) throw this.#broken()
    return array
  }

  #string(): string {
    const end = endOfString(this.#text, this.#at)
    if (end === -1) throw this.#broken()
    const token = this.#text.slice(this.#at, end + 1)
    this.#at = end + 1
    try {
      return JSON.parse(token)
    } catch (cause) {
      throw this.#broken(cause)
    }
  }

  #number(): Json {
    if (this.#text.startsWith('-Infinity', this.#at)) return this.#word('-Infinity', Number.NEGATIVE_INFINITY)
    const end = endOfNumber(this.#text, this.#at)
    const token = this.#text.slice(this.#at, end)
    const match = NUMBER.exec(token)
    if (match === null) throw this.#broken()
    this.#at = end
    const value = Number(token)
    const whole = match[1] === undefined && match[2] === undefined
    return whole && !Number.isSafeInteger(value) ? BigInt(token) : value
  }

  #word<T extends Json>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#broken()
    this.#at += word.length
    return value
  }

  #takes(unit: string): boolean {
    this.#space()
    if (this.#text[this.#at] !== unit) return false
    this.#at++
    return true
  }

  #space(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at)
      if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return
      this.#at++
    }
  }

  #broken(cause?: unknown): LinkError {
    return new LinkError('protocol', `The text is not JSON: unexpected character at ${this.#at}.`, { cause })
  }
}
