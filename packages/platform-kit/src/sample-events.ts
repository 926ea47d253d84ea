/** One valid instance of each of the 25 platform events, for tests of hosts and adapters. */
import type { PlatformEvent, PlatformEventId, PlatformEventOf } from '@runbound/protocol'
import { chatFields, eventBase, user, userGroup } from './platform-events.ts'

const ANN = user('u-1', { nickname: 'Ann', username: 'ann' })
const BOB = user('u-2', { nickname: 'Bob' })
const GROUP = userGroup('g-1', { name: 'Team', member_count: 3, owner_id: 'u-2' })
const TIME = 1_700_000_000

type Samples = { readonly [Id in PlatformEventId]: (base: ReturnType<typeof eventBase>) => PlatformEventOf<Id> }

const privateChat = chatFields(ANN.id, null)
const wecomCustomer = {
  open_kfid: 'kf-1',
  external_userid: 'wm-1',
  chat_id: 'wm-1|kf-1',
  chat_type: 'private',
  user: ANN,
  data: {},
} as const

const SAMPLES: Samples = {
  'message.received': (base) => ({
    ...base,
    type: 'message.received',
    message_id: 'm-1',
    message_chain: [
      { type: 'Source', id: 'm-1', timestamp: TIME },
      { type: 'Plain', text: 'hello' },
    ],
    sender: ANN,
    ...privateChat,
    sender_member: null,
    bot_role: null,
  }),
  'message.edited': (base) => ({
    ...base,
    type: 'message.edited',
    message_id: 'm-1',
    new_content: [{ type: 'Plain', text: 'hello again' }],
    editor: ANN,
    ...privateChat,
  }),
  'message.deleted': (base) => ({ ...base, type: 'message.deleted', message_id: 'm-1', operator: ANN, ...privateChat }),
  'message.reaction': (base) => ({
    ...base,
    type: 'message.reaction',
    message_id: 'm-1',
    user: ANN,
    reaction: '👍',
    is_add: true,
    ...privateChat,
  }),
  'feedback.received': (base) => ({
    ...base,
    type: 'feedback.received',
    feedback_id: 'fb-1',
    feedback_type: 2,
    feedback_content: 'not what I asked for',
    inaccurate_reasons: ['off topic'],
    user_id: 'u-1',
    session_id: 'person_u-1',
    message_id: 'm-1',
    stream_id: null,
  }),
  'group.member_joined': (base) => ({
    ...base,
    type: 'group.member_joined',
    group: GROUP,
    member: ANN,
    inviter: BOB,
    join_type: 'invite',
  }),
  'group.member_left': (base) => ({
    ...base,
    type: 'group.member_left',
    group: GROUP,
    member: ANN,
    is_kicked: false,
    operator: null,
  }),
  'group.member_banned': (base) => ({
    ...base,
    type: 'group.member_banned',
    group: GROUP,
    member: ANN,
    operator: BOB,
    duration: 60,
  }),
  'group.info_updated': (base) => ({
    ...base,
    type: 'group.info_updated',
    group: GROUP,
    operator: BOB,
    changed_fields: ['name'],
  }),
  'friend.request_received': (base) => ({
    ...base,
    type: 'friend.request_received',
    request_id: 'q-1',
    user: ANN,
    message: 'may I?',
  }),
  'friend.added': (base) => ({ ...base, type: 'friend.added', user: ANN }),
  'friend.removed': (base) => ({ ...base, type: 'friend.removed', user: ANN }),
  'bot.invited_to_group': (base) => ({
    ...base,
    type: 'bot.invited_to_group',
    group: GROUP,
    inviter: BOB,
    request_id: 'q-2',
  }),
  'bot.removed_from_group': (base) => ({ ...base, type: 'bot.removed_from_group', group: GROUP, operator: BOB }),
  'bot.muted': (base) => ({ ...base, type: 'bot.muted', group: GROUP, operator: BOB, duration: 60 }),
  'bot.unmuted': (base) => ({ ...base, type: 'bot.unmuted', group: GROUP, operator: BOB }),
  'platform.specific': (base) => ({ ...base, type: 'platform.specific', action: 'poke', data: { user_id: 'u-1' } }),
  'wecombot.enter_chat': (base) => ({
    ...base,
    type: 'wecombot.enter_chat',
    user: ANN,
    chat_id: 'u-1',
    chat_type: 'private',
    message_id: '',
    data: {},
  }),
  'wecombot.template_card_event': (base) => ({
    ...base,
    type: 'wecombot.template_card_event',
    user: ANN,
    chat_id: 'u-1',
    chat_type: 'private',
    message_id: 'm-1',
    task_id: 't-1',
    event_key: 'yes',
    card_type: 'button_interaction',
    selected_items: [{ question_key: 'k', option_ids: ['1'] }],
    data: {},
  }),
  'dingtalk.card_action': (base) => ({
    ...base,
    type: 'dingtalk.card_action',
    user: ANN,
    space_id: 's-1',
    card_instance_id: 'c-1',
    action: 'agree',
    data: {},
  }),
  'wecomcs.enter_session': (base) => ({
    ...base,
    ...wecomCustomer,
    type: 'wecomcs.enter_session',
    scene: 'site',
    scene_param: '',
    welcome_code: 'w-1',
    wechat_channels: {},
  }),
  'wecomcs.msg_send_fail': (base) => ({
    ...base,
    ...wecomCustomer,
    type: 'wecomcs.msg_send_fail',
    fail_msgid: 'm-1',
    fail_type: 4,
  }),
  'wecomcs.servicer_status_change': (base) => ({
    ...base,
    ...wecomCustomer,
    type: 'wecomcs.servicer_status_change',
    servicer_userid: 'sv-1',
    status: 1,
    stop_type: 0,
  }),
  'wecomcs.session_status_change': (base) => ({
    ...base,
    ...wecomCustomer,
    type: 'wecomcs.session_status_change',
    change_type: 1,
    old_servicer_userid: '',
    new_servicer_userid: 'sv-1',
    msg_code: 'c-1',
  }),
  'wecomcs.reject_customer_msg_switch_change': (base) => ({
    ...base,
    ...wecomCustomer,
    type: 'wecomcs.reject_customer_msg_switch_change',
    servicer_userid: 'sv-1',
    reject_switch: 1,
  }),
}

/**
 * A valid event of this id: Ann (`u-1`) in her private chat, or in group `g-1`. `changes` overwrite single fields.
 *
 * @example
 * sampleEvent('group.member_joined', { bot_uuid: 'bot-1' }, { join_type: 'direct' })
 */
export function sampleEvent<Id extends PlatformEventId>(
  id: Id,
  bot: { bot_uuid: string; adapter_name?: string; timestamp?: number },
  changes: Partial<PlatformEventOf<Id>> = {},
): PlatformEventOf<Id> {
  const sample: (base: ReturnType<typeof eventBase>) => PlatformEventOf<Id> = SAMPLES[id]
  return { ...sample(eventBase(bot, bot.adapter_name ?? 'scriptable', bot.timestamp ?? TIME)), ...changes }
}

/** Ids that {@link sampleEvent} knows: all platform events. */
export function sampleEventIds(): PlatformEvent['type'][] {
  return Object.keys(SAMPLES).filter((id): id is PlatformEventId => Object.hasOwn(SAMPLES, id))
}
