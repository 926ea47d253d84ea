/** Routes of a bot as they are edited: in the order in which they are tried. */
import type { Output } from '../../data/client.ts'
import type { FormWords } from '../../forms/words/words.ts'
import { readSetupList, writeYaml, type YamlCodec } from '../../forms/yaml.ts'
import type { PageWords } from './words/words.ts'

type StoredRoute = Output<'getRoutes'>['routes'][number]
export type DraftRoute = Omit<StoredRoute, 'bot_uuid' | 'position'>
export type RouteFilter = DraftRoute['filters'][number]
export type Attached = Output<'getRoutes'>['plugin_processors'][number]
export type ProcessorItem = Output<'listProcessors'>['items'][number]

export interface RoutesDraft {
  readonly routes: readonly DraftRoute[]
  readonly plugin_processors: readonly Attached[]
}

/** What is stored, higher priority first and then by position: as the host tries them. */
export function draftOf({ routes, plugin_processors }: Output<'getRoutes'>): RoutesDraft {
  const ordered = routes.toSorted((a, b) => b.priority - a.priority || a.position - b.position)
  return { routes: ordered.map(({ bot_uuid: _bot, position: _position, ...route }) => route), plugin_processors }
}

/** A route for messages to the first agent there is, at the end. */
export function newRoute(routes: readonly DraftRoute[], processors: readonly ProcessorItem[]): DraftRoute {
  const agent = processors.find(({ kind }) => kind === 'agent')
  return {
    route_id: newId(),
    event_pattern: 'message.received',
    filters: [],
    target_type: agent === undefined ? 'discard' : 'agent',
    processor_id: agent?.processor_id ?? null,
    priority: Math.min(0, ...routes.map(({ priority }) => priority)),
    scope: 'chat',
    enabled: true,
    description: '',
  }
}

/** The route at another place. It takes a priority that keeps it there: priority goes before position. */
export function moved(routes: readonly DraftRoute[], from: number, to: number): readonly DraftRoute[] {
  const route = routes[from]
  if (route === undefined || to < 0 || to >= routes.length || from === to) return routes
  const next = routes.toSpliced(from, 1).toSpliced(to, 0, route)
  const above = next[to - 1]?.priority ?? Number.POSITIVE_INFINITY
  const below = next[to + 1]?.priority ?? Number.NEGATIVE_INFINITY
  return next.with(to, { ...route, priority: Math.min(above, Math.max(below, route.priority)) })
}

/** The routes of one bot as `runbound apply` takes them; plugin processors are in their own files. */
export function routesYaml(
  bot: string,
  processors: readonly ProcessorItem[],
  words: PageWords,
  forms: FormWords['yaml'],
): YamlCodec<RoutesDraft> {
  const agents = processors.filter(({ kind }) => kind !== 'plugin_processor')
  return {
    applies: true,
    write: ({ routes }) =>
      writeYaml({
        routes: routes.map((route) => ({
          bot,
          event: route.event_pattern,
          ...(route.filters.length === 0 ? {} : { filters: route.filters }),
          ...(route.target_type === 'discard'
            ? { discard: true }
            : { agent: agents.find((one) => one.processor_id === route.processor_id)?.name ?? route.processor_id }),
          ...(route.priority === 0 ? {} : { priority: route.priority }),
          ...(route.scope === 'chat' ? {} : { scope: route.scope }),
          ...(route.enabled ? {} : { enabled: false }),
          ...(route.description === '' ? {} : { description: route.description }),
        })),
      }),
    read: (text, before) => {
      const read = readSetupList(text, 'routes', forms, (routes) => {
        for (const [index, route] of routes.entries()) {
          if (route.bot !== bot) return { path: [index, 'bot'], message: words.otherBot(bot) }
          if (
            route.agent !== undefined &&
            !agents.some(({ name, processor_id }) => [name, processor_id].includes(route.agent ?? ''))
          )
            return { path: [index, 'agent'], message: words.noAgent(route.agent) }
        }
        return null
      })
      if (!read.ok) return read
      const left = [...before.routes]
      const routes = read.value.map(({ bot: _bot, event, agent, discard, ...rest }): DraftRoute => {
        const target = agents.find(({ name, processor_id }) => name === agent || processor_id === agent)
        const processor_id = discard === true ? null : (target?.processor_id ?? null)
        // A route that stays keeps its id: trails name it.
        const same = left.findIndex((one) => one.event_pattern === event && one.processor_id === processor_id)
        const kept = same === -1 ? undefined : left.splice(same, 1)[0]
        const target_type = discard === true ? 'discard' : target?.kind === 'pipeline' ? 'pipeline' : 'agent'
        return { ...rest, route_id: kept?.route_id ?? newId(), event_pattern: event, target_type, processor_id }
      })
      const ordered = routes.toSorted((a, b) => b.priority - a.priority)
      return { ok: true, value: { ...before, routes: ordered } }
    },
  }
}

/** Not `randomUUID`: a page that is not served over TLS has none. */
function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
