/** Says where an event would go, and of every route and plugin processor why it would or would not. Nothing runs or is stored. */
import type { Processor } from '../runs/types.ts'
import { trailSentence } from '../trail/codes.ts'
import { deciding } from './routing.ts'
import type { DryRun, Route, RoutingDecision, Subscription } from './types.ts'

export interface DryRunParts {
  readonly event_type: string
  readonly decision: RoutingDecision
  /** In the order in which they are tried. */
  readonly routes: readonly Route[]
  readonly subscriptions: readonly Subscription[]
  processor(processorId: string): Promise<Processor | undefined>
}

export async function explained(parts: DryRunParts): Promise<DryRun> {
  const { decision, event_type } = parts
  const nameOf = async (id: string | null) => (id === null ? null : ((await parts.processor(id))?.name ?? null))
  const routes = await Promise.all(
    parts.routes.map(async (route) => {
      const { route_id, position, event_pattern, description, target_type, processor_id } = route
      const wins = decision.route?.route_id === route_id
      const rejected = decision.candidates.find((one) => one.route_id === route_id)
      const processor_name = await nameOf(processor_id)
      const code = wins ? (decision.discarded ? 'discarded' : 'routed') : (rejected?.code ?? 'lower_priority')
      const target = processor_name ?? processor_id ?? route_id
      const sentence = wins
        ? trailSentence(decision.discarded ? 'discarded' : 'routed', { route_id, processors: [target] })
        : (rejected?.message ?? '')
      return {
        route_id, position, event_pattern, description, target_type, processor_id, processor_name, wins, code, sentence,
      } // biome-ignore format: one line of a table
    }),
  )
  const plugin_processors = await Promise.all(
    parts.subscriptions.map(async ({ processor_id, scope, enabled }) => {
      const gets = decision.subscriptions.some((one) => one.processor_id === processor_id)
      const skipped = decision.skipped.find((one) => one.processor_id === processor_id)
      const code = gets ? 'routed' : enabled ? (skipped?.code ?? 'processor_incompatible') : 'processor_disabled'
      const processor_name = await nameOf(processor_id)
      const details = { processor_id, event_type, processors: [processor_name ?? processor_id] }
      return {
        processor_id,
        processor_name,
        scope,
        gets,
        code,
        sentence: skipped?.message ?? trailSentence(code, details),
      }
    }),
  )
  return { event_type, ...verdict(decision, event_type, routes, plugin_processors), routes, plugin_processors }
}

type Answer = Pick<DryRun, 'code' | 'sentence'>

function verdict(
  decision: RoutingDecision,
  event_type: string,
  routes: DryRun['routes'],
  plugin_processors: DryRun['plugin_processors'],
): Answer {
  const winner = routes.find(({ wins }) => wins)
  const also = plugin_processors.filter(({ gets }) => gets).map((one) => one.processor_name ?? one.processor_id)
  if (winner !== undefined && decision.discarded && also.length === 0)
    return { code: 'discarded', sentence: winner.sentence }
  if (winner !== undefined || also.length > 0) {
    const routed =
      winner === undefined || decision.discarded ? [] : [winner.processor_name ?? winner.processor_id ?? '?']
    return { code: 'routed', sentence: trailSentence('routed', { processors: [...routed, ...also] }) }
  }
  const { code, routes: ids } = deciding(decision.candidates)
  return { code, sentence: trailSentence(code, { event_type, routes: ids, processor_id: processorOf(ids, routes) }) }
}

const processorOf = (ids: readonly string[], routes: DryRun['routes']): string | null =>
  routes.find(({ route_id }) => route_id === ids[0])?.processor_id ?? null
