/** Calls of listeners, commands and tools that belong to a pipeline request (wire.md §5.2). */
import * as z from 'zod'
import { form, method } from '../method.ts'
import { RetrievalResultEntrySchema } from '../schemas/knowledge.ts'
import { MessageChainSchema } from '../schemas/messages.ts'
import { emptyResult, queryShape, runShape } from '../schemas/parameters.ts'
import { BooleanSchema, IntegerSchema, JsonObjectSchema, JsonSchema, withDefault } from '../schemas/primitives.ts'
import { PLUGIN_CALL_WAITS as waits } from '../waits.ts'

const source = 'wire.md §5.2'

export const replyMessage = method({
  name: 'reply_message',
  from: 'plugin',
  summary: 'Answers in the conversation of the request.',
  source,
  forms: {
    query: form('query', {
      params: z.object({
        ...queryShape,
        message_chain: MessageChainSchema,
        quote_origin: withDefault(BooleanSchema, false),
      }),
      result: emptyResult,
      effect: 'outside',
      waits: waits.reply_message.query,
      authorize: ({ query, params }) => query.query(params.query_id, params.query_uuid),
    }),
  },
})

export const getBotUuid = method({
  name: 'get_bot_uuid',
  from: 'plugin',
  summary: 'Tells through which bot the request came.',
  source,
  forms: {
    query: form('query', {
      params: z.object(queryShape),
      result: z.object({ bot_uuid: z.string() }),
      effect: 'none',
      waits: waits.get_bot_uuid.query,
      authorize: ({ query, params }) => query.query(params.query_id, params.query_uuid),
    }),
  },
})

export const setQueryVar = method({
  name: 'set_query_var',
  from: 'plugin',
  summary: 'Sets a variable of the request.',
  source,
  forms: {
    query: form('query', {
      params: z.object({ ...queryShape, key: z.string().min(1), value: JsonSchema }),
      result: emptyResult,
      effect: 'host',
      waits: waits.set_query_var.query,
      authorize: ({ query, params }) => query.query(params.query_id, params.query_uuid),
    }),
  },
})

export const getQueryVar = method({
  name: 'get_query_var',
  from: 'plugin',
  summary: 'Reads a variable of the request; one that was never set is an error.',
  source,
  forms: {
    query: form('query', {
      params: z.object({ ...queryShape, key: z.string().min(1) }),
      result: z.object({ value: JsonSchema }),
      effect: 'none',
      waits: waits.get_query_var.query,
      authorize: ({ query, params }) => query.query(params.query_id, params.query_uuid),
    }),
  },
})

export const getQueryVars = method({
  name: 'get_query_vars',
  from: 'plugin',
  summary: 'Reads all variables of the request.',
  source,
  forms: {
    query: form('query', {
      params: z.object(queryShape),
      result: z.object({ vars: JsonObjectSchema }),
      effect: 'none',
      waits: waits.get_query_vars.query,
      authorize: ({ query, params }) => query.query(params.query_id, params.query_uuid),
    }),
  },
})

export const createNewConversation = method({
  name: 'create_new_conversation',
  from: 'plugin',
  summary: 'Drops the current pipeline conversation; the next request opens a new one.',
  source,
  forms: {
    query: form('query', {
      params: z.object(queryShape),
      result: emptyResult,
      effect: 'host',
      waits: waits.create_new_conversation.query,
      authorize: ({ query, params }) => query.query(params.query_id, params.query_uuid),
    }),
  },
})

export const listPipelineKnowledgeBases = method({
  name: 'list_pipeline_knowledge_bases',
  from: 'plugin',
  summary: 'Lists the knowledge bases that the pipeline of the request may search.',
  source,
  forms: {
    query: form('query', {
      params: z.object(queryShape),
      result: z.object({
        knowledge_bases: z.array(z.object({ uuid: z.string(), name: z.string(), description: z.string().nullable() })),
      }),
      effect: 'none',
      waits: waits.list_pipeline_knowledge_bases.query,
      authorize: ({ query, params }) => query.query(params.query_id, params.query_uuid),
    }),
  },
})

const search = {
  kb_id: z.string().min(1),
  query_text: z.string(),
  top_k: withDefault(IntegerSchema.pipe(z.number().min(1).max(100)), 5),
  filters: withDefault(JsonObjectSchema, {}),
}

/** In a query the base must be the pipeline's; in a run it must be granted. */
export const retrieveKnowledgeBase = method({
  name: 'retrieve_knowledge_base',
  from: 'plugin',
  summary: 'Searches a knowledge base of the pipeline or of the run.',
  source: 'wire.md §5.2, §5.3',
  forms: {
    run: form('run', {
      params: z.object({ ...runShape, ...search }),
      result: z.object({ results: z.array(RetrievalResultEntrySchema) }),
      effect: 'none',
      waits: waits.retrieve_knowledge_base.run,
      authorize: ({ grant, params }) => grant.knowledgeBase(params.kb_id, 'retrieve'),
    }),
    query: form('query', {
      params: z.object({ ...queryShape, ...search }),
      result: z.object({ results: z.array(RetrievalResultEntrySchema) }),
      effect: 'none',
      waits: waits.retrieve_knowledge_base.query,
      authorize: ({ query, params }) => query.query(params.query_id, params.query_uuid),
    }),
  },
})
