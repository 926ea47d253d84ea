/** Handlers of model calls over an engine. Without an engine every call says that there is none. */
import { type JsonObject, WireError } from '@runbound/protocol'
import { handlers } from '../gateway/handlers.ts'
import type { Call, HandlerTable } from '../gateway/types.ts'
import type { ModelEngine } from './types.ts'

export function modelHandlers(engine: ModelEngine | null): HandlerTable {
  const need = (call: Call, model_id: string): ModelEngine => {
    if (engine === null)
      throw new WireError(
        'not_available',
        'This host has no model engine. Its operator can add one in a later version of Runbound.',
      )
    const known = engine.models(call.caller.workspace_uuid).some((model) => model.model_id === model_id)
    if (!known) throw new WireError('not_found', `There is no model "${model_id}" in this workspace.`)
    return engine
  }
  const invoke = async (call: Call, asked: Asked) => {
    const answer = await within(call, asked.timeout, (signal) =>
      need(call, asked.llm_model_uuid).invoke(request(asked, signal)),
    )
    return { message: answer.message as never, usage: answer.usage as never }
  }
  async function* stream(call: Call, asked: Asked): AsyncIterable<never> {
    for await (const frame of need(call, asked.llm_model_uuid).stream(request(asked, call.signal))) yield frame as never
  }
  return handlers({
    get_llm_models: {
      installation: (call) => ({
        llm_models: (engine?.models(call.caller.workspace_uuid) ?? [])
          .filter((model) => model.model_type === 'chat')
          .map((model) => model.model_id),
      }),
    },
    invoke_llm: { run: invoke, installation: invoke },
    invoke_llm_stream: { run: stream, installation: stream },
    count_tokens: {
      run: async (call, { llm_model_uuid, messages, funcs }) => {
        const count = need(call, llm_model_uuid).countTokens
        if (count === undefined) throw lacks('counting tokens')
        return {
          tokens: await count({
            model_id: llm_model_uuid,
            messages: messages as never,
            funcs: funcs as never,
            signal: call.signal,
          }),
        }
      },
    },
    invoke_embedding: {
      run: (call, asked) => embed(call, asked),
      installation: (call, asked) => embed(call, asked),
    },
    invoke_rerank: {
      run: (call, asked) => rerank(call, asked),
      installation: (call, asked) => rerank(call, asked),
    },
  })

  async function embed(
    call: Call,
    { embedding_model_uuid, texts }: { embedding_model_uuid: string; texts: readonly string[] },
  ) {
    const run = need(call, embedding_model_uuid).embed
    if (run === undefined) throw lacks('embedding')
    const vectors = await run({ model_id: embedding_model_uuid, texts, signal: call.signal })
    return { vectors: vectors.map((vector) => [...vector]) }
  }

  async function rerank(
    call: Call,
    asked: { rerank_model_uuid: string; query: string; documents: readonly string[]; top_k: number | null },
  ) {
    const run = need(call, asked.rerank_model_uuid).rerank
    if (run === undefined) throw lacks('reranking')
    const results = await run({
      model_id: asked.rerank_model_uuid,
      query: asked.query,
      documents: asked.documents,
      top_k: asked.top_k,
      signal: call.signal,
    })
    return { results: results as never }
  }
}

interface Asked {
  readonly llm_model_uuid: string
  readonly messages: unknown
  readonly funcs: unknown
  readonly extra_args: JsonObject
  readonly timeout?: number
}

function request(asked: Asked, signal: AbortSignal) {
  return {
    model_id: asked.llm_model_uuid,
    messages: asked.messages as readonly JsonObject[],
    funcs: asked.funcs as readonly JsonObject[],
    extra_args: asked.extra_args,
    signal,
  }
}

/** The caller's own timeout in seconds; the run's deadline stands in the call's signal. */
async function within<T>(
  call: Call,
  seconds: number | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (seconds === undefined) return work(call.signal)
  const limit = AbortSignal.timeout(seconds * 1000)
  try {
    return await work(AbortSignal.any([call.signal, limit]))
  } catch (error) {
    if (limit.aborted && !call.signal.aborted)
      throw new WireError('deadline', `The model did not answer in ${seconds} seconds.`, { cause: error })
    throw error
  }
}

const lacks = (what: string): WireError =>
  new WireError('not_available', `The model engine of this host does not offer ${what}.`)
