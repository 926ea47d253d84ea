/**
 * One installation under supervision: its state, its process or inline peer, restarts with growing pauses, and replacement
 * by a new version. One plugin never holds another up.
 */
import type { CallOptions, PackageManifest, Peer } from '@runbound/link'
import type { JsonObject, RunnerContext } from '@runbound/protocol'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { heartbeat } from './heartbeat.ts'
import { Places } from './places.ts'
import type { Installation, NoPlace, PluginState, PluginStatus, RunPlace } from './types.ts'

/** One running instance of the plugin, however it is carried. */
export interface Instance {
  readonly peer: Peer
  readonly pid: number | null
  /** Resolves when it is gone, with how. */
  readonly ended: Promise<string>
  initialise(settings: JsonObject, signal?: AbortSignal): Promise<void>
  /** How far the plugin's `setup` is; null where it has none, or does not say. */
  setup(): Promise<SetupState | null>
  stop(): Promise<string>
}

/** As the plugin's container shows it (`container.setup`). */
export interface SetupState {
  readonly state: string
  readonly error: string | null
}

export interface Starter {
  readonly isolation: string
  readonly limits: string
  /** Starts and registers; rejects with one readable sentence. An abort ends what was begun. */
  start(installation: Installation, signal: AbortSignal): Promise<Instance>
  /** Starts code whose manifest is not known yet (development): what registers is what it is. */
  startUnknown(
    code: UnknownCode,
    signal?: AbortSignal,
  ): Promise<{ readonly instance: Instance; readonly manifest: PackageManifest }>
}

export interface UnknownCode {
  readonly installation_uuid: string
  readonly workspace_uuid: string
  readonly folder: string
  readonly entry: string
}

export interface SupervisedOptions {
  readonly installation: Installation
  readonly starter: Starter
  readonly clock: Clock
  readonly logger: Logger
  settings(installation: Installation): JsonObject
  /** The state changed, or the instance is gone (`why`). */
  changed(status: PluginStatus): void
  gone(peer: Peer, why: string): void
}

/** Restart pauses in milliseconds; back to the first after a minute of work. */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000] as const
const HEALTHY_MS = 60_000
/** So many failed starts in a row open the circuit: the operator decides. */
const CIRCUIT = 8
/** When it is looked whether `setup` has failed: soon, and then now and then while it goes on. */
const SETUP_LOOKS_MS = [100, 400, 1_500, 5_000, 20_000, 60_000, 300_000] as const
/** How long a call waits for a plugin that is starting or being replaced. */
const READY_MS = 10_000

export class Supervised {
  installation: Installation
  #options: SupervisedOptions
  #state: PluginState = 'stopped'
  #message: string | null = null
  #since: number
  #restarts = 0
  #failures = 0
  #instance: Instance | undefined
  /** Ends the work that is going on: nobody waits for a plugin that hangs when it is to stop or to start anew. */
  #current: AbortController | undefined
  /** Counts stops: what was waiting before one has nothing left to do after it. */
  #stops = 0
  /** Counts restarts: of several that wait, the last one starts. */
  #restarting = 0
  #removed = false
  #timer: NodeJS.Timeout | undefined
  #waiting: (() => void)[] = []
  readonly #places = new Places()
  /** Starts, stops and replacements one after another. */
  #work: Promise<unknown> = Promise.resolve()

  constructor(options: SupervisedOptions) {
    this.#options = options
    this.installation = options.installation
    this.#since = options.clock.now()
  }

  get status(): PluginStatus {
    const { starter } = this.#options
    return {
      installation_uuid: this.installation.installation_uuid,
      plugin_id: this.installation.plugin_id,
      version: this.installation.version,
      source: this.installation.source,
      state: this.#state,
      message: this.#message,
      pid: this.#instance?.pid ?? null,
      since: this.#since,
      restarts: this.#restarts,
      isolation: starter.isolation,
      limits: starter.limits,
    }
  }

  /** There is a process or connection, ready or not. */
  get connected(): boolean {
    return this.#instance !== undefined
  }

  get peer(): Peer | undefined {
    return this.#state === 'ready' ? this.#instance?.peer : undefined
  }

  /** Starts; resolves when it is ready, or has failed and waits for its next try. */
  start(): Promise<void> {
    // At once, not in its turn: who asks for a place in the same moment waits for it.
    if (this.#state === 'stopped' && !this.#removed && startable(this.installation)) this.#set('starting', null)
    return this.#attempt((signal) => this.#start(signal))
  }

  /** Ends what is going on, however it hangs, and what waits; then the instance. A start that is asked for later counts. */
  stop(state: 'stopped' | 'disabled' = 'stopped'): Promise<void> {
    this.#stops++
    clearTimeout(this.#timer)
    this.#current?.abort(new Error('it was stopped'))
    return this.#queue(async () => {
      await this.#end()
      this.#set(state, null)
    })
  }

  /** Stops it for good: nothing that waits, and nothing that is asked for later, starts it again. */
  remove(): Promise<void> {
    this.#removed = true
    return this.stop()
  }

  /** A fresh start on the operator's word: the circuit closes, counters begin anew. */
  restart(installation?: Installation): Promise<void> {
    this.#current?.abort(new Error('it was started anew'))
    const turn = ++this.#restarting
    return this.#attempt(async (signal) => {
      // Runs that come meanwhile wait for the new start.
      if (startable(installation ?? this.installation)) this.#set('starting', null)
      await this.#end()
      this.installation = installation ?? this.installation
      this.#failures = 0
      this.#restarts++
      if (turn === this.#restarting) await this.#start(signal)
    })
  }

  /** What is known of it has changed, and nothing that its process would have to learn. */
  adopt(installation: Installation): void {
    this.installation = installation
    this.#say(this.#message)
  }

  /** New settings: the same process is initialised again; its runs go on. A stop or restart that comes meanwhile wins. */
  reinitialise(installation: Installation): Promise<void> {
    // At once: a start that comes before its turn has them, too.
    this.installation = installation
    return this.#attempt(async (signal) => {
      const instance = this.#instance
      if (instance === undefined || this.#state !== 'ready') return
      const given = instance.initialise(this.#options.settings(this.installation), signal)
      await untilAborted(given, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
      if (!signal.aborted) void this.#followSetup(instance)
    })
  }

  /**
   * Replaces the running version: the new one is loaded and registered first; only then the old one is stopped, and only
   * when it is gone the new one is initialised (its setup may need the port that the old one held). A new version that
   * does not load changes nothing and rejects; so does one that a stop or `outer` overtakes.
   */
  async replace(
    next: (signal: AbortSignal) => Promise<{ readonly installation: Installation; readonly instance: Instance }>,
    outer?: AbortSignal,
  ): Promise<void> {
    let begun = false
    await this.#attempt(async (current) => {
      begun = true
      const signal = outer === undefined ? current : AbortSignal.any([current, outer])
      const { installation, instance } = await next(signal)
      if (signal.aborted) {
        await instance.stop()
        throw signal.reason
      }
      const old = this.#instance
      this.#instance = undefined
      this.#set('starting', null)
      if (old !== undefined) {
        await old.stop()
        this.#options.gone(old.peer, 'the plugin was replaced by a new version')
      }
      this.installation = installation
      this.#restarts++
      await this.#takeUp(instance, signal, current)
      current.throwIfAborted()
    })
    if (!begun) throw new Error('the plugin was stopped')
  }

  /** The peer once it is ready; a sentence when it is not and will not be soon. */
  async ready(): Promise<Peer | string> {
    const until = this.#options.clock.now() + READY_MS
    while ((this.#state === 'starting' || this.#state === 'backing_off') && !this.#places.closed) {
      const left = until - this.#options.clock.now()
      if (left <= 0) break
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        this.#waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
    return (
      this.peer ??
      `Plugin ${this.installation.plugin_id} is ${this.#state}${this.#message === null ? '' : `: ${this.#message}`}.`
    )
  }

  /** See `Plugins.place`. */
  async place(): Promise<RunPlace | NoPlace> {
    for (;;) {
      const peer = await this.ready()
      if (this.#places.closed) return STOPPING
      if (typeof peer === 'string') {
        const comes = this.#state === 'starting' || this.#state === 'backing_off'
        return { code: comes ? 'runner.plugin_not_initialized' : 'runner.plugin_down', message: peer }
      }
      const release = await this.#places.take()
      if (release === null) return STOPPING
      if (this.peer !== undefined) return { release }
      // It went while we waited for the place.
      release()
    }
  }

  takeNoRuns(): void {
    this.#places.close()
    this.#wake()
  }

  async *runRunner(runnerName: string, context: RunnerContext, options: CallOptions): AsyncIterable<JsonObject> {
    const peer = await this.ready()
    if (typeof peer === 'string') throw new PluginDown(peer)
    yield* peer.stream('run_runner', { runner_name: runnerName, context: context as unknown as JsonObject }, options)
  }

  async #start(signal: AbortSignal): Promise<void> {
    clearTimeout(this.#timer)
    if (this.#instance !== undefined) return
    if (!this.installation.enabled) return this.#set('disabled', null)
    if (!this.installation.approved) {
      return this.#set(
        'not_approved',
        `the operator has not approved this manifest and these files; run: runbound plugin approve ${this.installation.plugin_id}`,
      )
    }
    if (signal.aborted) return
    this.#set('starting', null)
    try {
      await this.#takeUp(await this.#options.starter.start(this.installation, signal), signal)
    } catch (error) {
      // Whoever ended it says what comes next.
      if (!signal.aborted) this.#failed(error instanceof Error ? error.message : String(error))
    }
  }

  /** `signal` ends it; `overtaken` says that whoever ended it sees to the rest. Never rejects. */
  async #takeUp(instance: Instance, signal: AbortSignal, overtaken = signal): Promise<void> {
    this.#instance = instance
    let ended: string | undefined
    const gone = (how: string) => {
      ended ??= how
      this.#gone(instance, how)
    }
    void instance.ended.then(gone)
    void instance.peer.closed.then((why) => gone(why.detail))
    const given = (async () => instance.initialise(this.#options.settings(this.installation), signal))()
    const failure = await untilAborted(given, signal).then(
      () => (ended === undefined ? null : `it ended while it started: ${ended}`),
      (error: unknown) => `its initialisation failed: ${error instanceof Error ? error.message : String(error)}`,
    )
    if (failure === null) {
      this.#set('ready', null)
      void this.#followSetup(instance)
      // An author at work may stop their process at a breakpoint.
      if (this.installation.source === 'package') heartbeat(instance.peer, gone)
      return
    }
    if (this.#instance === instance) this.#instance = undefined
    await instance.stop()
    if (!overtaken.aborted) this.#failed(failure)
  }

  /** `setup` works on its own, after the plugin is ready: when it fails, the status says so, and Runners go on without it. */
  async #followSetup(instance: Instance): Promise<void> {
    for (const pause of SETUP_LOOKS_MS) {
      await new Promise((resolve) => setTimeout(resolve, pause).unref())
      if (this.#instance !== instance || this.#state !== 'ready') return
      const setup = await instance.setup().catch(() => null)
      if (this.#instance !== instance || this.#state !== 'ready') return
      const message =
        setup?.state === 'failed' ? `its setup failed: ${setup.error ?? 'no reason given'}; its Runners go on` : null
      if (message !== this.#message) this.#say(message)
      if (setup?.state !== 'running') return
    }
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer)
    const instance = this.#instance
    this.#instance = undefined
    if (instance === undefined) return
    const how = await instance.stop()
    this.#options.gone(instance.peer, 'the plugin was stopped')
    this.#options.logger.info({ plugin_id: this.installation.plugin_id }, `Plugin ${how}`)
  }

  /** It went by itself: its runs end now, and it is started again after a pause. */
  #gone(instance: Instance, how: string): void {
    if (this.#instance !== instance) return
    this.#instance = undefined
    // While it starts, whoever starts it sees to it.
    if (this.#state !== 'ready') return
    if (this.#options.clock.now() - this.#since > HEALTHY_MS) this.#failures = 0
    this.#options.gone(instance.peer, how)
    // At once: runs that come now wait for the next start, and are not refused.
    this.#set('backing_off', how)
    const stops = this.#stops
    void this.#queue(async () => {
      await instance.stop()
      // Somebody may have stopped it, or started it again, meanwhile.
      if (this.#stops === stops && this.#instance === undefined && this.#state === 'backing_off') this.#failed(how)
    })
  }

  #failed(why: string): void {
    // Its process is its author's: only they can start it again.
    if (this.installation.source === 'debug') {
      this.#set('stopped', `the debug connection is gone (${why}); start the plugin again to connect`)
      return
    }
    this.#failures++
    const { plugin_id } = this.installation
    this.#options.logger.warn({ plugin_id }, `Plugin ${plugin_id}: ${why}`)
    if (this.#failures >= CIRCUIT) {
      this.#set(
        'failed',
        `${why}. It failed ${this.#failures} times in a row and is not started again by itself; run: runbound plugin restart ${plugin_id}`,
      )
      return
    }
    const pause = (PAUSES[Math.min(this.#failures - 1, PAUSES.length - 1)] ?? 60_000) * (0.8 + Math.random() * 0.4)
    this.#set('backing_off', `${why}; the next start is in ${Math.ceil(pause / 1000)} s`)
    this.#timer = setTimeout(() => {
      this.#restarts++
      void this.start()
    }, pause).unref()
  }

  #set(state: PluginState, message: string | null): void {
    this.#state = state
    this.#since = this.#options.clock.now()
    this.#wake()
    this.#say(message)
  }

  #say(message: string | null): void {
    this.#message = message
    this.#options.changed(this.status)
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Work that a stop overtakes, also before its turn: then it is not begun. */
  #attempt(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const stops = this.#stops
    return this.#queue(async () => {
      if (this.#removed || this.#stops !== stops) return
      const current = new AbortController()
      this.#current = current
      try {
        await work(current.signal)
      } finally {
        if (this.#current === current) this.#current = undefined
      }
    })
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#work.then(work, work)
    this.#work = next.catch(() => undefined)
    return next
  }
}

/** The same promise, but rejected at the abort: whoever does not listen to signals holds nobody up. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function startable({ enabled, approved }: Installation): boolean {
  return enabled && approved
}

const STOPPING: NoPlace = { code: 'shutting_down', message: 'The host is stopping.' }

const DOWN = Symbol.for('runbound.plugin-down')

/** The plugin can't be called: the run fails before it has begun. */
export class PluginDown extends Error {
  readonly [DOWN] = true

  static is(value: unknown): value is PluginDown {
    return typeof value === 'object' && value !== null && (value as { [DOWN]?: unknown })[DOWN] === true
  }
}
