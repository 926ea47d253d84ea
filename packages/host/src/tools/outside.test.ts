import { beforeEach, describe, expect, test } from 'vitest'
import { caller, installationGrant } from '../gateway/fixtures.ts'
import { installationGrant as grantOf } from '../gateway/grants/installation-grant.ts'
import type { Caller } from '../gateway/types.ts'
import { reasonOf, type ToolHost, toolHost, WEATHER } from './fixtures.ts'

let host: ToolHost
beforeEach(() => {
  host = toolHost()
})

describe('outside runs', () => {
  const outside = (apis: readonly string[]): Caller => ({
    ...caller('mine'),
    grant: grantOf({ apis }, { manifest: {}, components: [], sdk: { name: 'x', version: '1' } }),
  })

  test('sending and platform calls need their entry, and a bot of the workspace', async () => {
    const message_chain = [{ type: 'Plain', text: 'hi' }]
    const target = { bot_uuid: 'b-1', target_type: 'person', target_id: 'u-7' }
    const sender = outside(['send_message', 'platform:get_user_info'])
    expect(await host.call('send_message', { ...target, message_chain }, sender)).toMatchObject({
      result: { status: 'sent' },
    })
    expect(
      await host.call(
        'call_platform_api',
        { bot_uuid: 'b-1', action: 'send_message', params: { ...target, message: message_chain } },
        sender,
      ),
    ).toMatchObject({ result: { status: 'sent' } })
    expect(
      await host.call(
        'call_platform_api',
        { bot_uuid: 'b-1', action: 'get_user_info', params: { user_id: 'u-1' } },
        sender,
      ),
    ).toEqual({ result: { id: 'u-1', nickname: 'Ann' } })
    expect(host.replies[0]).toMatchObject({
      waitMs: 14_000,
      scope: { run_id: null, target: { target_id: 'u-7' }, conversation_key: 'b-1/person_u-7' },
    })

    expect(await reasonOf(host.call('send_message', { ...target, bot_uuid: 'b-9', message_chain }, sender))).toBe(
      'not_found',
    )
    expect(await reasonOf(host.call('send_message', { ...target, message_chain }, outside([])))).toBe(
      'permission_denied',
    )
    expect(
      await reasonOf(
        host.call(
          'call_platform_api',
          { bot_uuid: 'b-1', action: 'send_message', params: {} },
          outside(['platform:get_user_info']),
        ),
      ),
    ).toBe('permission_denied')
    expect(
      await reasonOf(host.call('call_platform_api', { bot_uuid: 'b-1', action: 'kick_member', params: {} }, sender)),
    ).toBe('permission_denied')
    expect(await reasonOf(host.call('send_message', { ...target, message_chain: [] }, sender))).not.toBe(
      'permission_denied',
    )
    expect(host.apiCalls).toHaveLength(1)
  })

  test('lists show the workspace and no secret', async () => {
    const all = { ...caller('mine'), grant: installationGrant(null) }
    const { bots } = await host.call('get_bots', {}, all)
    expect(bots).toMatchObject([{ uuid: 'b-1', name: 'Bot', adapter: 'demo', enable: true }])
    const { bot } = await host.call('get_bot_info', { bot_uuid: 'b-1' }, all)
    expect(bot).toMatchObject({ uuid: 'b-1', adapter_runtime_values: { bot_account_id: 'bot-account' } })
    expect(JSON.stringify([bots, bot])).not.toContain('SECRET')
    expect(await reasonOf(host.call('get_bot_info', { bot_uuid: 'b-9' }, all))).toBe('not_found')
    expect(await host.call('get_langbot_version', {}, all)).toEqual({
      version: 'v0.1.0',
      api_features: ['llm.reasoning_level'],
    })
    expect(await host.call('list_plugins_manifest', {}, all)).toMatchObject({ plugins: [{ owner: 'acme/mine' }] })
    expect(await host.call('list_commands', {}, all)).toMatchObject({
      commands: [{ owner: 'acme/mine', manifest: { metadata: { name: 'help' } } }],
    })
    host.tools.register(host.table([WEATHER]))
    expect(await host.call('list_tools', {}, all)).toMatchObject({
      tools: [{ name: 'get_weather', spec: { parameters: WEATHER.parameters } }],
    })
    expect(await host.call('get_tool_detail', { tool_name: 'get_weather' }, all)).toMatchObject({
      tool: { name: 'get_weather' },
    })
    expect(await reasonOf(host.call('get_tool_detail', { tool_name: 'none' }, all))).toBe('not_found')
  })

  test('files are read only when the plugin’s own settings name them', async () => {
    const all = { ...caller('mine'), grant: installationGrant(null) }
    expect(await host.call('get_config_file', { file_key: 'own-file' }, all)).toEqual({ file_base64: 'AQID' })
    expect(await reasonOf(host.call('get_config_file', { file_key: 'foreign' }, all))).toBe('not_found')
    expect(await reasonOf(host.call('get_config_file', { file_key: 'deep' }, all))).toBe('not_found')
    expect(
      await reasonOf(host.call('get_config_file', { file_key: 'own-file' }, { ...all, installation_uuid: 'another' })),
    ).toBe('not_found')
  })
})
