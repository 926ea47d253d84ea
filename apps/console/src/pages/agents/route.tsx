/** Routes of the agents page. The address says which tab is open, and which made-up event is looked at. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../shell/root-route.ts'

export const AGENT_TABS = ['settings', 'grants', 'debug'] as const
export type AgentTab = (typeof AGENT_TABS)[number]

export interface AgentSearch {
  /** Default `settings`. */
  readonly tab?: AgentTab
  /** The YAML is open beside the form. */
  readonly yaml?: true
  /** Debugger: the made-up event whose run is shown. */
  readonly sent?: string
  /** Debugger: a recorded event to begin with. */
  readonly from?: string
  /** Grants: the event that they are computed for. */
  readonly event?: string
  /** Grants and debugger: whose platform decides. */
  readonly bot?: string
}
export interface NewAgentSearch {
  readonly kind?: 'agent' | 'plugin_processor'
  readonly runner?: string
  readonly yaml?: true
}

const text = (search: Record<string, unknown>, name: string): object =>
  typeof search[name] === 'string' ? { [name]: search[name] } : {}

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents',
  component: lazyRouteComponent(() => import('./agents-page.tsx'), 'AgentsPage'),
})

const fresh = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/new',
  validateSearch: (search: Record<string, unknown>): NewAgentSearch => ({
    ...(search.kind === 'agent' || search.kind === 'plugin_processor' ? { kind: search.kind } : {}),
    ...text(search, 'runner'),
    ...(search.yaml === true ? { yaml: true } : {}),
  }),
  component: lazyRouteComponent(() => import('./new-agent-page.tsx'), 'NewAgentPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/$processorId',
  validateSearch: (search: Record<string, unknown>): AgentSearch => {
    const tab = AGENT_TABS.find((known) => known === search.tab)
    return {
      ...(tab === undefined ? {} : { tab }),
      ...(search.yaml === true ? { yaml: true } : {}),
      ...text(search, 'sent'),
      ...text(search, 'from'),
      ...text(search, 'event'),
      ...text(search, 'bot'),
    }
  },
  component: lazyRouteComponent(() => import('./agent-page.tsx'), 'AgentPage'),
})

export const agentsRoutes = [list, fresh, detail] as const
