/** Bytes that the host keeps: the same methods on `ctx.api`, `ctx.host` and the host of `setup`, over the same data. */

/**
 * Storage of this plugin alone: in a run needs the permission `storage: ['plugin']`. A value holds at most 10 MiB, a key
 * 1,024 characters. Every method fails with PermissionDeniedError in a run without the grant.
 */
export interface PluginStorage {
  /**
   * Stores bytes under a key; resolves once they are durable. Fails with AgentAPIException `details.reason` `too_large`.
   *
   * @example
   * ```ts
   * import type { PluginStorage } from '@runbound/sdk'
   *
   * export const save = (host: PluginStorage) => host.setPluginStorage('greeting', new TextEncoder().encode('Hello'))
   * ```
   */
  setPluginStorage(key: string, value: Uint8Array): Promise<void>

  /**
   * Gives the stored bytes. Fails with AgentAPIException `details.reason` `not_found` for a key that is not there.
   *
   * @example
   * ```ts
   * import type { PluginStorage } from '@runbound/sdk'
   *
   * export const load = async (host: PluginStorage) => new TextDecoder().decode(await host.getPluginStorage('greeting'))
   * ```
   */
  getPluginStorage(key: string): Promise<Uint8Array>

  /**
   * Lists the stored keys.
   *
   * @example
   * ```ts
   * import type { PluginStorage } from '@runbound/sdk'
   *
   * export const has = async (host: PluginStorage, key: string) => (await host.getPluginStorageKeys()).includes(key)
   * ```
   */
  getPluginStorageKeys(): Promise<string[]>

  /**
   * Removes a key; a key that is not there is fine.
   *
   * @example
   * ```ts
   * import type { PluginStorage } from '@runbound/sdk'
   *
   * export const clear = (host: PluginStorage) => host.deletePluginStorage('greeting')
   * ```
   */
  deletePluginStorage(key: string): Promise<void>
}

/**
 * Storage that all plugins of the workspace share: in a run needs the permission `storage: ['workspace']`. Limits and
 * failures are those of {@link PluginStorage}.
 */
export interface WorkspaceStorage {
  /**
   * Stores bytes under a key of the workspace.
   *
   * @example
   * ```ts
   * import type { WorkspaceStorage } from '@runbound/sdk'
   *
   * export const share = (host: WorkspaceStorage, bytes: Uint8Array) => host.setWorkspaceStorage('logo', bytes)
   * ```
   */
  setWorkspaceStorage(key: string, value: Uint8Array): Promise<void>

  /**
   * Gives the stored bytes. Fails with AgentAPIException `details.reason` `not_found` for a key that is not there.
   *
   * @example
   * ```ts
   * import type { WorkspaceStorage } from '@runbound/sdk'
   *
   * export const logo = (host: WorkspaceStorage) => host.getWorkspaceStorage('logo')
   * ```
   */
  getWorkspaceStorage(key: string): Promise<Uint8Array>

  /**
   * Lists the stored keys of the workspace.
   *
   * @example
   * ```ts
   * import type { WorkspaceStorage } from '@runbound/sdk'
   *
   * export const shared = (host: WorkspaceStorage) => host.getWorkspaceStorageKeys()
   * ```
   */
  getWorkspaceStorageKeys(): Promise<string[]>

  /**
   * Removes a key of the workspace; a key that is not there is fine.
   *
   * @example
   * ```ts
   * import type { WorkspaceStorage } from '@runbound/sdk'
   *
   * export const unshare = (host: WorkspaceStorage) => host.deleteWorkspaceStorage('logo')
   * ```
   */
  deleteWorkspaceStorage(key: string): Promise<void>
}
