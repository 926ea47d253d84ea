/** What a Runner says: the result envelope and the payload of each kind (entities.md §4.5). Payloads refuse unknown keys. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { LOG_LEVELS, STATE_SCOPES } from '../names.ts'
import { LLMTokenUsageSchema, MessageChunkSchema, MessageSchema } from './model-messages.ts'
import { BooleanSchema, IntegerSchema, JsonObjectSchema, JsonSchema, orNull, textUpTo } from './primitives.ts'

export const StateScopeSchema = z.enum(STATE_SCOPES)

/** One result. Any `type` passes; `data` is checked by the kind's own record. */
export const RunnerResultSchema = z.object({
  run_id: z.string(),
  type: z.string(),
  data: JsonObjectSchema.default({}),
  usage: orNull(LLMTokenUsageSchema),
  sequence: orNull(IntegerSchema),
  timestamp: orNull(IntegerSchema),
})

export const MessageDeltaPayloadSchema = z.strictObject({ chunk: MessageChunkSchema })

export const MessageCompletedPayloadSchema = z.strictObject({
  message: MessageSchema,
  file_ids: z.array(z.string()).max(LIMITS.file_ids.value).default([]),
})

export const ToolCallStartedPayloadSchema = z.strictObject({
  tool_call_id: z.string(),
  tool_name: z.string(),
  parameters: JsonObjectSchema.default({}),
})

export const ToolCallCompletedPayloadSchema = z.strictObject({
  tool_call_id: z.string(),
  tool_name: z.string(),
  result: orNull(JsonObjectSchema),
  error: orNull(z.string()),
})

/** `value` is any JSON value, null included; its key must be there. */
export const StateUpdatedPayloadSchema = z.strictObject({ scope: StateScopeSchema, key: z.string(), value: JsonSchema })

export const ActionRequestedPayloadSchema = z.strictObject({
  action: z.string(),
  target: orNull(JsonObjectSchema),
  payload: orNull(JsonObjectSchema),
})

export const RunCompletedPayloadSchema = z.strictObject({
  finish_reason: z.string().default('stop'),
  message: orNull(MessageSchema),
})

export const RunFailedPayloadSchema = z.strictObject({
  error: z.string(),
  code: z.string().default('runner.error'),
  retryable: BooleanSchema.default(false),
})

export const ProcessorLogPayloadSchema = z.strictObject({
  text: textUpTo(LIMITS.log_text.value),
  level: z.enum(LOG_LEVELS).default('info'),
})
