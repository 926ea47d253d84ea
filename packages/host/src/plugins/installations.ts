/** Installations as the room holds them: read once from the table, changed only together with it. */
import type { PackageManifest } from '@runbound/link'
import type { JsonObject } from '@runbound/protocol'
import { type Statement, type Store, StoreError } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { HostError } from '../errors.ts'
import * as sql from './statements.ts'
import type { Installation, InstallationGrantData } from './types.ts'

type Stored = Installation & {
  readonly approved_manifest_digest: string | null
  readonly approved_package_digest: string | null
}

/** Where the files of a package lie: told by what it is, so that a data folder can be moved. */
export type PlaceOf = (
  one: Pick<Installation, 'plugin_id' | 'version' | 'package_digest'> & { readonly folder: string | null },
) => string | null

export class Installations {
  #store: Store
  #clock: Clock
  #workspace: string
  #placeOf: PlaceOf
  #all = new Map<string, Stored>()
  /** Removed packages whose data was to be kept, by plugin: the next installation takes it up. */
  #removed = new Map<string, Stored>()

  constructor(store: Store, clock: Clock, workspace: string, placeOf: PlaceOf) {
    this.#store = store
    this.#clock = clock
    this.#workspace = workspace
    this.#placeOf = placeOf
  }

  async load(): Promise<void> {
    for (const row of await this.#store.all(sql.allInstallations({ workspace_uuid: this.#workspace }))) {
      this.#keep({
        installation_uuid: row.installation_uuid,
        workspace_uuid: row.workspace_uuid,
        plugin_id: row.plugin_id,
        version: row.version,
        source: row.source,
        // A removed package has no place.
        folder: row.source === 'package' && row.folder !== null ? this.#placeOf(row) : row.folder,
        manifest: JSON.parse(row.manifest) as PackageManifest,
        manifest_digest: row.manifest_digest,
        package_digest: row.package_digest,
        approved_manifest_digest: row.approved_manifest_digest,
        approved_package_digest: row.approved_package_digest,
        installation_grant: JSON.parse(row.installation_grant) as InstallationGrantData,
        settings: JSON.parse(row.settings) as JsonObject,
        isolation: row.isolation,
        enabled: row.enabled === 1,
        priority: row.priority,
        revision: row.revision,
      })
    }
  }

  get(uuid: string): Installation | undefined {
    return this.#all.get(uuid)
  }

  /** HostError `not_found`. */
  need(uuid: string): Stored {
    const found = this.#all.get(uuid)
    if (found === undefined)
      throw new HostError('not_found', `There is no installation ${uuid}. \`runbound plugin list\` shows them.`)
    return found
  }

  find(pluginId: string, source: Installation['source']): Stored | undefined {
    for (const one of this.#all.values()) if (one.plugin_id === pluginId && one.source === source) return one
    return undefined
  }

  /** What a removed package has left: its uuid, by which its storage is found, and its settings. */
  removed(pluginId: string): Stored | undefined {
    return this.#removed.get(pluginId)
  }

  all(): readonly Installation[] {
    return [...this.#all.values()]
  }

  /** Writes first, then changes memory: what is shown is what is stored. */
  async put(value: Omit<Stored, 'approved' | 'workspace_uuid'>): Promise<Installation> {
    const now = this.#clock.now()
    const approved = value.approved_manifest_digest !== null
    const { approved: _derived, ...row } = value as Stored
    try {
      await this.#store.commit([
        sql.upsertInstallation({
          ...row,
          workspace_uuid: this.#workspace,
          manifest: JSON.stringify(value.manifest),
          installation_grant: JSON.stringify(value.installation_grant),
          settings: JSON.stringify(value.settings),
          approved_at: approved ? now : null,
          enabled: value.enabled ? 1 : 0,
          now,
        }),
      ])
    } catch (error) {
      if (StoreError.is(error) && error.code === 'refused') {
        throw new HostError('conflict', `Plugin ${value.plugin_id} is already there as "${value.source}".`, {
          cause: error,
        })
      }
      throw error
    }
    return this.#keep({ ...value, workspace_uuid: this.#workspace })
  }

  /** `more`: what goes with it in the same unit. */
  async remove(uuid: string, more: readonly Statement[] = []): Promise<void> {
    await this.#store.commit([sql.deleteInstallation({ installation_uuid: uuid }), ...more])
    this.#all.delete(uuid)
  }

  /** Removes a package and keeps what it has stored and its settings. Its approval and grant end. */
  async retire(uuid: string): Promise<void> {
    await this.put({
      ...this.need(uuid),
      folder: null,
      approved_manifest_digest: null,
      approved_package_digest: null,
      installation_grant: {},
      isolation: 'required',
    })
  }

  /** Approved means: exactly this manifest and exactly these bytes. */
  #keep(value: Omit<Stored, 'approved'>): Installation {
    const approved =
      value.approved_manifest_digest === value.manifest_digest && value.approved_package_digest === value.package_digest
    const kept: Stored = { ...value, approved }
    const isRemoved = kept.source === 'package' && kept.folder === null
    if (isRemoved) {
      this.#all.delete(kept.installation_uuid)
      this.#removed.set(kept.plugin_id, kept)
    } else {
      this.#all.set(kept.installation_uuid, kept)
      if (kept.source === 'package') this.#removed.delete(kept.plugin_id)
    }
    return kept
  }
}
