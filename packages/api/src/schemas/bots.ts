/** Bots and the platforms they are on. */
import { z } from 'zod'
import { JsonObjectSchema, JsonSchema, NameSchema } from './basics.ts'

export const BotSchema = z.object({
  bot_uuid: z.string(),
  name: z.string(),
  platform: z.string(),
  /** Secrets as `SECRET_IS_SET`. */
  settings: JsonObjectSchema,
  admins: z.array(z.string()),
  enabled: z.boolean(),
  state: z.enum(['stopped', 'starting', 'running', 'failed']),
  message: z.string().nullable(),
})
export const BotInputSchema = z.strictObject({
  bot_uuid: z.uuid().optional(),
  name: NameSchema,
  platform: NameSchema,
  settings: JsonObjectSchema.default({}),
  admins: z.array(z.string()).optional(),
  enabled: z.boolean().optional(),
})
/** A bot with what its platform can do; `capabilities` null while its settings do not make an adapter. */
export const BotDetailSchema = BotSchema.extend({
  account_id: z.string().nullable(),
  capabilities: JsonObjectSchema.nullable(),
})

/** One setting of a platform, as a form needs it. */
export const AdapterSettingSchema = z.object({
  name: z.string(),
  type: z.enum(['string', 'secret', 'integer', 'number', 'boolean', 'select']),
  label: z.string(),
  description: z.string().nullable(),
  required: z.boolean(),
  default: JsonSchema.nullable(),
  options: z.array(z.string()),
})
/** A platform package; `fault` says why one can't be loaded (its settings are then empty). */
export const PlatformSchema = z.object({
  name: z.string(),
  label: z.string(),
  settings: z.array(AdapterSettingSchema),
  fault: z.string().nullable(),
})
