/** How the host under test starts Node plugins: this repository's SDK, as the cli does it. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MANIFEST_FILE, type NodeRuntime } from '@runbound/host'
import { manifestOf } from '@runbound/sdk'
import plugin from './plugin/index.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The runtime of plugin processes: only the folders that the SDK needs. */
export const RUNTIME: NodeRuntime = {
  node: process.execPath,
  processEntry: join(ROOT, 'packages/sdk/src/serve/process.ts'),
  roots: ['packages/sdk', 'packages/link', 'packages/protocol', 'node_modules/@runbound'].map((path) =>
    join(ROOT, path),
  ),
}

/** Packs the plugin of the load: its source and the manifest that the source says. */
export function packPlugin(folder: string): string {
  mkdirSync(folder, { recursive: true })
  cpSync(fileURLToPath(new URL('./plugin/index.ts', import.meta.url)), join(folder, 'index.ts'))
  writeFileSync(join(folder, MANIFEST_FILE), JSON.stringify(manifestOf(plugin, { entry: 'index.ts' })))
  return folder
}
