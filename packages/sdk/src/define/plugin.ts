/** `definePlugin`: the default export of a plugin's module. */
import type { PackageManifest, ServablePlugin, Transport } from '@runbound/link'
import type { ConfigOf, Fields, KnownReferences } from '../config/field.ts'
import type { PluginHost } from '../context/plugin-host.ts'
import { type PluginSession, type ServeOptions, servePlugin } from '../serve/session.ts'
import type { LocalText } from '../text.ts'
import { SDK_NAME, SDK_VERSION } from '../version.ts'
import { checkPlugin } from './checks.ts'
import type { Component, PluginParts } from './component.ts'
import { pluginManifest } from './manifest.ts'

const BRAND = Symbol.for('runbound.sdk.plugin')

/** What a plugin is made of. */
export interface PluginSpec<F extends Fields = Fields> {
  /** Letters, digits, `_` and `-`. */
  readonly author: string
  /** Letters, digits, `_` and `-`; `author/name` identifies the plugin. */
  readonly name: string
  /** `<major>.<minor>.<patch>`. */
  readonly version: string
  /** Default: the name. */
  readonly label?: LocalText
  readonly description?: LocalText
  /** Path of a picture inside the package, at most 4 MiB. Default: none. */
  readonly icon?: string
  readonly components: readonly Component[]
  /** Settings of the plugin: `getPluginConfig()`. Default: none. */
  readonly config?: F & KnownReferences<F>
  /**
   * Work outside runs, under the installation grant. Starts once the plugin has its settings and holds nothing up: runs
   * may come before it has ended. `signal` aborts when the plugin is stopped, or before `setup` starts again because
   * settings changed. A throw is written to the plugin's log and shown in its status.
   */
  setup?(host: PluginHost<ConfigOf<F>>, options: { readonly signal: AbortSignal }): void | Promise<void>
  /**
   * Called when the operator saved other settings. Default: `setup`'s signal aborts and `setup` starts again. Runs see
   * the new settings either way.
   */
  onSettingsChanged?(settings: ConfigOf<F>): void | Promise<void>
  /** Called once when the plugin is stopped, after `setup`'s signal has aborted; the host waits 5 s. */
  dispose?(): void | Promise<void>
}

/** A plugin: what a host starts, in its own process or a process of the plugin. */
export interface Plugin extends ServablePlugin {
  readonly packageManifest: PackageManifest
  /** Speaks for this plugin over a transport, until that closes. */
  serve(transport: Transport, options: ServeOptions): PluginSession
}

/**
 * Defines a plugin. The result is the default export of the plugin's module; its manifest follows from it.
 *
 * Throws SdkError `invalid_definition` for names or versions that don't fit.
 *
 * @example
 * ```ts
 * import { definePlugin, defineRunner, field } from '@runbound/sdk'
 *
 * const echo = defineRunner({ name: 'echo', usages: ['agent'], run: (ctx) => ctx.input.toText() })
 *
 * export default definePlugin({
 *   author: 'acme',
 *   name: 'echo',
 *   version: '1.0.0',
 *   components: [echo],
 *   config: { every_minutes: field.integer({ default: 10 }) },
 *   async setup(host, { signal }) {
 *     const timer = setInterval(() => host.setPluginStorage('alive', new Uint8Array([1])), host.getPluginConfig().every_minutes * 60_000)
 *     signal.addEventListener('abort', () => clearInterval(timer))
 *   },
 * })
 * ```
 */
export function definePlugin<const F extends Fields = Record<never, never>>(spec: PluginSpec<F>): Plugin {
  checkPlugin(spec)
  const packageManifest: PackageManifest = {
    manifest: pluginManifest(spec),
    components: spec.components.map((component) => component.manifest),
    sdk: { name: SDK_NAME, version: SDK_VERSION },
  }
  // The seam between typed settings and those of the wire: the host fills them in and checks them.
  const parts = spec as unknown as PluginParts
  const plugin: Plugin & { readonly [BRAND]: true } = {
    [BRAND]: true,
    packageManifest,
    serve: (transport, options) => {
      const shown = options.entry === undefined ? packageManifest : withEntry(packageManifest, options.entry)
      return servePlugin({ spec: parts, packageManifest: shown }, transport, options)
    },
  }
  return plugin
}

/** True for what `definePlugin` of any copy of this package returned. */
export function isPlugin(value: unknown): value is Plugin {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, BRAND)
}

/**
 * Gives what a plugin says about itself, for `pack`, `check` and `dev`: a copy, with keys and names in fixed order, so
 * that the same definition gives the same text. `entry` is the module that the package starts with, relative to its
 * folder; a process that was started with the same entry registers with the same manifest. Default: no entry.
 *
 * @example
 * ```ts
 * import { definePlugin, manifestOf } from '@runbound/sdk'
 *
 * const plugin = definePlugin({ author: 'acme', name: 'empty', version: '1.0.0', components: [] })
 * export const text = JSON.stringify(manifestOf(plugin, { entry: 'index.mjs' }), null, 2)
 * ```
 */
export function manifestOf(plugin: ServablePlugin, options: { readonly entry?: string } = {}): PackageManifest {
  const copy = structuredClone(plugin.packageManifest)
  return options.entry === undefined ? copy : withEntry(copy, options.entry)
}

function withEntry(shown: PackageManifest, entry: string): PackageManifest {
  return { ...shown, manifest: { ...shown.manifest, execution: { node: { path: entry } } } }
}
