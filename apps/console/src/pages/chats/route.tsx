/** Routes of the chats page. The address says which conversation is open, or which bot is tried. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../shell/root-route.ts'

export interface ChatsSearch {
  /** Only conversations of this bot. */
  readonly bot?: string
  /** The open conversation, by its key. */
  readonly chat?: string
  /** The web chat bot that is tried. */
  readonly try?: string
}

const chats = createRoute({
  getParentRoute: () => rootRoute,
  path: '/chats',
  validateSearch: (search: Record<string, unknown>): ChatsSearch => ({
    ...(typeof search.bot === 'string' ? { bot: search.bot } : {}),
    ...(typeof search.chat === 'string' ? { chat: search.chat } : {}),
    ...(typeof search.try === 'string' ? { try: search.try } : {}),
  }),
  component: lazyRouteComponent(() => import('./chats-page.tsx'), 'ChatsPage'),
})

export const chatsRoutes = [chats] as const
