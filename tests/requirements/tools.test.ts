import { sampleEvent } from '@runbound/platform-kit/scriptable'
import type { FakeTools } from '@runbound/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { onEveryTransport } from './transports.ts'

/** What the fake tool was called with, by the host that has it. */
let called: unknown[] = []
const WEATHER = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const tools: FakeTools = {
  weather: {
    description: 'The weather of a city',
    parameters: WEATHER,
    call(parameters) {
      called.push(parameters)
      return { city: parameters.city, celsius: 21 }
    },
  },
  roll: {
    description: 'Rolls a die',
    call(parameters) {
      called.push(parameters)
      return 4
    },
  },
}

interface Listed {
  readonly name: string
  readonly description: string
  readonly parameters: object
  readonly type: string
  readonly operations: readonly string[]
}

onEveryTransport(
  (bench) => {
    beforeEach(() => {
      called = []
    })

    describe('what is there', () => {
      test('[runner.tools.list] [runner.tools.list-items] one item for each tool that this invocation can call', async () => {
        const chat = await bench().chat({
          grants: { event_tools: ['event_reply'], platform_tools: ['platform_get_group_info'], tools: ['weather'] },
        })
        const listed = (await chat.play('tools')).value as Listed[]
        expect(listed.map(({ name }) => name).sort()).toEqual(['event_reply', 'platform_get_group_info', 'weather'])
        for (const item of listed) {
          expect(Object.keys(item).sort()).toEqual(['description', 'name', 'operations', 'parameters', 'type'])
          expect(item.description).not.toBe('')
          expect(item.operations).toContain('call')
          expect(item.parameters).toMatchObject({ type: 'object' })
        }
        expect(listed.find(({ name }) => name === 'weather')).toEqual({
          name: 'weather',
          description: 'The weather of a city',
          parameters: WEATHER,
          type: 'plugin',
          operations: ['detail', 'call'],
        })
        // Another event, another list: what does not fit the event is not offered.
        const nowhere = await bench().chat({ config: { scene: 'tools' }, grants: { tools: [] } })
        const names = (await nowhere.emit(sampleEvent('friend.removed', { bot_uuid: nowhere.bot_uuid })))
          .value as Listed[]
        expect(names.map(({ name }) => name)).not.toContain('event_reply')
        expect(names.map(({ name }) => name)).toContain('event_get_actor')
      })

      test('without the grants the list is empty, and nothing can be called', async () => {
        const chat = await bench().chat({ grants: { event_tools: [], tools: [] } })
        expect((await chat.play('tools')).value).toEqual([])
        const denied = await chat.play('call', { name: 'weather', parameters: { city: 'Oslo' } })
        expect(denied.error).toMatchObject({ kind: 'PermissionDeniedError', code: 'permission_denied' })
        expect(called).toEqual([])
      })
    })

    describe('calling', () => {
      test('[runner.tools.call] executes the tool and gives its result as an object; no parameters mean none', async () => {
        const chat = await bench().chat()
        const weather = await chat.play('call', { name: 'weather', parameters: { city: 'Oslo' } })
        expect(weather.value).toEqual({ city: 'Oslo', celsius: 21 })
        const roll = await chat.play('call', { name: 'roll' })
        expect(roll.value).toEqual({ value: 4 })
        expect(called).toEqual([{ city: 'Oslo' }, {}])
      })

      test('[runner.tools.kind-context-actions] a context action is listed and works, on the event’s own target', async () => {
        const chat = await bench().chat({ grants: { event_tools: ['event_reply', 'event_get_group'] } })
        const group = { group: 'g-5', sender: 'u-4' }
        const listed = (await chat.play('tools', {}, group)).value as Listed[]
        expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(['event_reply', 'event_get_group']))
        const reply = await chat.play('call', { name: 'event_reply', parameters: { text: 'by tool' } }, group)
        expect(reply.error).toBeNull()
        expect(chat.bot.messages).toMatchObject([
          { text: 'by tool', target: { target_type: 'group', target_id: 'g-5' } },
        ])
        const info = await chat.play('call', { name: 'event_get_group' }, group)
        expect(info.value).toMatchObject({ id: 'g-5', name: 'Group g-5' })
        // Not granted: neither listed nor called.
        const actor = await chat.play('call', { name: 'event_get_actor' }, group)
        expect(actor.error).toMatchObject({ code: 'permission_denied' })
        expect(chat.bot.calls.filter(({ args }) => args.action === 'get_user_info')).toEqual([])
      })

      test('[runner.tools.kind-platform-apis] a platform API is listed and works, on the target that is named', async () => {
        const chat = await bench().chat({ grants: { platform_tools: ['platform_get_group_info'] } })
        const listed = (await chat.play('tools')).value as Listed[]
        expect(listed.map(({ name }) => name)).toContain('platform_get_group_info')
        const info = await chat.play('call', { name: 'platform_get_group_info', parameters: { group_id: 'g-77' } })
        expect(info.value).toMatchObject({ id: 'g-77', name: 'Group g-77' })
        const apis = () => chat.bot.calls.filter(({ method }) => method === 'api').map(({ args }) => args)
        expect(apis()).toEqual([{ action: 'get_group_info', params: { group_id: 'g-77' } }])
        const denied = await chat.play('call', { name: 'platform_leave_group', parameters: { group_id: 'g-77' } })
        expect(denied.error).toMatchObject({ code: 'permission_denied' })
        expect(apis()).toHaveLength(1)
      })
    })
  },
  { tools },
)
