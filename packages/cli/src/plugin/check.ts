/** `runbound plugin check DIR`: what would stop a plugin from being packed and installed, found one by one. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { deriveManifest, devEntry, HostError, packageFiles } from '@runbound/host'
import { CliError } from '../errors.ts'
import { nodeRuntime } from '../index.ts'
import { toolFile } from '../place/installation.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'

/** One thing that was looked at. `skipped`: it could not be, and why. */
interface Finding {
  readonly what: 'files' | 'types' | 'manifest'
  readonly state: 'ok' | 'failed' | 'skipped'
  readonly message: string
}

/** Prints what was found; CliError `failed` when something is wrong. Writes `runbound.manifest.json` when the module loads. */
export async function checkPlugin(terminal: Terminal, _options: object, directory: string): Promise<void> {
  const folder = resolve(directory)
  const entry = devEntry(folder)
  const findings: Finding[] = []
  for (const look of [checkFiles, checkTypes, checkManifest]) {
    const finding = await look(folder, entry)
    findings.push(finding)
    terminal.event(finding, lineOf)
  }
  const wrong = findings.filter(({ state }) => state === 'failed').length
  if (wrong > 0) throw new CliError('failed', `${wrong} of ${findings.length} checks failed.`)
}

async function checkFiles(folder: string): Promise<Finding> {
  try {
    const files = packageFiles(folder)
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    return { what: 'files', state: 'ok', message: `${files.length} files, ${bytes} bytes, no links` }
  } catch (error) {
    return { what: 'files', state: 'failed', message: explained(error) }
  }
}

async function checkTypes(folder: string): Promise<Finding> {
  if (!existsSync(join(folder, 'tsconfig.json')))
    return { what: 'types', state: 'skipped', message: 'there is no tsconfig.json; `runbound plugin types` writes one' }
  const tsc = toolFile('tsc')
  if (tsc === undefined)
    return { what: 'types', state: 'skipped', message: 'this installation brings no TypeScript compiler' }
  const { code, output } = await run(tsc, ['--noEmit', '--pretty', 'false', '-p', folder])
  return code === 0
    ? { what: 'types', state: 'ok', message: 'no errors' }
    : { what: 'types', state: 'failed', message: output.trim() }
}

async function checkManifest(folder: string, entry: string): Promise<Finding> {
  try {
    const derived = await deriveManifest({ runtime: nodeRuntime(), folder, entry })
    return { what: 'manifest', state: 'ok', message: `${derived.plugin_id} ${derived.version}` }
  } catch (error) {
    return { what: 'manifest', state: 'failed', message: explained(error) }
  }
}

/** The compiler is plain JavaScript behind `#!/usr/bin/env node`: it runs on this Node, whatever the path holds. */
function run(
  file: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (text: string) => {
        output += text
      })
    }
    child.once('error', reject)
    child.once('close', (code) => done({ code, output }))
  })
}

function explained(error: unknown): string {
  if (HostError.is(error)) return error.message
  throw error
}

function lineOf({ what, state, message }: Finding): string {
  const mark = { ok: paint('green', '✓'), failed: paint('red', '✗'), skipped: paint('yellow', '-') }[state]
  return `${mark} ${what}: ${message}`
}
