/** Where the fenced code blocks of a text are, so that a cut can close and reopen them. */

/** One fenced block as half-open ranges of the source: `[start, end)` with its fence lines, `[contentStart, contentEnd)` inside. */
export interface Fence {
  readonly start: number
  readonly contentStart: number
  readonly contentEnd: number
  /** End of the last visible character inside; `contentStart` if there is none. */
  readonly codeEnd: number
  readonly end: number
  /** The opening line again, with its language and line break. */
  readonly reopen: string
  /** The closing fence, without a line break. */
  readonly close: string
}

const OPENING = /^([ \t]*)(`{3,}|~{3,})([^\r\n]*)$/

interface Open {
  readonly start: number
  readonly contentStart: number
  readonly reopen: string
  readonly close: string
  readonly mark: string
}

/** All fenced blocks in order. One that never closes reaches to the end of the text: a model may have been cut off. */
export function findFences(text: string): Fence[] {
  const fences: Fence[] = []
  let open: Open | null = null
  for (let start = 0; start < text.length; ) {
    const lineBreak = text.indexOf('\n', start)
    const next = lineBreak < 0 ? text.length : lineBreak + 1
    const first = text.charCodeAt(start)
    // Most lines start with a letter: they are passed over without being copied.
    if (first === 0x60 || first === 0x7e || first === 0x20 || first === 0x09) {
      const line = text.slice(start, lineBreak < 0 ? text.length : lineBreak).replace(/\r$/, '')
      if (open === null) open = opened(line, start, next)
      else if (closes(line, open.mark)) {
        fences.push(closed(text, open, start, next))
        open = null
      }
    }
    start = next
  }
  if (open !== null) fences.push(closed(text, open, text.length, text.length))
  return fences
}

function closed(text: string, open: Open, contentEnd: number, end: number): Fence {
  const { start, contentStart, reopen, close } = open
  let codeEnd = contentEnd
  while (codeEnd > contentStart && text.charAt(codeEnd - 1).trim() === '') codeEnd--
  return { start, contentStart, contentEnd, codeEnd, end, reopen, close }
}

function opened(line: string, start: number, contentStart: number): Open | null {
  const match = OPENING.exec(line)
  if (match === null) return null
  const [, indent = '', mark = '', info = ''] = match
  // A backtick after the mark makes it inline code, such as ```x``` in one line.
  if (mark.startsWith('`') && info.includes('`')) return null
  return { start, contentStart, reopen: `${line}\n`, close: `${indent}${mark}`, mark }
}

function closes(line: string, mark: string): boolean {
  const bare = line.trim()
  if (bare.length < mark.length) return false
  const sign = mark.charAt(0)
  for (let at = 0; at < bare.length; at++) if (bare.charAt(at) !== sign) return false
  return true
}

/** The fence whose inside holds a cut at `at`, or null: cuts at either end of a block need no closing. */
export function fenceAround(fences: readonly Fence[], at: number): Fence | null {
  const fence = fences[lastStartingBefore(fences, at)]
  return fence !== undefined && at > fence.start && at < fence.end ? fence : null
}

/** Index of the last fence that starts before `at`, or -1. */
export function lastStartingBefore(fences: readonly Fence[], at: number): number {
  let low = 0
  let high = fences.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((fences[middle]?.start ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low - 1
}
