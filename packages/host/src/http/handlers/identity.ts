/** Endpoints of accounts, sessions and API keys. */
import type { IDENTITY_ENDPOINTS } from '@runbound/api'
import { WireError } from '@runbound/protocol'
import type { Account, Principal } from '../../identity/types.ts'
import type { Handlers } from '../api-routes.ts'
import { cookie, SESSION_COOKIE, scopesOf } from '../doors.ts'
import { noSessionCookie, sessionCookie, signOut } from '../login.ts'
import { type HandlerRooms, OK } from './rooms.ts'

export function identityHandlers(rooms: HandlerRooms): Handlers<typeof IDENTITY_ENDPOINTS> {
  const { identity } = rooms
  const { sessions, keys } = identity

  /** Whose account it is about: one's own; a key that may do everything acts for the owner. */
  async function accountOf(principal: Principal): Promise<Account> {
    if (principal.kind === 'session') return principal.account
    const owner = principal.scopes.includes('*') ? await identity.owner() : undefined
    if (owner === undefined) throw new WireError('permission_denied', 'An API key has no account: sign in as a person.')
    return owner
  }

  return {
    signIn: async ({ body }, _nobody, { headers, address, answer }) => {
      const browser = headers.get('user-agent')
      const opened = await sessions.signIn({ ...body, address, browser })
      answer.set('set-cookie', sessionCookie(opened, rooms.url()))
      return { account: opened.account, expires_at: opened.expires_at }
    },
    signOut: async (_request, _principal, { headers, answer }) => {
      await signOut(identity, headers)
      answer.set('set-cookie', noSessionCookie(rooms.url()))
      return OK
    },
    me: async (_request, principal) => ({
      signed_in_by: principal.kind,
      account:
        principal.kind === 'session'
          ? { ...principal.account, has_password: await sessions.hasPassword(principal.account) }
          : null,
      key: principal.kind === 'api_key' ? { key_id: principal.key_id, name: principal.name } : null,
      scopes: [...scopesOf(principal)],
      instance_uuid: identity.instance_uuid,
      workspace_uuid: identity.workspace_uuid,
      version: rooms.version,
    }),
    setPassword: async ({ body }, principal, { headers, address }) => {
      await sessions.setPassword({
        account: await accountOf(principal),
        current: body.current,
        password: body.password,
        keep: principal.kind === 'session' ? cookie(headers, SESSION_COOKIE) : null,
        address,
        trusted: principal.kind === 'api_key',
      })
      return OK
    },
    loginLink: async () => {
      const link = await identity.loginLink()
      return { url: `${rooms.url()}/login/${link.token}`, expires_at: link.expires_at }
    },
    listSessions: async (_request, principal, { headers }) => ({
      items: [...(await sessions.list(await accountOf(principal), cookie(headers, SESSION_COOKIE)))],
    }),
    endSession: async ({ params }, principal) => {
      await sessions.end(await accountOf(principal), params.session_id)
      return OK
    },
    listKeys: async () => ({ items: (await keys.list()).map((key) => ({ ...key, scopes: [...key.scopes] })) }),
    createKey: async ({ body }, principal) => {
      const made = await keys.create(body, scopesOf(principal))
      return { ...made, scopes: [...made.scopes] }
    },
    revokeKey: async ({ params }, principal) => {
      await keys.revoke(params.key_id, scopesOf(principal))
      return OK
    },
  }
}
