/** Routes of the bots page; what they show is loaded when they are opened. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../shell/root-route.ts'

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/bots',
  component: lazyRouteComponent(() => import('./bots-page.tsx'), 'BotsPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/bots/$botUuid',
  component: lazyRouteComponent(() => import('./bot-page.tsx'), 'BotPage'),
})

export const botsRoutes = [list, detail] as const
