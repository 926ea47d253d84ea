/**
 * The life of a plugin process: what it loads, how it speaks, and what ends it. A promise that nobody caught is written
 * to the log, into that of its run where it can be told, and the process goes on: other runs are not its business. An
 * exception that nobody caught ends the process, because Node promises nothing after one; its supervisor starts it anew.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { stdioTransport } from '@runbound/link/stdio'
import type { Plugin } from '../define/plugin.ts'
import { SdkError } from '../errors.ts'
import { SDK_NAME } from '../version.ts'
import { stackOf } from './error-text.ts'
import { packageFiles } from './files.ts'
import { loadPlugin } from './load.ts'
import { redirectConsole } from './process-console.ts'
import type { GuardedRun } from './surroundings.ts'

/** Environment variable with the one-use registration capability, as for Python plugins. */
const CAPABILITY = 'LANGBOT_PLUGIN_REGISTRATION_CAPABILITY'

/** Runs a plugin process to its end; resolves with the exit code. */
export async function pluginProcess(args: readonly string[]): Promise<number> {
  const [folder, entry] = args
  const { output, say } = takeOutput()
  if (folder === undefined || entry === undefined) {
    say('ERROR', 'Usage: node process.ts <plugin folder> <entry module, relative to it>')
    return 1
  }
  const capability = process.env[CAPABILITY] ?? ''
  delete process.env[CAPABILITY]
  mapSdk()

  const runs = new AsyncLocalStorage<GuardedRun>()
  process.on('unhandledRejection', (reason) => {
    const run = runs.getStore()
    const where = run === undefined ? '' : ` in Runner "${run.runner}", run ${run.run_id}`
    say('ERROR', `A rejected promise was not handled${where}: ${stackOf(reason)}`)
    run?.report(reason)
  })
  process.on('uncaughtException', (error) => {
    say('ERROR', `An exception was not caught, the process ends: ${stackOf(error)}`)
    process.exit(1)
  })

  let plugin: Plugin
  try {
    plugin = await loadPlugin(resolve(folder), entry)
  } catch (error) {
    if (!SdkError.isInstance(error)) throw error
    say('ERROR', error.message)
    return 1
  }
  return serveStdio(plugin, { folder, entry, capability, runs, say, input: process.stdin, output })
}

interface Serving {
  readonly folder: string
  readonly entry: string
  readonly capability: string
  readonly runs: AsyncLocalStorage<GuardedRun>
  readonly say: (level: string, text: string) => void
  readonly input: Readable
  readonly output: Writable
}

async function serveStdio(plugin: Plugin, serving: Serving): Promise<number> {
  const { say, runs, input, output } = serving
  const session = plugin.serve(stdioTransport({ input, output }), {
    capability: serving.capability,
    entry: serving.entry,
    files: packageFiles(serving.folder),
    log: (level, text) => say(level.toUpperCase(), text),
    guard: (run, start) => runs.run(run, start),
  })
  try {
    await session.registered
  } catch (error) {
    say('ERROR', `The host did not take the registration: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  }
  const { why, detail } = await session.closed
  if (why === 'remote' || why === 'local') return 0
  say('ERROR', `The connection to the host broke: ${detail}`)
  return 1
}

/** Keeps stdout for frames; whatever else writes there lands on stderr. */
function takeOutput(): { readonly output: Writable; readonly say: (level: string, text: string) => void } {
  const output = process.stdout
  Object.defineProperty(process, 'stdout', { value: process.stderr, configurable: true })
  redirectConsole(console, process.stderr)
  return { output, say: (level, text) => void process.stderr.write(`[${level}] ${text}\n`) }
}

/** Gives the plugin this copy of the SDK, wherever it lies and whether or not it has one of its own. */
function mapSdk(): void {
  const url = new URL('../index.ts', import.meta.url).href
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === SDK_NAME ? { url, shortCircuit: true } : next(specifier, context),
  })
}
