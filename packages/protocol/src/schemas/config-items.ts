/** Configuration items of plugins, Runners and knowledge engines (entities.md §1.6). Unknown keys are kept. */
import * as z from 'zod'
import { BooleanSchema, JsonObjectSchema, JsonSchema, orNull, TextMapSchema } from './primitives.ts'

/** `show_if` and `disable_if`. An unknown operator never hides, so it is kept and not refused. */
export const ConditionSchema = z.looseObject({
  field: z.string(),
  operator: z.string(),
  value: JsonSchema.optional(),
})

/** One item of a form. `options` entries are `{name, label}`; `name` is the value. */
export const ConfigItemSchema = z.looseObject({
  type: z.string(),
  name: z.string(),
  label: TextMapSchema.default({}),
  description: orNull(TextMapSchema),
  required: BooleanSchema.default(false),
  default: JsonSchema.default(null),
  options: orNull(z.array(JsonObjectSchema)),
  allow_custom: BooleanSchema.default(false),
  show_if: ConditionSchema.optional(),
  disable_if: ConditionSchema.optional(),
})
