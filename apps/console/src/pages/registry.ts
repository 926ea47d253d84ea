/**
 * The pages of the console: the one table that knows them all. Entries stand in the order of the rail; a page's routes,
 * words and palette live in its own folder.
 */
import { Bot, BrainCircuit, Cable, MessagesSquare, Plug, Settings, Zap } from 'lucide-react'
import type { PageEntry } from '../shell/page-entry.ts'
import { agentsRoutes } from './agents/route.tsx'
import { botsRoutes } from './bots/route.tsx'
import { chatsRoutes } from './chats/route.tsx'
import { eventsRoutes } from './events/route.tsx'
import { pluginsRoutes } from './plugins/route.tsx'
import { runsRoutes } from './runs/route.tsx'
import { settingsRoutes } from './settings/route.tsx'

export const PAGES: readonly PageEntry[] = [
  {
    id: 'chats',
    path: '/chats',
    icon: MessagesSquare,
    palette: async () => (await import('./chats/palette.ts')).provider,
  },
  { id: 'runs', path: '/runs', icon: Zap, palette: async () => (await import('./runs/palette.ts')).provider },
  { id: 'events', path: '/events', icon: Cable, palette: async () => (await import('./events/palette.ts')).provider },
  { id: 'bots', path: '/bots', icon: Bot, palette: async () => (await import('./bots/palette.ts')).provider },
  {
    id: 'agents',
    path: '/agents',
    icon: BrainCircuit,
    palette: async () => (await import('./agents/palette.ts')).provider,
  },
  { id: 'plugins', path: '/plugins', icon: Plug, palette: async () => (await import('./plugins/palette.ts')).provider },
  { id: 'settings', path: '/settings', icon: Settings },
]

/** Every route, with its types: links and search parameters are checked against it. */
export const PAGE_ROUTES = [
  ...chatsRoutes,
  ...runsRoutes,
  ...eventsRoutes,
  ...botsRoutes,
  ...agentsRoutes,
  ...pluginsRoutes,
  ...settingsRoutes,
] as const
