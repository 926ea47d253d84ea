/**
 * A small Markdown renderer that makes DOM nodes. Text becomes text nodes, links only where their address is http(s) or
 * mailto, pictures become links: nothing that a bot or a person writes can run or load anything.
 */
import { el, icon } from './dom.js'
import { parseBlocks } from './markdown-blocks.js'

/** @import { Block } from './markdown-blocks.js' */
/** @typedef {(index: number) => Node | null} Mention Makes the node for a mention that stands in the text as a mark. */

/**
 * Marks a mention inside a text. The characters are private ones, which {@link clean} takes out of what people write.
 * @param {number} index
 */
export const mentionMark = (index) => `\uE000${index}\uE001`

/** @param {string} text */
export const clean = (text) => text.replace(/[\uE000\uE001]/g, '')

/** Shows a growing text: blocks that have not changed keep their nodes, so nothing flickers and selections survive. */
export class MarkdownView {
  /** @param {Mention} [mention] */
  constructor(mention = () => null) {
    this.node = el('div', { class: 'markdown' })
    this.mention = mention
    /** @type {{ raw: string, node: Node }[]} */
    this.shown = []
  }

  /** @param {string} text */
  update(text) {
    const blocks = parseBlocks(text)
    let same = 0
    while (same < blocks.length && this.shown[same]?.raw === blocks[same]?.raw) same++
    for (const { node } of this.shown.splice(same)) node.parentNode?.removeChild(node)
    for (const block of blocks.slice(same)) {
      const node = renderBlock(block, this.mention)
      this.node.append(node)
      this.shown.push({ raw: block.raw, node })
    }
  }
}

/**
 * @param {Block} block
 * @param {Mention} mention
 * @returns {Node}
 */
function renderBlock(block, mention) {
  const inline = (/** @type {string} */ text) => renderInline(text, mention)
  switch (block.kind) {
    case 'code':
      return renderCode(block.text, block.language)
    case 'heading':
      // The page has its own h1 and h2; headings inside a message start below them.
      return el(block.level === 1 ? 'h3' : block.level === 2 ? 'h4' : 'h5', {}, ...inline(block.text))
    case 'quote':
      return el('blockquote', {}, ...block.blocks.map((one) => renderBlock(one, mention)))
    case 'rule':
      return el('hr')
    case 'list': {
      const items = block.items.map((item) => el('li', {}, ...item.map((one) => renderItemBlock(one, mention))))
      return block.ordered ? el('ol', { attrs: { start: block.start } }, ...items) : el('ul', {}, ...items)
    }
    case 'table': {
      const row = (/** @type {string[]} */ cells, /** @type {'th' | 'td'} */ tag) =>
        el('tr', {}, ...cells.map((cell) => el(tag, {}, ...inline(cell))))
      const head = el('thead', {}, row(block.head, 'th'))
      const body = el('tbody', {}, ...block.rows.map((cells) => row(cells, 'td')))
      return el(
        'div',
        { class: 'table', attrs: { tabindex: 0, role: 'group', 'aria-label': 'Table' } },
        el('table', {}, head, body),
      )
    }
    case 'paragraph':
      return el('p', {}, ...inline(block.text))
  }
}

/**
 * A paragraph directly in a list item needs no margins of its own.
 * @param {Block} block
 * @param {Mention} mention
 */
function renderItemBlock(block, mention) {
  return block.kind === 'paragraph' ? el('span', {}, ...renderInline(block.text, mention)) : renderBlock(block, mention)
}

/**
 * @param {string} text
 * @param {string} language
 */
function renderCode(text, language) {
  const label = el('span', {}, 'Copy')
  const copy = el(
    'button',
    { class: 'copy', attrs: { type: 'button', 'aria-label': 'Copy code' } },
    icon('copy'),
    label,
  )
  copy.addEventListener('click', async () => {
    const done = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Select and copy',
    )
    label.textContent = done
    setTimeout(() => (label.textContent = 'Copy'), 2000)
  })
  const head = el('div', { class: 'code-head' }, el('span', {}, language || 'code'), copy)
  const pre = el(
    'pre',
    { attrs: { tabindex: 0, role: 'group', 'aria-label': language ? `Code, ${language}` : 'Code' } },
    el('code', {}, text),
  )
  return el('div', { class: 'code' }, head, pre)
}

const INLINE = [
  /** Backslash before punctuation. */
  { kind: 'escape', at: /\\([!-/:-@[-`{-~])/y },
  { kind: 'code', at: /(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/y },
  { kind: 'mention', at: /\uE000(\d+)\uE001/y },
  /** A picture is shown as a link to it. */
  {
    kind: 'link',
    at: /!?\[((?:[^[\]\\]|\\.|\[[^\]]*\])*)\]\(\s*<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+["'(][^"')]*["')])?\s*\)/y,
  },
  { kind: 'address', at: /<((?:https?:\/\/|mailto:)[^\s<>]+)>/y },
  { kind: 'url', at: /https?:\/\/[^\s<>"'`\uE000]+/y },
  { kind: 'strong', at: /\*\*(?=\S)([\s\S]*?\S)\*\*/y },
  { kind: 'strong', at: /__(?=\S)([\s\S]*?\S)__(?![\p{L}\p{N}])/uy },
  { kind: 'strike', at: /~~(?=\S)([\s\S]*?\S)~~/y },
  { kind: 'em', at: /\*(?=[^\s*])((?:[^*]|\*\*[^*]*\*\*)*?[^\s*])\*(?!\*)/y },
  { kind: 'em', at: /_(?=[^\s_])([^_]*?[^\s_])_(?![\p{L}\p{N}_])/uy },
]

/** Emphasis ends within this many characters and nests this deep; a hostile text must not keep the page busy. */
const MAX_SPAN = 1000
const MAX_DEPTH = 12

/**
 * @param {string} text
 * @param {Mention} mention
 * @param {boolean} [links] False inside a link: links do not nest.
 * @param {number} [depth]
 * @returns {Node[]}
 */
export function renderInline(text, mention, links = true, depth = 0) {
  /** @type {Node[]} */
  const nodes = []
  let plain = ''
  const flush = () => {
    if (plain !== '') nodes.push(...withBreaks(plain))
    plain = ''
  }
  for (let at = 0; at < text.length; ) {
    const found = depth > MAX_DEPTH ? null : matchAt(text, at)
    const node = found === null ? null : renderMatch(found.kind, found.match, mention, links, depth + 1)
    if (found === null || node === null) {
      plain += text[at]
      at += 1
      continue
    }
    if (typeof node === 'string') plain += node
    else {
      flush()
      nodes.push(node)
    }
    at += found.length
  }
  flush()
  return nodes
}

const STARTS = new Set('\\`\uE000![<h*_~')

/**
 * @param {string} text
 * @param {number} at
 */
function matchAt(text, at) {
  const char = text[at] ?? ''
  if (!STARTS.has(char)) return null
  // Underscores and addresses inside a word are part of the word.
  if ((char === '_' || char === 'h') && /[\p{L}\p{N}_]/u.test(text[at - 1] ?? '')) return null
  const ahead = text.slice(at, at + MAX_SPAN)
  for (const { kind, at: pattern } of INLINE) {
    pattern.lastIndex = 0
    const match = pattern.exec(ahead)
    if (match === null) continue
    if (kind !== 'url') return { kind, match, length: match[0].length }
    // Punctuation after an address belongs to the sentence.
    const url = match[0].replace(/[.,;:!?)\]}*_~]+$/, (end) =>
      end.startsWith(')') && match[0].includes('(') ? ')' : '',
    )
    return { kind, match: [url], length: url.length }
  }
  return null
}

/**
 * @param {string} kind
 * @param {ArrayLike<string>} match
 * @param {Mention} mention
 * @param {boolean} links
 * @param {number} depth
 * @returns {Node | string | null} Null: shown as it is written.
 */
function renderMatch(kind, match, mention, links, depth) {
  const inner = match[1] ?? ''
  const nested = () => renderInline(inner, mention, links, depth)
  switch (kind) {
    case 'escape':
      return inner
    case 'code':
      return el('code', {}, (match[2] ?? '').replace(/\n/g, ' ').replace(/^ (.*) $/, '$1'))
    case 'mention':
      return mention(Number(inner))
    case 'strong':
      return el('strong', {}, ...nested())
    case 'em':
      return el('em', {}, ...nested())
    case 'strike':
      return el('del', {}, ...nested())
    case 'link': {
      const label = renderInline(inner, mention, false, depth)
      return links ? link(match[2] ?? '', label.length > 0 ? label : [document.createTextNode(match[2] ?? '')]) : null
    }
    case 'address':
    case 'url': {
      const url = kind === 'url' ? (match[0] ?? '') : inner
      return links ? link(url, [document.createTextNode(url)]) : null
    }
    default:
      return null
  }
}

/**
 * A link that opens elsewhere; null for any address that is not http, https or mailto.
 * @param {string} address
 * @param {Node[]} label
 */
export function link(address, label) {
  const url = safeUrl(address)
  if (url === null) return null
  return el('a', { attrs: { href: url, target: '_blank', rel: 'noopener noreferrer nofollow', title: url } }, ...label)
}

/** @param {string} address */
export function safeUrl(address) {
  if (!/^(https?:\/\/|mailto:)/i.test(address) || !URL.canParse(address)) return null
  const { protocol, href } = new URL(address)
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : null
}

/**
 * In a chat a line break is meant.
 * @param {string} text
 * @returns {Node[]}
 */
function withBreaks(text) {
  return text.split('\n').flatMap((line, at) => {
    const node = document.createTextNode(line)
    return at === 0 ? [node] : [el('br'), node]
  })
}
