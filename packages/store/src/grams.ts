/**
 * Text for the full-text index, and search expressions for it. FTS5's own tokenizer takes a run of Chinese for one word,
 * and its trigram tokenizer misses words of two characters; here scripts without spaces become overlapping pairs.
 */

/** Letters of scripts whose words are not told apart by spaces, and Hangul, whose particles are written onto the word. */
const UNSPACED = String.raw`[[\p{L}\p{M}\p{N}]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Yiii}]]`
/** A run of such letters; one pictograph (flags are two characters); or a word. */
const PIECE = new RegExp(
  String.raw`(?<run>${UNSPACED}+)|(?<emoji>\p{RI}{2}|[\p{Extended_Pictographic}--[\p{N}]])|(?<word>[[\p{L}\p{M}\p{N}\p{Co}]--${UNSPACED}]+)`,
  'gv',
)
/** Of no weight for a search: variation selectors, joiners and other format characters, skin tones. */
const WEIGHTLESS = /\p{Cf}|\p{Variation_Selector}|\p{Emoji_Modifier}/gu
/** Accents that normalisation could not join with their letter; the tokenizer drops those of joined letters itself. */
const ACCENTS = /[\u0300-\u036f]/gu
/** What is no letter for FTS5, or may be none: its Unicode tables are old (New Tai Lue vowels, all that came later). */
const UNKNOWN_TO_FTS = /[^\p{L}\p{N}\p{Co}]|[\u1980-\u19df\u1cf0-\u1cff]|[\u{10000}-\u{10ffff}]/gu
/** A private-use character, which FTS5 takes for a letter: it marks a spelt-out code point. */
const SPELT = '\ue000'
/** The empty phrase: valid, and in no text. */
const NOTHING = '""'

interface Piece {
  readonly kind: 'run' | 'emoji' | 'word'
  readonly text: string
}

/**
 * The words of a text, and for scripts without spaces its overlapping pairs and single characters, separated by spaces:
 * what `transcript_text.grams` holds. Searched with {@link matchExpression}.
 */
export function grams(text: string): string {
  const tokens: string[] = []
  for (const { kind, text: piece } of pieces(text)) {
    if (kind !== 'run') {
      tokens.push(spelt(piece))
      continue
    }
    // The singles stand between the pairs of two runs, so that no phrase of pairs reaches from one run into the next.
    const characters = [...piece]
    tokens.push(...pairs(characters), ...[...new Set(characters)].map(spelt))
  }
  return tokens.join(' ')
}

/**
 * The FTS5 MATCH text for what a user typed: every word must occur, in any order; characters that belong together
 * (`e-mail`, 今天天气) must occur side by side. Operators, quotes, `%` and `_` mean nothing. A query without a word
 * finds nothing.
 */
export function matchExpression(query: string): string {
  const phrases = new Set<string>()
  for (const chunk of query.split(/\s+/u)) {
    let words: string[] = []
    const endPhrase = () => {
      if (words.length > 0) phrases.add(`"${words.join(' ')}"`)
      words = []
    }
    for (const { kind, text } of pieces(chunk)) {
      if (kind !== 'run') {
        words.push(spelt(text))
        continue
      }
      endPhrase()
      const characters = [...text]
      words = characters.length === 1 ? [spelt(text)] : pairs(characters)
      endPhrase()
    }
    endPhrase()
  }
  return phrases.size === 0 ? NOTHING : [...phrases].join(' AND ')
}

function* pieces(text: string): Iterable<Piece> {
  // Compatibility forms (full width, half-width kana, ligatures) are the same word; joined first, so that accents go.
  const plain = text.normalize('NFKC').replace(WEIGHTLESS, '').replace(ACCENTS, '')
  for (const { groups } of plain.matchAll(PIECE)) {
    if (groups?.run !== undefined) yield { kind: 'run', text: groups.run }
    else if (groups?.emoji !== undefined) yield { kind: 'emoji', text: groups.emoji }
    else if (groups?.word !== undefined) yield { kind: 'word', text: groups.word }
  }
}

function pairs(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => spelt(`${characters[index]}${character}`))
}

function spelt(text: string): string {
  return text.replace(UNKNOWN_TO_FTS, (character) => `${SPELT}${character.codePointAt(0)?.toString(16)}`)
}
