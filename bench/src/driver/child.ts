/** A process of the bench that answers commands over Node's own channel; it ends when its parent does. */
import { type ChildProcess, fork } from 'node:child_process'

/** Commands of a child: each takes one value and gives one. */
export type Commands = Readonly<Record<string, (input: never) => unknown>>

export interface Child<T extends Commands> {
  readonly pid: number
  /** Rejects with what the command threw, or when the process ends before it answers. */
  call<K extends keyof T & string>(name: K, input: Parameters<T[K]>[0]): Promise<Awaited<ReturnType<T[K]>>>
  /** Lets it end by itself, then makes it; resolves once it is gone. */
  stop(): Promise<void>
}

interface Question {
  readonly id: number
  readonly name: string
  readonly input: unknown
}

interface Answer {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

/** How long a child may take to close what it has open. */
const PATIENCE_MS = 15_000

const alive = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

/** Starts `file` as a child whose commands are T. */
export function startChild<T extends Commands>(
  file: string,
  options: {
    readonly args?: readonly string[]
    readonly execArgv?: readonly string[]
    readonly env?: NodeJS.ProcessEnv
  } = {},
): Child<T> {
  const child = fork(file, [...(options.args ?? [])], {
    execArgv: [...(options.execArgv ?? [])],
    env: { ...process.env, ...options.env },
    serialization: 'advanced',
  })
  alive.add(child)
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let next = 1
  child.on('message', ({ id, value, error }: Answer) => {
    const one = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) one?.resolve(value)
    else one?.reject(new Error(error))
  })
  const gone = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      alive.delete(child)
      for (const { reject } of waiting.values()) reject(new Error(`${file} ended (${signal ?? code})`))
      waiting.clear()
      resolve()
    })
  })
  return {
    pid: child.pid ?? 0,
    call(name, input) {
      const id = next++
      const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }))
      child.send({ id, name, input } satisfies Question, (error) => {
        if (error !== null) waiting.get(id)?.reject(error)
      })
      // The one codec edge of this channel: both ends are typed by the same table.
      return answer as ReturnType<Child<T>['call']> as never
    },
    async stop() {
      if (child.connected) child.disconnect()
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
      await gone
      clearTimeout(timer)
    },
  }
}

/** Answers commands of the parent until it goes away; `end` closes what is open. */
export function serveCommands(commands: Commands, end: () => Promise<void> | void): void {
  process.on('message', ({ id, name, input }: Question) => {
    const run = async () => {
      const command = commands[name]
      if (command === undefined) throw new Error(`there is no command ${name}`)
      return command(input as never)
    }
    run().then(
      (value) => process.send?.({ id, value } satisfies Answer),
      (error: unknown) =>
        process.send?.({
          id,
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        } satisfies Answer),
    )
  })
  process.on('disconnect', () => {
    void Promise.resolve(end()).finally(() => process.exit(0))
  })
  // Ctrl-C reaches the whole group: the parent decides, and its going ends this process.
  process.on('SIGINT', () => undefined)
}
