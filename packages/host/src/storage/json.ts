/** Values as they are kept: JSON text that gives back exactly what was stored, whole numbers of any size included. */
import { parse, stringify } from '@runbound/link'
import { type Json, WireError } from '@runbound/protocol'

/** Python's words for numbers that JSON doesn't have. Only looked for outside of text. */
const WORDS = /NaN|Infinity/

/** The text of a value. Throws `invalid_params` for what JSON can't hold: NaN, Infinity. */
export function toText(value: Json): string {
  const text = stringify(value)
  if (WORDS.test(text) && holdsWord(value)) {
    throw new WireError('invalid_params', '"value": NaN and Infinity are not JSON. Store null or text instead.', {
      details: { field: 'value' },
    })
  }
  return text
}

/** The value of a text. */
export function fromText(text: string): Json {
  return parse(text)
}

function holdsWord(value: Json | undefined): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(holdsWord)
}
