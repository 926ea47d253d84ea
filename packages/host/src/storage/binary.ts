/** Storage of plugins and workspaces: bytes by key. On the wire they are base64, decoded here once and kept as they are. */
import { Buffer } from 'node:buffer'
import { LIMITS, WireError } from '@runbound/protocol'
import type { Statement, Store } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { refuseOver } from './state.ts'
import * as sql from './statements.ts'

/** Whose storage: `plugin:<installation_uuid>` or `workspace:<workspace_uuid>`. */
export interface StorageOwner {
  readonly owner_key: string
  readonly workspace_uuid: string
}

/** The owner key of a plugin's storage. */
export const pluginOwner = (installationUuid: string): string => `plugin:${installationUuid}`

export interface BinaryStore {
  /** The value as base64, or undefined when there is none of that key. */
  get(owner: StorageOwner, key: string): Promise<string | undefined>
  keys(owner: StorageOwner): Promise<string[]>
  /** One statement; `changes` 0 means that the owner's quota is used up. Throws `invalid_params`, `too_large`. */
  put(owner: StorageOwner, key: string, base64: string): Statement
  drop(owner: StorageOwner, key: string): Statement
}

export function createBinaryStore(store: Store, clock: Clock): BinaryStore {
  return {
    async get({ owner_key }, key) {
      const row = await store.first(sql.binaryValue({ owner_key, key }))
      if (row === undefined) return undefined
      const { buffer, byteOffset, byteLength } = row.value
      return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
    },

    async keys({ owner_key }) {
      return (await store.all(sql.binaryKeys({ owner_key }))).map((row) => row.key)
    },

    put(owner, key, base64) {
      const value = decode(base64, key)
      return sql.putBinary({
        ...owner,
        key,
        value,
        bytes: value.byteLength,
        now: clock.now(),
        max_keys: LIMITS.storage_keys.value,
        max_bytes: LIMITS.storage_total.value,
      })
    },

    drop: ({ owner_key }, key) => sql.dropBinary({ owner_key, key }),
  }
}

/** The bytes of strict base64. The size is known from the text, so a too large value is refused before it is decoded. */
function decode(base64: string, key: string): Uint8Array {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  const size = Math.floor((base64.length * 3) / 4) - padding
  refuseOver(size, LIMITS.storage_value.value, 'storage_value', `The value of "${key}"`)
  const bytes = Buffer.from(base64, 'base64')
  // Buffer skips what is not base64 without a word: then fewer bytes come out than the text promises.
  if (base64.length % 4 !== 0 || bytes.byteLength !== size) {
    throw new WireError(
      'invalid_params',
      '"value_base64": not base64. Encode the bytes with standard base64 and padding.',
      {
        details: { field: 'value_base64' },
      },
    )
  }
  return bytes
}
