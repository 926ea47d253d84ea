/** Everything that a bench of messages needs, as processes of their own: host with probe plugin, caller, bare relay. */
import { join } from 'node:path'
import type { Boundary, CallerCommands } from './caller.ts'
import { type Child, startChild } from './child.ts'
import { removeFolder, temporaryFolder } from './folders.ts'
import type { HostCommands } from './host-process.ts'
import { probePackage, runnerId } from './probe.ts'
import type { RelayCommands } from './relay.ts'

const SECRET = 'bench-secret'
const file = (name: string): string => join(import.meta.dirname, name)

export interface Bed {
  readonly host: Child<HostCommands>
  readonly caller: Child<CallerCommands>
  /** The probe's root process. */
  readonly pluginPid: number
  readonly installation: string
  /** Bots of the probe's two Runners. */
  echo(way: Boundary['way']): Boundary
  readonly calls: Boundary
  readonly relay: Boundary
  /** The relay's own process. */
  readonly relayProcess: Child<RelayCommands>
  stop(): Promise<void>
}

/** Starts the host process alone, on a folder that the caller owns. */
export function startHostProcess(env: NodeJS.ProcessEnv = {}): Child<HostCommands> {
  return startChild<HostCommands>(file('host-process.ts'), { execArgv: ['--expose-gc'], env })
}

/** Starts all of it. */
export async function startBed(synchronous: 'normal' | 'full' = 'normal'): Promise<Bed> {
  const folder = temporaryFolder()
  const host = startHostProcess()
  const caller = startChild<CallerCommands>(file('caller.ts'))
  const relay = startChild<RelayCommands>(file('relay.ts'))
  async function stop(): Promise<void> {
    await Promise.all([host.stop(), caller.stop(), relay.stop()])
    removeFolder(folder)
  }
  try {
    const callback = await caller.call('listen', null)
    const url = await host.call('start', { folder: join(folder, 'data'), synchronous })
    const { installation_uuid, pid } = await host.call('install', { path: probePackage(folder) })
    const bot = async (name: 'echo' | 'calls') =>
      `${url}/bots/${await host.call('bot', { name, runner_id: runnerId(name), secret: SECRET, callback })}`
    const echo = await bot('echo')
    const calls = await bot('calls')
    const relayUrl = await relay.call('start', { callback })
    return {
      host,
      caller,
      pluginPid: pid,
      installation: installation_uuid,
      echo: (way) => ({ url: echo, secret: SECRET, way }),
      calls: { url: calls, secret: SECRET, way: 'callback' },
      relay: { url: relayUrl, secret: SECRET, way: 'callback' },
      relayProcess: relay,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
