/** Host API calls of a Node plugin against the raw echo, in alternating pairs: 100 B calls, and 1 MiB through plugin storage. */
import type { Bench, BenchOptions } from './bench.ts'
import { type Bed, startBed } from './driver/bed.ts'
import { profiled } from './driver/profile.ts'
import { type RawEcho, rawRate, startRawEcho } from './driver/raw-echo.ts'
import { median } from './driver/statistics.ts'
import { type Row, row, shareOfRaw } from './row.ts'

/** So many small calls until the engines of both sides have compiled what they will: the rate rises five-fold meanwhile. */
const WARM_CALLS = 30_000

interface Case {
  readonly name: string
  readonly op: string
  readonly bytes: number
  readonly atOnce: number
  readonly count: number
  readonly bar: number
}

const SMALL: readonly Case[] = [
  { name: 'no-op', op: 'version', bar: [0.8, 0.8] },
  { name: 'state_get', op: 'state_get', bar: [0.5, 0.5] },
  { name: 'state_set', op: 'state_set', bar: [0.35, 0.4] },
].flatMap(({ name, op, bar: [one = 0, many = 0] }) => [
  { name: `${name} 100 B, in sequence`, op, bytes: 100, atOnce: 1, count: 1_500, bar: one },
  { name: `${name} 100 B, 32 out`, op, bytes: 100, atOnce: 32, count: 6_000, bar: many },
])
const LARGE: readonly Case[] = ['set', 'get'].map((what) => ({
  name: `plugin storage ${what} 1 MiB`,
  op: `storage_${what}`,
  bytes: 1 << 20,
  atOnce: 1,
  count: 4,
  bar: 0.4,
}))

export const calls: Bench = {
  name: 'calls',
  about: 'host API calls from a Node plugin, 100 B, against the raw echo',
  run: (options) => withBed(SMALL, options),
}

export const storage: Bench = {
  name: 'storage',
  about: '1 MiB through plugin storage, against the raw echo',
  run: (options) => withBed(LARGE, options),
}

async function withBed(cases: readonly Case[], options: BenchOptions): Promise<readonly Row[]> {
  const bed = await startBed()
  const raw = startRawEcho()
  try {
    // What `get` reads.
    await ownRate(bed, { name: '', op: 'state_set', bytes: 100, atOnce: 1, count: 1, bar: 0 })
    await ownRate(bed, { name: '', op: 'storage_set', bytes: 1 << 20, atOnce: 1, count: 1, bar: 0 })
    return await profiled(options, bed.host, async () => {
      const rows: Row[] = []
      for (const one of cases) rows.push(await pairs(bed, raw, one, options))
      return rows
    })
  } finally {
    await Promise.all([bed.stop(), raw.stop()])
  }
}

async function pairs(bed: Bed, raw: RawEcho, one: Case, options: BenchOptions): Promise<Row> {
  options.note(one.name)
  const count = options.long ? 61 : 21
  for (let warm = 0; warm < WARM_CALLS / Math.max(one.count, one.bytes / 50); warm++) {
    await rawRate(raw, one)
    await ownRate(bed, one)
  }
  const rates: { readonly own: number; readonly bare: number }[] = []
  for (let pair = 0; pair < count; pair++) {
    const bare = await rawRate(raw, one)
    rates.push({ own: await ownRate(bed, one), bare })
  }
  return row({
    name: one.name,
    unit: '/s',
    ours: median(rates.map(({ own }) => own)),
    raw: median(rates.map(({ bare }) => bare)),
    ratio: median(rates.map(({ own, bare }) => own / bare)),
    bar: shareOfRaw(one.bar),
  })
}

let jobs = 0

/** One job inside one run; its reply says how long the calls took. */
async function ownRate(bed: Bed, { op, count, atOnce, bytes }: Case): Promise<number> {
  const text = JSON.stringify({ op, count, at_once: atOnce, bytes, job: jobs++ })
  const reply = await bed.caller.call('ask', { boundary: bed.calls, session: 'jobs', text })
  const took = Number(reply)
  if (!(took > 0)) throw new Error(`the job ${text} answered ${reply}`)
  return (count / took) * 1000
}
