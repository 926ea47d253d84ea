/**
 * `npm run bench [-- --only NAME] [--json FILE] [--long] [--profile NAME] [--peer]`. Timings never gate: a missed bar is
 * `ok: false` in the table and in the JSON, and the exit code is 0 as long as everything could be measured.
 */
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Bench } from './bench.ts'
import { calls, storage } from './calls.ts'
import { topSelfTime } from './driver/profile.ts'
import { history } from './history.ts'
import { memory } from './memory.ts'
import { messages } from './messages.ts'
import { comparePeer } from './peer/peer.ts'
import { ready } from './ready.ts'
import { machine, table } from './report.ts'
import type { Row } from './row.ts'

const BENCHES: readonly Bench[] = [messages, calls, storage, history, ready, memory]

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
    long: { type: 'boolean', default: false },
    profile: { type: 'string' },
    peer: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

// The children end with this process: see driver/child.ts.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))

if (values.help) {
  process.stdout.write(
    `npm run bench [-- --only NAME] [--json FILE] [--long] [--profile NAME] [--peer]\n\n${BENCHES.map(({ name, about }) => `${name.padEnd(10)}${about}`).join('\n')}\n`,
  )
} else {
  await main()
}

async function main(): Promise<void> {
  const note = (text: string) => process.stderr.write(`  ${text}\n`)
  const before = machine()
  const wanted = values.profile === undefined ? values.only : [values.profile]
  let rows: readonly Row[] = []
  for (const bench of chosen(wanted)) {
    process.stderr.write(`${bench.name}\n`)
    const profileFile = values.profile === undefined ? null : join(tmpdir(), `runbound-${bench.name}.cpuprofile`)
    rows = [...rows, ...(await bench.run({ long: values.long, note, profileFile }))]
    if (profileFile !== null) process.stdout.write(`${profileFile}\n${topSelfTime(profileFile).join('\n')}\n\n`)
  }
  if (values.peer) rows = await comparePeer(rows, note)
  const after = machine()
  process.stdout.write(`${table(rows)}\n\n${machineLine(before.load, after.load)}\n`)
  if (values.json !== undefined)
    writeFileSync(
      values.json,
      `${JSON.stringify({ machine: { ...after, load_before: before.load }, rows }, null, 2)}\n`,
    )
}

function chosen(names: readonly string[]): readonly Bench[] {
  for (const name of names) {
    if (!BENCHES.some((bench) => bench.name === name)) {
      process.stderr.write(
        `There is no bench "${name}". There are: ${BENCHES.map((bench) => bench.name).join(', ')}.\n`,
      )
      process.exit(2)
    }
  }
  return names.length === 0 ? BENCHES : BENCHES.filter(({ name }) => names.includes(name))
}

function machineLine(before: number, after: number): string {
  const { node, cpu, cores } = machine()
  return `Node ${node}, ${cores} cores of ${cpu}; load average ${before.toFixed(1)} before, ${after.toFixed(1)} after (this bench itself makes about 2).`
}
