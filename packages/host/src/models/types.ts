/** models/ owns what answers model calls. Engines join behind ModelEngine; without one every call is `not_available`. */
import type { Json, JsonObject, ReasoningLevel } from '@runbound/protocol'
import type { HandlerTable } from '../gateway/types.ts'

export interface ModelInfo {
  readonly model_id: string
  readonly model_type: 'chat' | 'embedding' | 'rerank'
  readonly provider: string | null
  /** Tokens that fit into one request; absent: not known. */
  readonly context_window?: number
}

/** One request to a chat model. Messages and functions have passed the documented schemas. */
export interface ModelRequest {
  readonly model_id: string
  readonly messages: readonly JsonObject[]
  readonly funcs: readonly JsonObject[]
  readonly extra_args: JsonObject
  /** Null: what the model is set to. */
  readonly reasoning_level: ReasoningLevel | null
  /** Null: the engine's own default. */
  readonly remove_think: boolean | null
  readonly signal: AbortSignal
}

/** A piece, the usage, or both. */
export interface ModelFrame {
  readonly chunk?: JsonObject
  readonly usage?: JsonObject | null
}

export interface ModelEngine {
  models(workspaceUuid: string): readonly ModelInfo[]
  invoke(request: ModelRequest): Promise<{ readonly message: JsonObject; readonly usage: JsonObject | null }>
  stream(request: ModelRequest): AsyncIterable<ModelFrame>
  countTokens?(request: Omit<ModelRequest, 'remove_think'>): Promise<number>
  embed?(request: {
    readonly model_id: string
    readonly texts: readonly string[]
    readonly signal: AbortSignal
  }): Promise<readonly (readonly number[])[]>
  /** `[{index, relevance_score}]`, best first. */
  rerank?(request: {
    readonly model_id: string
    readonly query: string
    readonly documents: readonly string[]
    readonly top_k: number | null
    readonly extra_args: JsonObject
    readonly signal: AbortSignal
  }): Promise<Json>
}

export interface Models {
  /** Adds an engine; the returned function takes it away again. */
  register(engine: ModelEngine): () => void
  list(workspaceUuid: string): readonly ModelInfo[]
  readonly handlers: HandlerTable
}
