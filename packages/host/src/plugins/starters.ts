/** How an installation comes to life: as a process behind the wall, or inline over the memory transport. Same contract. */
import { join } from 'node:path'
import type { IncomingRequest, PackageManifest, Peer, RequestHandler, ServablePlugin } from '@runbound/link'
import { memoryTransports } from '@runbound/link/memory'
import { type JsonObject, WireError } from '@runbound/protocol'
import { HostError } from '../errors.ts'
import { manifestDigest, packageDigest } from './digest.ts'
import type { LogBuffer } from './log-buffer.ts'
import { entryOf } from './package.ts'
import { detectWall } from './process/isolation.ts'
import { detectLimiter } from './process/limits.ts'
import { type NodeRuntime, nodeCommand } from './process/node-command.ts'
import { PluginProcess, PROCESS_TIMES } from './process/plugin-process.ts'
import { type Registration, register } from './registration.ts'
import { setupStateOf } from './setup-state.ts'
import type { Instance, Starter } from './supervised.ts'
import type { Installation } from './types.ts'

/** Who a link speaks for. */
export type PluginIdentity = Pick<Installation, 'installation_uuid' | 'plugin_id' | 'workspace_uuid' | 'source'>

/** The SDK that processes of this host run on: a manifest derived here names it. */
const SDK = { name: '@runbound/sdk', version: '0.1.0' } as const

export interface StarterOptions {
  readonly runtime: NodeRuntime | null
  /** The data folder. */
  readonly folder: string | null
  readonly mark: string
  readonly now: () => number
  log(installation: PluginIdentity): LogBuffer
  request(installation: PluginIdentity, peer: () => Peer, request: IncomingRequest): ReturnType<RequestHandler>
}

/** What a registration says about the plugin, in the shape of the package's manifest. */
export function registeredManifest(registration: Registration): {
  readonly manifest: JsonObject
  readonly components: readonly JsonObject[]
} {
  const plain = (value: unknown): JsonObject => {
    const manifest = (value as { manifest?: { manifest?: unknown } } | undefined)?.manifest?.manifest
    if (typeof manifest !== 'object' || manifest === null)
      throw new WireError('invalid_params', 'plugin_container holds a manifest that is no object.')
    return manifest as JsonObject
  }
  const { container } = registration
  return {
    manifest: plain({ manifest: container.manifest }),
    components: Array.isArray(container.components) ? container.components.map(plain) : [],
  }
}

export function processStarter(options: StarterOptions): Starter {
  const wall = detectWall()
  const limiter = detectLimiter(options.mark)
  return {
    isolation: wall.says,
    limits: limiter.says,
    async start(installation, signal): Promise<Instance> {
      const { runtime, folder } = options
      if (runtime === null || folder === null || installation.folder === null)
        throw new Error('this host starts no plugin processes: it has no runtime or no data folder')
      if (wall.kind === 'none' && installation.isolation !== 'accepted_none') {
        throw new Error(
          `${wall.says}. Make isolation possible, or accept it for this plugin: runbound plugin approve ${installation.plugin_id} --accept-not-isolated`,
        )
      }
      // Other bytes under the same version need a new approval, also when they changed on the disk.
      if (installation.source === 'package' && packageDigest(installation.folder) !== installation.package_digest) {
        throw new Error('its files have changed since they were approved; install and approve it again')
      }
      return startProcess(
        installation,
        { runtime, folder, plugin: installation.folder, entry: entryOf(installation.manifest.manifest) ?? 'index.ts' },
        (registration) => mustMatch(installation, registration),
        signal,
      )
    },
    async startUnknown(code, signal) {
      const { runtime, folder } = options
      if (runtime === null || folder === null)
        throw new Error('this host starts no plugin processes: it has no runtime or no data folder')
      let manifest: PackageManifest | undefined
      const identity = {
        installation_uuid: code.installation_uuid,
        plugin_id: `dev:${code.folder}`,
        workspace_uuid: code.workspace_uuid,
        source: 'dev' as const,
      }
      const instance = await startProcess(
        identity,
        { runtime, folder, plugin: code.folder, entry: code.entry },
        (registration) => {
          manifest = { ...registeredManifest(registration), sdk: SDK }
          const name = manifest.manifest.metadata
          if (typeof name === 'object' && name !== null && !Array.isArray(name))
            Object.assign(identity, { plugin_id: `${(name as JsonObject).author}/${(name as JsonObject).name}` })
        },
        signal,
      )
      if (manifest === undefined) throw new Error('it registered without a manifest')
      return { instance, manifest }
    },
  }

  async function startProcess(
    installation: PluginIdentity,
    where: { readonly runtime: NodeRuntime; readonly folder: string; readonly plugin: string; readonly entry: string },
    check: (registration: Registration) => void,
    signal: AbortSignal | undefined,
  ): Promise<Instance> {
    const room = options
    const own = join(where.folder, 'plugins-private', installation.installation_uuid)
    const [home, cache] = [join(own, 'home'), join(own, 'compile-cache')]
    let instance: PluginProcess | undefined
    const started = await PluginProcess.start({
      name: installation.installation_uuid,
      node: nodeCommand(where.runtime, { folder: where.plugin, entry: where.entry, home, cache }),
      wall,
      limiter,
      mark: room.mark,
      home,
      cache,
      log: room.log(installation),
      now: room.now,
      check,
      request: (request) => room.request(installation, () => needPeer(instance), request),
      ...(signal === undefined ? {} : { signal }),
    })
    instance = started
    return started
  }
}

/** Runs a plugin's object in this process, over the same link as any other. */
export function inlineStarter(
  plugin: ServablePlugin,
  options: Pick<StarterOptions, 'log' | 'now' | 'request'>,
): Starter {
  return {
    isolation: 'inline',
    limits: 'none',
    async start(installation): Promise<Instance> {
      const [ours, theirs] = memoryTransports()
      const log = options.log(installation)
      const capability = crypto.randomUUID()
      let peer: Peer | undefined
      const registering = register({
        transport: ours,
        timeoutMs: 5_000,
        accept(registration) {
          if (registration.capability !== capability)
            throw new WireError('permission_denied', 'The registration capability is not the one that was handed out.')
          mustMatch(installation, registration)
        },
        request: (request) =>
          options.request(installation, () => needPeer(peer === undefined ? undefined : { peer }), request),
        onNoise: (text) => log.add('info', text, options.now()),
        onFault: (fault) => log.add('warning', `link: ${fault.kind}: ${fault.detail}`, options.now()),
      })
      const served = plugin.serve(theirs, { capability })
      const { peer: registered } = await registering
      peer = registered
      return {
        peer: registered,
        pid: null,
        ended: served.closed.then((why) => why.detail),
        initialise: async (settings, signal) => {
          await registered.call(
            'initialize_plugin',
            { plugin_settings: settings },
            { timeoutMs: 60_000, ...(signal === undefined ? {} : { signal }) },
          )
        },
        setup: () => setupStateOf(registered),
        async stop() {
          const how = await registered.call('shutdown', {}, { timeoutMs: PROCESS_TIMES.shutdown }).then(
            () => 'stopped',
            (error: unknown) => `stopped by force: ${error instanceof Error ? error.message : error}`,
          )
          await served.close()
          await registered.close('the host stops this plugin')
          return how
        },
      }
    },
    async startUnknown() {
      throw new HostError('programming', 'an inline plugin is given as an object, its manifest is known')
    },
  }
}

/** What registers must be what was approved: the same manifest, by digest. */
function mustMatch(installation: Installation, registration: Registration): void {
  const said = registeredManifest(registration)
  const approved = { manifest: installation.manifest.manifest, components: installation.manifest.components }
  if (manifestDigest(said) === manifestDigest(approved)) return
  throw new WireError(
    'permission_denied',
    `The code of ${installation.plugin_id} registers another manifest than the approved one. Run \`runbound plugin pack\` again and approve the result.`,
  )
}

function needPeer(held: { readonly peer: Peer } | undefined): Peer {
  if (held === undefined) throw new WireError('not_registered', 'The plugin has not finished registering.')
  return held.peer
}
