/** The yardstick: newline JSON there and back between two Node processes over stdio. `node raw-echo.ts` is the far end. */
import { spawn } from 'node:child_process'

export interface RawEcho {
  /** Calls back once this message has come back. */
  send(data: unknown, back: () => void): void
  stop(): Promise<void>
}

/** Calls per second with `atOnce` always out. */
export async function rawRate(
  echo: RawEcho,
  { bytes, count, atOnce }: { readonly bytes: number; readonly count: number; readonly atOnce: number },
): Promise<number> {
  const data = { text: 'x'.repeat(bytes) }
  const begin = performance.now()
  await new Promise<void>((resolve) => {
    let sent = 0
    let received = 0
    const one = (): void => {
      sent++
      echo.send(data, () => {
        received++
        if (received === count) resolve()
        else if (sent < count) one()
      })
    }
    while (sent < Math.min(atOnce, count)) one()
  })
  return (count / (performance.now() - begin)) * 1000
}

/** Starts the far end. */
export function startRawEcho(): RawEcho {
  const child = spawn(process.execPath, [import.meta.filename], { stdio: ['pipe', 'pipe', 'inherit'] })
  const kill = () => child.kill('SIGKILL')
  process.on('exit', kill)
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const waiting = new Map<number, () => void>()
  let next = 0
  eachLine(child.stdout, (line) => {
    const { seq_id } = JSON.parse(line)
    const back = waiting.get(seq_id)
    waiting.delete(seq_id)
    back?.()
  })
  return {
    send(data, back) {
      const seq_id = next++
      waiting.set(seq_id, back)
      child.stdin.write(`${JSON.stringify({ seq_id, action: 'echo', data })}\n`)
    },
    async stop() {
      process.off('exit', kill)
      child.stdin.end()
      await gone
    },
  }
}

function eachLine(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
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

if (import.meta.main) {
  eachLine(process.stdin, (line) => {
    const { seq_id, data } = JSON.parse(line)
    process.stdout.write(`${JSON.stringify({ seq_id, code: 0, data })}\n`)
  })
}
