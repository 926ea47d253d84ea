/** A host put together from the parts that ship: what `runbound start` and `runbound dev` run, for programs too. */
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { type Host, type HostOptions, type Logger, type NodeRuntime, startHost, VERSION } from '@runbound/host'
import { guide } from './first-start/guide.ts'
import { setUpWebChat } from './first-start/set-up.ts'
import { removeHostFile, writeHostFile } from './place/host-file.ts'
import { consoleFolder, moduleFile, packageFolder, ROOT } from './place/installation.ts'

/** What can be chosen. */
export interface LocalHostOptions {
  /** The data folder; made when it is not there. */
  readonly folder: string
  /** Default 5490; 0: any free one. */
  readonly port?: number
  /** Default 127.0.0.1. */
  readonly hostname?: string
  /** Further names under which this host is reached, as they stand in the Host header. */
  readonly allowedHosts?: readonly string[]
  /** Where people reach this host through a reverse proxy, such as `https://bots.example`. */
  readonly publicUrl?: string
  /** Folder of the built console; null: none. Default: the one of this installation. */
  readonly console?: string | null
  /** `full` also survives lost power. Default `normal`. */
  readonly synchronous?: 'normal' | 'full'
  /** Where traces go; absent: nowhere. */
  readonly otlp?: HostOptions['otlp']
  /** Default: JSON lines from `info` on, to stderr. */
  readonly logger?: Logger
}

/** The port where nothing else is said. */
export const DEFAULT_PORT = 5490

/**
 * Starts a host with the platforms `webchat` and `http` and TypeScript plugins on this Node. The first start on a data
 * folder makes a web chat that answers. HostError and StoreError say what is wrong with folder, port or database.
 */
export async function localHost(options: LocalHostOptions): Promise<Host> {
  const { folder, port = DEFAULT_PORT, hostname, allowedHosts, publicUrl, synchronous, logger, otlp } = options
  const console = options.console === undefined ? consoleFolder() : options.console
  const host = await startHost({
    folder,
    platforms: {
      webchat: async () => (await import('@runbound/platform-webchat')).webchat,
      http: async () => (await import('@runbound/platform-http')).httpPlatform,
    },
    runtime: nodeRuntime(),
    inline: [guide],
    http: {
      port,
      ...(hostname === undefined ? {} : { hostname }),
      ...(allowedHosts === undefined ? {} : { allowedHosts }),
      ...(publicUrl === undefined ? {} : { publicUrl }),
      ...(console === null ? {} : { console }),
    },
    ...(synchronous === undefined ? {} : { synchronous }),
    ...(logger === undefined ? {} : { logger }),
    ...(otlp === undefined ? {} : { otlp }),
  })
  try {
    await setUpWebChat(host, folder)
    const url = host.http?.url ?? ''
    writeHostFile(folder, { url, pid: process.pid, version: VERSION, started_at: Date.now() })
  } catch (error) {
    await host.stop({ drainMs: 0 })
    throw error
  }
  return {
    ...host,
    async stop(how) {
      removeHostFile(folder, process.pid)
      await host.stop(how)
    },
  }
}

/** How plugin processes are started: this Node, this installation's SDK, and the folders that both read. */
export function nodeRuntime(): NodeRuntime {
  const links = join(ROOT, 'node_modules', '@runbound')
  return {
    node: realpathSync(process.execPath),
    processEntry: moduleFile('@runbound/sdk/process'),
    roots: [...['@runbound/sdk', '@runbound/link', '@runbound/protocol'].map(packageFolder), links],
  }
}
