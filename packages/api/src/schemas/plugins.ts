/** Installations of plugins: how they are, what they ask for, what they were given. */
import { z } from 'zod'
import { JsonObjectSchema, JsonSchema } from './basics.ts'

const SourceSchema = z.enum(['package', 'dev', 'debug', 'inline'])

export const PluginStatusSchema = z.object({
  installation_uuid: z.string(),
  plugin_id: z.string(),
  version: z.string(),
  source: SourceSchema,
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
  source: SourceSchema,
  folder: z.string().nullable(),
  manifest: JsonSchema,
  manifest_digest: z.string(),
  package_digest: z.string(),
  approved: z.boolean(),
  enabled: z.boolean(),
  /** What a form is made of: the plugin's own settings (`ConfigItem`s: name, type, label, default, options, show_if ...). */
  settings_schema: z.array(JsonObjectSchema),
  /** What the plugin gets: stored values, defaults for the rest; secrets as `SECRET_IS_SET`. */
  settings: JsonObjectSchema,
  /** Settings of other versions that are kept for the way back. */
  kept_settings: z.array(z.string()),
  installation_grant: InstallationGrantSchema,
  isolation: z.enum(['required', 'accepted_none']),
})
/** One thing that a plugin may be allowed outside runs, or asks for inside them. */
export const PluginPermissionSchema = z.object({
  /** `outside`: work of the plugin by itself, allowed at the approval. `inside`: what a Runner asks for, allowed per agent. */
  group: z.enum(['outside', 'inside']),
  /** The Runner that asks; null outside runs. */
  component: z.string().nullable(),
  /** `api:send_message`, `tool:<name>`, `storage:workspace`, `admin:*`; inside runs `history:page`, `tools:call` ... */
  thing: z.string(),
  label: z.string(),
  asked: z.boolean(),
  allowed: z.boolean(),
  /** True: never given with the list as a whole, the operator says yes to it by name. */
  own_yes: z.boolean(),
  /** True: every plugin has it, it can't be taken away. */
  fixed: z.boolean(),
  why: z.string(),
})
export const RunnerSchema = z.object({
  runner_id: z.string(),
  runner_name: z.string(),
  installation_uuid: z.string(),
  plugin_id: z.string(),
  usages: z.array(z.string()),
  events: z.array(z.string()),
  manifest: JsonSchema,
})
/** A Runner as a form needs it; `config_schema` items are the documented `ConfigItem`s. */
export const RunnerDetailSchema = RunnerSchema.extend({
  plugin_version: z.string(),
  label: z.string(),
  description: z.string().nullable(),
  config_schema: z.array(JsonObjectSchema),
  capabilities: JsonObjectSchema,
  permissions: JsonObjectSchema,
})
export const LogLineSchema = z.object({
  /** Grows from line to line of one plugin, also over restarts of the host; not dense: lines are merged and told apart by it. */
  sequence: z.number().int(),
  at: z.number(),
  level: z.enum(['debug', 'info', 'warning', 'error']),
  text: z.string(),
})
