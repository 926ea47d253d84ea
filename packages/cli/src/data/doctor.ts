/** `runbound doctor`: what this machine and this data folder are like, and what to do about what is not right. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { detectLimiter, detectWall } from '@runbound/host'
import { lookAt } from '@runbound/store'
import { CliError } from '../errors.ts'
import { type HostChoice, reachHost } from '../place/connect.ts'
import { dataFolder, IS_CLONE, ROOT } from '../place/installation.ts'
import { whole } from '../terminal/numbers.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'
import { DATABASE } from './backup.ts'

/** Room that a data folder should have, in bytes. */
const ROOM = 256 * 1024 * 1024

/** One thing that was looked at. `warning`: it works, but not as well as it could. */
interface Finding {
  readonly what: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly message: string
}

/** Prints what was found; CliError `failed` when something has to be done before a host can run. */
export async function doctor(terminal: Terminal, options: HostChoice & { readonly port: string }): Promise<void> {
  const port = whole('--port', options.port, 0, 65_535)
  const folder = dataFolder(options.data)
  const host = await reachHost(options)
  const findings: Finding[] = [
    nodeFinding(),
    isolationFinding(),
    limitsFinding(),
    folderFinding(folder),
    roomFinding(folder),
  ]
  if (host === undefined) findings.push(databaseFinding(folder), await portFinding(port))
  else {
    const facts = await host.client.inspect()
    findings.push({
      what: 'database',
      state: facts.integrity === 'ok' ? 'ok' : 'failed',
      message: `schema ${facts.schemaVersion}, ${facts.bytes} bytes, integrity: ${facts.integrity}`,
    })
    findings.push({ what: 'host', state: 'ok', message: `answers at ${host.url}` })
  }
  findings.push(pythonFinding())
  for (const finding of findings) terminal.event(finding, lineOf)
  const failed = findings.filter(({ state }) => state === 'failed')
  if (failed.length > 0) throw new CliError('failed', `To do: ${failed.map(({ what }) => what).join(', ')}.`)
}

function nodeFinding(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  const message = `${process.versions.node} (${process.execPath}); Runbound in ${ROOT}${IS_CLONE ? ', a clone' : ''}`
  return {
    what: 'Node',
    state: major >= 24 ? 'ok' : 'failed',
    message: major >= 24 ? message : `${message}; 24 is needed`,
  }
}

function isolationFinding(): Finding {
  const wall = detectWall()
  return { what: 'isolation of plugins', state: wall.kind === 'none' ? 'warning' : 'ok', message: wall.says }
}

function limitsFinding(): Finding {
  const { says } = detectLimiter(`doctor-${process.pid}`)
  const none = says === 'none'
  const message = none ? 'none: plugins may use all memory (Debian: apt-get install util-linux brings prlimit)' : says
  return { what: 'limits of plugins', state: none ? 'warning' : 'ok', message }
}

function folderFinding(folder: string): Finding {
  const what = 'data folder'
  if (!existsSync(folder)) return { what, state: 'ok', message: `${folder} will be made at the first start` }
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return { what, state: 'ok', message: folder }
  } catch {
    return { what, state: 'failed', message: `${folder} can't be written by this user` }
  }
}

function roomFinding(folder: string): Finding {
  const { bavail, bsize } = statfsSync(existsSync(folder) ? folder : '/')
  const free = bavail * bsize
  const message = `${Math.floor(free / 1024 / 1024)} MiB free`
  return {
    what: 'disk',
    state: free < ROOM ? 'warning' : 'ok',
    message: free < ROOM ? `${message}: make room` : message,
  }
}

/** Looks without changing anything: an older database is not migrated by a look. */
function databaseFinding(folder: string): Finding {
  const what = 'database'
  const file = join(folder, DATABASE)
  if (!existsSync(file)) return { what, state: 'ok', message: 'none yet' }
  try {
    const faults = lookAt(file)
    const ok = faults.length === 0
    const message = ok ? 'whole' : `damaged: ${faults.join('; ')}. Restore a backup.`
    return { what, state: ok ? 'ok' : 'failed', message }
  } catch (error) {
    return { what, state: 'failed', message: `can't be read: ${error instanceof Error ? error.message : error}` }
  }
}

function portFinding(port: number): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () =>
      resolve({ what: 'port', state: 'warning', message: `${port} is taken by another program: start with --port` }),
    )
    server.listen(port, '127.0.0.1', () =>
      server.close(() => resolve({ what: 'port', state: 'ok', message: `${port} is free` })),
    )
  })
}

function pythonFinding(): Finding {
  for (const name of ['python3', 'python']) {
    const found = spawnSync(name, ['--version'], { encoding: 'utf8' })
    if (found.status === 0)
      return {
        what: 'Python',
        state: 'ok',
        message: `${found.stdout.trim() || found.stderr.trim()} for Python plugins`,
      }
  }
  return {
    what: 'Python',
    state: 'warning',
    message: 'not found; Python plugins need it: https://www.python.org/downloads',
  }
}

function lineOf({ what, state, message }: Finding): string {
  const mark = { ok: paint('green', '✓'), warning: paint('yellow', '!'), failed: paint('red', '✗') }[state]
  return `${mark} ${what}: ${message}`
}
