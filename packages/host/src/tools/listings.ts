/** What a plugin may look up about its workspace outside runs (docs-facts.md §2.1, §2.3). Without secrets. */
import { readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { type JsonObject, LIMITS, WireError } from '@runbound/protocol'
import { handlers } from '../gateway/handlers.ts'
import type { HandlerTable } from '../gateway/types.ts'
import type { Bot, BotStatus } from '../platforms/types.ts'
import type { Installation } from '../plugins/types.ts'
import type { Catalogue } from './catalogue.ts'

export interface ListingNeeds {
  readonly version: string
  readonly platforms: {
    bots(): Promise<readonly Bot[]>
    status(botUuid: string): BotStatus
    selfId(botUuid: string): string | null
  }
  readonly plugins: { installations(): readonly Installation[]; installation(uuid: string): Installation | undefined }
  /** Where files of settings lie; null: this host keeps none. */
  readonly settingsFolder: string | null
}

export function listingHandlers(needs: ListingNeeds, catalogue: Catalogue): HandlerTable {
  return handlers({
    get_langbot_version: { installation: () => ({ version: needs.version, api_features: [] }) },
    get_bots: {
      installation: async (call) => ({
        bots: (await needs.platforms.bots())
          .filter((bot) => bot.workspace_uuid === call.caller.workspace_uuid)
          .map(shown),
      }),
    },
    get_bot_info: {
      installation: async (call, { bot_uuid }) => {
        const bot = (await needs.platforms.bots()).find(
          (one) => one.bot_uuid === bot_uuid && one.workspace_uuid === call.caller.workspace_uuid,
        )
        if (bot === undefined)
          throw new WireError('not_found', `There is no bot ${bot_uuid} in this workspace. getBots() lists them.`)
        return {
          bot: {
            ...shown(bot),
            state: needs.platforms.status(bot_uuid).state,
            adapter_runtime_values: {
              bot_account_id: needs.platforms.selfId(bot_uuid),
              webhook_url: null,
              webhook_full_url: null,
              extra_webhook_full_url: null,
            },
          },
        }
      },
    },
    list_plugins_manifest: {
      installation: (call) => ({
        plugins: mine(needs, call.caller.workspace_uuid).map((one) => ({
          owner: 'builtin',
          manifest: one.manifest.manifest,
          rel_path: 'manifest.yaml',
        })),
      }),
    },
    list_commands: {
      installation: (call) => ({
        commands: mine(needs, call.caller.workspace_uuid).flatMap((one) =>
          one.manifest.components
            .filter((component) => component.kind === 'Command')
            .map((component) => ({
              owner: one.plugin_id,
              manifest: component,
              rel_path: `${nameOf(component)}.yaml`,
            })),
        ),
      }),
    },
    list_tools: {
      installation: (call) => ({
        tools: catalogue
          .list(call.caller.workspace_uuid)
          .filter((tool) => tool.type === 'plugin')
          .map((tool) => ({
            name: tool.name,
            label: { en_US: tool.name },
            description: { en_US: tool.description },
            icon: '',
            spec: { parameters: tool.parameters },
          })),
      }),
    },
    list_knowledge_bases: { installation: () => ({ knowledge_bases: [] }) },
    list_parsers: { installation: () => ({ parsers: [] }) },
    get_config_file: {
      installation: (call, { file_key }) => {
        const installation = needs.plugins.installation(call.caller.installation_uuid)
        // The key has to stand in this plugin's own settings: another's file is not told from one that never was.
        if (installation === undefined || needs.settingsFolder === null || !mentions(installation.settings, file_key))
          throw noFile(file_key)
        return { file_base64: readInside(join(needs.settingsFolder, installation.installation_uuid), file_key) }
      },
    },
  })
}

function mine(needs: ListingNeeds, workspaceUuid: string): readonly Installation[] {
  return needs.plugins
    .installations()
    .filter((one) => one.workspace_uuid === workspaceUuid && one.approved && one.enabled)
}

function shown(bot: Bot): JsonObject {
  return { uuid: bot.bot_uuid, name: bot.name, adapter: bot.platform, enable: bot.enabled }
}

function nameOf(component: JsonObject): string {
  const { metadata } = component
  return typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
    ? String((metadata as JsonObject).name)
    : 'component'
}

function mentions(settings: unknown, key: string): boolean {
  if (settings === key) return true
  if (typeof settings !== 'object' || settings === null) return false
  return Object.values(settings).some((part) => mentions(part, key))
}

function readInside(folder: string, key: string): string {
  let file: string
  try {
    file = realpathSync(join(folder, key))
    if (!file.startsWith(realpathSync(folder) + sep)) throw noFile(key)
  } catch {
    throw noFile(key)
  }
  const bytes = readFileSync(file)
  if (bytes.length > LIMITS.config_file.value)
    throw new WireError('too_large', `The file is larger than ${LIMITS.config_file.value} bytes (limit config_file).`)
  return bytes.toString('base64')
}

function noFile(key: string): WireError {
  return new WireError('not_found', `There is no file "${key}" in the settings of this plugin.`)
}
