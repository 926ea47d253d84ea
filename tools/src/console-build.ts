/**
 * Builds the console into `apps/console/dist` when its sources have changed; run by `npm start`, `npm test` and its own
 * tests. `node tools/src/console-build.ts` prints what it did to stderr. A build never takes a file away that an open page
 * or a running host may still ask for: assets are added under their hashes, and the index comes last.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { filesUnder, ROOT } from './sources/tree.ts'

const CONSOLE = 'apps/console'
/** Where the built files are: what the host serves. */
export const CONSOLE_DIST = join(ROOT, CONSOLE, 'dist')
const MARK = join(CONSOLE_DIST, '.sources')
const LOCK = join(ROOT, 'node_modules', '.console-build')
/** Assets of older builds stay this long, for pages that are open. */
const KEPT_MS = 24 * 60 * 60 * 1000
/** A build that takes longer has died. */
const LOCK_MS = 120_000
/** Smaller files are not worth a second copy. */
const GZIP_BYTES = 1024

/** Digest of everything that the build reads. */
export function consoleSources(): string {
  const hash = createHash('sha256')
  const files = [
    ...filesUnder(CONSOLE, (name) => !name.endsWith('.test.ts') && !name.endsWith('.md')),
    ...['packages/api/src', 'packages/protocol/src'].flatMap((folder) =>
      filesUnder(folder, (name) => name.endsWith('.ts') && !name.endsWith('.test.ts')),
    ),
    'package-lock.json',
    'tools/src/console-build.ts',
  ]
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(ROOT, file)))
      .update('\0')
  return hash.digest('hex')
}

/** Builds if needed; true when it did. Rejects with Vite's own message when the sources can't be built. */
export async function ensureConsole(): Promise<boolean> {
  if (isFresh(consoleSources())) return false
  await locked()
  try {
    // Another process may have built it while this one waited.
    const sources = consoleSources()
    if (isFresh(sources)) return false
    await build(sources)
    return true
  } finally {
    rmSync(LOCK, { recursive: true, force: true })
  }
}

function isFresh(sources: string): boolean {
  return existsSync(MARK) && readFileSync(MARK, 'utf8') === sources
}

async function build(sources: string): Promise<void> {
  const fresh = join(ROOT, CONSOLE, `dist/.build-${process.pid}`)
  mkdirSync(CONSOLE_DIST, { recursive: true })
  try {
    await vite(fresh)
    // Assets first: an index never names what is not there yet.
    const assets = filesOf(join(fresh, 'assets')).map((name) => join('assets', name))
    const others = filesOf(fresh).filter((name) => name !== 'index.html')
    for (const name of [...assets, ...others, '.vite/manifest.json']) put(fresh, name)
    put(fresh, 'index.html')
    sweep(new Set(assets))
    writeFileSync(MARK, sources)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

function put(from: string, name: string): void {
  const target = join(CONSOLE_DIST, name)
  mkdirSync(join(target, '..'), { recursive: true })
  const bytes = readFileSync(join(from, name))
  const small = /\.(js|css|svg|html)$/.test(name) && bytes.length > GZIP_BYTES
  if (small) replace(`${target}.gz`, gzipSync(bytes, { level: 9 }))
  replace(target, bytes)
}

function replace(target: string, bytes: Uint8Array): void {
  const next = `${target}.${process.pid}.new`
  writeFileSync(next, bytes)
  renameSync(next, target)
}

function sweep(current: ReadonlySet<string>): void {
  for (const name of filesOf(join(CONSOLE_DIST, 'assets'))) {
    if (current.has(join('assets', name.replace(/\.gz$/, '')))) continue
    const file = join(CONSOLE_DIST, 'assets', name)
    if (Date.now() - statSync(file).mtimeMs > KEPT_MS) rmSync(file, { force: true })
  }
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
}

function vite(outDir: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', outDir, '--logLevel', 'warn'],
    { cwd: join(ROOT, CONSOLE), stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_ENV: 'production' } },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`The console could not be built (vite ended with ${code}):\n${said}`)),
    )
  })
}

/** One build at a time on this machine. */
async function locked(): Promise<void> {
  for (;;) {
    try {
      mkdirSync(LOCK)
      return
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    const age = Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > LOCK_MS) rmSync(LOCK, { recursive: true, force: true })
    else await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

if (import.meta.main) {
  const began = performance.now()
  try {
    if (await ensureConsole())
      process.stderr.write(`The console was built (${((performance.now() - began) / 1000).toFixed(1)} s).\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
