/** One message as it stands in the chat. Updates in place, so that nothing around it moves more than it must. */
import { avatar, el, fill, icon, iconButton } from './dom.js'
import { clean, link, MarkdownView, mentionMark } from './markdown.js'
import { openChoices, openMenu, openPicture } from './popover.js'
import { timeNode } from './time.js'

/** @import { Message, Part, StoredFile } from '../src/model.ts' */
/** @import { State } from './state.js' */
/** @import { Unsent } from './outbox.js' */
/** @import { MenuItem } from './popover.js' */
/**
 * @typedef {object} MessageActions
 * @property {(message: Message) => void} quote
 * @property {(message: Message) => void} edit
 * @property {(message: Message) => void} remove
 * @property {(message: Message, reaction: string, add: boolean) => void} react
 * @property {(message: Message, type: 1 | 2) => void} feedback
 * @property {(message: Message) => void} retry
 * @property {(id: string) => void} show
 */

const REACTIONS = ['👍', '👎', '❤️', '😂', '🎉', '👀', '🤔', '✅']

export class MessageView {
  /**
   * @param {State} state
   * @param {MessageActions} actions
   */
  constructor(state, actions) {
    this.state = state
    this.actions = actions
    this.head = el('div', { class: 'message-head' })
    this.quote = el('div', { class: 'quote-slot' })
    this.files = el('div', { class: 'files' })
    this.foot = el('div', { class: 'message-foot' })
    this.bubble = el('div', { class: 'bubble' })
    this.tools = el('div', { class: 'tools' })
    this.reactions = el('div', { class: 'reactions' })
    this.avatarSlot = el('div', { class: 'avatar-slot' })
    const body = el('div', { class: 'bubble-row' }, this.bubble, this.tools)
    const column = el('div', { class: 'message-column' }, this.head, body, this.reactions, this.foot)
    this.node = el('article', { class: 'message', attrs: { tabindex: -1 } }, this.avatarSlot, column)
    this.markdown = this.#newMarkdown()
    /** @type {readonly Part[]} */
    this.parts = []
  }

  /**
   * @param {Message} message
   * @param {boolean} startsGroup True if the one before is by somebody else or from another time.
   */
  update(message, startsGroup) {
    const { state } = this
    const mine = message.sender_id === state.userId
    const deleted = message.deleted_at !== null
    const sender = state.nameOf(message.sender_id)
    this.node.className = classes({
      message: true,
      mine,
      'starts-group': startsGroup,
      deleted,
      refused: message.status === 'refused',
      streaming: message.streaming,
    })
    this.node.id = message.id
    this.node.dataset.n = String(message.n)
    this.node.setAttribute('aria-label', `${sender}, ${new Date(message.at).toLocaleString()}`)
    fill(this.avatarSlot, startsGroup && !mine && avatar(message.sender_id ?? '', sender))
    fill(
      this.head,
      startsGroup && !mine && el('span', { class: 'sender' }, sender),
      startsGroup && timeNode(message.at),
    )
    this.head.hidden = !startsGroup
    this.#content(message)
    fill(this.quote, message.quote_id && this.#quoteNode(message.quote_id))
    this.#reactions(message)
    this.#foot(message, mine)
    fill(this.tools, ...(deleted || message.streaming ? [] : this.#toolButtons(message, mine)))
  }

  /** Only the text has grown. @param {Message} message */
  grow(message) {
    this.parts = message.parts
    this.markdown.update(sourceOf(message.parts))
  }

  /** @param {Message} message */
  #content(message) {
    this.parts = message.parts
    if (message.deleted_at !== null) {
      fill(this.bubble, el('span', { class: 'gone' }, 'This message was deleted'))
      return
    }
    if (!this.bubble.contains(this.markdown.node)) fill(this.bubble, this.quote, this.markdown.node, this.files)
    const source = sourceOf(message.parts)
    this.markdown.update(source)
    this.markdown.node.hidden = source === '' && !message.streaming
    const files = message.parts.flatMap((part) => (part.kind === 'file' ? [part.file] : []))
    if (files.map(({ id }) => id).join() !== this.files.dataset.ids) {
      this.files.dataset.ids = files.map(({ id }) => id).join()
      fill(this.files, ...files.map(fileNode))
    }
    this.files.hidden = files.length === 0
  }

  #newMarkdown() {
    return new MarkdownView((index) => {
      const part = this.parts[index]
      if (part?.kind === 'mention') {
        const me = part.user_id === this.state.userId
        return el('span', { class: me ? 'mention me' : 'mention' }, `@${part.name}`)
      }
      if (part?.kind === 'mention_all') return el('span', { class: 'mention me' }, '@all')
      if (part?.kind === 'link') return link(part.url, [icon('link'), document.createTextNode(part.label)])
      return null
    })
  }

  /** @param {string} id */
  #quoteNode(id) {
    const quoted = this.state.message(id)
    const text =
      quoted === undefined
        ? 'An earlier message'
        : quoted.deleted_at !== null
          ? 'Deleted message'
          : shortText(quoted.parts)
    return el(
      'button',
      {
        class: 'quote',
        attrs: { type: 'button', 'aria-label': 'Go to the quoted message' },
        on: { click: () => this.actions.show(id) },
      },
      el('span', { class: 'quote-name' }, this.state.nameOf(quoted?.sender_id ?? null)),
      el('span', { class: 'quote-text' }, text),
    )
  }

  /** @param {Message} message */
  #reactions(message) {
    this.reactions.hidden = message.reactions.length === 0
    const nodes = message.reactions.map(({ reaction, user_ids }) => {
      const mine = user_ids.includes(this.state.userId)
      const names = user_ids.map((id) => this.state.nameOf(id)).join(', ')
      return el(
        'button',
        {
          class: mine ? 'reaction mine' : 'reaction',
          attrs: {
            type: 'button',
            title: names,
            'aria-pressed': String(mine),
            'aria-label': `${reaction} by ${names}`,
          },
          on: { click: () => this.actions.react(message, reaction, !mine) },
        },
        el('span', {}, reaction),
        el('span', { class: 'count' }, String(user_ids.length)),
      )
    })
    fill(this.reactions, ...nodes)
  }

  /**
   * @param {Message} message
   * @param {boolean} mine
   */
  #foot(message, mine) {
    /** @type {import('./dom.js').Child[]} */
    const parts = []
    if (message.edited_at !== null && message.deleted_at === null) {
      parts.push(el('span', { attrs: { title: `Edited ${new Date(message.edited_at).toLocaleString()}` } }, 'edited'))
    }
    if (message.status === 'waiting') parts.push(el('span', { class: 'waiting' }, icon('clock'), 'sending'))
    if (message.status === 'refused' && mine) {
      const retry = el(
        'button',
        { class: 'link-button', attrs: { type: 'button' }, on: { click: () => this.actions.retry(message) } },
        'Try again',
      )
      parts.push(
        el('span', { class: 'failed' }, icon('alert'), `Not delivered. ${message.refusal?.message ?? ''}`),
        message.refusal?.retry === true && retry,
      )
    }
    const { outcome } = message
    if (outcome !== null) {
      const text =
        outcome.message ?? (outcome.status === 'failed' ? 'The bot failed to answer.' : 'The bot chose not to answer.')
      parts.push(
        el('span', { class: outcome.status === 'failed' ? 'failed' : 'quiet', attrs: { title: outcome.reason } }, text),
      )
    }
    this.foot.hidden = parts.length === 0
    fill(this.foot, ...parts)
  }

  /**
   * @param {Message} message
   * @param {boolean} mine
   */
  #toolButtons(message, mine) {
    const react = iconButton('smile', 'React', () => this.#chooseReaction(message), { 'aria-haspopup': 'menu' })
    const quote = iconButton('reply', 'Quote', () => this.actions.quote(message))
    const more = iconButton('more', 'More', () => openMenu(more, 'More', this.#menu(message, mine)), {
      'aria-haspopup': 'menu',
    })
    return [react, quote, more]
  }

  /** @param {Message} message */
  #chooseReaction(message) {
    const anchor = this.tools.querySelector('button:last-child')
    if (!(anchor instanceof HTMLElement)) return
    openChoices(anchor, 'Reactions', REACTIONS, (one) => this.actions.react(message, one, true))
  }

  /**
   * @param {Message} message
   * @param {boolean} mine
   * @returns {MenuItem[]}
   */
  #menu(message, mine) {
    const { state, actions } = this
    const role = state.groupOf(message.chat)?.members.find(({ user_id }) => user_id === state.userId)?.role
    const copy = (/** @type {string} */ text) => void navigator.clipboard.writeText(text)
    /** @type {MenuItem[]} */
    const items = [
      { label: 'React', icon: 'smile', run: () => this.#chooseReaction(message) },
      { label: 'Quote', icon: 'reply', run: () => actions.quote(message) },
      { label: 'Copy text', icon: 'copy', run: () => copy(plainText(message.parts)) },
    ]
    if (message.sender_id === 'bot') {
      items.push({ label: 'Good answer', icon: 'up', run: () => actions.feedback(message, 1) })
      items.push({ label: 'Bad answer', icon: 'down', run: () => actions.feedback(message, 2) })
    }
    const { run_id } = message
    if (run_id !== null) items.push({ label: 'Copy run id', icon: 'copy', run: () => copy(run_id) })
    if (mine && message.status !== 'refused')
      items.push({ label: 'Edit', icon: 'edit', run: () => actions.edit(message) })
    if (mine || role === 'owner' || role === 'admin') {
      items.push({ label: 'Delete', icon: 'trash', danger: true, run: () => actions.remove(message) })
    }
    return items
  }
}

/**
 * A message that the server has not confirmed.
 * @param {Unsent} unsent
 * @param {{ retry: () => void, edit: () => void, discard: () => void }} actions
 * @param {boolean} connected
 */
export function unsentNode({ frame, files, failure, at }, actions, connected) {
  const markdown = new MarkdownView()
  markdown.update(clean(frame.text))
  const button = (/** @type {string} */ label, /** @type {() => void} */ run) =>
    el('button', { class: 'link-button', attrs: { type: 'button' }, on: { click: run } }, label)
  const foot =
    failure === null
      ? [el('span', { class: 'waiting' }, icon('clock'), connected ? 'sending' : 'waiting for the connection')]
      : [
          el('span', { class: 'failed' }, icon('alert'), `Not sent. ${failure.message}`),
          failure.retry && button('Try again', actions.retry),
          button('Edit', actions.edit),
          button('Discard', actions.discard),
        ]
  const pictures = files.flatMap((part) => (part.kind === 'file' ? [fileNode(part.file)] : []))
  const bubble = el(
    'div',
    { class: 'bubble' },
    frame.text !== '' && markdown.node,
    pictures.length > 0 && el('div', { class: 'files' }, ...pictures),
  )
  const column = el(
    'div',
    { class: 'message-column' },
    el('div', { class: 'message-head' }, timeNode(at)),
    el('div', { class: 'bubble-row' }, bubble),
    el('div', { class: 'message-foot' }, ...foot),
  )
  return el(
    'article',
    { class: failure === null ? 'message mine unsent starts-group' : 'message mine refused starts-group' },
    column,
  )
}

/** @param {Message} message */
export function noticeNode(message) {
  return el(
    'p',
    { class: 'notice', attrs: { id: message.id } },
    el('span', {}, shortText(message.parts)),
    timeNode(message.at),
  )
}

/** @param {StoredFile} file */
export function fileNode(file) {
  const src = `files/${file.id}`
  if (file.view === 'image') {
    const img = el('img', { attrs: { src, alt: file.name, loading: 'lazy' } })
    const open = () => openPicture(src, file.name)
    return el(
      'button',
      { class: 'picture-button', attrs: { type: 'button', 'aria-label': `Open ${file.name}` }, on: { click: open } },
      img,
    )
  }
  const about = el(
    'span',
    { class: 'file-text' },
    el('span', { class: 'file-name' }, file.name),
    el('span', { class: 'file-size' }, sizeText(file.size)),
  )
  const card = el(
    'a',
    { class: 'file', attrs: { href: `${src}?download`, download: file.name } },
    icon('file'),
    about,
    icon('download'),
  )
  if (file.view !== 'audio') return card
  return el('div', { class: 'audio' }, card, el('audio', { attrs: { controls: true, preload: 'none', src } }))
}

/** @param {number} bytes */
export function sizeText(bytes) {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}

/** The text of a message with marks where mentions and links stand. @param {readonly Part[]} parts */
function sourceOf(parts) {
  return parts
    .map((part, index) => (part.kind === 'text' ? clean(part.text) : part.kind === 'file' ? '' : mentionMark(index)))
    .join('')
}

/** @param {readonly Part[]} parts */
export function plainText(parts) {
  const text = (/** @type {Part} */ part) => {
    if (part.kind === 'text') return part.text
    if (part.kind === 'mention') return `@${part.name}`
    if (part.kind === 'mention_all') return '@all'
    return part.kind === 'link' ? part.url : `[${part.file.name}]`
  }
  return parts.map(text).join('')
}

/** One line of a message. @param {readonly Part[]} parts */
export function shortText(parts) {
  const text = plainText(parts).replace(/\s+/g, ' ').trim()
  return text.length > 140 ? `${[...text].slice(0, 140).join('')}…` : text
}

/** @param {Record<string, boolean>} names */
function classes(names) {
  return Object.keys(names)
    .filter((name) => names[name])
    .join(' ')
}
