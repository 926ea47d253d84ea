/** Settings, `setup`, `onSettingsChanged` and `dispose` of one served plugin, in the order that authors are promised. */
import type { JsonObject } from '@runbound/protocol'
import type { PluginHost } from '../context/plugin-host.ts'
import type { PluginParts } from '../define/component.ts'
import { stackOf } from './error-text.ts'
import type { PluginLog } from './surroundings.ts'

/** How far `setup` is; shown in the plugin's container. */
export interface SetupState {
  readonly state: 'none' | 'running' | 'done' | 'failed'
  readonly error: string | null
}

/** How long `dispose`, and a `setup` that was told to end, are waited for, in milliseconds. */
const PATIENCE_MS = 5000

/** One served plugin's life. */
export class Lifecycle {
  readonly #spec: PluginParts
  readonly #log: PluginLog
  readonly #host: PluginHost
  readonly #name: string
  #settings: JsonObject | undefined
  #setup: { readonly controller: AbortController; readonly done: Promise<void> } | undefined
  #state: SetupState = { state: 'none', error: null }
  #changes: Promise<void> = Promise.resolve()
  #stopped: Promise<void> | undefined

  constructor(spec: PluginParts, host: PluginHost, log: PluginLog) {
    this.#spec = spec
    this.#host = host
    this.#log = log
    this.#name = `${spec.author}/${spec.name}`
  }

  /** The settings as they are now, frozen; undefined before the first. */
  get settings(): JsonObject | undefined {
    return this.#settings
  }

  get setup(): SetupState {
    return this.#state
  }

  /** Takes settings: the first start `setup`, later ones tell the author. Nothing of the author's is waited for. */
  configure(settings: JsonObject): void {
    const first = this.#settings === undefined
    this.#settings = deepFreeze(settings)
    if (this.#stopped !== undefined) return
    if (first) this.#start(Promise.resolve())
    else if (this.#spec.onSettingsChanged === undefined) this.#restart()
    else this.#tell(this.#settings)
  }

  /** Ends `setup` and calls `dispose` once; resolves when that is through or has taken too long. Never rejects. */
  stop(why: string): Promise<void> {
    this.#stopped ??= this.#stop(why)
    return this.#stopped
  }

  async #stop(why: string): Promise<void> {
    this.#setup?.controller.abort(new Error(why))
    if (this.#spec.dispose === undefined) return
    const dispose = async (): Promise<void> => this.#spec.dispose?.()
    await this.#atMost(
      'dispose',
      this.#guarded('dispose', dispose).then(() => {}),
    )
  }

  /** Waits for author's code, but not for ever. */
  async #atMost(what: string, done: Promise<void>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), PATIENCE_MS)
    })
    if ((await Promise.race([done, late])) === 'late') {
      this.#log('warning', `${this.#name}: ${what} did not end within ${PATIENCE_MS / 1000} s and is not waited for.`)
    }
    clearTimeout(timer)
  }

  /** One change after the other, each with the settings of its own. */
  #tell(settings: JsonObject): void {
    const call = async (): Promise<void> => this.#spec.onSettingsChanged?.(settings)
    this.#changes = this.#changes.then(async () => {
      await this.#guarded('onSettingsChanged', call)
    })
  }

  #restart(): void {
    const old = this.#setup
    old?.controller.abort(new Error('The settings have changed; setup starts again.'))
    this.#start(this.#atMost('setup', old?.done ?? Promise.resolve()))
  }

  /** Starts `setup` once `after` is through, in its own turn: the answer to the host goes out first. */
  #start(after: Promise<void>): void {
    const controller = new AbortController()
    const { setup } = this.#spec
    if (setup === undefined) return
    this.#state = { state: 'running', error: null }
    const done = after.then(async () => {
      if (controller.signal.aborted) return
      const failure = await this.#guarded('setup', async () =>
        setup.call(this.#spec, this.#host, { signal: controller.signal }),
      )
      if (controller.signal.aborted) return
      this.#state = failure === undefined ? { state: 'done', error: null } : { state: 'failed', error: failure }
    })
    this.#setup = { controller, done }
  }

  /** Runs author's code; a throw goes to the log, its message is given back. */
  async #guarded(what: string, run: () => Promise<void>): Promise<string | undefined> {
    try {
      await run()
      return undefined
    } catch (error) {
      this.#log('error', `${this.#name}: ${what} failed: ${stackOf(error)}`)
      return error instanceof Error ? error.message : String(error)
    }
  }
}

/** Freezes settings through and through: they are shared by all runs of the plugin. */
function deepFreeze(value: JsonObject): JsonObject {
  for (const item of Object.values(value)) if (typeof item === 'object' && item !== null) deepFreeze(item as JsonObject)
  return Object.freeze(value)
}
