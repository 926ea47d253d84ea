import { createTestHost } from '@runbound/testing'
import { expect, test } from 'vitest'
import plugin from './index.ts'

const TEXT = 'Bound runs answer step by step and end with exactly one complete text.'

test('on a platform that streams one message grows to the whole text', async () => {
  const t = await createTestHost({
    plugin,
    platform: { streaming: { minIntervalMs: 20 } },
    config: { pause_ms: 30 },
  })
  await t.say('go')
  expect(await t.reply()).toBe(TEXT)
  const [message, ...others] = t.messages()
  expect(others).toEqual([])
  expect(message).toMatchObject({ state: 'finished' })
  expect(message?.edits).toBeGreaterThan(1)
  await t.stop()
})

test('elsewhere it is one message, sent at the end', async () => {
  const t = await createTestHost({ plugin, config: { pause_ms: 1 } })
  await t.say('go')
  expect(await t.replies()).toEqual([TEXT])
  expect(t.messages()[0]).toMatchObject({ state: 'whole', edits: 0 })
  await t.stop()
})
