/** Storage calls, in a run and outside (wire.md §5.3 Storage). */
import type { StorageArea } from '@runbound/protocol'
import type { PluginStorage, WorkspaceStorage } from '../../context/storage.ts'
import { SdkError } from '../../errors.ts'
import { checkName } from './arguments.ts'
import { fromBase64, toBase64 } from './bytes.ts'
import type { SharedCalls } from './wire.ts'

/** Refuses a call of a run that has ended; what is granted, the host decides. */
export type StorageGate = (action: string) => void

/** Makes the storage methods. */
export function storageOf(calls: SharedCalls, gate: StorageGate): PluginStorage & WorkspaceStorage {
  const plugin = areaOf(calls, gate, 'plugin')
  const workspace = areaOf(calls, gate, 'workspace')
  return {
    setPluginStorage: plugin.set,
    getPluginStorage: plugin.get,
    getPluginStorageKeys: plugin.keys,
    deletePluginStorage: plugin.delete,
    setWorkspaceStorage: workspace.set,
    getWorkspaceStorage: workspace.get,
    getWorkspaceStorageKeys: workspace.keys,
    deleteWorkspaceStorage: workspace.delete,
  }
}

function areaOf(calls: SharedCalls, gate: StorageGate, area: StorageArea) {
  const get = `get_${area}_storage` as const
  return {
    async set(key: string, value: Uint8Array): Promise<void> {
      gate('setStorage')
      checkName('key', key)
      // By its tag and not its class: bytes may come from another realm.
      if (!ArrayBuffer.isView(value) || Reflect.get(value, Symbol.toStringTag) !== 'Uint8Array') {
        throw new SdkError(
          'invalid_argument',
          'A storage value is a Uint8Array. For a text: new TextEncoder().encode(text).',
        )
      }
      await calls.call(`set_${area}_storage`, { key, value_base64: toBase64(value) })
    },
    async get(key: string): Promise<Uint8Array> {
      gate('getStorage')
      checkName('key', key)
      return fromBase64(get, (await calls.call(get, { key })).value_base64)
    },
    async keys(): Promise<string[]> {
      gate('getStorageKeys')
      return (await calls.call(`get_${area}_storage_keys`, {})).keys
    },
    async delete(key: string): Promise<void> {
      gate('deleteStorage')
      checkName('key', key)
      await calls.call(`delete_${area}_storage`, { key })
    },
  }
}
