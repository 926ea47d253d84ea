/** Cuts text to a documented length without tearing a character apart. */

/** At most `max` UTF-16 units; what is cut ends in three dots. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  let end = max - 3
  const before = text.charCodeAt(end - 1)
  if (before >= 0xd800 && before <= 0xdbff) end -= 1
  return `${text.slice(0, end)}...`
}
