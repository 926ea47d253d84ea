/** Who caused an event, what it is about, where it happened and where an answer goes (host-behaviour.md §1.6). */
import type { ReplyTarget } from '@runbound/platform-kit'
import type { ActorContext, PlatformEvent, SubjectContext, User, UserGroup } from '@runbound/protocol'
import type { EventConversation } from './types.ts'

/** Fields that may name the person, in the order in which they are believed. */
const ACTOR_FIELDS = ['sender', 'editor', 'member', 'user', 'operator', 'inviter'] as const

/**
 * Who did it: sender, editor, member, user, operator or inviter of the event. Null when the event names nobody.
 * The member goes before the operator, because `event_*` tools act on the actor: what follows a ban or a join is meant for
 * the member.
 */
export function actorOf(event: PlatformEvent): ActorContext | null {
  for (const field of ACTOR_FIELDS) {
    const person: unknown = Reflect.get(event, field)
    if (isUser(person) && String(person.id) !== '') return actorFrom(person)
  }
  const id = 'user_id' in event ? event.user_id : 'external_userid' in event ? event.external_userid : null
  return id === null || id === '' ? null : { actor_type: 'user', actor_id: id, actor_name: null, metadata: {} }
}

function actorFrom(person: User): ActorContext {
  const name = person.nickname || person.username
  return { actor_type: 'user', actor_id: String(person.id), actor_name: name || null, metadata: {} }
}

/** What the event is about: its group, message, feedback, friend or platform action; null when it names none of them. */
export function subjectOf(event: PlatformEvent): SubjectContext | null {
  const group = groupOf(event)
  if (group !== null) return subject('group', String(group.id), { group_name: group.name })
  if (event.type === 'feedback.received') return subject('feedback', event.feedback_id)
  if ('message_id' in event && event.message_id !== null && String(event.message_id) !== '') {
    return subject('message', String(event.message_id))
  }
  if (event.type === 'platform.specific') return subject('platform_action', event.action)
  if ('user' in event && event.user !== null && String(event.user.id) !== '') {
    return subject('user', String(event.user.id))
  }
  // The kind of event is no object: state of the subject would be shared by everybody.
  return null
}

function subject(type: string, id: string, data: SubjectContext['data'] = {}): SubjectContext {
  return { subject_type: type, subject_id: id, data }
}

/** The group of an event, where it names one. */
export function groupOf(event: PlatformEvent): UserGroup | null {
  if (!('group' in event) || event.group === null || String(event.group.id) === '') return null
  return event.group
}

/** The message an event is about, as text; null where there is none. */
export function messageIdOf(event: PlatformEvent): string | null {
  if (!('message_id' in event) || event.message_id === null) return null
  return String(event.message_id) || null
}

/**
 * Where an answer goes, first that is known: chat, group, a session `person_..` or `group_..`, target of the event's data,
 * the new friend. Null when the event has nowhere to answer to.
 */
export function replyTargetOf(event: PlatformEvent): ReplyTarget | null {
  const message_id = messageIdOf(event)
  const target = (target_type: 'person' | 'group', target_id: string): ReplyTarget => ({
    target_type,
    target_id,
    ...(message_id === null ? {} : { message_id }),
  })
  if ('chat_id' in event && String(event.chat_id) !== '') {
    return target(event.chat_type === 'group' ? 'group' : 'person', String(event.chat_id))
  }
  const group = groupOf(event)
  if (group !== null) return target('group', String(group.id))
  if ('session_id' in event && event.session_id !== null) {
    const session = /^(person|group)_(.+)$/su.exec(event.session_id)
    if (session !== null) return target(session[1] === 'group' ? 'group' : 'person', session[2] ?? '')
  }
  if ('data' in event) {
    const { target_type: type, target_id: id } = event.data
    if ((type === 'person' || type === 'group') && (typeof id === 'string' || typeof id === 'number') && id !== '') {
      return target(type, String(id))
    }
  }
  // A request is not a friend yet and a removed one no more: only an added friend can be written to.
  return event.type === 'friend.added' && String(event.user.id) !== '' ? target('person', String(event.user.id)) : null
}

/** The conversation of a reply target; null without one. */
export function conversationOf(target: ReplyTarget | null, threadId: string | null): EventConversation | null {
  if (target === null) return null
  return {
    conversation_id: `${target.target_type}_${target.target_id}`,
    thread_id: threadId ?? target.thread_id ?? null,
    chat_type: target.target_type,
    chat_id: target.target_id,
  }
}

function isUser(value: unknown): value is User {
  return typeof value === 'object' && value !== null && 'id' in value && 'nickname' in value
}
