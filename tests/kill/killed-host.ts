/** The parent's side of one host process: starting it, waiting for it, killing it. */
import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { HostSays, HostTask } from './host.ts'

const HOST = fileURLToPath(new URL('./host.ts', import.meta.url))
/** A start on a busy machine, with a recovery of everything. */
const READY_MS = 60_000

export class KilledHost {
  readonly #child: ChildProcess
  readonly #exited: Promise<string>
  readonly #ready: Promise<Extract<HostSays, { says: 'ready' }>>

  constructor(task: HostTask) {
    this.#child = fork(HOST, [JSON.stringify(task)], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.#exited = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    })
    this.#ready = this.#heard('ready')
    this.#ready.catch(() => undefined)
  }

  /** Resolves once the host has started. Rejects when it ends before, or takes too long. */
  ready(): Promise<Extract<HostSays, { says: 'ready' }>> {
    return this.#ready
  }

  /** Waits until the process is gone; false when it is still there after this time. */
  async goneWithin(ms: number): Promise<boolean> {
    const still = Symbol('still there')
    return (await Promise.race([this.#exited, wait(ms, still, { ref: false })])) !== still
  }

  /** Ends it by SIGKILL. Rejects when it ended in another way: then it is a crash, and no kill. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    const how = await this.#exited
    if (how !== 'SIGKILL') throw new Error(`The host ended by itself: ${how}.`)
  }

  /** What is not settled; undefined when the host does not answer. */
  async left(): Promise<Extract<HostSays, { says: 'left' }> | undefined> {
    const answer = this.#heard('left')
    this.#child.send('left?')
    return answer.catch(() => undefined)
  }

  async stop(): Promise<void> {
    if (this.#child.connected) this.#child.send('stop')
    if (!(await this.goneWithin(30_000))) this.#child.kill('SIGKILL')
    const how = await this.#exited
    if (how !== 'exit code 0') throw new Error(`The host did not stop cleanly: ${how}.`)
  }

  #heard<S extends HostSays['says']>(says: S): Promise<Extract<HostSays, { says: S }>> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer)
        this.#child.off('message', listen)
      }
      const listen = (message: unknown): void => {
        const said = message as HostSays
        if (said.says !== says) return
        done()
        resolve(said as Extract<HostSays, { says: S }>)
      }
      const timer = setTimeout(() => {
        done()
        reject(new Error(`The host did not say "${says}" within ${READY_MS / 1000} s.`))
      }, READY_MS)
      this.#child.on('message', listen)
      void this.#exited.then((how) => {
        done()
        reject(new Error(`The host ended (${how}) before it said "${says}".`))
      })
    })
  }
}
