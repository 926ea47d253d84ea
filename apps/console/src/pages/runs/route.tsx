/** Routes of the runs page; what they show is loaded when they are opened. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../shell/root-route.ts'

export interface RunsSearch {
  /** Only runs of this conversation, by its key. */
  readonly conversation?: string
}

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs',
  validateSearch: (search: Record<string, unknown>): RunsSearch =>
    typeof search.conversation === 'string' ? { conversation: search.conversation } : {},
  component: lazyRouteComponent(() => import('./runs-page.tsx'), 'RunsPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/$runId',
  component: lazyRouteComponent(() => import('./run-page.tsx'), 'RunPage'),
})

export const runsRoutes = [list, detail] as const
