/** Tables of the room `plugins/`: installations with their approval, and debug keys. */
import { filled, flag, integer, oneOf, orNull, type TableOf, text } from './column.ts'

export const pluginsTables = {
  installations: {
    installation_uuid: text,
    workspace_uuid: text,
    plugin_id: text,
    version: text,
    source: oneOf('package', 'dev', 'debug', 'inline'),
    folder: orNull(text),
    manifest: text,
    manifest_digest: text,
    package_digest: text,
    approved_manifest_digest: orNull(text),
    approved_package_digest: orNull(text),
    approved_at: orNull(integer),
    installation_grant: filled(text),
    settings: filled(text),
    isolation: filled(oneOf('required', 'accepted_none')),
    enabled: filled(flag),
    priority: filled(integer),
    revision: filled(integer),
    created_at: integer,
    updated_at: integer,
  },
  debug_keys: {
    key_hash: text,
    workspace_uuid: text,
    created_at: integer,
    expires_at: integer,
    revoked_at: orNull(integer),
  },
} as const

export type InstallationsTable = TableOf<typeof pluginsTables.installations>
export type DebugKeysTable = TableOf<typeof pluginsTables.debug_keys>

export interface PluginsTables {
  installations: InstallationsTable
  debug_keys: DebugKeysTable
}
