/** `runbound start`: a host until it is told to stop. */
import { createLogger, type Host } from '@runbound/host'
import { CliError } from '../errors.ts'
import { localHost } from '../index.ts'
import { dataFolder, ROOT } from '../place/installation.ts'
import { letYoungSpaceGrow } from '../place/young-space.ts'
import { whole } from '../terminal/numbers.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { banner, pathHint, type Ready } from './banner.ts'
import { stopOnSignals } from './stop-on-signals.ts'

/** Options as they were written; each is also an environment variable. */
export interface StartOptions {
  readonly data?: string
  readonly port: string
  readonly host: string
  readonly allowedHost: readonly string[]
  readonly publicUrl?: string
  readonly logLevel: string
  readonly synchronous: string
  readonly otlp?: string
  readonly drain: string
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** Starts, prints where it is, and resolves once it has stopped. */
export async function start(terminal: Terminal, options: StartOptions): Promise<void> {
  const began = performance.now()
  const drainMs = whole('--drain', options.drain, 0, 86_400) * 1000
  const host = await startLocal(options)
  const stopped = stopOnSignals(host, { drainMs, note: terminal.note })
  terminal.event(await readyOf(host, options, performance.now() - began), banner)
  letYoungSpaceGrow()
  await stopped
}

/**
 * A host in this process with the options of `start`; its log goes to `log`, by default stderr. CliError `usage` names an
 * option that does not fit.
 */
export async function startLocal(options: StartOptions, log?: { write(line: string): void }): Promise<Host> {
  const level = LEVELS.find((known) => known === options.logLevel)
  if (level === undefined) throw new CliError('usage', `--log-level is one of: ${LEVELS.join(', ')}.`)
  const { synchronous } = options
  if (synchronous !== 'normal' && synchronous !== 'full')
    throw new CliError(
      'usage',
      '--synchronous is "normal" (safe against a killed process) or "full" (also lost power).',
    )
  return localHost({
    folder: dataFolder(options.data),
    port: whole('--port', options.port, 0, 65_535),
    hostname: options.host,
    allowedHosts: options.allowedHost,
    ...(options.publicUrl === undefined || options.publicUrl === '' ? {} : { publicUrl: options.publicUrl }),
    synchronous,
    ...otlpOf(options.otlp ?? process.env.RUNBOUND_OTLP ?? process.env.OTEL_EXPORTER_OTLP_ENDPOINT),
    logger: createLogger({ level, ...(log === undefined ? {} : { destination: log }) }),
  })
}

/** Where traces go; empty or absent: nowhere. */
function otlpOf(endpoint: string | undefined): { readonly otlp?: { readonly endpoint: string } } {
  if (endpoint === undefined || endpoint === '') return {}
  if (!/^https?:/.test(endpoint) || !URL.canParse(endpoint))
    throw new CliError('usage', '--otlp is the URL of an OTLP/HTTP collector, such as http://127.0.0.1:4318.')
  return { otlp: { endpoint } }
}

async function readyOf(host: Host, options: StartOptions, ms: number): Promise<Ready> {
  const url = host.http?.publicUrl ?? ''
  // A link is a secret: in the log of a service it stands only at the first start, where nobody could sign in otherwise.
  const wanted = host.firstStart || process.stdout.isTTY === true
  const link = wanted ? await host.identity.loginLink() : null
  return {
    event: 'ready',
    url,
    login_url: link === null ? null : `${url}/login/${link.token}`,
    data: dataFolder(options.data),
    pid: process.pid,
    first_start: host.firstStart,
    ms: Math.round(ms),
    path_hint: pathHint(ROOT),
  }
}
