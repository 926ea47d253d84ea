/** The messages of the chosen chat: keeps the place of the reader, follows new ones only if the reader is at the end. */
import { el, fill, icon } from './dom.js'
import { MessageView, noticeNode, plainText, unsentNode } from './message.js'
import { dayText, sameDay } from './time.js'

/** @import { Message } from '../src/model.ts' */
/** @import { State } from './state.js' */
/** @import { Outbox } from './outbox.js' */
/** @import { MessageActions } from './message.js' */

const GROUP_MS = 3 * 60 * 1000
const NEAR_END = 80

export class ThreadView {
  /** @type {Map<string, MessageView>} */
  #views = new Map()
  /** @type {string} */
  #shown = ''
  /** True while the end is on the screen: then it stays there. */
  #following = true
  #unseen = 0

  /**
   * @param {HTMLElement} node
   * @param {State} state
   * @param {Outbox} outbox
   * @param {Omit<MessageActions, 'show'> & { older: () => void, restore: (text: string) => void, isConnected: () => boolean, hint: () => void }} actions
   */
  constructor(node, state, outbox, actions) {
    this.node = node
    this.state = state
    this.outbox = outbox
    this.actions = actions
    this.older = el(
      'button',
      { class: 'button older', attrs: { type: 'button' }, on: { click: actions.older } },
      'Show earlier messages',
    )
    this.list = el('div', { class: 'messages' })
    this.unsent = el('div', { class: 'messages' })
    this.typing = el('div', { class: 'typing', attrs: { hidden: true } })
    this.jumpCount = el('span')
    this.jump = el(
      'button',
      { class: 'jump', attrs: { type: 'button', hidden: true }, on: { click: () => this.toEnd(true) } },
      icon('arrowDown'),
      this.jumpCount,
    )
    this.content = el('div', { class: 'thread-content' }, this.older, this.list, this.unsent, this.typing)
    fill(node, this.content, el('div', { class: 'jump-slot' }, this.jump))
    node.addEventListener('scroll', () => this.#scrolled(), { passive: true })
    node.addEventListener('keydown', (event) => this.#key(event))
    new ResizeObserver(() => this.#keepEnd()).observe(this.content)
    new ResizeObserver(() => this.#keepEnd()).observe(node)
  }

  /** Shows the chosen chat from scratch. */
  render() {
    const { chat, userId } = this.state
    const key = `${userId} ${chat}`
    const fresh = key !== this.#shown
    const fromEnd = this.node.scrollHeight - this.node.scrollTop
    if (fresh) {
      this.#shown = key
      this.#views.clear()
      this.#following = true
      this.#unseen = 0
    }
    const { messages, more, loaded } = this.state.thread(chat)
    this.older.hidden = !more
    /** @type {Node[]} */
    const nodes = []
    /** @type {Message | undefined} */
    let before
    for (const message of messages) {
      if (before === undefined || !sameDay(before.at, message.at))
        nodes.push(el('h2', { class: 'day' }, dayText(message.at)))
      nodes.push(this.#nodeOf(message, before))
      before = message
    }
    if (loaded === 'loaded' && messages.every(({ kind }) => kind === 'notice')) nodes.push(this.#empty())
    if (loaded !== 'loaded' && messages.length === 0) nodes.push(...skeletons())
    fill(this.list, ...nodes)
    this.renderUnsent()
    this.renderTyping()
    if (this.#following) this.toEnd()
    else this.node.scrollTop = this.node.scrollHeight - fromEnd
    this.#updateJump()
  }

  /** @param {{ message: Message, isNew: boolean }} change */
  put({ message, isNew }) {
    const { messages } = this.state.thread(this.state.chat)
    const at = messages.findLastIndex(({ n }) => n === message.n)
    const before = messages[at - 1]
    // Anything but a change in place, or one more at the end, is drawn anew.
    if (isNew && (at !== messages.length - 1 || messages.length === 1)) return this.render()
    if (isNew) {
      this.list.querySelector('.empty')?.remove()
      if (before === undefined || !sameDay(before.at, message.at))
        this.list.append(el('h2', { class: 'day' }, dayText(message.at)))
      this.list.append(this.#nodeOf(message, before))
      if (!this.#following && message.sender_id !== this.state.userId) this.#unseen += 1
      if (message.sender_id === this.state.userId) this.#following = true
    } else this.#views.get(message.id)?.update(message, startsGroup(message, before))
    this.renderUnsent()
    this.renderTyping()
    this.#keepEnd()
    this.#updateJump()
  }

  /** @param {Message} message */
  grow(message) {
    this.#views.get(message.id)?.grow(message)
    this.renderTyping()
    this.#keepEnd()
  }

  renderUnsent() {
    const uuids = new Set(
      this.state
        .thread(this.state.chat)
        .messages.slice(-200)
        .map(({ uuid }) => uuid),
    )
    const unsent = this.outbox.of(this.state.chat, (uuid) => uuids.has(uuid))
    const nodes = unsent.map((one) => {
      const { uuid, text } = one.frame
      const discard = () => this.outbox.discard(uuid)
      const edit = () => {
        discard()
        this.actions.restore(text)
      }
      return unsentNode(one, { discard, edit, retry: () => this.outbox.retry(uuid) }, this.actions.isConnected())
    })
    if (nodes.length > 0 && this.unsent.childElementCount < nodes.length) this.#following = true
    fill(this.unsent, ...nodes)
    this.#keepEnd()
  }

  renderTyping() {
    const names = this.state.typingIn(this.state.chat).map((id) => this.state.nameOf(id))
    this.typing.hidden = names.length === 0
    if (names.length === 0) return
    const dots = el('span', { class: 'dots', attrs: { 'aria-hidden': 'true' } }, el('i'), el('i'), el('i'))
    fill(this.typing, dots, `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} writing`)
    this.#keepEnd()
  }

  /** @param {boolean} [focus] */
  toEnd(focus = false) {
    this.#following = true
    this.#unseen = 0
    this.node.scrollTop = this.node.scrollHeight
    this.#updateJump()
    if (focus) this.node.focus()
  }

  /** Scrolls to a message and lights it up. @param {string} id */
  show(id) {
    const target = document.getElementById(id)
    if (target === null) return
    target.scrollIntoView({ block: 'center' })
    target.classList.add('found')
    target.focus({ preventScroll: true })
    setTimeout(() => target.classList.remove('found'), 1600)
  }

  /** Own messages that can be edited, newest first. */
  lastOwn() {
    const { userId, chat } = this.state
    return this.state
      .thread(chat)
      .messages.findLast(
        ({ sender_id, deleted_at, status }) => sender_id === userId && deleted_at === null && status === 'sent',
      )
  }

  /**
   * @param {Message} message
   * @param {Message | undefined} before
   */
  #nodeOf(message, before) {
    if (message.kind === 'notice') return noticeNode(message)
    let view = this.#views.get(message.id)
    if (view === undefined) {
      view = new MessageView(this.state, { ...this.actions, show: (id) => this.show(id) })
      this.#views.set(message.id, view)
    }
    view.update(message, startsGroup(message, before))
    return view.node
  }

  #empty() {
    const bot = this.state.nameOf('bot')
    const group = this.state.groupOf(this.state.chat)
    const inGroup = group === undefined || group.members.some(({ user_id }) => user_id === 'bot')
    const text =
      group === undefined
        ? `Say something to ${bot}. Its answers appear here.`
        : inGroup
          ? `Say something to the group. Write @${bot} to speak to the bot.`
          : `${bot} is not in this group yet, so it hears nothing. Open Events to invite it.`
    const start = el(
      'button',
      { class: 'button primary', attrs: { type: 'button' }, on: { click: this.actions.hint } },
      'Say hello',
    )
    return el('div', { class: 'empty' }, el('h2', {}, 'No messages yet'), el('p', {}, text), start)
  }

  #scrolled() {
    const toEnd = this.node.scrollHeight - this.node.scrollTop - this.node.clientHeight
    this.#following = toEnd < NEAR_END
    if (this.#following) this.#unseen = 0
    this.#updateJump()
  }

  #keepEnd() {
    if (this.#following) this.node.scrollTop = this.node.scrollHeight
  }

  #updateJump() {
    this.jump.hidden = this.#following
    const count = this.#unseen
    this.jumpCount.textContent = count === 0 ? '' : `${count} new`
    this.jump.setAttribute(
      'aria-label',
      count === 0 ? 'Go to the newest message' : `${count} new messages, go to the newest`,
    )
  }

  /** Arrow keys walk over the messages. @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    const focused = document.activeElement?.closest('.message')
    if (document.activeElement !== focused && document.activeElement !== this.node) return
    const all = [...this.content.querySelectorAll('article.message')]
    const at = focused ? all.indexOf(focused) : all.length
    const next = all[at + (event.key === 'ArrowUp' ? -1 : 1)]
    if (!(next instanceof HTMLElement)) return
    event.preventDefault()
    next.focus()
    next.scrollIntoView({ block: 'nearest' })
  }
}

/**
 * @param {Message} message
 * @param {Message | undefined} before
 */
function startsGroup(message, before) {
  return (
    before === undefined ||
    before.kind !== 'message' ||
    before.sender_id !== message.sender_id ||
    message.at - before.at > GROUP_MS ||
    !sameDay(message.at, before.at)
  )
}

function skeletons() {
  return [60, 40, 75].map((width, at) => {
    const bar = el('div', { class: 'skeleton' })
    bar.style.width = `${width}%`
    if (at === 1) bar.classList.add('mine')
    return bar
  })
}

/** What a screen reader says about a message. @param {State} state @param {Message} message */
export function spoken(state, message) {
  return `${state.nameOf(message.sender_id)}: ${plainText(message.parts).slice(0, 500)}`
}
