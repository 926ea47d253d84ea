/** A plugin in its author's folder: watched, loaded anew on each save; what does not load leaves the old version serving. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HostError } from '../errors.ts'
import { canonicalJson } from './digest.ts'
import { MANIFEST_FILE } from './package.ts'
import type { DevSession, Installation } from './types.ts'
import { watchTree } from './watch-tree.ts'

export type ReloadResult = Parameters<Parameters<DevSession['onReload']>[0]>[0]

export interface DevOptions {
  readonly folder: string
  /** Loads the new version and swaps it in; rejects with a readable error while the old one goes on. */
  load(signal: AbortSignal): Promise<Installation>
  readonly first: Installation
  /** Whether a version answers now. */
  serves(): boolean
  close(): Promise<void>
}

/** The module that is the plugin: `main` of package.json, else index.ts. HostError `invalid_manifest` when there is none. */
export function devEntry(folder: string): string {
  const file = join(folder, 'package.json')
  let main: unknown
  if (existsSync(file)) {
    try {
      main = (JSON.parse(readFileSync(file, 'utf8')) as { main?: unknown }).main
    } catch (cause) {
      throw new HostError('invalid_manifest', `${file} is no JSON.`, { at: file, cause })
    }
  }
  const entry = typeof main === 'string' ? main : 'index.ts'
  if (entry.split(/[/\\]/).includes('..') || !existsSync(join(folder, entry))) {
    throw new HostError(
      'invalid_manifest',
      `There is no ${entry} in "${folder}". A plugin is a module whose default export is definePlugin(...); \`runbound plugin new NAME\` makes one.`,
      { at: join(folder, entry) },
    )
  }
  return entry
}

/** Writes the derived manifest beside the code, when it differs: the author commits it, `install` needs it. */
export function writeManifest(folder: string, manifest: unknown): void {
  const file = join(folder, MANIFEST_FILE)
  const text = `${JSON.stringify(JSON.parse(canonicalJson(manifest)), null, 2)}\n`
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  writeFileSync(`${file}.tmp`, text)
  renameSync(`${file}.tmp`, file)
}

export function watchFolder(options: DevOptions): DevSession {
  const listeners = new Set<(result: ReloadResult) => void>()
  let installation = options.first
  let running: Promise<void> | undefined
  let again = false
  let loading = new AbortController()

  async function reload(): Promise<void> {
    if (running !== undefined) {
      // A save during a load: the newest state counts, and what hangs is not waited for.
      again = true
      loading.abort(new Error('it was saved again while it was loaded'))
      return running
    }
    running = once().finally(() => {
      running = undefined
      if (again) {
        again = false
        void reload()
      }
    })
    return running
  }

  async function once(): Promise<void> {
    loading = new AbortController()
    const { signal } = loading
    let result: ReloadResult
    try {
      installation = await options.load(signal)
      result = { ok: true, message: `${installation.plugin_id} ${installation.version} is loaded`, installation }
    } catch (error) {
      if (signal.aborted) return
      const why = error instanceof Error ? error.message : String(error)
      // One that registered and failed then has taken the place of the version before: its process is gone.
      const after = options.serves() ? 'the version before goes on serving' : 'no version serves until one loads'
      result = { ok: false, message: `${why} (${after})`, installation }
    }
    for (const listener of listeners) listener(result)
  }

  const unwatch = watchTree(options.folder, () => void reload())

  return {
    get installation() {
      return installation
    },
    reload,
    onReload(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      unwatch()
      again = false
      loading.abort(new Error('the development session ended'))
      // Both at once: a load that hangs after it was taken over ends with the plugin.
      await Promise.all([running, options.close()])
    },
  }
}

/** The same folder is the same development installation, over restarts. */
export function stableUuid(folder: string): string {
  const hex = createHash('sha256').update(`dev:${folder}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
