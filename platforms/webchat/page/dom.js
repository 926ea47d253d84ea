/** Builds DOM nodes. Text only ever becomes text nodes: nothing in this page parses HTML. */

/** @typedef {Node | string | null | undefined | false} Child */
/**
 * @typedef {object} Props
 * @property {string} [class]
 * @property {Record<string, (event: any) => void>} [on] Listeners by event name.
 * @property {Record<string, string>} [data]
 * @property {Record<string, string | number | boolean | null | undefined>} [attrs] False, null and undefined are left out.
 */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Props} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag)
  if (props.class) node.className = props.class
  for (const [name, value] of Object.entries(props.attrs ?? {})) {
    if (value === false || value === null || value === undefined) continue
    node.setAttribute(name, value === true ? '' : String(value))
  }
  for (const [name, value] of Object.entries(props.data ?? {})) node.dataset[name] = value
  for (const [name, listener] of Object.entries(props.on ?? {})) node.addEventListener(name, listener)
  add(node, children)
  return node
}

/**
 * @param {Node} parent
 * @param {readonly Child[]} children
 */
export function add(parent, children) {
  for (const child of children)
    if (child) parent.appendChild(typeof child === 'string' ? document.createTextNode(child) : child)
}

/**
 * Replaces everything in a node.
 * @param {Element} parent
 * @param {...Child} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren()
  add(parent, children)
}

/**
 * The element with an id that index.html has.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const node = document.getElementById(id)
  if (node === null) throw new Error(`index.html has no #${id}`)
  return node
}

const SVG = 'http://www.w3.org/2000/svg'

/** Paths on a grid of 24, drawn as strokes. */
const ICONS = {
  menu: 'M4 6h16M4 12h16M4 18h16',
  send: 'M4 12l16-8-6 16-3-7z',
  attach: 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7l-8.4 8.4a1.6 1.6 0 0 1-2.3-2.3L14.5 7.3',
  smile: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.5 14.5a4.5 4.5 0 0 0 7 0M9 9.5v.01M15 9.5v.01',
  reply: 'M9 7l-5 5 5 5M4 12h10a6 6 0 0 1 6 6v1',
  more: 'M5 12h.5M11.75 12h.5M18.5 12h.5',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  up: 'M7 11v9H4v-9zM7 11l4-8a2 2 0 0 1 2 2v4h5.5a1.5 1.5 0 0 1 1.5 1.8l-1.3 7A1.5 1.5 0 0 1 17.2 20H7',
  down: 'M7 13V4H4v9zM7 13l4 8a2 2 0 0 0 2-2v-4h5.500a1.5 1.5 0 0 0 1.5-1.800l-1.3-7A1.5 1.5 0 0 0 17.2 4H7',
  theme: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  arrowDown: 'M12 5v14M6 13l6 6 6-6',
  bolt: 'M13 3L5 14h6l-1 7 8-11h-6z',
  refresh: 'M20 11a8 8 0 1 0-2 6M20 5v6h-6',
  alert: 'M12 4l9 16H3zM12 10v4M12 17v.01',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  check: 'M5 12l5 5 9-10',
  fresh: 'M4 5h16v11H11l-4 4v-4H4zM12 8v5M9.5 10.500h5',
}

/**
 * @param {keyof typeof ICONS} name
 * @returns {SVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', ICONS[name])
  svg.append(path)
  return svg
}

/**
 * A button that shows an icon and is named for everybody else.
 * @param {keyof typeof ICONS} name
 * @param {string} label
 * @param {(event: MouseEvent) => void} onClick
 * @param {Props['attrs']} [attrs]
 */
export function iconButton(name, label, onClick, attrs = {}) {
  return el(
    'button',
    {
      class: 'icon-button',
      attrs: { type: 'button', 'aria-label': label, title: label, ...attrs },
      on: { click: onClick },
    },
    icon(name),
  )
}

/**
 * A round picture made of initials; the colour follows from the id, so that it stays the same everywhere.
 * @param {string} id
 * @param {string} name
 * @param {'small' | 'normal'} [size]
 */
export function avatar(id, name, size = 'normal') {
  let hash = 0
  for (const char of id) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 997
  const words = name.trim().split(/\s+/)
  const first = (/** @type {string | undefined} */ word) => [...(word ?? '')][0] ?? ''
  const initials = words.length > 1 ? first(words[0]) + first(words.at(-1)) : first(words[0])
  const kind = id === 'bot' ? 'avatar-bot' : `avatar-${hash % 6}`
  return el(
    'span',
    { class: `avatar avatar-${size} ${kind}`, attrs: { 'aria-hidden': 'true' } },
    initials.toUpperCase() || '?',
  )
}
