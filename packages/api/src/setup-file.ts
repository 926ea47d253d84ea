/** The file of `runbound apply`: bots, agents, plugin processors and routes by name. Unknown keys are errors. */
import { z } from 'zod'
import {
  JsonObjectSchema,
  NameSchema,
  OperatorGrantsSchema,
  ProcessorOptionsSchema,
  RouteFilterSchema,
} from './schemas.ts'

const processor = {
  name: NameSchema,
  /** `plugin:author/name/runner`. */
  runner: NameSchema,
  config: JsonObjectSchema.default({}),
  grants: OperatorGrantsSchema.default({}),
  options: ProcessorOptionsSchema.default({}),
  enabled: z.boolean().default(true),
}

const SetupBotSchema = z.strictObject({
  name: NameSchema,
  platform: NameSchema,
  settings: JsonObjectSchema.default({}),
  /** Absent: stays as it is. */
  admins: z.array(z.string()).optional(),
  enabled: z.boolean().default(true),
})
const SetupAgentSchema = z.strictObject(processor)
const SetupProcessorSchema = z.strictObject({
  ...processor,
  /** Bots whose events it gets, and no others. Absent: stays as it is. */
  bots: z
    .array(
      z.union([
        NameSchema,
        z.strictObject({
          bot: NameSchema,
          scope: z.enum(['chat', 'member']).default('chat'),
          enabled: z.boolean().default(true),
        }),
      ]),
    )
    .optional(),
})
/** All routes of a bot that has any here; what else it had goes. They are tried in their order, higher priority first. */
const SetupRouteSchema = z
  .strictObject({
    bot: NameSchema,
    event: NameSchema,
    filters: z.array(RouteFilterSchema).default([]),
    agent: NameSchema.optional(),
    discard: z.literal(true).optional(),
    priority: z.int().default(0),
    scope: z.enum(['chat', 'member']).default('chat'),
    enabled: z.boolean().default(true),
    description: z.string().max(500).default(''),
  })
  .refine((route) => (route.agent === undefined) !== (route.discard === undefined), {
    message: 'A route leads to an "agent", or says "discard: true"; one of them, not both',
  })

export const SetupFileSchema = z.strictObject({
  bots: z.array(SetupBotSchema).default([]),
  agents: z.array(SetupAgentSchema).default([]),
  plugin_processors: z.array(SetupProcessorSchema).default([]),
  /** Absent: the host's stay. `[]`: the bots that the file has lose theirs. */
  routes: z.array(SetupRouteSchema).optional(),
})
export type SetupFile = z.output<typeof SetupFileSchema>
