/** Calls of models (wire.md §5.3 Models). They may repeat and cost, but change nothing: effect `none`. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { form, method } from '../method.ts'
import {
  LLMTokenUsageSchema,
  LLMToolSchema,
  MessageChunkSchema,
  MessageSchema,
  ReasoningLevelSchema,
} from '../schemas/model-messages.ts'
import { runShape } from '../schemas/parameters.ts'
import {
  BooleanSchema,
  IntegerSchema,
  integerBetween,
  JsonObjectSchema,
  NumberSchema,
  optional,
  withDefault,
} from '../schemas/primitives.ts'
import { PLUGIN_CALL_WAITS as waits } from '../waits.ts'

const source = 'wire.md §5.3'

const request = {
  llm_model_uuid: z.string().min(1),
  messages: z.array(MessageSchema),
  funcs: withDefault(z.array(LLMToolSchema), []),
  extra_args: withDefault(JsonObjectSchema, {}),
  reasoning_level: optional(ReasoningLevelSchema),
}
const timeout = (seconds: number) => withDefault(NumberSchema.pipe(z.number().positive()), seconds)
const ofRun = { ...runShape, remove_think: optional(BooleanSchema) }
const answer = z.object({ message: MessageSchema, usage: optional(LLMTokenUsageSchema) })

/** At least one of both keys must be there; `{usage: null}` carries nothing and keeps the stream alive. */
const frame = z
  .object({ chunk: MessageChunkSchema.nullish(), usage: LLMTokenUsageSchema.nullish() })
  .refine((given) => given.chunk !== undefined || given.usage !== undefined, 'A frame needs "chunk" or "usage"')

export const invokeLlm = method({
  name: 'invoke_llm',
  from: 'plugin',
  summary: 'Asks a model and waits for its whole answer.',
  source,
  forms: {
    run: form('run', {
      params: z.object({ ...ofRun, ...request, timeout: timeout(waits.invoke_llm.run) }),
      result: answer,
      effect: 'none',
      waits: waits.invoke_llm.run,
      authorize: ({ grant, params }) => grant.model(params.llm_model_uuid, 'invoke'),
    }),
    installation: form('installation', {
      params: z.object({ ...request, timeout: timeout(waits.invoke_llm.installation) }),
      result: answer,
      effect: 'none',
      waits: waits.invoke_llm.installation,
      authorize: ({ installation }) => installation.api('invoke_llm'),
    }),
  },
})

export const invokeLlmStream = method({
  name: 'invoke_llm_stream',
  from: 'plugin',
  summary: 'Asks a model and streams its answer.',
  source,
  forms: {
    run: form('run', {
      params: z.object({ ...ofRun, ...request, timeout: timeout(waits.invoke_llm_stream.run) }),
      result: frame,
      stream: true,
      effect: 'none',
      waits: waits.invoke_llm_stream.run,
      authorize: ({ grant, params }) => grant.model(params.llm_model_uuid, 'stream'),
    }),
    installation: form('installation', {
      params: z.object(request),
      result: frame,
      stream: true,
      effect: 'none',
      waits: waits.invoke_llm_stream.installation,
      authorize: ({ installation }) => installation.api('invoke_llm_stream'),
    }),
  },
})

export const countTokens = method({
  name: 'count_tokens',
  from: 'plugin',
  summary: 'Counts the tokens of a request without sending it.',
  source,
  forms: {
    run: form('run', {
      params: z.object({ ...runShape, ...request, timeout: timeout(waits.count_tokens.run) }),
      result: z.object({ tokens: z.int().min(0) }),
      effect: 'none',
      waits: waits.count_tokens.run,
      authorize: ({ grant, params }) => grant.model(params.llm_model_uuid, 'count_tokens'),
    }),
  },
})

const embedding = { embedding_model_uuid: z.string().min(1), texts: z.array(z.string()) }
const vectors = z.object({ vectors: z.array(z.array(NumberSchema)) })

export const invokeEmbedding = method({
  name: 'invoke_embedding',
  from: 'plugin',
  summary: 'Computes one vector for each text.',
  source,
  forms: {
    run: form('run', {
      params: z.object({ ...runShape, ...embedding }),
      result: vectors,
      effect: 'none',
      waits: waits.invoke_embedding.run,
      authorize: ({ grant, params }) => grant.model(params.embedding_model_uuid, 'invoke'),
    }),
    installation: form('installation', {
      params: z.object(embedding),
      result: vectors,
      effect: 'none',
      waits: waits.invoke_embedding.installation,
      authorize: ({ installation }) => installation.api('invoke_embedding'),
    }),
  },
})

const rerank = {
  rerank_model_uuid: z.string().min(1),
  query: z.string(),
  // More is refused and not cut: a silent cut would give wrong ranks.
  documents: z.array(z.string()).max(LIMITS.rerank_documents.value),
  top_k: optional(integerBetween(1)),
  extra_args: withDefault(JsonObjectSchema, {}),
}
const ranks = z.object({ results: z.array(z.object({ index: IntegerSchema, relevance_score: NumberSchema })) })

export const invokeRerank = method({
  name: 'invoke_rerank',
  from: 'plugin',
  summary: 'Ranks documents by how well they answer a query.',
  source,
  forms: {
    run: form('run', {
      params: z.object({ ...runShape, ...rerank }),
      result: ranks,
      effect: 'none',
      waits: waits.invoke_rerank.run,
      authorize: ({ grant, params }) => grant.model(params.rerank_model_uuid, 'rerank'),
    }),
    installation: form('installation', {
      params: z.object(rerank),
      result: ranks,
      effect: 'none',
      waits: waits.invoke_rerank.installation,
      authorize: ({ installation }) => installation.api('invoke_rerank'),
    }),
  },
})
