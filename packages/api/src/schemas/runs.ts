/** Runs: records, the list, the timeline, the grant. Documented fields keep name and unit (seconds); `view` is in milliseconds. */
import { RUN_STATUSES } from '@runbound/protocol'
import { z } from 'zod'
import { JsonObjectSchema, JsonSchema, PageQuerySchema, RangeQuerySchema, someOf } from './basics.ts'

/** What people read of a run, beside the documented record. Times are epoch milliseconds. */
export const RunViewSchema = z.object({
  bot_name: z.string().nullable(),
  processor_name: z.string().nullable(),
  processor_kind: z.string(),
  plugin_id: z.string(),
  runner_name: z.string(),
  installation_uuid: z.string(),
  actor_id: z.string().nullable(),
  actor_name: z.string().nullable(),
  event_type: z.string().nullable(),
  conversation_key: z.string().nullable(),
  /** First words of the input. */
  input: z.string().nullable(),
  created_at: z.number(),
  finished_at: z.number().nullable(),
  /** Null while it runs. */
  duration_ms: z.number().nullable(),
  /** How long the event waited before the run began; null where that is not known. */
  waited_ms: z.number().nullable(),
  reason_code: z.string().nullable(),
  attempt: z.int(),
  effect: z.boolean(),
  debug: z.boolean(),
  last_sequence: z.int(),
})
/** The documented record (`AgentRun`) with `view`. */
export const RunSchema = z.looseObject({
  run_id: z.string(),
  status: z.string(),
  status_reason: z.string().nullable(),
  event_id: z.string().nullable(),
  agent_id: z.string().nullable(),
  runner_id: z.string(),
  bot_id: z.string().nullable(),
  conversation_id: z.string().nullable(),
  thread_id: z.string().nullable(),
  created_at: z.number().nullable(),
  started_at: z.number().nullable(),
  finished_at: z.number().nullable(),
  deadline_at: z.number().nullable(),
  cancel_requested_at: z.number().nullable(),
  usage: JsonObjectSchema.nullable(),
  view: RunViewSchema,
})
/** The documented ledger entry (`AgentRunEvent`). */
export const RunEventSchema = z.looseObject({ run_id: z.string(), sequence: z.int(), type: z.string() })

export const RunsQuerySchema = PageQuerySchema.extend({
  ...RangeQuerySchema.shape,
  /** Statuses with commas between them. */
  status: someOf(RUN_STATUSES).optional(),
  processor_id: z.string().optional(),
  bot_uuid: z.string().optional(),
  installation_uuid: z.string().optional(),
  /** A person, as the platform names them. */
  actor_id: z.string().optional(),
  event_id: z.string().optional(),
  conversation_key: z.string().optional(),
  debug: z.enum(['true', 'false']).optional(),
  /** The beginning of a run id (4 characters or more), an event id, or words of the message. */
  q: z.string().max(500).optional(),
  after_cursor: z.string().optional(),
})

export const LANES = [
  'event', 'admission', 'grant', 'model', 'tool', 'host', 'reply', 'log', 'steering', 'run',
] as const // biome-ignore format: a list

/** Where an entry was read from: `what is shown is what is stored`. */
const OriginSchema = z.enum(['event', 'mailbox', 'trail', 'run', 'ledger', 'trace', 'outbox'])

export const TimelineEntrySchema = z.object({
  /** Stable within the run: `ledger:12`, `trace:88`, `outbox:<part>` ... */
  id: z.string(),
  lane: z.enum(LANES),
  origin: OriginSchema,
  /** Epoch milliseconds. */
  at: z.number(),
  /** Null: a moment, or not over yet. */
  duration_ms: z.number().nullable(),
  /** The method, ledger type, trail code or delivery state, as stored. */
  type: z.string(),
  /** A few words for the bar: `call_tool event_reply`. */
  title: z.string(),
  target: z.string().nullable(),
  outcome: z.enum(['ok', 'denied', 'failed', 'cancelled', 'waiting', 'info']),
  /** Reason code of a refusal or a failure. */
  reason: z.string().nullable(),
  /** One sentence: what happened, why, and what to do. Null where the title says it all. */
  sentence: z.string().nullable(),
  /** Who must act. */
  who: z.string().nullable(),
  /** How an answer went out, or did not: only on lane `reply`. */
  way: z
    .enum([
      'native_stream',
      'buffered',
      'message',
      'split',
      'simulated',
      'resent',
      'after_restart',
      'host_sentence',
      'not_sent',
      'unknown',
    ])
    .nullable(),
  delivery_id: z.string().nullable(),
  message_id: z.string().nullable(),
  /** What went in and came out, where it is stored. */
  input: JsonSchema.nullable(),
  output: JsonSchema.nullable(),
  /** True: said by the plugin, and not seen by the host. */
  claimed: z.boolean(),
})
export const TimelineQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(200),
  before_cursor: z.string().optional(),
  after_cursor: z.string().optional(),
  /** From which end: oldest first, or newest first. */
  direction: z.enum(['forward', 'backward']).default('forward'),
  /** Lanes with commas between them; absent: all. */
  lanes: someOf(LANES).optional(),
})

/** `who` is null for what is allowed; `by` says whose no it is. */
export const GrantLineSchema = z.object({
  thing: z.string(),
  allowed: z.boolean(),
  by: z.enum(['manifest', 'operator', 'event', 'platform', 'actor', 'host']).nullable(),
  why: z.string(),
  who: z.string().nullable(),
})
export const RunGrantSchema = z.looseObject({ lines: z.array(GrantLineSchema) })
