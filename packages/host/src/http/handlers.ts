/** What each endpoint does: calls a room, shows its answer. No business rules here. */
import type { ApiHandlers } from './api-routes.ts'
import { botHandlers } from './handlers/bots.ts'
import { chatHandlers } from './handlers/chats.ts'
import { eventHandlers } from './handlers/events.ts'
import { hostHandlers } from './handlers/host.ts'
import { identityHandlers } from './handlers/identity.ts'
import { pluginHandlers } from './handlers/plugins.ts'
import type { HandlerRooms } from './handlers/rooms.ts'
import { runHandlers } from './handlers/runs.ts'

export function apiHandlers(rooms: HandlerRooms): ApiHandlers {
  return {
    ...hostHandlers(rooms),
    ...identityHandlers(rooms),
    ...pluginHandlers(rooms),
    ...botHandlers(rooms),
    ...runHandlers(rooms),
    ...eventHandlers(rooms),
    ...chatHandlers(rooms),
  }
}
