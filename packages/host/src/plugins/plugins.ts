/** The room's public face: installing, approving, starting, calling. See types.ts for the contract. */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CallOptions, IncomingRequest, Peer, ServablePlugin } from '@runbound/link'
import type { JsonObject, RunnerContext } from '@runbound/protocol'
import type { Store } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { HostError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { effectiveSettings, savedSettings } from '../plugin-settings.ts'
import type { Secrets } from '../sealed-values.ts'
import type { Signals } from '../signals.ts'
import { readConfigFile } from './config-files.ts'
import { DebugLinks, onceStarter } from './debug-links.ts'
import { devEntry, stableUuid, watchFolder, writeManifest } from './dev-session.ts'
import { manifestDigest } from './digest.ts'
import { Installations } from './installations.ts'
import { LogBuffer } from './log-buffer.ts'
import { checkManifest, identityOf, placePackage, readPackage } from './package.ts'
import { endLeftovers } from './process/leftovers.ts'
import type { NodeRuntime } from './process/node-command.ts'
import { listRunners, whyNoRunner } from './runner-list.ts'
import { inlineStarter, type PluginIdentity, processStarter, type StarterOptions } from './starters.ts'
import { type Instance, PluginDown, type Starter, Supervised } from './supervised.ts'
import type { Installation, PluginNeeds, Plugins, RunnerDescriptor } from './types.ts'

export interface PluginsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly signals: Signals
  readonly needs: PluginNeeds
  /** Seals the secrets among plugins' settings. */
  readonly secrets: Secrets
  readonly workspace_uuid: string
  readonly instance_uuid: string
  /** The data folder; null: inline plugins only. */
  readonly folder: string | null
  readonly runtime: NodeRuntime | null
}

export function createPlugins(options: PluginsOptions): Plugins {
  const { store, clock, logger, signals, needs, folder } = options
  const installations = new Installations(store, clock, options.workspace_uuid, options.secrets, (one) =>
    folder === null ? one.folder : placeOf(folder, one),
  )
  const supervised = new Map<string, Supervised>()
  const logs = new Map<string, LogBuffer>()
  const inlinePlugins = new Map<string, ServablePlugin>()
  const sessions = new Map<string, { close(): Promise<void> }>()
  const linkOf = new Map<Peer, Installation>()
  const mark = createHash('sha256').update(options.instance_uuid).digest('hex').slice(0, 16)
  let runnerList: readonly RunnerDescriptor[] | undefined

  const starterOptions: StarterOptions = {
    runtime: options.runtime,
    folder,
    mark,
    now: () => clock.now(),
    log: (installation) => logOf(installation.installation_uuid),
    request: (installation, peer, request) => ask(installation, peer(), request),
  }
  let processes: Starter | undefined
  const processesStarter = (): Starter => (processes ??= processStarter(starterOptions))

  const debug = new DebugLinks({
    store,
    clock,
    workspace_uuid: options.workspace_uuid,
    request(request, peer) {
      const installation = linkOf.get(peer)
      if (installation === undefined) throw new PluginDown('The debug connection is not set up yet.')
      return ask(installation, peer, request)
    },
    onNoise: (text) => logger.debug({ text }, 'A debug plugin wrote to its connection'),
  })

  function ask(installation: PluginIdentity, peer: Peer, request: IncomingRequest) {
    return needs.request({ ...identity(installation), peer }, request)
  }

  function identity(one: PluginIdentity) {
    return {
      installation_uuid: one.installation_uuid,
      plugin_id: one.plugin_id,
      workspace_uuid: one.workspace_uuid,
      source: one.source,
    }
  }

  function logOf(uuid: string): LogBuffer {
    let log = logs.get(uuid)
    if (log === undefined) {
      const plugin = logger.child({ installation_uuid: uuid })
      log = new LogBuffer((line) => {
        plugin[line.level === 'warning' ? 'warn' : line.level]({ from: 'plugin' }, line.text)
        signals.view({ kind: 'log', workspace_uuid: options.workspace_uuid, data: { installation_uuid: uuid, line } })
      })
      logs.set(uuid, log)
    }
    return log
  }

  function supervise(installation: Installation, starter: Starter): Supervised {
    const one = new Supervised({
      installation,
      starter,
      clock,
      logger,
      settings: settingsOf,
      changed(status) {
        runnerList = undefined
        signals.view({ kind: 'plugin', workspace_uuid: options.workspace_uuid, data: status })
      },
      gone: (peer, why) => needs.gone({ ...identity(one.installation), peer }, why),
    })
    supervised.set(installation.installation_uuid, one)
    runnerList = undefined
    return one
  }

  /** HostError `invalid_config` when a stored secret can't be read: a plugin is not handed less than it was set. */
  function settingsOf(installation: Installation): JsonObject {
    installations.refuseUnreadable(installation.installation_uuid)
    return {
      enabled: installation.enabled,
      priority: installation.priority,
      plugin_config: effectiveSettings(installation),
    }
  }

  function starterOf(installation: Installation): Starter | null {
    if (installation.source === 'package' || installation.source === 'dev') return processesStarter()
    const plugin = inlinePlugins.get(installation.installation_uuid)
    return plugin === undefined ? null : inlineStarter(plugin, starterOptions)
  }

  function need(uuid: string): Supervised {
    installations.need(uuid)
    const one = supervised.get(uuid)
    if (one === undefined)
      throw new HostError('not_found', `Installation ${uuid} is not under supervision in this start of the host.`)
    return one
  }

  function runners(): readonly RunnerDescriptor[] {
    // A debug connection that is gone brings nothing: what is installed serves again.
    const serving = () =>
      [...supervised.values()]
        .filter((one) => one.installation.source !== 'debug' || one.connected)
        .map((one) => one.installation)
    runnerList ??= listRunners(serving(), (plugin_id, fault) => logger.warn({ plugin_id }, fault))
    return runnerList
  }

  return {
    async start() {
      endLeftovers(mark)
      await installations.load()
      for (const installation of installations.all()) {
        if (
          installation.source === 'debug' ||
          installation.source === 'dev' ||
          supervised.has(installation.installation_uuid)
        )
          continue
        const starter = starterOf(installation)
        // Started in the background: a plugin that hangs holds nobody up, and its runs wait for it a while.
        if (starter !== null) void supervise(installation, starter).start()
      }
    },
    async stop() {
      await Promise.all([...sessions.values()].map((session) => session.close()))
      await Promise.all([...supervised.values()].map((one) => one.stop()))
    },

    list: () => [...supervised.values()].map((one) => one.status),
    installations: () => installations.all(),
    status: (uuid) => supervised.get(uuid)?.status,
    installation: (uuid) => installations.get(uuid),
    runners,
    runner(runnerId) {
      const found = runners().find((runner) => runner.runner_id === runnerId)
      if (found !== undefined) return found
      const plugin = /^plugin:(.+)\/[^/]+$/.exec(runnerId)?.[1]
      const owner = installations.all().find((one) => one.plugin_id === plugin)
      return whyNoRunner(runnerId, owner, owner !== undefined && supervised.has(owner.installation_uuid))
    },
    async place(uuid) {
      const message = `Plugin installation ${uuid} is not under supervision.`
      return supervised.get(uuid)?.place() ?? { code: 'runner.plugin_down', message }
    },
    takeNoRuns() {
      for (const one of supervised.values()) one.takeNoRuns()
    },
    async *runRunner(uuid: string, runnerName: string, context: RunnerContext, call: CallOptions) {
      const one = supervised.get(uuid)
      if (one === undefined) throw new PluginDown(`Plugin installation ${uuid} is gone.`)
      yield* one.runRunner(runnerName, context, call)
    },

    async install({ path }) {
      if (folder === null)
        throw new HostError('invalid_config', 'This host has no data folder: plugins are given to it inline.')
      const read = readPackage(path)
      const source = realpathSync(path)
      const target = placeOf(folder, read)
      mkdirSync(join(target, '..'), { recursive: true })
      placePackage(source, target, read.package_digest)
      const old = installations.find(read.plugin_id, 'package') ?? installations.removed(read.plugin_id)
      const fields = {
        plugin_id: read.plugin_id,
        version: read.version,
        folder: target,
        manifest: read.manifest,
        manifest_digest: read.manifest_digest,
        package_digest: read.package_digest,
      }
      if (
        old !== undefined &&
        old.folder !== null &&
        old.manifest_digest === read.manifest_digest &&
        old.package_digest === read.package_digest
      )
        return old
      const installation = await installations.put(
        old === undefined
          ? {
              ...fields,
              installation_uuid: randomUUID(),
              source: 'package',
              approved_manifest_digest: null,
              approved_package_digest: null,
              installation_grant: {},
              settings: {},
              isolation: 'required',
              enabled: true,
              priority: 0,
              revision: 1,
            }
          : { ...old, ...fields, revision: old.revision + 1 },
      )
      const running = supervised.get(installation.installation_uuid)
      if (running === undefined) await supervise(installation, processesStarter()).start()
      else await running.restart(installation)
      return installation
    },

    async approve(uuid, approval) {
      const one = installations.need(uuid)
      if (approval.manifest_digest !== one.manifest_digest || approval.package_digest !== one.package_digest) {
        throw new HostError(
          'conflict',
          `What was approved is not what is installed as ${one.plugin_id} ${one.version}: it has changed meanwhile. Look at it again.`,
        )
      }
      const installation = await installations.put({
        ...one,
        approved_manifest_digest: one.manifest_digest,
        approved_package_digest: one.package_digest,
        installation_grant: approval.grant ?? one.installation_grant,
        isolation: approval.accept_not_isolated === true ? 'accepted_none' : one.isolation,
      })
      const running = need(uuid)
      // What runs already runs on: its rights are looked up at each call. And a debug plugin only its author can start.
      if (one.approved && one.isolation === installation.isolation && running.status.state === 'ready')
        running.adopt(installation)
      else await running.restart(installation)
      return installation
    },

    async inline(plugin, given = {}) {
      const manifest = checkManifest(plugin.packageManifest, 'the inline plugin')
      const { plugin_id, version } = identityOf(manifest)
      const digest = manifestDigest(manifest)
      const old = installations.find(plugin_id, 'inline')
      const installation = await installations.put({
        installation_uuid: old?.installation_uuid ?? randomUUID(),
        plugin_id,
        version,
        source: 'inline',
        folder: null,
        manifest,
        manifest_digest: digest,
        package_digest: digest,
        approved_manifest_digest: digest,
        approved_package_digest: digest,
        installation_grant: given.grant ?? old?.installation_grant ?? {},
        settings: given.settings ?? old?.settings ?? {},
        isolation: 'required',
        enabled: old?.enabled ?? true,
        priority: old?.priority ?? 0,
        revision: (old?.revision ?? 0) + 1,
      })
      inlinePlugins.set(installation.installation_uuid, plugin)
      await supervised.get(installation.installation_uuid)?.remove()
      const one = supervise(installation, inlineStarter(plugin, starterOptions))
      await one.start()
      if (one.status.state !== 'ready' && installation.enabled)
        throw new HostError('plugin_failed', `Plugin ${plugin_id} did not start: ${one.status.message}`)
      return installation
    },

    async dev(path) {
      if (!existsSync(path)) throw new HostError('not_found', `There is no folder ${path} on this host.`)
      const source = realpathSync(path)
      const uuid = stableUuid(source)
      await sessions.get(uuid)?.close()
      const { first, load } = devLoader(source, uuid)
      const installation = await first()
      const session = watchFolder({
        folder: source,
        first: installation,
        load,
        serves: () => supervised.get(uuid)?.peer !== undefined,
        async close() {
          sessions.delete(uuid)
          await supervised.get(uuid)?.remove()
          supervised.delete(uuid)
          runnerList = undefined
        },
      })
      sessions.set(uuid, session)
      logger.info({ source }, 'A development session began: its plugin runs without approval')
      session.onReload(({ ok, message }) => {
        signals.view({
          kind: 'plugin',
          workspace_uuid: options.workspace_uuid,
          data: { installation_uuid: uuid, reload: { ok, message } },
        })
      })
      return session
    },

    async setSettings(uuid, settings) {
      const old = installations.need(uuid)
      const installation = await installations.put({ ...old, settings: savedSettings(old, settings) })
      await need(uuid).reinitialise(installation)
      return installation
    },
    async setEnabled(uuid, enabled) {
      const installation = await installations.put({ ...installations.need(uuid), enabled })
      const one = need(uuid)
      if (enabled) await one.restart(installation)
      else {
        one.installation = installation
        await one.stop('disabled')
      }
    },
    restart: (uuid) => need(uuid).restart(),
    async remove(uuid, { data }) {
      const one = installations.need(uuid)
      await sessions.get(uuid)?.close()
      await supervised.get(uuid)?.remove()
      supervised.delete(uuid)
      runnerList = undefined
      if (data || one.source !== 'package') await installations.remove(uuid, data ? needs.forget(uuid) : [])
      else await installations.retire(uuid)
      if (folder === null) return
      const rid = (path: string) => rmSync(path, { recursive: true, force: true })
      // With the versions before: those of a plugin that is gone are of no use.
      if (one.folder !== null && one.source === 'package') rid(dirname(one.folder))
      if (data) for (const name of ['plugins-private', 'plugin-settings']) rid(join(folder, name, uuid))
    },
    logs: (uuid, limit = 200) => logs.get(uuid)?.last(limit) ?? [],

    configFile: async (uuid, fileKey) => readConfigFile(folder, installations.get(uuid), fileKey),

    async newDebugKey() {
      const made = await debug.newKey()
      const { workspace_uuid } = options
      const until = new Date(made.expires_at).toISOString()
      logger.warn({ workspace_uuid, until }, `Debug connections are possible until ${until}: a key was made`)
      signals.view({ kind: 'plugin', workspace_uuid })
      return made
    },
    debugging: async () => ({ keys: await debug.living(), dev_sessions: sessions.size }),
    knowsDebugKey: async (key) => (await debug.expiry(key)) !== null,
    async endDev(uuid) {
      const session = sessions.get(uuid)
      await session?.close()
      return session !== undefined
    },
    async attachDebug(transport, key) {
      const instance = await debug.attach(transport, key)
      const { plugin_id, version } = identityOf(instance.manifest)
      const old = installations.find(plugin_id, 'debug')
      const installation = await putOwn(old?.installation_uuid ?? randomUUID(), 'debug', {
        plugin_id,
        version,
        folder: null,
        manifest: instance.manifest,
        manifest_digest: instance.manifest_digest,
      })
      linkOf.set(instance.peer, installation)
      void instance.ended.then(() => linkOf.delete(instance.peer))
      const once = onceStarter(instance)
      await supervised.get(installation.installation_uuid)?.remove()
      await supervise(installation, once).start()
    },
  }

  /** Installations that their own connection approves: debug and dev, each only for itself. */
  async function putOwn(
    uuid: string,
    source: 'dev' | 'debug',
    fields: Pick<Installation, 'plugin_id' | 'version' | 'folder' | 'manifest' | 'manifest_digest'>,
  ): Promise<Installation> {
    const old = installations.find(fields.plugin_id, source)
    if (old !== undefined && old.installation_uuid !== uuid) {
      // Another folder of the same plugin: its session and process end with its installation.
      await sessions.get(old.installation_uuid)?.close()
      await installations.remove(old.installation_uuid)
    }
    return installations.put({
      installation_uuid: uuid,
      source,
      ...fields,
      package_digest: fields.manifest_digest,
      approved_manifest_digest: fields.manifest_digest,
      approved_package_digest: fields.manifest_digest,
      installation_grant: old?.installation_grant ?? {},
      settings: old?.settings ?? {},
      isolation: 'accepted_none',
      enabled: true,
      priority: old?.priority ?? 0,
      revision: (old?.revision ?? 0) + 1,
    })
  }

  /** Loads the folder's current code as a new instance; the manifest is what registers. */
  function devLoader(source: string, uuid: string) {
    async function fresh(signal?: AbortSignal): Promise<{ installation: Installation; instance: Instance }> {
      const entry = devEntry(source)
      const { instance, manifest } = await processesStarter().startUnknown(
        {
          installation_uuid: uuid,
          workspace_uuid: options.workspace_uuid,
          folder: source,
          entry,
        },
        signal,
      )
      try {
        const checked = checkManifest(manifest, 'the plugin')
        writeManifest(source, checked)
        const { plugin_id, version } = identityOf(checked)
        const installation = await putOwn(uuid, 'dev', {
          plugin_id,
          version,
          folder: source,
          manifest: checked,
          manifest_digest: manifestDigest(checked),
        })
        return { installation, instance }
      } catch (error) {
        await instance.stop()
        throw error
      }
    }
    return {
      async first(): Promise<Installation> {
        const { installation, instance } = await fresh().catch((error: unknown) => {
          if (HostError.is(error)) throw error
          const why = error instanceof Error ? error.message : String(error)
          throw new HostError('plugin_failed', `The plugin in ${source} does not load: ${why}`, { cause: error })
        })
        const one = supervise(installation, processesStarter())
        await one.replace(async () => ({ installation, instance }))
        return installation
      },
      async load(signal: AbortSignal): Promise<Installation> {
        const one = need(uuid)
        await one.replace(fresh, signal)
        if (one.status.state !== 'ready') throw new Error(one.status.message ?? 'it did not become ready')
        return one.installation
      },
    }
  }
}

/** The folder of an installed package below the data folder. */
function placeOf(
  folder: string,
  { plugin_id, version, package_digest }: Pick<Installation, 'plugin_id' | 'version' | 'package_digest'>,
): string {
  return join(folder, 'plugins', plugin_id.replace('/', '__'), `${version}-${package_digest.slice(0, 12)}`)
}
