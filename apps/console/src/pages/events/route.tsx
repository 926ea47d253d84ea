/** Routes of the events page; what they show is loaded when they are opened. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../shell/root-route.ts'

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events',
  component: lazyRouteComponent(() => import('./events-page.tsx'), 'EventsPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$eventId',
  component: lazyRouteComponent(() => import('./event-page.tsx'), 'EventPage'),
})

export const eventsRoutes = [list, detail] as const
