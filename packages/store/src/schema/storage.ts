/** Tables of the room `storage/`: state of Runners, binary storage of plugins and workspaces. */
import { blob, filled, integer, oneOf, orNull, rowId, type TableOf, text } from './column.ts'

export const storageTables = {
  state: {
    scope_key: text,
    key: text,
    workspace_uuid: text,
    scope: oneOf('conversation', 'actor', 'subject', 'runner'),
    processor_id: text,
    object_id: orNull(text),
    value: text,
    bytes: integer,
    version: filled(integer),
    expires_at: orNull(integer),
    updated_at: integer,
  },
  binary_storage: {
    id: rowId,
    owner_key: text,
    key: text,
    workspace_uuid: text,
    value: blob,
    bytes: integer,
    updated_at: integer,
  },
} as const

export type StateTable = TableOf<typeof storageTables.state>
export type BinaryStorageTable = TableOf<typeof storageTables.binary_storage>

export interface StorageTables {
  state: StateTable
  binary_storage: BinaryStorageTable
}
