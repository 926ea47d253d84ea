/** The host of `setup`: the LangBot API in its form without a run. */
import type { JsonObject } from '@runbound/protocol'
import type { ListedParser, ParsedFile, PluginHost } from '../context/plugin-host.ts'
import { chainArgument } from './calls/arguments.ts'
import { boxesOf } from './calls/boxes.ts'
import { fromBase64 } from './calls/bytes.ts'
import { assertJson } from './calls/json.ts'
import { modelsOf } from './calls/models.ts'
import { storageOf } from './calls/storage.ts'
import { answerOf, dataOf, outsideCalls, type Wire } from './calls/wire.ts'

/** How long a tool call may take, in milliseconds. */
const TOOL_MS = 180_000

/** Makes the host. The host of the other side decides what is allowed: the installation grant is its business. */
export function pluginHostOf(wire: Wire, settings: () => JsonObject): PluginHost {
  const calls = outsideCalls(wire)
  const { outside } = calls
  const open = (): void => {}
  return {
    ...modelsOf(calls, open),
    ...storageOf(calls, open),
    ...boxesOf(calls, open),
    getPluginConfig: settings,
    getLangbotVersion: async () => (await outside('get_langbot_version', {})).version,
    getConfigFile: async (file_key) =>
      fromBase64('get_config_file', (await outside('get_config_file', { file_key })).file_base64),
    getLlmModels: async () => (await outside('get_llm_models', {})).llm_models,
    listTools: async () => answerOf(dataOf((await outside('list_tools', {})).tools)),
    listKnowledgeBases: async () => (await outside('list_knowledge_bases', {})).knowledge_bases,
    getBots: async () => (await outside('get_bots', {})).bots.map(uuidOf),
    getBotInfo: async (bot_uuid) => (await outside('get_bot_info', { bot_uuid })).bot,
    getToolDetail: async (tool_name) => dataOf((await outside('get_tool_detail', { tool_name })).tool),
    listPluginsManifest: async () => (await outside('list_plugins_manifest', {})).plugins.map(dataOf),
    listCommands: async () => (await outside('list_commands', {})).commands.map(dataOf),

    async listParsers(mime_type) {
      const { parsers } = await outside('list_parsers', { mime_type: mime_type ?? null })
      return parsers satisfies ListedParser[]
    },

    async invokeParser(request) {
      const { plugin_author, plugin_name, storage_path, mime_type, filename, metadata } = request
      assertJson(metadata ?? {}, 'metadata')
      const parsed = await outside('invoke_parser', {
        plugin_author,
        plugin_name,
        storage_path,
        mime_type,
        filename,
        metadata: metadata ?? {},
      })
      return answerOf<ParsedFile>(dataOf(parsed))
    },

    async callTool(tool_name, parameters, { session, query_id }) {
      const data: JsonObject = { tool_name, tool_parameters: parameters ?? {}, session, query_id }
      assertJson(data, `call of ${tool_name}`)
      return (await wire.send('call_tool', data, { ms: TOOL_MS })).tool_response ?? null
    },

    async sendMessage(bot_uuid, target_type, target_id, message_chain) {
      const message = chainArgument('sendMessage', message_chain)
      return (
        (await outside('send_message', { bot_uuid, target_type, target_id, message_chain: message })).result ?? null
      )
    },

    async callPlatformApi(bot_uuid, action, given) {
      const params = given ?? {}
      assertJson(params, `params of ${action}`)
      return (await outside('call_platform_api', { bot_uuid, action, params })).result
    },

    async retrieveKnowledge(kb_id, query_text, options = {}) {
      const filters = options.filters ?? {}
      assertJson(filters, 'filters')
      return (await outside('retrieve_knowledge', { kb_id, query_text, top_k: options.top_k ?? 5, filters })).results
    },
  }
}

/** The documents promise UUIDs; the wire has whole records. */
function uuidOf(bot: JsonObject): string {
  return typeof bot.uuid === 'string' ? bot.uuid : String(bot.uuid ?? '')
}
