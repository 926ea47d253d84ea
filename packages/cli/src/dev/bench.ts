/** The place where a plugin is tried: the web chat bot "dev", an agent per agent Runner, a processor per event Runner. */
import type { Client, EndpointInput, Endpoints } from '@runbound/api'
import { ApiError } from '@runbound/api'
import { PLATFORM_TOOLS, platformTool } from '@runbound/protocol'
import { DEV_BOT } from '../chat/place-of-chat.ts'
import type { Loaded } from './load-first.ts'
import { type RunnerFacts, runnersOf } from './runners.ts'

type ProcessorInput = EndpointInput<Endpoints['putProcessor']>['body']
type RouteInput = EndpointInput<Endpoints['setRoutes']>['body']['routes'][number]
type Processor = Awaited<ReturnType<Client['listProcessors']>>['items'][number]

/** What was set up, and what could not be. */
export interface DevBench {
  readonly bot_uuid: string
  readonly runners: readonly { readonly name: string; readonly usage: 'agent' | 'event'; readonly gets: string }[]
  /** One sentence each: a Runner that needs settings, say. */
  readonly faults: readonly string[]
}

/** Everything that its Runners ask for, as far as a web chat can give it: nothing outside is in reach. */
const DEV_GRANTS: ProcessorInput['grants'] = {
  event_tools: true,
  platform_tools: Object.keys(PLATFORM_TOOLS).filter((name) => platformTool(name)?.scope === 'platform'),
  tools: true,
  models: true,
  knowledge_bases: true,
  storage: { plugin: true, workspace: true },
}

/** Can be repeated: after a reload it follows what the plugin has become. Settings that were made stay. */
export async function setUpBench(client: Client, loaded: Loaded): Promise<DevBench> {
  const bot_uuid = await devBot(client)
  const mine = prefixOf(loaded)
  const known = (await client.listProcessors()).items.filter(({ processor_id }) => processor_id.startsWith(mine))
  const faults: string[] = []
  const wanted = runnersOf(loaded).flatMap((runner) =>
    runner.usages.map((usage) => ({ runner, usage, processor_id: `${mine}${runner.name}-${usage}` })),
  )
  const made: typeof wanted = []
  for (const one of wanted) {
    try {
      const before = known.find(({ processor_id }) => processor_id === one.processor_id)
      await client.putProcessor({ body: processorOf(one, before) })
      made.push(one)
    } catch (error) {
      if (!ApiError.is(error) || error.status !== 422) throw error
      faults.push(`${one.runner.name} gets nothing yet: ${error.message}`)
    }
  }
  const agents = made.filter(({ usage }) => usage === 'agent')
  const routes = agents.flatMap(({ runner, processor_id }, at) => routesOf(runner, processor_id, at === 0))
  const processors = made.filter(({ usage }) => usage === 'event').map(({ processor_id }) => ({ processor_id }))
  const others = await othersOf(client, bot_uuid, mine)
  await client.setRoutes({
    params: { bot_uuid },
    body: {
      routes: [...routes, ...others.routes],
      plugin_processors: [...processors, ...others.plugin_processors],
    },
  })
  await removeOld(client, known, wanted)
  const runners = made.map(({ runner, usage }) => ({
    name: runner.name,
    usage,
    gets: usage === 'event' ? runner.events.join(', ') : agentGets(runner, runner === agents[0]?.runner),
  }))
  return { bot_uuid, runners, faults }
}

/** The session is over: what is said to the bot now is told at once that nobody is there, and does not wait. */
export async function restBench(client: Client, loaded: Loaded): Promise<void> {
  const mine = prefixOf(loaded)
  const known = (await client.listProcessors()).items.filter(({ processor_id }) => processor_id.startsWith(mine))
  for (const runner of runnersOf(await client.getPlugin({ params: loaded }))) {
    for (const usage of runner.usages) {
      const before = known.find(({ processor_id }) => processor_id === `${mine}${runner.name}-${usage}`)
      if (before === undefined) continue
      const body = processorOf({ runner, usage, processor_id: before.processor_id }, before)
      await client.putProcessor({ body: { ...body, enabled: false } })
    }
  }
}

/** Processors of this installation are known by the beginning of their id. */
function prefixOf({ installation_uuid }: Pick<Loaded, 'installation_uuid'>): string {
  return `dev-${installation_uuid.slice(0, 8)}-`
}

async function devBot(client: Client): Promise<string> {
  const known = (await client.status()).bots.find((bot) => bot.platform === 'webchat' && bot.name === DEV_BOT)
  if (known?.enabled === true) return known.bot_uuid
  const body = { name: DEV_BOT, platform: 'webchat', enabled: true }
  const bot = await client.putBot({ body: known === undefined ? body : { ...body, bot_uuid: known.bot_uuid } })
  return bot.bot_uuid
}

function processorOf(
  { runner, usage, processor_id }: { runner: RunnerFacts; usage: 'agent' | 'event'; processor_id: string },
  before: Processor | undefined,
): ProcessorInput {
  return {
    processor_id,
    kind: usage === 'agent' ? 'agent' : 'plugin_processor',
    name: `${runner.runner_id.slice('plugin:'.length)} (dev)`,
    runner_id: runner.runner_id,
    // Settings that the new version no longer has would be refused.
    config: Object.fromEntries(
      Object.entries(fieldsOf(before?.config)).filter(([name]) => runner.config.includes(name)),
    ),
    grants: DEV_GRANTS,
    options: { sentence: 'The run failed; `runbound dev` shows why.', after_crash: 'report' },
  }
}

function fieldsOf(value: unknown): ProcessorInput['config'] & object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as ProcessorInput['config'] & object)
    : {}
}

/** One route wins an event: the first agent gets what it declares, further ones messages that begin with `/name`. */
function routesOf(runner: RunnerFacts, processor_id: string, first: boolean): RouteInput[] {
  const target = { target_type: 'agent', processor_id } as const
  const patterns = runner.events.length === 0 ? ['message.received'] : runner.events
  if (first) return patterns.map((event_pattern) => ({ ...target, event_pattern }))
  const byName = { field: 'message_text', operator: 'starts_with', value: `/${runner.name}` } as const
  const other = patterns.filter((pattern) => pattern !== '*' && !pattern.startsWith('message.'))
  return [
    { ...target, event_pattern: 'message.received', filters: [byName], priority: 10 },
    ...other.map((event_pattern) => ({ ...target, event_pattern, priority: 5 })),
  ]
}

function agentGets(runner: RunnerFacts, first: boolean): string {
  if (!first) return `messages that begin with /${runner.name}`
  return runner.events.length === 0 ? 'every message' : runner.events.join(', ')
}

/** Routes of other plugins that are developed on the same bot: they come after ours. */
async function othersOf(client: Client, bot_uuid: string, mine: string) {
  const now = await client.getRoutes({ params: { bot_uuid } })
  return {
    routes: now.routes
      .filter(({ processor_id }) => processor_id?.startsWith(mine) !== true)
      .map(({ bot_uuid: _bot, position: _position, ...route }) => route),
    plugin_processors: now.plugin_processors.filter(({ processor_id }) => !processor_id.startsWith(mine)),
  }
}

/** Processors of Runners that the plugin has no more. */
async function removeOld(client: Client, known: readonly Processor[], wanted: readonly { processor_id: string }[]) {
  for (const { processor_id } of known) {
    if (!wanted.some((one) => one.processor_id === processor_id))
      await client.removeProcessor({ params: { processor_id } })
  }
}
