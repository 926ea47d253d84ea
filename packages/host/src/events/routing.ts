/** Where an event goes: one route of the bot at most, and beside it every plugin processor that declares the event. */
import { matchesAnyEvent, matchesEvent, type PlatformEvent } from '@runbound/protocol'
import type { Processor } from '../runs/types.ts'
import { type TrailCode, trailSentence } from '../trail/codes.ts'
import { type CompiledFilter, compileFilter, type FilterSubject } from './filters.ts'
import type { RejectedRoute, Route, RoutingDecision, SkippedSubscription, Subscription } from './types.ts'

interface CompiledRoute {
  readonly route: Route
  readonly filters: readonly CompiledFilter[]
}

/** The routes and subscriptions of one bot, ready to decide. */
export interface RoutingTable {
  readonly routes: readonly CompiledRoute[]
  readonly subscriptions: readonly Subscription[]
}

/** What a decision asks of other rooms. */
export interface RoutingNeeds {
  processor(processorId: string): Promise<Processor | undefined>
  /** Event patterns that a Runner declares; null when it is not there now. */
  eventPatterns(runnerId: string): readonly string[] | null
}

/** Sorted by priority, then by position. A stored filter that no longer compiles lets nothing through. */
export function compileTable(routes: readonly Route[], subscriptions: readonly Subscription[]): RoutingTable {
  const compiled = routes.map((route) => ({
    route,
    filters: route.filters.map((filter): CompiledFilter => {
      const result = compileFilter(filter)
      return result.ok ? result.passes : () => false
    }),
  }))
  compiled.sort((a, b) => b.route.priority - a.route.priority || a.route.position - b.route.position)
  return { routes: compiled, subscriptions: subscriptions.filter(({ enabled }) => enabled) }
}

/** Decides. `rejected` says of every route that was looked at and not taken why; looking ends at the winner. */
export async function decide(
  table: RoutingTable,
  subject: FilterSubject,
  needs: RoutingNeeds,
): Promise<RoutingDecision> {
  const { event } = subject
  const candidates: RejectedRoute[] = []
  let winner: Route | null = null
  for (const { route, filters } of table.routes) {
    const code: TrailCode | null = winner === null ? await rejection(route, filters, subject, needs) : 'lower_priority'
    if (code === null) winner = route
    else candidates.push({ route_id: route.route_id, code, message: rejectionSentence(code, route, event) })
  }
  return {
    route: winner,
    discarded: winner?.target_type === 'discard',
    candidates,
    ...(await fanOut(table, event, needs)),
  }
}

async function rejection(
  route: Route,
  filters: readonly CompiledFilter[],
  subject: FilterSubject,
  needs: RoutingNeeds,
): Promise<TrailCode | null> {
  if (!matchesEvent(route.event_pattern, subject.event.type)) return 'pattern_mismatch'
  if (!route.enabled) return 'route_disabled'
  if (!filters.every((passes) => passes(subject))) return 'filters_mismatch'
  if (route.target_type === 'discard') return null
  const processor = route.processor_id === null ? undefined : await needs.processor(route.processor_id)
  if (processor === undefined) return 'processor_not_found'
  if (!processor.enabled) return 'processor_disabled'
  return takes(processor, route, subject.event, needs) ? null : 'processor_incompatible'
}

/** A Runner that is not there now is no reason to take another route: its run says so instead. */
function takes(processor: Processor, route: Route, event: PlatformEvent, needs: RoutingNeeds): boolean {
  if (processor.kind !== route.target_type) return false
  if (processor.kind === 'pipeline') return event.type === 'message.received'
  const patterns = needs.eventPatterns(processor.runner_id)
  return patterns === null || matchesAnyEvent(patterns, event.type)
}

function rejectionSentence(code: TrailCode, route: Route, event: PlatformEvent): string {
  return trailSentence(code, {
    event_type: event.type,
    pattern: route.event_pattern,
    processor_id: route.processor_id,
    route_id: route.route_id,
    routes: [route.route_id],
  })
}

async function fanOut(
  table: RoutingTable,
  event: PlatformEvent,
  needs: RoutingNeeds,
): Promise<Pick<RoutingDecision, 'subscriptions' | 'skipped'>> {
  const subscriptions: RoutingDecision['subscriptions'][number][] = []
  const skipped: SkippedSubscription[] = []
  for (const { processor_id, scope } of table.subscriptions) {
    const processor = await needs.processor(processor_id)
    const patterns = processor === undefined ? null : needs.eventPatterns(processor.runner_id)
    const code: TrailCode | null =
      processor === undefined
        ? 'processor_not_found'
        : !processor.enabled
          ? 'processor_disabled'
          : processor.kind !== 'plugin_processor'
            ? 'processor_incompatible'
            : patterns === null
              ? 'runner_unavailable'
              : null
    if (code !== null) {
      const details = { processor_id, runner_id: processor?.runner_id, event_type: event.type }
      skipped.push({ processor_id, code, message: trailSentence(code, details) })
    } else if (patterns !== null && matchesAnyEvent(patterns, event.type)) subscriptions.push({ processor_id, scope })
  }
  return { subscriptions, skipped }
}

/** The code that tells best why no route took the event, with the routes it is about. */
export function deciding(candidates: readonly RejectedRoute[]): {
  readonly code: TrailCode
  readonly routes: readonly string[]
} {
  for (const code of NEAREST_FIRST) {
    const routes = candidates.filter((candidate) => candidate.code === code).map(({ route_id }) => route_id)
    if (routes.length > 0) return { code, routes }
  }
  return { code: 'no_route', routes: [] }
}

/** From "almost" to "not at all". */
const NEAREST_FIRST = [
  'processor_disabled',
  'processor_not_found',
  'processor_incompatible',
  'filters_mismatch',
  'route_disabled',
] as const satisfies readonly TrailCode[]
