/** Routes of bots, plugin processors beside them, and the dry run of both. */
import { z } from 'zod'
import { JsonObjectSchema, JsonSchema, NameSchema } from './basics.ts'

export const RouteFilterSchema = z.strictObject({
  field: NameSchema,
  operator: z.enum(['eq', 'neq', 'contains', 'not_contains', 'starts_with', 'regex']).default('eq'),
  value: JsonSchema,
})
export const RouteInputSchema = z.strictObject({
  route_id: NameSchema.optional(),
  event_pattern: NameSchema,
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

/** One of `event` (a platform event; `type` is needed) and `event_id` (a recorded one). */
export const DryRunInputSchema = z.strictObject({
  event: JsonObjectSchema.optional(),
  event_id: z.string().optional(),
  /** Routes and plugin processors that are not saved yet; absent: the stored ones. */
  routes: z.array(RouteInputSchema).optional(),
  plugin_processors: z.array(SubscriptionSchema).optional(),
})
export const DryRunSchema = z.object({
  event_type: z.string(),
  /** `routed`, `discarded`, or the reason code that tells best why no route took it. */
  code: z.string(),
  sentence: z.string(),
  /** In the order in which they are tried. */
  routes: z.array(
    z.object({
      route_id: z.string(),
      position: z.int(),
      event_pattern: z.string(),
      description: z.string(),
      target_type: z.enum(['agent', 'pipeline', 'discard']),
      processor_id: z.string().nullable(),
      processor_name: z.string().nullable(),
      wins: z.boolean(),
      code: z.string(),
      sentence: z.string(),
    }),
  ),
  /** Plugin processors of the bot: which get the event as well, and why the others do not. */
  plugin_processors: z.array(
    z.object({
      processor_id: z.string(),
      processor_name: z.string().nullable(),
      scope: z.enum(['chat', 'member']),
      gets: z.boolean(),
      code: z.string(),
      sentence: z.string(),
    }),
  ),
})
