/**
 * Cuts a text into parts that a platform takes. Every part is a range of the source, plus the fence lines that close and
 * reopen a code block which had to be cut; so the ranges joined are the source.
 */
import { codeCut, proseCut } from './boundaries.ts'
import { type Fence, fenceAround, findFences, lastStartingBefore } from './fences.ts'
import type { Measure } from './length.ts'

/** One part: what to send, and which half-open range of the source it shows (UTF-16 units). */
export interface TextPart {
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface TextLimit {
  /** Longest part, in the unit of `measure`. */
  readonly max: number
  readonly measure: Measure
}

/** How far behind the cut a window looks, in UTF-16 units: the rest of the last character and word. */
const LOOK_AHEAD = 32

/**
 * Cuts a text into parts of at most `max`. Prefers paragraph, line, sentence and word ends; keeps code blocks whole where
 * they fit and else closes and reopens them with their language; never cuts inside a character that fits. Parts without
 * a visible character are left out, as platforms refuse them. Linear in the length of the text.
 *
 * Throws RangeError if `max` can't hold a single code point of the text.
 *
 * @example
 * cutText('one two', { max: 4, measure: (text) => text.length }) // [{ text: 'one ', start: 0, end: 4 }, { text: 'two', ... }]
 */
export function cutText(text: string, limit: TextLimit): TextPart[] {
  return cutAfter('', text, limit) ?? noRoom(limit)
}

function noRoom(limit: TextLimit): never {
  throw new RangeError(
    `A limit of ${limit.max} can't hold a single character of this text. Raise limits.maxText of the adapter.`,
  )
}

/**
 * As {@link cutText}, with `lead` already in the first part. Null if the first part has no room for anything else, or if
 * `max` can't hold a character.
 */
export function cutAfter(lead: string, text: string, limit: TextLimit): TextPart[] | null {
  if (!/\S/.test(text)) return []
  if (limit.measure(lead + text) <= limit.max) return [{ text, start: 0, end: text.length }]
  // A fence whose own lines fill half a part can't be reopened in each: it is cut like prose.
  const fences = findFences(text).filter((fence) => limit.measure(`${fence.reopen}\n${fence.close}`) <= limit.max / 2)
  // Wide characters can leave a reopened block no room at all; better cut plainly than not send.
  return (
    new Cutter(text, limit, lead, fences).run() ?? (fences.length > 0 ? new Cutter(text, limit, lead, []).run() : null)
  )
}

class Cutter {
  readonly #text: string
  readonly #limit: TextLimit
  readonly #fences: readonly Fence[]
  #lead: string
  #visible = -1

  constructor(text: string, limit: TextLimit, lead: string, fences: readonly Fence[]) {
    this.#text = text
    this.#limit = limit
    this.#lead = lead
    this.#fences = fences
  }

  run(): TextPart[] | null {
    const parts: TextPart[] = []
    let span = Math.max(1, Math.ceil(this.#limit.max))
    for (let start = 0; start < this.#text.length; ) {
      const end = this.#end(start, span)
      if (end === null) return null
      if (this.#firstVisible(start) < end) parts.push({ text: this.#render(start, end), start, end })
      this.#lead = ''
      span = end - start
      start = end
    }
    return parts
  }

  /** Where the part that starts at `start` ends. Null: nothing fits. */
  #end(start: number, span: number): number | null {
    let longest = this.#longest(start, span)
    if (longest === this.#text.length) return longest
    while (longest > start) {
      const cut = this.#choose(start, longest)
      if (cut === null) return null
      if (this.#fits(start, cut)) return cut
      // Markup and fence lines can make a shorter source longer when sent: try with less.
      longest = Math.min(cut, longest) - Math.max(1, (longest - start) >> 4)
    }
    return null
  }

  /** The longest end that fits, by doubling and halving from a first guess: a few measurements a part. */
  #longest(start: number, span: number): number {
    const last = this.#text.length
    let low = start
    let high = Math.min(last, start + span)
    while (this.#fits(start, high)) {
      if (high === last) return last
      low = high
      high = Math.min(last, start + 2 * (high - start))
    }
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (this.#fits(start, middle)) low = middle
      else high = middle
    }
    return low
  }

  #choose(start: number, longest: number): number | null {
    const visible = this.#firstVisible(start)
    if (visible >= longest) return longest
    const fence = fenceAround(this.#fences, longest)
    const cut = fence === null ? this.#inProse(start, longest, visible) : this.#inFence(fence, start, longest, visible)
    if (cut !== null) return cut
    // One character alone is too long. First leave it to a part of its own, then cut it between code points.
    if (visible > start) return visible
    const low = this.#text.charCodeAt(longest)
    const inPair = low >= 0xdc00 && low <= 0xdfff && longest - start > 0
    return inPair ? (longest - 1 > start ? longest - 1 : null) : longest
  }

  #inProse(start: number, longest: number, visible: number): number | null {
    // Blank lines inside code are no paragraphs: only what follows the last whole block is searched.
    const last = this.#fences[lastStartingBefore(this.#fences, longest)]
    const from = Math.max(start, last?.end ?? 0)
    if (from === longest) return longest
    const cut = proseCut({
      text: this.#text.slice(from, longest + LOOK_AHEAD),
      fits: longest - from,
      after: Math.max(0, visible - from),
      enough: Math.max((start + longest) / 2 - from, visible - from + 1, 1),
    })
    if (cut !== null) return from + cut
    return from > start ? from : null
  }

  #inFence(fence: Fence, start: number, longest: number, visible: number): number | null {
    const before = fence.start > start && visible < fence.start ? fence.start : null
    if (before !== null) {
      const full = before - start >= (longest - start) / 2
      if (full || this.#limit.measure(this.#text.slice(fence.start, fence.end)) <= this.#limit.max) return before
    }
    const from = Math.max(start, fence.contentStart)
    // At least one character of code goes on, or the next part would show an empty block.
    const to = Math.min(longest, fence.codeEnd - 1)
    const after = Math.max(0, visible - from)
    if (to - from <= after) return before
    const cut = codeCut({ text: this.#text.slice(from, to + LOOK_AHEAD), fits: to - from, after, enough: 0 })
    return cut === null ? before : from + cut
  }

  #fits(start: number, end: number): boolean {
    return this.#limit.measure(this.#lead + this.#render(start, end)) <= this.#limit.max
  }

  /** What is sent for a range: with the lines that reopen and close a block that it starts or ends in. */
  #render(start: number, end: number): string {
    const opened = fenceAround(this.#fences, start)
    const cut = end < this.#text.length ? fenceAround(this.#fences, end) : null
    let text = this.#text.slice(start, end)
    if (opened !== null) text = opened.reopen + text
    if (cut !== null) text += text.endsWith('\n') ? cut.close : `\n${cut.close}`
    return text
  }

  /** Place of the first visible character from `start` on; remembered, so that a long blank run is walked once. */
  #firstVisible(start: number): number {
    if (this.#visible < start) {
      const search = /\S/g
      search.lastIndex = start
      this.#visible = search.exec(this.#text)?.index ?? this.#text.length
    }
    return this.#visible
  }
}
