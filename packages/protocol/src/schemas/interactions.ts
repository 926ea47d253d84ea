/** Forms, confirmations and choices that a run shows, and their answers (entities.md §4.8). Unknown keys are refused. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { INTERACTION_ACTION_STYLES, INTERACTION_FIELD_TYPES, INTERACTION_KINDS } from '../names.ts'
import { BooleanSchema, IntegerSchema, integerBetween, JsonObjectSchema, JsonSchema, orNull } from './primitives.ts'

const title = (max: number) => z.string().min(1).max(max)

export const InteractionFieldTypeSchema = z.enum(INTERACTION_FIELD_TYPES)
export const InteractionActionStyleSchema = z.enum(INTERACTION_ACTION_STYLES)

export const InteractionOptionSchema = z.strictObject({
  value: title(LIMITS.interaction_option_text.value),
  label: title(LIMITS.interaction_option_text.value),
  description: orNull(z.string().max(LIMITS.interaction_option_description.value)),
})

export const InteractionFieldSchema = z.strictObject({
  id: title(LIMITS.interaction_element_id.value),
  label: title(LIMITS.interaction_label.value),
  type: InteractionFieldTypeSchema,
  required: BooleanSchema.default(false),
  options: z.array(InteractionOptionSchema).max(LIMITS.interaction_options.value).default([]),
  placeholder: orNull(z.string().max(LIMITS.interaction_placeholder.value)),
  default: JsonSchema.default(null),
})

export const InteractionActionSchema = z.strictObject({
  id: title(LIMITS.interaction_element_id.value),
  label: title(LIMITS.interaction_label.value),
  style: InteractionActionStyleSchema.default('default'),
})

/** What a run shows. `expires_at` in epoch seconds; `fallback_text` is for platforms without forms. */
export const InteractionRequestSchema = z.strictObject({
  interaction_id: title(LIMITS.interaction_id.value),
  kind: z.enum(INTERACTION_KINDS).default('form'),
  title: title(LIMITS.interaction_title.value),
  description: orNull(z.string().max(LIMITS.interaction_description.value)),
  fields: z.array(InteractionFieldSchema).max(LIMITS.interaction_fields.value).default([]),
  actions: z.array(InteractionActionSchema).max(LIMITS.interaction_actions.value).default([]),
  expires_at: orNull(IntegerSchema),
  fallback_text: title(LIMITS.interaction_fallback_text.value),
})

/** What the user answered; `submitted_at` is set by the host. */
export const InteractionSubmissionSchema = z.strictObject({
  interaction_id: title(LIMITS.interaction_id.value),
  action_id: orNull(z.string().max(LIMITS.interaction_element_id.value)),
  values: JsonObjectSchema.default({}),
  submitted_at: orNull(IntegerSchema),
})

/** What the platform of this run can show. */
export const InteractionDeliveryCapabilitiesSchema = z.strictObject({
  field_types: z.array(InteractionFieldTypeSchema).default([]),
  action_styles: z.array(InteractionActionStyleSchema).default([]),
  supports_updates: BooleanSchema.default(false),
  max_fields: orNull(integerBetween(0)),
})
