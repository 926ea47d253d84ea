/** What the HTTP API shows and takes. Records of runs, events and history keep the documented names (entities.md §4.7). */
import { z } from 'zod'

const Json = z.json()
const JsonObject = z.record(z.string(), Json)
const Name = z.string().trim().min(1).max(200)

/** The one error shape: `code` is stable, `message` says what was wrong and what to do, `at` where. */
export const ApiErrorSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), at: z.string().nullable() }),
})

/** What views show in the place of a secret that has a value; sent back unchanged it keeps the stored one. */
export const SECRET_IS_SET = '(set)'

export const OkSchema = z.object({ ok: z.literal(true) })

export const PluginStatusSchema = z.object({
  installation_uuid: z.string(),
  plugin_id: z.string(),
  version: z.string(),
  source: z.enum(['package', 'dev', 'debug', 'inline']),
  state: z.enum(['stopped', 'starting', 'ready', 'failed', 'backing_off', 'disabled', 'not_approved']),
  message: z.string().nullable(),
  pid: z.int().nullable(),
  since: z.number(),
  restarts: z.int(),
  isolation: z.string(),
  limits: z.string(),
})
export const InstallationGrantSchema = z.strictObject({
  apis: z.array(z.string()).optional(),
  tools: z.array(z.string()).optional(),
  storage: z.strictObject({ plugin: z.boolean().optional(), workspace: z.boolean().optional() }).optional(),
  admin: z.array(z.string()).optional(),
  shadow: z.boolean().optional(),
})
export const InstallationSchema = z.object({
  installation_uuid: z.string(),
  plugin_id: z.string(),
  version: z.string(),
  source: z.enum(['package', 'dev', 'debug', 'inline']),
  folder: z.string().nullable(),
  manifest: Json,
  manifest_digest: z.string(),
  package_digest: z.string(),
  approved: z.boolean(),
  enabled: z.boolean(),
  /** What the plugin gets: stored values, defaults for the rest; secrets as {@link SECRET_IS_SET}. */
  settings: JsonObject,
  /** Settings of other versions that are kept for the way back. */
  kept_settings: z.array(z.string()),
  installation_grant: InstallationGrantSchema,
  isolation: z.enum(['required', 'accepted_none']),
})
export const RunnerSchema = z.object({
  runner_id: z.string(),
  runner_name: z.string(),
  installation_uuid: z.string(),
  plugin_id: z.string(),
  usages: z.array(z.string()),
  events: z.array(z.string()),
  manifest: Json,
})
export const LogLineSchema = z.object({
  at: z.number(),
  level: z.enum(['debug', 'info', 'warning', 'error']),
  text: z.string(),
})

export const BotSchema = z.object({
  bot_uuid: z.string(),
  name: z.string(),
  platform: z.string(),
  settings: JsonObject,
  admins: z.array(z.string()),
  enabled: z.boolean(),
  state: z.enum(['stopped', 'starting', 'running', 'failed']),
  message: z.string().nullable(),
})
export const BotInputSchema = z.strictObject({
  bot_uuid: z.uuid().optional(),
  name: Name,
  platform: Name,
  settings: JsonObject.default({}),
  admins: z.array(z.string()).optional(),
  enabled: z.boolean().optional(),
})

const all = z.literal(true)
export const OperatorGrantsSchema = z.strictObject({
  event_tools: z.union([all, z.array(z.string())]).optional(),
  platform_tools: z.array(z.string()).optional(),
  tools: z.union([all, z.array(z.string())]).optional(),
  models: z.union([all, z.array(z.string())]).optional(),
  knowledge_bases: z.union([all, z.array(z.string())]).optional(),
  storage: z.strictObject({ plugin: z.boolean().optional(), workspace: z.boolean().optional() }).optional(),
  state: z.array(z.string()).optional(),
  history: z.boolean().optional(),
  events: z.boolean().optional(),
  interactions: z.boolean().optional(),
  prompt: z.boolean().optional(),
  run_records: z.boolean().optional(),
  steering: z.boolean().optional(),
  run_admin: z.boolean().optional(),
})
export const ProcessorOptionsSchema = z.strictObject({
  sentence: z.string().max(2_000).optional(),
  after_crash: z.enum(['retry', 'report']).optional(),
  /** 0: none. */
  deadline_seconds: z.number().min(0).max(86_400).optional(),
  max_age_seconds: z.number().positive().optional(),
  prompt: z.array(JsonObject).optional(),
})
export const ProcessorInputSchema = z.strictObject({
  processor_id: Name.optional(),
  kind: z.enum(['agent', 'plugin_processor']),
  name: Name,
  runner_id: Name,
  config: JsonObject.default({}),
  grants: OperatorGrantsSchema.default({}),
  options: ProcessorOptionsSchema.default({}),
  enabled: z.boolean().default(true),
})
export const ProcessorSchema = z.object({
  processor_id: z.string(),
  kind: z.enum(['agent', 'plugin_processor', 'pipeline']),
  name: z.string(),
  runner_id: z.string(),
  config: Json,
  grants: Json,
  options: Json,
  enabled: z.boolean(),
})

export const RouteFilterSchema = z.strictObject({
  field: Name,
  operator: z.enum(['eq', 'neq', 'contains', 'not_contains', 'starts_with', 'regex']).default('eq'),
  value: Json,
})
export const RouteInputSchema = z.strictObject({
  route_id: Name.optional(),
  event_pattern: Name,
  filters: z.array(RouteFilterSchema).default([]),
  target_type: z.enum(['agent', 'pipeline', 'discard']),
  processor_id: z.string().nullable().default(null),
  priority: z.int().default(0),
  scope: z.enum(['chat', 'member']).default('chat'),
  enabled: z.boolean().default(true),
  description: z.string().default(''),
})
export const RouteSchema = RouteInputSchema.extend({ route_id: z.string(), bot_uuid: z.string(), position: z.int() })
export const SubscriptionSchema = z.strictObject({
  processor_id: z.string(),
  scope: z.enum(['chat', 'member']).default('chat'),
  enabled: z.boolean().default(true),
})

/** Documented records; unknown keys are the host's own additions and pass. */
export const RunSchema = z.looseObject({ run_id: z.string(), status: z.string() })
export const RunEventSchema = z.looseObject({ run_id: z.string(), sequence: z.int(), type: z.string() })
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    next_cursor: z.string().nullable(),
    prev_cursor: z.string().nullable(),
    has_more: z.boolean(),
  })

export const WhySchema = z.object({
  event_id: z.string(),
  code: z.string(),
  sentence: z.string(),
  answered: z.boolean(),
  who: z.string(),
  entries: z.array(z.looseObject({ at: z.number(), step: z.string(), code: z.string(), message: z.string() })),
})
export const DeliverySchema = z.object({
  delivery_id: z.string(),
  part: z.int(),
  parts: z.int(),
  state: z.string(),
  bot_uuid: z.string(),
  run_id: z.string().nullable(),
  conversation_id: z.string().nullable(),
  text: z.string(),
  reason: z.string().nullable(),
  error: z.string().nullable(),
  attempts: z.int(),
  created_at: z.number(),
  sent_at: z.number().nullable(),
})
export const StatusSchema = z.object({
  version: z.string(),
  instance_uuid: z.string(),
  workspace_uuid: z.string(),
  started_at: z.number(),
  runs_active: z.int(),
  plugins: z.array(PluginStatusSchema),
  bots: z.array(BotSchema),
  runners: z.array(RunnerSchema),
  platforms: z.array(z.string()),
})
export const FactsSchema = z.object({
  engine: z.string(),
  file: z.string(),
  schemaVersion: z.int(),
  integrity: z.string(),
  bytes: z.number(),
  rows: z.record(z.string(), z.number()),
})
export { Json as JsonSchema, JsonObject as JsonObjectSchema, Name as NameSchema }
