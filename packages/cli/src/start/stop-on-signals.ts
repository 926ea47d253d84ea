/** SIGTERM and SIGINT: the first one drains, the next one interrupts what still runs, a third one ends the process. */
import type { Host } from '@runbound/host'

/** npm, the shim and the terminal each pass one Ctrl-C on: what comes within this time is the same one. */
const SAME_MS = 500

/** As much of a host as is needed to stop it. */
export type Stoppable = Pick<Host, 'stop'> & { readonly runs: Pick<Host['runs'], 'running' | 'cancel'> }

/** How to stop; `drainMs` in milliseconds. */
export interface StopOptions {
  readonly drainMs: number
  /** Called at the first signal, before anything stops. */
  begin?(): void
  note(text: string): void
}

/** Resolves once the host has stopped because of a signal. */
export function stopOnSignals(host: Stoppable, options: StopOptions): Promise<void> {
  const { drainMs, note, begin } = options
  return new Promise((resolve, reject) => {
    let level = 0
    let last = 0
    const handle = (signal: NodeJS.Signals): void => {
      const now = performance.now()
      if (level > 0 && now - last < SAME_MS) return
      last = now
      level++
      if (level === 1) {
        begin?.()
        const running = host.runs.running().length
        note(
          running === 0
            ? `${signal}: stopping.`
            : `${signal}: draining, ${running} ${running === 1 ? 'run' : 'runs'} may take up to ${drainMs / 1000} s. Again to interrupt.`,
        )
        host.stop({ drainMs }).then(() => {
          for (const name of SIGNALS) process.off(name, handle)
          note('Stopped.')
          resolve()
        }, reject)
      } else if (level === 2) {
        note('Interrupting what still runs.')
        for (const runId of host.runs.running()) void host.runs.cancel(runId, { kind: 'host' }, 'the host stops')
      } else {
        process.exit(130)
      }
    }
    for (const name of SIGNALS) process.on(name, handle)
  })
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
