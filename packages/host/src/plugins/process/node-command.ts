/** How a TypeScript plugin is started: the host's Node under its permission model (the second wall), sources as they are. */
import { dirname } from 'node:path'
import type { Mounts } from './isolation.ts'
import { PROCESS_LIMITS } from './limits.ts'

/** Where the runtime of plugins is; given by whoever puts the host together. */
export interface NodeRuntime {
  /** The Node binary. */
  readonly node: string
  /** The SDK's main of a plugin process; called with the plugin's folder and its entry; it maps `@runbound/sdk` to its own copy. */
  readonly processEntry: string
  /** Folders that the runtime reads: the SDK and what it imports, by name; never the repository root. */
  readonly roots: readonly string[]
}

export interface NodeCommand {
  readonly command: readonly string[]
  readonly mounts: Omit<Mounts, 'environment'>
}

export function nodeCommand(
  runtime: NodeRuntime,
  plugin: { readonly folder: string; readonly entry: string; readonly home: string; readonly cache: string },
): NodeCommand {
  const readable = [...runtime.roots, plugin.folder, plugin.home, plugin.cache]
  return {
    command: [
      runtime.node,
      '--permission',
      ...readable.map((path) => `--allow-fs-read=${path}`),
      `--allow-fs-write=${plugin.home}`,
      `--allow-fs-write=${plugin.cache}`,
      `--max-old-space-size=${PROCESS_LIMITS.heapMiB}`,
      runtime.processEntry,
      plugin.folder,
      plugin.entry,
    ],
    mounts: {
      read: [dirname(runtime.node), ...runtime.roots, plugin.folder],
      write: [plugin.home, plugin.cache],
      workingFolder: plugin.folder,
    },
  }
}
