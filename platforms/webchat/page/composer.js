/** Where a person writes: text that grows, files, a quote or an edit, and names after an @. */
import { avatar, el, fill, icon, iconButton } from './dom.js'
import { plainText, shortText } from './message.js'
import { openMenu } from './popover.js'
import { Uploads } from './uploads.js'

/** @import { Message, StoredFile } from '../src/model.ts' */
/** @import { State } from './state.js' */
/**
 * @typedef {object} ComposerActions
 * @property {(text: string, quoteId: string | null, files: StoredFile[]) => void} send
 * @property {(message: Message, text: string) => void} edit
 * @property {() => void} typing
 * @property {() => Message | undefined} lastOwn
 * @property {(userId: string) => void} speakAs
 */

const TYPING_EVERY_MS = 3000

export class Composer {
  /** @type {Message | null} */
  #quoted = null
  /** @type {Message | null} */
  #edited = null
  /** Text that is not sent yet, by chat. @type {Map<string, string>} */
  #drafts = new Map()
  #chat = ''
  #typedAt = 0

  /**
   * @param {HTMLElement} form
   * @param {State} state
   * @param {ComposerActions} actions
   */
  constructor(form, state, actions) {
    this.form = form
    this.state = state
    this.actions = actions
    this.context = el('div', { class: 'context', attrs: { hidden: true } })
    this.names = el('ul', {
      class: 'names',
      attrs: { role: 'listbox', 'aria-label': 'Names', id: 'composer-names', hidden: true },
    })
    const uploadList = el('ul', { class: 'uploads', attrs: { hidden: true, 'aria-label': 'Files to send' } })
    this.uploads = new Uploads(uploadList, { limits: () => state.welcome?.limits, changed: () => this.#updateSend() })
    this.text = el('textarea', {
      class: 'composer-text',
      attrs: {
        id: 'composer-text',
        rows: 1,
        'aria-label': 'Message',
        enterkeyhint: 'send',
        autocomplete: 'off',
        'aria-controls': 'composer-names',
      },
    })
    this.send = el(
      'button',
      { class: 'icon-button send', attrs: { type: 'submit', 'aria-label': 'Send', title: 'Send (Enter)' } },
      icon('send'),
    )
    const picker = el('input', { attrs: { type: 'file', multiple: true, hidden: true } })
    const attach = iconButton('attach', 'Attach files', () => picker.click())
    this.persona = el('button', {
      class: 'persona',
      attrs: { type: 'button', 'aria-haspopup': 'menu' },
      on: { click: () => this.#choosePerson() },
    })
    this.count = el('span', { class: 'count-left', attrs: { hidden: true } })
    fill(
      form,
      this.context,
      uploadList,
      this.names,
      el(
        'div',
        { class: 'composer-row' },
        this.persona,
        el('div', { class: 'composer-box' }, attach, this.text, this.count, this.send),
      ),
      picker,
    )
    picker.addEventListener('change', () => {
      this.uploads.add(picker.files ?? [])
      picker.value = ''
    })
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      this.#submit()
    })
    this.text.addEventListener('input', () => this.#typed())
    this.text.addEventListener('keydown', (event) => this.#key(event))
    this.text.addEventListener('blur', () => this.#closeNames())
    this.text.addEventListener('paste', (event) => this.#paste(event))
  }

  /** Another chat or person was chosen: its draft comes back. */
  select() {
    const { state } = this
    const key = `${state.userId} ${state.chat}`
    const name = state.nameOf(state.userId)
    fill(this.persona, avatar(state.userId, name, 'small'))
    this.persona.setAttribute('aria-label', `You write as ${name}. Change`)
    this.persona.title = `You write as ${name}`
    this.text.placeholder = `Message ${state.chatName(state.chat)} as ${name}`
    if (key === this.#chat) return
    if (this.#chat !== '') this.#drafts.set(this.#chat, this.#edited === null ? this.text.value : '')
    this.#chat = key
    this.#setContext(null, null)
    this.uploads.clear()
    this.setText(this.#drafts.get(key) ?? '')
  }

  /** @param {string} text */
  setText(text) {
    this.text.value = text
    this.#grow()
    this.#updateSend()
  }

  focus() {
    this.text.focus()
  }

  /** @param {Message} message */
  quote(message) {
    this.#setContext(message, null)
    this.focus()
  }

  /** @param {Message} message */
  edit(message) {
    this.#setContext(null, message)
    this.setText(plainText(message.parts.filter(({ kind }) => kind !== 'file')))
    this.focus()
  }

  /**
   * @param {Message | null} quoted
   * @param {Message | null} edited
   */
  #setContext(quoted, edited) {
    this.#quoted = quoted
    this.#edited = edited
    const about = edited ?? quoted
    this.context.hidden = about === null
    if (about === null) return
    const title = edited === null ? `Quote ${this.state.nameOf(about.sender_id)}` : 'Edit message'
    const leave = iconButton('close', 'Cancel', () => this.#leave())
    fill(
      this.context,
      icon(edited === null ? 'reply' : 'edit'),
      el('span', { class: 'context-text' }, el('strong', {}, title), el('span', {}, shortText(about.parts))),
      leave,
    )
  }

  #leave() {
    if (this.#edited !== null) this.setText('')
    this.#setContext(null, null)
    this.focus()
  }

  #submit() {
    if (this.send.disabled) return
    const text = this.text.value
    if (this.#edited !== null) this.actions.edit(this.#edited, text)
    else this.actions.send(text, this.#quoted?.id ?? null, this.uploads.files)
    this.#setContext(null, null)
    this.uploads.clear()
    this.setText('')
    this.#typedAt = 0
    this.focus()
  }

  #typed() {
    this.#grow()
    this.#updateSend()
    this.#offerNames()
    if (this.text.value === '' || Date.now() - this.#typedAt < TYPING_EVERY_MS) return
    this.#typedAt = Date.now()
    this.actions.typing()
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    // Enter also ends the choice of a character in an input method; that one is not for us.
    if (event.isComposing || event.keyCode === 229) return
    if (!this.names.hidden && this.#namesKey(event)) return
    if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.altKey) {
      event.preventDefault()
      this.#submit()
    } else if (event.key === 'Escape' && !this.context.hidden) {
      event.preventDefault()
      this.#leave()
    } else if (event.key === 'ArrowUp' && this.text.value === '' && this.#edited === null) {
      const last = this.actions.lastOwn()
      if (last === undefined) return
      event.preventDefault()
      this.edit(last)
    }
  }

  /** @param {ClipboardEvent} event */
  #paste(event) {
    const files = [...(event.clipboardData?.files ?? [])]
    if (files.length === 0) return
    event.preventDefault()
    this.uploads.add(files)
  }

  #grow() {
    this.text.style.height = 'auto'
    this.text.style.height = `${Math.min(this.text.scrollHeight, 200)}px`
    this.text.style.overflowY = this.text.scrollHeight > 200 ? 'auto' : 'hidden'
  }

  #updateSend() {
    const most = this.state.welcome?.limits.maxText ?? 20_000
    const left = most - this.text.value.length
    const empty = this.text.value.trim() === '' && (this.uploads.list.length === 0 || this.#edited !== null)
    this.send.disabled = empty || left < 0 || !this.uploads.ready
    this.count.hidden = left > 500
    this.count.textContent = String(left)
    this.count.classList.toggle('failed', left < 0)
  }

  /** Offers the members whose name begins with what stands after the @. */
  #offerNames() {
    const group = this.state.groupOf(this.state.chat)
    const before = this.text.value.slice(0, this.text.selectionStart)
    const query = /(?:^|[\s(])@([^\s@]{0,32})$/u.exec(before)?.[1]?.toLowerCase()
    if (group === undefined || query === undefined) return this.#closeNames()
    const names = [
      ...group.members.map(({ user_id }) => ({ id: user_id, name: this.state.nameOf(user_id) })),
      { id: 'all', name: 'all' },
    ]
    const found = names
      .filter(({ id, name }) => id !== this.state.userId && name.toLowerCase().startsWith(query))
      .slice(0, 8)
    if (found.length === 0) return this.#closeNames()
    fill(
      this.names,
      ...found.map(({ id, name }, at) =>
        el(
          'li',
          {
            attrs: { role: 'option', id: `name-${at}`, 'aria-selected': String(at === 0) },
            data: { name },
            on: { mousedown: (event) => this.#pickName(event, name) },
          },
          avatar(id, name, 'small'),
          name,
        ),
      ),
    )
    this.names.hidden = false
    this.text.setAttribute('aria-activedescendant', 'name-0')
  }

  /** @param {KeyboardEvent} event */
  #namesKey(event) {
    const options = [...this.names.children]
    const at = options.findIndex((option) => option.getAttribute('aria-selected') === 'true')
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const next = (at + (event.key === 'ArrowDown' ? 1 : -1) + options.length) % options.length
      for (const [index, option] of options.entries()) option.setAttribute('aria-selected', String(index === next))
      this.text.setAttribute('aria-activedescendant', `name-${next}`)
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      const option = options[at]
      this.#pickName(event, (option instanceof HTMLElement && option.dataset.name) || '')
    } else if (event.key === 'Escape') this.#closeNames()
    else return false
    event.preventDefault()
    return true
  }

  /**
   * @param {Event} event
   * @param {string} name
   */
  #pickName(event, name) {
    event.preventDefault()
    const caret = this.text.selectionStart
    const at = this.text.value.lastIndexOf('@', caret - 1)
    this.text.setRangeText(`@${name} `, at, caret, 'end')
    this.#closeNames()
    this.#grow()
    this.#updateSend()
  }

  #closeNames() {
    this.names.hidden = true
    this.text.removeAttribute('aria-activedescendant')
  }

  #choosePerson() {
    const { state } = this
    const group = state.groupOf(state.chat)
    const ids =
      group === undefined
        ? [...state.people.keys()]
        : group.members.map(({ user_id }) => user_id).filter((id) => id !== 'bot')
    openMenu(
      this.persona,
      'Write as',
      ids.map((id) => ({
        label: state.nameOf(id),
        face: avatar(id, state.nameOf(id), 'small'),
        checked: id === state.userId,
        run: () => this.actions.speakAs(id),
      })),
    )
  }
}
