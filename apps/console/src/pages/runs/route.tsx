/** Routes of the runs pages. The address holds every filter, the lanes shown and the open entry, so a copied one shows the same. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../shell/root-route.ts'

/** Filters of the list; what is absent does not filter. */
export interface RunsSearch {
  readonly bot?: string
  readonly processor?: string
  /** An installation of a plugin. */
  readonly plugin?: string
  /** Statuses with commas between them. */
  readonly status?: string
  /** A person, as the platform names them. */
  readonly person?: string
  /** The last hour, day, week or month; wins over `from` and `until`. */
  readonly range?: string
  /** Epoch milliseconds, both included. */
  readonly from?: string
  readonly until?: string
  /** Only runs of this conversation, by its key. */
  readonly conversation?: string
  /** Only runs of this event. */
  readonly event?: string
  /** The beginning of a run id, or words of the message. */
  readonly q?: string
}

export interface RunSearchParams {
  /** Lanes that are shown, with commas between them; absent: all. */
  readonly lanes?: string
  /** `problems`: only what was refused, failed, or did not arrive. */
  readonly only?: string
  /** The open entry, by its id. */
  readonly entry?: string
}

const RUNS_KEYS = [
  'bot', 'processor', 'plugin', 'status', 'person', 'range', 'from', 'until', 'conversation', 'event', 'q',
] as const satisfies readonly (keyof RunsSearch)[] // biome-ignore format: a list
const RUN_KEYS = ['lanes', 'only', 'entry'] as const satisfies readonly (keyof RunSearchParams)[]

/** Known parameters as text; the router reads `?q=42` as a number. */
function texts<K extends string>(search: Record<string, unknown>, keys: readonly K[]): { readonly [N in K]?: string } {
  const found: { [N in K]?: string } = {}
  for (const key of keys) {
    const value = search[key]
    if (typeof value === 'string' ? value.trim() !== '' : typeof value === 'number') found[key] = String(value)
  }
  return found
}

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs',
  validateSearch: (search: Record<string, unknown>): RunsSearch => texts(search, RUNS_KEYS),
  component: lazyRouteComponent(() => import('./runs-page.tsx'), 'RunsPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/$runId',
  validateSearch: (search: Record<string, unknown>): RunSearchParams => texts(search, RUN_KEYS),
  component: lazyRouteComponent(() => import('./run-page.tsx'), 'RunPage'),
})

export const runsRoutes = [list, detail] as const
