/** models/ owns what answers model calls. Engines join behind ModelEngine; without one every call is `not_available`. */
import type { Json, JsonObject } from '@runbound/protocol'

export interface ModelInfo {
  readonly model_id: string
  readonly model_type: 'chat' | 'embedding' | 'rerank'
  readonly provider: string | null
}

export interface ModelEngine {
  models(workspaceUuid: string): readonly ModelInfo[]
  invoke(request: {
    readonly model_id: string
    readonly messages: readonly JsonObject[]
    readonly funcs: readonly JsonObject[]
    readonly extra_args: JsonObject
    readonly signal: AbortSignal
  }): Promise<{ readonly message: JsonObject; readonly usage: JsonObject | null }>
  stream(request: {
    readonly model_id: string
    readonly messages: readonly JsonObject[]
    readonly funcs: readonly JsonObject[]
    readonly extra_args: JsonObject
    readonly signal: AbortSignal
  }): AsyncIterable<{ readonly chunk?: JsonObject; readonly usage?: JsonObject | null }>
  countTokens?(request: {
    readonly model_id: string
    readonly messages: readonly JsonObject[]
    readonly funcs: readonly JsonObject[]
    readonly signal: AbortSignal
  }): Promise<number>
  embed?(request: {
    readonly model_id: string
    readonly texts: readonly string[]
    readonly signal: AbortSignal
  }): Promise<readonly (readonly number[])[]>
  rerank?(request: {
    readonly model_id: string
    readonly query: string
    readonly documents: readonly string[]
    readonly top_k: number | null
    readonly signal: AbortSignal
  }): Promise<Json>
}
