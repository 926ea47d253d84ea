/** Finds in peer-bench's lines the figure that belongs beside a row of ours, in the row's unit. */
import type { PeerLine } from './drive.ts'

interface Match {
  readonly row: string
  /** Fields that the line must have; `job.op` reaches into objects. */
  readonly line: Readonly<Record<string, string | number>>
  figure(line: PeerLine, rowRaw: number): number
}

const medianOf = (line: PeerLine, name: string): number => number(line, `${name}.median`)

const call = (row: string, op: string, conc: number): Match => ({
  row,
  line: { what: 'hostapi', 'job.op': op, 'job.conc': conc },
  figure: (line) => medianOf(line, 'per_s'),
})
const payload = (row: string, op: string): Match => ({
  row,
  line: { what: 'payload', 'job.op': op, 'job.size': 1 << 20 },
  figure: (line) => medianOf(line, 'per_s'),
})
const page = (row: string, rows: number, where: string): Match => ({
  row,
  line: { what: 'history', rows, where },
  figure: (line) => medianOf(line, 'p50_ms'),
})
/** POST to callback, less what the bare relay took in the same run of ours. */
const overhead = (row: string): Match => ({
  row,
  line: { what: 'latency', bot: 'agent', way: 'callback' },
  figure: (line, relay) => number(line, 'all_p50_ms') - relay,
})
const rate = (row: string): Match => ({
  row,
  line: { what: 'throughput', bot: 'agent', users: 32 },
  figure: (line) => medianOf(line, 'per_s'),
})

/** The reference always writes with `synchronous=FULL`; its figure stands beside both of ours. */
export const MATCHES: readonly Match[] = [
  overhead('message overhead p50 NORMAL'),
  overhead('message overhead p50 FULL'),
  rate('message rate by /sync, 32 conversations NORMAL'),
  rate('message rate by /sync, 32 conversations FULL'),
  call('no-op 100 B, in sequence', 'version', 1),
  call('no-op 100 B, 32 out', 'version', 32),
  call('state_get 100 B, in sequence', 'state_get', 1),
  call('state_get 100 B, 32 out', 'state_get', 32),
  call('state_set 100 B, in sequence', 'state_set', 1),
  call('state_set 100 B, 32 out', 'state_set', 32),
  payload('plugin storage set 1 MiB', 'storage_set'),
  payload('plugin storage get 1 MiB', 'storage_get'),
  // Its largest table here has 100,000 rows; timed in its plugin, ours in the host.
  page('history page of 50, 1,000,000 messages, first', 100_000, 'first'),
  page('history page of 50, 1,000,000 messages, deep', 100_000, 'deep'),
  {
    row: 'ready from cold, no plugins',
    line: { what: 'start', kind: 'new' },
    figure: (line) => medianOf(line, 'runtime_s') * 1000,
  },
  {
    row: 'host, idle',
    line: { what: 'memory', when: 'idle, 4 plugins, a few messages' },
    figure: withoutPlugins,
  },
]

/** Memory of the host and its plugin runtime; plugin processes are left out. */
function withoutPlugins(line: PeerLine): number {
  const { processes } = line
  if (!Array.isArray(processes)) throw new Error('peer-bench told no processes')
  return processes
    .filter(({ name }) => !String(name).startsWith('plugin'))
    .reduce((sum, { rss_mib }) => sum + Number(rss_mib), 0)
}

/** The figure for a row; undefined: peer-bench has none, or its section failed. */
export function peerFigure(rowName: string, rowRaw: number, lines: readonly PeerLine[]): number | undefined {
  const match = MATCHES.find(({ row }) => row === rowName)
  if (match === undefined) return undefined
  const line = lines.find(
    (one) => one.failed === undefined && Object.entries(match.line).every(([path, value]) => at(one, path) === value),
  )
  return line === undefined ? undefined : match.figure(line, rowRaw)
}

function number(line: PeerLine, path: string): number {
  const value = at(line, path)
  if (typeof value !== 'number')
    throw new Error(`peer-bench's line has no number ${path}: ${JSON.stringify(line).slice(0, 300)}`)
  return value
}

function at(line: PeerLine, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
      line,
    )
}
