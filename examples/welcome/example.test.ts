import { createTestHost } from '@runbound/testing'
import { expect, test } from 'vitest'
import plugin from './index.ts'

test('whoever joins is greeted in the group, with the operator’s words', async () => {
  const t = await createTestHost({ plugin, config: { greeting: 'Hello and welcome' } })
  await t.conversation('Gardeners').as('Zoe').emit('group.member_joined')
  const message = await t.replyMessage()
  expect(message.text).toBe('Hello and welcome to Gardeners, Zoe!')
  expect(message.target).toMatchObject({ target_type: 'group', target_id: 'Gardeners' })
  await t.stop()
})

test('other events do not concern it', async () => {
  const t = await createTestHost({ plugin })
  await t.conversation('Gardeners').emit('group.member_left')
  await t.say('hello')
  expect(await t.replies()).toEqual([])
  expect(await t.runs()).toEqual([])
  await t.stop()
})
