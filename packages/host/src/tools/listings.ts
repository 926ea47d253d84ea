/** Handlers of what a plugin may look up about its workspace outside runs: no secret is ever among it. */
import { Buffer } from 'node:buffer'
import { type Json, type JsonObject, WireError } from '@runbound/protocol'
import { isJsonObject } from '@runbound/protocol/schemas'
import { handlers } from '../gateway/handlers.ts'
import type { HandlerTable } from '../gateway/types.ts'
import type { Bot } from '../platforms/types.ts'
import type { Installation } from '../plugins/types.ts'
import type { ToolSources } from './sources.ts'
import type { ToolNeeds } from './types.ts'

/** Optional features that the SDK asks for before it uses them. */
const API_FEATURES = ['llm.reasoning_level'] as const

export function listingHandlers(needs: ToolNeeds, sources: ToolSources, version: string): HandlerTable {
  return handlers({
    get_langbot_version: { installation: () => ({ version, api_features: [...API_FEATURES] }) },
    get_bots: {
      installation: async ({ caller }) => {
        const bots = await needs.platforms.bots()
        return { bots: bots.filter(({ workspace_uuid }) => workspace_uuid === caller.workspace_uuid).map(shownBot) }
      },
    },
    get_bot_info: {
      installation: async ({ caller }, { bot_uuid }) => {
        const bot = await needs.platforms.bot(bot_uuid)
        if (bot === undefined || bot.workspace_uuid !== caller.workspace_uuid) {
          throw new WireError('not_found', `There is no bot ${bot_uuid} in this workspace. See get_bots.`)
        }
        const adapter = needs.platforms.adapter(bot_uuid)
        // Only a running bot knows its own account.
        const values =
          adapter === undefined ? {} : { adapter_runtime_values: { bot_account_id: adapter.selfId ?? null } }
        return { bot: { ...shownBot(bot), ...values } }
      },
    },
    list_plugins_manifest: {
      installation: ({ caller }) => ({
        plugins: needs.installations(caller.workspace_uuid).map((installation) => ({
          owner: installation.plugin_id,
          manifest: installation.manifest.manifest,
          rel_path: 'manifest.yaml',
        })),
      }),
    },
    list_commands: {
      installation: ({ caller }) => ({
        commands: needs.installations(caller.workspace_uuid).flatMap((installation) => commandsOf(installation)),
      }),
    },
    list_tools: {
      installation: ({ caller }) => ({
        tools: [...sources.all(caller.workspace_uuid).values()].map(({ tool }) => ({
          name: tool.name,
          label: { en_US: tool.name },
          description: { en_US: tool.description },
          icon: '',
          spec: { parameters: tool.parameters, llm_prompt: tool.description },
        })),
      }),
    },
    get_config_file: {
      installation: async ({ caller }, { file_key }) => {
        const own = needs
          .installations(caller.workspace_uuid)
          .find(({ installation_uuid }) => installation_uuid === caller.installation_uuid)
        // A key is no proof: only files that stand in the plugin's own settings are read.
        const named = own !== undefined && namesFile(own.settings, file_key)
        const bytes = named ? await needs.configFile(caller.installation_uuid, file_key) : undefined
        if (bytes === undefined)
          throw new WireError('not_found', `The settings of this plugin name no file "${file_key}".`)
        return { file_base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64') }
      },
    },
  })
}

/** What anybody may know about a bot. Its settings are secrets of the platform, and stay here. */
function shownBot({ bot_uuid, name, platform, enabled }: Bot): JsonObject {
  return {
    uuid: bot_uuid,
    name,
    description: '',
    adapter: platform,
    enable: enabled,
    use_pipeline_name: null,
    use_pipeline_uuid: null,
  }
}

function commandsOf({ plugin_id, manifest }: Installation) {
  return manifest.components
    .filter((component) => component.kind === 'Command')
    .map((component) => ({
      owner: plugin_id,
      manifest: component,
      rel_path: `components/commands/${nameOf(component)}.yaml`,
    }))
}

function nameOf({ metadata }: JsonObject): string {
  return isJsonObject(metadata) && typeof metadata.name === 'string' ? metadata.name : ''
}

function namesFile(value: Json | undefined, key: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (isJsonObject(value) && value.file_key === key) return true
  return Object.values(value).some((item: Json | undefined) => namesFile(item, key))
}
