/**
 * Finds a frame behind a print without line end (wire.md §1.3): `some text{"seq_id": 1, ...}`. Losing such a frame
 * would cost a whole call or run.
 */

/** How a frame begins: as Python spells it, and as we do. */
const HEADS = ['{"seq_id"', '{"stream_index"', '{"type": "chunk_', '{"type":"chunk_']

/** A hostile line may hold many heads; each try costs a parse. */
const TRIES = 8

/** True when the line begins like a frame, so that no search is needed. */
export function beginsFrame(line: string): boolean {
  return HEADS.some((head) => line.startsWith(head))
}

/** The frame at the end of a line and the text in front of it; null when no rest of the line is a JSON object. */
export function splitGlued(line: string): { readonly noise: string; readonly frame: string } | null {
  let from = 1
  for (let tries = 0; tries < TRIES; tries++) {
    const at = nextHead(line, from)
    if (at === -1) return null
    const frame = line.slice(at)
    if (isJson(frame)) return { noise: line.slice(0, at), frame }
    from = at + 1
  }
  return null
}

function nextHead(line: string, from: number): number {
  let first = -1
  for (const head of HEADS) {
    const at = line.indexOf(head, from)
    if (at !== -1 && (first === -1 || at < first)) first = at
  }
  return first
}

/** Only the outer shape is checked; words that JSON.parse refuses (NaN) are Python's and fine. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return balanced(text)
  }
}

/** True when the first bracket is closed by the last character, strings aside. */
function balanced(text: string): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text[i]
    if (unit === '"') {
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++
      if (i >= text.length) return false
    } else if (unit === '{' || unit === '[') depth++
    else if (unit === '}' || unit === ']') {
      if (--depth === 0) return i === text.length - 1
    }
  }
  return false
}
