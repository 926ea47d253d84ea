/** Keys of conversations and lanes: what belongs together, and what runs one after another. */
import type { EventEnvelope } from '../events/types.ts'

export type Scope = 'chat' | 'member'

// Ids of platforms may hold anything; only these five have a meaning in a key.
const MEANINGFUL = /[%/@!|]/g
const encodePart = (text: string): string =>
  text.replace(MEANINGFUL, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
const decodePart = (text: string): string =>
  text.replace(/%([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/**
 * Key of the conversation an event belongs to: workspace, bot, chat, thread and, in member scope, the acting member.
 * Null for an event without a conversation. Debug events have keys of their own.
 */
export function conversationKey(envelope: EventEnvelope, scope: Scope): string | null {
  const { conversation } = envelope
  if (conversation === null) return null
  const thread = conversation.thread_id === null ? '' : `/${encodePart(conversation.thread_id)}`
  const chat = `${origin(envelope)}/${encodePart(conversation.conversation_id)}${thread}`
  const member = scope === 'member' ? (envelope.actor?.actor_id ?? null) : null
  return member === null ? chat : `${chat}@${encodePart(member)}`
}

/** The same conversation without the member. */
export function chatKeyOf(key: string): string {
  const at = key.indexOf('@')
  return at === -1 ? key : key.slice(0, at)
}

/** The member of a key in member scope; null in chat scope. */
export function memberOf(key: string): string | null {
  const at = key.indexOf('@')
  return at === -1 ? null : decodePart(key.slice(at + 1))
}

/** Lane of an event at a processor: its conversation, else its subject, else its actor, else the event alone. */
export function laneKey(envelope: EventEnvelope, scope: Scope, processorId: string): string {
  return `${encodePart(processorId)}|${conversationKey(envelope, scope) ?? `${origin(envelope)}/${withoutChat(envelope)}`}`
}

function origin(envelope: EventEnvelope): string {
  const debug = envelope.debug === null ? '' : '!'
  return `${encodePart(envelope.workspace_uuid)}/${debug}${encodePart(envelope.bot_uuid ?? '')}`
}

function withoutChat({ subject, actor, event_id }: EventEnvelope): string {
  // A subject of type `event` names only the kind of event: ordering by it would make strangers wait for each other.
  if (subject?.subject_id != null && subject.subject_type !== 'event') {
    return `!subject/${encodePart(subject.subject_type)}/${encodePart(subject.subject_id)}`
  }
  if (actor?.actor_id != null) return `!actor/${encodePart(actor.actor_type)}/${encodePart(actor.actor_id)}`
  return `!event/${encodePart(event_id)}`
}

/**
 * True when an event's record may be seen from a conversation: it happened in that chat and thread and, in member scope, by
 * that member.
 */
export function visibleFrom(
  key: string,
  record: { readonly conversation_key: string | null; readonly actor_id: string | null },
): boolean {
  const member = memberOf(key)
  return record.conversation_key === chatKeyOf(key) && (member === null || record.actor_id === member)
}

/** Key of the chat (and thread) that a target is, without member: for what is sent there by itself. */
export function targetKey(
  workspaceUuid: string,
  botUuid: string,
  target: { readonly target_type: string; readonly target_id: string; readonly thread_id?: string | null },
): string {
  const thread = target.thread_id == null ? '' : `/${encodePart(target.thread_id)}`
  return `${encodePart(workspaceUuid)}/${encodePart(botUuid)}/${encodePart(`${target.target_type}_${target.target_id}`)}${thread}`
}
