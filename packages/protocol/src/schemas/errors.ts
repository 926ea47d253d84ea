/** `data.error` of an error answer (entities.md §5.1). */
import * as z from 'zod'
import { BooleanSchema, JsonObjectSchema } from './primitives.ts'

export const AgentAPIErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  retryable: BooleanSchema.default(false),
  details: JsonObjectSchema.default({}),
})
