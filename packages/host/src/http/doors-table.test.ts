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

/** What each route asks for. Whoever adds one says here who may use it. */
const TABLE: Readonly<Record<string, Access>> = {
  'get /api/v1/status': 'read',
  'get /api/v1/store': 'read',
  'post /api/v1/backup': 'configure',
  'post /api/v1/session': 'none',
  'delete /api/v1/session': 'any',
  'get /api/v1/me': 'any',
  'put /api/v1/me/password': 'any',
  'post /api/v1/login-link': 'configure',
  'get /api/v1/sessions': 'any',
  'delete /api/v1/sessions/{session_id}': 'any',
  'get /api/v1/keys': 'configure',
  'post /api/v1/keys': 'configure',
  'delete /api/v1/keys/{key_id}': 'configure',
  'get /api/v1/plugins': 'read',
  'get /api/v1/plugins/{installation_uuid}': 'read',
  'get /api/v1/plugins/{installation_uuid}/status': 'read',
  'get /api/v1/plugins/{installation_uuid}/permissions': 'read',
  'post /api/v1/plugins/install': 'plugins',
  'post /api/v1/plugins/{installation_uuid}/approve': 'plugins',
  'put /api/v1/plugins/{installation_uuid}/settings': 'plugins',
  'post /api/v1/plugins/{installation_uuid}/enable': 'plugins',
  'post /api/v1/plugins/{installation_uuid}/disable': 'plugins',
  'post /api/v1/plugins/{installation_uuid}/restart': 'operate',
  'delete /api/v1/plugins/{installation_uuid}': 'plugins',
  'get /api/v1/plugins/{installation_uuid}/logs': 'read',
  'get /api/v1/runners': 'read',
  'post /api/v1/dev': 'plugins',
  'delete /api/v1/dev/{installation_uuid}': 'plugins',
  'post /api/v1/debug-key': 'plugins',
  'get /api/v1/platforms': 'read',
  'get /api/v1/bots': 'read',
  'get /api/v1/bots/{bot_uuid}': 'read',
  'put /api/v1/bots': 'configure',
  'post /api/v1/bots/compare': 'configure',
  'delete /api/v1/bots/{bot_uuid}': 'configure',
  'get /api/v1/bots/{bot_uuid}/routes': 'read',
  'put /api/v1/bots/{bot_uuid}/routes': 'configure',
  'post /api/v1/bots/{bot_uuid}/routes/dry-run': 'read',
  'get /api/v1/processors': 'read',
  'get /api/v1/processors/{processor_id}': 'read',
  'put /api/v1/processors': 'configure',
  'post /api/v1/processors/compare': 'configure',
  'post /api/v1/processors/explain-grant': 'read',
  'delete /api/v1/processors/{processor_id}': 'configure',
  'get /api/v1/runs': 'read',
  'get /api/v1/runs/{run_id}': 'read',
  'get /api/v1/runs/{run_id}/timeline': 'read',
  'get /api/v1/runs/{run_id}/events': 'read',
  'get /api/v1/runs/{run_id}/grant': 'read',
  'get /api/v1/runs/{run_id}/trace': 'read',
  'post /api/v1/runs/{run_id}/cancel': 'operate',
  'get /api/v1/deliveries': 'read',
  'post /api/v1/deliveries/{delivery_id}/resend': 'operate',
  'post /api/v1/deliveries/{delivery_id}/discard': 'operate',
  'get /api/v1/events': 'read',
  'get /api/v1/events/{event_id}': 'read',
  'get /api/v1/events/{event_id}/why': 'read',
  'post /api/v1/events/debug': 'operate',
  'get /api/v1/event-types': 'read',
  'get /api/v1/reasons': 'read',
  'get /api/v1/conversations': 'read',
  'get /api/v1/conversations/{conversation_key}': 'read',
  'get /api/v1/conversations/{conversation_key}/messages': 'read',
  [`get ${LIVE_PATH}`]: 'read',
  [`get ${METRICS_PATH}`]: 'metrics',
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
          resolve({ status: response.statusCode ?? 0, code, headers: response.headers })
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
const bearer = (name: string) => ({ authorization: `Bearer ${keys.get(name)}` })

test('the table has exactly the routes of the document, with the scopes of the records', () => {
  const { paths } = openApiDocument('v0') as { readonly paths: Readonly<Record<string, object>> }
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  )
  expect(routes.sort()).toEqual(Object.keys(TABLE).sort())
  for (const record of Object.values(ENDPOINTS))
    expect([record.path, TABLE[`${record.method} ${record.path}`]]).toEqual([record.path, record.scope])
})

describe.each(Object.entries(TABLE))('%s', (route, scope) => {
  test('refuses nobody, a wrong scope, a foreign Origin and a foreign Host; the right key is let in', async () => {
    const right = scope === 'any' ? bearer('only chat') : scope === 'none' ? {} : bearer(`only ${scope}`)
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
    expect(['not_signed_in', 'scope_missing', 'host_refused', 'origin_refused']).not.toContain(control.code)
    expect(control.status).not.toBe(401)
    expect(control.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
  })
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
