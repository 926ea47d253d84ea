/** The events panel: makes things happen to the bot, and shows what the host said to each. */
import { el, fill, icon, iconButton } from './dom.js'
import { EVENT_LABELS, eventFields } from './events-form.js'
import { field } from './popover.js'
import { timeNode } from './time.js'

/** @import { FireEvent, FireFrame } from '../src/frames.ts' */
/** @import { State } from './state.js' */
/** @import { Ack, Failure } from './connection.js' */

const KEPT = 30

export class EventsPanel {
  /** @type {FireEvent} */
  #event = 'group.member_joined'
  #busy = false
  /** @type {() => Record<string, unknown>} */
  #read = () => ({})

  /**
   * @param {HTMLElement} node
   * @param {State} state
   * @param {{ fire: (frame: FireFrame) => Promise<Ack | Failure>, closed: () => void }} actions
   */
  constructor(node, state, actions) {
    this.node = node
    this.state = state
    this.actions = actions
    this.choice = el('select', { on: { change: () => this.#choose() } })
    for (const [group, events] of Object.entries(EVENT_LABELS)) {
      const options = Object.entries(events).map(([id, label]) => el('option', { attrs: { value: id } }, label))
      this.choice.append(el('optgroup', { attrs: { label: group } }, ...options))
    }
    this.id = el('code', { class: 'event-id' })
    this.fields = el('div', { class: 'event-fields' })
    this.submit = el('button', { class: 'button primary', attrs: { type: 'submit' } }, icon('bolt'), 'Make it happen')
    this.log = el('ol', { class: 'event-log', attrs: { 'aria-live': 'polite' } })
    this.requests = el('div', { class: 'requests' })
    this.form = el(
      'form',
      { class: 'event-form' },
      field('What happens', this.choice),
      this.id,
      this.fields,
      this.submit,
    )
    this.form.addEventListener('submit', (event) => {
      event.preventDefault()
      void this.#fire()
    })
    const head = el(
      'div',
      { class: 'panel-head' },
      el('h2', {}, 'Events'),
      iconButton('close', 'Close events', () => this.close()),
    )
    const empty = el('p', { class: 'help' }, 'What you make happen is listed here, with the id that the host gave it.')
    fill(
      node,
      head,
      el('div', { class: 'panel-body' }, this.form, this.requests, el('h3', {}, 'What happened'), empty, this.log),
    )
    node.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close()
    })
    state.on('world', () => this.#renderRequests())
    state.on('selection', () => this.#renderFields())
  }

  get isClosed() {
    return this.node.hidden !== false
  }

  open() {
    this.node.hidden = false
    this.#renderFields()
    this.#renderRequests()
    this.choice.focus()
  }

  close() {
    this.node.hidden = true
    this.actions.closed()
  }

  #choose() {
    const chosen = Object.values(EVENT_LABELS)
      .flatMap((events) => Object.keys(events))
      .find((id) => id === this.choice.value)
    this.#event = /** @type {FireEvent} */ (chosen ?? 'group.member_joined')
    this.#renderFields()
  }

  #renderFields() {
    if (this.node.hidden) return
    const { nodes, read } = eventFields(this.#event, this.state)
    this.id.textContent = this.#event
    fill(this.fields, ...nodes)
    this.#read = read
  }

  #renderRequests() {
    if (this.node.hidden) return
    const { requests } = this.state
    const text = (/** @type {import('../src/model.ts').PendingRequest} */ request) =>
      request.kind === 'friend'
        ? `${this.state.nameOf(request.user_id)} wants to be a friend`
        : `Invitation to ${this.state.groups.get(request.group_id)?.name ?? 'a group'}`
    const rows = requests.map((request) => el('li', {}, el('span', {}, text(request)), el('code', {}, request.id)))
    this.requests.hidden = rows.length === 0
    fill(this.requests, el('h3', {}, 'Waiting for the bot'), el('ul', {}, ...rows))
  }

  async #fire() {
    const event = this.#event
    /** @type {FireFrame} */
    const frame = /** @type {any} */ ({ type: 'fire', uuid: crypto.randomUUID(), event, ...this.#read() })
    // Not disabled: that would take the focus away from who works by keyboard.
    if (this.#busy) return
    this.#busy = true
    const answer = await this.actions.fire(frame)
    this.#busy = false
    const failed = answer.type === 'error'
    const about = failed
      ? answer.message
      : answer.event_id === null
        ? 'Done. The host knew it already.'
        : answer.event_id
    const row = el(
      'li',
      { class: failed ? 'failed' : '' },
      icon(failed ? 'alert' : 'check'),
      el('span', { class: 'log-text' }, el('span', {}, event), failed ? el('span', {}, about) : el('code', {}, about)),
      timeNode(Date.now()),
    )
    this.log.prepend(row)
    while (this.log.childElementCount > KEPT) this.log.lastElementChild?.remove()
    this.#renderFields()
  }
}
