/** The left rail: who you are, and your chats. On a phone it opens over the chat. */
import { avatar, el, fill, iconButton } from './dom.js'
import { shortText } from './message.js'
import { timeNode } from './time.js'

/** @import { ChatKey } from '../src/model.ts' */
/** @import { State } from './state.js' */
/** @import { ConnectionState } from './connection.js' */

const STATES = {
  connecting: 'Connecting',
  open: 'Connected',
  waiting: 'Offline',
  stopped: 'The bot is stopped',
  outdated: 'Reload needed',
  'signed-out': 'Signed out',
}

export class Rail {
  /**
   * @param {HTMLElement} node
   * @param {HTMLElement} backdrop
   * @param {State} state
   * @param {{ newPerson: () => void, newGroup: () => void, theme: (anchor: HTMLElement) => void }} actions
   */
  constructor(node, backdrop, state, actions) {
    this.node = node
    this.backdrop = backdrop
    this.state = state
    this.status = el('span', { class: 'status' }, 'Connecting')
    this.title = el('span', { class: 'rail-title' })
    this.people = el('div', { class: 'people', attrs: { role: 'radiogroup', 'aria-label': 'You are' } })
    this.you = el('span', { class: 'you' })
    this.chats = el('ul', { class: 'chats' })
    const close = iconButton('close', 'Close', () => this.close(), { class: 'icon-button only-narrow' })
    const theme = iconButton('theme', 'Light or dark', () => actions.theme(theme), { 'aria-haspopup': 'menu' })
    const head = el(
      'div',
      { class: 'rail-head' },
      el('span', { class: 'rail-name' }, this.title, this.status),
      theme,
      close,
    )
    const peopleHead = el(
      'div',
      { class: 'rail-section' },
      el('h2', {}, 'You are ', this.you),
      iconButton('plus', 'New person', actions.newPerson),
    )
    const chatsHead = el(
      'div',
      { class: 'rail-section' },
      el('h2', {}, 'Chats'),
      iconButton('plus', 'New group', actions.newGroup),
    )
    fill(node, head, peopleHead, this.people, chatsHead, this.chats)
    backdrop.addEventListener('click', () => this.close())
    node.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close()
    })
  }

  open() {
    this.node.classList.add('open')
    this.backdrop.hidden = false
    this.node.querySelector('button')?.focus()
  }

  close() {
    this.node.classList.remove('open')
    this.backdrop.hidden = true
  }

  /** @param {ConnectionState} connection */
  showConnection(connection) {
    this.status.textContent = STATES[connection]
    this.status.dataset.state = connection
  }

  render() {
    const { state } = this
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined
    this.title.textContent = state.nameOf('bot')
    this.you.textContent = state.nameOf(state.userId)
    const ids = [...state.people.keys()]
    fill(this.people, ...ids.map((id) => this.#person(id)))
    fill(this.chats, ...state.chatsOf(state.userId).map((chat) => this.#chat(chat)))
    // Redrawing must not take the focus away from who walks through by keyboard.
    if (focused)
      /** @type {HTMLElement | null} */ (this.node.querySelector(`[data-key="${CSS.escape(focused)}"]`))?.focus()
  }

  /** @param {string} id */
  #person(id) {
    const { state } = this
    const name = state.nameOf(id)
    const chosen = id === state.userId
    const unread = !chosen && state.isUnread(`private:${id}`)
    return el(
      'button',
      {
        class: 'person',
        attrs: {
          type: 'button',
          role: 'radio',
          'aria-checked': String(chosen),
          tabindex: chosen ? 0 : -1,
          title: name,
          'aria-label': unread ? `${name}, unread messages` : name,
        },
        data: { key: `person ${id}` },
        on: { click: () => state.select(id), keydown: (event) => this.#walk(event, id) },
      },
      avatar(id, name),
      unread && el('span', { class: 'dot' }),
    )
  }

  /**
   * Arrow keys choose among the people, as in every group of radio buttons.
   * @param {KeyboardEvent} event
   * @param {string} id
   */
  #walk(event, id) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const ids = [...this.state.people.keys()]
    const next = ids[(ids.indexOf(id) + step + ids.length) % ids.length]
    if (next === undefined) return
    this.state.select(next)
    const button = this.node.querySelector(`[data-key="${CSS.escape(`person ${next}`)}"]`)
    if (button instanceof HTMLElement) button.focus()
  }

  /** @param {ChatKey} chat */
  #chat(chat) {
    const { state } = this
    const chosen = chat === state.chat
    const unread = !chosen && state.isUnread(chat)
    const newest = state.newest.get(chat)
    const name = state.chatName(chat)
    const who = newest?.sender_id === state.userId ? 'You' : state.nameOf(newest?.sender_id ?? null)
    const named = newest?.kind === 'message' && (who === 'You' || chat.startsWith('group:'))
    const from = named ? `${who}: ` : ''
    const last =
      newest === undefined
        ? 'No messages yet'
        : newest.deleted_at !== null
          ? 'Deleted message'
          : from + (newest.streaming ? 'is writing' : shortText(newest.parts))
    const text = el(
      'span',
      { class: 'chat-text' },
      el('span', { class: 'chat-name' }, name),
      el('span', { class: 'chat-last' }, last),
    )
    const side = el(
      'span',
      { class: 'chat-side' },
      newest && timeNode(newest.at),
      unread && el('span', { class: 'dot', attrs: { role: 'img', 'aria-label': 'unread' } }),
    )
    const open = () => {
      state.select(state.userId, chat)
      this.close()
    }
    return el(
      'li',
      {},
      el(
        'button',
        {
          class: 'chat',
          attrs: { type: 'button', 'aria-current': chosen ? 'true' : null },
          data: { key: `chat ${chat}` },
          on: { click: open },
        },
        avatar(chat.startsWith('private:') ? 'bot' : chat, name),
        text,
        side,
      ),
    )
  }
}
