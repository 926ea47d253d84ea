/** What the page knows: people, groups, chats and their messages; who the person at the screen is, and where. */

/** @import { Group, Message, PendingRequest, Person, ChatKey } from '../src/model.ts' */
/** @import { ServerFrame } from '../src/frames.ts' */
/** @typedef {Extract<ServerFrame, { type: 'welcome' }>} Welcome */
/** @typedef {Extract<ServerFrame, { type: 'stream' }>} StreamFrame */
/**
 * @typedef {object} Thread
 * @property {Message[]} messages Oldest first.
 * @property {boolean} more Older ones are on the server.
 * @property {'unknown' | 'loading' | 'loaded'} loaded
 */
/**
 * @typedef {object} Topics
 * @property {undefined} world People, groups, requests, unread marks.
 * @property {undefined} selection Another person or chat was chosen.
 * @property {ChatKey} thread Many messages of a chat changed.
 * @property {{ chat: ChatKey, message: Message, isNew: boolean }} message
 * @property {{ chat: ChatKey, message: Message }} stream The text of a message has grown.
 * @property {ChatKey} typing
 */

const TYPING_MS = 6000

export class State {
  /** @type {Welcome | null} */
  welcome = null
  /** @type {Map<string, Person>} */
  people = new Map()
  /** @type {Map<string, Group>} */
  groups = new Map()
  /** @type {readonly PendingRequest[]} */
  requests = []
  /** @type {Map<ChatKey, Thread>} */
  threads = new Map()
  /** @type {Map<ChatKey, Message>} */
  newest = new Map()
  /** Number of the last message that was seen in a chat. @type {Map<string, number>} */
  read = new Map()
  /** @type {Map<ChatKey, Map<string, number>>} */
  typing = new Map()
  userId = ''
  /** @type {ChatKey} */
  chat = 'private:'
  /** @type {{ [topic: string]: ((detail: any) => void)[] }} */
  #listeners = {}

  /**
   * @template {keyof Topics} T
   * @param {T} topic
   * @param {(detail: Topics[T]) => void} listener
   */
  on(topic, listener) {
    const list = this.#listeners[topic] ?? []
    list.push(/** @type {(detail: any) => void} */ (listener))
    this.#listeners[topic] = list
  }

  /**
   * @template {keyof Topics} T
   * @param {T} topic
   * @param {Topics[T]} detail
   */
  #tell(topic, detail) {
    for (const listener of this.#listeners[topic] ?? []) listener(detail)
  }

  /** @param {ChatKey} chat */
  thread(chat) {
    let thread = this.threads.get(chat)
    if (thread === undefined) {
      thread = { messages: [], more: false, loaded: 'unknown' }
      this.threads.set(chat, thread)
    }
    return thread
  }

  /** @param {string} id */
  message(id) {
    for (const { messages } of this.threads.values()) {
      const found = messages.find((message) => message.id === id)
      if (found) return found
    }
    return undefined
  }

  /** @param {string | null} id */
  nameOf(id) {
    if (id === null) return ''
    if (id === 'bot') return this.welcome?.bot.name ?? 'Bot'
    return this.people.get(id)?.name ?? 'Somebody'
  }

  /** @param {ChatKey} chat */
  chatName(chat) {
    if (chat.startsWith('private:')) return this.nameOf('bot')
    return this.groups.get(chat.slice(6))?.name ?? 'Group'
  }

  /** The group of a chat. @param {ChatKey} chat */
  groupOf(chat) {
    return chat.startsWith('group:') ? this.groups.get(chat.slice(6)) : undefined
  }

  /** Chats of a person: the private one, then the groups. @param {string} userId */
  chatsOf(userId) {
    const groups = [...this.groups.values()].filter(({ members }) => members.some(({ user_id }) => user_id === userId))
    return /** @type {ChatKey[]} */ ([`private:${userId}`, ...groups.map(({ id }) => `group:${id}`)])
  }

  /** @param {ChatKey} chat */
  isUnread(chat) {
    const newest = this.newest.get(chat)
    return newest !== undefined && newest.n > (this.read.get(chat) ?? 0)
  }

  /** Somebody who writes now, but not the person at the screen. @param {ChatKey} chat */
  typingIn(chat) {
    const now = Date.now()
    return [...(this.typing.get(chat) ?? [])]
      .filter(([id, until]) => until > now && id !== this.userId)
      .map(([id]) => id)
  }

  /**
   * @param {string} userId
   * @param {ChatKey} [chat]
   */
  select(userId, chat = this.chat) {
    this.userId = userId
    const mine = this.chatsOf(userId)
    this.chat = mine.includes(chat) ? chat : (mine[0] ?? `private:${userId}`)
    this.markRead()
    this.#tell('selection', undefined)
    this.#tell('world', undefined)
  }

  /** What is on the screen has been seen. */
  markRead() {
    const newest = this.newest.get(this.chat)
    if (newest === undefined || document.visibilityState !== 'visible') return
    if ((this.read.get(this.chat) ?? 0) >= newest.n) return
    this.read.set(this.chat, newest.n)
    this.#tell('world', undefined)
  }

  /** @param {ServerFrame} frame */
  apply(frame) {
    switch (frame.type) {
      case 'welcome':
        return this.#welcome(frame)
      case 'history':
        return this.#history(frame)
      case 'message':
        return this.#message(frame.message)
      case 'stream':
        return this.#stream(frame)
      case 'typing':
        return this.#typing(frame.chat, frame.user_id)
      case 'person':
        this.people.set(frame.person.id, frame.person)
        return this.#tell('world', undefined)
      case 'group':
        this.groups.set(frame.group.id, frame.group)
        if (!this.chatsOf(this.userId).includes(this.chat)) this.select(this.userId)
        return this.#tell('world', undefined)
      case 'requests':
        this.requests = frame.requests
        return this.#tell('world', undefined)
    }
  }

  /** @param {Welcome} frame */
  #welcome(frame) {
    this.welcome = frame
    this.people = new Map(frame.people.map((person) => [person.id, person]))
    this.groups = new Map(frame.groups.map((group) => [group.id, group]))
    this.requests = frame.requests
    for (const message of frame.newest) this.newest.set(message.chat, message)
    // What was missed while away is read anew; what is shown stays until then.
    for (const thread of this.threads.values()) thread.loaded = 'unknown'
    this.select(this.people.has(this.userId) ? this.userId : (frame.people[0]?.id ?? ''))
  }

  /** @param {Extract<ServerFrame, { type: 'history' }>} frame */
  #history({ id, chat, messages, more }) {
    const thread = this.thread(chat)
    const older = id.startsWith('older')
    // The newest page replaces what is known if there may be a hole between them.
    const keep = older || overlaps(thread.messages, messages) ? thread.messages : []
    if (older || keep.length === 0) thread.more = more
    const byNumber = new Map([...keep, ...messages].map((message) => [message.n, message]))
    thread.messages = [...byNumber.values()].sort((a, b) => a.n - b.n)
    thread.loaded = 'loaded'
    this.#tell('thread', chat)
  }

  /** @param {Message} message */
  #message(message) {
    const { messages, loaded } = this.thread(message.chat)
    const at = messages.findLastIndex(({ n }) => n <= message.n)
    const isNew = messages[at]?.n !== message.n
    if (!isNew) messages[at] = message
    // A chat that was not read yet will be, with this message in it.
    else if (loaded !== 'unknown') messages.splice(at + 1, 0, message)
    const newest = this.newest.get(message.chat)
    if (newest === undefined || newest.n <= message.n) this.newest.set(message.chat, message)
    if (message.sender_id !== null) this.typing.get(message.chat)?.delete(message.sender_id)
    this.#tell('message', { chat: message.chat, message, isNew })
    if (message.chat === this.chat) this.markRead()
    this.#tell('world', undefined)
  }

  /**
   * The end of a text is new. A frame that does not fit to what is known is left out: the whole text comes at the end.
   * @param {StreamFrame} frame
   */
  #stream(frame) {
    const { messages } = this.thread(frame.chat)
    const at = messages.findLastIndex(({ id }) => id === frame.message_id)
    const old = messages[at]
    if (old === undefined) return
    const part = old.parts[0]
    const text = part?.kind === 'text' ? part.text : ''
    if (frame.from > text.length) return
    /** @type {Message} */
    const message = { ...old, streaming: true, parts: [{ kind: 'text', text: text.slice(0, frame.from) + frame.text }] }
    messages[at] = message
    this.typing.get(frame.chat)?.delete('bot')
    this.#tell('stream', { chat: frame.chat, message })
  }

  /**
   * @param {ChatKey} chat
   * @param {string} userId
   */
  #typing(chat, userId) {
    const people = this.typing.get(chat) ?? new Map()
    people.set(userId, Date.now() + TYPING_MS)
    this.typing.set(chat, people)
    this.#tell('typing', chat)
    setTimeout(() => this.#tell('typing', chat), TYPING_MS + 50)
  }
}

/**
 * @param {readonly Message[]} known
 * @param {readonly Message[]} page
 */
function overlaps(known, page) {
  const first = page[0]
  const last = known.at(-1)
  return first !== undefined && last !== undefined && first.n <= last.n && (page.at(-1)?.n ?? 0) >= (known[0]?.n ?? 0)
}
