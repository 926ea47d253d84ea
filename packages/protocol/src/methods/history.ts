/** What a run reads of its conversation: prompt, history, events, steering (wire.md §5.4). */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { form, method } from '../method.ts'
import { STEERING_MODES } from '../names.ts'
import { backward, cursor, itemLimit, optionalName, pageLimit, runShape } from '../schemas/parameters.ts'
import {
  BooleanSchema,
  integerBetween,
  JsonObjectSchema,
  optional,
  textUpTo,
  withDefault,
} from '../schemas/primitives.ts'
import {
  AgentEventRecordSchema,
  EventPageSchema,
  HistoryPageSchema,
  HistorySearchResultSchema,
  SteeringPullResultSchema,
} from '../schemas/records.ts'
import { PLUGIN_CALL_WAITS as waits } from '../waits.ts'

const source = 'wire.md §5.4'

export const getPrompt = method({
  name: 'get_prompt',
  from: 'plugin',
  summary: 'Reads the effective prompt of the run.',
  source,
  forms: {
    run: form('run', {
      params: z.object(runShape),
      result: z.object({ prompt: z.array(JsonObjectSchema) }),
      effect: 'none',
      waits: waits.get_prompt.run,
      authorize: ({ grant }) => grant.flag('prompt_get'),
    }),
  },
})

/** `conversation_id` never widens access: another conversation than the run's own is refused by the handler. */
export const historyPage = method({
  name: 'history_page',
  from: 'plugin',
  summary: 'Reads a page of the messages of the conversation, newest first unless asked forward.',
  source,
  forms: {
    run: form('run', {
      params: z.object({
        ...runShape,
        conversation_id: optionalName,
        before_cursor: cursor,
        after_cursor: cursor,
        limit: pageLimit,
        direction: backward,
        include_attachments: withDefault(BooleanSchema, false),
      }),
      result: HistoryPageSchema,
      effect: 'none',
      waits: waits.history_page.run,
      authorize: ({ grant }) => grant.flag('history_page'),
    }),
  },
})

export const historySearch = method({
  name: 'history_search',
  from: 'plugin',
  summary: 'Searches the messages of the conversation for words.',
  source,
  forms: {
    run: form('run', {
      params: z.object({
        ...runShape,
        query: textUpTo(LIMITS.search_query.value),
        filters: withDefault(JsonObjectSchema, {}),
        top_k: itemLimit(LIMITS.search_items_default.value, LIMITS.search_items.value),
      }),
      result: HistorySearchResultSchema,
      effect: 'none',
      waits: waits.history_search.run,
      authorize: ({ grant }) => grant.flag('history_search'),
    }),
  },
})

export const eventGet = method({
  name: 'event_get',
  from: 'plugin',
  summary: 'Reads one event of the conversation, or the one that started this run.',
  source,
  forms: {
    run: form('run', {
      params: z.object({ ...runShape, event_id: z.string().min(1) }),
      result: AgentEventRecordSchema,
      effect: 'none',
      waits: waits.event_get.run,
      authorize: ({ grant }) => grant.flag('event_get'),
    }),
  },
})

export const eventPage = method({
  name: 'event_page',
  from: 'plugin',
  summary: 'Reads a page of the events of the conversation, newest first.',
  source,
  forms: {
    run: form('run', {
      params: z.object({
        ...runShape,
        conversation_id: optionalName,
        event_types: optional(z.array(z.string().min(1))),
        before_cursor: cursor,
        limit: pageLimit,
      }),
      result: EventPageSchema,
      effect: 'none',
      waits: waits.event_page.run,
      authorize: ({ grant }) => grant.flag('event_page'),
    }),
  },
})

/** `one` and `one-at-a-time` mean the same. What was pulled is gone. */
export const steeringPull = method({
  name: 'steering_pull',
  from: 'plugin',
  summary: 'Takes the inputs that arrived while the run was active.',
  source,
  forms: {
    run: form('run', {
      params: z.object({
        ...runShape,
        mode: withDefault(z.enum(STEERING_MODES), 'all'),
        limit: optional(integerBetween(1).transform((limit) => Math.min(limit, LIMITS.steering_pull.value))),
      }),
      result: SteeringPullResultSchema,
      effect: 'host',
      waits: waits.steering_pull.run,
      authorize: ({ grant }) => grant.flag('steering_pull'),
    }),
  },
})
