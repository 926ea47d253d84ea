/** What Linux says of a process and of those below it. */
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessMemory {
  readonly pid: number
  readonly command: readonly string[]
  readonly rssMiB: number
  /** Shared pages counted by share. */
  readonly pssMiB: number
}

/** The process and all its descendants; those that end meanwhile are left out. */
export function processTree(root: number): ProcessMemory[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = read(`/proc/${name}/stat`)
    const parent = Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    if (!Number.isInteger(parent)) continue
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const found: ProcessMemory[] = []
  for (const queue = [root]; queue.length > 0; ) {
    const pid = queue.shift() ?? 0
    queue.push(...(children.get(pid) ?? []))
    const memory = memoryOf(pid)
    if (memory !== undefined) found.push(memory)
  }
  return found
}

/** Undefined: it has ended. */
export function memoryOf(pid: number): ProcessMemory | undefined {
  const roll = read(`/proc/${pid}/smaps_rollup`)
  const command = read(`/proc/${pid}/cmdline`)
  if (roll === undefined || command === undefined) return undefined
  const mib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(roll)?.[1] ?? 0) / 1024
  return { pid, command: command.split('\0'), rssMiB: mib('Rss'), pssMiB: mib('Pss') }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
