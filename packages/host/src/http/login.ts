/** Signing in by a one-time link. The link opens a page; only its form uses the link up, so that previews of it do no harm. */
import type { Hono } from 'hono'
import { seconds } from '../clock.ts'
import type { Identity, OpenedSession } from '../identity/types.ts'
import { cookie, SESSION_COOKIE } from './doors.ts'
import { failure } from './failures.ts'
import { expiredPage, linkPage, PAGE_HEADERS, SIGN_IN_SCRIPT, SIGN_IN_STYLE, signInPage } from './sign-in-page.ts'

const TOKEN = /^[A-Za-z0-9_-]{20,100}$/

/** `publicUrl`: where people reach this host; its scheme says whether cookies are for https only. */
export function mountLogin(app: Hono, identity: Identity, home: () => Promise<string>, publicUrl: () => string): void {
  app.get('/login/:token', (c) => {
    const token = c.req.param('token')
    return TOKEN.test(token) ? new Response(linkPage(token), { headers: PAGE_HEADERS }) : expired()
  })
  app.get(
    '/login.js',
    () =>
      new Response(SIGN_IN_SCRIPT, {
        headers: { 'content-type': 'text/javascript; charset=utf-8', 'x-content-type-options': 'nosniff' },
      }),
  )
  app.get(
    '/login.css',
    () =>
      new Response(SIGN_IN_STYLE, {
        headers: { 'content-type': 'text/css; charset=utf-8', 'x-content-type-options': 'nosniff' },
      }),
  )
  app.post('/login/:token', async (c) => {
    const redeemed = await identity.redeem(c.req.param('token'), c.req.header('user-agent') ?? null)
    if (redeemed === null) return expired()
    return new Response(null, {
      status: 303,
      headers: {
        location: await home(),
        'set-cookie': sessionCookie(redeemed, publicUrl()),
        'cache-control': 'no-store',
      },
    })
  })
}

/** The cookie of a session that has just begun; `publicUrl` is where people reach this host. */
export const sessionCookie = ({ session, lives_ms }: OpenedSession, publicUrl: string): string =>
  `${SESSION_COOKIE}=${session}; ${flags(publicUrl)}; Max-Age=${seconds(lives_ms)}`

/** Takes the cookie back. */
export const noSessionCookie = (publicUrl: string): string => `${SESSION_COOKIE}=; ${flags(publicUrl)}; Max-Age=0`

/** `Secure` only where the operator said that people come by https: a header of a request is anybody's word. */
const flags = (publicUrl: string): string =>
  `HttpOnly; SameSite=Strict; Path=/${publicUrl.startsWith('https:') ? '; Secure' : ''}`

/** Ends the session of this browser. */
export async function signOut(identity: Identity, headers: Headers): Promise<void> {
  const token = cookie(headers, SESSION_COOKIE)
  if (token !== null) await identity.signOut(token)
}

/** What a browser without a session sees in the place of a page. */
export function askToSignIn(wantsPage: boolean): Response {
  if (!wantsPage) return failure(401, 'not_signed_in', 'Sign in first: `runbound login` prints a link.')
  return new Response(signInPage(), { status: 401, headers: PAGE_HEADERS })
}

function expired(): Response {
  return new Response(expiredPage(), { status: 410, headers: PAGE_HEADERS })
}
