/** The scriptable platform: passes the contract, and does what tests of the host rely on. */
import { PlatformEventSchema } from '@runbound/protocol/schemas'
import { describe, expect, test } from 'vitest'
import type { AdapterCapabilities, OutgoingMessage } from './adapter.ts'
import { contentKey } from './content-key.ts'
import { adapterContract, type ContractPlatform, type Happening } from './contract.ts'
import { recordingServices } from './recording-services.ts'
import {
  type Outcome,
  SAMPLE_APIS,
  type ScriptedBot,
  sampleEvent,
  sampleEventIds,
  scriptablePlatform,
} from './scriptable.ts'

function happened(bot: ScriptedBot, happening: Happening): Promise<unknown> {
  const { what, message_id, text, key } = happening
  const about = { bot_uuid: bot.bot_uuid }
  if (what === 'message') return bot.say(text, { message_id, dedupe_key: key })
  if (what === 'edit') {
    return bot.emit({
      event: sampleEvent('message.edited', about, { message_id, new_content: [{ type: 'Plain', text }] }),
      dedupe_key: key,
    })
  }
  return bot.emit({
    event: sampleEvent('message.reaction', about, { message_id, reaction: text, is_add: what === 'reaction_added' }),
    dedupe_key: key,
  })
}

function contractPlatform(capabilities: Partial<AdapterCapabilities>): ContractPlatform {
  const platform = scriptablePlatform({ capabilities })
  const bot = platform.bot('contract-bot')
  const failing = (outcome: Outcome) => () => bot.script('send', outcome)
  return {
    definition: platform.definition,
    settings: {},
    badSettings: [],
    target: { target_type: 'person', target_id: 'u-1', message_id: 'm-1' },
    shown: async () => bot.messages.map(({ text, quote_message_id }) => ({ text, quote_message_id })),
    deliver: async (happening) => {
      await happened(bot, happening)
    },
    failures: [
      { kind: 'rate_limited', name: 'flood', arm: failing({ do: 'error', kind: 'rate_limited', retryAfterMs: 20 }) },
      { kind: 'unknown_outcome', name: 'lost answer', arm: failing({ do: 'error', kind: 'unknown_outcome' }) },
      { kind: 'refused', name: 'blocked', arm: failing({ do: 'error', kind: 'refused' }) },
    ],
    slow: (ms) => bot.script('send', { do: 'delay', ms }),
    close: async () => {},
  }
}

adapterContract({ name: 'scriptable, plain', make: async () => contractPlatform({}) })
adapterContract({
  name: 'scriptable, everything',
  make: async () =>
    contractPlatform({
      streaming: { minIntervalMs: 10 },
      provesDelivery: true,
      limits: { maxText: 100, unit: 'byte', maxAttachments: 1 },
    }),
})

const never = new AbortController().signal
const message = (text: string, changes: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  target: { target_type: 'person', target_id: 'u-1' },
  chain: [{ type: 'Plain', text }],
  delivery_key: text,
  conversation_id: null,
  run_id: null,
  part: 1,
  parts: 1,
  ...changes,
})

async function running(capabilities: Partial<AdapterCapabilities> = {}) {
  const platform = scriptablePlatform({ capabilities })
  const services = recordingServices('b-1')
  const adapter = platform.definition.create({}, services)
  await adapter.start()
  return { bot: platform.bot('b-1'), adapter, services, platform }
}

describe('scriptable', () => {
  test('samples of all 25 platform events are valid and cover every id', () => {
    expect(sampleEventIds()).toHaveLength(25)
    for (const id of sampleEventIds()) {
      const event = sampleEvent(id, { bot_uuid: 'b-1' })
      expect(PlatformEventSchema.parse(event)).toEqual(event)
      expect(event.type).toBe(id)
    }
  })

  test('scripted outcomes come in order, then it works again; each call is recorded with its times', async () => {
    const { bot, adapter } = await running()
    bot.script('send', { do: 'throw', message: 'broken' }, { do: 'error', kind: 'refused' }, { do: 'delay', ms: 30 })
    await expect(adapter.send(message('a'), never)).rejects.toThrow('broken')
    await expect(adapter.send(message('b'), never)).rejects.toMatchObject({ kind: 'refused' })
    await adapter.send(message('c'), never)
    await adapter.send(message('d'), never)
    expect(bot.texts('u-1')).toEqual(['c', 'd'])
    const calls = bot.calls.filter((call) => call.method === 'send')
    expect(calls.map((call) => call.outcome)).toEqual(['throw', 'refused', 'ok', 'ok'])
    expect((calls[2]?.endedAt ?? 0) - (calls[2]?.at ?? 0)).toBeGreaterThanOrEqual(25)
  })

  test('[errors.timed-out-send] a message can be taken although the call fails', async () => {
    const { bot, adapter } = await running()
    bot.script('send', { do: 'error', kind: 'unknown_outcome', taken: true })
    await expect(adapter.send(message('a'), never)).rejects.toMatchObject({ kind: 'unknown_outcome' })
    expect(bot.texts()).toEqual(['a'])
  })

  test('a hanging call ends with the signal', async () => {
    const { bot, adapter } = await running()
    bot.script('send', { do: 'hang' })
    const controller = new AbortController()
    const sending = adapter.send(message('a'), controller.signal)
    controller.abort()
    await expect(sending).rejects.toMatchObject({ kind: 'unknown_outcome' })
    expect(bot.texts()).toEqual([])
  })

  test('[D29] edits faster than declared are refused and noted', async () => {
    const { bot, adapter } = await running({ streaming: { minIntervalMs: 60 } })
    const opened = await adapter.openStream?.(message('x'), 'a', never)
    await expect(opened?.stream.update('ab')).rejects.toMatchObject({
      kind: 'rate_limited',
      retryAfterMs: expect.any(Number),
    })
    expect(bot.violations).toHaveLength(1)
    await new Promise((resolve) => setTimeout(resolve, 70))
    await opened?.stream.finish('abc')
    expect(bot.texts()).toEqual(['abc'])
    expect(bot.violations).toHaveLength(1)
  })

  test('[D30] a stream that the platform closed is lost, an open one can be resumed by another adapter', async () => {
    const { bot, adapter, platform } = await running({ streaming: { minIntervalMs: 0 } })
    const first = await adapter.openStream?.(message('x'), 'a', never)
    bot.loseStreams()
    await expect(first?.stream.update('ab')).rejects.toMatchObject({ kind: 'stream_lost' })
    const second = await adapter.openStream?.(message('y'), 'c', never)
    const next = platform.definition.create({}, recordingServices('b-1'))
    const resumed = await next.resumeStream?.({ message: message('y'), message_id: second?.message_id ?? null })
    await resumed?.finish('cd')
    expect(bot.texts()).toEqual(['a', 'cd'])
    expect(await next.resumeStream?.({ message: message('y'), message_id: second?.message_id ?? null })).toBeNull()
  })

  test('platform APIs answer samples, and refuse what a platform would', async () => {
    const { adapter } = await running()
    expect(await adapter.api?.('get_user_info', { user_id: 'u-7' }, never)).toMatchObject({ id: 'u-7', is_bot: false })
    await expect(adapter.api?.('mute_member', { group_id: 'g-1' }, never)).rejects.toMatchObject({ kind: 'invalid' })
    expect(SAMPLE_APIS).toHaveLength(16)
  })

  test('waitFor resolves when the message is there, and says what was shown if it never comes', async () => {
    const { bot, adapter } = await running()
    const waiting = bot.waitFor((shown) => shown.text === 'b')
    await adapter.send(message('a'), never)
    await adapter.send(message('b'), never)
    expect((await waiting).delivery_key).toBe('b')
    await expect(bot.waitFor((shown) => shown.text === 'z', 20)).rejects.toThrow(/"a"/)
  })
})

describe('contentKey', () => {
  const bot = { bot_uuid: 'b-1', timestamp: 1_700_000_000 }
  const reaction = (is_add: boolean, timestamp: number) =>
    sampleEvent('message.reaction', { ...bot, timestamp }, { is_add })

  test('[D38] equal for a redelivery, whoever delivers it', () => {
    expect(contentKey(reaction(true, 5))).toBe(
      contentKey({ ...reaction(true, 5), bot_uuid: 'b-2', workspace_uuid: 'w' }),
    )
  })

  test('added, removed, added are three keys; an edit is not its message; versions differ', () => {
    const keys = [
      contentKey(reaction(true, 5)),
      contentKey(reaction(false, 6)),
      contentKey(reaction(true, 7)),
      contentKey(sampleEvent('message.received', bot)),
      contentKey(sampleEvent('message.edited', bot)),
      contentKey(sampleEvent('message.edited', bot), 2),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('without a platform time there is none', () => {
    expect(contentKey(reaction(true, 0))).toBeNull()
  })
})
