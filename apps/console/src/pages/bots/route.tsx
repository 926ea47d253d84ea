/** Routes of the bots page. The address says which tab is open, whether the YAML is, and which event is tried. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../shell/root-route.ts'

export const BOT_TABS = ['routes', 'settings'] as const
export type BotTab = (typeof BOT_TABS)[number]

export interface BotSearch {
  /** Default `routes`. */
  readonly tab?: BotTab
  /** The YAML is open beside the form. */
  readonly yaml?: true
  /** A recorded event for the dry run. */
  readonly event?: string
}

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/bots',
  component: lazyRouteComponent(() => import('./bots-page.tsx'), 'BotsPage'),
})

const fresh = createRoute({
  getParentRoute: () => rootRoute,
  path: '/bots/new',
  validateSearch: (search: Record<string, unknown>): { readonly platform?: string; readonly yaml?: true } => ({
    ...(typeof search.platform === 'string' ? { platform: search.platform } : {}),
    ...(search.yaml === true ? { yaml: true } : {}),
  }),
  component: lazyRouteComponent(() => import('./new-bot-page.tsx'), 'NewBotPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/bots/$botUuid',
  validateSearch: (search: Record<string, unknown>): BotSearch => {
    const tab = BOT_TABS.find((known) => known === search.tab)
    return {
      ...(tab === undefined ? {} : { tab }),
      ...(search.yaml === true ? { yaml: true } : {}),
      ...(typeof search.event === 'string' ? { event: search.event } : {}),
    }
  },
  component: lazyRouteComponent(() => import('./bot-page.tsx'), 'BotPage'),
})

export const botsRoutes = [list, fresh, detail] as const
