import { httpPlatform, sign } from '@runbound/platform-http'
import { type StartedTestHost, startTestHost } from '@runbound/testing'
import { afterEach, expect, test } from 'vitest'
import probe from './plugins/probe.ts'

let running: StartedTestHost | undefined
const SECRET = 'the-key-of-this-test'

afterEach(async () => {
  await running?.stop()
})

test('[D45] of three parallel /sync calls to one session each gets its answer or session_busy; none hangs', async () => {
  const t = await startTestHost({ adapters: { http: async () => httpPlatform }, http: { port: 0 } })
  running = t
  await t.host.plugins.inline(probe)
  const agent = await t.addAgent({ runner_id: 'plugin:runbound/probe/probe', grants: { event_tools: true } })
  const { bot_uuid } = await t.host.platforms.put({
    name: 'http',
    platform: 'http',
    settings: { inbound_secret: SECRET },
  })
  await t.routeAll(bot_uuid, agent)
  const sync = async (session_id: string, text: string) => {
    const scene = `reply ${JSON.stringify({ text })}`
    const body = JSON.stringify({ session_id, message: [{ type: 'Plain', text: scene }] })
    const timestamp = String(Math.floor(Date.now() / 1000))
    const answer = await fetch(`${t.host.http?.url}/bots/${bot_uuid}/sync`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-lb-timestamp': timestamp,
        'x-lb-signature': sign(SECRET, timestamp, new TextEncoder().encode(body)),
      },
      body,
      signal: AbortSignal.timeout(10_000),
    })
    return { status: answer.status, body: JSON.stringify(await answer.json()) }
  }

  const answers = await Promise.all(['one', 'two', 'three'].map((text) => sync('s-1', text)))
  const given = answers.filter(({ status }) => status === 200)
  expect(given.length).toBeGreaterThan(0)
  for (const { body } of answers.filter(({ status }) => status !== 200)) expect(body).toContain('session_busy')
  for (const { body } of given) expect(body).toMatch(/"text":"(one|two|three)"/)
  // Other sessions never wait for each other, and the same one is free again.
  const others = await Promise.all(['s-2', 's-3', 's-4'].map((session) => sync(session, `to ${session}`)))
  expect(others.map(({ status, body }) => [status, /to s-\d/.exec(body)?.[0]])).toEqual(
    ['s-2', 's-3', 's-4'].map((session) => [200, `to ${session}`]),
  )
  expect(await sync('s-1', 'again')).toMatchObject({ status: 200, body: expect.stringContaining('again') })
})
