/** Signing in by a one-time link. The link opens a page; only its form uses the link up, so that previews of it do no harm. */
import type { Hono } from 'hono'
import { seconds } from '../clock.ts'
import type { Identity } from '../identity/types.ts'
import { cookie, SESSION_COOKIE } from './doors.ts'
import { failure } from './failures.ts'

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // Not `no-referrer`: browsers then send `Origin: null` with the form, which the doors refuse.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const
const TOKEN = /^[A-Za-z0-9_-]{20,100}$/

export function mountLogin(app: Hono, identity: Identity, home: () => Promise<string>): void {
  app.get('/login/:token', (c) => {
    const token = c.req.param('token')
    return TOKEN.test(token) ? new Response(page(form(token)), { headers: PAGE_HEADERS }) : expired()
  })
  app.get(
    '/login.js',
    () =>
      new Response("document.querySelector('form')?.requestSubmit()\n", {
        headers: { 'content-type': 'text/javascript; charset=utf-8', 'x-content-type-options': 'nosniff' },
      }),
  )
  app.get(
    '/login.css',
    () =>
      new Response(STYLE, {
        headers: { 'content-type': 'text/css; charset=utf-8', 'x-content-type-options': 'nosniff' },
      }),
  )
  app.post('/login/:token', async (c) => {
    const redeemed = await identity.redeem(c.req.param('token'))
    if (redeemed === null) return expired()
    return new Response(null, {
      status: 303,
      headers: {
        location: await home(),
        'set-cookie': `${SESSION_COOKIE}=${redeemed.session}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds(redeemed.lives_ms)}`,
        'cache-control': 'no-store',
      },
    })
  })
}

/** Ends the session of this browser. */
export async function signOut(identity: Identity, headers: Headers): Promise<void> {
  const token = cookie(headers, SESSION_COOKIE)
  if (token !== null) await identity.signOut(token)
}

/** What a browser without a session sees in the place of a page. */
export function askToSignIn(wantsPage: boolean): Response {
  if (!wantsPage) return failure(401, 'not_signed_in', 'Sign in first: `runbound login` prints a link.')
  const body =
    '<h1>Sign in</h1><p>This host asks for a sign-in link. Print one where it runs:</p><pre>npm start -- login</pre><p>or, with <code>runbound</code> on the path:</p><pre>runbound login</pre>'
  return new Response(page(body), { status: 401, headers: PAGE_HEADERS })
}

function expired(): Response {
  const body =
    '<h1>This link no longer works</h1><p>A sign-in link works once, for 15 minutes. Print a new one where the host runs:</p><pre>runbound login</pre>'
  return new Response(page(body), { status: 410, headers: PAGE_HEADERS })
}

const form = (token: string): string =>
  `<h1>Runbound</h1><form method="post" action="/login/${token}"><button type="submit">Sign in</button></form><script src="/login.js"></script>`

const page = (body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Runbound</title><link rel="stylesheet" href="/login.css"></head><body><main>${body}</main></body></html>`

const STYLE = `:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;font:14px/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}
main{max-width:26rem;padding:24px}h1{font-size:20px;margin:0 0 12px}pre{padding:12px;border-radius:8px;background:color-mix(in srgb,CanvasText 8%,Canvas);overflow:auto}
button{font:inherit;padding:8px 16px;border-radius:8px;border:0;background:#3b5bdb;color:#fff;cursor:pointer}button:focus-visible{outline:2px solid #3b5bdb;outline-offset:2px}
`
