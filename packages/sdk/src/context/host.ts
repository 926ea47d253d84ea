/**
 * The LangBot API. `ctx.host` is bound to the run: models, tools, knowledge, storage and platform calls through it carry
 * the run's id and its grant. The host of `setup` works outside runs, under the installation grant.
 */
import type { BoxSession, BoxStatus, Json, JsonObject } from '@runbound/protocol'
import type { Asked, Capabilities, MayCallTools, MayUseKnowledge, Permissions, When } from '../rights.ts'
import type { CanRetrieveKnowledge } from './knowledge.ts'
import type { CanInvokeModels, CanRerank, CanStreamModels } from './models.ts'
import type { CanCallPlatform } from './platform.ts'
import type { PluginStorage, WorkspaceStorage } from './storage.ts'
import type { CanCallTools } from './tools.ts'

/** What needs no grant: the version, the plugin's own settings and uploaded files. */
export interface HostBasics<Settings = JsonObject> {
  /**
   * Gives the settings of this plugin as they are now, defaults filled in: the same for all its agents and processors,
   * and separate from `ctx.config`. Nothing is sent.
   *
   * @example
   * ```ts
   * import type { HostBasics } from '@runbound/sdk'
   *
   * export const key = (host: HostBasics<{ api_key: string }>) => host.getPluginConfig().api_key
   * ```
   */
  getPluginConfig(): Settings

  /**
   * Gives the version of the host as `v<major>.<minor>.<patch>`.
   *
   * @example
   * ```ts
   * import type { HostBasics } from '@runbound/sdk'
   *
   * export const version = (host: HostBasics) => host.getLangbotVersion()
   * ```
   */
  getLangbotVersion(): Promise<string>

  /**
   * Gives the bytes of a file that the operator uploaded into a `file` field, at most 10 MiB.
   * Fails with AgentAPIException `details.reason` `not_found` for a key that is not in this plugin's settings.
   *
   * @example
   * ```ts
   * import type { ConfigFile, HostBasics } from '@runbound/sdk'
   *
   * export const read = (host: HostBasics, file: ConfigFile) => host.getConfigFile(file.file_key)
   * ```
   */
  getConfigFile(file_key: string): Promise<Uint8Array>
}

/** A tool as listings show it; `label` and `description` are localised. */
export interface ListedTool {
  readonly name: string
  readonly label?: Json
  readonly description?: Json
  readonly icon?: Json
  readonly spec?: JsonObject
}

/** A knowledge base as listings show it. */
export interface ListedKnowledgeBase {
  readonly uuid: string
  readonly name: string
  readonly description?: string | null
}

/** Listings: in a run they hold what the run was granted, and nothing is sent; outside, what the workspace has. */
export interface HostListings {
  /**
   * Lists UUIDs of language models.
   *
   * @example
   * ```ts
   * import type { HostListings } from '@runbound/sdk'
   *
   * export const first = async (host: HostListings) => (await host.getLlmModels())[0]
   * ```
   */
  getLlmModels(): Promise<string[]>

  /**
   * Lists tools of plugins and MCP servers.
   *
   * @example
   * ```ts
   * import type { HostListings } from '@runbound/sdk'
   *
   * export const names = async (host: HostListings) => (await host.listTools()).map((tool) => tool.name)
   * ```
   */
  listTools(): Promise<ListedTool[]>

  /**
   * Lists knowledge bases.
   *
   * @example
   * ```ts
   * import type { HostListings } from '@runbound/sdk'
   *
   * export const bases = async (host: HostListings) => (await host.listKnowledgeBases()).map((base) => base.uuid)
   * ```
   */
  listKnowledgeBases(): Promise<ListedKnowledgeBase[]>
}

/** Boxes of the workspace; the Runner works out the reuse key. */
export interface HostBoxes {
  /**
   * Says whether boxes can be had: unknown capacities are null, `reason` says why not. With `required_reuse_key` that
   * key must be used.
   *
   * @example
   * ```ts
   * import type { HostBoxes } from '@runbound/sdk'
   *
   * export const free = async (host: HostBoxes) => (await host.getBoxStatus()).available
   * ```
   */
  getBoxStatus(): Promise<BoxStatus>

  /**
   * Lists boxes with their status (`idle`, `running`, `closing`) at this moment.
   *
   * @example
   * ```ts
   * import type { HostBoxes } from '@runbound/sdk'
   *
   * export const idle = async (host: HostBoxes) => (await host.listBoxes()).filter((box) => box.status === 'idle')
   * ```
   */
  listBoxes(): Promise<BoxSession[]>

  /**
   * Gives the box of this key, or makes one within capacity. Default: the host's image; `options` takes `image`.
   * Fails with AgentAPIException `details.reason` `limit_reached` without capacity, `not_available`.
   *
   * @example
   * ```ts
   * import type { HostBoxes } from '@runbound/sdk'
   *
   * export const box = (host: HostBoxes, user: string) => host.acquireBox(`user-${user}`)
   * ```
   */
  acquireBox(reuse_key: string, options?: { readonly image?: string }): Promise<BoxSession>
}

/** Says how a tool is called: in a run needs the permission `tools: ['detail']`. */
export interface CanDescribeTools {
  /**
   * Gives the description of a tool and the JSON Schema of its parameters.
   * Fails with PermissionDeniedError in a run without the grant, AgentAPIException `details.reason` `not_found`.
   *
   * @example
   * ```ts
   * import type { CanDescribeTools } from '@runbound/sdk'
   *
   * export const schema = async (host: CanDescribeTools) => (await host.getToolDetail('get_weather')).parameters
   * ```
   */
  getToolDetail(tool_name: string): Promise<JsonObject>
}

/** `ctx.host`: exactly what the Runner's permissions open. Valid only while the run lasts. */
export type RunHost<
  P extends Permissions = Record<never, never>,
  K extends Capabilities = Record<never, never>,
> = HostBasics &
  HostListings &
  HostBoxes &
  When<Asked<P, 'models', 'invoke'>, CanInvokeModels> &
  When<Asked<P, 'models', 'stream'>, CanStreamModels> &
  When<Asked<P, 'models', 'rerank'>, CanRerank> &
  When<Asked<P, 'tools', 'detail'>, CanDescribeTools> &
  When<MayCallTools<P, K>, CanCallTools & CanCallPlatform> &
  When<MayUseKnowledge<P, K, 'retrieve'>, CanRetrieveKnowledge> &
  When<Asked<P, 'storage', 'plugin'>, PluginStorage> &
  When<Asked<P, 'storage', 'workspace'>, WorkspaceStorage>
