/** What a dead host left in the outbox: two deliveries over one store and one platform; the first of them is let go. */
import { randomUUID } from 'node:crypto'
import type { AdapterCapabilities, AdapterInstance } from '@runbound/platform-kit'
import { recordingServices, ScriptedBot, scriptedAdapter } from '@runbound/platform-kit/scriptable'
import { openStore, type Store } from '@runbound/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { localSignals } from '../signals.ts'
import { createLogger } from '../telemetry/log.ts'
import { createTrail } from '../trail/trail.ts'
import { createDelivery } from './delivery.ts'
import type { Delivery, DeliveryScope } from './types.ts'

const SENTENCE = 'That was interrupted.'
let store: Store
let bot: ScriptedBot
let said: { text: string; how: string }[]
/** What delivery asks for its sentence; a test may let it fail. */
let sentenceOf: () => Promise<string>
let entries = 0
const deliveries: Delivery[] = []

const scope: DeliveryScope = {
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
}

/** A start of the host. The one before it is dead: nothing of it goes on. */
async function host(capabilities: Partial<AdapterCapabilities> = {}): Promise<Delivery> {
  const adapter: AdapterInstance = scriptedAdapter(bot, { capabilities }, recordingServices('b-1'))
  await adapter.start()
  const delivery = createDelivery({
    store,
    clock: systemClock,
    logger: createLogger({ level: 'silent' }),
    signals: localSignals(),
    trail: createTrail({ store, clock: systemClock }),
    adapter: () => adapter,
    owner: randomUUID(),
    needs: {
      said: ({ key, text, how, scope: { run_id } }) => {
        said.push({ text, how })
        // As in the transcript, an entry of the same key is refused.
        const value = JSON.stringify([entries++, { text, how, run_id }])
        return [{ sql: 'insert into settings (name, value) values (?, ?)', params: [`said:${key}`, value], expect: 1 }]
      },
      ledger: () => [],
      sentenceOf: () => sentenceOf(),
    },
  })
  deliveries.push(delivery)
  return delivery
}

/** The next start, which takes up what was left. */
async function nextHost(capabilities: Partial<AdapterCapabilities> = {}): Promise<Delivery> {
  said = []
  const delivery = await host(capabilities)
  await delivery.recover()
  delivery.start()
  return delivery
}

const signal = new AbortController().signal
const reply = (delivery: Delivery, text: string) =>
  delivery.reply({ scope, chain: [{ type: 'Plain', text }], quote_origin: false, waitMs: 20, signal })
const stream = (delivery: Delivery, operation: 'update' | 'finish', text: string) =>
  delivery.stream({
    scope,
    stream_id: 's-1',
    operation,
    text,
    waitMs: 20,
    signal,
    commit: (statements) => store.commit(statements),
  })
const parts = async () =>
  (
    await store.all<{ state: string; reason: string | null }>({
      sql: 'select state, reason from outbox order by position',
      params: [],
    })
  ).map(({ state, reason }) => `${state} ${reason}`)
const shows = (texts: readonly string[]) => expect.poll(() => bot.texts(), { timeout: 5_000 }).toEqual(texts)
const becomes = (states: readonly string[]) => expect.poll(parts, { timeout: 5_000 }).toEqual(states)
/** What stands in history, in order. */
const history = async () =>
  (
    await store.all<{ value: string }>({
      sql: "select value from settings where name like 'said:%' order by json_extract(value, '$[0]')",
      params: [],
    })
  ).map(({ value }) => JSON.parse(value)[1])
const sends = () => bot.calls.filter(({ method }) => method === 'send').length
const STREAMS = { streaming: { minIntervalMs: 10 } } as const

beforeEach(async () => {
  store = await openStore({ folder: ':memory:' })
  bot = new ScriptedBot('b-1')
  said = []
  sentenceOf = async () => SENTENCE
})
afterEach(async () => {
  deliveries.length = 0
  await store.close()
})

test('a send in flight: unknown, its rest is held, the user reads the sentence once, later answers go out', async () => {
  const limits = { maxText: 10, unit: 'utf16', maxAttachments: null } as const
  const first = await host({ limits })
  first.start()
  bot.script('send', { do: 'hang', taken: true })
  await reply(first, 'part-one part-two')
  await shows(['part-one '])
  const next = await nextHost()
  await becomes(['unknown host_restarted', 'held behind_unknown', 'sent null'])
  await reply(next, 'later')
  await shows(['part-one ', SENTENCE, 'later'])
})

test('a platform that proves delivery: what arrived is not sent again, what did not is, nothing is unknown', async () => {
  const proves = { provesDelivery: true }
  for (const [taken, how] of [
    [true, 'sent proved_after_restart'],
    [false, 'sent null'],
  ] as const) {
    bot = new ScriptedBot('b-1')
    const first = await host(proves)
    first.start()
    bot.script('send', { do: 'hang', taken })
    await reply(first, 'hello')
    await expect.poll(() => bot.calls.length).toBeGreaterThan(1)
    await nextHost(proves)
    await becomes([how])
    expect(bot.texts()).toEqual(['hello'])
    expect(said).toEqual([{ text: 'hello', how: 'after_restart' }])
    await store.commit([{ sql: 'delete from outbox', params: [] }])
  }
})

test('[D29] an open stream is finished with the last text and the sentence, which is said once', async () => {
  const first = await host(STREAMS)
  first.start()
  await stream(first, 'update', 'It begins')
  await shows(['It begins'])
  await store.commit(first.sentence(scope, SENTENCE, 'sentence:run-1').statements)
  bot.script('stream.finish', { do: 'error', kind: 'rate_limited', retryAfterMs: 20 })
  await nextHost(STREAMS)
  await becomes(['sent finished_after_restart', 'discarded said_in_stream'])
  expect(bot.texts()).toEqual([`It begins\n\n${SENTENCE}`])
  expect(said).toEqual([{ text: `It begins\n\n${SENTENCE}`, how: 'after_restart' }])
})

test('a stream that was closing when the host died keeps its whole text, in the chat and in history', async () => {
  const proves = { ...STREAMS, provesDelivery: true }
  for (const taken of [true, false]) {
    bot = new ScriptedBot('b-1')
    const first = await host(proves)
    first.start()
    await stream(first, 'update', 'It begins')
    await shows(['It begins'])
    bot.script('stream.finish', { do: 'hang', taken })
    await stream(first, 'finish', 'It begins, and it ends.')
    await expect.poll(() => bot.calls.some(({ method }) => method === 'stream.finish')).toBe(true)
    await nextHost(proves)
    await becomes([taken ? 'sent proved_after_restart' : 'sent finished_after_restart'])
    expect(bot.texts()).toEqual(['It begins, and it ends.'])
    expect(said).toEqual([{ text: 'It begins, and it ends.', how: 'after_restart' }])
    await store.commit([{ sql: 'delete from outbox', params: [] }])
  }
})

test('a second crash, while a stream is finished with the sentence: the sentence is said once', async () => {
  for (const [proves, state] of [
    [true, 'sent proved_after_restart'],
    [false, 'unknown host_restarted'],
  ] as const) {
    const can = { streaming: { minIntervalMs: 0 }, provesDelivery: proves }
    bot = new ScriptedBot('b-1')
    const first = await host(can)
    first.start()
    await stream(first, 'update', 'It begins')
    await shows(['It begins'])
    await store.commit(first.sentence(scope, SENTENCE, 'sentence:run-1').statements)
    bot.script('stream.finish', { do: 'hang', taken: true })
    await nextHost(can)
    await shows([`It begins\n\n${SENTENCE}`])
    await nextHost(can)
    await becomes([state, 'discarded said_in_stream'])
    expect(bot.texts()).toEqual([`It begins\n\n${SENTENCE}`])
    expect(said).toEqual(proves ? [{ text: `It begins\n\n${SENTENCE}`, how: 'after_restart' }] : [])
    await store.commit([{ sql: 'delete from outbox', params: [] }])
  }
})

test('[D33] an answer that was split keeps its place before what was said after it', async () => {
  const limits = { maxText: 10, unit: 'utf16', maxAttachments: null } as const
  const first = await host({ limits })
  // Queued while the bot was down: to be split when it is up.
  await store.commit(first.sentence(scope, 'part-one part-two', 'first').statements)
  await store.commit(first.sentence(scope, 'behind', 'second').statements)
  bot.script('send', { do: 'ok' }, { do: 'hang' })
  await first.recover()
  first.start()
  await expect.poll(() => bot.calls.filter(({ method }) => method === 'send').length).toBe(2)
  expect(bot.texts()).toEqual(['part-one '])
  await nextHost({ limits, provesDelivery: true })
  await shows(['part-one ', 'part-two', 'behind'])
})

test('a closed stream of a platform that proves nothing is unknown, and is not written again', async () => {
  const first = await host(STREAMS)
  first.start()
  await stream(first, 'update', 'It begins')
  await shows(['It begins'])
  bot.script('stream.finish', { do: 'hang', taken: true })
  await stream(first, 'finish', 'It begins, and it ends.')
  await shows(['It begins, and it ends.'])
  await nextHost(STREAMS)
  await becomes(['unknown host_restarted', 'sent null'])
  expect(bot.texts()).toEqual(['It begins, and it ends.', SENTENCE])
})

test('[D33] what was said first is taken up first: an answer that waits before a stream', async () => {
  const first = await host(STREAMS)
  // Not started: both are intended, neither is sent.
  await reply(first, 'an answer')
  await stream(first, 'update', 'a stream')
  await store.commit([{ sql: 'update outbox set reason = null', params: [] }])
  bot.script('send', { do: 'delay', ms: 50 })
  bot.show({ ...outgoing(await streamKey()), target: scope.target }, 'a stream', [], 'open')
  const before = bot.calls.length
  await nextHost({ ...STREAMS, provesDelivery: true })
  await becomes(['sent null', 'sent finished_after_restart'])
  const order = bot.calls.slice(before).map(({ method }) => method)
  expect(order.indexOf('send')).toBeLessThan(order.indexOf('stream.finish'))
})

test('of two answers of one tick only the one that was tried becomes unknown; the other goes out', async () => {
  const first = await host()
  first.start()
  bot.script('send', { do: 'hang', taken: true })
  await Promise.all([reply(first, 'one'), reply(first, 'two')])
  await shows(['one'])
  expect(await parts()).toEqual(['sending null', 'queued null'])
  await nextHost()
  await becomes(['unknown host_restarted', 'sent null', 'sent null'])
  expect(bot.texts()).toEqual(['one', 'two', SENTENCE])
})

test('an answer that waits in a lane that does not run yet was not tried, and is sent by the next start', async () => {
  const first = await host()
  await reply(first, 'early')
  expect(await parts()).toEqual(['queued null'])
  await nextHost()
  await becomes(['sent null'])
  expect(bot.texts()).toEqual(['early'])
})

test('a stream that waited behind an answer was never opened: not unknown, and the user reads the sentence', async () => {
  const first = await host(STREAMS)
  first.start()
  bot.script('send', { do: 'hang', taken: true })
  await Promise.all([reply(first, 'one'), stream(first, 'update', 'a stream')])
  await shows(['one'])
  expect(await parts()).toEqual(['sending null', 'streaming not_opened'])
  await nextHost(STREAMS)
  await becomes(['unknown host_restarted', 'discarded host_restarted', 'sent null'])
  expect(bot.texts()).toEqual(['one', SENTENCE])
})

test('the next message of a long stream is intended with the end of the one before, and not unknown before it is opened', async () => {
  sentenceOf = async () => 'Interrupted.'
  const limits = { maxText: 20, unit: 'utf16', maxAttachments: null } as const
  const first = await host({ ...STREAMS, limits })
  first.start()
  await stream(first, 'update', 'a text that is ')
  await shows(['a text that is '])
  bot.script('openStream', { do: 'error', kind: 'rate_limited', retryAfterMs: 60_000 })
  await stream(first, 'update', 'a text that is too long for one')
  await becomes(['sent continued', 'streaming not_opened'])
  await expect.poll(() => bot.calls.filter(({ method }) => method === 'openStream').length).toBe(2)
  await nextHost({ ...STREAMS, limits })
  await becomes(['sent said_in_part', 'discarded host_restarted', 'sent null'])
  expect(bot.texts()).toEqual(['a text that is too ', 'Interrupted.'])
  expect((await history()).map(({ text }) => text)).toEqual(['a text that is too ', 'Interrupted.'])
})

test('history has the whole of a split answer, once, also the parts that went out before the crash', async () => {
  const limits = { maxText: 10, unit: 'utf16', maxAttachments: null } as const
  const text = 'part-one part-two part-thre'
  const can = { limits, provesDelivery: true }
  // Which part hung, and whether the platform had taken it: also the last one, after which nothing is left to send.
  for (const [whole, taken] of [
    [1, true],
    [1, false],
    [2, true],
  ] as const) {
    bot = new ScriptedBot('b-1')
    const first = await host(can)
    first.start()
    bot.script('send', ...Array.from({ length: whole }, () => ({ do: 'ok' as const })), { do: 'hang', taken })
    await reply(first, text)
    await expect.poll(sends).toBe(whole + 1)
    await nextHost(can)
    await expect.poll(async () => (await parts()).every((part) => part.startsWith('sent'))).toBe(true)
    expect(bot.texts().join('')).toBe(text)
    expect(await history()).toEqual([{ text, how: 'after_restart', run_id: 'run-1' }])
    await store.commit([
      { sql: 'delete from outbox', params: [] },
      { sql: 'delete from settings', params: [] },
    ])
  }
})

test('an answer cut off by a crash has its first parts in history, and the rest when an operator sends it', async () => {
  const limits = { maxText: 10, unit: 'utf16', maxAttachments: null } as const
  sentenceOf = async () => ''
  const first = await host({ limits })
  first.start()
  bot.script('send', { do: 'ok' }, { do: 'hang', taken: false })
  await reply(first, 'part-one part-two part-thre')
  await expect.poll(sends).toBe(2)
  const next = await nextHost({ limits })
  await becomes(['sent said_in_part', 'unknown host_restarted', 'held behind_unknown'])
  expect(await history()).toEqual([{ text: 'part-one ', how: 'after_restart', run_id: 'run-1' }])
  const [item] = await next.list({ workspace_uuid: 'w-1', states: ['unknown'], limit: 1 })
  await next.resend(item?.delivery_id ?? '')
  await becomes(['sent said_in_part', 'sent null', 'sent null'])
  expect((await history()).map(({ text, how }) => [text, how])).toEqual([
    ['part-one ', 'after_restart'],
    ['part-two part-thre', 'resent'],
  ])
  expect(bot.texts()).toEqual(['part-one ', 'part-two ', 'part-thre'])
})

test('a streamed text over several messages: history has all of them, the finished one or not', async () => {
  const limits = { maxText: 20, unit: 'utf16', maxAttachments: null } as const
  const can = { ...STREAMS, limits, provesDelivery: true }
  for (const opened of [true, false]) {
    bot = new ScriptedBot('b-1')
    const first = await host(can)
    first.start()
    await stream(first, 'update', 'a text that is ')
    await shows(['a text that is '])
    if (!opened) bot.script('openStream', { do: 'hang', taken: false })
    await stream(first, 'update', 'a text that is too long for one')
    await (opened
      ? shows(['a text that is too ', 'long for one'])
      : expect.poll(() => bot.calls.filter(({ method }) => method === 'openStream').length).toBe(2))
    sentenceOf = async () => ''
    await nextHost(can)
    await becomes(
      opened ? ['sent continued', 'sent finished_after_restart'] : ['sent said_in_part', 'discarded host_restarted'],
    )
    const text = opened ? 'a text that is too long for one' : 'a text that is too '
    expect(await history()).toEqual([{ text, how: 'after_restart', run_id: 'run-1' }])
    await store.commit([
      { sql: 'delete from outbox', params: [] },
      { sql: 'delete from settings', params: [] },
    ])
  }
})

test('an answer that can not be taken up: the part under way is unknown and its rest held', async () => {
  const limits = { maxText: 10, unit: 'utf16', maxAttachments: null } as const
  const first = await host({ limits })
  first.start()
  bot.script('send', { do: 'hang', taken: true })
  await reply(first, 'part-one part-two')
  await shows(['part-one '])
  sentenceOf = async () => Promise.reject(new Error('no settings'))
  const next = await nextHost({ limits })
  await becomes(['unknown host_restarted', 'held behind_unknown'])
  await reply(next, 'later')
  await shows(['part-one ', 'later'])
})

test('an answer that can not be taken up and was not under way stays for the next start, whole', async () => {
  const limits = { maxText: 10, unit: 'utf16', maxAttachments: null } as const
  const first = await host({ limits })
  await reply(first, 'part-one part-two')
  await store.commit([{ sql: "update outbox set target = '{' || target", params: [] }])
  const next = await nextHost({ limits })
  // Behind it in the same lane: once this is out, the other was given up.
  await reply(next, 'later')
  await shows(['later'])
  expect(await parts()).toEqual(['queued null', 'queued null', 'sent null'])
  await store.commit([{ sql: "update outbox set target = substr(target, 2) where state = 'queued'", params: [] }])
  await nextHost({ limits })
  await shows(['later', 'part-one ', 'part-two'])
})

async function streamKey(): Promise<string> {
  const row = await store.first<{ part_id: string }>({
    sql: 'select part_id from outbox where stream_id is not null',
    params: [],
  })
  return row?.part_id ?? ''
}

const outgoing = (delivery_key: string) => ({ delivery_key, conversation_id: null, run_id: 'run-1', part: 1, parts: 1 })
