/** One test body over three transports: inline (memory), a plugin process of the host (stdio), a debug process (WebSocket). */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Host, MANIFEST_FILE, type NodeRuntime } from '@runbound/host'
import { manifestOf, type Plugin } from '@runbound/sdk'
import { type StartedTestHost, type StartTestHostOptions, startTestHost } from '@runbound/testing'
import { afterAll, beforeAll, describe } from 'vitest'
import { Bench } from './bench.ts'
import other from './plugins/other.ts'
import probe from './plugins/probe.ts'

export const TRANSPORTS = ['memory', 'stdio', 'websocket'] as const
export type TransportName = (typeof TRANSPORTS)[number]

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HERE = fileURLToPath(new URL('.', import.meta.url))
const START_MS = 60_000
const PLATFORMS = { plain: {}, streaming: { streaming: { minIntervalMs: 20 }, edit: true, reaction: true } }
/** Plugins by the name of their module below plugins/. */
const PLUGINS: Readonly<Record<string, Plugin>> = { probe, other }

/** Plugin processes run on this repository's SDK. */
export const RUNTIME: NodeRuntime = {
  node: process.execPath,
  processEntry: join(ROOT, 'packages/sdk/src/serve/process.ts'),
  roots: ['packages/sdk', 'packages/link', 'packages/protocol', 'node_modules/@runbound'].map((path) =>
    join(ROOT, path),
  ),
}

/** What the tests of one file need of their hosts. */
export interface TransportOptions
  extends Pick<StartTestHostOptions, 'models' | 'tools' | 'adapters' | 'conversations'> {
  /** Modules below plugins/. Default: `probe`. */
  readonly plugins?: readonly string[]
}

/** Runs the tests over each transport, on one host each. */
export function onEveryTransport(tests: (bench: () => Bench) => void, options: TransportOptions = {}): void {
  describe.each(TRANSPORTS)('%s', (transport) => {
    let bench: Bench | undefined
    beforeAll(async () => {
      bench = await startBench(transport, options)
    }, START_MS)
    afterAll(async () => {
      await bench?.stop()
    }, START_MS)
    tests(() => {
      if (bench === undefined) throw new Error('the host did not start')
      return bench
    })
  })
}

/** Starts a host with the plugins on this transport. */
export async function startBench(transport: TransportName, options: TransportOptions = {}): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), `runbound-requirements-${transport}-`))
  const wanted = options.plugins ?? ['probe']
  let children: ChildProcess[] = []

  async function up(before: StartedTestHost | null): Promise<StartedTestHost> {
    const { models, tools, adapters, conversations } = options
    const t = await startTestHost({
      folder: join(folder, 'data'),
      runtime: RUNTIME,
      platforms: before?.platforms ?? PLATFORMS,
      ...(transport === 'websocket' || adapters !== undefined ? { http: { port: 0 } } : {}),
      ...(models === undefined ? {} : { models }),
      ...(tools === undefined ? {} : { tools }),
      ...(adapters === undefined ? {} : { adapters }),
      ...(conversations === undefined ? {} : { conversations }),
    })
    for (const name of wanted) {
      if (transport === 'memory') await t.host.plugins.inline(pluginOf(name))
      else if (transport === 'websocket') children.push(await connect(t.host, name))
      else if (before === null) await install(t.host, name, folder)
    }
    await allReady(t.host, wanted)
    return t
  }

  async function down(t: StartedTestHost): Promise<void> {
    await t.stop()
    await Promise.all(children.map(ended))
    children = []
  }

  return new Bench({
    transport,
    t: await up(null),
    async restart(t) {
      await down(t)
      return up(t)
    },
    async stop(t) {
      await down(t)
      rmSync(folder, { recursive: true, force: true })
    },
  })
}

function pluginOf(name: string): Plugin {
  const plugin = PLUGINS[name]
  if (plugin === undefined) throw new TypeError(`There is no plugin ${name} below plugins/.`)
  return plugin
}

/** As an operator does it: a packed folder is installed, looked at and approved. */
async function install(host: Host, name: string, folder: string): Promise<void> {
  const packed = join(folder, `packed-${name}`)
  mkdirSync(packed)
  cpSync(join(HERE, 'plugins'), packed, { recursive: true })
  writeFileSync(join(packed, MANIFEST_FILE), JSON.stringify(manifestOf(pluginOf(name), { entry: `${name}.ts` })))
  const { installation_uuid, manifest_digest, package_digest } = await host.plugins.install({ path: packed })
  // Where there are no user namespaces the process is only walled in by Node's permissions.
  await host.plugins.approve(installation_uuid, { manifest_digest, package_digest, accept_not_isolated: true })
}

/** As an author does it: a process of its own connects with a key. */
async function connect(host: Host, name: string): Promise<ChildProcess> {
  const { key } = await host.plugins.newDebugKey()
  const url = `${host.http?.url.replace(/^http/, 'ws')}/plugin/debug/ws`
  const child = join(HERE, 'websocket-plugin.child.ts')
  return spawn(process.execPath, [child, url, key, join(HERE, 'plugins', `${name}.ts`)], { stdio: 'ignore' })
}

async function allReady(host: Host, names: readonly string[]): Promise<void> {
  const until = Date.now() + START_MS
  for (;;) {
    const waiting = names.flatMap((name) => {
      const status = host.plugins.list().find(({ plugin_id }) => plugin_id === `runbound/${name}`)
      return status?.state === 'ready' ? [] : [`${name}: ${status?.state ?? 'missing'} ${status?.message ?? ''}`]
    })
    if (waiting.length === 0) return
    if (Date.now() > until) throw new Error(`Plugins that are not ready: ${waiting.join('; ')}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await exit
  clearTimeout(timer)
}
