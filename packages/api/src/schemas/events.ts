/** Events: what came in, its trail, and why there was an answer or none. */
import { z } from 'zod'
import { JsonObjectSchema, JsonSchema, NameSchema, PageQuerySchema, RangeQuerySchema } from './basics.ts'

export const TrailEntrySchema = z.looseObject({
  at: z.number(),
  step: z.string(),
  code: z.string(),
  message: z.string(),
})
export const WhySchema = z.object({
  event_id: z.string(),
  code: z.string(),
  sentence: z.string(),
  answered: z.boolean(),
  who: z.string(),
  entries: z.array(TrailEntrySchema),
})
const OutcomeSchema = z.enum(['answered', 'failed', 'silent', 'open'])
/** The deciding entry of a trail; null for an event without one. */
const VerdictSchema = z.object({
  code: z.string(),
  sentence: z.string(),
  answered: z.boolean(),
  outcome: OutcomeSchema,
  who: z.string(),
})
export const EventsQuerySchema = PageQuerySchema.extend({
  ...RangeQuerySchema.shape,
  bot_uuid: z.string().optional(),
  event_type: z.string().optional(),
  conversation_key: z.string().optional(),
  /** Words of the message, a link to it at the platform, its id there, or an event id. */
  q: z.string().max(2_000).optional(),
  /** How it ended. A bounded number of events is looked at: a page may be short, even empty, while `has_more` is true. */
  outcome: OutcomeSchema.optional(),
  after_cursor: z.string().optional(),
})
export const EventItemSchema = z.object({
  event_id: z.string(),
  event_type: z.string(),
  source: z.string(),
  bot_uuid: z.string().nullable(),
  bot_name: z.string().nullable(),
  conversation_id: z.string().nullable(),
  conversation_key: z.string().nullable(),
  thread_id: z.string().nullable(),
  actor_id: z.string().nullable(),
  actor_name: z.string().nullable(),
  message_id: z.string().nullable(),
  /** First words. */
  text: z.string().nullable(),
  /** When the host took it in; epoch milliseconds. */
  created_at: z.number(),
  /** When it happened, as the platform says; epoch milliseconds. */
  event_time: z.number().nullable(),
  debug: z.boolean(),
  why: VerdictSchema.nullable(),
  runs: z.array(
    z.object({
      run_id: z.string(),
      status: z.string(),
      processor_id: z.string(),
      processor_name: z.string().nullable(),
    }),
  ),
})
/** One event with its envelope (bytes left out) and its whole trail. */
export const EventDetailSchema = EventItemSchema.extend({
  envelope: JsonSchema,
  trail: z.array(TrailEntrySchema),
})

/** Every reason code of the trail. `open_in` names the issue that will write it; null: written today. */
export const ReasonSchema = z.object({
  code: z.string(),
  step: z.string(),
  sentence: z.string(),
  who: z.string(),
  decides: z.enum(['answered', 'failed', 'silent', 'open']),
  open_in: z.string().nullable(),
})
/** The ways to stay silent, each with its code. `since`: the issue that built it; null while it is open. */
export const SilenceSchema = z.object({
  way: z.string(),
  code: z.string(),
  sentence: z.string(),
  who: z.string(),
  since: z.string().nullable(),
  open_in: z.string().nullable(),
})

/** How a debug run is simulated: results and errors by tool name in the place of samples, APIs the platform is to lack. */
export const DebugOptionsSchema = z.strictObject({
  results: JsonObjectSchema.optional(),
  errors: z.record(z.string(), z.string().max(2_000)).optional(),
  unsupported_apis: z.array(z.string()).max(200).optional(),
  streaming: z.boolean().optional(),
})
export const DebugEventSchema = z.strictObject({
  processor_id: NameSchema,
  event_type: NameSchema,
  event: JsonObjectSchema,
  conversation_id: z.string().max(256).optional(),
  bot_uuid: z.string().nullable().optional(),
  /** Who caused it. Display only: it gives no right. */
  actor: z
    .strictObject({
      actor_type: NameSchema.default('user'),
      actor_id: NameSchema,
      actor_name: z.string().max(200).nullable().default(null),
    })
    .optional(),
  options: DebugOptionsSchema.optional(),
})
/** An event id with what a form needs: a sample that fits, and the fields that the type has. */
export const EventTypeSchema = z.object({
  event_type: z.string(),
  sample: JsonObjectSchema,
  json_schema: JsonObjectSchema,
})
