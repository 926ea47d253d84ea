/**
 * Every route of the OpenAPI document, against nobody, a wrong scope, a foreign Origin and a foreign Host: all refuse, and
 * the same request with the right key is let in. A route that is not in the table fails.
 */
import { request as httpRequest } from 'node:http'
import type { Access } from '@runbound/api'
import { ENDPOINTS, LIVE_PATH, METRICS_PATH, SCOPES } from '@runbound/api'
import { openApiDocument } from '@runbound/api/openapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../host.ts'
import { createLogger } from '../telemetry/log.ts'

/**
 * What each route asks for, and the status that who may use it gets: every body is wrong (422) and every id is of nothing
 * (404 in the words of the endpoint). Whoever adds a route says here who may use it.
 */
const TABLE: Readonly<Record<string, readonly [scope: Access, status: number]>> = {
  'get /api/v1/status': ['read', 200],
  'get /api/v1/store': ['read', 200],
  'post /api/v1/backup': ['*', 422],
  'post /api/v1/session': ['none', 422],
  'delete /api/v1/session': ['any', 200],
  'get /api/v1/me': ['any', 200],
  'put /api/v1/me/password': ['any', 422],
  'post /api/v1/login-link': ['*', 200],
  'get /api/v1/sessions': ['any', 200],
  'delete /api/v1/sessions/{session_id}': ['any', 404],
  'get /api/v1/keys': ['configure', 200],
  'post /api/v1/keys': ['configure', 422],
  'delete /api/v1/keys/{key_id}': ['configure', 404],
  'get /api/v1/plugins': ['read', 200],
  'get /api/v1/plugins/{installation_uuid}': ['read', 404],
  'get /api/v1/plugins/{installation_uuid}/status': ['read', 404],
  'get /api/v1/plugins/{installation_uuid}/permissions': ['read', 404],
  'post /api/v1/plugins/install': ['plugins', 422],
  'post /api/v1/plugins/{installation_uuid}/approve': ['plugins', 422],
  'put /api/v1/plugins/{installation_uuid}/settings': ['plugins', 422],
  'post /api/v1/plugins/{installation_uuid}/enable': ['plugins', 404],
  'post /api/v1/plugins/{installation_uuid}/disable': ['plugins', 404],
  'post /api/v1/plugins/{installation_uuid}/restart': ['operate', 404],
  'delete /api/v1/plugins/{installation_uuid}': ['plugins', 404],
  'get /api/v1/plugins/{installation_uuid}/logs': ['read', 404],
  'get /api/v1/runners': ['read', 200],
  'post /api/v1/dev': ['plugins', 422],
  'delete /api/v1/dev/{installation_uuid}': ['plugins', 404],
  'post /api/v1/debug-key': ['plugins', 200],
  'get /api/v1/platforms': ['read', 200],
  'get /api/v1/bots': ['read', 200],
  'get /api/v1/bots/{bot_uuid}': ['read', 404],
  'put /api/v1/bots': ['configure', 422],
  'post /api/v1/bots/compare': ['configure', 422],
  'delete /api/v1/bots/{bot_uuid}': ['configure', 404],
  'get /api/v1/bots/{bot_uuid}/routes': ['read', 404],
  'put /api/v1/bots/{bot_uuid}/routes': ['configure', 422],
  'post /api/v1/bots/{bot_uuid}/routes/dry-run': ['read', 422],
  'get /api/v1/processors': ['read', 200],
  'get /api/v1/processors/{processor_id}': ['read', 404],
  'put /api/v1/processors': ['configure', 422],
  'post /api/v1/processors/compare': ['configure', 422],
  'post /api/v1/processors/explain-grant': ['read', 422],
  'delete /api/v1/processors/{processor_id}': ['configure', 404],
  'get /api/v1/runs': ['read', 200],
  'get /api/v1/runs/{run_id}': ['read', 404],
  'get /api/v1/runs/{run_id}/timeline': ['read', 404],
  'get /api/v1/runs/{run_id}/events': ['read', 404],
  'get /api/v1/runs/{run_id}/grant': ['read', 404],
  'get /api/v1/runs/{run_id}/trace': ['read', 404],
  'post /api/v1/runs/{run_id}/cancel': ['operate', 422],
  'get /api/v1/deliveries': ['read', 200],
  'post /api/v1/deliveries/{delivery_id}/resend': ['operate', 409],
  'post /api/v1/deliveries/{delivery_id}/discard': ['operate', 409],
  'get /api/v1/events': ['read', 200],
  'get /api/v1/events/{event_id}': ['read', 404],
  'get /api/v1/events/{event_id}/why': ['read', 404],
  'post /api/v1/events/debug': ['operate', 422],
  'get /api/v1/event-types': ['read', 200],
  'get /api/v1/reasons': ['read', 200],
  'get /api/v1/conversations': ['read', 200],
  'get /api/v1/conversations/{conversation_key}': ['read', 404],
  'get /api/v1/conversations/{conversation_key}/messages': ['read', 404],
  [`get ${LIVE_PATH}`]: ['read', 200],
  [`get ${METRICS_PATH}`]: ['metrics', 200],
}

let host: Host
let url: string
/** A key for each set of scopes. */
const keys = new Map<string, string>()

beforeAll(async () => {
  host = await startHost({
    folder: null,
    platforms: {},
    runtime: null,
    http: { port: 0 },
    logger: createLogger({ level: 'silent' }),
  })
  url = host.http?.url ?? ''
  keys.set('only *', (await host.identity.keys.create({ name: 'all', scopes: ['*'], expires_at: null }, ['*'])).key)
  keys.set(
    'all but *',
    (await host.identity.keys.create({ name: 'most', scopes: SCOPES, expires_at: null }, ['*'])).key,
  )
  await host.store.commit([
    {
      sql: `insert into accounts (account_id, name, role, created_at) values ('a-member', 'member', 'member', 1)`,
      params: [],
    },
  ])
  for (const scope of SCOPES) {
    const others = SCOPES.filter((one) => one !== scope)
    for (const [name, scopes] of [
      [`only ${scope}`, [scope]],
      [`all but ${scope}`, others],
    ] as const)
      keys.set(name, (await host.identity.keys.create({ name, scopes, expires_at: null }, ['*'])).key)
  }
})
afterAll(() => host.stop({ drainMs: 0 }))

interface Answer {
  readonly status: number
  readonly code: string | null
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
}

/** Not fetch: it does not let a Host header through. The answer of a stream is its head. */
function ask(route: string, headers: Record<string, string>): Promise<Answer> {
  const [method = '', template = ''] = route.split(' ')
  const path = template.replace(/\{\w+\}/g, 'x')
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url + path,
      { method: method.toUpperCase(), headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        let text = ''
        const done = () => {
          const code = /"code":"(\w+)"/.exec(text)?.[1] ?? null
          resolve({ status: response.statusCode ?? 0, code, text, headers: response.headers })
          request.destroy()
        }
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString()
          if (String(response.headers['content-type']).startsWith('text/event-stream')) done()
        })
        response.on('end', done)
      },
    )
    request.on('error', (error) => (request.destroyed ? undefined : reject(error)))
    // Every body is wrong, so that what is let in changes nothing.
    request.end(method === 'get' || method === 'delete' ? undefined : '[]')
  })
}
/** What the router says of a path that no route has. */
const NOTHING_HERE = 'There is nothing here.'
/** The cookie of a new session; absent: of the owner. */
async function session(accountId?: string): Promise<{ cookie: string }> {
  const opened = await host.identity.redeem((await host.identity.loginLink(accountId)).token)
  if (opened === null) throw new Error('the link did not sign in')
  return { cookie: `rb_session=${opened.session}` }
}
const bearer = (name: string) => ({ authorization: `Bearer ${keys.get(name)}` })

test('the table has exactly the routes of the document, with the scopes of the records', () => {
  const { paths } = openApiDocument('v0') as { readonly paths: Readonly<Record<string, object>> }
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  )
  expect(routes.sort()).toEqual(Object.keys(TABLE).sort())
  for (const record of Object.values(ENDPOINTS))
    expect([record.path, TABLE[`${record.method} ${record.path}`]?.[0]]).toEqual([record.path, record.scope])
})

describe.each(Object.entries(TABLE))('%s', (route, [scope, status]) => {
  test('refuses nobody, a wrong scope, a foreign Origin and a foreign Host; the right key is let in', async () => {
    // Of "any" some are about an account, which a key has not.
    const right: Record<string, string> =
      scope === 'any' ? await session() : scope === 'none' ? {} : bearer(`only ${scope}`)
    expect(await ask(route, { ...right, host: 'evil.example' })).toMatchObject({ status: 403, code: 'host_refused' })
    expect(await ask(route, { ...right, origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      code: 'origin_refused',
    })
    if (scope !== 'none') {
      expect(await ask(route, {})).toMatchObject({ status: 401, code: 'not_signed_in' })
      expect(await ask(route, { authorization: 'Bearer rbk_guess' })).toMatchObject({ status: 401 })
      expect(await ask(route, { cookie: 'rb_session=guess' })).toMatchObject({ status: 401 })
    }
    if (scope !== 'none' && scope !== 'any')
      expect(await ask(route, bearer(`all but ${scope}`))).toMatchObject({ status: 403, code: 'scope_missing' })
    const control = await ask(route, right)
    expect(control.status).toBe(status)
    expect(control.text, 'a route that is there').not.toContain(NOTHING_HERE)
    expect(control.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
  })

  test('an owner who is signed in is let in; a member only reads and chats', async () => {
    expect((await ask(route, await session())).status).toBe(status)
    const member = await ask(route, await session('a-member'))
    if (['read', 'chat', 'any', 'none'].includes(scope)) expect(member.status).toBe(status)
    else expect(member).toMatchObject({ status: 403, code: 'scope_missing' })
  })
})

test('a key with "configure" makes no link that signs the owner in, and no copy of the database', async () => {
  for (const route of ['post /api/v1/login-link', 'post /api/v1/backup'])
    expect(await ask(route, bearer('only configure'))).toMatchObject({ status: 403, code: 'scope_missing' })
})

test('signing in over HTTP: cookie for the right password, one shape for every wrong one, then 429 with Retry-After', async () => {
  const owner = await host.identity.owner()
  if (owner === undefined) throw new Error('no owner')
  await host.identity.sessions.setPassword({
    account: owner, current: undefined, password: 'correct horse battery', keep: null, address: '', trusted: true,
  }) // biome-ignore format: one call
  const signIn = (body: object) =>
    fetch(`${url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify(body),
    })
  const right = await signIn({ password: 'correct horse battery' })
  expect(right.status).toBe(200)
  const set = right.headers.get('set-cookie') ?? ''
  expect(set).toMatch(/^rb_session=[\w-]{40,}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/)
  const me = await fetch(`${url}/api/v1/me`, { headers: { cookie: set.split(';')[0] ?? '' } })
  expect(await me.json()).toMatchObject({ signed_in_by: 'session', account: { name: 'owner', has_password: true } })
  const wrong = await signIn({ password: 'wrong' })
  const nobody = await signIn({ name: 'nobody', password: 'wrong' })
  expect([wrong.status, nobody.status]).toEqual([401, 401])
  expect(await wrong.text()).toBe(await nobody.text())
  for (let index = 0; index < 8; index++) await signIn({ password: 'wrong' })
  const limited = await signIn({ password: 'correct horse battery' })
  expect(limited.status).toBe(429)
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await limited.json()).toMatchObject({ error: { code: 'too_many_attempts' } })
})
