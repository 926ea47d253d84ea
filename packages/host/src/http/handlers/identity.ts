/** Endpoints of accounts, sessions and API keys. */
import type { IDENTITY_ENDPOINTS } from '@runbound/api'
import type { Handlers } from '../api-routes.ts'
import { signOut } from '../login.ts'
import { type HandlerRooms, OK } from './rooms.ts'
import { soon } from './soon.ts'

export function identityHandlers(rooms: HandlerRooms): Handlers<typeof IDENTITY_ENDPOINTS> {
  const { identity } = rooms
  return {
    signIn: soon,
    signOut: async (_request, _principal, { headers }) => {
      await signOut(identity, headers)
      return OK
    },
    me: soon,
    setPassword: soon,
    loginLink: async () => {
      const link = await identity.loginLink()
      return { url: `${rooms.url()}/login/${link.token}`, expires_at: link.expires_at }
    },
    listSessions: soon,
    endSession: soon,
    listKeys: soon,
    createKey: soon,
    revokeKey: soon,
  }
}
