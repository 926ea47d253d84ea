/**
 * Measures a no-op call through the link against a raw newline-JSON echo, both between two Node processes over stdio,
 * in many short alternating pairs, whose median a busy machine hardly moves.
 * `node packages/link/bench/echo.ts [pairs]` prints the ratios.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createPeer } from '../src/index.ts'
import { stdioTransport } from '../src/transports/stdio.ts'

const SELF = fileURLToPath(import.meta.url)

interface Load {
  readonly bytes: number
  readonly atOnce: number
  readonly count: number
}

const LOADS: readonly Load[] = [
  { bytes: 100, atOnce: 1, count: 1000 },
  { bytes: 100, atOnce: 32, count: 4000 },
  { bytes: 10_000, atOnce: 1, count: 400 },
  { bytes: 10_000, atOnce: 32, count: 400 },
  { bytes: 1 << 20, atOnce: 1, count: 4 },
]

function lines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest: Buffer[] = []
  stream.on('data', (chunk: Buffer) => {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const piece = chunk.subarray(start, end)
      onLine((rest.length > 0 ? Buffer.concat([...rest, piece]) : piece).toString())
      rest = []
      start = end + 1
    }
    if (start < chunk.length) rest.push(chunk.subarray(start))
  })
}

function rawChild(): void {
  lines(process.stdin, (line) => {
    const message = JSON.parse(line)
    process.stdout.write(`${JSON.stringify({ seq_id: message.seq_id, code: 0, data: message.data })}\n`)
  })
}

function linkChild(): void {
  const peer = createPeer({ transport: stdioTransport(), handler: ({ data }) => data })
  void peer.closed.then(() => process.exit(0))
}

function start(role: string): ChildProcess {
  return spawn(process.execPath, [SELF, role], { stdio: ['pipe', 'pipe', 'inherit'] })
}

/** Calls per second with `atOnce` always out; `ask` calls back once answered. */
function rate(
  { bytes, atOnce, count }: Load,
  ask: (data: { text: string }, done: () => void) => void,
): Promise<number> {
  const data = { text: 'x'.repeat(bytes) }
  const begin = performance.now()
  return new Promise((resolve) => {
    let sent = 0
    let received = 0
    const one = (): void => {
      sent++
      ask(data, () => {
        received++
        if (received === count) resolve((count / (performance.now() - begin)) * 1000)
        else if (sent < count) one()
      })
    }
    while (sent < Math.min(atOnce, count)) one()
  })
}

async function main(pairs: number): Promise<void> {
  const raw = start('raw')
  const ours = start('link')
  if (raw.stdout === null || raw.stdin === null || ours.stdout === null || ours.stdin === null)
    throw new Error('no pipes')
  const { stdin } = raw
  const waiting = new Map<number, () => void>()
  let seq = 0
  lines(raw.stdout, (line) => {
    const { seq_id } = JSON.parse(line)
    const done = waiting.get(seq_id)
    waiting.delete(seq_id)
    done?.()
  })
  const askRaw = (data: { text: string }, done: () => void): void => {
    waiting.set(seq, done)
    stdin.write(`${JSON.stringify({ seq_id: seq++, action: 'echo', data })}\n`)
  }
  const peer = createPeer({
    transport: stdioTransport({ input: ours.stdout, output: ours.stdin }),
    handler: () => ({}),
  })
  const askOurs = (data: { text: string }, done: () => void): void => {
    void peer.call('echo', data).then(done)
  }
  for (const load of LOADS) {
    for (let warm = 0; warm < 5; warm++) {
      await rate(load, askRaw)
      await rate(load, askOurs)
    }
    const ratios: number[] = []
    const rates: [number, number][] = []
    for (let pair = 0; pair < pairs; pair++) {
      const first = await rate(load, askRaw)
      const second = await rate(load, askOurs)
      ratios.push(second / first)
      rates.push([first, second])
    }
    ratios.sort((a, b) => a - b)
    const middle = rates.sort((a, b) => a[0] - b[0])[pairs >> 1] ?? [0, 0]
    const [rawRate, ourRate] = middle.map(Math.round)
    const ratio = ((ratios[pairs >> 1] ?? 0) * 100).toFixed(0)
    console.log(
      `${load.bytes} B, ${load.atOnce} out: raw ${rawRate}/s, link ${ourRate}/s, ratio ${ratio} % (median of ${pairs})`,
    )
  }
  await peer.close()
  raw.kill()
  ours.kill()
}

const role = process.argv[2]
if (role === 'raw') rawChild()
else if (role === 'link') linkChild()
else await main(Number(role ?? 41))
