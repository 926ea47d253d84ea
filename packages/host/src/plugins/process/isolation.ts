/**
 * The first wall around a plugin process: bubblewrap with own user, pid, ipc and mount namespaces where the system allows
 * them. The process sees its package, its private folder, its runtime and the SDK's files; its tree dies with it.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readlinkSync } from 'node:fs'

export interface Wall {
  readonly kind: 'bubblewrap' | 'none'
  /** For the status: `isolated`, or `not isolated: <why and what to do>`. */
  readonly says: string
  wrap(command: readonly string[], mounts: Mounts): readonly string[]
}

export interface Mounts {
  /** Files and folders that are seen, read-only. */
  readonly read: readonly string[]
  /** Folders that may be written. */
  readonly write: readonly string[]
  readonly workingFolder: string
  readonly environment: Readonly<Record<string, string>>
}

/** What every runtime needs of the system, where it exists. */
const SYSTEM = [
  '/usr',
  '/lib',
  '/lib64',
  '/bin',
  '/etc/ssl',
  '/etc/ca-certificates',
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/localtime',
  '/etc/ld.so.cache',
  '/etc/alternatives',
] as const

let found: Wall | undefined

/** Looks once whether the wall works here, by trying it. */
export function detectWall(): Wall {
  found ??= detect()
  return found
}

function detect(): Wall {
  if (process.platform !== 'linux') return bare(`bubblewrap needs Linux, this is ${process.platform}`)
  const which = spawnSync('bwrap', ['--version'], { encoding: 'utf8' })
  if (which.error !== undefined) return bare('bubblewrap is not installed (Debian: apt-get install bubblewrap)')
  const trial = spawnSync(
    'bwrap',
    [
      '--ro-bind',
      '/',
      '/',
      '--unshare-user',
      '--unshare-pid',
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      '--die-with-parent',
      'true',
    ],
    { encoding: 'utf8' },
  )
  if (trial.status !== 0)
    return bare(
      `this system does not allow user namespaces (${trial.stderr.trim().split('\n')[0] ?? 'no reason given'})`,
    )
  return {
    kind: 'bubblewrap',
    says: 'isolated: own user, process, ipc and file namespaces (bubblewrap)',
    wrap: (command, mounts) => ['bwrap', ...bubblewrapArguments(mounts), '--', ...command],
  }
}

/** `setpriv --pdeathsig` at least ends the direct child when the host dies by SIGKILL. */
function bare(why: string): Wall {
  const dying =
    process.platform === 'linux' && spawnSync('setpriv', ['--version']).status === 0
      ? ['setpriv', '--pdeathsig', 'KILL', '--']
      : []
  return { kind: 'none', says: `not isolated: ${why}`, wrap: (command) => [...dying, ...command] }
}

export function bubblewrapArguments(mounts: Mounts): string[] {
  const system = SYSTEM.filter((path) => existsSync(path)).flatMap((path) =>
    lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path],
  )
  return [
    '--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try',
    '--die-with-parent', '--new-session', '--clearenv',
    ...system,
    '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp',
    ...mounts.read.flatMap((path) => ['--ro-bind', path, path]),
    ...mounts.write.flatMap((path) => ['--bind', path, path]),
    ...Object.entries(mounts.environment).flatMap(([name, value]) => ['--setenv', name, value]),
    '--chdir', mounts.workingFolder,
  ] // biome-ignore format: grouped by what they do
}
