/** Routes of the events page. The address holds filters and search, so that a copied one shows the same. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../shell/root-route.ts'

export const OUTCOMES = ['answered', 'failed', 'silent', 'open'] as const
export type Outcome = (typeof OUTCOMES)[number]
/** How far back, with the length in milliseconds. */
export const RANGES = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const
export type Range = keyof typeof RANGES
/** How the detail shows the event itself. */
export const SHAPES = ['read', 'json'] as const
export type Shape = (typeof SHAPES)[number]

export interface EventsSearch {
  readonly bot?: string
  /** An event id, or the beginning of some with `*`: `message.*`. */
  readonly type?: string
  readonly outcome?: Outcome
  readonly range?: Range
  /** Words, a message link, a message id or an event id. */
  readonly q?: string
  /** Only of this conversation, by its key. */
  readonly chat?: string
}

export interface EventSearch extends EventsSearch {
  readonly shape?: Shape
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const among = <V extends string>(known: readonly V[], value: unknown): V | undefined =>
  known.find((one) => one === value)

/** What of an address are filters; the rest is left out. Ids of digits alone come as numbers. */
export function readSearch(search: Record<string, unknown>): EventsSearch {
  const q = typeof search.q === 'number' ? String(search.q) : text(search.q)
  const found = {
    bot: text(search.bot),
    type: text(search.type),
    outcome: among(OUTCOMES, search.outcome),
    range: among(['hour', 'day', 'week'], search.range),
    q,
    chat: text(search.chat),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./events-page.tsx'), 'EventsPage'),
})

const silence = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/silence',
  component: lazyRouteComponent(() => import('./silence-page.tsx'), 'SilencePage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$eventId',
  validateSearch: (search: Record<string, unknown>): EventSearch => {
    const shape = among(SHAPES, search.shape)
    return { ...readSearch(search), ...(shape === undefined ? {} : { shape }) }
  },
  component: lazyRouteComponent(() => import('./event-page.tsx'), 'EventPage'),
})

export const eventsRoutes = [list, silence, detail] as const
