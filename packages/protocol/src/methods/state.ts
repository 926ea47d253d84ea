/** State of a run's conversation, actor, subject and Runner (wire.md §5.4). */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { form, method, type RunGrant } from '../method.ts'
import type { StateScope } from '../names.ts'
import { itemLimit, runShape } from '../schemas/parameters.ts'
import { JsonSchema, optional, textUpTo } from '../schemas/primitives.ts'
import { StateScopeSchema } from '../schemas/results.ts'
import { PLUGIN_CALL_WAITS as waits } from '../waits.ts'

const source = 'wire.md §5.4'
const entry = { ...runShape, scope: StateScopeSchema, key: textUpTo(LIMITS.state_key.value, 1) }

/** The flag says that state is there at all, the scope that this part of it is. */
function authorize({ grant, params }: { grant: RunGrant; params: { scope: StateScope } }) {
  return grant.flag('state') ?? grant.stateScope(params.scope)
}

export const stateGet = method({
  name: 'state_get',
  from: 'plugin',
  summary: 'Reads a value; null when the key is not there.',
  source,
  forms: {
    run: form('run', {
      params: z.object(entry),
      result: z.object({ value: JsonSchema }),
      effect: 'none',
      waits: waits.state_get.run,
      authorize,
    }),
  },
})

export const stateSet = method({
  name: 'state_set',
  from: 'plugin',
  summary: 'Stores a JSON value under a key.',
  source,
  forms: {
    run: form('run', {
      params: z.object({ ...entry, value: JsonSchema }),
      result: z.object({ success: z.boolean() }),
      effect: 'host',
      waits: waits.state_set.run,
      authorize,
    }),
  },
})

export const stateDelete = method({
  name: 'state_delete',
  from: 'plugin',
  summary: 'Deletes a key and tells whether it was there.',
  source,
  forms: {
    run: form('run', {
      params: z.object(entry),
      result: z.object({ success: z.boolean() }),
      effect: 'host',
      waits: waits.state_delete.run,
      authorize,
    }),
  },
})

export const stateList = method({
  name: 'state_list',
  from: 'plugin',
  summary: 'Lists keys, all or those that begin with a text.',
  source,
  forms: {
    run: form('run', {
      params: z.object({
        ...runShape,
        scope: StateScopeSchema,
        prefix: optional(z.string()),
        limit: itemLimit(LIMITS.state_list.value, LIMITS.state_list.value),
      }),
      result: z.object({ keys: z.array(z.string()), has_more: z.boolean() }),
      effect: 'none',
      waits: waits.state_list.run,
      authorize,
    }),
  },
})
