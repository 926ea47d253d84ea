/** Platform events and entities of the web chat, in the documented shapes. */
import { chatFields, eventBase, groupMember, user, userGroup } from '@runbound/platform-kit'
import type { MessageChain, PlatformEventOf, User, UserGroup, UserGroupMember } from '@runbound/protocol'
import { BOT_ID, type ChatKey, chatOf, type Group, type Member, type Message, type Person } from './model.ts'
import type { World } from './world.ts'

export const ADAPTER_NAME = 'webchat'

/** Builds events of one bot from the state of its world. */
export class EventBuilder {
  readonly #botUuid: string
  readonly #botName: string

  constructor(botUuid: string, botName: string) {
    this.#botUuid = botUuid
    this.#botName = botName
  }

  /** The fields that every event has; `at` in epoch milliseconds. */
  base(at: number): ReturnType<typeof eventBase> {
    return eventBase({ bot_uuid: this.#botUuid }, ADAPTER_NAME, at / 1000)
  }

  user({ id, name, remark }: Person): User {
    return user(id, { nickname: name, remark })
  }

  bot(): User {
    return user(BOT_ID, { nickname: this.#botName, is_bot: true })
  }

  /** A person or the bot by id; someone who is gone keeps the id and has no name. */
  userById(world: World, id: string): User {
    if (id === BOT_ID) return this.bot()
    const person = world.people.get(id)
    return person === undefined ? user(id) : this.user(person)
  }

  userOrNull(world: World, id: string | null): User | null {
    return id === null ? null : this.userById(world, id)
  }

  group({ id, name, description, owner_id, members }: Group): UserGroup {
    return userGroup(id, { name, description, member_count: members.length, owner_id })
  }

  member(world: World, group: Group, { user_id, role, joined_at }: Member): UserGroupMember {
    return groupMember(group.id, this.userById(world, user_id), { role, joined_at })
  }

  /** `chat_type`, `chat_id` and `group` of an event in that chat. */
  chat(world: World, chat: ChatKey): ReturnType<typeof chatFields> {
    const { type, id } = chatOf(chat)
    const group = type === 'group' ? world.groups.get(id) : undefined
    return chatFields(id, group === undefined ? null : this.group(group))
  }

  /** `message.received` of a message; also what `get_message` answers. */
  received(world: World, message: Message, chain: MessageChain): PlatformEventOf<'message.received'> {
    const { type, id } = chatOf(message.chat)
    const group = type === 'group' ? world.groups.get(id) : undefined
    const sender = message.sender_id ?? BOT_ID
    const member = group?.members.find((one) => one.user_id === sender)
    return {
      ...this.base(message.at),
      type: 'message.received',
      message_id: message.id,
      message_chain: chain,
      sender: this.userById(world, sender),
      ...this.chat(world, message.chat),
      sender_member: group === undefined || member === undefined ? null : this.member(world, group, member),
      bot_role: world.member(id, BOT_ID)?.role ?? null,
    }
  }
}
