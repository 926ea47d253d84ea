/** The smallest parameters that each form of each method takes, for tests that go through all of them. */
import type { FormName, JsonObject } from '@runbound/protocol'
import type { MethodName } from './handlers.ts'

const chain = [{ type: 'Plain', text: 'hi' }]
const message = { role: 'user', content: 'hi' }
const result = { run_id: 'run-1', type: 'processor.log', data: { text: 'x' } }
const claim = { target_run_id: 'run-1', runtime_id: 'r', claim_token: 't' }

/** Without `run_id` and `query_id`: {@link sampleParams} adds them. */
const SAMPLES: Record<Exclude<MethodName, 'register_plugin'>, JsonObject> = {
  reply_message: { message_chain: chain },
  get_bot_uuid: {},
  set_query_var: { key: 'k', value: 1 },
  get_query_var: { key: 'k' },
  get_query_vars: {},
  create_new_conversation: {},
  list_pipeline_knowledge_bases: {},
  retrieve_knowledge_base: { kb_id: 'kb', query_text: 'q' },
  get_langbot_version: {},
  get_bots: {},
  get_bot_info: { bot_uuid: 'b-1' },
  get_llm_models: {},
  list_plugins_manifest: {},
  list_commands: {},
  list_tools: {},
  list_knowledge_bases: {},
  list_parsers: {},
  get_config_file: { file_key: 'f' },
  invoke_llm: { llm_model_uuid: 'm', messages: [message] },
  invoke_llm_stream: { llm_model_uuid: 'm', messages: [message] },
  count_tokens: { llm_model_uuid: 'm', messages: [message] },
  invoke_embedding: { embedding_model_uuid: 'm', texts: ['a'] },
  invoke_rerank: { rerank_model_uuid: 'm', query: 'q', documents: ['a'] },
  get_tool_detail: { tool_name: 't' },
  call_tool: { tool_name: 't', session: {} },
  send_message: { bot_uuid: 'b-1', target_type: 'person', target_id: 'u-1', message_chain: chain },
  call_platform_api: { bot_uuid: 'b-1', action: 'get_user_info', params: { user_id: 'u-1' } },
  reply_stream: { stream_id: 's-1', operation: 'update', text: 'hi' },
  set_plugin_storage: { key: 'k', value_base64: 'AAAA' },
  get_plugin_storage: { key: 'k' },
  get_plugin_storage_keys: {},
  delete_plugin_storage: { key: 'k' },
  set_workspace_storage: { key: 'k', value_base64: 'AAAA' },
  get_workspace_storage: { key: 'k' },
  get_workspace_storage_keys: {},
  delete_workspace_storage: { key: 'k' },
  retrieve_knowledge: { kb_id: 'kb', query_text: 'q' },
  vector_upsert: { collection_id: 'c', vectors: [[1]], ids: ['a'] },
  vector_search: { collection_id: 'c', query_vector: [1] },
  vector_delete: { collection_id: 'c' },
  vector_list: { collection_id: 'c' },
  get_knowledge_file_stream: { storage_path: 'p' },
  invoke_parser: { plugin_author: 'a', plugin_name: 'p', storage_path: 's' },
  get_box_status: {},
  list_boxes: {},
  acquire_box: { reuse_key: 'k' },
  bind_box: { box_id: 'b' },
  import_box_attachments: {},
  export_box_files: {},
  get_prompt: {},
  history_page: {},
  history_search: { query: 'q' },
  event_get: { event_id: 'e-1' },
  event_page: {},
  steering_pull: {},
  state_get: { scope: 'runner', key: 'k' },
  state_set: { scope: 'runner', key: 'k', value: 1 },
  state_delete: { scope: 'runner', key: 'k' },
  state_list: { scope: 'runner' },
  run_get: { target_run_id: 'run-1' },
  run_list: {},
  run_events_page: { target_run_id: 'run-1' },
  run_cancel: { target_run_id: 'run-1' },
  run_append_result: { target_run_id: 'run-1', result },
  run_finalize: { target_run_id: 'run-1', status: 'completed' },
  runner_list: {},
  runtime_register: { runtime_id: 'r' },
  runtime_heartbeat: { runtime_id: 'r' },
  runtime_list: {},
  runtime_reconcile: {},
  run_claim: { runtime_id: 'r' },
  run_renew_claim: claim,
  run_release_claim: claim,
  run_stats: {},
  runtime_stats: {},
  runner_stats: {},
}

/** Parameters that make a valid call of this form. */
export function sampleParams(method: string, form: FormName, ids: { run_id: string; query_id: number }): JsonObject {
  const sample = Object.hasOwn(SAMPLES, method) ? SAMPLES[method as keyof typeof SAMPLES] : {}
  if (form === 'run') return { ...sample, run_id: ids.run_id }
  if (form === 'query') return { ...sample, query_id: ids.query_id }
  return sample
}
