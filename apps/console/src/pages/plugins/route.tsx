/** Routes of the plugins page. The address says which tab is open and what the log is narrowed to. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../shell/root-route.ts'

export const TABS = ['overview', 'permissions', 'settings', 'logs'] as const
export type PluginTab = (typeof TABS)[number]
/** From the least to the most telling. */
export const LEVELS = ['debug', 'info', 'warning', 'error'] as const
export type Level = (typeof LEVELS)[number]
export const DIALOGS = ['install', 'debug-key'] as const

export interface PluginsSearch {
  /** The dialog that is open. */
  readonly add?: (typeof DIALOGS)[number]
}

export interface PluginSearch {
  readonly tab?: PluginTab
  /** Only lines of this level and above. */
  readonly level?: Level
  /** Only lines with this text. */
  readonly q?: string
  /** The settings as YAML beside the form. */
  readonly yaml?: boolean
}

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/plugins',
  validateSearch: ({ add }: Record<string, unknown>): PluginsSearch => {
    const known = DIALOGS.find((one) => one === add)
    return known === undefined ? {} : { add: known }
  },
  component: lazyRouteComponent(() => import('./plugins-page.tsx'), 'PluginsPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/plugins/$installationUuid',
  validateSearch: (search: Record<string, unknown>): PluginSearch => {
    const tab = TABS.find((one) => one === search.tab)
    const level = LEVELS.find((one) => one === search.level)
    const q = typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q) : ''
    return {
      ...(tab === undefined ? {} : { tab }),
      ...(level === undefined ? {} : { level }),
      ...(q === '' ? {} : { q }),
      ...(search.yaml === true ? { yaml: true } : {}),
    }
  },
  component: lazyRouteComponent(() => import('./plugin-page.tsx'), 'PluginPage'),
})

export const pluginsRoutes = [list, detail] as const
