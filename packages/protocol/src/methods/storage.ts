/** Storage of a plugin and of its workspace: bytes by key, base64 on the wire (wire.md §5.3 Storage). */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { type Effect, form, method } from '../method.ts'
import type { StorageArea } from '../names.ts'
import { emptyResult, runShape } from '../schemas/parameters.ts'
import { textUpTo } from '../schemas/primitives.ts'
import { PLUGIN_CALL_WAITS as waits } from '../waits.ts'

const source = 'wire.md §5.3'
const key = { key: textUpTo(LIMITS.storage_key.value, 1) }
// The handler decodes strictly, once; z.base64 would read each MiB for 10 ms more.
const value = { value_base64: z.string() }
const keys = z.object({ keys: z.array(z.string()) })

/** All eight calls have the same two forms: the run's grant, or the installation's. */
function forms<P extends z.ZodRawShape, R extends z.ZodType>(area: StorageArea, effect: Effect, params: P, result: R) {
  return {
    run: form('run', {
      params: z.object({ ...runShape, ...params }),
      result,
      effect,
      waits: waits.get_plugin_storage.run,
      authorize: ({ grant }) => grant.storage(area),
    }),
    installation: form('installation', {
      params: z.object(params),
      result,
      effect,
      waits: waits.get_plugin_storage.installation,
      authorize: ({ installation }) => installation.storage(area),
    }),
  }
}

export const setPluginStorage = method({
  name: 'set_plugin_storage',
  from: 'plugin',
  summary: 'Stores bytes under a key of this plugin.',
  source,
  forms: forms('plugin', 'host', { ...key, ...value }, emptyResult),
})
export const getPluginStorage = method({
  name: 'get_plugin_storage',
  from: 'plugin',
  summary: 'Reads the bytes under a key of this plugin; a missing key is an error.',
  source,
  forms: forms('plugin', 'none', key, z.object(value)),
})
export const getPluginStorageKeys = method({
  name: 'get_plugin_storage_keys',
  from: 'plugin',
  summary: 'Lists the keys of this plugin.',
  source,
  forms: forms('plugin', 'none', {}, keys),
})
export const deletePluginStorage = method({
  name: 'delete_plugin_storage',
  from: 'plugin',
  summary: 'Deletes a key of this plugin; a missing key is fine.',
  source,
  forms: forms('plugin', 'host', key, emptyResult),
})
export const setWorkspaceStorage = method({
  name: 'set_workspace_storage',
  from: 'plugin',
  summary: 'Stores bytes under a key of the workspace.',
  source,
  forms: forms('workspace', 'host', { ...key, ...value }, emptyResult),
})
export const getWorkspaceStorage = method({
  name: 'get_workspace_storage',
  from: 'plugin',
  summary: 'Reads the bytes under a key of the workspace; a missing key is an error.',
  source,
  forms: forms('workspace', 'none', key, z.object(value)),
})
export const getWorkspaceStorageKeys = method({
  name: 'get_workspace_storage_keys',
  from: 'plugin',
  summary: 'Lists the keys of the workspace.',
  source,
  forms: forms('workspace', 'none', {}, keys),
})
export const deleteWorkspaceStorage = method({
  name: 'delete_workspace_storage',
  from: 'plugin',
  summary: 'Deletes a key of the workspace; a missing key is fine.',
  source,
  forms: forms('workspace', 'host', key, emptyResult),
})
