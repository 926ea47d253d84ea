/** The first wall, tried with real processes that are no Node: nothing but the wall itself stands between them and the host. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bubblewrapArguments, detectWall } from './isolation.ts'
import { endLeftovers } from './leftovers.ts'

const wall = detectWall()
let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'runbound-wall-'))
  for (const name of ['package', 'home', 'data']) mkdirSync(join(base, name))
  writeFileSync(join(base, 'package', 'file'), 'of the package')
  writeFileSync(join(base, 'data', 'runbound.db'), 'of the host')
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const mounts = () => ({
  read: [join(base, 'package')],
  write: [join(base, 'home')],
  workingFolder: join(base, 'package'),
  environment: { PATH: '/usr/bin:/bin', HOME: join(base, 'home') },
})

/** What a shell inside says. */
function inside(script: string): string {
  const [file = '', ...args] = wall.wrap(['/bin/sh', '-c', script], mounts())
  const { stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', env: { SECRET: 'open sesame' } })
  return `${stdout}${stderr}`.trim()
}

test('the arguments: own namespaces, no environment, an end with the host, and only the named folders', () => {
  const args = bubblewrapArguments({
    read: ['/package'],
    write: ['/home-of-it'],
    workingFolder: '/package',
    environment: { HOME: '/home-of-it' },
  })
  const text = args.join(' ')
  for (const flag of [
    '--unshare-user',
    '--unshare-pid',
    '--unshare-ipc',
    '--die-with-parent',
    '--new-session',
    '--clearenv',
  ])
    expect(args).toContain(flag)
  expect(text).toMatch(/--ro-bind \/package \/package --bind \/home-of-it \/home-of-it --setenv HOME \/home-of-it/)
  expect(text).toMatch(/--tmpfs \/tmp .*--chdir \/package$/)
  const bound = args.flatMap((arg, at) => (arg === '--ro-bind' || arg === '--bind' ? [args[at + 1]] : []))
  for (const path of ['/', '/root', '/home', '/proc', '/run', '/var', '/etc', '/tmp', '/work'])
    expect(bound).not.toContain(path)
})

// Where the system allows no user namespaces, the status says "not isolated"; there is no wall to try.
describe.skipIf(wall.kind === 'none')(`behind the wall (here: ${wall.says})`, () => {
  test('a process sees its package and writes its own folder, and nothing else', () => {
    expect(inside('cat file')).toBe('of the package')
    expect(inside('echo x > file')).toMatch(/read-only/i)
    expect(inside('echo note > $HOME/note && cat $HOME/note')).toBe('note')
    expect(inside(`cat ${join(base, 'data', 'runbound.db')}`)).toMatch(/No such file/)
    expect(inside('ls /root /home /var /work')).not.toMatch(/^\w+$/m)
    // This test's own folder lies in /tmp: of it just what was named is there.
    expect(inside('ls -A /tmp')).toBe(basename(base))
    expect(inside(`ls -A ${base}`)).toBe('home\npackage')
    expect(inside('cat /etc/passwd')).toMatch(/No such file/)
  })

  test('a process sees no other process, and can signal none', () => {
    const pids = inside('ls /proc')
      .split('\n')
      .filter((name) => /^\d+$/.test(name))
    expect(pids.length).toBeLessThan(6)
    expect(inside(`kill -0 ${process.pid}`)).toMatch(/No such process/i)
    expect(inside(`cat /proc/${process.ppid}/environ`)).toMatch(/No such file/)
  })

  test('a process has no more environment than it was given', () => {
    const names = inside('env')
      .split('\n')
      .map((line) => line.split('=')[0])
    expect(names.sort()).toEqual(['HOME', 'PATH', 'PWD'])
  })

  test('[D19] a whole tree ends with its host, however that went', async () => {
    // The host: starts the wall as a child and lives until it is killed.
    const [file = '', ...args] = wall.wrap(['/bin/sh', '-c', 'sleep 987 & sleep 988; wait'], mounts())
    const program = `require('node:child_process').spawn(${JSON.stringify(file)}, ${JSON.stringify(args)}, { detached: true }); setInterval(() => {}, 1000)`
    const host = spawn(process.execPath, ['-e', program], { stdio: 'ignore' })
    await eventually(() => sleeping('987') === 1 && sleeping('988') === 1)
    host.kill('SIGKILL')
    await eventually(() => sleeping('987') + sleeping('988') === 0)
  })
})

describe('without the wall', () => {
  const child = fileURLToPath(new URL('./bare.child.ts', import.meta.url))

  test('the status says why and what to do, and a plugin starts only where the operator has accepted that', () => {
    const { stdout } = spawnSync(process.execPath, [child, base], { encoding: 'utf8', env: { PATH: '/nowhere' } })
    const said: { readonly isolation: string; readonly required: string; readonly accepted: string } =
      JSON.parse(stdout)
    expect(said.isolation).toMatch(/^not isolated: bubblewrap (is not installed|needs Linux)/)
    expect(said.required).toBe(
      `${said.isolation}. Make isolation possible, or accept it for this plugin: runbound plugin approve acme/demo --accept-not-isolated`,
    )
    // Beyond the question of the wall it fails for another reason: there is no such plugin.
    expect(said.accepted).not.toMatch(/not isolated/)
  })
})

test.skipIf(process.platform !== 'linux')(
  'what an earlier host left is found by its mark and ended; others stay',
  async () => {
    const marked = (mark: string) =>
      spawn('sleep', ['989'], {
        env: { PATH: process.env.PATH ?? '', RUNBOUND_MARK: mark },
        detached: true,
        stdio: 'ignore',
      })
    const left = marked('mark-of-this-host')
    const other = marked('mark-of-another-host')
    const ended = new Promise((resolve) => left.once('exit', (_code, signal) => resolve(signal)))
    await eventually(() => sleeping('989') === 2)
    expect(endLeftovers('mark-of-this-host')).toBe(1)
    expect(await ended).toBe('SIGKILL')
    expect(endLeftovers('mark-of-this-host')).toBe(0)
    expect(sleeping('989')).toBe(1)
    other.kill('SIGKILL')
  },
)

/** Processes `sleep <seconds>` on this machine. */
function sleeping(seconds: string): number {
  return readdirSync('/proc').filter((name) => {
    const file = `/proc/${name}/cmdline`
    if (!/^\d+$/.test(name) || !existsSync(file)) return false
    try {
      return readFileSync(file, 'utf8') === `sleep\0${seconds}\0`
    } catch {
      return false
    }
  }).length
}

async function eventually(holds: () => boolean): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 50) {
    if (holds()) return
    await wait(50)
  }
  throw new Error('it did not come true within 10 s')
}
