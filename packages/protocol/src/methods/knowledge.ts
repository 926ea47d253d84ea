/** Knowledge, vectors and parsers outside runs (wire.md §5.3 Knowledge, vectors, parsers). */
import * as z from 'zod'
import { form, method } from '../method.ts'
import { ParseResultSchema, RetrievalResultEntrySchema, SearchTypeSchema } from '../schemas/knowledge.ts'
import { emptyResult, itemLimit } from '../schemas/parameters.ts'
import {
  IntegerSchema,
  integerBetween,
  JsonObjectSchema,
  NumberSchema,
  optional,
  withDefault,
} from '../schemas/primitives.ts'
import { PLUGIN_CALL_WAITS as waits } from '../waits.ts'

const source = 'wire.md §5.3'
const collection = { collection_id: z.string().min(1) }
const vector = z.array(NumberSchema)

export const retrieveKnowledge = method({
  name: 'retrieve_knowledge',
  from: 'plugin',
  summary: 'Searches any knowledge base of the workspace. Inside a run, retrieve_knowledge_base takes its place.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({
        kb_id: z.string().min(1),
        query_text: z.string(),
        top_k: withDefault(integerBetween(1, 100), 5),
        filters: withDefault(JsonObjectSchema, {}),
      }),
      result: z.object({ results: z.array(RetrievalResultEntrySchema) }),
      effect: 'none',
      waits: waits.retrieve_knowledge.installation,
      authorize: ({ installation }) => installation.api('retrieve_knowledge'),
    }),
  },
})

export const vectorUpsert = method({
  name: 'vector_upsert',
  from: 'plugin',
  summary: 'Writes vectors of a collection.',
  source,
  forms: {
    installation: form('installation', {
      params: z
        .object({
          ...collection,
          vectors: z.array(vector),
          ids: z.array(z.string()),
          metadata: optional(z.array(JsonObjectSchema)),
          documents: optional(z.array(z.string())),
        })
        .refine(
          ({ ids, vectors, metadata, documents }) =>
            [vectors, metadata ?? ids, documents ?? ids].every((list) => list.length === ids.length),
          'vectors, ids, metadata and documents must have the same length',
        ),
      result: emptyResult,
      effect: 'host',
      waits: waits.vector_upsert.installation,
      authorize: ({ installation }) => installation.api('vector_upsert'),
    }),
  },
})

export const vectorSearch = method({
  name: 'vector_search',
  from: 'plugin',
  summary: 'Searches a collection by vector, by text, or by both.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({
        ...collection,
        query_vector: vector,
        top_k: withDefault(integerBetween(1, 1000), 5),
        filters: optional(JsonObjectSchema),
        search_type: withDefault(SearchTypeSchema, 'vector'),
        query_text: withDefault(z.string(), ''),
        vector_weight: optional(NumberSchema),
      }),
      result: z.object({
        results: z.array(z.looseObject({ id: z.string(), distance: NumberSchema, metadata: JsonObjectSchema })),
      }),
      effect: 'none',
      waits: waits.vector_search.installation,
      authorize: ({ installation }) => installation.api('vector_search'),
    }),
  },
})

export const vectorDelete = method({
  name: 'vector_delete',
  from: 'plugin',
  summary: 'Deletes vectors of a collection by file or by filter, and tells how many.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({
        ...collection,
        file_ids: optional(z.array(z.string())),
        filters: optional(JsonObjectSchema),
      }),
      result: z.object({ count: IntegerSchema }),
      effect: 'host',
      waits: waits.vector_delete.installation,
      authorize: ({ installation }) => installation.api('vector_delete'),
    }),
  },
})

export const vectorList = method({
  name: 'vector_list',
  from: 'plugin',
  summary: 'Lists vectors of a collection.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({
        ...collection,
        filters: optional(JsonObjectSchema),
        limit: itemLimit(20, 1000),
        offset: withDefault(integerBetween(0), 0),
      }),
      result: z.object({
        items: z.array(z.object({ id: z.string(), document: z.string().nullable(), metadata: JsonObjectSchema })),
        total: IntegerSchema,
      }),
      effect: 'none',
      waits: waits.vector_list.installation,
      authorize: ({ installation }) => installation.api('vector_list'),
    }),
  },
})

export const getKnowledgeFileStream = method({
  name: 'get_knowledge_file_stream',
  from: 'plugin',
  summary: 'Sends an uploaded document over the link and answers with its file key.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({ storage_path: z.string().min(1) }),
      result: z.object({ file_key: z.string() }),
      effect: 'none',
      waits: waits.get_knowledge_file_stream.installation,
      authorize: ({ installation }) => installation.api('get_knowledge_file_stream'),
    }),
  },
})

export const invokeParser = method({
  name: 'invoke_parser',
  from: 'plugin',
  summary: 'Has an uploaded document parsed by the parser of a plugin.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({
        plugin_author: z.string().min(1),
        plugin_name: z.string().min(1),
        storage_path: z.string().min(1),
        mime_type: withDefault(z.string(), 'application/octet-stream'),
        filename: withDefault(z.string(), ''),
        metadata: withDefault(JsonObjectSchema, {}),
      }),
      result: ParseResultSchema,
      effect: 'none',
      waits: waits.invoke_parser.installation,
      authorize: ({ installation }) => installation.api('invoke_parser'),
    }),
  },
})
