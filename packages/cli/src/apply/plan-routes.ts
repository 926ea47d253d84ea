/** What becomes of the routes and plugin processors of each bot that the file speaks of. */
import { isDeepStrictEqual } from 'node:util'
import type { Client, SetupFile } from '@runbound/api'
import { CliError } from '../errors.ts'
import { type Change, type Ids, processorKey } from './change.ts'
import type { HostState, KnownRoute, KnownSubscription } from './host-state.ts'
import type { ReadFile } from './read-file.ts'

type RouteInput = Parameters<Client['setRoutes']>[0]['body']['routes'][number]

/** A route with the name of its agent in the place of its id. */
type NamedRoute = Omit<RouteInput, 'route_id' | 'processor_id'> & { readonly agent: string | null }
interface NamedSubscription {
  readonly processor: string
  readonly scope: 'chat' | 'member'
  readonly enabled: boolean
}

/** CliError `invalid_file` with place for a bot or agent that neither the file nor the host has. */
export function planRoutes(file: ReadFile, state: HostState): readonly Change[] {
  const { content, place } = file
  const bots = new Set([...content.bots, ...state.bots].map(({ name }) => name))
  const agents = new Set(
    [...content.agents, ...state.processors.filter(({ kind }) => kind === 'agent')].map(({ name }) => name),
  )
  for (const [index, { bot, agent }] of (content.routes ?? []).entries()) {
    need(bots, bot, 'bot', place(['routes', index, 'bot']))
    if (agent !== undefined) need(agents, agent, 'agent', place(['routes', index, 'agent']))
  }
  if (content.routes?.length === 0 && content.bots.length === 0)
    throw new CliError(
      'invalid_file',
      `${place(['routes'])}: no routes, but for which bots? List them under "bots", or leave "routes" out.`,
    )
  for (const [index, processor] of content.plugin_processors.entries())
    for (const [at, one] of (processor.bots ?? []).entries())
      need(bots, nameOf(one), 'bot', place(['plugin_processors', index, 'bots', at]))
  return [...bots].flatMap((bot) => planBotRoutes(content, state, bot) ?? [])
}

function planBotRoutes(content: SetupFile, state: HostState, bot: string): Change | null {
  const uuid = state.bots.find(({ name }) => name === bot)?.bot_uuid
  const now = uuid === undefined ? undefined : state.routing.get(uuid)
  const names = new Map(state.processors.map((one) => [one.processor_id, one.name]))
  const before = {
    routes: (now?.routes ?? []).map((route) => namedRoute(route, names)),
    subscriptions: (now?.plugin_processors ?? []).map((one) => namedSubscription(one, names)),
  }
  const listed = content.routes?.filter((route) => route.bot === bot).map(wantedRoute)
  // "none" is said by `routes: []`; a list of others' routes says nothing about this bot.
  const none = content.routes?.length === 0 && content.bots.some(({ name }) => name === bot)
  const after = {
    routes: none ? [] : listed === undefined || listed.length === 0 ? before.routes : listed,
    subscriptions: wantedSubscriptions(content, bot, before.subscriptions),
  }
  const lines = [
    ...difference(before.routes, after.routes, routeText),
    ...difference(before.subscriptions, after.subscriptions, subscriptionText),
  ]
  if (lines.length === 0 && isDeepStrictEqual(before.routes, after.routes)) return null
  return {
    what: 'routes',
    name: bot,
    kind: now === undefined ? 'new' : 'changed',
    lines: lines.length === 0 ? ['another order'] : lines,
    carryOut: (client, ids) => carryOut(client, ids, bot, after, now?.routes ?? []),
  }
}

async function carryOut(
  client: Client,
  ids: Ids,
  bot: string,
  after: { readonly routes: readonly NamedRoute[]; readonly subscriptions: readonly NamedSubscription[] },
  before: readonly KnownRoute[],
): Promise<void> {
  const left = [...before]
  const routes = after.routes.map(({ agent, ...route }): RouteInput => {
    const processor_id = agent === null ? null : idOf(ids, 'agent', agent)
    // A route that stays keeps its id: trails name it.
    const same = left.findIndex((one) => one.event_pattern === route.event_pattern && one.processor_id === processor_id)
    const kept = same === -1 ? undefined : left.splice(same, 1)[0]
    return { ...route, processor_id, ...(kept === undefined ? {} : { route_id: kept.route_id }) }
  })
  const plugin_processors = after.subscriptions.map(({ processor, scope, enabled }) => ({
    processor_id: idOf(ids, 'plugin_processor', processor),
    scope,
    enabled,
  }))
  await client.setRoutes({ params: { bot_uuid: ids.bots.get(bot) ?? '' }, body: { routes, plugin_processors } })
}

/** An id stands for itself where the host has no name for it. */
function idOf(ids: Ids, kind: string, name: string): string {
  return ids.processors.get(processorKey(kind, name)) ?? name
}

function wantedSubscriptions(
  content: SetupFile,
  bot: string,
  before: readonly NamedSubscription[],
): readonly NamedSubscription[] {
  const spokenOf = content.plugin_processors.filter(({ bots }) => bots !== undefined)
  const stay = before.filter(({ processor }) => !spokenOf.some(({ name }) => name === processor))
  const wanted = spokenOf.flatMap(({ name, bots = [] }) =>
    bots
      .filter((one) => nameOf(one) === bot)
      .map((one) => ({
        processor: name,
        scope: typeof one === 'string' ? ('chat' as const) : one.scope,
        enabled: typeof one === 'string' ? true : one.enabled,
      })),
  )
  return [...stay, ...wanted]
}

function wantedRoute({
  event,
  filters,
  agent,
  priority,
  scope,
  enabled,
  description,
}: NonNullable<SetupFile['routes']>[number]): NamedRoute {
  return {
    event_pattern: event,
    filters,
    target_type: agent === undefined ? 'discard' : 'agent',
    agent: agent ?? null,
    priority,
    scope,
    enabled,
    description,
  }
}

function namedRoute(route: KnownRoute, names: ReadonlyMap<string, string>): NamedRoute {
  const { event_pattern, filters, target_type, processor_id, priority, scope, enabled, description } = route
  const agent = processor_id === null ? null : (names.get(processor_id) ?? processor_id)
  return { event_pattern, filters, target_type, agent, priority, scope, enabled, description }
}

function namedSubscription({ processor_id, scope, enabled }: KnownSubscription, names: ReadonlyMap<string, string>) {
  return { processor: names.get(processor_id) ?? processor_id, scope, enabled }
}

function difference<T>(before: readonly T[], after: readonly T[], text: (item: T) => string): string[] {
  const missing = (from: readonly T[], of: readonly T[]): T[] =>
    from.filter((item) => !of.some((other) => isDeepStrictEqual(item, other)))
  return [
    ...missing(before, after).map((item) => `- ${text(item)}`),
    ...missing(after, before).map((item) => `+ ${text(item)}`),
  ]
}

function routeText({ event_pattern, filters = [], agent, priority, scope, enabled }: NamedRoute): string {
  const where = filters.map(({ field, operator, value }) => `${field} ${operator} ${JSON.stringify(value)}`)
  return [
    `${event_pattern} -> ${agent === null ? 'discard' : `agent "${agent}"`}`,
    where.length === 0 ? '' : `where ${where.join(' and ')}`,
    priority === 0 ? '' : `priority ${priority}`,
    scope === 'chat' ? '' : `scope ${scope}`,
    enabled === false ? 'off' : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}

function subscriptionText({ processor, scope, enabled }: NamedSubscription): string {
  return `plugin processor "${processor}"${scope === 'chat' ? '' : `, scope ${scope}`}${enabled ? '' : ', off'}`
}

function nameOf(one: NonNullable<SetupFile['plugin_processors'][number]['bots']>[number]): string {
  return typeof one === 'string' ? one : one.bot
}

function need(known: ReadonlySet<string>, name: string, what: string, place: string): void {
  if (known.has(name)) return
  throw new CliError('invalid_file', `${place}: there is no ${what} "${name}", neither in this file nor on the host.`)
}
