/** UTF-8 sizes and safe cuts of JavaScript strings, without Node. */

/** Bytes of a text in UTF-8; a lone surrogate counts 3, as its replacement character does. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) continue
    if (unit < 0x800) bytes += 1
    else if (unit >= 0xd800 && unit <= 0xdbff && isLow(text.charCodeAt(i + 1))) {
      bytes += 2
      i++
    } else bytes += 2
  }
  return bytes
}

/** True when the text has more bytes than `limit`; counts only when the length alone cannot tell. */
export function exceedsBytes(text: string, limit: number): boolean {
  if (text.length * 3 <= limit) return false
  return text.length > limit || utf8Length(text) > limit
}

/** At most `limit` UTF-16 units from the start, never half of a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const splits = isHigh(text.charCodeAt(limit - 1)) && isLow(text.charCodeAt(limit))
  return text.slice(0, splits ? limit - 1 : limit)
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
