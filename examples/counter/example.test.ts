import { createTestHost } from '@runbound/testing'
import { expect, test } from 'vitest'
import plugin from './index.ts'

test('each conversation has its own count, also when messages come all at once', async () => {
  const t = await createTestHost({ plugin })
  await Promise.all([t.say('a'), t.say('b'), t.say('c')])
  expect(await t.replies()).toEqual(['That was the first message.', 'That was message 2.', 'That was message 3.'])

  await t.conversation('team').say('hello')
  expect((await t.replies()).at(-1)).toBe('That was the first message.')
  expect(await t.state('conversation')).toEqual({ count: 1 })
  await t.stop()
})
