/** A real host for tests: in-memory store, scriptable platforms, fake models and tools. Bots, agents and routes by hand. */
import {
  createLogger,
  type Host,
  type HostOptions,
  type OperatorGrants,
  type Processor,
  type ProcessorOptions,
  startHost,
} from '@runbound/host'
import type { AdapterCapabilities } from '@runbound/platform-kit'
import { type ScriptablePlatform, type ScriptedBot, scriptablePlatform } from '@runbound/platform-kit/scriptable'
import type { JsonObject } from '@runbound/protocol'
import { type FakeModels, fakeModelEngine } from './models.ts'
import { type FakeTools, fakeToolSource } from './tools.ts'

/** What a test host is made of. All of it may be left out. */
export interface StartTestHostOptions
  extends Pick<HostOptions, 'http' | 'clock' | 'conversations' | 'events' | 'synchronous' | 'logger' | 'otlp'> {
  /**
   * Scriptable platforms by name, with what they can do beyond the defaults; or those of a host before, whose chats go on
   * after its restart. Default: one, `scriptable`.
   */
  readonly platforms?: Readonly<Record<string, Partial<AdapterCapabilities> | ScriptablePlatform>>
  /** Real platforms beside them. */
  readonly adapters?: HostOptions['platforms']
  readonly models?: FakeModels
  readonly tools?: FakeTools
  /** Data folder. Default null: everything in memory. */
  readonly folder?: string | null
  /** How plugin processes are started. Default null: inline plugins only. */
  readonly runtime?: HostOptions['runtime']
}

/** A processor to be; what is left out has the host's defaults. */
export interface ProcessorSpec {
  /** `plugin:author/name/runner`. */
  readonly runner_id: string
  readonly name?: string
  readonly config?: JsonObject
  readonly grants?: OperatorGrants
  readonly options?: ProcessorOptions
}

/** What a new bot does with its events. */
export interface BotSpec {
  /** A platform of the host. Default: the first scriptable one. */
  readonly platform?: string
  readonly name?: string
  readonly settings?: JsonObject
  /** Gets every event that it takes. Default: nobody. */
  readonly agent?: Processor
  /** Get the events that they declare, beside the agent. */
  readonly processors?: readonly Processor[]
  /** Default `chat`. */
  readonly scope?: 'chat' | 'member'
}

/** A running test host. */
export interface StartedTestHost {
  readonly host: Host
  /** The scriptable platforms by name. */
  readonly platforms: Readonly<Record<string, ScriptablePlatform>>
  /** Creates an agent. Names are made up where none is given. */
  addAgent(spec: ProcessorSpec): Promise<Processor>
  /** Creates a plugin processor. */
  addProcessor(spec: ProcessorSpec): Promise<Processor>
  /** Creates and starts a bot on a scriptable platform; what people see and do there is on the answer. */
  addBot(spec?: BotSpec): Promise<ScriptedBot>
  /** Replaces the routes of a bot: every event to this agent. */
  routeAll(botUuid: string, agent: Processor | null, scope?: 'chat' | 'member'): Promise<void>
  /** Interrupts what still runs, and closes. Idempotent. */
  stop(): Promise<void>
}

/** Runs get this long to end by themselves when a test stops its host, in milliseconds. */
const DRAIN_MS = 200

/**
 * Starts a host for tests that need more than one plugin, bot or transport; {@link createTestHost} is the short way.
 * Rejects as `startHost` does.
 *
 * @example
 * ```ts
 * import { startTestHost } from '@runbound/testing'
 * import type { Plugin } from '@runbound/sdk'
 *
 * export async function answerOf(plugin: Plugin, runner_id: string, text: string) {
 *   const t = await startTestHost()
 *   await t.host.plugins.inline(plugin)
 *   const bot = await t.addBot({ agent: await t.addAgent({ runner_id }) })
 *   await bot.say(text)
 *   const answer = await bot.waitFor(() => true)
 *   await t.stop()
 *   return answer.text
 * }
 * ```
 */
export async function startTestHost(options: StartTestHostOptions = {}): Promise<StartedTestHost> {
  const { models, tools, adapters, folder = null, runtime = null, logger = createLogger({ level: 'silent' }) } = options
  const { platforms: wanted = { scriptable: {} }, http, clock, conversations, events, synchronous, otlp } = options
  const platforms = Object.fromEntries(
    Object.entries(wanted).map(([name, given]) => [
      name,
      'definition' in given ? given : scriptablePlatform({ name, capabilities: given }),
    ]),
  )
  const host = await startHost({
    folder,
    runtime,
    logger,
    checkAnswers: true,
    platforms: {
      ...Object.fromEntries(Object.entries(platforms).map(([name, { definition }]) => [name, async () => definition])),
      ...adapters,
    },
    models: models === undefined ? null : fakeModelEngine(models),
    toolSources: tools === undefined ? [] : [fakeToolSource(tools)],
    ...(http === undefined ? {} : { http }),
    ...(clock === undefined ? {} : { clock }),
    ...(conversations === undefined ? {} : { conversations }),
    ...(events === undefined ? {} : { events }),
    ...(synchronous === undefined ? {} : { synchronous }),
    ...(otlp === undefined ? {} : { otlp }),
  })
  const { workspace_uuid } = host.identity
  let count = 0

  async function put(kind: Processor['kind'], spec: ProcessorSpec): Promise<Processor> {
    const processor_id = `${kind}-${++count}-${crypto.randomUUID().slice(0, 8)}`
    const { runner_id, name = processor_id, config = {}, grants = {}, options: given = {} } = spec
    return host.runs.processors.put({
      processor_id,
      workspace_uuid,
      kind,
      name,
      runner_id,
      config,
      grants,
      options: given,
      enabled: true,
    })
  }

  async function routeAll(botUuid: string, agent: Processor | null, scope: 'chat' | 'member' = 'chat'): Promise<void> {
    const route = {
      event_pattern: '*',
      filters: [],
      target_type: 'agent',
      priority: 0,
      scope,
      enabled: true,
      description: '',
    } as const
    await host.events.setRoutes(
      botUuid,
      agent === null ? [] : [{ ...route, route_id: `route-${botUuid}`, processor_id: agent.processor_id }],
    )
  }

  return {
    host,
    platforms,
    routeAll,
    addAgent: (spec) => put('agent', spec),
    addProcessor: (spec) => put('plugin_processor', spec),
    async addBot(spec = {}) {
      const { agent = null, processors = [], scope = 'chat', settings = {} } = spec
      const platform = spec.platform ?? Object.keys(platforms)[0] ?? 'scriptable'
      const found = platforms[platform]
      if (found === undefined) throw new TypeError(`The test host has no scriptable platform "${platform}".`)
      const { bot_uuid } = await host.platforms.put({
        name: spec.name ?? `bot-${crypto.randomUUID().slice(0, 8)}`,
        platform,
        settings,
      })
      await routeAll(bot_uuid, agent, scope)
      await host.events.setSubscriptions(
        bot_uuid,
        processors.map(({ processor_id }) => ({ processor_id, scope, enabled: true })),
      )
      return found.bot(bot_uuid)
    },
    stop: () => host.stop({ drainMs: DRAIN_MS }),
  }
}
