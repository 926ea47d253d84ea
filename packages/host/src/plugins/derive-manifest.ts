/** What a plugin says about itself, learnt by running its module behind the same walls as any plugin, and nothing more of it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PackageManifest } from '@runbound/link'
import { WireError } from '@runbound/protocol'
import { HostError } from '../errors.ts'
import { writeManifest } from './dev-session.ts'
import { LogBuffer } from './log-buffer.ts'
import { checkManifest, identityOf } from './package.ts'
import type { NodeRuntime } from './process/node-command.ts'
import { processStarter } from './starters.ts'

/** A manifest that was derived, and how. */
export interface Derived {
  readonly plugin_id: string
  readonly version: string
  readonly manifest: PackageManifest
  /** Whether the module ran isolated, as plugin statuses say it. */
  readonly isolation: string
}

/**
 * Loads the module `entry` of `folder` in a process of its own until it registers, checks what it registers, and writes
 * `runbound.manifest.json` beside it. `setup` does not run. HostError `plugin_failed` with the author's error,
 * `invalid_manifest`.
 */
export async function deriveManifest(options: {
  readonly runtime: NodeRuntime
  readonly folder: string
  readonly entry: string
}): Promise<Derived> {
  const { runtime, folder, entry } = options
  const scratch = mkdtempSync(join(tmpdir(), 'runbound-derive-'))
  const log = new LogBuffer(() => undefined)
  const starter = processStarter({
    runtime,
    folder: scratch,
    mark: `derive-${process.pid}`,
    now: () => Date.now(),
    log: () => log,
    request: () => {
      throw new WireError('not_available', 'The plugin is only asked for its manifest; there is no host behind it.')
    },
  })
  try {
    const { instance, manifest } = await starter.startUnknown({
      installation_uuid: 'derive',
      workspace_uuid: '',
      folder,
      entry,
    })
    await instance.stop()
    const checked = checkManifest(manifest, 'the plugin')
    writeManifest(folder, checked)
    return { ...identityOf(checked), manifest: checked, isolation: starter.isolation }
  } catch (error) {
    if (HostError.is(error)) throw error
    throw new HostError('plugin_failed', error instanceof Error ? error.message : String(error), { cause: error })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
