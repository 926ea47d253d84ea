/** plugins/ owns installations and debug_keys: packages, approval, settings, processes, calls into components. It never decides rights. */
import type { CallOptions, IncomingRequest, PackageManifest, Peer, ServablePlugin, Transport } from '@runbound/link'
import type { JsonObject, RunnerContext, RunnerManifest } from '@runbound/protocol'
import type { Statement } from '@runbound/store'

export type InstallationSource = 'package' | 'dev' | 'debug' | 'inline'

export interface Installation {
  readonly installation_uuid: string
  readonly workspace_uuid: string
  readonly plugin_id: string
  readonly version: string
  readonly source: InstallationSource
  readonly folder: string | null
  readonly manifest: PackageManifest
  readonly manifest_digest: string
  readonly package_digest: string
  readonly approved: boolean
  readonly installation_grant: InstallationGrantData
  readonly settings: JsonObject
  readonly isolation: 'required' | 'accepted_none'
  readonly enabled: boolean
  readonly priority: number
  readonly revision: number
}

/** What the operator allowed a plugin outside runs. Entries are wire names of the LangBot API. */
export interface InstallationGrantData {
  readonly apis?: readonly string[]
  readonly tools?: readonly string[]
  readonly storage?: { readonly plugin?: boolean; readonly workspace?: boolean }
  readonly admin?: readonly string[]
  /** A debug connection of this name may stand in for the installed plugin: the operator's yes. */
  readonly shadow?: boolean
}

export type PluginState = 'stopped' | 'starting' | 'ready' | 'failed' | 'backing_off' | 'disabled' | 'not_approved'

export interface PluginStatus {
  readonly installation_uuid: string
  readonly plugin_id: string
  readonly version: string
  readonly source: InstallationSource
  readonly state: PluginState
  /** One sentence: why it is not ready, and what to do. */
  readonly message: string | null
  readonly pid: number | null
  readonly since: number
  readonly restarts: number
  /** `isolated` (user, pid and mount namespaces), `inline`, or `not isolated` with the reason. */
  readonly isolation: string
  /** How limits are held: `cgroup`, `rlimit`, `none`. */
  readonly limits: string
}

export interface LogLine {
  /** Grows from line to line of one plugin, also over restarts of the host; not dense. */
  readonly sequence: number
  readonly at: number
  readonly level: 'debug' | 'info' | 'warning' | 'error'
  readonly text: string
}

/** A Runner that can be chosen; from manifests of approved, enabled installations. */
export interface RunnerDescriptor {
  /** `plugin:author/name/runner`. */
  readonly runner_id: string
  readonly runner_name: string
  readonly installation_uuid: string
  readonly plugin_id: string
  readonly plugin_version: string
  readonly manifest: RunnerManifest
}

/** A connection with a plugin process that has registered as one installation. */
export interface PluginLink {
  readonly installation_uuid: string
  readonly plugin_id: string
  readonly workspace_uuid: string
  readonly source: InstallationSource
  readonly peer: Peer
}

/** Room for one run at a plugin. */
export interface RunPlace {
  /** Gives it back. Idempotent. */
  release(): void
}

/** Why there is no place for a run. */
export interface NoPlace {
  readonly code: 'runner.plugin_not_initialized' | 'runner.plugin_down' | 'shutting_down'
  readonly message: string
}

export interface Plugins {
  /** Puts all installations under supervision and begins to start them; each on its own, nobody waits for them. */
  start(): Promise<void>
  /** Asks to stop, then ends every process tree. Nothing is left. */
  stop(): Promise<void>

  list(): readonly PluginStatus[]
  installations(): readonly Installation[]
  status(installationUuid: string): PluginStatus | undefined
  installation(installationUuid: string): Installation | undefined
  runners(): readonly RunnerDescriptor[]
  /** Why a runner can't be used now, else its descriptor. */
  runner(runnerId: string):
    | RunnerDescriptor
    | {
        readonly code:
          | 'runner.not_found'
          | 'runner.plugin_not_found'
          | 'runner.plugin_disabled'
          | 'runner.plugin_not_initialized'
        readonly message: string
      }
  /**
   * Waits until the plugin is ready and has room for one more run, so that a run does not begin before its plugin can take
   * it. Else why not: `runner.plugin_not_initialized` (it may come: ask again), `runner.plugin_down`, `shutting_down`.
   */
  place(installationUuid: string): Promise<RunPlace | NoPlace>
  /** From now on `place` refuses with `shutting_down`; those who wait for one learn it at once. */
  takeNoRuns(): void
  /** Starts `run_runner` at the plugin. The stream's end, error and close are the run's business. */
  runRunner(
    installationUuid: string,
    runnerName: string,
    context: RunnerContext,
    options: CallOptions,
  ): AsyncIterable<JsonObject>

  /** Installs from a folder or archive made by `pack`. Nothing runs before `approve`. Failure leaves nothing. */
  install(source: { readonly path: string }): Promise<Installation>
  approve(
    installationUuid: string,
    approval: {
      readonly manifest_digest: string
      readonly package_digest: string
      readonly grant?: InstallationGrantData
      readonly accept_not_isolated?: boolean
    },
  ): Promise<Installation>
  /** Registers a plugin that ships with the host or a test; approved by the host itself. */
  inline(
    plugin: ServablePlugin,
    options?: { readonly grant?: InstallationGrantData; readonly settings?: JsonObject },
  ): Promise<Installation>
  /** A plugin in its author's folder: loaded from source, reloaded on change; the old version serves until the new one is up. */
  dev(folder: string): Promise<DevSession>
  /** HostError `invalid_config` at `settings.<name>` for what the plugin's schema does not take. */
  setSettings(installationUuid: string, settings: JsonObject): Promise<Installation>
  setEnabled(installationUuid: string, enabled: boolean): Promise<void>
  restart(installationUuid: string): Promise<void>
  /** `data` false: what it has stored and its settings stay, and are there when the plugin is installed again. */
  remove(installationUuid: string, options: { readonly data: boolean }): Promise<void>
  logs(installationUuid: string, limit?: number): readonly LogLine[]
  /** A file that was uploaded into the settings of an installation; undefined when its settings do not name it or it is gone. */
  configFile(installationUuid: string, fileKey: string): Promise<Uint8Array | undefined>

  /** Debug connections (WebSocket): a new key for the workspace, and what takes an accepted socket. */
  newDebugKey(): Promise<{ readonly key: string; readonly expires_at: number }>
  attachDebug(transport: Transport, key: string): Promise<void>
  knowsDebugKey(key: string): Promise<boolean>
  /** What lets code in that nobody approved: living debug keys, and development sessions. */
  debugging(): Promise<{ readonly keys: number; readonly dev_sessions: number }>
  /** Ends a development session; false: there is none. */
  endDev(installationUuid: string): Promise<boolean>
}

export interface DevSession {
  readonly installation: Installation
  /** Told after each reload: which version serves, or the readable error while the old one goes on. */
  onReload(
    listener: (result: { readonly ok: boolean; readonly message: string; readonly installation: Installation }) => void,
  ): () => void
  reload(): Promise<void>
  close(): Promise<void>
}

/** What plugins/ needs from the rest of the host; given by host.ts. */
export interface PluginNeeds {
  /** Every request of a registered link. */
  request(link: PluginLink, request: IncomingRequest): JsonObject | Promise<JsonObject> | AsyncIterable<JsonObject>
  /** What other rooms keep for an installation whose data is to be removed: statements that delete it. */
  forget(installationUuid: string): readonly Statement[]
  /** The link of an installation is gone: its runs end. */
  gone(link: PluginLink, why: string): void
}
