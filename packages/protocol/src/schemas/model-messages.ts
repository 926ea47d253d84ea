/** What is said to and by a language model (entities.md §2.2, §2.3). */
import * as z from 'zod'
import { REASONING_LEVELS } from '../names.ts'
import { BooleanSchema, IntegerSchema, JsonObjectSchema, orNull } from './primitives.ts'

export const ImageUrlSchema = z.object({ url: z.string() })

/** One part of a message's content; `type` is a free string (`text`, `image_url`, `image_base64`, `file_url`, `file_base64`). */
export const ContentElementSchema = z.object({
  type: z.string(),
  text: orNull(z.string()),
  image_url: orNull(ImageUrlSchema),
  image_base64: orNull(z.string()),
  file_url: orNull(z.string()),
  file_base64: orNull(z.string()),
  file_name: orNull(z.string()),
})

/** `arguments` is JSON as text, never an object. */
export const FunctionCallSchema = z.object({ name: z.string(), arguments: z.string() })

export const ToolCallSchema = z.object({
  id: z.string(),
  type: z.string(),
  function: FunctionCallSchema,
  provider_specific_fields: orNull(JsonObjectSchema),
})
/** A streamed piece of a tool call has the same fields. */
export const ToolCallChunkSchema = ToolCallSchema

const content = orNull(z.union([z.string(), z.array(ContentElementSchema)]))

/** A whole message. `provider_specific_fields` must go back unchanged on the next turn. */
export const MessageSchema = z.object({
  role: z.string(),
  name: orNull(z.string()),
  content,
  tool_calls: orNull(z.array(ToolCallSchema)),
  tool_call_id: orNull(z.string()),
  resp_message_id: orNull(z.string()),
  provider_specific_fields: orNull(JsonObjectSchema),
})

/** A streamed piece of an answer; `all_content` is the text so far. */
export const MessageChunkSchema = z.object({
  resp_message_id: orNull(z.string()),
  role: z.string(),
  name: orNull(z.string()),
  all_content: orNull(z.string()),
  content,
  tool_calls: orNull(z.array(ToolCallSchema)),
  tool_call_id: orNull(z.string()),
  is_final: BooleanSchema.default(false),
  msg_sequence: IntegerSchema.default(0),
  provider_specific_fields: orNull(JsonObjectSchema),
})

const CHUNK_KEYS = ['is_final', 'msg_sequence', 'all_content'] as const

/** A prompt's entry: a chunk if a key says so, else a whole message. */
export const MessageOrChunkSchema = z.union([
  MessageChunkSchema.check((context) => {
    const given = context.value
    if (!given.is_final && given.msg_sequence === 0 && given.all_content === null) {
      context.issues.push({ code: 'custom', message: `Not a chunk: none of ${CHUNK_KEYS.join(', ')}`, input: given })
    }
  }),
  MessageSchema,
])

/** Counts of tokens; keys of the provider are kept. Null means unknown, not zero. */
export const LLMTokenUsageSchema = z.looseObject({
  prompt_tokens: orNull(IntegerSchema),
  completion_tokens: orNull(IntegerSchema),
  total_tokens: orNull(IntegerSchema),
})

export const LLMInvokeResultSchema = z.strictObject({ message: MessageSchema, usage: orNull(LLMTokenUsageSchema) })

/** A piece, usage, or both. */
export const LLMStreamEventSchema = z.strictObject({
  chunk: orNull(MessageChunkSchema),
  usage: orNull(LLMTokenUsageSchema),
})

export const PromptSchema = z.object({ name: z.string(), messages: z.array(MessageSchema) })

/** A function offered to a model; the callable itself never travels. */
export const LLMToolSchema = z.object({
  name: z.string(),
  human_desc: z.string(),
  description: z.string(),
  parameters: JsonObjectSchema,
})

export const ReasoningLevelSchema = z.enum(REASONING_LEVELS)
