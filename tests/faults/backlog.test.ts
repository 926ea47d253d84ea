/** What waits too long is not answered any more, and says why; what is new is. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, type Host, startHost } from '@runbound/host'
import { scriptablePlatform } from '@runbound/platform-kit/scriptable'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ECHO, echoPlugin } from './plugin.ts'

const HOUR_MS = 3_600_000
const BOT = 'b-1'
let folder: string
let host: Host
const platform = scriptablePlatform()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runbound-backlog-'))
})
afterEach(async () => {
  await host.stop({ drainMs: 0 })
  await rm(folder, { recursive: true })
})

/** A start of the host so many hours later. */
async function start(hours: number, heard: string[]): Promise<void> {
  host = await startHost({
    folder,
    platforms: { scriptable: async () => platform.definition },
    runtime: null,
    inline: [echoPlugin({ heard })],
    logger: createLogger({ level: 'silent' }),
    clock: { now: () => Date.now() + hours * HOUR_MS },
  })
}

async function setUp(): Promise<void> {
  await host.runs.processors.put({
    processor_id: 'agent',
    workspace_uuid: host.identity.workspace_uuid,
    kind: 'agent',
    name: 'agent',
    runner_id: ECHO,
    config: {},
    grants: {},
    options: {},
    enabled: true,
  })
  await host.platforms.put({ bot_uuid: BOT, name: 'bot', platform: 'scriptable', settings: {} })
  await host.events.setRoutes(BOT, [
    {
      route_id: 'r-1',
      event_pattern: '*',
      filters: [],
      target_type: 'agent',
      processor_id: 'agent',
      priority: 0,
      scope: 'chat',
      enabled: true,
      description: '',
    },
  ])
}

/** The host goes down while a message is being answered and two wait behind it. */
async function downWithBacklog(heard: string[]): Promise<readonly string[]> {
  await start(0, heard)
  await setUp()
  const bot = platform.bot(BOT)
  const sends = () => bot.calls.filter(({ method }) => method === 'send').length
  const sentBefore = sends()
  bot.script('send', { do: 'hang' })
  const accepted = []
  for (const text of ['first', 'second', 'third'])
    accepted.push(await bot.say(text, { dedupe_key: `${folder}-${text}` }))
  // Not only heard: the answer must be on its way, or the hanging send would meet the next host's.
  await expect.poll(sends).toBe(sentBefore + 1)
  expect(heard).toEqual(['first'])
  await host.stop({ drainMs: 0 })
  return accepted.map((answer) => ('event_id' in answer ? answer.event_id : ''))
}

test("yesterday's backlog is dropped with a reason that says how old it was; today's message is answered", {
  timeout: 60_000,
}, async () => {
  const [, second = '', third = ''] = await downWithBacklog([])
  const heard: string[] = []
  await start(25, heard)
  for (const event of [second, third]) {
    await expect
      .poll(async () => (await host.trail.of(event)).map(({ code }) => code), { timeout: 10_000 })
      .toContain('too_old')
    const why = (await host.trail.of(event)).find(({ code }) => code === 'too_old')
    expect(why?.message).toMatch(/waited 90\d{3} s, longer than the 86400 s/)
    expect(why?.details).toMatchObject({ max_age_seconds: 86_400 })
  }
  await platform.bot(BOT).say('today')
  await platform.bot(BOT).waitFor(({ text }) => text === 'today heard')
  expect(heard).toEqual(['today'])
})

test('an hour is not too old: what waited is answered in order', { timeout: 60_000 }, async () => {
  await downWithBacklog([])
  const heard: string[] = []
  await start(1, heard)
  await expect.poll(() => heard, { timeout: 10_000 }).toEqual(['second', 'third'])
})
