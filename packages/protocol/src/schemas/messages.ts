/**
 * The chain reader (entities.md §0.3, §2.1): components in the spelling of the wire, unknown ones turned into `Unknown`,
 * one bad field of a known one refusing the chain.
 */
import * as z from 'zod'
import { MESSAGE_COMPONENT_TYPES, type MessageChain, type MessageChainInput } from '../messages.ts'
import { IntegerIdSchema, IntegerSchema, isJsonObject, orNull, PlatformIdSchema } from './primitives.ts'

const emptyText = z.string().nullable().default('')
const text = z.string().default('')
const optionalId = orNull(PlatformIdSchema)

/** Whole seconds: the fraction is cut, as the wire's own writer does. */
const timestamp = z.number().transform(Math.trunc).pipe(z.int()).meta({ type: 'integer' })

export const SourceSchema = z.object({ type: z.literal('Source'), id: PlatformIdSchema, timestamp })
export const PlainSchema = z.object({ type: z.literal('Plain'), text: z.string() })
export const QuoteSchema = z.object({
  type: z.literal('Quote'),
  id: optionalId,
  group_id: optionalId,
  sender_id: optionalId,
  target_id: optionalId,
  get origin(): typeof MessageChainSchema {
    return MessageChainSchema
  },
})
export const AtSchema = z.object({ type: z.literal('At'), target: PlatformIdSchema, display: emptyText })
export const AtAllSchema = z.object({ type: z.literal('AtAll') })
export const ImageSchema = z.object({
  type: z.literal('Image'),
  image_id: emptyText,
  url: emptyText,
  path: emptyText,
  base64: emptyText,
})
export const UnknownSchema = z.object({ type: z.literal('Unknown'), text })
export const VoiceSchema = z.object({
  type: z.literal('Voice'),
  voice_id: emptyText,
  url: emptyText,
  path: emptyText,
  base64: emptyText,
  length: IntegerSchema.nullable().default(0),
})
export const ForwardDisplaySchema = z.object({
  title: z.string().default('Chat history of the group'),
  brief: z.string().default('[Chat history]'),
  source: z.string().default('Chat history'),
  preview: z.array(z.string()).default([]),
  summary: z.string().default('View x forwarded messages'),
})
export const ForwardNodeSchema = z.object({
  sender_id: PlatformIdSchema.nullable().default(''),
  sender_name: emptyText,
  get message_chain(): z.ZodDefault<z.ZodNullable<typeof MessageChainSchema>> {
    return MessageChainSchema.nullable().default([])
  },
  message_id: IntegerIdSchema.nullable().default(0),
})
export const ForwardSchema = z.object({
  type: z.literal('Forward'),
  display: ForwardDisplaySchema.prefault({}),
  node_list: z.array(ForwardNodeSchema).default([]),
})
export const FileSchema = z.object({
  type: z.literal('File'),
  id: text,
  name: text,
  size: IntegerSchema.default(0),
  url: text,
  path: emptyText,
  base64: emptyText,
})
export const FaceSchema = z.object({
  type: z.literal('Face'),
  face_type: z.string().default('face'),
  face_id: IntegerSchema.default(0),
  face_name: text,
})
export const WeChatMiniProgramsSchema = z.object({
  type: z.literal('WeChatMiniPrograms'),
  mini_app_id: z.string(),
  user_name: z.string(),
  display_name: emptyText,
  page_path: emptyText,
  title: emptyText,
  image_url: emptyText,
})
export const WeChatForwardMiniProgramsSchema = z.object({
  type: z.literal('WeChatForwardMiniPrograms'),
  xml_data: z.string(),
  image_url: orNull(z.string()),
})
export const WeChatEmojiSchema = z.object({
  type: z.literal('WeChatEmoji'),
  emoji_md5: z.string(),
  emoji_size: IntegerSchema,
})
export const WeChatLinkSchema = z.object({
  type: z.literal('WeChatLink'),
  link_title: text,
  link_desc: text,
  link_url: text,
  link_thumb_url: text,
})
export const WeChatForwardLinkSchema = z.object({ type: z.literal('WeChatForwardLink'), xml_data: z.string() })
export const WeChatForwardImageSchema = z.object({ type: z.literal('WeChatForwardImage'), xml_data: z.string() })
export const WeChatForwardFileSchema = z.object({ type: z.literal('WeChatForwardFile'), xml_data: z.string() })
export const WeChatAppMsgSchema = z.object({ type: z.literal('WeChatAppMsg'), app_msg: z.string() })
export const WeChatForwardQuoteSchema = z.object({ type: z.literal('WeChatForwardQuote'), app_msg: z.string() })
export const WeChatFileSchema = z.object({
  type: z.literal('WeChatFile'),
  file_id: text,
  file_name: text,
  file_size: IntegerSchema.default(0),
  file_path: text,
  file_base64: text,
})

/** One component of a known type; `type` picks the shape. */
export const MessageComponentSchema = z.discriminatedUnion('type', [
  SourceSchema,
  PlainSchema,
  QuoteSchema,
  AtSchema,
  AtAllSchema,
  ImageSchema,
  UnknownSchema,
  VoiceSchema,
  ForwardSchema,
  FileSchema,
  FaceSchema,
  WeChatMiniProgramsSchema,
  WeChatForwardMiniProgramsSchema,
  WeChatEmojiSchema,
  WeChatLinkSchema,
  WeChatForwardLinkSchema,
  WeChatForwardImageSchema,
  WeChatForwardFileSchema,
  WeChatAppMsgSchema,
  WeChatForwardQuoteSchema,
  WeChatFileSchema,
])

const KNOWN_TYPES: ReadonlySet<unknown> = new Set(MESSAGE_COMPONENT_TYPES)

/** What the chain reader does to one item before its fields are looked at. */
function readComponent(item: unknown): unknown {
  if (!isJsonObject(item) || item.type === undefined) {
    return { type: 'Unknown', text: `Invalid component data: ${JSON.stringify(item, bigintAsText) ?? String(item)}` }
  }
  if (!KNOWN_TYPES.has(item.type)) return { type: 'Unknown', text: `Unknown component type: ${String(item.type)}` }
  // Both names of the time are read; the wire's own, `timestamp`, wins.
  if (item.type === 'Source' && item.timestamp === undefined && typeof item.time === 'number') {
    return { ...item, timestamp: item.time }
  }
  return item
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}

function readChain(value: unknown): unknown {
  return Array.isArray(value) ? value.map(readComponent) : value
}

/**
 * A chain as the host reads it: null, text and objects are refused; unknown components become `Unknown`.
 * The type is stated and not inferred, because chains nest in `Quote` and `Forward`.
 */
export const MessageChainSchema: z.ZodType<MessageChain, MessageChainInput> = z.preprocess(
  readChain,
  z.array(MessageComponentSchema),
) as unknown as z.ZodType<MessageChain, MessageChainInput>
