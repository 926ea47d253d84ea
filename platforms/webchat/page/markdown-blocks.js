/** Splits Markdown into blocks. An unfinished block at the end, as in a text that still grows, is read as if it ended there. */

/**
 * @typedef {{ raw: string } & (
 *   | { kind: 'paragraph', text: string }
 *   | { kind: 'heading', level: number, text: string }
 *   | { kind: 'code', language: string, text: string }
 *   | { kind: 'quote', blocks: Block[] }
 *   | { kind: 'list', ordered: boolean, start: number, items: Block[][] }
 *   | { kind: 'table', head: string[], rows: string[][] }
 *   | { kind: 'rule' }
 * )} Block
 */

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/
const HEADING = /^ {0,3}(#{1,6})\s+(.*)$/
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/
const QUOTE = /^ {0,3}>\s?(.*)$/
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(\s+)(.*)$/
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/

/** Deeper quotes and lists are shown as text: a hostile message must not make the page recurse without end. */
const MAX_DEPTH = 6

/**
 * @param {string} text
 * @param {number} [depth]
 * @returns {Block[]}
 */
export function parseBlocks(text, depth = 0) {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  /** @type {Block[]} */
  const blocks = []
  let at = 0
  while (at < lines.length) {
    if ((lines[at] ?? '').trim() === '') {
      at += 1
      continue
    }
    const { block, next } = readBlock(lines, at, depth)
    blocks.push(block)
    at = next
  }
  return blocks
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {number} depth
 * @returns {{ block: Block, next: number }}
 */
function readBlock(lines, at, depth) {
  const line = lines[at] ?? ''
  const raw = (/** @type {number} */ next) => lines.slice(at, next).join('\n')
  const fence = FENCE.exec(line)
  if (fence) return readFence(lines, at, fence)
  const heading = HEADING.exec(line)
  if (heading) {
    return {
      block: { kind: 'heading', raw: line, level: heading[1]?.length ?? 1, text: (heading[2] ?? '').trim() },
      next: at + 1,
    }
  }
  if (RULE.test(line)) return { block: { kind: 'rule', raw: line }, next: at + 1 }
  if (depth < MAX_DEPTH && QUOTE.test(line)) {
    let next = at
    while (next < lines.length && QUOTE.test(lines[next] ?? '')) next++
    const inner = lines.slice(at, next).map((one) => QUOTE.exec(one)?.[1] ?? '')
    return { block: { kind: 'quote', raw: raw(next), blocks: parseBlocks(inner.join('\n'), depth + 1) }, next }
  }
  if (depth < MAX_DEPTH && ITEM.test(line)) return readList(lines, at, depth)
  if (line.includes('|') && TABLE_RULE.test(lines[at + 1] ?? '') && (lines[at + 1] ?? '').includes('-')) {
    return readTable(lines, at)
  }
  let next = at + 1
  while (next < lines.length && !endsParagraph(lines, next)) next++
  return { block: { kind: 'paragraph', raw: raw(next), text: raw(next).trim() }, next }
}

/**
 * @param {string[]} lines
 * @param {number} at
 */
function endsParagraph(lines, at) {
  const line = lines[at] ?? ''
  return (
    line.trim() === '' ||
    FENCE.test(line) ||
    HEADING.test(line) ||
    RULE.test(line) ||
    QUOTE.test(line) ||
    ITEM.test(line)
  )
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {RegExpExecArray} fence
 * @returns {{ block: Block, next: number }}
 */
function readFence(lines, at, fence) {
  const mark = fence[1] ?? '```'
  const closes = (/** @type {string} */ line) => {
    const trimmed = line.trim()
    return trimmed.length >= mark.length && trimmed === (mark[0] ?? '`').repeat(trimmed.length)
  }
  let end = at + 1
  while (end < lines.length && !closes(lines[end] ?? '')) end++
  const next = Math.min(end + 1, lines.length)
  const text = lines.slice(at + 1, end).join('\n')
  return { block: { kind: 'code', raw: lines.slice(at, next).join('\n'), language: fence[2] ?? '', text }, next }
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {number} depth
 * @returns {{ block: Block, next: number }}
 */
function readList(lines, at, depth) {
  const first = ITEM.exec(lines[at] ?? '')
  const ordered = /\d/.test(first?.[2] ?? '')
  /** @type {string[][]} */
  const items = []
  let next = at
  let indent = 0
  for (; next < lines.length; next++) {
    const line = lines[next] ?? ''
    const item = ITEM.exec(line)
    const inside = items.length > 0 && (line.match(/^ */)?.[0].length ?? 0) >= Math.min(indent, 2)
    if (item && !(inside && (item[1]?.length ?? 0) >= 2)) {
      if (/\d/.test(item[2] ?? '') !== ordered) break
      indent = (item[1]?.length ?? 0) + (item[2]?.length ?? 0) + (item[3]?.length ?? 0)
      items.push([item[4] ?? ''])
    } else if (line.trim() === '') {
      // A list goes on after an empty line if something of it follows.
      const after = lines[next + 1] ?? ''
      if (!ITEM.test(after) && !/^ {2,}\S/.test(after)) break
      items.at(-1)?.push('')
    } else if (inside || !endsParagraph(lines, next)) {
      items.at(-1)?.push(line.replace(new RegExp(`^ {0,${indent}}`), ''))
    } else break
  }
  return {
    block: {
      kind: 'list',
      raw: lines.slice(at, next).join('\n'),
      ordered,
      start: ordered ? Number.parseInt(first?.[2] ?? '1', 10) : 1,
      items: items.map((item) => parseBlocks(item.join('\n'), depth + 1)),
    },
    next,
  }
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @returns {{ block: Block, next: number }}
 */
function readTable(lines, at) {
  const cells = (/** @type {string} */ line) =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim())
  let next = at + 2
  while (next < lines.length && (lines[next] ?? '').includes('|')) next++
  const head = cells(lines[at] ?? '')
  const rows = lines.slice(at + 2, next).map((line) => cells(line).slice(0, head.length))
  return { block: { kind: 'table', raw: lines.slice(at, next).join('\n'), head, rows }, next }
}
