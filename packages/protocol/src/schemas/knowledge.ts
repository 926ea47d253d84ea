/** Knowledge engines, parsers and pages: what they are handed and what they answer (entities.md §4.9, §4.10). */
import * as z from 'zod'
import { DOCUMENT_STATUSES, SEARCH_TYPES } from '../names.ts'
import { ContentElementSchema } from './model-messages.ts'
import { IntegerSchema, JsonObjectSchema, JsonSchema, NumberSchema, orNull, TextMapSchema } from './primitives.ts'

const optionalText = orNull(z.string())
const openObject = JsonObjectSchema.default({})

export const SearchTypeSchema = z.enum(SEARCH_TYPES)

export const FileMetadataSchema = z.object({
  filename: z.string(),
  file_size: IntegerSchema,
  mime_type: z.string(),
  document_id: z.string(),
  knowledge_base_id: z.string(),
  upload_time: optionalText,
  extra: openObject,
})
export const FileObjectSchema = z.object({ metadata: FileMetadataSchema, storage_path: z.string() })

export const TextSectionSchema = z.object({
  content: z.string(),
  heading: optionalText,
  level: IntegerSchema.default(0),
  page: orNull(IntegerSchema),
  metadata: openObject,
})
export const ParseResultSchema = z.object({
  text: z.string(),
  sections: z.array(TextSectionSchema).default([]),
  metadata: openObject,
})
/** A parse request as it travels: the bytes were sent before, under `file_key` (empty: no bytes). */
export const ParseRequestSchema = z.object({
  file_key: z.string().default(''),
  mime_type: z.string().default('application/octet-stream'),
  filename: z.string().default(''),
  metadata: openObject,
})

export const IngestionContextSchema = z.object({
  file_object: FileObjectSchema,
  knowledge_base_id: z.string(),
  collection_id: optionalText,
  creation_settings: openObject,
  parsed_content: orNull(ParseResultSchema),
})
export const IngestionResultSchema = z.object({
  document_id: z.string(),
  status: z.enum(DOCUMENT_STATUSES),
  chunks_created: IntegerSchema.default(0),
  error_message: optionalText,
  metadata: openObject,
})
export const TextChunkSchema = z.object({
  text: z.string(),
  chunk_id: z.string(),
  document_id: z.string(),
  metadata: openObject,
  embedding: orNull(z.array(NumberSchema)),
})

export const RetrievalContextSchema = z.object({
  query: z.string(),
  knowledge_base_id: optionalText,
  collection_id: optionalText,
  retrieval_settings: openObject,
  creation_settings: openObject,
  filters: openObject,
})
/** A hit: lower `distance` is nearer, higher `score` is nearer. */
export const RetrievalResultEntrySchema = z.object({
  id: z.string(),
  content: z.array(ContentElementSchema),
  metadata: JsonObjectSchema,
  distance: NumberSchema,
  score: orNull(NumberSchema),
})
export const RetrievalResponseSchema = z.object({
  results: z.array(RetrievalResultEntrySchema),
  total_found: IntegerSchema,
  metadata: openObject,
})

/** What a page's back end is handed. */
export const PageRequestSchema = z.object({
  endpoint: z.string(),
  method: z.string(),
  body: JsonSchema.default(null),
  caller: orNull(JsonObjectSchema),
  headers: TextMapSchema.default({}),
})
/** A non-null `error` means failure. */
export const PageResponseSchema = z.object({ data: JsonSchema.default(null), error: optionalText })
