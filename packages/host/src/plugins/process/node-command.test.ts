/** The second wall by itself: Node's permission model around a script, without bubblewrap. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { detectLimiter, PROCESS_LIMITS } from './limits.ts'
import { nodeCommand } from './node-command.ts'

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'runbound-permission-'))
  for (const name of ['sdk', 'package', 'home', 'cache', 'data']) mkdirSync(join(base, name))
  writeFileSync(join(base, 'package', 'index.ts'), 'export default 1')
  writeFileSync(join(base, 'data', 'runbound.db'), 'of the host')
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

/** Runs a script as the SDK's entry would run; gives what it prints. */
function run(script: string): Record<string, unknown> {
  const entry = join(base, 'sdk', 'process.mjs')
  writeFileSync(
    entry,
    `import fs from 'node:fs'
const why = (work) => { try { return String(work()) } catch (error) { return error.code } }
console.log(JSON.stringify({ argv: process.argv.slice(2), ${script} }))`,
  )
  const { command } = nodeCommand(
    { node: process.execPath, processEntry: entry, roots: [join(base, 'sdk')] },
    { folder: join(base, 'package'), entry: 'index.ts', home: join(base, 'home'), cache: join(base, 'cache') },
  )
  const [file = '', ...args] = command
  const { stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', cwd: join(base, 'package') })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

test('reads its package, its folder and the SDK; writes its folder; everything else is denied', () => {
  const path = (...parts: string[]) => JSON.stringify(join(base, ...parts))
  const seen = run(`
    own: why(() => fs.readFileSync(${path('package', 'index.ts')})),
    data: why(() => fs.readFileSync(${path('data', 'runbound.db')})),
    list: why(() => fs.readdirSync(${path('data')})),
    passwd: why(() => fs.readFileSync('/etc/passwd')),
    home: why(() => fs.writeFileSync(${path('home', 'note')}, 'x')),
    overwrite: why(() => fs.writeFileSync(${path('package', 'index.ts')}, 'x')),
    outside: why(() => fs.writeFileSync('/tmp/runbound-outside', 'x')),
    link: why(() => fs.symlinkSync(${path('data', 'runbound.db')}, ${path('home', 'link')})),
    spawn: why(() => process.getBuiltinModule('child_process').execFileSync('/bin/true')),
    worker: why(() => new (process.getBuiltinModule('worker_threads').Worker)('1', { eval: true })),`)
  expect(seen).toEqual({
    argv: [join(base, 'package'), 'index.ts'],
    own: 'export default 1',
    data: 'ERR_ACCESS_DENIED',
    list: 'ERR_ACCESS_DENIED',
    passwd: 'ERR_ACCESS_DENIED',
    home: 'undefined',
    overwrite: 'ERR_ACCESS_DENIED',
    outside: 'ERR_ACCESS_DENIED',
    link: 'ERR_ACCESS_DENIED',
    spawn: 'ERR_ACCESS_DENIED',
    worker: 'ERR_ACCESS_DENIED',
  })
})

test('its memory has the named bound', () => {
  const { heap } = run(`heap: process.getBuiltinModule('v8').getHeapStatistics().heap_size_limit,`)
  expect(Number(heap) / 1024 / 1024).toBeGreaterThan(PROCESS_LIMITS.heapMiB * 0.9)
  // The young generation comes on top.
  expect(Number(heap) / 1024 / 1024).toBeLessThan(PROCESS_LIMITS.heapMiB * 2)
})

test('the limits that the status names are those that hold', () => {
  const limiter = detectLimiter('test')
  const [file = '', ...args] = limiter.wrap(['/bin/sh', '-c', 'ulimit -n; ulimit -f; ulimit -c'])
  const { stdout } = spawnSync(file, args, { encoding: 'utf8' })
  if (!limiter.says.includes('rlimit')) return expect(limiter.says).toMatch(/cgroup|none/)
  const [files, blocks, core] = stdout.trim().split('\n').map(Number)
  expect(files).toBe(PROCESS_LIMITS.openFiles)
  expect(blocks).toBe(PROCESS_LIMITS.fileBytes / 512)
  expect(core).toBe(0)
})
