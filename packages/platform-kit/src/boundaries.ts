/** Where a text may be cut: the best place inside a window, and never inside a character as people see it. */

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const PARAGRAPH = /\n[ \t]*\r?\n\s*/g
const LINE = /\n/g
const SENTENCE = /[.!?…]["'”’)\]]*\s+|[。！？；…]["'”’」』）\]]*/g
const SPACE = /\s+/g

/** How far back from the end of the window words are looked up, in UTF-16 units: a dictionary look-up is not free. */
const WORD_REACH = 240

/** A window of text of which a prefix is to be cut off. All places are relative to the window's start. */
export interface Window {
  /** Reaches past `fits` where the text goes on, so that the end of the last word and character is seen. */
  readonly text: string
  /** The longest prefix that fits. */
  readonly fits: number
  /** No cut at or before this place. */
  readonly after: number
  /** From here on a part is full enough to prefer a better kind of boundary to a longer part. */
  readonly enough: number
}

/**
 * The best cut of prose in `(after, fits]`: the last paragraph, line, sentence or word that makes the part full enough,
 * else the last line or space at all, else the last dictionary word, else the last whole character. Null: there is none.
 */
export function proseCut(window: Window): number | null {
  const ends = new Cuts(window)
  const good =
    ends.last(PARAGRAPH, window.enough) ??
    ends.last(LINE, window.enough) ??
    ends.last(SENTENCE, window.enough) ??
    ends.last(SPACE, window.enough)
  if (good !== null) return good
  // In Chinese an early space is no reason for a short part; in English a long word should stay whole.
  const unspaced = UNSPACED.test(window.text.slice(Math.max(0, window.fits - 2), window.fits + 2))
  const early = () => ends.last(LINE, window.after) ?? ends.last(SPACE, window.after)
  const word = () => ends.lastWord()
  return (unspaced ? (word() ?? early()) : (early() ?? word())) ?? ends.lastCharacter()
}

/** The best cut of code in `(after, fits]`: the last line, else the last space, else the last whole character. */
export function codeCut(window: Window): number | null {
  const ends = new Cuts(window)
  return ends.last(LINE, window.after) ?? ends.last(SPACE, window.after) ?? ends.lastCharacter()
}

class Cuts {
  readonly #window: Window
  readonly #characters: Intl.Segments

  constructor(window: Window) {
    this.#window = window
    this.#characters = GRAPHEMES.segment(window.text)
  }

  /** Last end of a match in `[from, fits]`. */
  last(pattern: RegExp, from: number): number | null {
    const text = this.#window.text.slice(0, this.#window.fits)
    const search = new RegExp(pattern.source, pattern.flags)
    search.lastIndex = Math.max(0, Math.floor(from) - 1)
    const ends: number[] = []
    for (let match = search.exec(text); match !== null; match = search.exec(text))
      ends.push(match.index + match[0].length)
    // From the end, because asking whether a place is inside a character costs more than finding it.
    for (let at = ends.pop(); at !== undefined && at >= from; at = ends.pop()) if (this.#allowed(at)) return at
    return null
  }

  lastWord(): number | null {
    const from = Math.max(this.#window.after, this.#window.fits - WORD_REACH)
    const starts: number[] = []
    for (const { index, isWordLike } of WORDS.segment(this.#window.text.slice(from))) {
      if (from + index > this.#window.fits) break
      // Only before words: a part should not start with a full stop or a closing bracket.
      if (index > 0 && isWordLike === true) starts.push(from + index)
    }
    for (let at = starts.pop(); at !== undefined; at = starts.pop()) if (this.#allowed(at)) return at
    return null
  }

  lastCharacter(): number | null {
    const { text, fits, after } = this.#window
    const at = fits >= text.length ? fits : (this.#characters.containing(fits)?.index ?? 0)
    return at > after ? at : null
  }

  #allowed(at: number): boolean {
    const { text, after } = this.#window
    return at > after && (at >= text.length || this.#characters.containing(at)?.index === at)
  }
}
