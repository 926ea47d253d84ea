/** The statements and queries of installations and debug_keys; no other file of the host writes them. */
import { query, type Slots, statement } from '@runbound/store'
import type { InstallationSource } from './types.ts'

export interface InstallationRow {
  readonly installation_uuid: string
  readonly workspace_uuid: string
  readonly plugin_id: string
  readonly version: string
  readonly source: InstallationSource
  readonly folder: string | null
  readonly manifest: string
  readonly manifest_digest: string
  readonly package_digest: string
  readonly approved_manifest_digest: string | null
  readonly approved_package_digest: string | null
  readonly approved_at: number | null
  readonly installation_grant: string
  readonly settings: string
  readonly isolation: 'required' | 'accepted_none'
  readonly enabled: 0 | 1
  readonly priority: number
  readonly revision: number
  readonly now: number
}

export const allInstallations = query((db, p: Slots<{ workspace_uuid: string }>) =>
  db.selectFrom('installations').selectAll().where('workspace_uuid', '=', p('workspace_uuid')).orderBy('created_at'),
)

export const upsertInstallation = statement(
  (db, p: Slots<{ [K in keyof InstallationRow]: InstallationRow[K] }>) => {
    const changing = {
      version: p('version'),
      folder: p('folder'),
      manifest: p('manifest'),
      manifest_digest: p('manifest_digest'),
      package_digest: p('package_digest'),
      approved_manifest_digest: p('approved_manifest_digest'),
      approved_package_digest: p('approved_package_digest'),
      approved_at: p('approved_at'),
      installation_grant: p('installation_grant'),
      settings: p('settings'),
      isolation: p('isolation'),
      enabled: p('enabled'),
      priority: p('priority'),
      revision: p('revision'),
      updated_at: p('now'),
    }
    return db
      .insertInto('installations')
      .values({
        installation_uuid: p('installation_uuid'),
        workspace_uuid: p('workspace_uuid'),
        plugin_id: p('plugin_id'),
        source: p('source'),
        created_at: p('now'),
        ...changing,
      })
      .onConflict((c) => c.column('installation_uuid').doUpdateSet(changing))
  },
  { expect: 1 },
)

export const deleteInstallation = statement((db, p: Slots<{ installation_uuid: string }>) =>
  db.deleteFrom('installations').where('installation_uuid', '=', p('installation_uuid')),
)

export const insertDebugKey = statement(
  (db, p: Slots<{ key_hash: string; workspace_uuid: string; now: number; expires_at: number }>) =>
    db.insertInto('debug_keys').values({
      key_hash: p('key_hash'),
      workspace_uuid: p('workspace_uuid'),
      created_at: p('now'),
      expires_at: p('expires_at'),
      revoked_at: null,
    }),
  { expect: 1 },
)
export const debugKey = query((db, p: Slots<{ key_hash: string; now: number }>) =>
  db
    .selectFrom('debug_keys')
    .select(['workspace_uuid', 'expires_at'])
    .where('key_hash', '=', p('key_hash'))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', p('now')),
)
export const livingDebugKeys = query((db, p: Slots<{ workspace_uuid: string; now: number }>) =>
  db
    .selectFrom('debug_keys')
    .select((e) => e.fn.countAll<number>().as('keys'))
    .where('workspace_uuid', '=', p('workspace_uuid'))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', p('now')),
)
export const deleteOldDebugKeys = statement((db, p: Slots<{ now: number }>) =>
  db.deleteFrom('debug_keys').where('expires_at', '<=', p('now')),
)
