/** Run records and their ledger: from inside a run, or for plugins that the operator lets administer (wire.md §5.4, §5.5). */
import * as z from 'zod'
import { form, method } from '../method.ts'
import { cursor, forward, optionalName, pageLimit, runShape } from '../schemas/parameters.ts'
import { JsonObjectSchema, optional } from '../schemas/primitives.ts'
import { AgentRunEventSchema, AgentRunSchema, RunEventPageSchema, RunPageSchema } from '../schemas/records.ts'
import { RunnerResultSchema } from '../schemas/results.ts'
import { PLUGIN_CALL_WAITS as waits } from '../waits.ts'

const source = 'wire.md §5.4, §5.5'
/** In a run, null is the run itself. */
const target = { target_run_id: optionalName }
const namedTarget = { target_run_id: z.string().min(1) }
const list = {
  conversation_id: optionalName,
  statuses: optional(z.array(z.string().min(1))),
  before_cursor: cursor,
  limit: pageLimit,
}
const events = { before_cursor: cursor, after_cursor: cursor, limit: pageLimit, direction: forward }
const reason = { reason: optional(z.string()) }
const administer = 'agent_run:admin'

export const runGet = method({
  name: 'run_get',
  from: 'plugin',
  summary: 'Reads the record of a run.',
  source,
  forms: {
    run: form('run', {
      params: z.object({ ...runShape, ...target }),
      result: AgentRunSchema,
      effect: 'none',
      waits: waits.run_get.run,
      authorize: ({ grant }) => grant.flag('run_get'),
    }),
    installation: form('installation', {
      params: z.object(namedTarget),
      result: AgentRunSchema,
      effect: 'none',
      waits: waits.run_get.installation,
      authorize: ({ installation }) => installation.admin(administer),
    }),
  },
})

export const runList = method({
  name: 'run_list',
  from: 'plugin',
  summary: 'Lists runs, newest first.',
  source,
  forms: {
    run: form('run', {
      params: z.object({ ...runShape, ...list }),
      result: RunPageSchema,
      effect: 'none',
      waits: waits.run_list.run,
      authorize: ({ grant }) => grant.flag('run_list'),
    }),
    installation: form('installation', {
      params: z.object(list),
      result: RunPageSchema,
      effect: 'none',
      waits: waits.run_list.installation,
      authorize: ({ installation }) => installation.admin(administer),
    }),
  },
})

export const runEventsPage = method({
  name: 'run_events_page',
  from: 'plugin',
  summary: 'Reads a page of the ledger of a run, by sequence.',
  source,
  forms: {
    run: form('run', {
      params: z.object({ ...runShape, ...target, ...events }),
      result: RunEventPageSchema,
      effect: 'none',
      waits: waits.run_events_page.run,
      authorize: ({ grant }) => grant.flag('run_events_page'),
    }),
    installation: form('installation', {
      params: z.object({ ...namedTarget, ...events }),
      result: RunEventPageSchema,
      effect: 'none',
      waits: waits.run_events_page.installation,
      authorize: ({ installation }) => installation.admin(administer),
    }),
  },
})

export const runCancel = method({
  name: 'run_cancel',
  from: 'plugin',
  summary: 'Asks that a run be cancelled.',
  source,
  forms: {
    run: form('run', {
      params: z.object({ ...runShape, ...target, ...reason }),
      result: AgentRunSchema,
      effect: 'host',
      waits: waits.run_cancel.run,
      authorize: ({ grant }) => grant.flag('run_cancel'),
    }),
    installation: form('installation', {
      params: z.object({ ...namedTarget, ...reason }),
      result: AgentRunSchema,
      effect: 'host',
      waits: waits.run_cancel.installation,
      authorize: ({ installation }) => installation.admin(administer),
    }),
  },
})

export const runAppendResult = method({
  name: 'run_append_result',
  from: 'plugin',
  summary: 'Adds a result to the ledger of a run.',
  source,
  forms: {
    run: form('run', {
      params: z.object({ ...runShape, ...target, result: RunnerResultSchema }),
      result: AgentRunEventSchema,
      effect: 'host',
      waits: waits.run_append_result.run,
      authorize: ({ grant }) => grant.flag('run_append_result'),
    }),
    installation: form('installation', {
      params: z.object({ ...namedTarget, result: RunnerResultSchema }),
      result: AgentRunEventSchema,
      effect: 'host',
      waits: waits.run_append_result.installation,
      authorize: ({ installation }) => installation.admin(administer),
    }),
  },
})

export const runFinalize = method({
  name: 'run_finalize',
  from: 'plugin',
  summary: 'Ends a run with a status.',
  source,
  forms: {
    run: form('run', {
      params: z.object({ ...runShape, ...target, status: optionalName, ...reason }),
      result: AgentRunSchema,
      effect: 'host',
      waits: waits.run_finalize.run,
      authorize: ({ grant }) => grant.flag('run_finalize'),
    }),
    installation: form('installation', {
      params: z.object({
        ...namedTarget,
        status: z.string().min(1),
        ...reason,
        usage: optional(JsonObjectSchema),
        cost: optional(JsonObjectSchema),
        metadata: optional(JsonObjectSchema),
      }),
      result: AgentRunSchema,
      effect: 'host',
      waits: waits.run_finalize.installation,
      authorize: ({ installation }) => installation.admin(administer),
    }),
  },
})
