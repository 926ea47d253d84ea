/** Runs sections of peer-bench and gives its JSON lines. Whatever it starts has ended when this resolves. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { processTree } from '../driver/processes.ts'
import type { PeerEnvironment } from './environment.ts'

/** A line of peer-bench: `what` was measured, and figures whose shape `what` decides. */
export type PeerLine = Readonly<Record<string, unknown>> & { readonly what: string }

export async function drivePeer(
  { python, scripts, work }: PeerEnvironment,
  sections: readonly string[],
  note: (text: string) => void,
): Promise<readonly PeerLine[]> {
  const port = await freePorts()
  const child = spawn(
    python,
    [
      `${scripts}/bench_host.py`,
      ...sections,
      '--work',
      work,
      '--port',
      String(port),
      '--reps',
      '3',
      '--messages',
      '20',
      '--seconds',
      '5',
      '--bots',
      'agent',
    ],
    // Without bytecode beside the scripts: the folder may be read-only, and is not ours.
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PYTHONPYCACHEPREFIX: `${work}/pycache` },
      detached: true,
    },
  )
  const end = () => endTree(child.pid)
  process.on('exit', end)
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors = (errors + chunk).slice(-2_000)
  })
  const lines: PeerLine[] = []
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line: PeerLine = JSON.parse(text)
    lines.push(line)
    note(`peer: ${text.slice(0, 120)}`)
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  process.off('exit', end)
  end()
  if (code !== 0) throw new Error(`peer-bench ended with ${code}: ${errors}`)
  return lines
}

/** The reference's processes have sessions of their own, so the tree is walked. */
function endTree(root: number | undefined): void {
  if (root === undefined) return
  for (const { pid } of processTree(root).reverse()) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Gone meanwhile.
    }
  }
}

/** peer-bench takes a port and the one after it. */
async function freePorts(): Promise<number> {
  for (;;) {
    const first = await listen(0)
    const next = await listen(first.port + 1).catch(() => null)
    await first.close()
    await next?.close()
    if (next !== null) return first.port
  }
}

function listen(port: number): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      const close = () => new Promise<void>((done) => server.close(() => done()))
      resolve({ port: typeof address === 'object' && address !== null ? address.port : port, close })
    })
  })
}
