/** What a run can look up: history, events, runs and their ledger, steering, boxes (entities.md §4.7). */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import {
  ActorContextSchema,
  AgentEventContextSchema,
  AgentInputSchema,
  ConversationContextSchema,
  SubjectContextSchema,
} from './context.ts'
import { BooleanSchema, IntegerSchema, JsonObjectSchema, orNull, textUpTo } from './primitives.ts'

const optionalText = orNull(z.string())
const optionalInteger = orNull(IntegerSchema)
const openObject = JsonObjectSchema.default({})

/** Cursors are opaque to a plugin; `total_count` is null where counting would cost too much. */
const pageShape = { next_cursor: optionalText, prev_cursor: optionalText, has_more: BooleanSchema.default(false) }

export const TranscriptItemSchema = z.object({
  transcript_id: z.string(),
  event_id: z.string(),
  conversation_id: optionalText,
  bot_id: optionalText,
  workspace_id: optionalText,
  thread_id: optionalText,
  role: z.string(),
  item_type: z.string().default('message'),
  content: optionalText,
  content_json: orNull(JsonObjectSchema),
  attachment_refs: z.array(JsonObjectSchema).default([]),
  seq: optionalInteger,
  cursor: optionalText,
  created_at: optionalInteger,
  metadata: openObject,
})

export const HistoryPageSchema = z.object({
  items: z.array(TranscriptItemSchema).default([]),
  ...pageShape,
  total_count: optionalInteger,
})

export const HistorySearchResultSchema = z.object({
  items: z.array(TranscriptItemSchema).default([]),
  total_count: optionalInteger,
  query: z.string(),
})

export const AgentEventRecordSchema = z.object({
  event_id: z.string(),
  event_type: z.string(),
  event_time: optionalInteger,
  source: z.string(),
  bot_id: optionalText,
  workspace_id: optionalText,
  conversation_id: optionalText,
  thread_id: optionalText,
  actor_type: optionalText,
  actor_id: optionalText,
  actor_name: optionalText,
  subject_type: optionalText,
  subject_id: optionalText,
  input_summary: optionalText,
  input_ref: optionalText,
  raw_ref: optionalText,
  seq: optionalInteger,
  cursor: optionalText,
  created_at: optionalInteger,
  metadata: openObject,
})

export const EventPageSchema = z.object({
  items: z.array(AgentEventRecordSchema).default([]),
  ...pageShape,
  total_count: optionalInteger,
})

/** `status` is usually one of RUN_STATUSES; any text passes. Times in whole epoch seconds. */
export const AgentRunSchema = z.object({
  id: optionalInteger,
  run_id: z.string(),
  event_id: optionalText,
  agent_id: optionalText,
  binding_id: optionalText,
  runner_id: optionalText,
  conversation_id: optionalText,
  thread_id: optionalText,
  workspace_id: optionalText,
  bot_id: optionalText,
  status: z.string(),
  status_reason: optionalText,
  created_at: optionalInteger,
  started_at: optionalInteger,
  finished_at: optionalInteger,
  updated_at: optionalInteger,
  deadline_at: optionalInteger,
  cancel_requested_at: optionalInteger,
  queue_name: optionalText,
  priority: optionalInteger,
  requested_runtime_id: optionalText,
  claimed_by_runtime_id: optionalText,
  claim_token: optionalText,
  claim_lease_expires_at: optionalInteger,
  dispatch_attempts: optionalInteger,
  last_claimed_at: optionalInteger,
  usage: orNull(JsonObjectSchema),
  cost: orNull(JsonObjectSchema),
  metadata: openObject,
})

/** One entry of a run's ledger; `sequence` counts from 1 without holes and is given by the host alone. */
export const AgentRunEventSchema = z.object({
  id: optionalInteger,
  run_id: z.string(),
  sequence: IntegerSchema,
  type: z.string(),
  data: openObject,
  usage: orNull(JsonObjectSchema),
  created_at: optionalInteger,
  source: optionalText,
  metadata: openObject,
})

export const RunPageSchema = z.object({
  items: z.array(AgentRunSchema).default([]),
  ...pageShape,
  total_count: IntegerSchema.default(0),
})

export const RunEventPageSchema = z.object({
  items: z.array(AgentRunEventSchema).default([]),
  ...pageShape,
  total_count: optionalInteger,
})

export const SteeringInputItemSchema = z.object({
  claimed_run_id: z.string(),
  runner_id: z.string(),
  claimed_at: optionalInteger,
  event: AgentEventContextSchema,
  input: AgentInputSchema,
  conversation: orNull(ConversationContextSchema),
  actor: orNull(ActorContextSchema),
  subject: orNull(SubjectContextSchema),
  metadata: openObject,
})

export const SteeringPullResultSchema = z.object({ items: z.array(SteeringInputItemSchema).default([]) })

export const BoxStatusSchema = z.object({
  available: BooleanSchema,
  enabled: BooleanSchema,
  limit: optionalInteger,
  used: optionalInteger,
  remaining: optionalInteger,
  required_reuse_key: optionalText,
  reason: optionalText,
})

export const BoxSessionSchema = z.object({ id: z.string(), status: z.string() })
export const BoxBindingSchema = z.object({ box_id: z.string(), outbox: z.string() })
export const BoxFileSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  size: IntegerSchema,
  path: optionalText,
  warning: optionalText,
})

export const BoxAcquireRequestSchema = z.strictObject({
  reuse_key: textUpTo(LIMITS.box_reuse_key.value, 1),
  options: openObject,
})
