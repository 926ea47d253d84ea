import { createTestHost, type FakeTools } from '@runbound/testing'
import { expect, test } from 'vitest'
import plugin from './index.ts'

function weather(called: unknown[]): FakeTools {
  return {
    weather: {
      description: 'The weather of a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      call(parameters) {
        called.push(parameters)
        return { celsius: 21 }
      },
    },
  }
}

test('lists what it may call, and calls it', async () => {
  const called: unknown[] = []
  const t = await createTestHost({ plugin, tools: weather(called) })
  await t.say('tools')
  const lines = (await t.reply()).split('\n')
  expect(lines).toContain('weather: The weather of a city')
  expect(lines.some((line) => line.startsWith('event_reply: '))).toBe(true)

  await t.say('call weather {"city":"Oslo"}')
  expect(await t.reply()).toBe('{"celsius":21}')
  expect(called).toEqual([{ city: 'Oslo' }])
  await t.stop()
})

test('wrong arguments never reach the tool, and what was not given cannot be called', async () => {
  const called: unknown[] = []
  const t = await createTestHost({ plugin, tools: weather(called), grants: { tools: true, platform_tools: [] } })
  await t.say('call weather {}')
  expect(await t.reply()).toContain('weather said no')
  await t.say('call platform_leave_group {"group_id":"g-1"}')
  expect(await t.reply()).toBe('I was not given "platform_leave_group".')
  expect(called).toEqual([])
  expect(t.platformCalls()).toEqual([])
  await t.stop()
})
