import { createTestHost } from '@runbound/testing'
import { expect, test } from 'vitest'
import plugin from './index.ts'

test('what is yielded is recorded once and in order; in an agent nothing is sent', async () => {
  const t = await createTestHost({ plugin })
  await t.say('one two')
  const run = await t.run()
  expect(run.status).toBe('completed')
  expect(run.produced).toEqual(['two one'])
  expect(run.logs).toEqual([{ level: 'info', text: '2 words came in' }])
  const kinds = run.ledger.map(({ type }) => type).filter((type) => !type.startsWith('run.'))
  expect(kinds).toEqual(['processor.log', 'message.delta', 'message.delta', 'state.updated', 'message.completed'])
  expect(await t.state('conversation')).toEqual({ last_words: ['one', 'two'] })
  expect(await t.replies()).toEqual([])
  await t.stop()
})
