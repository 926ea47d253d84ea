/** Starts the page and connects its parts: what a person does becomes frames, what the server says becomes state. */
import { Composer } from './composer.js'
import { Connection } from './connection.js'
import { avatar, byId, el, fill, icon, iconButton } from './dom.js'
import { plainText } from './message.js'
import { Outbox } from './outbox.js'
import { EventsPanel } from './panel.js'
import { askForm, confirmStep, field } from './popover.js'
import { Rail } from './rail.js'
import { State } from './state.js'
import { applyTheme, chooseTheme } from './theme.js'
import { spoken, ThreadView } from './thread.js'
import { refreshTimes } from './time.js'

/** @import { CommandFrame } from '../src/frames.ts' */
/** @import { ChatKey } from '../src/model.ts' */

const PAGE = 50
const uuid = () => crypto.randomUUID()
/** Keeps what is stored apart for each bot of this host. */
const storageKey = (/** @type {string} */ name) => `runbound-webchat ${new URL('.', document.baseURI).pathname} ${name}`

applyTheme()
const state = new State()
restoreSelection()

const connection = new Connection({
  frame: (frame) => {
    state.apply(frame)
    if (frame.type === 'welcome') readChat()
    if (frame.type === 'message' && frame.message.sender_id === 'bot' && !frame.message.streaming)
      announce(frame.message)
    if (frame.type === 'error' && frame.uuid === null) showBanner(frame.message, 'failed')
  },
  state: (connected) => {
    rail.showConnection(connected)
    thread.renderUnsent()
    if (connected === 'open') hideBanner()
    const kept = 'What you write is kept and sent when it is back.'
    if (connected === 'waiting') showBanner(`The connection is lost. ${kept}`, 'waiting')
    if (connected === 'stopped') showBanner(`The bot is not running. Start it in the console. ${kept}`, 'waiting')
    if (connected === 'outdated') showBanner('This page is older than the server. Reload it.', 'outdated')
    if (connected === 'signed-out')
      showBanner('You are signed out. Reload to sign in again; what you wrote is kept.', 'outdated')
  },
})
const outbox = new Outbox(connection, storageKey('unsent'), () => thread.renderUnsent())
const rail = new Rail(byId('rail'), byId('backdrop'), state, { newPerson, newGroup, theme: chooseTheme })
const panel = new EventsPanel(byId('panel'), state, {
  fire: (frame) => connection.command(frame),
  closed: () => showPanel(false),
})
const composer = new Composer(byId('composer'), state, {
  send: (text, quote_id, files) => {
    const attachments = files.map(({ id }) => ({ file_id: id }))
    const frame = /** @type {const} */ ({
      type: 'send',
      uuid: uuid(),
      user_id: state.userId,
      chat: state.chat,
      text,
      quote_id,
    })
    outbox.send(
      { ...frame, attachments },
      files.map((file) => ({ kind: 'file', file })),
    )
  },
  edit: (message, text) =>
    void command({
      type: 'edit',
      uuid: uuid(),
      user_id: state.userId,
      chat: message.chat,
      message_id: message.id,
      text,
    }),
  typing: () => void connection.send({ type: 'typing', user_id: state.userId, chat: state.chat }),
  lastOwn: () => thread.lastOwn(),
  speakAs: (id) => state.select(id),
})
const thread = new ThreadView(byId('thread'), state, outbox, {
  quote: (message) => composer.quote(message),
  edit: (message) => composer.edit(message),
  remove: async (message) => {
    const sure = await confirmStep('Delete this message?', 'It disappears for everybody. The bot is told.', 'Delete')
    if (sure)
      void command({ type: 'delete', uuid: uuid(), user_id: state.userId, chat: message.chat, message_id: message.id })
  },
  react: (message, reaction, add) =>
    void command({
      type: 'react',
      uuid: uuid(),
      user_id: state.userId,
      chat: message.chat,
      message_id: message.id,
      reaction,
      add,
    }),
  feedback: async (message, feedback_type) => {
    const done = await command({
      type: 'fire',
      uuid: uuid(),
      event: 'feedback.received',
      user_id: state.userId,
      message_id: message.id,
      feedback_type,
      content: null,
    })
    if (done) showBanner('Thanks. The bot has your feedback.', 'done')
  },
  retry: (message) => {
    if (message.uuid === null) return
    // The server knows this uuid and hands the kept message over again.
    const frame = /** @type {const} */ ({
      type: 'send',
      uuid: message.uuid,
      user_id: state.userId,
      chat: message.chat,
      quote_id: message.quote_id,
    })
    const attachments = message.parts.flatMap((part) => (part.kind === 'file' ? [{ file_id: part.file.id }] : []))
    void command({ ...frame, text: plainText(message.parts.filter(({ kind }) => kind !== 'file')), attachments })
  },
  older: () => readChat(true),
  restore: (text) => {
    composer.setText(text)
    composer.focus()
  },
  isConnected: () => connection.state === 'open',
  hint: () => {
    composer.setText(state.chat.startsWith('group:') ? `@${state.nameOf('bot')} hello` : 'Hello')
    composer.focus()
  },
})

state.on('world', () => {
  rail.render()
  renderHeader()
})
state.on('selection', () => {
  composer.select()
  // On a phone the keyboard would cover the chat.
  if (matchMedia('(pointer: fine) and (min-width: 761px)').matches && panel.isClosed) composer.focus()
  thread.render()
  readChat()
  rememberSelection()
})
state.on('thread', (chat) => {
  if (chat === state.chat) thread.render()
})
state.on('message', (change) => {
  if (change.chat === state.chat) thread.put(change)
})
state.on('stream', ({ chat, message }) => {
  if (chat === state.chat) thread.grow(message)
})
state.on('typing', (chat) => {
  if (chat === state.chat) thread.renderTyping()
})
setInterval(refreshTimes, 20_000)
document.addEventListener('visibilitychange', () => state.markRead())
window.addEventListener('hashchange', () => {
  restoreSelection()
  if (state.welcome !== null) state.select(state.userId, state.chat)
})
acceptDrops()
outbox.resume()
connection.retry()

/**
 * Sends a command; a failure is shown with what to do. True if it worked.
 * @param {CommandFrame} frame
 */
async function command(frame) {
  const answer = await connection.command(frame)
  if (answer.type === 'error') showBanner(answer.message, 'failed')
  return answer.type === 'ack' ? answer : null
}

/** Reads the newest messages of the chosen chat, or those before what is shown. */
function readChat(older = false) {
  const { chat } = state
  const known = state.thread(chat)
  if (!older && known.loaded !== 'unknown') return
  const before = older ? (known.messages[0]?.n ?? null) : null
  const sent = connection.send({
    type: 'history',
    id: `${older ? 'older' : 'newest'} ${chat}`,
    chat,
    before,
    limit: PAGE,
  })
  if (sent && !older) known.loaded = 'loading'
}

function renderHeader() {
  const { chat, userId } = state
  const group = state.groupOf(chat)
  const name = state.chatName(chat)
  const members = group?.members.map(({ user_id }) => state.nameOf(user_id)).join(', ')
  const about = members ?? `Private chat of ${state.nameOf(userId)}`
  const menu = iconButton('menu', 'People and chats', () => rail.open(), { class: 'icon-button only-narrow' })
  const unread = state.chatsOf(userId).some((one) => one !== chat && state.isUnread(one))
  if (unread) menu.append(el('span', { class: 'dot', attrs: { role: 'img', 'aria-label': 'unread messages' } }))
  const fresh = state.welcome?.can_reset && iconButton('fresh', 'New conversation', newConversation)
  const open = !byId('panel').hidden
  const label = el('span', { class: 'only-wide' }, 'Events')
  const events = el(
    'button',
    {
      class: 'button',
      attrs: { type: 'button', 'aria-expanded': String(open), 'aria-label': 'Events', 'aria-controls': 'panel' },
      on: { click: () => showPanel(byId('panel').hidden !== false) },
    },
    icon('bolt'),
    label,
  )
  const title = el(
    'div',
    { class: 'header-title' },
    el('h1', {}, name),
    el('span', { class: 'header-about', attrs: { title: about } }, about),
  )
  fill(byId('header'), menu, avatar(group === undefined ? 'bot' : chat, name), title, fresh, events)
  document.title = `${name} – Web chat`
}

/** @param {boolean} shown */
function showPanel(shown) {
  const node = byId('panel')
  if (shown) panel.open()
  else if (!node.hidden) return panel.close()
  renderHeader()
  if (!shown) byId('header').querySelector('[aria-controls=panel]')?.dispatchEvent(new FocusEvent('focus'))
}

async function newConversation() {
  const text = 'The bot forgets what was said before in this chat. The messages stay here.'
  if (!(await confirmStep('Begin a new conversation?', text, 'Begin'))) return
  void command({ type: 'new_conversation', uuid: uuid(), user_id: state.userId, chat: state.chat })
}

async function newPerson() {
  const name = el('input', {
    attrs: { type: 'text', name: 'name', required: true, maxlength: 64, autocomplete: 'off' },
  })
  const data = await askForm('New person', [field('Name', name)], 'Add')
  if (data === null) return
  const made = await command({ type: 'create_person', uuid: uuid(), name: String(data.get('name')) })
  if (made?.created_id) state.select(made.created_id)
}

async function newGroup() {
  const name = el('input', {
    attrs: { type: 'text', name: 'name', required: true, maxlength: 64, autocomplete: 'off' },
  })
  const others = [...state.people.values()].filter(({ id }) => id !== state.userId)
  const checks = others.map((person) =>
    el(
      'label',
      { class: 'check' },
      el('input', { attrs: { type: 'checkbox', name: 'member', value: person.id, checked: true } }),
      person.name,
    ),
  )
  const role = el(
    'select',
    { attrs: { name: 'role' } },
    el('option', { attrs: { value: 'admin' } }, 'administrator'),
    el('option', { attrs: { value: 'member' } }, 'ordinary member'),
  )
  const people = el('fieldset', { class: 'field' }, el('legend', {}, 'Members besides you'), ...checks)
  const data = await askForm('New group', [field('Name', name), people, field('The bot is', role)], 'Make group')
  if (data === null) return
  const member_ids = data.getAll('member').map(String)
  const bot_role = data.get('role') === 'member' ? 'member' : 'admin'
  const made = await command({
    type: 'create_group',
    uuid: uuid(),
    name: String(data.get('name')),
    owner_id: state.userId,
    member_ids,
    bot_role,
  })
  if (made?.created_id) state.select(state.userId, `group:${made.created_id}`)
}

/** @param {import('../src/model.ts').Message} message */
function announce(message) {
  if (message.chat === state.chat) byId('live').append(el('p', {}, spoken(state, message)))
  while (byId('live').childElementCount > 3) byId('live').firstElementChild?.remove()
}

let bannerTimer = 0

/**
 * @param {string} text
 * @param {'failed' | 'waiting' | 'outdated' | 'done'} kind
 */
function showBanner(text, kind) {
  const banner = byId('banner')
  clearTimeout(bannerTimer)
  const act = (/** @type {string} */ label, /** @type {() => void} */ run) =>
    el('button', { class: 'link-button', attrs: { type: 'button' }, on: { click: run } }, label)
  const button =
    kind === 'waiting'
      ? act('Connect now', () => connection.retry())
      : kind === 'outdated'
        ? act('Reload', () => location.reload())
        : iconButton('close', 'Close', hideBanner)
  banner.dataset.kind = kind
  banner.hidden = false
  fill(banner, icon(kind === 'done' ? 'check' : 'alert'), el('span', {}, text), button)
  if (kind === 'done') bannerTimer = window.setTimeout(hideBanner, 4000)
}

function hideBanner() {
  byId('banner').hidden = true
}

/** Files may be dropped anywhere on the chat. */
function acceptDrops() {
  const main = byId('thread').parentElement ?? document.body
  main.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    main.classList.add('dropping')
  })
  main.addEventListener('dragleave', (event) => {
    if (!(event.relatedTarget instanceof Node) || !main.contains(event.relatedTarget)) main.classList.remove('dropping')
  })
  main.addEventListener('drop', (event) => {
    main.classList.remove('dropping')
    const files = event.dataTransfer?.files
    if (!files || files.length === 0) return
    event.preventDefault()
    composer.uploads.add(files)
  })
}

function rememberSelection() {
  const hash = `#as=${encodeURIComponent(state.userId)}&chat=${encodeURIComponent(state.chat)}`
  if (location.hash !== hash) history.replaceState(null, '', hash)
  try {
    localStorage.setItem(storageKey('read'), JSON.stringify([...state.read]))
  } catch {
    // Without storage every chat counts as read after a reload.
  }
}

/** The address says who and where; the browser's storage says what was read. */
function restoreSelection() {
  const fields = new URLSearchParams(location.hash.slice(1))
  state.userId = fields.get('as') ?? state.userId
  state.chat = /** @type {ChatKey} */ (fields.get('chat') ?? state.chat)
  try {
    const read = JSON.parse(localStorage.getItem(storageKey('read')) ?? '[]')
    if (Array.isArray(read)) state.read = new Map(read)
  } catch {
    // What is stored there can't be read: as if nothing were.
  }
}
