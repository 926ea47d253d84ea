/** The router: every page's routes under the frame. The address holds the state, so a copied one shows the same. */
import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { PAGE_ROUTES } from '../pages/registry.ts'
import { SkeletonRows } from '../parts/states.tsx'
import { BrokenPage, NoSuchPage } from './broken-page.tsx'
import { rootRoute } from './root-route.ts'
import { Shell } from './shell.tsx'

const home = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/chats', replace: true })
  },
})

rootRoute.update({ component: Shell, notFoundComponent: NoSuchPage })

export const router = createRouter({
  routeTree: rootRoute.addChildren([home, ...PAGE_ROUTES]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPendingComponent: SkeletonRows,
  defaultErrorComponent: BrokenPage,
  defaultNotFoundComponent: NoSuchPage,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
