/** For tests: a real host with a data folder whose plugins are real processes, and packages made of source text. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ScriptedBot, type ShownMessage, scriptablePlatform } from '@runbound/platform-kit/scriptable'
import { type Host, type HostOptions, startHost } from '../host.ts'
import type { ProcessorOptions } from '../runs/types.ts'
import { createLogger } from '../telemetry/log.ts'
import { deriveManifest } from './derive-manifest.ts'
import type { NodeRuntime } from './process/node-command.ts'
import type { Installation, PluginStatus } from './types.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
/** How a test machine under load may take its time, in milliseconds. */
export const PATIENCE_MS = 20_000

/** The runtime of plugin processes in this repository. */
export const RUNTIME: NodeRuntime = {
  node: process.execPath,
  processEntry: join(ROOT, 'packages/sdk/src/serve/process.ts'),
  roots: ['packages/sdk', 'packages/link', 'packages/protocol', 'node_modules/@runbound'].map((path) =>
    join(ROOT, path),
  ),
}

/** Parts of the source of a plugin `acme/<name>` with an agent `answer`. */
export interface Source {
  readonly name: string
  readonly version?: string
  /** Body of `run(ctx)`. */
  readonly run?: string
  /** Before the definition. */
  readonly top?: string
  /** Further properties of `definePlugin`. */
  readonly more?: string
}

export function sourceOf({ name, version = '1.0.0', run = '', top = '', more = '' }: Source): string {
  return `import { definePlugin, defineRunner, field } from '@runbound/sdk'
${top}
const answer = defineRunner({
  name: 'answer',
  usages: ['agent'],
  capabilities: { tool_calling: true },
  permissions: { tools: ['call'], storage: ['plugin'] },
  async run(ctx) {
    ${run}
  },
})
export default definePlugin({ author: 'acme', name: '${name}', version: '${version}', components: [answer], ${more} })
void field
`
}

export interface PluginHost {
  readonly host: Host
  /** The data folder. */
  readonly data: string
  /** A folder of an author with these files. */
  folder(name: string, files: Readonly<Record<string, string>>): string
  /** A package that can be installed: source and the manifest that it says. */
  pack(source: Source): Promise<string>
  /** Packs, installs and approves. */
  install(source: Source): Promise<Installation>
  /** A bot whose messages the agent of this plugin answers. */
  chat(pluginName: string, options?: ProcessorOptions): Promise<ScriptedBot>
  /** Says something and waits for the next message of the bot. */
  ask(bot: ScriptedBot, text: string): Promise<string>
  status(installation: Installation): PluginStatus
  /** Waits until the status of the plugin fits. */
  until(installation: Installation, fits: (status: PluginStatus) => boolean): Promise<PluginStatus>
  logged(installation: Installation): string
  /** Stops the host and starts it on the same folder. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function pluginHost(more: Partial<HostOptions> = {}): Promise<PluginHost> {
  const base = mkdtempSync(join(tmpdir(), 'runbound-plugins-'))
  const data = join(base, 'data')
  const platform = scriptablePlatform()
  let count = 0
  const start = () =>
    startHost({
      folder: data,
      platforms: { scriptable: async () => platform.definition },
      runtime: RUNTIME,
      checkAnswers: true,
      logger: createLogger({ level: 'silent' }),
      ...more,
    })
  let host = await start()

  const self: PluginHost = {
    get host() {
      return host
    },
    data,
    folder(name, files) {
      const folder = join(base, `${name}-${++count}`)
      mkdirSync(folder, { recursive: true })
      for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
      return folder
    },
    async pack(source) {
      const folder = self.folder(source.name, { 'index.ts': sourceOf(source) })
      await deriveManifest({ runtime: RUNTIME, folder, entry: 'index.ts' })
      return folder
    },
    async install(source) {
      const { installation_uuid, manifest_digest, package_digest } = await host.plugins.install({
        path: await self.pack(source),
      })
      return host.plugins.approve(installation_uuid, { manifest_digest, package_digest, accept_not_isolated: true })
    },
    async chat(pluginName, options = {}) {
      const id = `${pluginName}-${++count}`
      await host.runs.processors.put({
        processor_id: id,
        workspace_uuid: host.identity.workspace_uuid,
        kind: 'agent',
        name: id,
        runner_id: `plugin:acme/${pluginName}/answer`,
        config: {},
        grants: {},
        options,
        enabled: true,
      })
      const { bot_uuid } = await host.platforms.put({ name: id, platform: 'scriptable', settings: {} })
      await host.events.setRoutes(bot_uuid, [
        {
          route_id: `route-${id}`,
          event_pattern: '*',
          filters: [],
          target_type: 'agent',
          processor_id: id,
          priority: 0,
          scope: 'chat',
          enabled: true,
          description: '',
        },
      ])
      return platform.bot(bot_uuid)
    },
    async ask(bot, text) {
      const known = new Set<ShownMessage>(bot.messages)
      await bot.say(text)
      return (await bot.waitFor((message) => !known.has(message), PATIENCE_MS)).text
    },
    status({ installation_uuid, plugin_id }) {
      const status = host.plugins.status(installation_uuid)
      if (status === undefined) throw new Error(`${plugin_id} is not supervised`)
      return status
    },
    async until(installation, fits) {
      for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
        const status = self.status(installation)
        if (fits(status)) return status
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      throw new Error(`not in time: ${JSON.stringify(self.status(installation))}\n${self.logged(installation)}`)
    },
    logged: ({ installation_uuid }) =>
      host.plugins
        .logs(installation_uuid)
        .map(({ level, text }) => `${level} ${text}`)
        .join('\n'),
    async restart() {
      await host.stop({ drainMs: 0 })
      host = await start()
    },
    async close() {
      await host.stop({ drainMs: 0 })
      rmSync(base, { recursive: true, force: true })
    },
  }
  return self
}

/** False once there is no process of this pid that works: one that has ended and waits to be collected counts as gone. */
export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
