/** One round: a fresh host under load, killed again and again on the same folder, then left to finish, then judged. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Oracle, spawnOracle } from '@runbound/platform-kit/oracle'
import type { HostTask } from './host.ts'
import { judge, type Verdict } from './judge.ts'
import { KilledHost } from './killed-host.ts'
import { type LoadOptions, planLoad, type Spoken } from './load.ts'
import type { Point } from './points.ts'
import { packPlugin, RUNTIME } from './runtime.ts'
import type { Random } from './seed.ts'
import { inFlight, readStored } from './stored.ts'

/** `after`: so many milliseconds after the host was started. `point`: when it is reached for the n-th time. */
export type Kill = { readonly after: number } | { readonly point: Point; readonly nth: number }

export interface RoundOptions extends LoadOptions {
  readonly random: Random
  readonly kills: readonly Kill[]
  /** Whether the plugin runs in the host or in a process of its own. */
  readonly plugin: 'inline' | 'node'
  /** Leaves the folder for a look. */
  readonly keep: boolean
  readonly say: (line: string) => void
}

/** A point that is not reached in this time is given up: then the host is killed wherever it is. */
const POINT_MS = 5_000
/** How long everything may take to settle after the last kill. */
const SETTLE_MS = 180_000
/** A plugin process that its host leaves behind is gone after this time. */
const ORPHAN_MS = 5_000

export async function runRound(options: RoundOptions): Promise<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), 'runbound-kill-'))
  const oracle = await spawnOracle(folder)
  try {
    return await round(options, folder, oracle)
  } finally {
    await oracle.stop()
    if (options.keep) options.say(`  kept: ${folder}`)
    else rmSync(folder, { recursive: true, force: true })
  }
}

async function round(options: RoundOptions, folder: string, oracle: Oracle): Promise<Verdict> {
  const { random, kills, plugin, say } = options
  const data = join(folder, 'data')
  const packed = plugin === 'node' ? packPlugin(join(folder, 'packed')) : null
  const start = (kill: Kill | undefined): KilledHost => {
    const die = kill !== undefined && 'point' in kill ? kill : null
    const task: HostTask = {
      folder: data,
      port: oracle.port,
      plugin: packed,
      runtime: packed === null ? null : RUNTIME,
      die,
    }
    return new KilledHost(task)
  }
  const load = planLoad(random, options)
  const flying: ReadonlySet<string>[] = []
  const orphans: string[] = []

  let host = start(kills[0])
  const { bots } = await host.ready()
  const speaking = speak(oracle, load, bots)
  for (const [index, kill] of kills.entries()) {
    const pid = await killed(host, kill, index === 0)
    if (pid !== null && !(await gone(pid))) orphans.push(`Plugin process ${pid} outlived its host.`)
    const stored = await readStored(data)
    flying.push(inFlight(stored))
    say(`  kill ${index + 1}: ${killText(kill)}; ${inFlight(stored).size} sends in flight`)
    host = start(kills[index + 1])
  }
  const { bots: known } = await host.ready()
  await settled(host, speaking, oracle)
  await host.stop()
  const verdict = judge({
    load,
    log: await oracle.log(),
    stored: await readStored(data),
    inFlight: flying,
    bots: known,
  })
  return { ...verdict, faults: [...verdict.faults, ...orphans, ...(await broken(oracle, known))] }
}

/** Kills the host as planned; resolves with the pid of its plugin process, where it had one that is known. */
async function killed(host: KilledHost, kill: Kill, running: boolean): Promise<number | null> {
  const pid = host.ready().then(
    ({ pluginPid }) => pluginPid,
    () => null,
  )
  if ('after' in kill) await host.goneWithin(kill.after)
  else {
    if (!running) await Promise.race([host.ready().catch(() => undefined), host.goneWithin(SETTLE_MS)])
    await host.goneWithin(POINT_MS)
  }
  await host.kill()
  return pid
}

/** Says everything at its time. Resolves once hosts have accepted all of it. */
async function speak(oracle: Oracle, load: readonly Spoken[], bots: Readonly<Record<string, string>>): Promise<void> {
  const began = performance.now()
  const accepted: Promise<unknown>[] = []
  for (const { tag, bot, sender, group, dedupe_key, at, repeated } of load) {
    const left = began + at - performance.now()
    if (left > 0) await wait(left)
    const said = { sender, dedupe_key, ...(group === null ? {} : { group }) }
    const call = () => oracle.control.call('say', { bot_uuid: bots[bot] ?? '', text: tag, said })
    accepted.push(call())
    if (repeated) accepted.push(call())
  }
  await Promise.all(accepted)
}

async function settled(host: KilledHost, speaking: Promise<void>, oracle: Oracle): Promise<void> {
  const until = performance.now() + SETTLE_MS
  const late = wait(SETTLE_MS, 'late', { ref: false })
  if ((await Promise.race([speaking, late])) === 'late') throw new Error('Not every message was accepted in time.')
  for (;;) {
    const left = await host.left()
    if (left === undefined) throw new Error('The last host ended by itself.')
    if (left.rows + left.runs + left.parts === 0) return
    if (performance.now() > until)
      throw new Error(
        `Not settled: ${left.rows} rows, ${left.runs} runs, ${left.parts} parts are open (log of the platform: ${oracle.logFile}).`,
      )
    await wait(100)
  }
}

async function gone(pid: number): Promise<boolean> {
  for (const until = performance.now() + ORPHAN_MS; performance.now() < until; await wait(20)) {
    try {
      process.kill(pid, 0)
    } catch {
      return true
    }
  }
  return false
}

/** Rules of the platform that hosts broke. */
async function broken(oracle: Oracle, bots: Readonly<Record<string, string>>): Promise<string[]> {
  const states = await Promise.all(Object.values(bots).map((bot_uuid) => oracle.control.call('state', { bot_uuid })))
  return states.flatMap(({ violations }) => violations.map((violation) => `The platform was misused: ${violation}.`))
}

const killText = (kill: Kill): string =>
  'after' in kill ? `${kill.after} ms after its start` : `at ${kill.point} (${kill.nth})`
