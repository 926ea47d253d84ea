import { createTestHost } from '@runbound/testing'
import { expect, test } from 'vitest'
import plugin from './index.ts'

test('whatever is written comes back, to where it was written', async () => {
  const t = await createTestHost({ plugin })
  await t.say('hello')
  expect(await t.reply()).toBe('hello')

  await t.conversation('team').as('bob').say('你好 👋')
  const answer = await t.replyMessage()
  expect(answer.text).toBe('你好 👋')
  expect(answer.target).toMatchObject({ target_type: 'group', target_id: 'team' })
  await t.stop()
})

test('without the permission to reply nothing is sent', async () => {
  const t = await createTestHost({ plugin, grants: { event_tools: [] } })
  await t.say('hello')
  expect((await t.run()).status).toBe('failed')
  expect(await t.replies()).toEqual([])
  await t.stop()
})
