/** The world in memory: what the records of the log add up to, bounded, with the look-ups that everything else needs. */
import type { Limits } from './limits.ts'
import {
  BOT_ID,
  type ChatKey,
  type CommandResult,
  chatKey,
  chatOf,
  type Group,
  type LogRecord,
  type Member,
  type Message,
  type PendingEvent,
  type PendingRequest,
  type Person,
  type StoredFile,
} from './model.ts'

type Bounds = Pick<Limits, 'keepMessagesPerChat' | 'keepMessages' | 'keepCommands' | 'keepDeliveries' | 'keepRefused'>

export interface Delivery {
  readonly message_id: string
  readonly at: number
}

export class World {
  readonly people = new Map<string, Person>()
  readonly groups = new Map<string, Group>()
  readonly requests = new Map<string, PendingRequest>()
  readonly events = new Map<string, PendingEvent>()
  readonly files = new Map<string, StoredFile>()
  readonly #chats = new Map<ChatKey, Message[]>()
  readonly #messages = new Map<string, Message>()
  readonly #commands = new Map<string, CommandResult>()
  readonly #deliveries = new Map<string, Delivery>()
  readonly #bounds: Bounds
  #next = 1
  #forgotAt = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  apply(record: LogRecord): void {
    switch (record.t) {
      case 'person':
        this.people.set(record.person.id, record.person)
        this.#used(record.person.id)
        return
      case 'group':
        this.groups.set(record.group.id, record.group)
        this.#used(record.group.id)
        return
      case 'message':
        this.#putMessage(record.message)
        return
      case 'request':
        this.requests.set(record.request.id, record.request)
        this.#used(record.request.id)
        return
      case 'request_done':
        this.requests.delete(record.id)
        return
      case 'command':
        this.#commands.set(record.uuid, record.result)
        trim(this.#commands, this.#bounds.keepCommands)
        return
      case 'event':
        this.#putEvent(record.event)
        return
      case 'event_done':
        this.events.delete(record.key)
        return
      case 'delivery':
        this.#putDelivery(record.key, { message_id: record.message_id, at: record.at })
        return
      case 'file':
        this.files.set(record.file.id, record.file)
        return
      case 'file_gone':
        this.files.delete(record.id)
        return
      case 'next':
        this.#next = Math.max(this.#next, record.n)
        return
      case 'forgot':
        this.#forgotAt = Math.max(this.#forgotAt, record.at)
    }
  }

  /** A number that no id of this world has; ids are `m-<n>`, `u-<n>`, `g-<n>`, `r-<n>`. */
  takeNumber(): number {
    return this.#next++
  }

  message(id: string): Message | undefined {
    return this.#messages.get(id)
  }

  command(uuid: string): CommandResult | undefined {
    return this.#commands.get(uuid)
  }

  delivery(key: string): Delivery | undefined {
    return this.#deliveries.get(key)
  }

  /** Epoch milliseconds of the youngest forgotten delivery key; 0: none was forgotten. */
  get forgotAt(): number {
    return this.#forgotAt
  }

  /** Messages of a chat, oldest first. */
  messages(chat: ChatKey): readonly Message[] {
    return this.#chats.get(chat) ?? []
  }

  /** Up to `limit` messages of a chat before number `before` (exclusive; null: from the newest), oldest first. */
  page(chat: ChatKey, before: number | null, limit: number): { messages: readonly Message[]; more: boolean } {
    const all = this.messages(chat)
    const end = before === null ? all.length : lowerBound(all, before)
    const start = Math.max(0, end - limit)
    return { messages: all.slice(start, end), more: start > 0 }
  }

  member(groupId: string, userId: string): Member | undefined {
    return this.groups.get(groupId)?.members.find((member) => member.user_id === userId)
  }

  /** Private chat of each person, then the groups. */
  chats(): ChatKey[] {
    return [
      ...[...this.people.keys()].map((id) => chatKey('private', id)),
      ...[...this.groups.keys()].map((id) => chatKey('group', id)),
    ]
  }

  /** True if the chat exists; with a person: if that person is in it. */
  canSee(chat: ChatKey, personId: string): boolean {
    const { type, id } = chatOf(chat)
    return type === 'private' ? id === personId && this.people.has(id) : this.member(id, personId) !== undefined
  }

  /** True while the bot is in the chat. */
  hasBot(chat: ChatKey): boolean {
    const { type, id } = chatOf(chat)
    return type === 'private' ? this.people.has(id) : this.member(id, BOT_ID) !== undefined
  }

  /** Everything as records: what a rewritten log consists of. */
  *snapshot(): Generator<LogRecord> {
    yield { t: 'next', n: this.#next }
    if (this.#forgotAt > 0) yield { t: 'forgot', at: this.#forgotAt }
    for (const person of this.people.values()) yield { t: 'person', person }
    for (const group of this.groups.values()) yield { t: 'group', group }
    for (const request of this.requests.values()) yield { t: 'request', request }
    for (const file of this.files.values()) yield { t: 'file', file }
    for (const messages of this.#chats.values()) for (const message of messages) yield { t: 'message', message }
    for (const [uuid, result] of this.#commands) yield { t: 'command', uuid, result }
    for (const event of this.events.values()) yield { t: 'event', event }
    for (const [key, { message_id, at }] of this.#deliveries) yield { t: 'delivery', key, message_id, at }
  }

  /** Ids of the files that a kept message or a waiting event names. */
  filesInUse(): Set<string> {
    const used = new Set<string>()
    for (const message of this.#messages.values()) {
      for (const part of message.parts) if (part.kind === 'file') used.add(part.file.id)
    }
    return used
  }

  #putMessage(message: Message): void {
    this.#used(message.id)
    const list = this.#chats.get(message.chat) ?? []
    this.#chats.set(message.chat, list)
    const at = lowerBound(list, message.n)
    if (list[at]?.n === message.n) list[at] = message
    else list.splice(at, 0, message)
    this.#messages.set(message.id, message)
    while (list.length > this.#bounds.keepMessagesPerChat) this.#dropOldest(list)
    while (this.#messages.size > this.#bounds.keepMessages) this.#dropOldest(this.#longest())
  }

  #dropOldest(list: Message[]): void {
    const oldest = list.shift()
    if (oldest !== undefined) this.#messages.delete(oldest.id)
  }

  #longest(): Message[] {
    let longest: Message[] = []
    for (const list of this.#chats.values()) if (list.length > longest.length) longest = list
    return longest
  }

  #putEvent(event: PendingEvent): void {
    this.events.delete(event.key)
    this.events.set(event.key, event)
    // Only events that the host refused may be forgotten; the others are still owed to it.
    const refused = [...this.events.values()].filter((one) => one.refused)
    for (const one of refused.slice(0, Math.max(0, refused.length - this.#bounds.keepRefused))) {
      this.events.delete(one.key)
    }
  }

  #putDelivery(key: string, delivery: Delivery): void {
    this.#deliveries.set(key, delivery)
    for (const [oldKey, old] of this.#deliveries) {
      if (this.#deliveries.size <= this.#bounds.keepDeliveries) break
      this.#deliveries.delete(oldKey)
      this.#forgotAt = Math.max(this.#forgotAt, old.at)
    }
  }

  /** Keeps {@link takeNumber} above every id that was read from the log. */
  #used(id: string): void {
    const n = Number(id.slice(id.indexOf('-') + 1))
    if (Number.isSafeInteger(n) && n >= this.#next) this.#next = n + 1
  }
}

function lowerBound(list: readonly Message[], n: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle]?.n ?? 0) < n) low = middle + 1
    else high = middle
  }
  return low
}

function trim<V>(map: Map<string, V>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}
