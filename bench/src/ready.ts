/** How long `runbound start` takes until it says that it is ready, and how much longer until Node plugins serve. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { CLI_KEY_FILE } from '@runbound/host'
import type { Bench } from './bench.ts'
import { startHostProcess } from './driver/bed.ts'
import { removeFolder, temporaryFolder } from './driver/folders.ts'
import { probePackage } from './driver/probe.ts'
import { median } from './driver/statistics.ts'
import { atMost, row } from './row.ts'

const MAIN = fileURLToPath(import.meta.resolve('runbound/main'))
const REPEATS = 5
const PLUGINS = 4

export const ready: Bench = {
  name: 'ready',
  about: '`runbound start` to ready, cold and warm; each Node plugin more',
  async run(options) {
    const cold: number[] = []
    const warm: number[] = []
    const folder = temporaryFolder()
    try {
      for (let repeat = 0; repeat < REPEATS; repeat++) {
        options.note(`start ${repeat + 1} of ${REPEATS}`)
        // Cold: a new data folder and nothing in the compile cache. The files of this machine stay in its page cache.
        const at = { data: join(folder, `data-${repeat}`), cache: join(folder, `cache-${repeat}`) }
        for (const times of [cold, warm]) {
          const started = await startCommand(at)
          times.push(started.readyMs)
          await started.stop()
        }
      }
      const plugins = await withPlugins(folder, options.note)
      return [
        row({ name: 'ready from cold, no plugins', unit: 'ms', ours: median(cold), bar: atMost(1_000, 'ms') }),
        row({ name: 'ready again, no plugins', unit: 'ms', ours: median(warm), bar: atMost(1_000, 'ms') }),
        row({
          name: 'each Node plugin more',
          unit: 'ms',
          ours: plugins.each,
          bar: atMost(300, 'ms'),
          note: `${PLUGINS} plugins start at once; all serve after ${plugins.all.toFixed(0)} ms, the first after ${plugins.first.toFixed(0)} ms`,
        }),
      ]
    } finally {
      removeFolder(folder)
    }
  },
}

/** Starts of the same data folder with no plugin and with some; `each` is the difference for one. */
async function withPlugins(folder: string, note: (text: string) => void) {
  note('plugins')
  const at = { data: join(folder, 'plugins-data'), cache: join(folder, 'plugins-cache') }
  const bare = { data: join(folder, 'bare-data'), cache: at.cache }
  const host = startHostProcess({ NODE_COMPILE_CACHE: at.cache })
  await host.call('start', { folder: at.data, synchronous: 'normal' })
  for (let number = 0; number < PLUGINS; number++)
    await host.call('install', { path: probePackage(folder, `probe-${number}`) })
  await host.stop()
  await (await startCommand(bare)).stop()
  const all: number[] = []
  const first: number[] = []
  const each: number[] = []
  for (let repeat = 0; repeat < 3; repeat++) {
    const none = await startCommand(bare)
    const without = await none.serving(0)
    await none.stop()
    const started = await startCommand(at)
    first.push(await started.serving(1))
    const served = await started.serving(PLUGINS)
    await started.stop()
    all.push(served)
    each.push((served - without) / PLUGINS)
  }
  return { all: median(all), first: median(first), each: median(each) }
}

interface Started {
  readonly pid: number
  /** From the spawn to the ready line. */
  readonly readyMs: number
  /** Milliseconds from the spawn until that many package plugins serve. */
  serving(plugins: number): Promise<number>
  stop(): Promise<void>
}

/** The real command, on a free port. */
export async function startCommand(at: { readonly data: string; readonly cache: string }): Promise<Started> {
  const begin = performance.now()
  const child = spawn(
    process.execPath,
    [MAIN, 'start', '--json', '--data', at.data, '--port', '0', '--log-level', 'error'],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_COMPILE_CACHE: at.cache } },
  )
  const kill = () => child.kill('SIGKILL')
  process.on('exit', kill)
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await readyLine(child)
  const readyMs = performance.now() - begin
  return {
    pid: child.pid ?? 0,
    readyMs,
    async serving(plugins) {
      const key = readFileSync(join(at.data, CLI_KEY_FILE), 'utf8').trim()
      for (;;) {
        const answer = await fetch(`${url}/api/v1/status`, { headers: { authorization: `Bearer ${key}` } })
        const status: { plugins: { source: string; state: string }[] } = JSON.parse(await answer.text())
        const serve = status.plugins.filter(({ source, state }) => source === 'package' && state === 'ready').length
        if (serve >= plugins) return performance.now() - begin
        if (performance.now() - begin > 60_000) throw new Error(`${serve} of ${plugins} plugins serve after 60 s`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    async stop() {
      child.kill('SIGTERM')
      await gone
      process.off('exit', kill)
    },
  }
}

function readyLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.on('data', (chunk) => {
      said += chunk
    })
    child.once('exit', (code) => reject(new Error(`runbound start ended with ${code}: ${said}`)))
    if (child.stdout === null) return
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { event, url } = JSON.parse(line)
      if (event === 'ready') resolve(url)
    })
  })
}
