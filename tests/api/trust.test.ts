/** Whom the host believes: the credential of a request, never what its body says; and nothing that comes in is evaluated. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@runbound/api'
import { openApiDocument } from '@runbound/api/openapi'
import { createLogger } from '@runbound/host'
import { type ServerFrame, webchat } from '@runbound/platform-webchat'
import { definePlugin, defineRunner, result } from '@runbound/sdk'
import { type StartedTestHost, startTestHost } from '@runbound/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'

const ROOT = new URL('../..', import.meta.url).pathname
const START_MS = 60_000

const plugin = definePlugin({
  author: 'acme',
  name: 'trusting',
  version: '1.0.0',
  components: [
    defineRunner({
      name: 'talk',
      usages: ['agent'],
      async *run(ctx) {
        yield result.messageCompleted(ctx.run_id, 'done')
      },
    }),
  ],
})

let t: StartedTestHost
let url: string
let bot_uuid: string
let folder: string
const logged: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'runbound-trust-'))
  t = await startTestHost({
    folder,
    http: { port: 0 },
    adapters: { webchat: async () => webchat },
    logger: createLogger({ level: 'warn', destination: { write: (line: string) => void logged.push(line) } }),
  })
  url = t.host.http?.url ?? ''
  await t.host.plugins.inline(plugin)
  const agent = await t.addAgent({ runner_id: 'plugin:acme/trusting/talk' })
  bot_uuid = (await t.host.platforms.put({ name: 'Desk', platform: 'webchat', settings: {} })).bot_uuid
  await t.routeAll(bot_uuid, agent)
}, START_MS)
afterAll(async () => {
  await t.host.stop({ drainMs: 0 })
  rmSync(folder, { recursive: true, force: true })
})

const keyOf = (name: string, scopes: readonly string[]) =>
  t.host.identity.keys.create({ name, scopes, expires_at: null }, ['*'])

/** Sends frames over one socket; each command's answer by its uuid. */
async function chatWith(key: string) {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/bots/${bot_uuid}/ws`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const frames: ServerFrame[] = []
  socket.on('message', (data) => frames.push(JSON.parse(data.toString())))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.send(JSON.stringify({ type: 'hello', v: 1 }))
  const command = async (frame: object) => {
    const uuid = crypto.randomUUID()
    const answer = () => frames.find((one) => (one.type === 'ack' || one.type === 'error') && one.uuid === uuid) ?? null
    socket.send(JSON.stringify({ uuid, ...frame }))
    await expect.poll(answer, { timeout: 10_000 }).not.toBeNull()
    return answer()
  }
  return { command, close: () => socket.terminate() }
}

test('[D98] a key that may only chat gets no more by calling itself the owner, and the event says which key it was', async () => {
  const owner = await t.host.identity.owner()
  const made = await keyOf('shop window', ['chat'])
  const chat = await chatWith(made.key)
  const person = await chat.command({ type: 'create_person', name: owner?.name ?? '' })
  const user_id = person?.type === 'ack' ? (person.created_id ?? '') : ''
  // An administrator of the bot by the id that the frame claims.
  await t.host.platforms.put({ bot_uuid, name: 'Desk', platform: 'webchat', settings: {}, admins: [user_id] })
  const again = await chatWith(made.key)
  const message = { type: 'send', user_id, chat: `private:${user_id}`, text: '/admin', quote_id: null, attachments: [] }
  const claimed = { account_id: owner?.account_id, sent_by: owner?.account_id, role: 'owner', scopes: ['*'] }
  const sent = await again.command({ ...message, ...claimed })
  const event_id = sent?.type === 'ack' ? (sent.event_id ?? '') : JSON.stringify(sent)
  const reader = createClient({ url, key: (await keyOf('reader', ['read'])).key })
  const { envelope } = await reader.getEvent({ params: { event_id } })
  expect(envelope).toMatchObject({ actor: { actor_id: user_id }, extra: { sent_by: made.key_id } })
  expect(JSON.stringify(envelope)).not.toContain(owner?.account_id)
  // What it says of itself opens no other door.
  const client = createClient({ url, key: made.key })
  const body = { name: 'mine', platform: 'webchat', settings: {} }
  await expect(client.putBot({ body })).rejects.toMatchObject({ status: 403, code: 'scope_missing' })
  await expect(client.getEvent({ params: { event_id } })).rejects.toMatchObject({ status: 403 })
  const lie = await fetch(`${url}/api/v1/bots`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${made.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, user: owner?.name, ...claimed }),
  })
  expect(lie.status).toBe(403)
  expect(await client.me()).toMatchObject({ account: null, key: { key_id: made.key_id }, scopes: ['chat'] })
  chat.close()
  again.close()
})

test('[D104] no endpoint takes code, and no module of the host or of a platform can evaluate text', () => {
  const { paths } = openApiDocument('v0') as { readonly paths: Readonly<Record<string, object>> }
  const fields = [...JSON.stringify(paths).matchAll(/"(\w+)":\{"(?:type|anyOf|\$ref)"/g)].map(([, name]) => name)
  expect(fields).toContain('runner_id') // the scan sees bodies
  for (const name of fields) expect(name).not.toMatch(/^(code_?text|script|javascript|python|expression|eval|command)$/)
  const evaluates = /\beval\s*\(|\bnew Function\b|['"](?:node:)?vm['"]/
  expect(evaluates.test("import { runInContext } from 'node:vm'")).toBe(true)
  const sources = [
    'packages/host/src',
    'packages/api/src',
    'packages/link/src',
    'platforms/http/src',
    'platforms/webchat/src',
  ]
  const files = sources.flatMap((place) =>
    readdirSync(join(ROOT, place), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => join(ROOT, place, file)),
  )
  expect(files.length).toBeGreaterThan(200)
  expect(files.filter((file) => evaluates.test(readFileSync(file, 'utf8')))).toEqual([])
})

test('[D104] a living debug key is told: in the status, which the console shows over every page, and in the log', async () => {
  const client = createClient({ url, key: (await keyOf('plugins', ['plugins', 'read'])).key })
  expect((await client.status()).debug).toEqual({ keys: 0, dev_sessions: 0 })
  const { key } = await client.debugKey()
  expect((await client.status()).debug).toEqual({ keys: 1, dev_sessions: 0 })
  expect(logged.filter((line) => line.includes('Debug connections are possible until'))).toHaveLength(1)
  expect(logged.join('')).not.toContain(key)
})
