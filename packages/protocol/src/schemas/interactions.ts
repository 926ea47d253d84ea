/** Forms, confirmations and choices that a run shows, and their answers (entities.md §4.8). Unknown keys are refused. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { INTERACTION_ACTION_STYLES, INTERACTION_FIELD_TYPES, INTERACTION_KINDS } from '../names.ts'
import {
  BooleanSchema,
  IntegerSchema,
  integerBetween,
  JsonObjectSchema,
  JsonSchema,
  orNull,
  textUpTo,
} from './primitives.ts'

export const InteractionFieldTypeSchema = z.enum(INTERACTION_FIELD_TYPES)
export const InteractionActionStyleSchema = z.enum(INTERACTION_ACTION_STYLES)

export const InteractionOptionSchema = z.strictObject({
  value: textUpTo(LIMITS.interaction_option_text.value, 1),
  label: textUpTo(LIMITS.interaction_option_text.value, 1),
  description: orNull(textUpTo(LIMITS.interaction_option_description.value)),
})

export const InteractionFieldSchema = z.strictObject({
  id: textUpTo(LIMITS.interaction_element_id.value, 1),
  label: textUpTo(LIMITS.interaction_label.value, 1),
  type: InteractionFieldTypeSchema,
  required: BooleanSchema.default(false),
  options: z.array(InteractionOptionSchema).max(LIMITS.interaction_options.value).default([]),
  placeholder: orNull(textUpTo(LIMITS.interaction_placeholder.value)),
  default: JsonSchema.default(null),
})

export const InteractionActionSchema = z.strictObject({
  id: textUpTo(LIMITS.interaction_element_id.value, 1),
  label: textUpTo(LIMITS.interaction_label.value, 1),
  style: InteractionActionStyleSchema.default('default'),
})

/** What a run shows. `expires_at` in epoch seconds; `fallback_text` is for platforms without forms. */
export const InteractionRequestSchema = z.strictObject({
  interaction_id: textUpTo(LIMITS.interaction_id.value, 1),
  kind: z.enum(INTERACTION_KINDS).default('form'),
  title: textUpTo(LIMITS.interaction_title.value, 1),
  description: orNull(textUpTo(LIMITS.interaction_description.value)),
  fields: z.array(InteractionFieldSchema).max(LIMITS.interaction_fields.value).default([]),
  actions: z.array(InteractionActionSchema).max(LIMITS.interaction_actions.value).default([]),
  expires_at: orNull(IntegerSchema),
  fallback_text: textUpTo(LIMITS.interaction_fallback_text.value, 1),
})

/** What the user answered; `submitted_at` is set by the host. */
export const InteractionSubmissionSchema = z.strictObject({
  interaction_id: textUpTo(LIMITS.interaction_id.value, 1),
  action_id: orNull(textUpTo(LIMITS.interaction_element_id.value)),
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
