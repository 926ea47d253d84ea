/** Serves one plugin over one transport: registration, and an answer to everything that a host asks (wire.md §3, §4). */
import {
  createPeer,
  type IncomingRequest,
  type PackageManifest,
  type Peer,
  type ServedPlugin,
  type Transport,
} from '@runbound/link'
import type { JsonObject } from '@runbound/protocol'
import { WireError } from '@runbound/protocol'
import type { PluginParts } from '../define/component.ts'
import { absentComponents } from './absent.ts'
import { Wire, waitOf } from './calls/wire.ts'
import { containerOf } from './container.ts'
import { Lifecycle } from './lifecycle.ts'
import { assetAnswers } from './package-assets.ts'
import { pluginHostOf } from './plugin-host.ts'
import { type RunServices, serveRun } from './run/serve-run.ts'
import { consoleLog, type PackageFiles, type PluginLog, type RunGuard } from './surroundings.ts'

/** How a plugin registers, and what its surroundings lend it. */
export interface ServeOptions {
  /** One-use text that the host gave to this start; empty for debug plugins. */
  readonly capability: string
  /** Key of a debug connection. Default: none, an installed plugin. */
  readonly debugKey?: string
  /** Module that the package starts with; shown in the manifest. Default: none, a plugin that was not started from a folder. */
  readonly entry?: string
  /** Files of the package: icon, readme, assets. Default: none can be read. */
  readonly files?: PackageFiles
  /** Default: the console. */
  readonly log?: PluginLog
  /** Scope for the code of runs. Default: none. */
  readonly guard?: RunGuard
}

/** What is served. */
export interface Served {
  readonly spec: PluginParts
  readonly packageManifest: PackageManifest
}

/** A plugin at work. */
export interface PluginSession extends ServedPlugin {
  /** Resolves once the host has taken the registration. Rejects with AgentAPIException when it refuses; then it closes. */
  readonly registered: Promise<void>
}

/** Registers a plugin and answers for it until the transport closes. */
export function servePlugin(
  { spec, packageManifest }: Served,
  transport: Transport,
  options: ServeOptions,
): PluginSession {
  const { log = consoleLog, debugKey } = options
  const peer: Peer = createPeer({
    transport,
    handler: (request) => answer(request),
    onFault: ({ kind, detail }) => log('warning', `The link reports ${kind}: ${detail}`),
  })
  const wire = new Wire(peer)
  const host = pluginHostOf(wire, () => lifecycle.settings ?? {})
  const lifecycle: Lifecycle = new Lifecycle(spec, host, log)
  const services: RunServices = {
    wire,
    runners: new Map(spec.components.map((component) => [component.name, component])),
    settings: () => lifecycle.settings,
    log,
    guard: options.guard ?? ((_run, start) => start()),
  }
  const container = (): JsonObject =>
    containerOf(packageManifest, {
      settings: lifecycle.settings,
      setup: lifecycle.setup,
      debug: debugKey !== undefined,
    })

  const answers: Readonly<
    Record<string, (request: IncomingRequest) => JsonObject | Promise<JsonObject> | AsyncIterable<JsonObject>>
  > = {
    initialize_plugin: ({ data }) => {
      lifecycle.configure(settingsOf(data))
      return {}
    },
    get_plugin_container: container,
    run_runner: (request) => serveRun(request, services),
    plugin_diagnostic: ({ data }) => {
      log('error', `The host reports ${String(data.code)}: ${String(data.message)}`)
      return {}
    },
    shutdown: async () => {
      await lifecycle.stop('The plugin is stopped.')
      return {}
    },
    ...assetAnswers(peer, packageManifest, options.files),
    ...absentComponents(peer, packageManifest),
  }

  function answer(request: IncomingRequest): ReturnType<(typeof answers)[string]> {
    const run = Object.hasOwn(answers, request.action) ? answers[request.action] : undefined
    if (run === undefined) throw new WireError('unknown_method', `A plugin has no action ${request.action}.`)
    return run(request)
  }

  const registered = wire
    .send(
      'register_plugin',
      {
        plugin_container: container(),
        prod_mode: debugKey === undefined,
        plugin_debug_key: debugKey ?? '',
        registration_capability: options.capability,
      },
      { ms: waitOf('register_plugin', 'installation') * 1000 },
    )
    .then(
      () => {},
      async (error: unknown) => {
        await peer.close(`register_plugin was refused: ${error instanceof Error ? error.message : String(error)}`)
        throw error
      },
    )
  // Whoever does not look at `registered` still sees why it closed.
  registered.catch(() => {})

  return {
    registered,
    // What the plugin holds is let go before anybody hears that it is gone.
    closed: peer.closed.then(async (reason) => {
      await lifecycle.stop(`The connection is gone: ${reason.detail}`)
      return reason
    }),
    close: async () => {
      await lifecycle.stop('The plugin is stopped.')
      await peer.close()
    },
  }
}

function settingsOf(data: JsonObject): JsonObject {
  const given = data.plugin_settings
  const settings = isObject(given) ? given : {}
  if (
    typeof settings.enabled !== 'boolean' ||
    typeof settings.priority !== 'number' ||
    !isObject(settings.plugin_config)
  ) {
    throw new WireError(
      'invalid_params',
      'initialize_plugin needs plugin_settings with enabled, priority and plugin_config.',
    )
  }
  return settings.plugin_config
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
