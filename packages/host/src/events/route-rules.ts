/** What makes a route or a subscription wrong: every fault is a HostError that names the place. */
import { EVENT_IDS, matchesEvent } from '@runbound/protocol'
import { HostError } from '../errors.ts'
import type { Processor } from '../runs/types.ts'
import { compileFilter } from './filters.ts'
import type { Route, Subscription } from './types.ts'

export const ROUTES_MAX = 200
export const FILTERS_MAX = 20
const ID_MAX = 128
const DESCRIPTION_MAX = 500

type NewRoute = Omit<Route, 'bot_uuid' | 'position'>
type NewSubscription = Omit<Subscription, 'bot_uuid'>
type Lookup = (processorId: string) => Promise<Processor | undefined>

/** Throws HostError `invalid_config` with `at` such as `routes[0].filters[1].value`. */
export async function checkRoutes(routes: readonly NewRoute[], processor: Lookup): Promise<void> {
  if (routes.length > ROUTES_MAX) throw fault('routes', `a bot has at most ${ROUTES_MAX} routes`)
  const ids = new Set<string>()
  for (const [index, route] of routes.entries()) {
    const at = `routes[${index}]`
    if (typeof route.route_id !== 'string' || route.route_id === '' || route.route_id.length > ID_MAX) {
      throw fault(`${at}.route_id`, `must be 1 to ${ID_MAX} characters`)
    }
    if (ids.has(route.route_id)) throw fault(`${at}.route_id`, `"${route.route_id}" is there twice`)
    ids.add(route.route_id)
    checkShape(route, at)
    checkFilters(route, at)
    await checkTarget(route, at, processor)
  }
}

function checkShape(route: NewRoute, at: string): void {
  checkPattern(route.event_pattern, `${at}.event_pattern`)
  checkScope(route.scope, at)
  if (!Number.isSafeInteger(route.priority)) throw fault(`${at}.priority`, 'must be a whole number')
  if (typeof route.enabled !== 'boolean') throw fault(`${at}.enabled`, 'must be true or false')
  if (typeof route.description !== 'string' || route.description.length > DESCRIPTION_MAX) {
    throw fault(`${at}.description`, `must be text of at most ${DESCRIPTION_MAX} characters`)
  }
}

function checkPattern(pattern: unknown, at: string): void {
  if (typeof pattern === 'string' && EVENT_IDS.some((id) => matchesEvent(pattern, id))) return
  throw fault(at, `"${String(pattern)}" fits no event; use an event id, a family such as "message.*", or "*"`)
}

function checkScope(scope: unknown, at: string): void {
  if (scope !== 'chat' && scope !== 'member') throw fault(`${at}.scope`, 'must be "chat" or "member"')
}

function checkFilters(route: NewRoute, at: string): void {
  if (!Array.isArray(route.filters) || route.filters.length > FILTERS_MAX) {
    throw fault(`${at}.filters`, `must be a list of at most ${FILTERS_MAX} filters`)
  }
  for (const [index, filter] of route.filters.entries()) {
    const where = `${at}.filters[${index}]`
    if (typeof filter !== 'object' || filter === null) throw fault(where, 'must be an object')
    const compiled = compileFilter(filter)
    if (!compiled.ok) throw fault(`${where}.${compiled.at}`, compiled.fault)
  }
}

async function checkTarget(route: NewRoute, at: string, processor: Lookup): Promise<void> {
  const { target_type: type, processor_id: id } = route
  if (type === 'discard') {
    if (id !== null) throw fault(`${at}.processor_id`, 'must be null when the target is "discard"')
    return
  }
  if (type !== 'agent' && type !== 'pipeline') {
    throw fault(`${at}.target_type`, `"${String(type)}" is not one of agent, pipeline, discard`)
  }
  const target = await known(id, `${at}.processor_id`, processor)
  if (target.kind !== type) {
    throw fault(`${at}.processor_id`, `"${id}" is of kind ${target.kind}, but the target type is ${type}`)
  }
  if (type === 'pipeline' && route.event_pattern !== 'message.received') {
    throw fault(`${at}.event_pattern`, 'a pipeline takes "message.received" only')
  }
}

/** Throws HostError `invalid_config` with `at` such as `subscriptions[0].processor_id`. */
export async function checkSubscriptions(subscriptions: readonly NewSubscription[], processor: Lookup): Promise<void> {
  const ids = new Set<string>()
  for (const [index, subscription] of subscriptions.entries()) {
    const at = `subscriptions[${index}]`
    checkScope(subscription.scope, at)
    if (typeof subscription.enabled !== 'boolean') throw fault(`${at}.enabled`, 'must be true or false')
    const target = await known(subscription.processor_id, `${at}.processor_id`, processor)
    if (target.kind !== 'plugin_processor') {
      throw fault(
        `${at}.processor_id`,
        `"${target.processor_id}" is of kind ${target.kind}; only plugin processors subscribe`,
      )
    }
    if (ids.has(target.processor_id)) throw fault(`${at}.processor_id`, `"${target.processor_id}" is there twice`)
    ids.add(target.processor_id)
  }
}

async function known(id: string | null, at: string, processor: Lookup): Promise<Processor> {
  const found = typeof id === 'string' ? await processor(id) : undefined
  if (found === undefined) throw fault(at, `there is no processor "${String(id)}"`)
  return found
}

function fault(at: string, message: string): HostError {
  return new HostError('invalid_config', `${at}: ${message}.`, { at })
}
