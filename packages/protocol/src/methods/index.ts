/** All methods by name. Handlers, SDK types, docs and tests are driven by this table (DESIGN §5). */
import type { FormName, MethodRecord } from '../method.ts'
import * as admin from './admin.ts'
import * as boxes from './boxes.ts'
import { registerPlugin } from './connection.ts'
import * as history from './history.ts'
import * as information from './information.ts'
import * as knowledge from './knowledge.ts'
import * as messages from './messages.ts'
import * as models from './models.ts'
import * as query from './query.ts'
import * as runs from './runs.ts'
import * as state from './state.ts'
import * as storage from './storage.ts'
import * as tools from './tools.ts'

/** What a plugin may ask of the host. */
export const METHODS = {
  register_plugin: registerPlugin,

  reply_message: query.replyMessage,
  get_bot_uuid: query.getBotUuid,
  set_query_var: query.setQueryVar,
  get_query_var: query.getQueryVar,
  get_query_vars: query.getQueryVars,
  create_new_conversation: query.createNewConversation,
  list_pipeline_knowledge_bases: query.listPipelineKnowledgeBases,
  retrieve_knowledge_base: query.retrieveKnowledgeBase,

  get_langbot_version: information.getLangbotVersion,
  get_bots: information.getBots,
  get_bot_info: information.getBotInfo,
  get_llm_models: information.getLlmModels,
  list_plugins_manifest: information.listPluginsManifest,
  list_commands: information.listCommands,
  list_tools: information.listTools,
  list_knowledge_bases: information.listKnowledgeBases,
  list_parsers: information.listParsers,
  get_config_file: information.getConfigFile,

  invoke_llm: models.invokeLlm,
  invoke_llm_stream: models.invokeLlmStream,
  count_tokens: models.countTokens,
  invoke_embedding: models.invokeEmbedding,
  invoke_rerank: models.invokeRerank,

  get_tool_detail: tools.getToolDetail,
  call_tool: tools.callTool,

  send_message: messages.sendMessage,
  call_platform_api: messages.callPlatformApi,
  reply_stream: messages.replyStream,

  set_plugin_storage: storage.setPluginStorage,
  get_plugin_storage: storage.getPluginStorage,
  get_plugin_storage_keys: storage.getPluginStorageKeys,
  delete_plugin_storage: storage.deletePluginStorage,
  set_workspace_storage: storage.setWorkspaceStorage,
  get_workspace_storage: storage.getWorkspaceStorage,
  get_workspace_storage_keys: storage.getWorkspaceStorageKeys,
  delete_workspace_storage: storage.deleteWorkspaceStorage,

  retrieve_knowledge: knowledge.retrieveKnowledge,
  vector_upsert: knowledge.vectorUpsert,
  vector_search: knowledge.vectorSearch,
  vector_delete: knowledge.vectorDelete,
  vector_list: knowledge.vectorList,
  get_knowledge_file_stream: knowledge.getKnowledgeFileStream,
  invoke_parser: knowledge.invokeParser,

  get_box_status: boxes.getBoxStatus,
  list_boxes: boxes.listBoxes,
  acquire_box: boxes.acquireBox,
  bind_box: boxes.bindBox,
  import_box_attachments: boxes.importBoxAttachments,
  export_box_files: boxes.exportBoxFiles,

  get_prompt: history.getPrompt,
  history_page: history.historyPage,
  history_search: history.historySearch,
  event_get: history.eventGet,
  event_page: history.eventPage,
  steering_pull: history.steeringPull,

  state_get: state.stateGet,
  state_set: state.stateSet,
  state_delete: state.stateDelete,
  state_list: state.stateList,

  run_get: runs.runGet,
  run_list: runs.runList,
  run_events_page: runs.runEventsPage,
  run_cancel: runs.runCancel,
  run_append_result: runs.runAppendResult,
  run_finalize: runs.runFinalize,

  runner_list: admin.runnerList,
  runtime_register: admin.runtimeRegister,
  runtime_heartbeat: admin.runtimeHeartbeat,
  runtime_list: admin.runtimeList,
  runtime_reconcile: admin.runtimeReconcile,
  run_claim: admin.runClaim,
  run_renew_claim: admin.runRenewClaim,
  run_release_claim: admin.runReleaseClaim,
  run_stats: admin.runStats,
  runtime_stats: admin.runtimeStats,
  runner_stats: admin.runnerStats,
} as const satisfies Record<string, MethodRecord>

/** True if the host has a method of this name. */
export function isMethod(name: string): name is keyof typeof METHODS {
  return Object.hasOwn(METHODS, name)
}

/**
 * Which form a request takes: a `run_id` makes it the run's, a `query_id` the query's, neither the installation's.
 * Null means "not given". The form may still be one that the method does not have.
 */
export function formOf(data: { readonly [key: string]: unknown }): FormName {
  if (data.run_id !== undefined && data.run_id !== null) return 'run'
  if (data.query_id !== undefined && data.query_id !== null) return 'query'
  return 'installation'
}
