/** `ctx.api`: the documented lower-level proxy of a run. Normal code prefers `ctx` and `ctx.host`. */
import type { EventId, JsonObject, KnowledgeBaseResource, ModelResource, ToolResource } from '@runbound/protocol'
import type { Asked, Capabilities, Declared, MayCallTools, MayUseKnowledge, Permissions, When } from '../rights.ts'
import type { CanUseBox } from './box.ts'
import type {
  CanGetEvents,
  CanGetPrompt,
  CanPageEvents,
  CanPageHistory,
  CanSearchHistory,
  CanSteer,
} from './history.ts'
import type { CanDescribeTools, HostBasics, HostBoxes } from './host.ts'
import type { CanRetrieveKnowledge } from './knowledge.ts'
import type { CanCountTokens, CanInvokeModels, CanRerank, CanStreamModels } from './models.ts'
import type { CanCallPlatform } from './platform.ts'
import type { CanReply } from './replies.ts'
import type { HasRunRecords } from './run-records.ts'
import type { RunnerContext } from './runner-context.ts'
import type { HasState } from './state.ts'
import type { PluginStorage, WorkspaceStorage } from './storage.ts'
import type { CanCallTools } from './tools.ts'

/** What was granted, without asking the host: each call gives a copy. Any list may be empty. */
export interface RunGrants {
  /**
   * Lists granted models, each with `model_id` and `operations`.
   *
   * @example
   * ```ts
   * import type { RunGrants } from '@runbound/sdk'
   *
   * export const model = (api: RunGrants) => api.getAllowedModels()[0]?.model_id
   * ```
   */
  getAllowedModels(): ModelResource[]

  /**
   * Lists granted tools, each with `tool_name`, `operations` and `parameters`.
   *
   * @example
   * ```ts
   * import type { RunGrants } from '@runbound/sdk'
   *
   * export const tools = (api: RunGrants) => api.getAllowedTools().map((tool) => tool.tool_name)
   * ```
   */
  getAllowedTools(): ToolResource[]

  /**
   * Lists granted knowledge bases, each with `kb_id` and `operations`.
   *
   * @example
   * ```ts
   * import type { RunGrants } from '@runbound/sdk'
   *
   * export const bases = (api: RunGrants) => api.getAllowedKnowledgeBases().map((base) => base.kb_id)
   * ```
   */
  getAllowedKnowledgeBases(): KnowledgeBaseResource[]
}

/**
 * Everything that a run can ask of the host, bound to this run: two runs side by side each act with their own id, context
 * and grants. A method that `ctx` has too gives the same result and the same refusal here.
 */
export type RunApi<
  P extends Permissions = Record<never, never>,
  C = JsonObject,
  E extends EventId = EventId,
  K extends Capabilities = Record<never, never>,
> = {
  /** The context of this run. */
  readonly ctx: RunnerContext<P, C, E, K>
} & RunGrants &
  Pick<HostBasics, 'getLangbotVersion'> &
  CanGetPrompt &
  HasState &
  HasRunRecords &
  CanUseBox &
  HostBoxes &
  When<MayCallTools<P, K>, CanReplyByApi & CanCallTools & CanCallPlatform> &
  When<Asked<P, 'tools', 'detail'>, CanDescribeTools> &
  When<Asked<P, 'history', 'page'>, CanPageHistory> &
  When<Asked<P, 'history', 'search'>, CanSearchHistory> &
  When<Asked<P, 'events', 'get'>, CanGetEvents> &
  When<Asked<P, 'events', 'page'>, CanPageEvents> &
  When<Declared<K, 'steering'>, CanSteer> &
  When<Asked<P, 'models', 'invoke'>, CanInvokeModels> &
  When<Asked<P, 'models', 'stream'>, CanStreamModels> &
  When<Asked<P, 'models', 'rerank'>, CanRerank> &
  When<Asked<P, 'models', 'count_tokens'>, CanCountTokens> &
  When<MayUseKnowledge<P, K, 'retrieve'>, CanRetrieveKnowledge> &
  When<Asked<P, 'storage', 'plugin'>, PluginStorage> &
  When<Asked<P, 'storage', 'workspace'>, WorkspaceStorage>

/** Replies that the lower-level proxy offers too. */
export type CanReplyByApi = Pick<CanReply, 'replyStream' | 'replyFiles'>
