/** The host under test, put together as `runbound start` does it, in its own process; the bench sets it up over a channel. */
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { createLogger, type Host } from '@runbound/host'
import { localHost } from 'runbound'
import { serveCommands } from './child.ts'
import { inlineProbe } from './probe.ts'

let host: Host | undefined
let profiler: Session | undefined

function running(): Host {
  if (host === undefined) throw new Error('the host is not started')
  return host
}

async function until(true_: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!true_()) {
    if (performance.now() > deadline) throw new Error(`${what} took more than 60 s`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

/** Removes what can be removed, so that what is measured is what is held. Needs `--expose-gc`. */
function collect(): void {
  globalThis.gc?.()
  globalThis.gc?.()
}

const commands = {
  /** Starts on a data folder and a free port; gives the address. */
  async start(input: { readonly folder: string; readonly synchronous: 'normal' | 'full' }): Promise<string> {
    host = await localHost({ ...input, port: 0, logger: createLogger({ level: 'error' }) })
    return host.http?.url ?? ''
  },

  /** Installs and approves a package, and waits until its process serves. Gives its id and the pid at the root of its tree. */
  async install(input: {
    readonly path: string
  }): Promise<{ readonly installation_uuid: string; readonly pid: number }> {
    const { plugins } = running()
    const { installation_uuid, manifest_digest, package_digest } = await plugins.install(input)
    await plugins.approve(installation_uuid, { manifest_digest, package_digest, accept_not_isolated: true })
    return commands.ready({ installation_uuid })
  },

  async ready({ installation_uuid }: { readonly installation_uuid: string }) {
    const { plugins } = running()
    await until(() => plugins.status(installation_uuid)?.state === 'ready', `starting ${installation_uuid}`)
    return { installation_uuid, pid: plugins.status(installation_uuid)?.pid ?? 0 }
  },

  restart: async ({ installation_uuid }: { readonly installation_uuid: string }) => {
    await running().plugins.restart(installation_uuid)
    return commands.ready({ installation_uuid })
  },

  /** Inline plugins, each under its own name. */
  async inline({ names }: { readonly names: readonly string[] }): Promise<void> {
    for (const name of names) await running().plugins.inline(inlineProbe(name))
  },

  /** An http bot whose messages go to an agent with this Runner; gives its id. */
  async bot(input: {
    readonly name: string
    readonly runner_id: string
    readonly secret: string
    readonly callback: string
  }): Promise<string> {
    const { platforms, runs, events, identity } = running()
    const { bot_uuid } = await platforms.put({
      name: input.name,
      platform: 'http',
      settings: { inbound_secret: input.secret, callback_url: input.callback, callback_timeout: 60 },
    })
    const processor_id = `agent-${input.name}`
    await runs.processors.put({
      processor_id,
      workspace_uuid: identity.workspace_uuid,
      kind: 'agent',
      name: input.name,
      runner_id: input.runner_id,
      config: {},
      grants: {},
      options: {},
      enabled: true,
    })
    await events.setRoutes(bot_uuid, [
      {
        route_id: crypto.randomUUID(),
        event_pattern: 'message.received',
        filters: [],
        target_type: 'agent',
        processor_id,
        priority: 0,
        scope: 'chat',
        enabled: true,
        description: '',
      },
    ])
    return bot_uuid
  },

  /** Times of `count` pages of 50, in milliseconds, taken in the host. `deep`: far from the newest. */
  async historyPages(input: {
    readonly key: string
    readonly where: 'first' | 'deep'
    readonly count: number
  }): Promise<readonly number[]> {
    const { conversations } = running()
    const base = {
      conversation_key: input.key,
      up_to: null,
      before_cursor: null,
      after_cursor: null,
      include_attachments: false,
    }
    let before: string | null = null
    if (input.where === 'deep') {
      // From the oldest end: the page before this window lies as deep as can be.
      let after: string | null = null
      for (let page = 0; page < 2; page++)
        after = (await conversations.page({ ...base, after_cursor: after, direction: 'forward', limit: 100 }))
          .prev_cursor
      before = after
    }
    const times: number[] = []
    for (let index = 0; index < input.count; index++) {
      const begin = performance.now()
      const page = await conversations.page({ ...base, before_cursor: before, direction: 'backward', limit: 50 })
      times.push(performance.now() - begin)
      if (page.items.length !== 50) throw new Error(`a page of ${page.items.length}`)
    }
    return times
  },

  /** CPU of this process so far, in milliseconds. */
  cpu(_input: null): number {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },

  /** Memory after a collection in MiB. */
  memory(_input: null): { readonly rssMiB: number; readonly heapMiB: number } {
    collect()
    const { rss, heapUsed } = process.memoryUsage()
    return { rssMiB: rss / 2 ** 20, heapMiB: heapUsed / 2 ** 20 }
  },

  async profile(_input: null): Promise<void> {
    profiler = new Session()
    profiler.connect()
    await profiler.post('Profiler.enable')
    await profiler.post('Profiler.setSamplingInterval', { interval: 200 })
    await profiler.post('Profiler.start')
  },

  async endProfile({ file }: { readonly file: string }): Promise<void> {
    if (profiler === undefined) throw new Error('there is no profile')
    const { profile } = await profiler.post('Profiler.stop')
    writeFileSync(file, JSON.stringify(profile))
    profiler.disconnect()
  },
}
export type HostCommands = typeof commands

serveCommands(commands, async () => {
  await host?.stop({ drainMs: 1_000 })
})
