import { AdapterError } from '@runbound/platform-kit'
import { type JsonObject, platformTool } from '@runbound/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { FACTS } from '../gateway/fixtures.ts'
import { reasonOf, type ToolHost, toolHost } from './fixtures.ts'

let host: ToolHost
beforeEach(() => {
  host = toolHost()
})

describe('platform tools', () => {
  test('[run-api.event-tools-fixed-target] an event tool acts on the event’s own target, whatever the caller says', async () => {
    const living = host.run({ event_tools: ['event_get_actor', 'event_mute_member'] })
    expect(await host.tool('event_get_actor')).toEqual({ result: { id: 'u-1', nickname: 'Ann' } })
    expect(host.apiCalls).toEqual([{ bot: 'b-1', action: 'get_user_info', params: { user_id: 'u-1' } }])
    expect(living.marks.count).toBe(0)
    await host.tool('event_mute_member', { duration: 60 })
    expect(host.apiCalls[1]).toEqual({
      bot: 'b-1',
      action: 'mute_member',
      params: { duration: 60, group_id: 'g-1', user_id: 'u-1' },
    })
    expect(living.marks.count).toBe(1)
    expect(await reasonOf(host.tool('event_get_actor', { user_id: 'u-2' }))).toBe('invalid_params')
    expect(await reasonOf(host.tool('event_mute_member', { duration: 1, user_id: 'u-2' }))).toBe('invalid_params')
    expect(host.apiCalls).toHaveLength(2)
  })

  test('[runner.grant.self-plugin.platform] the raw call reaches the event’s target and no other', async () => {
    host.run({ event_tools: ['event_mute_member'] })
    const mute = (params: JsonObject, more: JsonObject = {}) =>
      host.platform({ bot_uuid: 'b-1', action: 'mute_member', params, ...more })
    expect(await mute({ group_id: 'g-1', user_id: 'u-1', duration: 5 })).toMatchObject({ result: {} })
    expect(await reasonOf(mute({ group_id: 'g-1', user_id: 'u-2' }))).toBe('target_denied')
    expect(await reasonOf(mute({ user_id: 'u-1' }))).toBe('target_denied')
    expect(await reasonOf(mute({ group_id: 'g-1', user_id: 'u-1' }, { bot_uuid: 'b-9' }))).toBe('target_denied')
    expect(await reasonOf(mute({ group_id: 'g-1', user_id: 'u-1', force: true }))).toBe('invalid_params')
    expect(
      await reasonOf(
        host.platform({ bot_uuid: 'b-1', action: 'kick_member', params: { group_id: 'g-1', user_id: 'u-1' } }),
      ),
    ).toBe('permission_denied')
    expect(host.apiCalls).toHaveLength(1)
  })

  test('[run-api.platform-tools-free-target] [runner.tools.kind-platform-apis] a platform tool takes the caller’s target, by name and raw', async () => {
    host.run({ platform_tools: ['platform_get_group_info', 'platform_send_message'] })
    await host.tool('platform_get_group_info', { group_id: 'g-7' })
    await host.platform({ bot_uuid: 'b-1', action: 'get_group_info', params: { group_id: 'g-8' } })
    expect(host.apiCalls.map(({ params }) => params)).toEqual([{ group_id: 'g-7' }, { group_id: 'g-8' }])
    await host.tool('platform_send_message', { target_type: 'person', target_id: 'u-7', text: 'hi' })
    await host.platform({
      bot_uuid: 'b-1',
      action: 'send_message',
      params: { target_type: 'group', target_id: 9, message: [{ type: 'Plain', text: 'yo' }] },
    })
    expect(host.replies.map(({ scope }) => [scope.target, scope.conversation_key, scope.conversation_id])).toEqual([
      [{ target_type: 'person', target_id: 'u-7', thread_id: null }, 'b-1/person_u-7', 'person_u-7'],
      [{ target_type: 'group', target_id: '9', thread_id: null }, 'b-1/group_9', 'group_9'],
    ])
  })

  test('[runner.tools.call] answers of any kind become an object or null', async () => {
    host.run({ event_tools: ['event_get_actor'] })
    for (const [answer, result] of [
      [null, null],
      [{ a: 1 }, { a: 1 }],
      [[1, 2], { items: [1, 2] }],
      ['text', { value: 'text' }],
      [7n, { value: 7n }],
      [false, { value: false }],
    ] as const) {
      host.answers.api = () => answer
      expect(await host.tool('event_get_actor')).toEqual({ result })
    }
  })

  test('a platform’s no has its reason', async () => {
    host.run({ event_tools: ['event_get_actor'] })
    host.answers.api = () => {
      throw new AdapterError('refused', 'no rights')
    }
    expect(await reasonOf(host.tool('event_get_actor'))).toBe('platform_failed')
  })
})

describe('debug runs', () => {
  test('[runner.reply-stream.debug-simulates] every platform call is simulated and no adapter is called', async () => {
    const names = [
      'event_get_actor',
      'event_mute_member',
      'event_delete_message',
      'event_get_group',
      'event_get_group_member',
      'event_reply',
    ]
    host.run(
      { event_tools: names, platform_tools: ['platform_get_group_list', 'platform_send_message'] },
      { simulate: {}, bot_uuid: null },
    )
    for (const name of names) {
      const args = name === 'event_reply' ? { text: 'hi' } : {}
      const { result } = await host.tool(name, args)
      expect(result).toMatchObject({
        ok: true,
        mock: true,
        delivery: 'simulated',
        tool: name,
        api: platformTool(name)?.api,
      })
    }
    expect(await host.tool('platform_get_group_list')).toMatchObject({ result: { result: [{ name: 'Sample group' }] } })
    await host.tool('platform_send_message', { target_type: 'person', target_id: 'u-7', text: 'hi' })
    await host.call('reply_stream', { run_id: 'run-1', stream_id: 's', operation: 'finish', text: 'x' })
    expect(host.apiCalls).toEqual([])
    expect(host.replies.map(({ scope }) => [scope.debug, scope.conversation_key])).toEqual([
      [true, FACTS.conversation_key],
      [true, null],
    ])
    expect(host.streams.map(({ scope }) => scope.debug)).toEqual([true])
  })

  test('samples and errors of the debugger take the place of the built-in ones', async () => {
    host.run(
      { event_tools: ['event_get_actor', 'event_get_group'] },
      { simulate: { results: { event_get_actor: { id: 'x' } }, errors: { event_get_group: 'gone' } } },
    )
    expect(await host.tool('event_get_actor')).toMatchObject({ result: { result: { id: 'x' } } })
    await expect(host.tool('event_get_group')).rejects.toMatchObject({
      message: 'gone',
      details: { reason: 'platform_failed' },
    })
  })
})
