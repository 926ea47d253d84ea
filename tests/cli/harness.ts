/** Real processes of the command, on data folders of their own. Everything that was started is ended after each file. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@runbound/api'
import { afterAll } from 'vitest'

/** The command's main module. */
export const MAIN = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))
/** Machines may be slow and busy; nothing here measures time. Milliseconds. */
export const PATIENCE = 240_000
/** What takes longer hangs: its output says where. Milliseconds. */
const HANGS = 90_000

const children = new Set<ChildProcess>()
const folders: string[] = []

afterAll(async () => {
  await Promise.all([...children].map(killed))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly data?: string
  readonly input?: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** A folder of its own, outside of the repository. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'runbound-cli-'))
  folders.push(folder)
  return folder
}

/** Runs a command to its end. */
export function runbound(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = start(args, options)
  child.stdin?.end(options.input ?? '')
  let [stdout, stderr] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
  return inTime(ended, () => `runbound ${args.join(' ')} does not end. ${stdout}\n${stderr}`)
}

/** Runs a command that has to succeed; its JSON. */
export async function json(args: readonly string[], options: RunOptions = {}): Promise<unknown> {
  const ended = await runbound([...args, '--json'], options)
  if (ended.code !== 0) throw new Error(`runbound ${args.join(' ')} ended with ${ended.code}: ${ended.stderr}`)
  return JSON.parse(ended.stdout)
}

/** What was said through the web chat. */
export async function say(text: string, data: string, args: readonly string[] = []): Promise<string> {
  const ended = await runbound(['chat', '--once', ...args], { data, input: text })
  if (ended.code !== 0) throw new Error(`no answer (${ended.code}): ${ended.stderr}`)
  return ended.stdout.trimEnd()
}

/** Lines of JSON that a command prints while it goes on. */
export interface Going {
  readonly child: ChildProcess
  readonly events: readonly Record<string, unknown>[]
  readonly stderr: () => string
  /** The first event from `since` on that fits; rejects when the command ends before. */
  next(fits: (event: Record<string, unknown>) => boolean, since?: number): Promise<Record<string, unknown>>
  signal(name: NodeJS.Signals): void
  readonly ended: Promise<number | null>
}

/** Starts a command that goes on. */
export function going(args: readonly string[], options: RunOptions = {}): Going {
  const child = start([...args, '--json'], options)
  const events: Record<string, unknown>[] = []
  const looking = new Set<() => void>()
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => {
      events.push(JSON.parse(line))
      for (const look of [...looking]) look()
    })
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const told = (what: string) => (): string => `${what} (${args.join(' ')}). ${JSON.stringify(events)}\n${stderr}`
  return {
    child,
    events,
    stderr: () => stderr,
    get ended() {
      return inTime(closed, told('It does not end'))
    },
    signal: (name) => void child.kill(name),
    next(fits, since = 0) {
      const found = new Promise<Record<string, unknown>>((resolve, reject) => {
        const look = (): void => {
          const found = events.slice(since).find(fits)
          if (found === undefined) return
          looking.delete(look)
          resolve(found)
        }
        looking.add(look)
        look()
        void closed.then((code) => reject(new Error(told(`It ended with ${code}`)())))
      })
      return inTime(found, told('What was waited for did not come'))
    },
  }
}

/** A running host. */
export interface RunningHost extends Going {
  readonly url: string
  readonly loginUrl: string | null
  readonly data: string
  readonly client: Client
}

/** `runbound start` on a free port, ready. */
export async function startHost(data: string, args: readonly string[] = []): Promise<RunningHost> {
  const host = going(['start', '--port', '0', ...args], { data })
  const ready = await host.next(({ event }) => event === 'ready')
  const url = String(ready.url)
  const { readFileSync } = await import('node:fs')
  const key = readFileSync(join(data, 'cli.key'), 'utf8').trim()
  const loginUrl = typeof ready.login_url === 'string' ? ready.login_url : null
  return Object.assign(host, { url, loginUrl, data, client: createClient({ url, key }) })
}

/** Stops a host and waits for its end. */
export async function stopHost(host: Going): Promise<number | null> {
  host.signal('SIGTERM')
  return host.ended
}

/** Tries until it holds; rejects with the last reason. */
export async function eventually<T>(look: () => Promise<T>, ms = 60_000): Promise<T> {
  const until = Date.now() + ms
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (Date.now() > until) throw error
      await new Promise((next) => setTimeout(next, 100))
    }
  }
}

/** Rejects with what is known when it takes too long. */
async function inTime<T>(promise: Promise<T>, why: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(why())), HANGS)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** True while a process is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function start(args: readonly string[], { data, cwd, env }: RunOptions): ChildProcess {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: cwd ?? tmpdir(),
    env: {
      PATH: process.env.PATH,
      HOME: tmpdir(),
      NO_COLOR: '1',
      ...(data === undefined ? {} : { RUNBOUND_DATA: data }),
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  children.add(child)
  child.once('close', () => children.delete(child))
  return child
}

/** First politely: a host ends its plugins. */
function killed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => child.kill('SIGKILL'), 15_000)
    child.once('close', () => {
      clearTimeout(force)
      resolve()
    })
    child.kill('SIGTERM')
  })
}
