/** Model calls, in a run and outside (wire.md §5.3 Models). */
import type { LLMInvokeResult, LLMStreamEvent } from '@runbound/protocol'
import type {
  CanInvokeModels,
  CanRerank,
  CanStreamModels,
  ModelOptions,
  WaitingModelOptions,
} from '../../context/models.ts'
import { AgentAPIException } from '../../errors.ts'
import { malformed } from './failures.ts'
import { assertJson } from './json.ts'
import type { RunParams, SharedCalls } from './wire.ts'

type ModelMethods = CanInvokeModels & CanStreamModels & CanRerank
type ModelRequest = Omit<RunParams<'invoke_llm'>, 'timeout'>
type Messages = Parameters<CanInvokeModels['invokeLlm']>[1]

/** Refuses a call of a run that has ended; what is granted, the host decides. */
export type ModelGate = (action: string) => void

/** Gives the part of a model request that all forms share. */
export async function modelRequest(
  calls: SharedCalls,
  llm_model_uuid: string,
  messages: Messages,
  options: Pick<ModelOptions, 'remove_think' | 'reasoning_level'> & {
    readonly funcs?: unknown
    readonly extra_args?: unknown
  },
): Promise<ModelRequest> {
  const { reasoning_level, remove_think } = options
  const request = { llm_model_uuid, messages, funcs: options.funcs ?? [], extra_args: options.extra_args ?? {} }
  assertRequest(request)
  if (reasoning_level) await requireReasoning(calls)
  // Messages and functions are the author's readonly lists; the wire takes them as they are.
  return {
    ...request,
    ...(reasoning_level ? { reasoning_level } : {}),
    ...(calls.inRun && remove_think !== undefined && remove_think !== null ? { remove_think } : {}),
  } as unknown as ModelRequest
}

/** Checks without narrowing the type of what it checks. */
function assertRequest(request: unknown): void {
  assertJson(request, 'request')
}

async function requireReasoning(calls: SharedCalls): Promise<void> {
  const { version, api_features } = await calls.features()
  if (api_features.includes('llm.reasoning_level')) return
  throw AgentAPIException.of(
    'not_supported',
    `This host (${version}) does not know reasoning_level. Update the host, or leave the option out.`,
  )
}

/** Makes the model methods. */
export function modelsOf(calls: SharedCalls, gate: ModelGate): ModelMethods {
  async function invoke(model: string, messages: Messages, options: WaitingModelOptions): Promise<LLMInvokeResult> {
    const timeout = options.timeout ?? 120
    const request = { ...(await modelRequest(calls, model, messages, options)), timeout }
    const answer = await calls.call('invoke_llm', request, { wait: timeout })
    if (answer.message === undefined)
      throw malformed('invoke_llm', 'the answer holds no message.', { missing_key: 'message' })
    return { message: answer.message, usage: answer.usage ?? null }
  }

  async function* events(model: string, messages: Messages, options: ModelOptions): AsyncGenerator<LLMStreamEvent> {
    const request = await modelRequest(calls, model, messages, options)
    for await (const frame of calls.stream('invoke_llm_stream', request)) {
      if (frame.chunk === undefined && frame.usage === undefined) {
        throw malformed('invoke_llm_stream', 'a frame holds neither chunk nor usage.', { missing_key: 'chunk' })
      }
      const event = { chunk: frame.chunk ?? null, usage: frame.usage ?? null }
      // A frame with neither only keeps the connection awake.
      if (event.chunk !== null || event.usage !== null) yield event
    }
  }

  return {
    async invokeLlm(model, messages, options = {}) {
      gate('invokeLlm')
      return (await invoke(model, messages, options)).message
    },

    async invokeLlmWithUsage(model, messages, options = {}) {
      gate('invokeLlmWithUsage')
      return invoke(model, messages, options)
    },

    async *invokeLlmStream(model, messages, options = {}) {
      gate('invokeLlmStream')
      for await (const { chunk } of events(model, messages, options)) if (chunk !== null) yield chunk
    },

    async *invokeLlmStreamEvents(model, messages, options = {}) {
      gate('invokeLlmStreamEvents')
      yield* events(model, messages, options)
    },

    async invokeEmbedding(embedding_model_uuid, texts) {
      gate('invokeEmbedding')
      return (await calls.call('invoke_embedding', { embedding_model_uuid, texts: [...texts] })).vectors
    },

    async invokeRerank(rerank_model_uuid, query, documents, options = {}) {
      gate('invokeRerank')
      const extra_args = options.extra_args ?? {}
      assertJson(extra_args, 'extra_args')
      const { results } = await calls.call(
        'invoke_rerank',
        { rerank_model_uuid, query, documents: [...documents], top_k: options.top_k ?? null, extra_args },
        { wait: options.timeout },
      )
      return results
    },
  }
}
