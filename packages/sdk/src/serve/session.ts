/** Serves one plugin over one transport: registration, and an answer to everything that a host asks (wire.md §3, §4). */
import type { PackageManifest, ServedPlugin, Transport } from '@runbound/link'
import type { PluginSpec } from '../define/plugin.ts'

/** How a plugin registers, and what its surroundings lend it. */
export interface ServeOptions {
  /** One-use text that the host gave to this start; empty for debug plugins. */
  readonly capability: string
  /** Key of a debug connection. Default: none, an installed plugin. */
  readonly debugKey?: string
}

/** What is served. */
export interface Served {
  readonly spec: PluginSpec
  readonly packageManifest: PackageManifest
}

export declare function servePlugin(served: Served, transport: Transport, options: ServeOptions): ServedPlugin
