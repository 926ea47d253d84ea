/** What users report of long texts and streams, tried with their numbers (times shortened) on the scriptable platform. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AdapterCapabilities, AdapterLimits } from '@runbound/platform-kit'
import { measureOf } from '@runbound/platform-kit'
import { type RecordedCall, recordingServices, ScriptedBot, scriptedAdapter } from '@runbound/platform-kit/scriptable'
import { openStore, type Store } from '@runbound/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { localSignals } from '../signals.ts'
import { createLogger } from '../telemetry/log.ts'
import { createTrail } from '../trail/trail.ts'
import { createDelivery } from './delivery.ts'
import type { Delivery, DeliveryScope } from './types.ts'

let store: Store
let bot: ScriptedBot
let delivery: Delivery
let said: string[]

async function make(capabilities: Partial<AdapterCapabilities>): Promise<void> {
  const adapter = scriptedAdapter(bot, { capabilities }, recordingServices('b-1'))
  await adapter.start()
  delivery = createDelivery({
    store,
    clock: systemClock,
    logger: createLogger({ level: 'silent' }),
    signals: localSignals(),
    trail: createTrail({ store, clock: systemClock }),
    adapter: () => adapter,
    owner: randomUUID(),
    needs: {
      said: ({ text }) => {
        said.push(text)
        return []
      },
      ledger: () => [],
      sentenceOf: async () => '',
    },
  })
  delivery.start()
}

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
const { signal } = new AbortController()
const stream = (operation: 'update' | 'finish', text: string) =>
  delivery.stream({
    scope,
    stream_id: 's-1',
    operation,
    text,
    waitMs: 10_000,
    signal,
    commit: (statements) => store.commit(statements),
  })
const reply = (text: string) =>
  delivery.reply({ scope, chain: [{ type: 'Plain', text }], quote_origin: false, waitMs: 10_000, signal })
/** Edits of a message that is already shown, oldest first. */
const edits = () => bot.calls.filter(({ method }) => method === 'stream.update' || method === 'stream.finish')
/** The tries of a method that a limit refused, each with the try after it. */
function refusals(calls: readonly RecordedCall[]): readonly { readonly waited: number }[] {
  return calls.flatMap((call, index) => {
    const next = calls[index + 1]
    return call.outcome === 'rate_limited' && next !== undefined
      ? [{ waited: next.at - (call.endedAt ?? call.at) }]
      : []
  })
}

beforeEach(async () => {
  store = await openStore({ folder: ':memory:' })
  bot = new ScriptedBot('b-1')
  said = []
})
afterEach(async () => {
  await delivery.drain()
  await store.close()
})

test('[D29] 500 chunks in five intervals: at most seven edits, and the last is the full text', async () => {
  const limits = { maxText: null, unit: 'utf16', maxAttachments: null } as const
  await make({ streaming: { minIntervalMs: 200 }, limits })
  const chunks = Array.from({ length: 500 }, (_value, index) => `chunk ${index} `)
  const started = performance.now()
  let text = ''
  for (const [index, chunk] of chunks.entries()) {
    text += chunk
    await stream('update', text)
    const ahead = (index + 1) * 2 - (performance.now() - started)
    if (ahead > 1) await sleep(ahead)
  }
  await stream('finish', text)
  // A slow machine needs longer for the chunks, and has that many more intervals.
  const intervals = Math.ceil((performance.now() - started) / 200)
  expect(edits().length).toBeLessThanOrEqual(Math.max(7, intervals + 1))
  expect(bot.violations).toEqual([])
  expect(bot.texts()).toEqual([text])
  expect(said).toEqual([text])
})

test('[D29] [D31] flood control three times during edits: nothing inside the waits, and the answer is complete', async () => {
  await make({ streaming: { minIntervalMs: 5 } })
  await stream('update', 'word 0 ')
  await expect.poll(() => bot.texts()).toEqual(['word 0 '])
  const flood = { do: 'error', kind: 'rate_limited', retryAfterMs: 120 } as const
  bot.script('stream.update', flood, flood, flood)
  let text = 'word 0 '
  // The author goes on meanwhile; all that counts is the last text.
  for (let index = 1; edits().filter(({ outcome }) => outcome === 'rate_limited').length < 3; index++) {
    text += `word ${index} `
    await stream('update', text)
    await sleep(10)
  }
  await stream('finish', `${text}end`)
  const waits = refusals(edits())
  expect(waits).toHaveLength(3)
  for (const { waited } of waits) expect(waited).toBeGreaterThanOrEqual(119)
  expect(bot.texts()).toEqual([`${text}end`])
})

test('[D30] three edits are taken, then the platform has closed the message: the texts together are the source', async () => {
  await make({ streaming: { minIntervalMs: 5 } })
  const source = Array.from({ length: 8 }, (_value, index) => `sentence number ${index}. `)
  bot.script('stream.update', { do: 'ok' }, { do: 'ok' }, { do: 'ok' }, { do: 'error', kind: 'stream_lost' })
  let text = ''
  for (const sentence of source) {
    text += sentence
    const now = text
    await stream('update', now)
    // Each text is shown before the next comes, so that each is an edit.
    await expect.poll(() => bot.texts().join(''), { interval: 2 }).toBe(now)
  }
  await stream('finish', text)
  expect(bot.messages).toHaveLength(2)
  expect(bot.texts().join('')).toBe(source.join(''))
  expect(said).toEqual([source.join('')])
})

const BYTES = { maxText: 2_048, unit: 'byte', maxAttachments: null } as const satisfies AdapterLimits
const RENDERED = {
  maxText: 1_000,
  unit: 'rendered',
  maxAttachments: null,
  measure: (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').length,
} as const satisfies AdapterLimits

test.each([
  ['[D37] 1,500 Chinese characters and emoji at 2,048 bytes', BYTES, '今天天气很好😀，我们出去走走吧。'.repeat(94)],
  ['[D36] 800 times "a&b <c> " at 1,000 as rendered', RENDERED, 'a&b <c> '.repeat(800)],
  [
    '[D34] 6,000 characters at 4,096',
    { maxText: 4_096, unit: 'utf16', maxAttachments: null } as const,
    'a text '.repeat(858).slice(0, 6_000),
  ],
])(
  '%s: sent or streamed, each message fits, nothing is lost, moved or cut within a word',
  async (_what, limits, text) => {
    for (const how of ['sent', 'streamed'] as const) {
      bot = new ScriptedBot('b-1')
      said = []
      await make({ limits, streaming: how === 'sent' ? null : { minIntervalMs: 5 } })
      if (how === 'sent') await reply(text)
      else {
        await stream('update', text.slice(0, 700))
        await expect.poll(() => bot.messages.length).toBeGreaterThan(0)
        await stream('finish', text)
      }
      const texts = bot.texts()
      expect(texts.length).toBeGreaterThan(1)
      expect(texts.join('')).toBe(text)
      expect(Math.max(...texts.map(measureOf(limits)))).toBeLessThanOrEqual(limits.maxText ?? 0)
      for (const part of texts) {
        expect(part.isWellFormed()).toBe(true)
        expect(part.trim()).not.toBe('')
      }
      // Where words have spaces, every part but the last ends with one.
      if (text.includes(' ')) for (const part of texts.slice(0, -1)) expect(part).toMatch(/ $/)
      expect(said).toEqual([text])
      await delivery.drain()
    }
  },
)
