/** Delivery against the scriptable platform and the real store: order, splitting, throttling, failures, restart. */
import { randomUUID } from 'node:crypto'
import type { AdapterCapabilities, AdapterInstance } from '@runbound/platform-kit'
import { recordingServices, ScriptedBot, scriptedAdapter } from '@runbound/platform-kit/scriptable'
import type { MessageChain } from '@runbound/protocol'
import { openStore, type Store, StoreError } from '@runbound/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { localSignals } from '../signals.ts'
import { createLogger } from '../telemetry/log.ts'
import { createTrail } from '../trail/trail.ts'
import { createDelivery } from './delivery.ts'
import type { Delivery, DeliveryScope } from './types.ts'

let store: Store
let bot: ScriptedBot
let adapter: AdapterInstance | undefined
let delivery: Delivery
let said: { text: string; how: string }[]

/** The store, on whose disk there is no room now and then. */
function fullWhen(full: () => boolean): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name !== 'commit') return value.bind(target)
      return async (unit: Parameters<Store['commit']>[0]) => {
        if (full()) throw new StoreError('full', 'no room')
        return target.commit(unit)
      }
    },
  })
}

const chain = (text: string): MessageChain => [{ type: 'Plain', text }]
const scope = (more: Partial<DeliveryScope> = {}): DeliveryScope => ({
  workspace_uuid: 'w-1',
  bot_uuid: 'b-1',
  target: { target_type: 'person', target_id: 'u-1' },
  run_id: 'run-1',
  event_id: 'e-1',
  processor_id: 'p-1',
  conversation_id: 'person_u-1',
  conversation_key: 'k-1',
  thread_id: null,
  origin_message_id: 'm-1',
  message_event: true,
  debug: false,
  ...more,
})

async function make(capabilities: Partial<AdapterCapabilities> = {}, on = store): Promise<void> {
  adapter = scriptedAdapter(bot, { capabilities }, recordingServices('b-1'))
  await adapter.start()
  delivery = createDelivery({
    store: on,
    clock: systemClock,
    logger: createLogger({ level: 'silent' }),
    signals: localSignals(),
    trail: createTrail({ store, clock: systemClock }),
    adapter: () => adapter,
    owner: randomUUID(),
    needs: {
      said: ({ text, how }) => {
        said.push({ text, how })
        return []
      },
      ledger: () => [],
      sentenceOf: async () => 'That was interrupted.',
    },
  })
  delivery.start()
}

const reply = (text: string, more: Partial<DeliveryScope> = {}, waitMs = 5_000) =>
  delivery.reply({
    scope: scope(more),
    chain: chain(text),
    quote_origin: false,
    waitMs,
    signal: new AbortController().signal,
  })
const stream = (
  operation: 'update' | 'finish' | 'abort',
  text: string,
  more: Partial<DeliveryScope> = {},
  stream_id = 's-1',
) =>
  delivery.stream({
    scope: scope(more),
    stream_id,
    operation,
    text,
    waitMs: 10_000,
    signal: new AbortController().signal,
    commit: (statements) => store.commit(statements),
  })
const shows = (texts: readonly string[]) => expect.poll(() => bot.texts(), { timeout: 5_000 }).toEqual(texts)
const states = async () =>
  (await delivery.list({ workspace_uuid: 'w-1', states: null, limit: 50 })).map((item) => item.state).reverse()

beforeEach(async () => {
  store = await openStore({ folder: ':memory:' })
  bot = new ScriptedBot('b-1')
  said = []
})
afterEach(async () => {
  await delivery.drain()
  await adapter?.stop()
  await store.close()
})

test('[D34] a text over the limit goes out in parts that fit, as one answer in history', async () => {
  await make({ limits: { maxText: 4_096, unit: 'utf16', maxAttachments: null } })
  const text = 'word '.repeat(1_200)
  const result = await reply(text)
  expect(result).toMatchObject({ status: 'sent', parts: 2 })
  expect(bot.messages.map((message) => message.text).join('')).toBe(text)
  expect(said).toEqual([{ text, how: 'message' }])
})

test('[D33] parts of one answer arrive in order, whatever the platform takes its time for', async () => {
  await make({ limits: { maxText: 10, unit: 'utf16', maxAttachments: null } })
  bot.script('send', { do: 'delay', ms: 60 }, { do: 'delay', ms: 5 }, { do: 'delay', ms: 30 })
  await reply('part-one part-two part-thre')
  expect(bot.messages.map((message) => message.part)).toEqual([1, 2, 3])
  expect(bot.messages.every((message) => message.text.trim() !== '')).toBe(true)
})

test('two answers to one chat keep their order; another chat does not wait for them', async () => {
  await make()
  bot.script('send', { do: 'delay', ms: 150 })
  const slow = reply('one')
  const next = reply('two')
  const other = await reply('other', { target: { target_type: 'person', target_id: 'u-2' } })
  expect(other.status).toBe('sent')
  expect(bot.texts('u-1')).toEqual([])
  await Promise.all([slow, next])
  expect(bot.texts('u-1')).toEqual(['one', 'two'])
})

test('[D33] a stream that ends while the platform is opening it shows the whole text', async () => {
  await make({ streaming: { minIntervalMs: 10 } })
  bot.script('openStream', { do: 'delay', ms: 80 })
  await stream('update', 'It begins')
  const result = await stream('finish', 'It begins, and it ends.')
  expect(result).toMatchObject({ status: 'completed', text: 'It begins, and it ends.' })
  expect(bot.messages.map(({ text, state }) => [text, state])).toEqual([['It begins, and it ends.', 'finished']])
  expect(said).toEqual([{ text: 'It begins, and it ends.', how: 'stream:finished' }])
})

test('[D34] "too long" is permanent: one try, the rest is discarded, the caller learns it', async () => {
  await make({ limits: { maxText: 10, unit: 'utf16', maxAttachments: null } })
  bot.script('send', { do: 'error', kind: 'too_long' })
  expect(await reply('part-one part-two')).toMatchObject({ status: 'failed', reason: 'too_long' })
  expect(bot.calls.filter((call) => call.method === 'send')).toHaveLength(1)
  expect(await states()).toEqual(['failed', 'discarded'])
  expect(said).toEqual([])
})

test('[D31] a rate limit is waited out for the stated time, then the message goes out once', async () => {
  await make()
  bot.script('send', { do: 'error', kind: 'rate_limited', retryAfterMs: 200 })
  const before = Date.now()
  expect(await reply('hello')).toMatchObject({ status: 'sent' })
  expect(Date.now() - before).toBeGreaterThanOrEqual(195)
  expect(bot.texts()).toEqual(['hello'])
})

test('an outcome that nobody knows is not repeated; the parts behind it are held until somebody decides', async () => {
  await make({ limits: { maxText: 10, unit: 'utf16', maxAttachments: null } })
  bot.script('send', { do: 'error', kind: 'unknown_outcome', taken: true })
  const result = await reply('part-one part-two')
  expect(result.status).toBe('unknown')
  expect(await states()).toEqual(['unknown', 'held'])
  await reply('later')
  expect(bot.texts()).toContain('later')
  await delivery.resend(result.delivery_id)
  await bot.waitFor((message) => message.text.includes('part-two'))
  await expect(delivery.resend('no-such')).rejects.toMatchObject({ reason: 'conflict' })
})

test('a patient platform and an impatient caller: "queued" now, sent later', async () => {
  await make()
  bot.script('send', { do: 'delay', ms: 120 })
  expect(await reply('slow', {}, 20)).toMatchObject({ status: 'queued' })
  await bot.waitFor((message) => message.text === 'slow')
})

test('a bot that is down gets its answer, split as it wants it, when it is up again', async () => {
  await make({ limits: { maxText: 10, unit: 'utf16', maxAttachments: null } })
  const up = adapter
  adapter = undefined
  const result = await reply('part-one part-two', {}, 20)
  expect(result.status).toBe('queued')
  adapter = up
  await bot.waitFor((message) => message.part === 2)
  expect(bot.messages.map((message) => message.text.trim())).toEqual(['part-one', 'part-two'])
})

test('[runner.reply-stream.native-updates] [D29] a native stream is throttled to the declared rate and ends with the whole text', async () => {
  await make({ streaming: { minIntervalMs: 50 } })
  let text = ''
  for (let index = 0; index < 60; index++) {
    text += `${index} `
    await stream('update', text)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const result = await stream('finish', text)
  expect(result).toMatchObject({ status: 'completed', delivery: 'streaming', text })
  expect(bot.violations).toEqual([])
  expect(bot.messages).toHaveLength(1)
  expect(bot.messages[0]).toMatchObject({ text, state: 'finished' })
  expect(bot.calls.filter((call) => call.method === 'stream.update').length).toBeLessThan(20)
  expect(said).toEqual([{ text, how: 'stream:finished' }])
  expect(await stream('finish', 'again')).toEqual(result)
  await expect(stream('update', 'more')).rejects.toMatchObject({ reason: 'stream_closed' })
})

test('[D29] [D31] no edit inside the wait that the platform asked for, then the full text', async () => {
  await make({ streaming: { minIntervalMs: 10 } })
  await stream('update', 'a')
  await shows(['a'])
  bot.script(
    'stream.finish',
    { do: 'error', kind: 'rate_limited', retryAfterMs: 150 },
    { do: 'error', kind: 'rate_limited', retryAfterMs: 150 },
  )
  await stream('finish', 'a b')
  const tries = bot.calls.filter((call) => call.method === 'stream.finish')
  expect(tries).toHaveLength(3)
  expect((tries[1]?.at ?? 0) - (tries[0]?.endedAt ?? 0)).toBeGreaterThanOrEqual(140)
  expect(bot.texts()).toEqual(['a b'])
})

test('[D30] when the platform closes the stream, exactly the unsent rest goes on in a new message', async () => {
  await make({ streaming: { minIntervalMs: 5 } })
  await stream('update', 'one ')
  await stream('update', 'one two ')
  await shows(['one two '])
  bot.loseStreams()
  await stream('update', 'one two three ')
  await stream('finish', 'one two three four')
  expect(bot.messages.map((message) => message.text).join('')).toBe('one two three four')
  expect(said.at(-1)).toEqual({ text: 'one two three four', how: 'stream:finished' })
})

test('a streamed text over the limit of one message goes on in the next, nothing lost or repeated', async () => {
  await make({ streaming: { minIntervalMs: 5 }, limits: { maxText: 20, unit: 'utf16', maxAttachments: null } })
  const words = Array.from({ length: 20 }, (_value, index) => `word${index} `)
  for (let index = 1; index <= words.length; index++) await stream('update', words.slice(0, index).join(''))
  await stream('finish', words.join(''))
  expect(bot.messages.length).toBeGreaterThan(5)
  expect(bot.messages.map((message) => message.text).join('')).toBe(words.join(''))
})

test('[runner.reply-stream.buffered-when-unsupported] [D27] without streams one message comes at the end', async () => {
  await make()
  await stream('update', 'x')
  expect(bot.messages).toHaveLength(0)
  expect(await stream('finish', 'xy')).toMatchObject({ delivery: 'buffered', status: 'completed' })
  expect(bot.texts()).toEqual(['xy'])
})

test('[runner.reply-stream.buffered-for-other-events] an event that is no message is answered once, also where streams work', async () => {
  await make({ streaming: { minIntervalMs: 5 } })
  await stream('update', 'wel', { message_event: false })
  await stream('finish', 'welcome', { message_event: false })
  expect(bot.calls.map((call) => call.method)).not.toContain('openStream')
  expect(bot.texts()).toEqual(['welcome'])
})

test('[runner.reply-stream.failure-discards-buffer] an aborted buffer is never sent', async () => {
  await make()
  await stream('update', 'half')
  expect(await stream('abort', '')).toMatchObject({ status: 'cancelled' })
  expect(bot.messages).toHaveLength(0)
  expect(await delivery.list({ workspace_uuid: 'w-1', states: null, limit: 10 })).toEqual([])
})

test('[runner.reply-stream.failure-after-display] an abort after display closes the message; the end of a run does the same', async () => {
  await make({ streaming: { minIntervalMs: 5 } })
  await stream('update', 'shown')
  await shows(['shown'])
  await stream('abort', 'shown and more')
  expect(bot.messages).toHaveLength(1)
  expect(bot.messages[0]).toMatchObject({ text: 'shown', state: 'aborted' })
  await stream('update', 'second', {}, 's-2')
  await shows(['shown', 'second'])
  await delivery.endRun('run-1', 'failed')
  expect(bot.messages[1]).toMatchObject({ text: 'second', state: 'aborted' })
})

test('[runner.reply-stream.debug-simulates] a debug run gets plausible results and calls no adapter', async () => {
  await make({ streaming: { minIntervalMs: 5 } })
  const calls = bot.calls.length
  expect(await reply('hi', { debug: true })).toMatchObject({ status: 'simulated' })
  expect(await stream('update', 'a', { debug: true })).toMatchObject({ delivery: 'simulated', mock: true })
  expect(await stream('finish', 'ab', { debug: true })).toMatchObject({ status: 'completed', delivery: 'simulated' })
  expect(bot.calls).toHaveLength(calls)
})

test('a sentence of one key is said once', async () => {
  await make()
  for (let index = 0; index < 2; index++) {
    const { statements, wake } = delivery.sentence(scope(), 'Sorry.', 'sentence:run-1')
    await store.commit(statements)
    wake()
  }
  // Both wakes read the outbox before this does; what they found stands in the lane before the answer.
  await delivery.list({ workspace_uuid: 'w-1', states: null, limit: 1 })
  await reply('and an answer')
  expect(bot.texts()).toEqual(['Sorry.', 'and an answer'])
})

test('a bot that goes down before the first try: the answer waits as queued, and stays so when the host stops', async () => {
  await make()
  const result = await delivery.reply({
    scope: scope(),
    chain: chain('not tried'),
    quote_origin: false,
    waitMs: 0,
    signal: new AbortController().signal,
    commit: async (statements) => {
      await store.commit(statements)
      expect(await states()).toEqual(['sending'])
      adapter = undefined
    },
  })
  expect(result.status).toBe('queued')
  await expect.poll(states).toEqual(['queued'])
  await delivery.drain()
  expect(await states()).toEqual(['queued'])
  expect(bot.texts()).toEqual([])
})

test('an answer whose intent could not be written leaves its place to the next', async () => {
  await make()
  const commit = () => Promise.reject(new StoreError('full', 'no room'))
  const request = { scope: scope(), chain: chain('x'), quote_origin: false, waitMs: 5_000 }
  const refused = delivery.reply({ ...request, signal: new AbortController().signal, commit })
  const next = reply('next')
  await expect(refused).rejects.toMatchObject({ code: 'full' })
  expect(await next).toMatchObject({ status: 'sent' })
  expect(bot.texts()).toEqual(['next'])
})

test('a full disk when the platform has the whole stream: written down later, and the author hears of no failure', async () => {
  const finished = () => bot.calls.some(({ method, outcome }) => method === 'stream.finish' && outcome === 'ok')
  let refusals = 0
  const full = () => finished() && refusals++ === 0
  await make({ streaming: { minIntervalMs: 5 } }, fullWhen(full))
  await stream('update', 'a')
  expect(await stream('finish', 'a b')).toMatchObject({ status: 'completed', text: 'a b' })
  expect(refusals).toBeGreaterThan(1)
  expect(await states()).toEqual(['sent'])
  expect(bot.calls.filter(({ method }) => method === 'stream.finish')).toHaveLength(1)
})

test('what waits for its turn when the run ends opens no stream any more', async () => {
  await make({ streaming: { minIntervalMs: 5 } })
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const request = { scope: scope(), stream_id: 's-1', operation: 'update', waitMs: 0 } as const
  const { signal } = new AbortController()
  const commit = async (statements: Parameters<Store['commit']>[0]) => {
    entered.resolve()
    await gate.promise
    return store.commit(statements)
  }
  const first = delivery.stream({ ...request, text: 'a', signal, commit })
  const second = delivery.stream({ ...request, text: 'a b', signal, commit })
  await entered.promise
  const ended = delivery.endRun('run-1', 'ended')
  gate.resolve()
  await first
  await expect(second).rejects.toMatchObject({ reason: 'run_ended' })
  await ended
  await expect.poll(async () => (await states()).filter((state) => state === 'streaming')).toEqual([])
  expect(bot.messages.filter(({ state }) => state === 'open')).toEqual([])
})

test('operations of one stream that nobody waits for still make one message', async () => {
  await make({ streaming: { minIntervalMs: 5 } })
  await Promise.all([stream('update', 'a'), stream('update', 'a b'), stream('finish', 'a b c')])
  expect(bot.texts()).toEqual(['a b c'])
  expect(bot.calls.filter((call) => call.method === 'openStream' || call.method === 'send')).toHaveLength(1)
})

test('an unknown outcome at the end of a buffered stream is not sent again by a repeated finish', async () => {
  await make()
  bot.script('send', { do: 'error', kind: 'unknown_outcome', taken: true })
  await expect(stream('finish', 'text')).rejects.toMatchObject({ reason: 'delivery_unknown' })
  await expect(stream('finish', 'text')).rejects.toMatchObject({ reason: 'delivery_unknown' })
  expect(bot.texts()).toEqual(['text'])
})

test('a rate limit while a next message is opened leaves one row of it, not one for each try', async () => {
  await make({ streaming: { minIntervalMs: 5 }, limits: { maxText: 10, unit: 'utf16', maxAttachments: null } })
  await stream('update', 'first one ')
  await shows(['first one '])
  const limited = { do: 'error', kind: 'rate_limited', retryAfterMs: 20 } as const
  bot.script('openStream', limited, limited)
  await stream('finish', 'first one second')
  expect(bot.messages.map((message) => message.text).join('')).toBe('first one second')
  expect(await states()).toEqual(['sent', 'sent'])
})
