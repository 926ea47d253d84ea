/** Installations as the room holds them: read once from the table, changed only together with it. */
import type { PackageManifest } from '@runbound/link'
import type { JsonObject } from '@runbound/protocol'
import { type Statement, type Store, StoreError } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { HostError } from '../errors.ts'
import { configItems } from '../plugin-settings.ts'
import { openValues, type Secrets, sealValues, secretNames } from '../sealed-values.ts'
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
  #secrets: Secrets
  /** Settings that were ever sealed, by installation: another version may not know that they are secrets. */
  #sealed = new Map<string, ReadonlySet<string>>()
  /** Sealed settings that this instance's key does not open, by installation: kept as they are. */
  #unreadable = new Map<string, Readonly<Record<string, string>>>()
  #all = new Map<string, Stored>()
  /** Removed packages whose data was to be kept, by plugin: the next installation takes it up. */
  #removed = new Map<string, Stored>()

  constructor(store: Store, clock: Clock, workspace: string, secrets: Secrets, placeOf: PlaceOf) {
    this.#store = store
    this.#clock = clock
    this.#workspace = workspace
    this.#secrets = secrets
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
        settings: this.#open(row.installation_uuid, row.settings),
        isolation: row.isolation,
        enabled: row.enabled === 1,
        priority: row.priority,
        revision: row.revision,
      })
    }
  }

  /** HostError `invalid_config` when a stored secret can't be read with this instance's key. */
  refuseUnreadable(uuid: string): void {
    const [name] = Object.keys(this.#unreadable.get(uuid) ?? {})
    if (name === undefined) return
    throw new HostError(
      'invalid_config',
      `the stored secret "${name}" can't be read with this data folder's secret.key. Set it again, or restore the key that belongs to this database`,
      { at: `settings.${name}` },
    )
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
    const settings = this.#seal(value)
    try {
      await this.#store.commit([
        sql.upsertInstallation({
          ...row,
          workspace_uuid: this.#workspace,
          manifest: JSON.stringify(value.manifest),
          installation_grant: JSON.stringify(value.installation_grant),
          settings: settings.text,
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
    settings.stored()
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

  #open(uuid: string, text: string): JsonObject {
    const { values, unreadable } = openValues(JSON.parse(text) as JsonObject, placeOfSecrets(uuid), this.#secrets)
    const plain: unknown = JSON.parse(text)
    const sealed = Object.keys(values).filter((name) => !Object.hasOwn(plain as object, name))
    this.#sealed.set(uuid, new Set(sealed))
    if (Object.keys(unreadable).length > 0) this.#unreadable.set(uuid, unreadable)
    return values
  }

  /** `stored` is called once the text is in the database. */
  #seal({ installation_uuid: uuid, manifest, settings }: Pick<Stored, 'installation_uuid' | 'manifest' | 'settings'>) {
    const names = new Set([...secretNames(configItems(manifest.manifest)), ...(this.#sealed.get(uuid) ?? [])])
    const kept = Object.entries(this.#unreadable.get(uuid) ?? {}).filter(([name]) => !Object.hasOwn(settings, name))
    const sealed = sealValues(settings, names, placeOfSecrets(uuid), this.#secrets, Object.fromEntries(kept))
    return {
      text: JSON.stringify(sealed),
      stored: () => {
        this.#sealed.set(uuid, names)
        if (kept.length === 0) this.#unreadable.delete(uuid)
        else this.#unreadable.set(uuid, Object.fromEntries(kept))
      },
    }
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

const placeOfSecrets = (uuid: string): string => `plugins/${uuid}`
