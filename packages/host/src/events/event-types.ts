/** Every event id with its fields and a sample that fits: what a form for made-up events is built from. */
import { sampleEvent, sampleEventIds } from '@runbound/platform-kit/scriptable'
import { INTERACTION_SUBMITTED, type JsonObject } from '@runbound/protocol'
import { InteractionSubmissionSchema, PlatformEventSchema } from '@runbound/protocol/schemas'
import { z } from 'zod'
import { HostError } from '../errors.ts'

export interface EventType {
  readonly event_type: string
  readonly sample: object
  /** JSON Schema of what may be given. */
  readonly json_schema: object
}

let known: readonly EventType[] | undefined

/** Worked out once. */
export function eventTypes(): readonly EventType[] {
  known ??= [
    ...sampleEventIds().map((id) => ({
      event_type: id,
      sample: sampleEvent(id, { bot_uuid: 'debug', adapter_name: 'debug' }),
      json_schema: schemaOf(id),
    })),
    {
      event_type: INTERACTION_SUBMITTED,
      sample: { interaction: { interaction_id: 'form-1', action_id: 'submit', values: {} } },
      json_schema: z.toJSONSchema(z.object({ interaction: InteractionSubmissionSchema }), OPTIONS),
    },
  ]
  return known
}

/** A sample of one type; HostError `invalid_config` for one that does not exist. */
export function sampleOf(eventType: string): JsonObject {
  const sample = eventTypes().find(({ event_type }) => event_type === eventType)?.sample
  if (sample === undefined)
    throw new HostError('invalid_config', `"${eventType}" is no event id.`, { at: 'event_type' })
  return Object.fromEntries(Object.entries(sample))
}

const OPTIONS = { io: 'input', unrepresentable: 'any', reused: 'inline' } as const

function schemaOf(id: string): object {
  const schema = PlatformEventSchema.options.find(({ shape }) => shape.type.value === id)
  return schema === undefined ? {} : z.toJSONSchema(schema, OPTIONS)
}
