/** Memory: the idle host, what messages leave behind, an inline plugin, a plugin process cold and warm. */
import { join } from 'node:path'
import type { Bench, BenchOptions } from './bench.ts'
import { type Bed, startBed, startHostProcess } from './driver/bed.ts'
import type { Child } from './driver/child.ts'
import { removeFolder, temporaryFolder } from './driver/folders.ts'
import type { HostCommands } from './driver/host-process.ts'
import { memoryOf, type ProcessMemory, processTree } from './driver/processes.ts'
import { slope } from './driver/statistics.ts'
import { startCommand } from './ready.ts'
import { atMost, type Row, row } from './row.ts'

const INLINE = 20
const CONVERSATIONS = 32
/** Samples along the messages. */
const SAMPLES = 10

export const memory: Bench = {
  name: 'memory',
  about: 'memory: idle host, growth over messages (--long: 100,000), inline plugin, plugin process',
  async run(options) {
    return [await idleHost(options), await inlinePlugin(options), ...(await underMessages(options))]
  },
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function idleHost({ note }: BenchOptions): Promise<Row> {
  note('idle host')
  const folder = temporaryFolder()
  const at = { data: join(folder, 'data'), cache: join(folder, 'cache') }
  try {
    await (await startCommand(at)).stop()
    const host = await startCommand(at)
    await pause(3_000)
    const found = memoryOf(host.pid)
    await host.stop()
    if (found === undefined) throw new Error('the host is gone')
    return row({
      name: 'host, idle',
      unit: 'MiB',
      ours: found.rssMiB,
      bar: atMost(120, 'MiB'),
      note: `RSS; PSS ${found.pssMiB.toFixed(0)} MiB`,
    })
  } finally {
    removeFolder(folder)
  }
}

async function inlinePlugin({ note }: BenchOptions): Promise<Row> {
  note('inline plugins')
  const folder = temporaryFolder()
  const host = startHostProcess()
  try {
    await host.call('start', { folder: join(folder, 'data'), synchronous: 'normal' })
    const names = (from: number) => Array.from({ length: INLINE }, (_, index) => `inline-${from + index}`)
    // The first ones pay for code that all share.
    await host.call('inline', { names: names(0) })
    const before = await settled(host)
    await host.call('inline', { names: names(INLINE) })
    const after = await settled(host)
    return row({
      name: 'inline plugin',
      unit: 'MiB',
      ours: (after.rssMiB - before.rssMiB) / INLINE,
      bar: atMost(5, 'MiB'),
      note: `RSS of ${INLINE} more, each; heap ${((after.heapMiB - before.heapMiB) / INLINE).toFixed(2)} MiB each`,
    })
  } finally {
    await host.stop()
    removeFolder(folder)
  }
}

async function settled(host: Child<HostCommands>) {
  await pause(500)
  await host.call('memory', null)
  return host.call('memory', null)
}

async function underMessages(options: BenchOptions): Promise<readonly Row[]> {
  const bed = await startBed()
  try {
    options.note('plugin process')
    const cold = nodeBelow(bed.pluginPid)
    const { pid } = await bed.host.call('restart', { installation_uuid: bed.installation })
    await pause(1_000)
    const warm = nodeBelow(pid)
    const total = options.long ? 100_000 : 10_000
    const points: { x: number; y: number; heap: number }[] = []
    // The first messages fill caches and let the engine compile; they are no growth.
    await load(bed, 0, total / 5)
    for (let sample = 0; sample <= SAMPLES; sample++) {
      if (sample > 0) await load(bed, sample, total / SAMPLES)
      options.note(`${(sample * total) / SAMPLES} of ${total} messages`)
      const { rssMiB, heapMiB } = await settled(bed.host)
      points.push({ x: (sample * total) / SAMPLES / 10_000, y: rssMiB, heap: heapMiB })
    }
    const heap = slope(points.map(({ x, heap: y }) => ({ x, y })))
    return [
      row({
        name: 'plugin process, cold',
        unit: 'MiB',
        ours: cold.rssMiB,
        bar: atMost(65, 'MiB'),
        note: `RSS, nothing in its compile cache; PSS ${cold.pssMiB.toFixed(0)} MiB`,
      }),
      row({
        name: 'plugin process, warm',
        unit: 'MiB',
        ours: warm.rssMiB,
        bar: atMost(50, 'MiB'),
        note: `RSS, from its compile cache; PSS ${warm.pssMiB.toFixed(0)} MiB`,
      }),
      row({
        name: 'host growth per 10,000 messages',
        unit: 'MiB',
        ours: slope(points),
        bar: atMost(1, 'MiB'),
        note: `RSS after collections over ${total} messages, from ${points[0]?.y.toFixed(0)} to ${points.at(-1)?.y.toFixed(0)} MiB; heap ${heap.toFixed(2)} MiB${options.long ? '' : '; --long: 100,000'}`,
      }),
    ]
  } finally {
    await bed.stop()
  }
}

/** The plugin's own Node, below the wall that wraps it. */
function nodeBelow(pid: number): ProcessMemory {
  const node = processTree(pid)
    .filter(({ command }) => command[0]?.endsWith('/node'))
    .at(-1)
  if (node === undefined) throw new Error(`there is no Node below ${pid}`)
  return node
}

async function load(bed: Bed, sample: number, messages: number): Promise<void> {
  const boundary = bed.echo('callback')
  const done = await bed.caller.call('load', {
    boundary,
    session: `memory-${sample}`,
    conversations: CONVERSATIONS,
    seconds: 3_600,
    messages,
  })
  if (done.firstError !== null) throw new Error(`a message failed: ${done.firstError}`)
}
