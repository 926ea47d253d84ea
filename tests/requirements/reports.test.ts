/** What users report of long answers, streams and busy chats, on the whole host: what people see, and what history keeps. */
import type { AdapterCapabilities } from '@runbound/platform-kit'
import type { ScriptedBot } from '@runbound/platform-kit/scriptable'
import { definePlugin, defineRunner } from '@runbound/sdk'
import { type StartedTestHost, startTestHost } from '@runbound/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import probe from './plugins/probe.ts'

const PLATFORMS = {
  plain: { limits: { maxText: 4_096, unit: 'utf16', maxAttachments: null } },
  streaming: { streaming: { minIntervalMs: 10 } },
} as const satisfies Record<string, Partial<AdapterCapabilities>>

/** Ends in the way that the message names. */
const endings = definePlugin({
  author: 'runbound',
  name: 'endings',
  version: '1.0.0',
  components: [
    defineRunner({
      name: 'ends',
      usages: ['agent'],
      capabilities: { tool_calling: true, interrupt: true },
      permissions: { tools: ['call'] },
      async run(ctx) {
        const how = ctx.input.toText()
        if (how === 'answer') await ctx.reply('answered')
        if (how === 'fail') throw new Error('it failed')
        if (how === 'never')
          await new Promise((_resolve, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason)))
      },
    }),
  ],
})

let t: StartedTestHost
beforeAll(async () => {
  t = await startTestHost({ platforms: PLATFORMS })
  await t.host.plugins.inline(probe)
  await t.host.plugins.inline(endings)
})
afterAll(() => t.stop())

interface Spec {
  readonly runner?: string
  readonly platform?: keyof typeof PLATFORMS
  readonly deadline_seconds?: number
}

async function botOf({ runner = 'probe/probe', platform = 'plain', deadline_seconds }: Spec = {}) {
  const agent = await t.addAgent({
    runner_id: `plugin:runbound/${runner}`,
    grants: { event_tools: true },
    options: { sentence: '', ...(deadline_seconds === undefined ? {} : { deadline_seconds }) },
  })
  return t.addBot({ platform, agent })
}

/** Says something; answers the event's id. */
async function say(bot: ScriptedBot, text: string): Promise<string> {
  const accepted = await bot.say(text)
  if (accepted.status === 'refused') throw new Error(accepted.message)
  return accepted.event_id
}
const scene = (name: string, args: object) => `${name} ${JSON.stringify(args)}`

async function play(bot: ScriptedBot, text: string): Promise<string> {
  const event_id = await say(bot, text)
  await bot.settled(event_id)
  return event_id
}

/** The answers to an event as history has them, and the runs that gave them. */
const answers = (event_id: string) =>
  t.host.store.all<{ content: string; content_json: string | null; run_id: string | null }>({
    sql: "select content, content_json, run_id from transcript where event_id = ? and role = 'assistant' order by seq",
    params: [event_id],
  })
const runsOf = (event_id: string) =>
  t.host.store.all<{ run_id: string; status: string }>({
    sql: 'select run_id, status from runs where event_id = ? order by started_at',
    params: [event_id],
  })

describe('long answers', () => {
  test('[D33] [D34] 6,000 characters at 4,096 from a platform of uneven speed: two messages in order, one answer in history', async () => {
    const bot = await botOf()
    bot.script('send', { do: 'delay', ms: 200 }, { do: 'delay', ms: 5 })
    const text = Array.from({ length: 1_000 }, (_value, index) => `w${String(index).padStart(4, '0')}`).join(' ')
    expect(text).toHaveLength(5_999)
    const event_id = await play(bot, scene('reply', { text }))
    expect(bot.messages.map(({ part, parts }) => [part, parts])).toEqual([
      [1, 2],
      [2, 2],
    ])
    expect(bot.texts().join('')).toBe(text)
    const [run] = await runsOf(event_id)
    const entries = await answers(event_id)
    // The text of an entry is cut for lists; its chain is whole.
    expect(entries).toMatchObject([{ content: expect.stringMatching(/^w0000 w0001 .*\.\.\.$/), run_id: run?.run_id }])
    const { message_chain } = JSON.parse(entries[0]?.content_json ?? '{}')
    expect(message_chain.map(({ text }: { text: string }) => text).join('')).toBe(text)
  })

  test('[D34] "too long" is permanent: one call, the author and the trail learn it, history has nothing', async () => {
    const bot = await botOf()
    bot.script('send', { do: 'error', kind: 'too_long' })
    const event_id = await play(bot, scene('reply', { text: 'x' }))
    expect(bot.calls.filter(({ method }) => method === 'send')).toHaveLength(1)
    expect(await t.host.trail.why(event_id)).toMatchObject({ answered: false, code: 'delivery_failed' })
    expect(await answers(event_id)).toEqual([])
    const parts = { sql: 'select state, reason from outbox where event_id = ?', params: [event_id] }
    expect(await t.host.store.all(parts)).toEqual([{ state: 'failed', reason: 'too_long' }])
  })
})

describe('streams', () => {
  test.each(['plain', 'streaming'] as const)(
    '[D26] [D27] a plugin that streams by itself, on the platform %s: one message, once in history',
    async (platform) => {
      const bot = await botOf({ platform })
      const event_id = await play(bot, scene('stream', { texts: ['', 'x', 'xy', 'xy'], pause: 25 }))
      expect(bot.texts()).toEqual(['xy'])
      const [run] = await runsOf(event_id)
      expect(run).toMatchObject({ status: 'completed' })
      expect(await answers(event_id)).toMatchObject([{ content: 'xy', run_id: run?.run_id }])
    },
  )

  test('[D48] two streams at once: each text stays in its chat and carries its conversation and run', async () => {
    const bot = await botOf({ platform: 'streaming' })
    const texts = (who: string) => ['1', '1 2', '1 2 3', '1 2 3 4'].map((text) => `${who} ${text}`)
    const events = await Promise.all(
      ['u-a', 'u-b'].map(async (sender) => {
        const accepted = await bot.say(scene('stream', { texts: texts(sender), pause: 15 }), { sender })
        return 'event_id' in accepted ? accepted.event_id : ''
      }),
    )
    for (const event_id of events) await bot.settled(event_id)
    for (const [index, sender] of ['u-a', 'u-b'].entries()) {
      const [run] = await runsOf(events[index] ?? '')
      expect(bot.messages.filter(({ target }) => target.target_id === sender)).toMatchObject([
        { text: `${sender} 1 2 3 4`, conversation_id: `person_${sender}`, run_id: run?.run_id, state: 'finished' },
      ])
    }
    // Nor did either show the other's text on its way.
    for (const { args } of bot.calls.filter(({ method }) => method === 'stream.update')) {
      const shown = bot.messages.find(({ message_id }) => message_id === args.message_id)
      expect(String(args.text).startsWith(`${shown?.target.target_id} `)).toBe(true)
    }
  })
})

describe('every end of a run lets the message behind it run', () => {
  test.each([
    ['completed', 'answer', ['answered', 'answered']],
    ['failed', 'fail', ['answered']],
    ['timeout', 'never', ['answered']],
    ['cancelled', 'never', ['answered']],
  ] as const)('[D43] %s', async (status, how, said) => {
    const bot = await botOf({ runner: 'endings/ends', ...(status === 'timeout' ? { deadline_seconds: 0.2 } : {}) })
    const [first, second] = await Promise.all([say(bot, how), say(bot, 'answer')])
    if (status === 'cancelled') {
      await expect.poll(async () => (await runsOf(first)).length).toBe(1)
      const [run] = await runsOf(first)
      expect(await t.host.runs.cancel(run?.run_id ?? '', { kind: 'user' }, 'stop')).toBe(true)
    }
    await bot.settled(first)
    await bot.settled(second)
    expect(await runsOf(first)).toMatchObject([{ status }])
    expect(await runsOf(second)).toMatchObject([{ status: 'completed' }])
    expect(bot.texts()).toEqual(said)
  })
})
