/** Reads client frames: the one place where what a browser sent becomes typed. Throws FrameError that names the field. */
import type { Json, JsonObject } from '@runbound/protocol'
import { type ClientFrame, type FireFrame, type FrameAttachment, FrameError } from './frames.ts'
import type { Limits } from './limits.ts'
import type { ChatKey } from './model.ts'

type Fields = { readonly [key: string]: unknown }

/** A client frame from its text, or FrameError (`invalid_frame`, `too_large`). */
export function parseFrame(text: string, limits: Limits): ClientFrame {
  const frame = parseJson(text, limits)
  const read = new Reader(frame, limits)
  const type = read.text('type', 32)
  switch (type) {
    case 'hello':
      return { type, v: read.count('v') }
    case 'ping':
      return { type }
    case 'history': {
      const before = frame.before == null ? null : read.count('before')
      return { type, id: read.text('id', 64), chat: read.chat(), before, limit: read.limit() }
    }
    case 'typing':
      return { type, user_id: read.id('user_id'), chat: read.chat() }
    case 'send': {
      const content = { text: read.message('text'), attachments: read.attachments() }
      if (content.text.trim() === '' && content.attachments.length === 0) {
        throw new FrameError('invalid_frame', 'A message needs a text or a file.')
      }
      return { type, ...read.byPerson(), ...content, quote_id: read.optionalId('quote_id') }
    }
    case 'edit': {
      const text = read.message('text')
      if (text.trim() === '')
        throw new FrameError('invalid_frame', 'The new text is empty. Delete the message instead.')
      return { type, ...read.byPerson(), message_id: read.id('message_id'), text }
    }
    case 'delete':
      return { type, ...read.byPerson(), message_id: read.id('message_id') }
    case 'react': {
      const reaction = read.text('reaction', limits.maxReaction)
      return { type, ...read.byPerson(), message_id: read.id('message_id'), reaction, add: read.flag('add') }
    }
    case 'new_conversation':
      return { type, ...read.byPerson() }
    case 'create_person':
      return { type, uuid: read.uuid(), name: read.name('name') }
    case 'create_group': {
      const bot_role = read.oneOf('bot_role', ['admin', 'member'] as const)
      const group = { name: read.name('name'), owner_id: read.id('owner_id'), member_ids: read.ids('member_ids') }
      return { type, uuid: read.uuid(), ...group, bot_role }
    }
    case 'fire':
      return parseFire(read, limits)
    default:
      throw new FrameError('invalid_frame', `There is no frame of type "${type}".`)
  }
}

function parseFire(read: Reader, limits: Limits): FireFrame {
  const type = 'fire'
  const uuid = read.uuid()
  const event = read.text('event', 64)
  const inGroup = () =>
    ({ type, uuid, group_id: read.id('group_id'), operator_id: read.optionalId('operator_id') }) as const
  switch (event) {
    case 'group.member_joined': {
      const who = {
        group_id: read.id('group_id'),
        user_id: read.id('user_id'),
        inviter_id: read.optionalId('inviter_id'),
      }
      return { type, uuid, event, ...who, join_type: read.optionalText('join_type', limits.maxName) }
    }
    case 'group.member_left':
      return { ...inGroup(), event, user_id: read.id('user_id'), is_kicked: read.flag('is_kicked') }
    case 'group.member_banned':
      return { ...inGroup(), event, user_id: read.id('user_id'), duration: read.duration() }
    case 'group.info_updated': {
      const description = read.optionalText('description', limits.maxDescription)
      const name = read.optionalText('name', limits.maxName)
      if (name?.trim() === '') throw new FrameError('invalid_frame', 'The name of a group must not be empty.')
      return { ...inGroup(), event, name, description }
    }
    case 'friend.request_received': {
      const message = read.optionalText('message', limits.maxDescription)
      return { type, uuid, event, user_id: read.id('user_id'), message }
    }
    case 'friend.added':
    case 'friend.removed':
      return { type, uuid, event, user_id: read.id('user_id') }
    case 'bot.invited_to_group':
      return { type, uuid, event, name: read.name('name'), inviter_id: read.id('inviter_id') }
    case 'bot.removed_from_group':
    case 'bot.unmuted':
      return { ...inGroup(), event }
    case 'bot.muted':
      return { ...inGroup(), event, duration: read.duration() }
    case 'feedback.received': {
      const message = { user_id: read.id('user_id'), message_id: read.id('message_id') }
      const content = read.optionalText('content', limits.maxDescription)
      return { type, uuid, event, ...message, content, feedback_type: read.oneOf('feedback_type', [1, 2, 3] as const) }
    }
    case 'platform.specific':
      return { type, uuid, event, action: read.text('action', limits.maxName), data: read.object('data') }
    default:
      throw new FrameError('invalid_frame', `The web chat can't make the event "${event}".`)
  }
}

function parseJson(text: string, limits: Limits): Fields {
  if (text.length > limits.maxFrame) {
    throw new FrameError('too_large', `A frame may have ${limits.maxFrame} characters. Upload large files instead.`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new FrameError('invalid_frame', 'The frame is not JSON.')
  }
  if (!isFields(value)) throw new FrameError('invalid_frame', 'The frame is not a JSON object.')
  return value
}

class Reader {
  readonly #frame: Fields
  readonly #limits: Limits

  constructor(frame: Fields, limits: Limits) {
    this.#frame = frame
    this.#limits = limits
  }

  text(key: string, most: number): string {
    const value = this.#frame[key]
    if (typeof value !== 'string' || value === '') throw wrong(key, 'a text that is not empty')
    if (value.length > most) throw tooLarge(key, most)
    return value
  }

  optionalText(key: string, most: number): string | null {
    const value = this.#frame[key] ?? null
    if (value === null || value === '') return null
    return this.text(key, most)
  }

  /** The text of a message: may be empty here. */
  message(key: string): string {
    const value = this.#frame[key]
    if (typeof value !== 'string') throw wrong(key, 'a text')
    if (value.length > this.#limits.maxText) throw tooLarge(key, this.#limits.maxText)
    return value
  }

  name(key: string): string {
    const name = this.text(key, this.#limits.maxName).trim()
    if (name === '' || hasControl(name)) throw wrong(key, 'a name of visible characters')
    return name
  }

  id(key: string): string {
    return this.text(key, 64)
  }

  optionalId(key: string): string | null {
    return this.optionalText(key, 64)
  }

  ids(key: string): string[] {
    const value = this.#frame[key]
    if (!Array.isArray(value)) throw wrong(key, 'a list of ids')
    if (value.length > this.#limits.maxPeople) throw tooLarge(key, this.#limits.maxPeople)
    return value.map((id: unknown) => {
      if (typeof id !== 'string' || id.length > 64) throw wrong(key, 'a list of ids')
      return id
    })
  }

  uuid(): string {
    const value = this.text('uuid', 64)
    if (!/^[\w-]{8,64}$/.test(value)) throw wrong('uuid', '8 to 64 letters, digits or dashes')
    return value
  }

  chat(): ChatKey {
    const value = this.text('chat', 80)
    if (!isChatKey(value)) throw wrong('chat', '"private:<user id>" or "group:<group id>"')
    return value
  }

  byPerson(): { uuid: string; user_id: string; chat: ChatKey } {
    return { uuid: this.uuid(), user_id: this.id('user_id'), chat: this.chat() }
  }

  count(key: string): number {
    const value = this.#frame[key]
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw wrong(key, 'a whole number')
    return value
  }

  limit(): number {
    return Math.min(Math.max(this.count('limit'), 1), this.#limits.historyPage)
  }

  duration(): number | null {
    return (this.#frame.duration ?? null) === null ? null : this.count('duration')
  }

  flag(key: string): boolean {
    const value = this.#frame[key]
    if (typeof value !== 'boolean') throw wrong(key, 'true or false')
    return value
  }

  oneOf<const V>(key: string, values: readonly V[]): V {
    const found = values.find((one) => one === this.#frame[key])
    if (found === undefined) throw wrong(key, `one of ${values.join(', ')}`)
    return found
  }

  object(key: string): JsonObject {
    const value = this.#frame[key]
    if (!isJsonObject(value)) throw wrong(key, 'a JSON object')
    if (JSON.stringify(value).length > this.#limits.maxEventData) throw tooLarge(key, this.#limits.maxEventData)
    return value
  }

  attachments(): FrameAttachment[] {
    const value = this.#frame.attachments ?? []
    if (!Array.isArray(value)) throw wrong('attachments', 'a list')
    if (value.length > this.#limits.maxAttachments) throw tooLarge('attachments', this.#limits.maxAttachments)
    return value.map((one: unknown): FrameAttachment => {
      if (isFields(one) && typeof one.file_id === 'string') return { file_id: one.file_id }
      if (isFields(one) && typeof one.name === 'string' && typeof one.data_url === 'string') {
        return { name: one.name, data_url: one.data_url }
      }
      throw wrong('attachments', 'objects with file_id, or with name and data_url')
    })
  }
}

function wrong(key: string, expected: string): FrameError {
  return new FrameError('invalid_frame', `"${key}" has to be ${expected}.`)
}

function tooLarge(key: string, most: number): FrameError {
  return new FrameError('too_large', `"${key}" is too long: at most ${most} are allowed.`)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What JSON.parse made is JSON; only the outermost shape is left to check. */
function isJsonObject(value: unknown): value is { readonly [key: string]: Json } {
  return isFields(value)
}

function isChatKey(value: string): value is ChatKey {
  return /^(private|group):./.test(value)
}

function hasControl(text: string): boolean {
  return /[\p{Cc}\p{Cf}]/u.test(text)
}
