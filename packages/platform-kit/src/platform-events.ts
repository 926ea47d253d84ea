/** Builders for what adapters put into platform events, so that every field is there and spelt as documented. */
import type {
  ChatType,
  MemberRole,
  PlatformEvent,
  PlatformEventOf,
  PlatformId,
  User,
  UserGroup,
  UserGroupMember,
} from '@runbound/protocol'
import type { AdapterServices, ReplyTarget } from './adapter.ts'

/** A person; what the platform doesn't tell is empty or null. */
export function user(id: PlatformId, known: Partial<Omit<User, 'id'>> = {}): User {
  return { id, nickname: '', avatar_url: null, is_bot: false, username: null, remark: null, ...known }
}

/** A group; what the platform doesn't tell is empty or null. */
export function userGroup(id: PlatformId, known: Partial<Omit<UserGroup, 'id'>> = {}): UserGroup {
  return { id, name: '', description: null, member_count: null, avatar_url: null, owner_id: null, ...known }
}

/** A person as a member of a group; role `member` unless known. `joined_at` in epoch seconds. */
export function groupMember(
  group_id: PlatformId,
  person: User,
  known: Partial<Omit<UserGroupMember, 'user' | 'group_id'>> & { role?: MemberRole } = {},
): UserGroupMember {
  return { user: person, group_id, role: 'member', display_name: null, joined_at: null, title: null, ...known }
}

/** What every event carries. `timestamp` is the platform's time in epoch seconds, 0 if it gives none: never our own clock. */
export function eventBase(services: Pick<AdapterServices, 'bot_uuid'>, adapter_name: string, timestamp: number) {
  return {
    instance_uuid: null,
    workspace_uuid: null,
    placement_generation: null,
    source_platform_object: null,
    timestamp,
    bot_uuid: services.bot_uuid,
    adapter_name,
  } satisfies Partial<PlatformEventOf<'message.received'>>
}

/** A chat as the fields `chat_type`, `chat_id` and `group` of message events. */
export function chatFields(
  chat_id: PlatformId,
  group: UserGroup | null,
): { chat_type: ChatType; chat_id: PlatformId; group: UserGroup | null } {
  return { chat_type: group === null ? 'private' : 'group', chat_id, group }
}

/** Where to answer an event of this chat: chats say `private`, reply targets say `person`. */
export function replyTarget(
  chat: { chat_type: ChatType; chat_id: PlatformId },
  message_id: PlatformId | null,
  thread_id: string | null = null,
): ReplyTarget {
  return {
    target_type: chat.chat_type === 'group' ? 'group' : 'person',
    target_id: String(chat.chat_id),
    thread_id,
    message_id: message_id === null ? null : String(message_id),
  }
}

/** Narrows an event to one id. */
export function isEvent<Id extends PlatformEvent['type']>(event: PlatformEvent, id: Id): event is PlatformEventOf<Id> {
  return event.type === id
}
