/** A platform that is down, refuses or is too slow costs its own chats an answer at worst, and says why. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, startHost } from '@runbound/host'
import { scriptablePlatform } from '@runbound/platform-kit/scriptable'
import { type StartedTestHost, startTestHost } from '@runbound/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { ECHO, echoPlugin } from './plugin.ts'

const SENTENCE = 'Sorry, that did not work.'
let t: StartedTestHost | null = null
afterEach(async () => {
  await t?.stop()
  t = null
})

async function bots(failed: string[]) {
  t = await startTestHost()
  await t.host.plugins.inline(echoPlugin({ failed }))
  const agent = await t.addAgent({ runner_id: ECHO, options: { sentence: SENTENCE } })
  return { host: t.host, bot: await t.addBot({ agent }), other: await t.addBot({ agent }) }
}

describe('a platform that', () => {
  test('refuses an answer: the plugin learns it, the trail has the words of the platform, the user reads the sentence', async () => {
    const failed: string[] = []
    const { host, bot, other } = await bots(failed)
    bot.script('send', { do: 'error', kind: 'refused', message: 'the bot was blocked by the user' })
    const accepted = await bot.say('hello')
    await bot.waitFor(({ text }) => text === SENTENCE)
    expect(failed).toEqual(['delivery_failed'])
    const trail = await host.trail.of('event_id' in accepted ? accepted.event_id : '')
    expect(trail.map(({ code }) => code)).toEqual(expect.arrayContaining(['delivery_failed', 'run_failed']))
    expect(trail.find(({ code }) => code === 'delivery_failed')?.message).toMatch(/the bot was blocked by the user/)
    await other.say('and you?')
    await other.waitFor(({ text }) => text === 'and you? heard')
  })

  test('limits: the answer waits as long as it asks and goes out once; another bot does not wait', async () => {
    const { bot, other } = await bots([])
    bot.script('send', { do: 'error', kind: 'rate_limited', retryAfterMs: 600 })
    await bot.say('hello')
    await other.say('hello')
    await other.waitFor(({ text }) => text === 'hello heard')
    expect(bot.messages).toEqual([])
    await bot.waitFor(({ text }) => text === 'hello heard')
    const [first, second] = bot.calls.filter(({ method }) => method === 'send')
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(600)
    expect(bot.texts()).toEqual(['hello heard'])
  })

  test('loses an answer: nobody knows, it is not sent again, and the plugin is told not to either', async () => {
    const failed: string[] = []
    const { host, bot } = await bots(failed)
    bot.script('send', { do: 'error', kind: 'unknown_outcome', message: 'the line broke', taken: true })
    const accepted = await bot.say('hello')
    await bot.waitFor(({ text }) => text === SENTENCE)
    expect(failed).toEqual(['delivery_unknown'])
    expect(bot.texts()).toEqual(['hello heard', SENTENCE])
    const trail = await host.trail.of('event_id' in accepted ? accepted.event_id : '')
    expect(trail.map(({ code }) => code)).toContain('delivery_unknown')
  })
})

test('a platform that is down when the host comes back: the answer is given all the same, once it is up', {
  timeout: 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'runbound-platform-'))
  const platform = scriptablePlatform()
  const start = (heard: string[]) =>
    startHost({
      folder,
      platforms: { scriptable: async () => platform.definition },
      runtime: null,
      inline: [echoPlugin({ heard })],
      logger: createLogger({ level: 'silent' }),
    })
  const first = await start([])
  const { bot_uuid } = await first.platforms.put({ name: 'bot', platform: 'scriptable', settings: {} })
  const { workspace_uuid } = first.identity
  const agent = { processor_id: 'agent', workspace_uuid, kind: 'agent', name: 'agent', runner_id: ECHO } as const
  await first.runs.processors.put({ ...agent, config: {}, grants: {}, options: {}, enabled: true })
  const route = { route_id: 'r', event_pattern: '*', filters: [], target_type: 'agent', processor_id: 'agent' } as const
  await first.events.setRoutes(bot_uuid, [{ ...route, priority: 0, scope: 'chat', enabled: true, description: '' }])
  const bot = platform.bot(bot_uuid)
  // The first answer hangs, so that the second message still waits when the host goes.
  bot.script('send', { do: 'hang' })
  await bot.say('one')
  await expect.poll(() => bot.calls.some(({ method }) => method === 'send')).toBe(true)
  await bot.say('two')
  await first.stop({ drainMs: 0 })

  const heard: string[] = []
  bot.script('start', { do: 'delay', ms: 700 })
  const starting = start(heard)
  try {
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual(['two'])
    expect(bot.texts()).not.toContain('two heard')
    await bot.waitFor(({ text }) => text === 'two heard')
  } finally {
    await (await starting).stop({ drainMs: 0 })
    await rm(folder, { recursive: true })
  }
})
