/** The platform APIs of the web chat (docs-facts.md §4.1), over its own people and groups. */
import { AdapterError } from '@runbound/platform-kit'
import type { Json, JsonObject, MessageChain } from '@runbound/protocol'
import { fillFiles, fromChain, plainText, toChain } from './chains.ts'
import type { FileStore } from './files.ts'
import { FrameError } from './frames.ts'
import { addMember, banUntil, removeMember, withMute } from './groups.ts'
import { withoutContent, withReaction } from './messages.ts'
import { BOT_ID, type ChatKey, chatKey, type Group, type LogRecord, type Message, type Person } from './model.ts'
import { asAdapterError } from './outbound.ts'
import { eventRecord, notice, replyTo, type Scene } from './plan.ts'
import type { Store } from './store.ts'

export interface ApiParts {
  readonly store: Store
  readonly files: FileStore
  scene(): Scene
  /** Hands an event of the log to the host, without waiting for it. */
  emit(key: string): void
  /** Reads a chain that a plugin gave; throws what it throws for a bad one. */
  readChain(value: Json | undefined): MessageChain
}

type Api = (call: Call) => Promise<Json> | Json

/** One call, with its parameters read and checked on demand. */
class Call {
  readonly parts: ApiParts
  readonly #params: JsonObject

  constructor(parts: ApiParts, params: JsonObject) {
    this.parts = parts
    this.#params = params
  }

  get scene(): Scene {
    return this.parts.scene()
  }

  value(key: string): Json | undefined {
    return this.#params[key]
  }

  /** An id; numbers are read as text, as every id of this platform is one. */
  id(key: string): string {
    const value = this.#params[key]
    if (typeof value === 'string' && value !== '') return value
    if (typeof value === 'number' || typeof value === 'bigint') return String(value)
    throw new AdapterError('invalid', `"${key}" is missing or no id.`)
  }

  text(key: string, most: number): string {
    const value = this.#params[key]
    if (typeof value !== 'string' || value.trim() === '' || value.length > most) {
      throw new AdapterError('invalid', `"${key}" has to be a text of 1 to ${most} characters.`)
    }
    return value
  }

  flag(key: string): boolean {
    const value = this.#params[key]
    if (typeof value !== 'boolean') throw new AdapterError('invalid', `"${key}" has to be true or false.`)
    return value
  }

  person(): Person {
    const person = this.scene.world.people.get(this.id('user_id'))
    if (person === undefined) throw new AdapterError('refused', `There is no person "${this.id('user_id')}".`)
    return person
  }

  /** A group that the bot is in. */
  group(): Group {
    const { world } = this.scene
    const group = world.groups.get(this.id('group_id'))
    if (group === undefined || world.member(group.id, BOT_ID) === undefined) {
      throw new AdapterError('refused', `The bot is not in a group "${this.id('group_id')}".`)
    }
    return group
  }

  /** A group in which the bot is an owner or administrator, and a member of it that it may act on. */
  moderated(): { group: Group; userId: string } {
    const group = this.group()
    const userId = this.id('user_id')
    this.requireAdmin(group)
    const member = this.scene.world.member(group.id, userId)
    if (member === undefined) throw new AdapterError('refused', `"${userId}" is not in the group "${group.id}".`)
    if (member.role === 'owner') throw new AdapterError('refused', 'Nobody can act on the owner of a group.')
    return { group, userId }
  }

  requireAdmin(group: Group): void {
    if (this.scene.world.member(group.id, BOT_ID)?.role === 'member') {
      throw new AdapterError('refused', 'The bot is no administrator of this group.')
    }
  }

  chat(): ChatKey {
    const type = this.value('chat_type')
    if (type !== 'group' && type !== 'private' && type !== 'person') {
      throw new AdapterError('invalid', '"chat_type" has to be private, person or group.')
    }
    return chatKey(type === 'group' ? 'group' : 'private', this.id('chat_id'))
  }

  message(): Message {
    const chat = this.chat()
    const message = this.scene.world.message(this.id('message_id'))
    if (!this.scene.world.hasBot(chat) || message?.chat !== chat || message.deleted_at !== null) {
      throw new AdapterError('refused', `There is no message "${this.id('message_id')}" in this chat.`)
    }
    return message
  }

  async commit(...records: readonly LogRecord[]): Promise<null> {
    await this.parts.store.commit(records)
    return null
  }
}

const APIS: Readonly<Record<string, Api>> = {
  get_user_info: (call) => {
    const { build } = call.scene
    return call.id('user_id') === BOT_ID ? build.bot() : build.user(call.person())
  },
  get_friend_list: ({ scene: { world, build } }) =>
    [...world.people.values()].filter(({ friend }) => friend).map((person) => build.user(person)),
  get_group_info: (call) => call.scene.build.group(call.group()),
  get_group_list: ({ scene: { world, build } }) =>
    [...world.groups.values()].filter(({ id }) => world.member(id, BOT_ID)).map((group) => build.group(group)),
  get_group_member_list: (call) => {
    const { world, build } = call.scene
    const group = call.group()
    return group.members.map((member) => build.member(world, group, member))
  },
  get_group_member_info: (call) => {
    const { world, build } = call.scene
    const group = call.group()
    const member = world.member(group.id, call.id('user_id'))
    if (member === undefined) throw new AdapterError('refused', `"${call.id('user_id')}" is not in the group.`)
    return build.member(world, group, member)
  },
  get_message: async (call) => {
    const message = call.message()
    const { world, build } = call.scene
    const chain = await fillFiles(toChain(message, world.message(message.quote_id ?? '')), async (id) => {
      const file = world.files.get(id)
      return file === undefined
        ? null
        : `data:${file.mime};base64,${(await call.parts.files.read(id)).toString('base64')}`
    })
    return asJson(build.received(world, message, chain))
  },
  delete_message: (call) => {
    const message = call.message()
    if (message.sender_id !== BOT_ID) {
      if (!message.chat.startsWith('group:')) {
        throw new AdapterError('refused', 'In a private chat the bot can delete only what it said itself.')
      }
      call.requireAdmin(call.scene.world.groups.get(call.id('chat_id')) ?? call.group())
    }
    return call.commit({ t: 'message', message: withoutContent(message, call.scene.now) })
  },
  edit_message: async (call) => {
    call.message()
    const chain = call.parts.readChain(call.value('new_content'))
    const { parts } = await fromChain(chain, (bytes, name) => call.parts.files.put(bytes, name))
    const { limits, now } = call.scene
    if (parts.length === 0) throw new AdapterError('invalid', '"new_content" is empty. Use delete_message instead.')
    if (plainText(parts).length > limits.maxText) {
      throw new AdapterError('too_long', `A message may have ${limits.maxText} UTF-16 units.`)
    }
    const old = call.message()
    if (old.sender_id !== BOT_ID) throw new AdapterError('refused', 'The bot can edit only what it said itself.')
    const files = parts.flatMap((part): LogRecord[] => (part.kind === 'file' ? [{ t: 'file', file: part.file }] : []))
    const message: Message = { ...old, parts, version: old.version + 1, edited_at: now }
    return call.commit(...files, { t: 'message', message })
  },
  add_reaction: (call) => react(call, true),
  remove_reaction: (call) => react(call, false),
  set_group_name: (call) => {
    const group = call.group()
    call.requireAdmin(group)
    const name = call.text('name', call.scene.limits.maxName).trim()
    const line = notice(call.scene, chatKey('group', group.id), `The bot named the group "${name}"`)
    return call.commit({ t: 'group', group: { ...group, name } }, line)
  },
  mute_member: (call) => {
    const { group, userId } = call.moderated()
    const duration = Number(call.value('duration') ?? 0)
    if (!Number.isSafeInteger(duration) || duration < 0) {
      throw new AdapterError('invalid', '"duration" has to be a whole number of seconds; 0 is without end.')
    }
    const muted = banUntil(duration === 0 ? null : duration, call.scene.now)
    const text = `The bot muted ${nameIn(call, userId)}${duration === 0 ? '' : ` for ${duration} s`}`
    return changed(call, withMute(group, userId, muted), text)
  },
  unmute_member: (call) => {
    const { group, userId } = call.moderated()
    return changed(call, withMute(group, userId, null), `The bot unmuted ${nameIn(call, userId)}`)
  },
  kick_member: (call) => {
    const { group, userId } = call.moderated()
    if (userId === BOT_ID) throw new AdapterError('invalid', 'The bot can not remove itself. Use leave_group instead.')
    return changed(call, removeMember(group, userId), `The bot removed ${nameIn(call, userId)}`)
  },
  leave_group: (call) => changed(call, removeMember(call.group(), BOT_ID), 'The bot left the group'),
  approve_friend_request: (call) => {
    const { world, build, now } = call.scene
    const request = world.requests.get(call.id('request_id'))
    const person = request?.kind === 'friend' ? world.people.get(request.user_id) : undefined
    if (request === undefined || person === undefined) {
      throw new AdapterError('refused', `There is no open friend request "${call.id('request_id')}".`)
    }
    const approve = call.flag('approve')
    const chat = chatKey('private', person.id)
    const done: LogRecord = { t: 'request_done', id: request.id }
    if (!approve) return call.commit(done, notice(call.scene, chat, 'The bot declined the friend request'))
    const remark = call.value('remark') ? call.text('remark', call.scene.limits.maxName) : person.remark
    const friend: Person = { ...person, friend: true, remark }
    const event = { ...build.base(now), type: 'friend.added' as const, user: build.user(friend) }
    const key = `${request.id}:added`
    return call
      .commit(
        done,
        { t: 'person', person: friend },
        notice(call.scene, chat, 'The bot accepted the friend request'),
        eventRecord({ key, lane: chat, event, reply: replyTo(chat, null) }),
      )
      .then(() => {
        call.parts.emit(key)
        return null
      })
  },
  approve_group_invite: (call) => {
    const { world, now } = call.scene
    const request = world.requests.get(call.id('request_id'))
    const group = request?.kind === 'invite' ? world.groups.get(request.group_id) : undefined
    if (request === undefined || group === undefined) {
      throw new AdapterError('refused', `There is no open group invitation "${call.id('request_id')}".`)
    }
    const done: LogRecord = { t: 'request_done', id: request.id }
    const chat = chatKey('group', group.id)
    if (!call.flag('approve')) return call.commit(done, notice(call.scene, chat, 'The bot declined the invitation'))
    const joined = addMember(group, BOT_ID, 'member', now)
    return call.commit(done, { t: 'group', group: joined }, notice(call.scene, chat, 'The bot joined the group'))
  },
}

/** Names that {@link callApi} answers. The bot's own doings are no events to it, but for `friend.added`. */
export const API_NAMES: readonly string[] = Object.keys(APIS)

/** Answers a platform API. Rejects with AdapterError: `not_supported`, `invalid` or `refused`. */
export async function callApi(parts: ApiParts, action: string, params: JsonObject): Promise<Json> {
  const api = Object.hasOwn(APIS, action) ? APIS[action] : undefined
  if (api === undefined) throw new AdapterError('not_supported', `The web chat has no API "${action}".`)
  try {
    return await api(new Call(parts, params))
  } catch (error) {
    if (error instanceof FrameError) throw new AdapterError('refused', error.message, { cause: error })
    throw asAdapterError(error)
  }
}

function react(call: Call, add: boolean): Promise<null> {
  const { limits } = call.scene
  const old = call.message()
  const message = withReaction(
    old,
    BOT_ID,
    call.text('reaction', limits.maxReaction),
    add,
    limits.maxReactionsPerMessage,
  )
  return message === old ? Promise.resolve(null) : call.commit({ t: 'message', message })
}

function changed(call: Call, group: Group, text: string): Promise<null> {
  return call.commit({ t: 'group', group }, notice(call.scene, chatKey('group', group.id), text))
}

function nameIn(call: Call, userId: string): string {
  return call.scene.build.userById(call.scene.world, userId).nickname || userId
}

/** The same as plain JSON; what goes in is made of JSON values only. */
function asJson(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}
