/** Event ids: what can happen, how patterns pick ids, and which field of each event says it in one line (entities.md §1.10). */

/** Ids of the 25 platform events, each with the field that its one-line summary is made of. */
export const PLATFORM_EVENT_SUMMARY_FIELDS = {
  'message.received': 'message_chain',
  'message.edited': 'new_content',
  'message.deleted': 'message_id',
  'message.reaction': 'reaction',
  'feedback.received': 'feedback_content',
  'group.member_joined': 'member',
  'group.member_left': 'member',
  'group.member_banned': 'member',
  'group.info_updated': 'changed_fields',
  'friend.request_received': 'message',
  'friend.added': 'user',
  'friend.removed': 'user',
  'bot.invited_to_group': 'group',
  'bot.removed_from_group': 'group',
  'bot.muted': 'group',
  'bot.unmuted': 'group',
  'platform.specific': 'action',
  'wecombot.enter_chat': 'chat_id',
  'wecombot.template_card_event': 'event_key',
  'dingtalk.card_action': 'action',
  'wecomcs.enter_session': 'external_userid',
  'wecomcs.msg_send_fail': 'fail_msgid',
  'wecomcs.servicer_status_change': 'servicer_userid',
  'wecomcs.session_status_change': 'external_userid',
  'wecomcs.reject_customer_msg_switch_change': 'external_userid',
} as const
export type PlatformEventId = keyof typeof PLATFORM_EVENT_SUMMARY_FIELDS

/** True if `id` is the id of a platform event. */
export function isPlatformEventId(id: string): id is PlatformEventId {
  return Object.hasOwn(PLATFORM_EVENT_SUMMARY_FIELDS, id)
}

/** Ids of the 25 platform events. */
export const PLATFORM_EVENT_IDS: readonly PlatformEventId[] =
  Object.keys(PLATFORM_EVENT_SUMMARY_FIELDS).filter(isPlatformEventId)

/** The answer to an interaction; it has no platform event behind it (entities.md §4.8). */
export const INTERACTION_SUBMITTED = 'interaction.submitted'

/** Every event id that a run can start with. */
export type EventId = PlatformEventId | typeof INTERACTION_SUBMITTED
/** Every event id that a run can start with, in documented order. */
export const EVENT_IDS: readonly EventId[] = [...PLATFORM_EVENT_IDS, INTERACTION_SUBMITTED]

type Prefix<Id extends string> = Id extends `${infer Head}.${string}` ? Head : never

/** What a Runner may declare in `events`: an id, every id of a family, or all. */
export type EventPattern = EventId | `${Prefix<EventId>}.*` | '*'

/** Ids that a pattern picks, for the types of `on` handlers. */
export type EventIdsOf<P extends EventPattern> = P extends '*'
  ? EventId
  : P extends `${infer Head}.*`
    ? Extract<EventId, `${Head}.${string}`>
    : Extract<EventId, P>

/** True if `id` is a documented event id. */
export function isEventId(id: string): id is EventId {
  return id === INTERACTION_SUBMITTED || isPlatformEventId(id)
}

/**
 * True if the pattern picks the event: `*` all, `prefix.*` every id below the prefix, else the equal id.
 *
 * @example
 * matchesEvent('message.*', 'message.edited') // true
 * matchesEvent('message.*', 'message') // false
 */
export function matchesEvent(pattern: string, id: string): boolean {
  if (pattern === '*') return true
  // The dot stays in the prefix, so that `bot.*` does not pick `botnet.muted`.
  if (pattern.endsWith('.*')) return id.startsWith(pattern.slice(0, -1)) && id.length > pattern.length - 1
  return pattern === id
}

/** True if any of the patterns picks the event. */
export function matchesAnyEvent(patterns: readonly string[], id: string): boolean {
  return patterns.some((pattern) => matchesEvent(pattern, id))
}
