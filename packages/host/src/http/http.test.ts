/** Every door of the HTTP server: who may come in, from where, and what a refusal says. Over the endpoint table, with controls. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ENDPOINTS, type Endpoint, LIVE_PATH } from '@runbound/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Host, startHost } from '../host.ts'
import { createLogger } from '../telemetry/log.ts'

let host: Host
let url: string
let session: string

beforeAll(async () => {
  host = await startHost({
    folder: null,
    platforms: {},
    runtime: null,
    http: { port: 0 },
    logger: createLogger({ level: 'silent' }),
  })
  url = host.http?.url ?? ''
  const link = await host.identity.loginLink()
  const answer = await fetch(`${url}/login/${link.token}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
  })
  session = /rb_session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? ''
})
afterAll(() => host.stop({ drainMs: 0 }))

const pathOf = (record: Endpoint): string => record.path.replace(/\{\w+\}/g, 'x')
const ask = (record: Endpoint, headers: Record<string, string>) =>
  fetch(url + pathOf(record), {
    method: record.method.toUpperCase(),
    headers: { 'content-type': 'application/json', ...headers },
    ...(record.body === undefined ? {} : { body: '{}' }),
  })
const endpoints = Object.entries<Endpoint>(ENDPOINTS)
const guarded = endpoints.filter(([, record]) => record.scope !== 'none')

test('no endpoint answers without a session or key; with a session none says so', async () => {
  expect(session).not.toBe('')
  for (const [name, record] of guarded) {
    const without = await ask(record, {})
    expect([name, without.status]).toEqual([name, 401])
    expect(await without.json()).toMatchObject({ error: { code: 'not_signed_in' } })
    if (name === 'signOut') continue // it would end the session of the others
    const withSession = await ask(record, { cookie: `rb_session=${session}` })
    expect([name, [401, 403].includes(withSession.status)]).toEqual([name, false])
  }
})

test('a foreign Origin or Host is refused on every endpoint, also with a session', async () => {
  const cookie = `rb_session=${session}`
  for (const [name, record] of endpoints) {
    const foreign = await ask(record, { cookie, origin: 'https://evil.example' })
    expect([name, foreign.status]).toEqual([name, 403])
    expect(await foreign.json()).toMatchObject({ error: { code: 'origin_refused' } })
  }
  const own = await ask(ENDPOINTS.status, { cookie, origin: url })
  expect(own.status).toBe(200)
  expect(await rawStatus('GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')).toBe(403)
  expect(await rawStatus(`GET /healthz HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: close\r\n\r\n`)).toBe(200)
})

test('the live channel and WebSockets ask for a session too', async () => {
  expect((await fetch(url + LIVE_PATH)).status).toBe(401)
  const live = await fetch(url + LIVE_PATH, { headers: { cookie: `rb_session=${session}` } })
  expect(live.status).toBe(200)
  await live.body?.cancel()
  const ws = url.replace('http', 'ws')
  expect(await refused(new WebSocket(`${ws}/bots/b-1/ws`))).toBe(401)
  expect(
    await refused(
      new WebSocket(`${ws}/bots/b-1/ws`, {
        headers: { cookie: `rb_session=${session}` },
        origin: 'https://evil.example',
      }),
    ),
  ).toBe(403)
  expect(await refused(new WebSocket(`${ws}/bots/b-1/ws`, { headers: { cookie: `rb_session=${session}` } }))).toBe(404)
  expect(
    await refused(new WebSocket(`${ws}/plugin/debug/ws`, { headers: { 'x-langbot-plugin-debug-key': 'guess' } })),
  ).toBe(401)
})

test('a link signs in once; opening its page uses nothing up', async () => {
  const link = await host.identity.loginLink()
  for (let index = 0; index < 2; index++) expect((await fetch(`${url}/login/${link.token}`)).status).toBe(200)
  const sign = () => fetch(`${url}/login/${link.token}`, { method: 'POST', redirect: 'manual' })
  expect((await sign()).status).toBe(303)
  expect((await sign()).status).toBe(410)
})

test('bad input names the place; a known thing that is not there is 404', async () => {
  const cookie = `rb_session=${session}`
  const bad = await fetch(`${url}/api/v1/processors`, {
    method: 'PUT',
    headers: { cookie, 'content-type': 'application/json' },
    body: '{"kind":"agent","name":"a","runner_id":"r","grants":{"tolls":true}}',
  })
  expect(bad.status).toBe(422)
  expect(await bad.json()).toMatchObject({ error: { code: 'invalid_input', at: 'body.grants' } })
  expect((await fetch(`${url}/api/v1/runs/none`, { headers: { cookie } })).status).toBe(404)
  const text = await fetch(`${url}/api/v1/processors`, { method: 'PUT', headers: { cookie }, body: 'x' })
  expect(text.status).toBe(415)
})

test('a port in use says so and what to do', async () => {
  const again = startHost({
    folder: null,
    platforms: {},
    runtime: null,
    http: { port: host.http?.port ?? 0 },
    logger: createLogger({ level: 'silent' }),
  })
  await expect(again).rejects.toThrow(/is in use.*--port/s)
})

async function rawStatus(text: string): Promise<number> {
  const { connect } = await import('node:net')
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let got = ''
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.on('data', (chunk) => {
      got += chunk.toString()
    })
    socket.on('close', () => resolve(Number(got.split(' ')[1])))
    socket.on('error', reject)
  })
}

function refused(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => {
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('open', () => resolve(101))
    socket.on('error', () => undefined)
  })
}

test('a backup to a name that is taken, or into a folder that is not there, says so and where', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rb-backup-'))
  const backup = (file: string) =>
    fetch(`${url}/api/v1/backup`, {
      method: 'POST',
      headers: { cookie: `rb_session=${session}`, 'content-type': 'application/json' },
      body: JSON.stringify({ file }),
    })
  try {
    expect((await backup(join(folder, 'one.db'))).status).toBe(200)
    const taken = await backup(join(folder, 'one.db'))
    expect(taken.status).toBe(409)
    expect(await taken.json()).toMatchObject({
      error: { code: 'conflict', at: 'body.file', message: expect.stringContaining('exists already') },
    })
    for (const name of ['rel.db', `file:${join(folder, 'a.db')}?mode=rwc`, join(folder, 'a\0b.db')]) {
      const refused = await backup(name)
      expect([name, refused.status]).toEqual([name, 422])
      expect(await refused.json()).toMatchObject({ error: { at: 'body.file' } })
    }
    const nowhere = await backup(join(folder, 'no', 'such', 'folder.db'))
    expect(nowhere.status).toBe(422)
    expect(await nowhere.json()).toMatchObject({ error: { code: 'invalid_config', at: 'body.file' } })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a body that nests without end is refused before anything reads it, and only JSON is taken for JSON', async () => {
  const { token } = await host.identity.loginLink()
  const cookie = `rb_session=${(await host.identity.redeem(token))?.session}`
  const put = (body: string, type = 'application/json') =>
    fetch(`${url}/api/v1/bots`, { method: 'PUT', headers: { cookie, 'content-type': type }, body })
  const nested = (levels: number) =>
    `{"name":"b","platform":"x","settings":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`
  for (const levels of [101, 3_000, 100_000]) {
    const refused = await put(nested(levels))
    expect([levels, refused.status]).toEqual([levels, 422])
    expect(await refused.json()).toMatchObject({ error: { message: 'The body is nested deeper than 100 levels.' } })
  }
  expect(await (await put(nested(90))).text(), 'the control gets further').not.toContain('nested deeper')
  expect((await put('{}', 'application/jsonp')).status).toBe(415)
  expect((await put('{}', 'Application/JSON; charset=utf-8')).status).toBe(422)
})

test('a filter by a word that does not exist names those that do', async () => {
  const { token } = await host.identity.loginLink()
  const cookie = `rb_session=${(await host.identity.redeem(token))?.session}`
  const list = (status: string) => fetch(`${url}/api/v1/runs?status=${status}`, { headers: { cookie } })
  expect((await list('failed,completed')).status).toBe(200)
  const refused = await list('failed,lost')
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({
    error: { at: 'query.status', message: expect.stringContaining('completed') },
  })
})
