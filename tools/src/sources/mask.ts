/** Blanks comments, strings, templates and regular expressions out of TypeScript text, keeping every offset in place. */

/** After one of these a `/` begins a regular expression; after anything else it divides. */
const BEFORE_PATTERN = /(?:^|[([{,;=:!&|?+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|void|yield|await))\s*$/

const INTEREST = /["'`/{}]/g

/** What a stretch of the text is. `code` stays as it is. */
type Kind = 'code' | 'comment' | 'string'

/**
 * The text with the same length and the same line breaks, in which only code is left: comments are blanked, and so is what
 * stands between quotes (the quotes stay, so that a reader can find the string in the original by its offset).
 */
export function maskSource(text: string): string {
  const masked: string[] = []
  let at = 0
  // One entry per open template: the depth of braces inside its current `${`.
  const templates: number[] = []

  const put = (end: number, kind: Kind) => {
    const part = text.slice(at, end)
    if (kind === 'code') masked.push(part)
    else if (kind === 'comment') masked.push(blank(part))
    else masked.push(part.charAt(0) + blank(part.slice(1, -1)) + (part.length > 1 ? part.slice(-1) : ''))
    at = end
  }
  const templatePart = () => {
    const end = endOfTemplatePart(text, at + 1)
    if (text.slice(end - 2, end) === '${') templates.push(0)
    put(end, 'string')
  }

  while (at < text.length) {
    const here = text.charAt(at)
    const depth = templates.at(-1)
    if (text.startsWith('//', at)) put(endOr(text.indexOf('\n', at), text.length), 'comment')
    else if (text.startsWith('/*', at)) put(endOr(text.indexOf('*/', at + 2), text.length - 2) + 2, 'comment')
    else if (here === "'" || here === '"') put(endOfQuoted(text, at + 1, here), 'string')
    else if (here === '`') templatePart()
    else if (here === '}' && depth === 0) {
      templates.pop()
      templatePart()
    } else if (here === '/' && BEFORE_PATTERN.test(lastOf(masked))) put(endOfPattern(text, at + 1), 'string')
    else {
      if (depth !== undefined && here === '{') templates[templates.length - 1] = depth + 1
      if (depth !== undefined && here === '}') templates[templates.length - 1] = depth - 1
      put(nextOfInterest(text, at + 1), 'code')
    }
  }
  return masked.join('')
}

/** The number of the line (from 1) on which an offset lies. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Where something other than plain code may begin next. */
function nextOfInterest(text: string, from: number): number {
  INTEREST.lastIndex = from
  return INTEREST.exec(text)?.index ?? text.length
}

function blank(part: string): string {
  return part.replace(/[^\n]/g, ' ')
}

function endOr(found: number, otherwise: number): number {
  return found === -1 ? otherwise : found
}

/** Enough of what was written last to tell what a `/` means: blanked comments don't count. */
function lastOf(masked: readonly string[]): string {
  let tail = ''
  for (let index = masked.length - 1; index >= 0 && tail.trim().length < 12; index--) tail = masked[index] + tail
  return tail
}

function endOfQuoted(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    const here = text.charAt(at)
    if (here === '\\') at++
    else if (here === quote || here === '\n') return at + 1
  }
  return text.length
}

/** Behind the closing backtick, or behind the next `${`. */
function endOfTemplatePart(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const here = text.charAt(at)
    if (here === '\\') at++
    else if (here === '`') return at + 1
    else if (here === '$' && text.charAt(at + 1) === '{') return at + 2
  }
  return text.length
}

function endOfPattern(text: string, from: number): number {
  let inClass = false
  for (let at = from; at < text.length; at++) {
    const here = text.charAt(at)
    if (here === '\\') at++
    else if (here === '[') inClass = true
    else if (here === ']') inClass = false
    else if ((here === '/' && !inClass) || here === '\n') return at + 1
  }
  return text.length
}
