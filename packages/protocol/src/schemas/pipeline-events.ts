/** What EventListeners get: the older message events, the 21 pipeline events and the EventContext (entities.md §3.2.1, §3.3, §4.2). */
import * as z from 'zod'
import { ChatTypeSchema, FriendSchema, GroupMemberSchema, UserGroupSchema, UserSchema } from './entities.ts'
import { MessageChainSchema } from './messages.ts'
import { ContentElementSchema, MessageOrChunkSchema } from './model-messages.ts'
import {
  BooleanSchema,
  IntegerSchema,
  JsonObjectSchema,
  NumberSchema,
  orNull,
  PlatformIdSchema,
  scopeShape,
  sparseScopeShape,
} from './primitives.ts'
import { SessionSchema } from './session.ts'

const id = PlatformIdSchema.default('')
const text = z.string().default('')
const optionalText = orNull(z.string())
const person = UserSchema.prefault({ id: '' })
const messageEvent = { ...sparseScopeShape, message_chain: MessageChainSchema, time: orNull(NumberSchema) }

export const FriendMessageSchema = z.object({
  type: z.literal('FriendMessage').default('FriendMessage'),
  sender: FriendSchema,
  ...messageEvent,
})
export const GroupMessageSchema = z.object({
  type: z.literal('GroupMessage').default('GroupMessage'),
  sender: GroupMemberSchema,
  ...messageEvent,
})

/** The older form of a feedback; its own `type` keeps it apart from `feedback.received`. */
export const FeedbackEventSchema = z.object({
  ...scopeShape,
  type: z.literal('FeedbackEvent').default('FeedbackEvent'),
  feedback_id: z.string(),
  feedback_type: IntegerSchema,
  feedback_content: optionalText,
  inaccurate_reasons: orNull(z.array(z.string())),
  user_id: optionalText,
  session_id: optionalText,
  message_id: optionalText,
  stream_id: optionalText,
  source_platform_object: z
    .unknown()
    .optional()
    .transform((): null => null),
})

const base = { ...scopeShape, query_uuid: optionalText }
const chat = { chat_type: ChatTypeSchema.default('private'), chat_id: id, group: orNull(UserGroupSchema) }
const group = { ...base, group: UserGroupSchema.prefault({ id: '' }) }
const operator = orNull(UserSchema)

const mirrored = [
  z.object({
    ...base,
    event_name: z.literal('MessageReceived'),
    bot_uuid: text,
    adapter_name: text,
    message_id: id,
    message_chain: MessageChainSchema.default([]),
    sender: person,
    ...chat,
  }),
  z.object({
    ...base,
    event_name: z.literal('MessageEdited'),
    message_id: id,
    new_content: MessageChainSchema.default([]),
    editor: person,
    ...chat,
  }),
  z.object({ ...base, event_name: z.literal('MessageDeleted'), message_id: id, operator, ...chat }),
  z.object({
    ...base,
    event_name: z.literal('MessageReactionReceived'),
    message_id: id,
    user: person,
    reaction: text,
    is_add: BooleanSchema.default(true),
    ...chat,
  }),
  z.object({
    ...base,
    event_name: z.literal('FeedbackReceived'),
    feedback_id: z.string(),
    feedback_type: IntegerSchema,
    feedback_content: optionalText,
    inaccurate_reasons: orNull(z.array(z.string())),
    user_id: optionalText,
    session_id: optionalText,
    message_id: optionalText,
    stream_id: optionalText,
  }),
  z.object({
    ...group,
    event_name: z.literal('GroupMemberJoined'),
    member: person,
    inviter: orNull(UserSchema),
    join_type: optionalText,
  }),
  z.object({
    ...group,
    event_name: z.literal('GroupMemberLeft'),
    member: person,
    is_kicked: BooleanSchema.default(false),
    operator,
  }),
  z.object({
    ...group,
    event_name: z.literal('GroupMemberBanned'),
    member: person,
    operator,
    duration: orNull(IntegerSchema),
  }),
  z.object({
    ...group,
    event_name: z.literal('BotInvitedToGroup'),
    inviter: orNull(UserSchema),
    request_id: orNull(PlatformIdSchema),
  }),
  z.object({ ...group, event_name: z.literal('BotRemovedFromGroup'), operator }),
  z.object({ ...group, event_name: z.literal('BotMuted'), operator, duration: orNull(IntegerSchema) }),
  z.object({ ...group, event_name: z.literal('BotUnmuted'), operator }),
  z.object({
    ...base,
    event_name: z.literal('PlatformSpecificEventReceived'),
    adapter_name: text,
    action: text,
    data: JsonObjectSchema.default({}),
  }),
] as const

const launcher = { launcher_type: z.string(), launcher_id: PlatformIdSchema, sender_id: PlatformIdSchema }
const replying = { ...base, reply_message_chain: orNull(MessageChainSchema) }
const personMessage = { ...launcher, message_event: FriendMessageSchema, message_chain: MessageChainSchema }
const groupMessage = { ...launcher, message_event: GroupMessageSchema, message_chain: MessageChainSchema }
const alterable = {
  text_message: z.string(),
  user_message_alter: orNull(z.union([z.string(), ContentElementSchema, z.array(ContentElementSchema)])),
}
const command = {
  ...launcher,
  command: z.string(),
  params: z.array(z.string()),
  text_message: z.string(),
  is_admin: BooleanSchema,
}

export const PersonMessageReceivedSchema = z.object({
  ...base,
  event_name: z.literal('PersonMessageReceived'),
  ...personMessage,
})
export const GroupMessageReceivedSchema = z.object({
  ...base,
  event_name: z.literal('GroupMessageReceived'),
  ...groupMessage,
})
export const PersonNormalMessageReceivedSchema = z.object({
  ...replying,
  event_name: z.literal('PersonNormalMessageReceived'),
  ...personMessage,
  ...alterable,
})
export const GroupNormalMessageReceivedSchema = z.object({
  ...replying,
  event_name: z.literal('GroupNormalMessageReceived'),
  ...groupMessage,
  ...alterable,
})
export const PersonCommandSentSchema = z.object({
  ...replying,
  event_name: z.literal('PersonCommandSent'),
  ...command,
})
export const GroupCommandSentSchema = z.object({ ...replying, event_name: z.literal('GroupCommandSent'), ...command })
export const NormalMessageRespondedSchema = z.object({
  ...replying,
  event_name: z.literal('NormalMessageResponded'),
  ...launcher,
  session: SessionSchema,
  prefix: z.string(),
  response_text: z.string(),
  finish_reason: z.string(),
  funcs_called: z.array(z.string()),
})
export const PromptPreProcessingSchema = z.object({
  ...base,
  event_name: z.literal('PromptPreProcessing'),
  session_name: z.string(),
  default_prompt: z.array(MessageOrChunkSchema),
  prompt: z.array(MessageOrChunkSchema),
})

/** Any pipeline event; `event_name` picks the shape. */
export const PipelineEventSchema = z.discriminatedUnion('event_name', [
  ...mirrored,
  PersonMessageReceivedSchema,
  GroupMessageReceivedSchema,
  PersonNormalMessageReceivedSchema,
  GroupNormalMessageReceivedSchema,
  PersonCommandSentSchema,
  GroupCommandSentSchema,
  NormalMessageRespondedSchema,
  PromptPreProcessingSchema,
])

const flags = {
  is_prevent_default: BooleanSchema.default(false),
  is_prevent_postorder: BooleanSchema.default(false),
}

/** What a listener is handed. */
export const EventContextSchema = z.object({
  ...scopeShape,
  query_id: IntegerSchema.default(0),
  query_uuid: optionalText,
  eid: IntegerSchema.default(0),
  event_name: z.string(),
  event: PipelineEventSchema,
  ...flags,
})

/**
 * What the host takes back from a listener. A Python plugin returns `message_event` with emptied components
 * (entities.md §0.3), so of the event only what a listener may change is read.
 */
export const EventContextAnswerSchema = z.object({
  query_id: IntegerSchema.default(0),
  query_uuid: optionalText,
  event_name: z.string(),
  event: z.object({
    event_name: z.string(),
    message_chain: MessageChainSchema.optional(),
    reply_message_chain: MessageChainSchema.nullish(),
    user_message_alter: alterable.user_message_alter.optional(),
    default_prompt: z.array(MessageOrChunkSchema).optional(),
    prompt: z.array(MessageOrChunkSchema).optional(),
  }),
  ...flags,
})
