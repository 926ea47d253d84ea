/** The 25 platform events, read by their `type` (entities.md §3.2). */
import * as z from 'zod'
import { ChatTypeSchema, MemberRoleSchema, UserGroupMemberSchema, UserGroupSchema, UserSchema } from './entities.ts'
import { MessageChainSchema } from './messages.ts'
import {
  BooleanSchema,
  IntegerSchema,
  JsonObjectSchema,
  NumberSchema,
  orNull,
  PlatformIdSchema,
  scopeShape,
} from './primitives.ts'

const id = PlatformIdSchema.default('')
const text = z.string().default('')
const optionalText = orNull(z.string())
const count = IntegerSchema.default(0)
const person = UserSchema.prefault({ id: '' })
const chain = MessageChainSchema.default([])
const openObject = JsonObjectSchema.default({})

const base = {
  ...scopeShape,
  timestamp: NumberSchema.default(0),
  bot_uuid: text,
  adapter_name: text,
  // Raw objects of a platform never travel: whatever is given is read as null.
  source_platform_object: z
    .unknown()
    .optional()
    .transform((): null => null),
}

const chat = { chat_type: ChatTypeSchema.default('private'), chat_id: id, group: orNull(UserGroupSchema) }
const groupBase = { ...base, group: UserGroupSchema.prefault({ id: '' }) }

export const MessageReceivedEventSchema = z.object({
  ...base,
  type: z.literal('message.received'),
  message_id: id,
  message_chain: chain,
  sender: person,
  ...chat,
  sender_member: orNull(UserGroupMemberSchema),
  bot_role: orNull(MemberRoleSchema),
})
export const MessageEditedEventSchema = z.object({
  ...base,
  type: z.literal('message.edited'),
  message_id: id,
  new_content: chain,
  editor: person,
  ...chat,
})
export const MessageDeletedEventSchema = z.object({
  ...base,
  type: z.literal('message.deleted'),
  message_id: id,
  operator: orNull(UserSchema),
  ...chat,
})
export const MessageReactionEventSchema = z.object({
  ...base,
  type: z.literal('message.reaction'),
  message_id: id,
  user: person,
  reaction: text,
  is_add: BooleanSchema.default(true),
  ...chat,
})
/** `feedback_type` is 1 for liked, 2 for disliked, 3 for withdrawn; others pass. */
export const FeedbackReceivedEventSchema = z.object({
  ...base,
  type: z.literal('feedback.received'),
  feedback_id: z.string(),
  feedback_type: IntegerSchema,
  feedback_content: optionalText,
  inaccurate_reasons: orNull(z.array(z.string())),
  user_id: optionalText,
  session_id: optionalText,
  message_id: optionalText,
  stream_id: optionalText,
})
export const MemberJoinedEventSchema = z.object({
  ...groupBase,
  type: z.literal('group.member_joined'),
  member: person,
  inviter: orNull(UserSchema),
  join_type: optionalText,
})
export const MemberLeftEventSchema = z.object({
  ...groupBase,
  type: z.literal('group.member_left'),
  member: person,
  is_kicked: BooleanSchema.default(false),
  operator: orNull(UserSchema),
})
/** `duration` in seconds; null is without end. */
export const MemberBannedEventSchema = z.object({
  ...groupBase,
  type: z.literal('group.member_banned'),
  member: person,
  operator: orNull(UserSchema),
  duration: orNull(IntegerSchema),
})
export const GroupInfoUpdatedEventSchema = z.object({
  ...groupBase,
  type: z.literal('group.info_updated'),
  operator: orNull(UserSchema),
  changed_fields: z.array(z.string()).default([]),
})
export const FriendRequestReceivedEventSchema = z.object({
  ...base,
  type: z.literal('friend.request_received'),
  request_id: id,
  user: person,
  message: optionalText,
})
export const FriendAddedEventSchema = z.object({ ...base, type: z.literal('friend.added'), user: person })
export const FriendRemovedEventSchema = z.object({ ...base, type: z.literal('friend.removed'), user: person })
export const BotInvitedToGroupEventSchema = z.object({
  ...groupBase,
  type: z.literal('bot.invited_to_group'),
  inviter: orNull(UserSchema),
  request_id: orNull(PlatformIdSchema),
})
export const BotRemovedFromGroupEventSchema = z.object({
  ...groupBase,
  type: z.literal('bot.removed_from_group'),
  operator: orNull(UserSchema),
})
export const BotMutedEventSchema = z.object({
  ...groupBase,
  type: z.literal('bot.muted'),
  operator: orNull(UserSchema),
  duration: orNull(IntegerSchema),
})
export const BotUnmutedEventSchema = z.object({
  ...groupBase,
  type: z.literal('bot.unmuted'),
  operator: orNull(UserSchema),
})
export const PlatformSpecificEventSchema = z.object({
  ...base,
  type: z.literal('platform.specific'),
  action: text,
  data: openObject,
})

const textChat = { chat_id: text, chat_type: ChatTypeSchema.default('private') }

export const WecomBotEnterChatEventSchema = z.object({
  ...base,
  type: z.literal('wecombot.enter_chat'),
  user: orNull(UserSchema),
  ...textChat,
  message_id: text,
  data: openObject,
})
export const WecomBotTemplateCardEventSchema = z.object({
  ...base,
  type: z.literal('wecombot.template_card_event'),
  user: orNull(UserSchema),
  ...textChat,
  message_id: text,
  task_id: text,
  event_key: text,
  card_type: text,
  selected_items: z.array(JsonObjectSchema).default([]),
  data: openObject,
})
export const DingTalkCardActionEventSchema = z.object({
  ...base,
  type: z.literal('dingtalk.card_action'),
  user: orNull(UserSchema),
  space_id: text,
  card_instance_id: text,
  action: text,
  data: openObject,
})

const wecomCustomer = {
  ...base,
  open_kfid: text,
  external_userid: text,
  ...textChat,
  user: orNull(UserSchema),
  data: openObject,
}

export const WecomCSEnterSessionEventSchema = z.object({
  ...wecomCustomer,
  type: z.literal('wecomcs.enter_session'),
  scene: text,
  scene_param: text,
  welcome_code: text,
  wechat_channels: openObject,
})
export const WecomCSMessageSendFailedEventSchema = z.object({
  ...wecomCustomer,
  type: z.literal('wecomcs.msg_send_fail'),
  fail_msgid: text,
  fail_type: count,
})
export const WecomCSServicerStatusChangedEventSchema = z.object({
  ...wecomCustomer,
  type: z.literal('wecomcs.servicer_status_change'),
  servicer_userid: text,
  status: count,
  stop_type: count,
})
export const WecomCSSessionStatusChangedEventSchema = z.object({
  ...wecomCustomer,
  type: z.literal('wecomcs.session_status_change'),
  change_type: count,
  old_servicer_userid: text,
  new_servicer_userid: text,
  msg_code: text,
})
export const WecomCSRejectCustomerMessageChangedEventSchema = z.object({
  ...wecomCustomer,
  type: z.literal('wecomcs.reject_customer_msg_switch_change'),
  servicer_userid: text,
  reject_switch: count,
})

/** Any platform event. An unknown `type` is refused: there is no open fallback. */
export const PlatformEventSchema = z.discriminatedUnion('type', [
  MessageReceivedEventSchema,
  MessageEditedEventSchema,
  MessageDeletedEventSchema,
  MessageReactionEventSchema,
  FeedbackReceivedEventSchema,
  MemberJoinedEventSchema,
  MemberLeftEventSchema,
  MemberBannedEventSchema,
  GroupInfoUpdatedEventSchema,
  FriendRequestReceivedEventSchema,
  FriendAddedEventSchema,
  FriendRemovedEventSchema,
  BotInvitedToGroupEventSchema,
  BotRemovedFromGroupEventSchema,
  BotMutedEventSchema,
  BotUnmutedEventSchema,
  PlatformSpecificEventSchema,
  WecomBotEnterChatEventSchema,
  WecomBotTemplateCardEventSchema,
  DingTalkCardActionEventSchema,
  WecomCSEnterSessionEventSchema,
  WecomCSMessageSendFailedEventSchema,
  WecomCSServicerStatusChangedEventSchema,
  WecomCSSessionStatusChangedEventSchema,
  WecomCSRejectCustomerMessageChangedEventSchema,
])
