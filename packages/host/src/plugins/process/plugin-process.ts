/** One life of one plugin process: started, registered, initialised, asked to stop, ended with its whole tree. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import type { Peer, RequestHandler } from '@runbound/link'
import { stdioTransport } from '@runbound/link/stdio'
import { type JsonObject, WireError } from '@runbound/protocol'
import type { LogBuffer } from '../log-buffer.ts'
import { type Registration, register } from '../registration.ts'
import { setupStateOf } from '../setup-state.ts'
import type { SetupState } from '../supervised.ts'
import { pluginEnvironment } from './environment.ts'
import type { Wall } from './isolation.ts'
import type { Limiter } from './limits.ts'
import type { NodeCommand } from './node-command.ts'

/** Milliseconds. The SDK gives `dispose` five seconds, and its answer has to arrive after that. Registering takes a module load; initialising may reach out to the author's services. */
export const PROCESS_TIMES = { register: 30_000, initialise: 60_000, shutdown: 6_500, exit: 2_000 } as const

export interface ProcessOptions {
  readonly name: string
  readonly node: NodeCommand
  readonly wall: Wall
  readonly limiter: Limiter
  readonly mark: string
  readonly home: string
  readonly cache: string
  readonly log: LogBuffer
  readonly now: () => number
  /** Checks the container that it registers with. Throws a WireError that says what does not fit. */
  check(registration: Registration): void
  readonly request: RequestHandler
  /** Aborting ends a start in work. */
  readonly signal?: AbortSignal
}

export class PluginProcess {
  readonly pid: number | null
  readonly peer: Peer
  readonly registration: Registration
  /** Resolves when the process has ended, with how. */
  readonly ended: Promise<string>
  #child: ChildProcess
  #options: ProcessOptions

  private constructor(
    child: ChildProcess,
    peer: Peer,
    registration: Registration,
    ended: Promise<string>,
    options: ProcessOptions,
  ) {
    this.#child = child
    this.#options = options
    this.pid = child.pid ?? null
    this.peer = peer
    this.registration = registration
    this.ended = ended
  }

  /** Starts and waits for the registration. Rejects with one readable sentence; then nothing of it runs any more. */
  static async start(options: ProcessOptions): Promise<PluginProcess> {
    const capability = randomBytes(48).toString('base64url')
    for (const folder of [options.home, options.cache]) mkdirSync(folder, { recursive: true, mode: 0o700 })
    const environment = pluginEnvironment({
      capability,
      home: options.home,
      tmp: options.wall.kind === 'none' ? options.home : '/tmp',
      compileCache: options.cache,
      mark: options.mark,
    })
    const [file = '', ...args] = options.limiter.wrap(
      options.wall.wrap(options.node.command, { ...options.node.mounts, environment }),
    )
    const began = options.now()
    // Its own process group, so that the tree can be ended where there is no pid namespace.
    const child = spawn(file, args, {
      cwd: options.node.mounts.workingFolder,
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    })
    const ended = endOf(child)
    drain(child, options)
    if (child.pid !== undefined) adopt(options, child.pid)
    const abort = () => killTree(child)
    if (options.signal?.aborted === true) abort()
    options.signal?.addEventListener('abort', abort, { once: true })
    try {
      const { peer, registration } = await register({
        transport: stdioTransport({ input: need(child.stdout), output: need(child.stdin) }),
        timeoutMs: PROCESS_TIMES.register,
        accept(registration) {
          if (!sameText(registration.capability, capability))
            throw new WireError(
              'permission_denied',
              'The registration capability is not the one that this process was started with.',
            )
          options.check(registration)
        },
        request: options.request,
        onNoise: (text) => options.log.add('info', text, options.now()),
        onFault: (fault) => options.log.add('warning', `link: ${fault.kind}: ${fault.detail}`, options.now()),
      })
      return new PluginProcess(child, peer, registration, ended, options)
    } catch (error) {
      // A process that ends by itself says more than the broken connection does.
      const how = await Promise.race([ended, later(PROCESS_TIMES.exit)])
      killTree(child)
      await ended
      if (options.signal?.aborted === true) throw options.signal.reason
      throw new Error(ownWords(options.log, began) ?? [why(error), how].filter((part) => part !== undefined).join('; '))
    } finally {
      options.signal?.removeEventListener('abort', abort)
    }
  }

  async initialise(settings: JsonObject, signal?: AbortSignal): Promise<void> {
    await this.peer.call(
      'initialize_plugin',
      { plugin_settings: settings },
      { timeoutMs: PROCESS_TIMES.initialise, ...(signal === undefined ? {} : { signal }) },
    )
  }

  setup(): Promise<SetupState | null> {
    return setupStateOf(this.peer)
  }

  /** Asks to stop, closes its input, then ends the tree. Says how it went; never rejects. */
  async stop(): Promise<string> {
    const polite = await this.peer
      .call('shutdown', {}, { timeoutMs: PROCESS_TIMES.shutdown })
      .then(() => 'stopped')
      .catch((error: unknown) => `stopped by force: ${error instanceof Error ? error.message : String(error)}`)
    await this.peer.close('the host stops this plugin')
    this.#child.stdin?.destroy()
    const ended = await Promise.race([this.ended, later(PROCESS_TIMES.exit)])
    killTree(this.#child)
    await this.ended
    this.#options.limiter.release(this.#options.name)
    return ended === undefined ? `${polite}; it did not end by itself and was killed` : polite
  }

  kill(): void {
    killTree(this.#child)
  }
}

/** What it said last before it ended: the author's error, with file and line. */
function ownWords(log: LogBuffer, since: number): string | undefined {
  const said = log.last(20).filter((line) => line.at >= since && line.level === 'error')
  return said.at(0)?.text.replace(/^\[ERROR\] /, '')
}

function why(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`it could not be started: ${error.message}`))
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`),
    )
  })
}

/** stderr is always read, or a chatty plugin would block on a full pipe. */
function drain(child: ChildProcess, options: ProcessOptions): void {
  child.stderr?.setEncoding('utf8')
  child.stderr?.on('data', (text: string) => options.log.write(text, options.now()))
  child.stderr?.on('error', () => undefined)
  child.on('error', () => undefined)
}

function adopt(options: ProcessOptions, pid: number): void {
  try {
    options.limiter.adopt(options.name, pid)
  } catch (error) {
    options.log.add(
      'warning',
      `its cgroup could not be set: ${error instanceof Error ? error.message : error}`,
      options.now(),
    )
  }
}

/** Ending bubblewrap ends its pid namespace; the group reaches children where there is none. */
function killTree(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

function need<T>(stream: T | null): T {
  if (stream === null) throw new Error('a pipe of the plugin process is missing')
  return stream
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function later(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined).unref())
}
