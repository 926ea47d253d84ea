/** Connections that last end with the session or key that opened them: web chats and live readers, each with its control. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient, LIVE_PATH } from '@runbound/api'
import { CLI_KEY_FILE } from '@runbound/host'
import { webchat } from '@runbound/platform-webchat'
import { type StartedTestHost, startTestHost } from '@runbound/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'

let t: StartedTestHost
let client: Client
let url: string
let folder: string
let chat: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'runbound-ended-'))
  t = await startTestHost({ folder, http: { port: 0 }, adapters: { webchat: async () => webchat } })
  url = t.host.http?.url ?? ''
  client = createClient({ url, key: readFileSync(join(folder, CLI_KEY_FILE), 'utf8').trim() })
  const bot = await client.putBot({ body: { name: 'Chat', platform: 'webchat', settings: {}, enabled: true } })
  chat = `${url.replace('http', 'ws')}/bots/${bot.bot_uuid}/ws`
})
afterAll(async () => {
  await t.stop()
  rmSync(folder, { recursive: true, force: true })
})

type Headers = Readonly<Record<string, string>>
const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` })

async function session(): Promise<Headers> {
  const { url: link } = await client.loginLink()
  const answer = await fetch(link, { method: 'POST', redirect: 'manual', headers: { origin: url } })
  return { cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '' }
}

/** Opens a web chat and a live reader; `ended` resolves with the chat's close code once both are over. */
async function connect(headers: Headers) {
  const socket = new WebSocket(chat, { headers })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const reader = await fetch(url + LIVE_PATH, { headers })
  expect(reader.status).toBe(200)
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  const ended = Promise.all([closed, reader.text()]).then(([code]) => code)
  return { ended, open: () => socket.readyState === socket.OPEN, close: () => socket.terminate() }
}

const within = (ms: number, promise: Promise<number>): Promise<number | string> =>
  Promise.race([promise, sleep(ms, `still open after ${ms} ms`)])

const key = (expires_at: number | null = null) =>
  client.createKey({ body: { name: `k${Math.random()}`, scopes: ['chat', 'read'], expires_at } })

test('a revoked key ends its web chat and its reader at once; those of another key stay', async () => {
  const [gone, kept] = [await key(), await key()]
  const [a, b] = [await connect(bearer(gone.key)), await connect(bearer(kept.key))]
  await client.revokeKey({ params: { key_id: gone.key_id } })
  expect(await within(2_000, a.ended)).toBe(1008)
  expect(b.open()).toBe(true)
  await client.revokeKey({ params: { key_id: kept.key_id } })
  expect(await within(2_000, b.ended)).toBe(1008)
})

test('signing out ends what the session had open; a new password ends the other sessions', async () => {
  const [one, two] = [await session(), await session()]
  const [a, b] = [await connect(one), await connect(two)]
  await fetch(`${url}/api/v1/session`, { method: 'DELETE', headers: one })
  expect(await within(2_000, a.ended)).toBe(1008)
  expect(b.open()).toBe(true)
  await client.setPassword({ body: { password: 'a long enough password' } })
  expect(await within(2_000, b.ended)).toBe(1008)
})

test('a key whose time is over ends what it had open within seconds', async () => {
  const short = await key(Date.now() + 1_500)
  const a = await connect(bearer(short.key))
  expect(await within(15_000, a.ended)).toBe(1008)
})
