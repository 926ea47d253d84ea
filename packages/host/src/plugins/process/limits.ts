/** Limits of a plugin process: cgroup v2 where the host may make groups, else rlimits; the status says which. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Defaults; an operator may change them per host. */
export const PROCESS_LIMITS = {
  /** JavaScript heap in MiB (`--max-old-space-size`). */
  heapMiB: 256,
  /** All memory of the process tree in MiB (cgroup only). */
  memoryMiB: 768,
  /** Processes and threads (cgroup only). */
  tasks: 256,
  openFiles: 1_024,
  /** Largest file that it may write, in bytes. */
  fileBytes: 256 * 1024 * 1024,
} as const

export interface Limiter {
  readonly says: string
  wrap(command: readonly string[]): readonly string[]
  /** Puts a started process into its group. */
  adopt(name: string, pid: number): void
  release(name: string): void
}

export function detectLimiter(mark: string): Limiter {
  const rlimits = rlimitPrefix()
  const group = writableCgroup(mark)
  const wrap = (command: readonly string[]): readonly string[] => [...rlimits, ...command]
  if (group === null) {
    return { says: rlimits.length > 0 ? 'rlimit' : 'none', wrap, adopt: () => undefined, release: () => undefined }
  }
  return {
    says: rlimits.length > 0 ? 'cgroup, rlimit' : 'cgroup',
    wrap,
    adopt(name, pid) {
      const folder = join(group, name)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'memory.max'), String(PROCESS_LIMITS.memoryMiB * 1024 * 1024))
      writeFileSync(join(folder, 'pids.max'), String(PROCESS_LIMITS.tasks))
      writeFileSync(join(folder, 'cgroup.procs'), String(pid))
    },
    release(name) {
      try {
        rmdirSync(join(group, name))
      } catch {
        // Still busy or already gone; the next start makes its own groups.
      }
    },
  }
}

function rlimitPrefix(): readonly string[] {
  if (process.platform !== 'linux' || spawnSync('prlimit', ['--version']).status !== 0) return []
  return ['prlimit', `--nofile=${PROCESS_LIMITS.openFiles}`, `--fsize=${PROCESS_LIMITS.fileBytes}`, '--core=0', '--']
}

/** A group of ours below our own, when the system delegates it to us. */
function writableCgroup(mark: string): string | null {
  try {
    const own = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1]
    if (own === undefined) return null
    const parent = join('/sys/fs/cgroup', own)
    if (!existsSync(join(parent, 'cgroup.subtree_control'))) return null
    accessSync(join(parent, 'cgroup.subtree_control'), constants.W_OK)
    const controllers = readFileSync(join(parent, 'cgroup.controllers'), 'utf8')
    if (!controllers.includes('memory') || !controllers.includes('pids')) return null
    writeFileSync(join(parent, 'cgroup.subtree_control'), '+memory +pids')
    const group = join(parent, `runbound-${mark}`)
    mkdirSync(group, { recursive: true })
    writeFileSync(join(group, 'cgroup.subtree_control'), '+memory +pids')
    return group
  } catch {
    return null // not delegated: rlimits hold instead, and the status says so
  }
}
