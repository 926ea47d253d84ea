import { describe, expect, test } from 'vitest'
import { installationGrant } from './installation-grant.ts'

describe('outside runs', () => {
  const components = (...kinds: string[]) => ({
    manifest: {},
    components: kinds.map((kind) => ({ kind, spec: { permissions: { storage: ['plugin', 'workspace'] } } })),
    sdk: { name: 'x', version: '1' },
  })

  test('a plugin with only Runners gets its own files, the version and the storage that its manifest names', () => {
    const grant = installationGrant({}, components('Runner', 'Runner'))
    expect([grant.api('get_langbot_version'), grant.api('get_config_file'), grant.storage('plugin')]).toEqual([
      null,
      null,
      null,
    ])
    for (const api of ['get_bots', 'list_tools', 'invoke_llm', 'send_message', 'platform:get_user_info']) {
      expect(grant.api(api)?.reason, api).toBe('permission_denied')
    }
    expect(grant.storage('workspace')?.reason).toBe('permission_denied')
    const silent = installationGrant(
      {},
      { manifest: {}, components: [{ kind: 'Runner', spec: {} }], sdk: { name: 'x', version: '1' } },
    )
    expect(silent.storage('plugin')?.reason).toBe('permission_denied')
  })

  test('others get the documented list, but nothing that needs a yes of its own', () => {
    const grant = installationGrant({}, components('EventListener', 'Runner'))
    for (const api of ['get_bots', 'list_tools', 'invoke_llm', 'platform:get_user_info'])
      expect(grant.api(api), api).toBeNull()
    for (const api of ['send_message', 'platform:kick_member', 'platform:leave_group', 'acquire_box', 'no_such_api']) {
      expect(grant.api(api)?.reason, api).toBe('permission_denied')
    }
    expect([grant.storage('plugin'), grant.storage('workspace')?.reason]).toEqual([null, 'permission_denied'])
    expect(grant.tool('get_weather')?.reason).toBe('permission_denied')
  })

  test('what the operator approved is the list, no more and no less', () => {
    const grant = installationGrant(
      { apis: ['send_message', 'no_such_api'], tools: ['get_weather'], storage: { plugin: false, workspace: true } },
      components('EventListener'),
    )
    expect([
      grant.api('send_message'),
      grant.api('get_config_file'),
      grant.tool('get_weather'),
      grant.storage('workspace'),
    ]).toEqual([null, null, null, null])
    expect(
      [grant.api('get_bots'), grant.api('no_such_api'), grant.tool('other'), grant.storage('plugin')].every(
        (denial) => denial?.reason === 'permission_denied',
      ),
    ).toBe(true)
  })

  test.each([
    [['agent_run:admin'], ['agent_run:admin']],
    [['agent_run:*'], ['agent_run:admin']],
    [['runner:admin'], ['agent_run:admin', 'runtime:admin']],
    [['*'], ['agent_run:admin', 'runtime:admin']],
    [[], []],
  ])('administration %j covers %j', (admin, covered) => {
    const grant = installationGrant({ admin }, components('Runner'))
    for (const permission of ['agent_run:admin', 'runtime:admin']) {
      expect(grant.admin(permission) === null, permission).toBe((covered as string[]).includes(permission))
    }
  })
})
