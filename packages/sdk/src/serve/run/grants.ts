/** What a run was granted, as its context says. The host alone decides on calls; this tells which of its refusals are a missing grant. */
import type { AvailableApi, JsonObject, ModelOperation, RunnerContext, ToolOperation } from '@runbound/protocol'
import { AgentAPIException, PermissionDeniedError } from '../../errors.ts'

/** The grant of one run; lists are frozen when the run starts, flags are read when a call is refused. */
export interface Grants {
  /**
   * Gives what the author catches for a failed call: PermissionDeniedError with the host's sentence where the call was not
   * granted and the host refused it for that; every other failure as it is.
   */
  failure(action: string, params: JsonObject, error: unknown): unknown
}

interface Granted<O> {
  readonly operations: readonly O[]
}

/** Reasons with which a host refuses what was not granted. */
const DENIALS = new Set<unknown>([
  'permission_denied',
  'target_denied',
  'actor_denied',
  'no_reply_target',
  'not_supported',
  'not_available',
])

/** The flag that each of these actions needs. */
const FLAGS: ReadonlyMap<string, AvailableApi> = new Map([
  ['reply_stream', 'reply_stream'],
  ['get_prompt', 'prompt_get'],
  ['history_page', 'history_page'],
  ['history_search', 'history_search'],
  ['event_get', 'event_get'],
  ['event_page', 'event_page'],
  ['steering_pull', 'steering_pull'],
  ['state_get', 'state'],
  ['state_set', 'state'],
  ['state_delete', 'state'],
  ['state_list', 'state'],
  ['run_get', 'run_get'],
  ['run_list', 'run_list'],
  ['run_events_page', 'run_events_page'],
  ['run_cancel', 'run_cancel'],
  ['run_append_result', 'run_append_result'],
  ['run_finalize', 'run_finalize'],
])

/** The model that each of these actions names, and what it does with it. */
const MODELS: ReadonlyMap<string, readonly [key: string, operation: ModelOperation]> = new Map([
  ['invoke_llm', ['llm_model_uuid', 'invoke']],
  ['invoke_llm_stream', ['llm_model_uuid', 'stream']],
  ['count_tokens', ['llm_model_uuid', 'count_tokens']],
  ['invoke_embedding', ['embedding_model_uuid', 'invoke']],
  ['invoke_rerank', ['rerank_model_uuid', 'rerank']],
])

const STORAGE = /^(?:get|set|delete)_(plugin|workspace)_storage(?:_keys)?$/

/** True if the operation is granted: an empty list means all of them (entities.md §1.10). */
export function allows<O>(entry: Granted<O>, operation: O): boolean {
  return entry.operations.length === 0 || entry.operations.includes(operation)
}

/** Reads the grant off the context, as it is before the author's code can change it. */
export function grantsOf(context: RunnerContext): Grants {
  const { resources } = context
  const tools = index<ToolOperation>(resources.tools.map((tool) => [tool.tool_name, tool]))
  const models = index<ModelOperation>(resources.models.map((model) => [model.model_id, model]))
  const bases = index<string>(resources.knowledge_bases.map((base) => [base.kb_id, base]))
  const { plugin_storage, workspace_storage } = resources.storage

  function granted(action: string, params: JsonObject): boolean {
    const flag = FLAGS.get(action)
    if (flag !== undefined && !context.context.available_apis[flag]) return false
    const model = MODELS.get(action)
    if (model !== undefined) return models(params[model[0]], model[1])
    const area = STORAGE.exec(action)?.[1]
    if (area !== undefined) return area === 'plugin' ? plugin_storage : workspace_storage
    switch (action) {
      case 'call_tool':
        return tools(params.tool_name, 'call')
      case 'get_tool_detail':
        return tools(params.tool_name, 'detail')
      case 'reply_stream':
        return tools('event_reply', 'call')
      case 'call_platform_api':
        return params.context_tool === undefined || tools(params.context_tool, 'call')
      case 'retrieve_knowledge_base':
        return bases(params.kb_id, 'retrieve')
      default:
        return true
    }
  }

  return {
    failure(action, params, error) {
      if (!AgentAPIException.isInstance(error) || !DENIALS.has(error.error.details.reason)) return error
      return granted(action, params) ? error : new PermissionDeniedError(error.error.message, { cause: error })
    },
  }
}

function index<O>(entries: readonly (readonly [unknown, Granted<O>])[]) {
  const byKey = new Map(entries.map(([key, { operations }]) => [key, { operations: [...operations] }]))
  return (key: unknown, operation: O): boolean => {
    const entry = byKey.get(key)
    return entry !== undefined && allows(entry, operation)
  }
}
