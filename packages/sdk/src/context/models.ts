/** Model calls: the same methods on `ctx.api`, `ctx.host` and the host of `setup`. */
import type {
  JsonObject,
  LLMInvokeResult,
  LLMStreamEvent,
  LLMTool,
  Message,
  MessageChunk,
  MessageChunkInput,
  MessageInput,
  ReasoningLevel,
} from '@runbound/protocol'

/** What a model call takes besides the model and the messages. */
export interface ModelOptions {
  /** Functions offered to the model. Default: none. */
  readonly funcs?: readonly LLMTool[]
  /** Passed to the provider as it is. Default: nothing. */
  readonly extra_args?: JsonObject
  /** Only in a run: takes reasoning text out of the answer. Default: as the model is set up. */
  readonly remove_think?: boolean | null
  /** For this call only. Fails with AgentAPIException `details.reason` `not_supported` on a host that cannot do it. */
  readonly reasoning_level?: ReasoningLevel | null
}

/** A model call that waits for the whole answer. */
export interface WaitingModelOptions extends ModelOptions {
  /** Seconds. Default 120; in a run never beyond its deadline. */
  readonly timeout?: number | null
}

type Messages = readonly (MessageInput | MessageChunkInput)[]

/**
 * Calls language models: in a run needs the permission `models: ['invoke']`, and a model of `ctx.resources.models`.
 * Fails with PermissionDeniedError for another model, AgentAPIException code `deadline_exceeded` when it takes too long.
 */
export interface CanInvokeModels {
  /**
   * Gives the model's answer.
   *
   * @example
   * ```ts
   * import type { CanInvokeModels } from '@runbound/sdk'
   *
   * export async function ask(api: CanInvokeModels, model: string, question: string) {
   *   return (await api.invokeLlm(model, [{ role: 'user', content: question }])).content
   * }
   * ```
   */
  invokeLlm(llm_model_uuid: string, messages: Messages, options?: WaitingModelOptions): Promise<Message>

  /**
   * Gives the model's answer and the tokens used. `usage` null, or a count in it, means unknown and not zero.
   *
   * @example
   * ```ts
   * import type { CanInvokeModels } from '@runbound/sdk'
   *
   * export const tokens = async (api: CanInvokeModels, model: string) =>
   *   (await api.invokeLlmWithUsage(model, [{ role: 'user', content: 'Hi' }], { timeout: 30 })).usage?.total_tokens
   * ```
   */
  invokeLlmWithUsage(
    llm_model_uuid: string,
    messages: Messages,
    options?: WaitingModelOptions,
  ): Promise<LLMInvokeResult>

  /**
   * Gives one vector per text. Waits at most 60 s.
   *
   * @example
   * ```ts
   * import type { CanInvokeModels } from '@runbound/sdk'
   *
   * export const vectors = (api: CanInvokeModels, model: string) => api.invokeEmbedding(model, ['one', 'two'])
   * ```
   */
  invokeEmbedding(embedding_model_uuid: string, texts: readonly string[]): Promise<number[][]>
}

/**
 * Streams answers of language models: in a run needs the permission `models: ['stream']`. Leaving the loop early stops
 * the model call. Sends nothing to the chat. Fails as {@link CanInvokeModels} does.
 */
export interface CanStreamModels {
  /**
   * Gives the pieces of an answer: `content` is the piece, `all_content`, where present, the text so far.
   *
   * @example
   * ```ts
   * import type { CanReply, CanStreamModels } from '@runbound/sdk'
   *
   * export const answer = (ctx: CanReply & { api: CanStreamModels }, model: string, question: string) =>
   *   ctx.replyStream(async (reply) => {
   *     let text = ''
   *     for await (const chunk of ctx.api.invokeLlmStream(model, [{ role: 'user', content: question }])) {
   *       text = chunk.all_content ?? text + (typeof chunk.content === 'string' ? chunk.content : '')
   *       await reply.update(text)
   *     }
   *   })
   * ```
   */
  invokeLlmStream(llm_model_uuid: string, messages: Messages, options?: ModelOptions): AsyncIterable<MessageChunk>

  /**
   * Gives pieces and usage as they come; the last event may hold usage only.
   *
   * @example
   * ```ts
   * import type { CanStreamModels } from '@runbound/sdk'
   *
   * export async function usage(api: CanStreamModels, model: string) {
   *   let total: number | null = null
   *   for await (const event of api.invokeLlmStreamEvents(model, [{ role: 'user', content: 'Hi' }])) {
   *     total = event.usage?.total_tokens ?? total
   *   }
   *   return total
   * }
   * ```
   */
  invokeLlmStreamEvents(
    llm_model_uuid: string,
    messages: Messages,
    options?: ModelOptions,
  ): AsyncIterable<LLMStreamEvent>
}

/** One document of a reranked list: its place in `documents`, and how well it fits. */
export interface RerankResult {
  readonly index: number
  readonly relevance_score: number
}

/** Reranks documents: in a run needs the permission `models: ['rerank']`. */
export interface CanRerank {
  /**
   * Orders documents by how well they fit the query. Default: all of them; waits 30 s in a run, 60 s outside.
   * Fails as {@link CanInvokeModels} does.
   *
   * @example
   * ```ts
   * import type { CanRerank } from '@runbound/sdk'
   *
   * export const best = async (api: CanRerank, model: string, documents: string[]) =>
   *   (await api.invokeRerank(model, 'opening hours', documents, { top_k: 1 }))[0]?.index
   * ```
   */
  invokeRerank(
    rerank_model_uuid: string,
    query: string,
    documents: readonly string[],
    options?: { readonly top_k?: number | null; readonly extra_args?: JsonObject | null; readonly timeout?: number },
  ): Promise<RerankResult[]>
}

/** Counts tokens: needs the permission `models: ['count_tokens']`; only in a run. */
export interface CanCountTokens {
  /**
   * Gives the number of input tokens. Default: waits 30 s. Fails as {@link CanInvokeModels} does.
   *
   * @example
   * ```ts
   * import type { CanCountTokens } from '@runbound/sdk'
   *
   * export const size = (api: CanCountTokens, model: string) => api.countTokens(model, [{ role: 'user', content: 'Hi' }])
   * ```
   */
  countTokens(
    llm_model_uuid: string,
    messages: Messages,
    options?: {
      readonly funcs?: readonly LLMTool[] | null
      readonly extra_args?: JsonObject | null
      readonly timeout?: number | null
      readonly reasoning_level?: ReasoningLevel | null
    },
  ): Promise<number>
}
