// The two commands of a fresh machine, and the rest: runs with any Node 20 or newer and npm, installs what is missing, then
// hands over to the repository's own Node (npm package `node`). Plain JavaScript, because Node 20 can't run TypeScript.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MARK = join(ROOT, 'node_modules', '.runbound-installed')
const COMMANDS = {
  start: (node) => [node, [join(ROOT, 'packages/cli/src/main.ts'), 'start']],
  cli: (node) => [node, [join(ROOT, 'packages/cli/src/main.ts')]],
  test: (node) => [node, [join(ROOT, 'tools/src/test.ts')]],
  validate: (node) => [node, [join(ROOT, 'tools/src/validate.ts')]],
  bench: (node) => [node, [join(ROOT, 'bench/src/main.ts')]],
  kill: (node) => [node, [join(ROOT, 'tests/kill/main.ts')]],
}

/** What decides whether an installation is still right: every package.json and the lock file. */
function wanted() {
  const hash = createHash('sha256')
  const folders = ['packages', 'platforms', 'apps', 'examples'].flatMap((parent) =>
    existsSync(join(ROOT, parent)) ? readdirSync(join(ROOT, parent)).map((name) => join(ROOT, parent, name)) : [],
  )
  for (const folder of [ROOT, ...folders, join(ROOT, 'tests'), join(ROOT, 'bench'), join(ROOT, 'tools')]) {
    const file = join(folder, 'package.json')
    if (existsSync(file)) hash.update(readFileSync(file))
  }
  if (existsSync(join(ROOT, 'package-lock.json'))) hash.update(readFileSync(join(ROOT, 'package-lock.json')))
  return hash.digest('hex')
}

function installed() {
  return existsSync(MARK) && readFileSync(MARK, 'utf8') === wanted() && ownNode() !== null
}

function install() {
  process.stderr.write('Installing what is missing (once; about a minute)...\n')
  // Not `npm ci`: it refuses a lock file whose optional packages for other systems a registry does not serve.
  npm(['install', '--no-save', '--no-fund', '--no-audit', '--loglevel=error'])
  if (ownNode() === null) repairNode()
  if (ownNode() === null)
    fail(
      'npm installed the packages, but not the Node that the package "node" brings. Remove node_modules and try again.',
    )
  mkdirSync(dirname(MARK), { recursive: true })
  writeFileSync(MARK, wanted())
}

/** An npm that runs no install scripts leaves the package `node` empty: run its own script by hand. */
function repairNode() {
  const folder = join(ROOT, 'node_modules', 'node')
  if (!existsSync(join(folder, 'installArchSpecificPackage.js'))) return
  spawnSync(process.execPath, ['installArchSpecificPackage'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: npmEnvironment(),
  })
}

function npm(args) {
  const windows = process.platform === 'win32'
  const result = spawnSync(windows ? 'npm.cmd' : 'npm', args, {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    env: npmEnvironment(),
    shell: windows,
  })
  if (result.error)
    fail(`npm could not be started (${result.error.message}). Install Node 20 or newer with npm: https://nodejs.org`)
  if (result.status !== 0) fail(`npm ${args[0]} failed; its message stands above.`)
}

/** Without what an outer `npm run` set: it would point the inner npm at the wrong prefix. */
function npmEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(config_local_prefix|lifecycle|package)/i.test(name)),
  )
}

/** The repository's own Node, or null when it is not there. */
function ownNode() {
  const file = join(ROOT, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  return existsSync(file) ? file : null
}

/** A host without its console still runs: what went wrong is said, and the start goes on. */
function buildConsole() {
  const build = join(ROOT, 'tools/src/console-build.ts')
  if (existsSync(build)) spawnSync(ownNode(), [build], { cwd: ROOT, stdio: ['ignore', 2, 2] })
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const [name = '', ...rest] = process.argv.slice(2)
const command = COMMANDS[name]
if (command === undefined) fail(`usage: node tools/run.mjs ${Object.keys(COMMANDS).join(' | ')} [options]`)
if (Number(process.versions.node.split('.')[0]) < 20)
  fail(`Node ${process.versions.node} is too old: Node 20 or newer is needed to begin with.`)
if (!installed()) install()
if (name === 'start') buildConsole()
const [file, args] = command(ownNode())
const child = spawn(file, [...args, ...rest], {
  cwd: process.env.INIT_CWD && name === 'cli' ? process.env.INIT_CWD : process.cwd(),
  stdio: 'inherit',
  env: { ...process.env, PATH: `${dirname(file)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH ?? ''}` },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
// An npm that is ended by a signal does not pass it on: a host without its npm would hold port and data folder.
const parent = process.ppid
setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1_000).unref()
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1)
})
