/** The room models/: model calls over the registered engines. */
import { type JsonObject, WireError } from '@runbound/protocol'
import { handlers } from '../gateway/handlers.ts'
import type { Call } from '../gateway/types.ts'
import { keepAlive } from './keep-alive.ts'
import type { ModelEngine, ModelInfo, ModelRequest, Models } from './types.ts'

/** Well below the 15 s after which the SDK gives a silent stream up. */
const KEEP_ALIVE_MS = 5_000
/** Answers get there before the other side stops waiting. */
const TO_GET_THERE_MS = 500

export function createModels(): Models {
  const engines: ModelEngine[] = []

  /** The engine of a model. Throws `not_available` without engines, `not_found` for a model that none has. */
  function engineOf(call: Call, id: string, type: ModelInfo['model_type']): ModelEngine {
    if (engines.length === 0) throw new WireError('not_available', 'No model engine is set up on this host.')
    const { workspace_uuid } = call.caller
    const engine = engines.find(({ models }) =>
      models(workspace_uuid).some((model) => model.model_id === id && model.model_type === type),
    )
    if (engine === undefined) throw new WireError('not_found', `There is no ${type} model ${id} in this workspace.`)
    return engine
  }

  const list = (workspaceUuid: string) => engines.flatMap((engine) => engine.models(workspaceUuid))

  async function invoke(call: Call, params: ChatParams & { timeout: number }) {
    const engine = engineOf(call, params.llm_model_uuid, 'chat')
    const { message, usage } = await inTime(call, params.timeout, (signal) => engine.invoke(requestOf(params, signal)))
    // The engine speaks the documented shapes; the gateway checks them where answers are checked.
    return { message: message as never, usage: usage as never }
  }

  async function* stream(call: Call, params: ChatParams) {
    const engine = engineOf(call, params.llm_model_uuid, 'chat')
    for await (const { chunk, usage } of engine.stream(requestOf(params, call.signal))) {
      const frame: JsonObject = { ...(chunk === undefined ? {} : { chunk }), ...(usage === undefined ? {} : { usage }) }
      if (Object.keys(frame).length > 0) yield frame
    }
  }

  async function embed(call: Call, { embedding_model_uuid, texts }: { embedding_model_uuid: string; texts: string[] }) {
    const engine = engineOf(call, embedding_model_uuid, 'embedding')
    if (engine.embed === undefined) throw cannot(embedding_model_uuid, 'compute embeddings')
    const vectors = await engine.embed({ model_id: embedding_model_uuid, texts, signal: call.signal })
    return { vectors: vectors.map((vector) => [...vector]) }
  }

  async function rerank(call: Call, params: RerankParams) {
    const { rerank_model_uuid, query, documents, top_k, extra_args } = params
    const engine = engineOf(call, rerank_model_uuid, 'rerank')
    if (engine.rerank === undefined) throw cannot(rerank_model_uuid, 'rank documents')
    const request = { model_id: rerank_model_uuid, query, documents, top_k, extra_args, signal: call.signal }
    return { results: (await engine.rerank(request)) as never }
  }

  return {
    register(engine) {
      engines.push(engine)
      return () => void engines.splice(engines.indexOf(engine), 1)
    },
    list,
    handlers: handlers({
      get_llm_models: {
        installation: ({ caller }) => ({
          llm_models: list(caller.workspace_uuid)
            .filter(({ model_type }) => model_type === 'chat')
            .map(({ model_id }) => model_id),
        }),
      },
      invoke_llm: { run: invoke, installation: invoke },
      invoke_llm_stream: {
        run: (call, params) => keepAlive(stream(call, params), KEEP_ALIVE_MS) as never,
        installation: (call, params) => keepAlive(stream(call, params), KEEP_ALIVE_MS) as never,
      },
      count_tokens: {
        run: async (call, params) => {
          const engine = engineOf(call, params.llm_model_uuid, 'chat')
          const { countTokens } = engine
          if (countTokens === undefined) throw cannot(params.llm_model_uuid, 'count tokens')
          const tokens = await inTime(call, params.timeout, (signal) =>
            countTokens.call(engine, requestOf(params, signal)),
          )
          return { tokens }
        },
      },
      invoke_embedding: { run: embed, installation: embed },
      invoke_rerank: { run: rerank, installation: rerank },
    }),
  }
}

interface ChatParams {
  readonly llm_model_uuid: string
  readonly messages: readonly object[]
  readonly funcs: readonly object[]
  readonly extra_args: JsonObject
  readonly reasoning_level: ModelRequest['reasoning_level']
  readonly remove_think?: boolean | null
}

interface RerankParams {
  readonly rerank_model_uuid: string
  readonly query: string
  readonly documents: readonly string[]
  readonly top_k: number | null
  readonly extra_args: JsonObject
}

function requestOf(params: ChatParams, signal: AbortSignal): ModelRequest {
  const { llm_model_uuid, extra_args, reasoning_level } = params
  return {
    model_id: llm_model_uuid,
    // They came as JSON and have passed their schemas.
    messages: params.messages as readonly JsonObject[],
    funcs: params.funcs as readonly JsonObject[],
    extra_args,
    reasoning_level,
    remove_think: params.remove_think ?? null,
    signal,
  }
}

/** Gives the engine the time that the caller waits. Throws `deadline`. */
async function inTime<T>(call: Call, seconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timer = AbortSignal.timeout(Math.max(1, Math.round(seconds * 1_000) - TO_GET_THERE_MS))
  try {
    return await work(AbortSignal.any([call.signal, timer]))
  } catch (error) {
    if (!timer.aborted || call.signal.aborted) throw error
    throw new WireError('deadline', `The model did not answer within ${seconds} s.`, { cause: error })
  }
}

function cannot(model: string, what: string): WireError {
  return new WireError('not_available', `The engine of the model ${model} can't ${what}.`)
}
