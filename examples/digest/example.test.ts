import { createTestHost } from '@runbound/testing'
import { expect, test } from 'vitest'
import plugin from './index.ts'

test('the digest is of this conversation, and of what came before', async () => {
  const t = await createTestHost({ plugin })
  const team = t.conversation('team')
  await team.say('good morning')
  await team.as('bob').say('the tomatoes are ripe')
  await t.say('something private that nobody in the team should read')
  await team.say('digest')
  expect(await t.replies()).toEqual(['2 messages, 6 words. The longest: "the tomatoes are ripe"'])
  await t.stop()
})

test('a long conversation is read page by page', async () => {
  const t = await createTestHost({ plugin, config: { messages: 60 } })
  for (let count = 1; count <= 70; count++) await t.say(`note ${count}`)
  await t.say('digest')
  expect(await t.replies()).toEqual(['60 messages, 120 words. The longest: "note 70"'])
  await t.stop()
})
