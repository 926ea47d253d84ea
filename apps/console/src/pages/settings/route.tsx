/** Routes of the settings page; the address says which part is open. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../shell/root-route.ts'

export const SETTINGS_TABS = ['you', 'keys', 'host'] as const
export type SettingsTab = (typeof SETTINGS_TABS)[number]

export interface SettingsSearch {
  /** Absent: the first. */
  readonly tab?: SettingsTab
}

const settings = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  validateSearch: (search: Record<string, unknown>): SettingsSearch => {
    const tab = SETTINGS_TABS.find((known) => known === search.tab)
    return tab === undefined ? {} : { tab }
  },
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
})

export const settingsRoutes = [settings] as const
