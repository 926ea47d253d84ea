/** What `setup` gets: the LangBot API outside runs, under the installation grant. */
import type { Json, JsonObject } from '@runbound/protocol'
import type { CanDescribeTools, HostBasics, HostBoxes, HostListings } from './host.ts'
import type { CanRetrieveKnowledge } from './knowledge.ts'
import type { CanInvokeModels, CanRerank, CanStreamModels } from './models.ts'
import type { CanCallPlatform } from './platform.ts'
import type { PluginStorage, WorkspaceStorage } from './storage.ts'

/** A parser that a connected plugin offers. */
export interface ListedParser {
  readonly plugin_id: string
  readonly plugin_author: string
  readonly plugin_name: string
  readonly name: Json
  readonly description?: Json
  readonly supported_mime_types: readonly string[]
}

/** Text of a parsed file. */
export interface ParsedFile {
  readonly text: string
  readonly sections: readonly JsonObject[]
  readonly metadata: JsonObject
}

/**
 * The LangBot API of an installation. What it may do is the installation grant: by default the plugin's own settings, the
 * version and the storage that its manifest names; the operator approves everything else. A refused call fails with
 * AgentAPIException `details.reason` `permission_denied`; after the connection is gone with code `runtime_error`.
 */
export interface PluginHost<Settings = JsonObject>
  extends HostBasics<Settings>,
    HostListings,
    HostBoxes,
    CanInvokeModels,
    CanStreamModels,
    CanRerank,
    CanDescribeTools,
    CanCallPlatform,
    CanRetrieveKnowledge,
    PluginStorage,
    WorkspaceStorage {
  /**
   * Lists the UUIDs of the bots of the workspace.
   *
   * @example
   * ```ts
   * import type { PluginHost } from '@runbound/sdk'
   *
   * export const bots = (host: PluginHost) => host.getBots()
   * ```
   */
  getBots(): Promise<string[]>

  /**
   * Gives a bot: `uuid`, `name`, `description`, `adapter`, `enable` and others; `adapter_runtime_values` while it runs.
   * Fails with AgentAPIException `details.reason` `not_found`.
   *
   * @example
   * ```ts
   * import type { PluginHost } from '@runbound/sdk'
   *
   * export const adapter = async (host: PluginHost, bot: string) => (await host.getBotInfo(bot)).adapter
   * ```
   */
  getBotInfo(bot_uuid: string): Promise<JsonObject>

  /**
   * Calls a tool outside a run; gives whatever it returns. `session` and `query_id` are those of the pipeline request that
   * the call belongs to: without one there is nothing to call tools for. Waits at most 180 s.
   * Fails with AgentAPIException `details.reason` `query_unknown` for a request that is over or was not handed to this
   * plugin.
   *
   * @example
   * ```ts
   * import type { JsonObject, PluginHost } from '@runbound/sdk'
   *
   * export const weather = (host: PluginHost, request: { session: JsonObject; query_id: number }) =>
   *   host.callTool('get_weather', { city: 'Rome' }, request)
   * ```
   */
  callTool(
    tool_name: string,
    parameters: JsonObject | null,
    request: { readonly session: JsonObject; readonly query_id: number },
  ): Promise<Json>

  /**
   * Lists the manifests of the plugins of the workspace.
   *
   * @example
   * ```ts
   * import type { PluginHost } from '@runbound/sdk'
   *
   * export const count = async (host: PluginHost) => (await host.listPluginsManifest()).length
   * ```
   */
  listPluginsManifest(): Promise<JsonObject[]>

  /**
   * Lists the commands of the workspace.
   *
   * @example
   * ```ts
   * import type { PluginHost } from '@runbound/sdk'
   *
   * export const commands = (host: PluginHost) => host.listCommands()
   * ```
   */
  listCommands(): Promise<JsonObject[]>

  /**
   * Lists parsers. Default: of all MIME types; empty when none is connected.
   *
   * @example
   * ```ts
   * import type { PluginHost } from '@runbound/sdk'
   *
   * export const pdf = (host: PluginHost) => host.listParsers('application/pdf')
   * ```
   */
  listParsers(mime_type?: string | null): Promise<ListedParser[]>

  /**
   * Lets a parser read a file of the host. Waits at most 300 s.
   *
   * @example
   * ```ts
   * import type { PluginHost } from '@runbound/sdk'
   *
   * export const read = async (host: PluginHost, storage_path: string) => {
   *   const [parser] = await host.listParsers('application/pdf')
   *   return parser && host.invokeParser({ ...parser, storage_path, mime_type: 'application/pdf', filename: 'a.pdf' })
   * }
   * ```
   */
  invokeParser(request: {
    readonly plugin_author: string
    readonly plugin_name: string
    readonly storage_path: string
    readonly mime_type: string
    readonly filename: string
    readonly metadata?: JsonObject | null
  }): Promise<ParsedFile>
}
