/** Agents and plugin processors: configuration, grants, options, and why a grant is as it is. */
import { z } from 'zod'
import { JsonObjectSchema, JsonSchema, NameSchema } from './basics.ts'
import { RunnerDetailSchema } from './plugins.ts'

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
  prompt: z.array(JsonObjectSchema).optional(),
})
export const ProcessorInputSchema = z.strictObject({
  processor_id: NameSchema.optional(),
  kind: z.enum(['agent', 'plugin_processor']),
  name: NameSchema,
  runner_id: NameSchema,
  config: JsonObjectSchema.default({}),
  grants: OperatorGrantsSchema.default({}),
  options: ProcessorOptionsSchema.default({}),
  enabled: z.boolean().default(true),
})
export const ProcessorSchema = z.object({
  processor_id: z.string(),
  kind: z.enum(['agent', 'plugin_processor', 'pipeline']),
  name: z.string(),
  runner_id: z.string(),
  config: JsonSchema,
  grants: JsonSchema,
  options: JsonSchema,
  enabled: z.boolean(),
})
/** Where a processor is used: a route that leads to it, or a bot whose events it gets as well. */
export const ProcessorUseSchema = z.object({
  bot_uuid: z.string(),
  bot_name: z.string(),
  route_id: z.string().nullable(),
  event_pattern: z.string().nullable(),
  enabled: z.boolean(),
})
/** A processor with its Runner (null while its plugin is not there: `fault` says why) and its uses. */
export const ProcessorDetailSchema = ProcessorSchema.extend({
  runner: RunnerDetailSchema.nullable(),
  fault: z.string().nullable(),
  uses: z.array(ProcessorUseSchema),
})

/** What one of them says of one thing; `why` is a sentence for a no. */
export const VerdictSchema = z.object({
  says: z.enum(['yes', 'no', 'not_asked']),
  why: z.string().nullable(),
})
export const GrantThingSchema = z.object({
  /** `tool:event_reply`, `flag:history_page`, `storage:plugin`, `state:actor`, `model:<id>`, `interactions`. */
  thing: z.string(),
  group: z.enum(['event_tools', 'platform_tools', 'tools', 'models', 'storage', 'state', 'context']),
  label: z.string(),
  allowed: z.boolean(),
  /** Who said the first no; null when allowed. */
  by: z.enum(['manifest', 'operator', 'event', 'platform', 'actor', 'host']).nullable(),
  /** One sentence: why, and what to do. */
  why: z.string(),
  manifest: VerdictSchema,
  operator: VerdictSchema,
  event: VerdictSchema,
  /** The platform, or this version of the host. */
  platform: VerdictSchema,
  actor: VerdictSchema,
  /** Which key of the operator's grants switches it, and the item in it where that is a list; null: no switch of its own. */
  switch: z.object({ grant: z.string(), item: z.string().nullable() }).nullable(),
})
export const ExplainGrantInputSchema = z.strictObject({
  /** A stored processor; `draft` puts unsaved changes in its place. One of both is needed. */
  processor_id: z.string().optional(),
  draft: ProcessorInputSchema.optional(),
  /** The event that the grant is computed for: a typical one of this type. */
  event_type: NameSchema.default('message.received'),
  /** A recorded event in the place of a typical one. */
  event_id: z.string().optional(),
  /** Whose platform decides what can be called; absent: a platform that can everything. */
  bot_uuid: z.string().nullable().default(null),
})
export const ExplainedGrantSchema = z.object({
  event_type: z.string(),
  bot_uuid: z.string().nullable(),
  things: z.array(GrantThingSchema),
})
