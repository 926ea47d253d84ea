/** A message to a Runner in a Node plugin and its durable reply, through the http platform: latency, rate, 1,000 conversations. */
import type { Bench, BenchOptions } from './bench.ts'
import { type Bed, startBed } from './driver/bed.ts'
import type { Load } from './driver/caller.ts'
import { profiled } from './driver/profile.ts'
import { median } from './driver/statistics.ts'
import { atLeast, atMost, exactly, type Row, row } from './row.ts'

/** Rounds of host and relay in turn, so that a busy machine slows both. */
const ROUNDS = 7
const PER_ROUND = 30
/** After a reply the host still ends the run; the reference's driver pauses too (150 ms). */
const PAUSE_MS = 20
const UNTIL_WARM_S = 8
const LOAD_S = 4

export const messages: Bench = {
  name: 'messages',
  about: 'message -> Runner in a Node plugin -> durable reply, over http; NORMAL and FULL',
  run: async (options) => [...(await measure('normal', options)), ...(await measure('full', options))],
}

async function measure(synchronous: 'normal' | 'full', options: BenchOptions): Promise<readonly Row[]> {
  const bed = await startBed(synchronous)
  const suffix = synchronous.toUpperCase()
  try {
    options.note(`${suffix}: warming`)
    await load(bed, 'warm', 'host', { seconds: UNTIL_WARM_S })
    await load(bed, 'warm', 'relay', { seconds: 1 })
    const latency = await oneAtATime(bed, options)
    const rates = await atOnce(bed, synchronous === 'normal' ? options : { ...options, profileFile: null })
    const burst = await manyConversations(bed, options)
    const full = synchronous === 'full'
    return [
      row({
        name: `message overhead p50 ${suffix}`,
        unit: 'ms',
        ...latency,
        ...(full ? {} : { bar: atMost(3, 'ms') }),
      }),
      row({
        name: `message rate, 32 conversations ${suffix}`,
        unit: '/s',
        ours: rates.host,
        raw: rates.relay,
        ...(full ? {} : { bar: atLeast(500, '/s') }),
        note: `p50 ${rates.p50.toFixed(1)} ms, p99 ${rates.p99.toFixed(1)} ms; yardstick: the bare relay`,
      }),
      row({ name: `message rate by /sync, 32 conversations ${suffix}`, unit: '/s', ours: rates.sync }),
      row({
        name: `host CPU per message ${suffix}`,
        unit: 'ms',
        ours: rates.cpuMs,
        raw: rates.relayCpuMs,
        note: 'yardstick: CPU of the bare relay; less moved by a busy machine than the rate is',
      }),
      row({
        name: `errors at 1,000 conversations ${suffix}`,
        unit: 'count',
        ours: burst.errors,
        bar: exactly(0),
        note: `${burst.messages} answered, ${burst.perSecond.toFixed(0)}/s, p99 ${burst.p99.toFixed(0)} ms${burst.firstError === null ? '' : `; first error: ${burst.firstError}`}`,
      }),
    ]
  } finally {
    await bed.stop()
  }
}

/** Overhead: what the host takes beyond the relay, as the median over the rounds. */
async function oneAtATime(bed: Bed, options: BenchOptions) {
  options.note('one at a time')
  const over: number[] = []
  const own: number[] = []
  const bare: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const one = async (boundary: Bed['relay']) =>
      median(
        await bed.caller.call('oneByOne', { boundary, session: `one-${round}`, count: PER_ROUND, pauseMs: PAUSE_MS }),
      )
    const relay = await one(bed.relay)
    const host = await one(bed.echo('callback'))
    own.push(host)
    bare.push(relay)
    over.push(host - relay)
  }
  return {
    ours: median(over),
    raw: median(bare),
    note: `POST to callback ${median(own).toFixed(2)} ms; the bare relay (raw) is taken off`,
  }
}

async function atOnce(bed: Bed, options: BenchOptions) {
  options.note('32 conversations')
  const host: Load[] = []
  const relay: number[] = []
  const cpu: { readonly host: number; readonly relay: number }[] = []
  await profiled(options, bed.host, async () => {
    for (let round = 0; round < 3; round++) {
      const bare = await cpuOf(
        () => bed.relayProcess.call('cpu', null),
        () => load(bed, `r${round}`, 'relay', { seconds: 1 }),
      )
      const own = await cpuOf(
        () => bed.host.call('cpu', null),
        () => load(bed, `r${round}`, 'host', { seconds: LOAD_S }),
      )
      host.push(own.load)
      relay.push(bare.load.perSecond)
      cpu.push({ host: own.cpuMs, relay: bare.cpuMs })
    }
  })
  const sync = await load(bed, 'sync', 'sync', { seconds: LOAD_S })
  const of = (pick: (one: Load) => number) => median(host.map(pick))
  return {
    host: of((one) => one.perSecond),
    p50: of((one) => one.p50),
    p99: of((one) => one.p99),
    relay: median(relay),
    sync: sync.perSecond,
    cpuMs: median(cpu.map((one) => one.host)),
    relayCpuMs: median(cpu.map((one) => one.relay)),
  }
}

/** A load and what a process spent on each of its messages. */
async function cpuOf(cpu: () => Promise<number>, work: () => Promise<Load>) {
  const before = await cpu()
  const done = await work()
  if (done.firstError !== null) throw new Error(`a message failed: ${done.firstError}`)
  return { load: done, cpuMs: ((await cpu()) - before) / done.messages }
}

async function manyConversations(bed: Bed, options: BenchOptions): Promise<Load> {
  options.note('1,000 conversations')
  return load(bed, 'burst', 'host', { conversations: 1_000, seconds: 3_600, messages: 3_000 })
}

function load(
  bed: Bed,
  session: string,
  to: 'host' | 'relay' | 'sync',
  {
    conversations = 32,
    seconds,
    messages = Number.POSITIVE_INFINITY,
  }: { readonly conversations?: number; readonly seconds: number; readonly messages?: number },
): Promise<Load> {
  const boundary = to === 'relay' ? bed.relay : bed.echo(to === 'sync' ? 'sync' : 'callback')
  return bed.caller.call('load', { boundary, session: `${session}-${to}`, conversations, seconds, messages })
}
