/** Routes of the agents page; what they show is loaded when they are opened. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../shell/root-route.ts'

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents',
  component: lazyRouteComponent(() => import('./agents-page.tsx'), 'AgentsPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/$processorId',
  component: lazyRouteComponent(() => import('./agent-page.tsx'), 'AgentPage'),
})

export const agentsRoutes = [list, detail] as const
