/** Records of the administrator calls: runtimes and statistics (entities.md §4.7). */
import * as z from 'zod'
import { BooleanSchema, IntegerSchema, JsonObjectSchema, NumberSchema, orNull, TextMapSchema } from './primitives.ts'

const optionalText = orNull(z.string())
const optionalInteger = orNull(IntegerSchema)
const optionalNumber = orNull(NumberSchema)
const openObject = JsonObjectSchema.default({})
const count = IntegerSchema.default(0)

export const AgentRuntimeSchema = z.object({
  runtime_id: z.string(),
  status: z.string(),
  display_name: optionalText,
  endpoint: optionalText,
  version: optionalText,
  capabilities: openObject,
  labels: TextMapSchema.default({}),
  metadata: openObject,
  last_heartbeat_at: optionalInteger,
  heartbeat_deadline_at: optionalInteger,
  created_at: optionalInteger,
  updated_at: optionalInteger,
})

export const RuntimePageSchema = z.object({
  items: z.array(AgentRuntimeSchema).default([]),
  next_cursor: optionalText,
  prev_cursor: optionalText,
  has_more: BooleanSchema.default(false),
  total_count: count,
})

export const RunStatsSchema = z.object({
  start_time: optionalInteger,
  end_time: optionalInteger,
  total_count: count,
  created_count: count,
  queued_count: count,
  claimed_count: count,
  running_count: count,
  completed_count: count,
  failed_count: count,
  cancelled_count: count,
  timeout_count: count,
  throughput_per_hour: optionalNumber,
  success_rate: optionalNumber,
  failure_rate: optionalNumber,
  avg_duration_seconds: optionalNumber,
  p50_duration_seconds: optionalNumber,
  p95_duration_seconds: optionalNumber,
  p99_duration_seconds: optionalNumber,
  avg_queue_wait_seconds: optionalNumber,
})

export const RuntimeStatsSchema = z.object({
  total_count: count,
  online_count: count,
  stale_count: count,
  avg_heartbeat_age_seconds: optionalNumber,
  max_heartbeat_age_seconds: optionalNumber,
  active_runs: count,
  claimed_runs: count,
})

export const RunnerStatsSchema = z.object({
  runner_id: z.string(),
  runner_label: optionalText,
  plugin_identity: optionalText,
  total_runs: count,
  active_runs: count,
  completed_runs: count,
  failed_runs: count,
  success_rate: optionalNumber,
  avg_duration_seconds: optionalNumber,
})

export const RunnerStatsPageSchema = z.object({
  items: z.array(RunnerStatsSchema).default([]),
  total_count: count,
  has_more: BooleanSchema.default(false),
})
