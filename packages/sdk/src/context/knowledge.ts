/** Knowledge bases: the same method on `ctx.api`, `ctx.host` and the host of `setup`. */
import type { ContentElement, JsonObject } from '@runbound/protocol'

/** One found piece: a lower `distance` is nearer, a higher `score` is better. */
export interface RetrievalResult {
  readonly id: string
  readonly content: readonly ContentElement[]
  readonly metadata: JsonObject
  readonly distance: number
  readonly score?: number | null
}

/**
 * Searches knowledge bases: in a run needs the capability `knowledge_retrieval`, the permission
 * `knowledge_bases: ['retrieve']`, and a base of `ctx.resources.knowledge_bases`.
 */
export interface CanRetrieveKnowledge {
  /**
   * Finds pieces that fit the text. Default: 5, not narrowed by `filters`. Waits at most 30 s.
   * Fails with PermissionDeniedError for a base that the run was not granted.
   *
   * @example
   * ```ts
   * import type { CanRetrieveKnowledge } from '@runbound/sdk'
   *
   * export const find = (api: CanRetrieveKnowledge, base: string) => api.retrieveKnowledge(base, 'opening hours', { top_k: 3 })
   * ```
   */
  retrieveKnowledge(
    kb_id: string,
    query_text: string,
    options?: { readonly top_k?: number; readonly filters?: JsonObject | null },
  ): Promise<RetrievalResult[]>
}
