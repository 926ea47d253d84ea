/** Routes of the plugins page; what they show is loaded when they are opened. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../shell/root-route.ts'

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/plugins',
  component: lazyRouteComponent(() => import('./plugins-page.tsx'), 'PluginsPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/plugins/$installationUuid',
  component: lazyRouteComponent(() => import('./plugin-page.tsx'), 'PluginPage'),
})

export const pluginsRoutes = [list, detail] as const
