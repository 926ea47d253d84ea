/** Lengths as the specification counts them: characters are code points, not UTF-16 units. */

/** True if the text has more code points than `max`. Short texts cost nothing. */
export function exceedsCharacters(text: string, max: number): boolean {
  if (text.length <= max) return false
  // A code point has at most two units, so only the middle needs counting.
  if (text.length > max * 2) return true
  let count = 0
  for (const _ of text) if (++count > max) return true
  return false
}
