import {
  AVAILABLE_APIS,
  EVENT_IDS,
  type JsonObject,
  PERMISSIONS,
  PLATFORM_TOOLS,
  STATE_SCOPES,
} from '@runbound/protocol'
import { AgentResourcesSchema, ContextAPICapabilitiesSchema } from '@runbound/protocol/schemas'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ModelInfo } from '../../models/types.ts'
import { ALL_PERMISSIONS, CAPABILITIES, descriptor } from '../../runs/fixtures.ts'
import type { OperatorGrants } from '../../runs/types.ts'
import type { ToolInfo } from '../../tools/types.ts'
import { FACTS } from '../fixtures.ts'
import type { RunFacts } from '../types.ts'
import { computeGrant } from './compute.ts'
import type { GrantInput } from './types.ts'

const WEATHER: ToolInfo = {
  name: 'get_weather',
  type: 'plugin',
  description: 'Weather',
  parameters: { type: 'object' },
  effect: 'none',
  source: 'table',
}
const MODELS: readonly ModelInfo[] = [
  { model_id: 'chat', model_type: 'chat', provider: null },
  { model_id: 'embed', model_type: 'embedding', provider: null },
  { model_id: 'rank', model_type: 'rerank', provider: null },
]
const EVERYTHING: OperatorGrants = {
  event_tools: true,
  platform_tools: Object.keys(PLATFORM_TOOLS).filter((name) => name.startsWith('platform_')),
  tools: true,
  models: true,
  storage: { plugin: true, workspace: true },
  run_admin: true,
}

function input(more: Partial<GrantInput> = {}, facts: Partial<RunFacts> = {}): GrantInput {
  return {
    manifest: descriptor().manifest,
    operator: {},
    config: {},
    facts: { ...FACTS, ...facts },
    platform: CAPABILITIES,
    tools: [WEATHER],
    models: MODELS,
    ...more,
  }
}
const names = (given: GrantInput) => computeGrant(given).resources.tools.map(({ tool_name }) => tool_name)
const permissions = (more: object) => descriptor({ permissions: { ...ALL_PERMISSIONS, ...more } }).manifest

describe('intersection', () => {
  const things: readonly {
    thing: string
    allowed: (given: GrantInput) => boolean
    without: Record<string, GrantInput>
  }[] = [
    {
      thing: 'event_reply',
      allowed: (given) => computeGrant(given).grant.tool('event_reply', 'call') === null,
      without: {
        capability: input({ manifest: descriptor({ capabilities: {} }).manifest }),
        permission: input({ manifest: permissions({ tools: ['detail'] }) }),
        operator: input({ operator: { event_tools: [] } }),
        event: input({}, { event_type: 'bot.muted' }),
        target: input({}, { reply_target: null }),
      },
    },
    {
      thing: 'event_mute_member',
      allowed: (given) => computeGrant(given).grant.tool('event_mute_member', 'call') === null,
      without: {
        permission: input({ operator: { event_tools: true }, manifest: permissions({ tools: [] }) }),
        operator: input(),
        event: input({ operator: { event_tools: true } }, { event_type: 'friend.added' }),
        group: input(
          { operator: { event_tools: true } },
          { subject: null, reply_target: { target_type: 'person', target_id: 'u-1' } },
        ),
        actor: input({ operator: { event_tools: true } }, { actor: null }),
        platform: input({ operator: { event_tools: true }, platform: { ...CAPABILITIES, apis: [] } }),
        bot: input({ operator: { event_tools: true }, platform: undefined }),
      },
    },
    {
      thing: 'history_page',
      allowed: (given) => computeGrant(given).grant.flag('history_page') === null,
      without: {
        permission: input({ manifest: permissions({ history: ['search'] }) }),
        operator: input({ operator: { history: false } }),
        event: input({}, { conversation_key: null }),
      },
    },
    {
      thing: 'workspace storage',
      allowed: (given) =>
        computeGrant({ ...given, operator: { storage: { workspace: true }, ...given.operator } }).grant.storage(
          'workspace',
        ) === null,
      without: {
        permission: input({ manifest: permissions({ storage: ['plugin'] }) }),
        operator: input({ operator: { storage: { workspace: false } } }),
      },
    },
    {
      thing: 'the tool get_weather',
      allowed: (given) => computeGrant(given).grant.tool('get_weather', 'call') === null,
      without: {
        capability: input({ operator: { tools: true }, manifest: descriptor({ capabilities: {} }).manifest }),
        permission: input({ operator: { tools: true }, manifest: permissions({ tools: [] }) }),
        operator: input(),
        source: input({ operator: { tools: true }, tools: [] }),
      },
    },
    {
      thing: 'the model chat',
      allowed: (given) => computeGrant(given).grant.model('chat', 'invoke') === null,
      without: {
        permission: input({ operator: { models: true }, manifest: permissions({ models: ['stream'] }) }),
        operator: input(),
        engine: input({ operator: { models: true }, models: [] }),
      },
    },
    {
      thing: 'actor state',
      allowed: (given) => computeGrant(given).grant.stateScope('actor') === null,
      without: { operator: input({ operator: { state: ['runner'] } }), event: input({}, { actor: null }) },
    },
  ]
  const given: Record<string, GrantInput> = {
    event_mute_member: input({ operator: { event_tools: true } }),
    'the tool get_weather': input({ operator: { tools: ['get_weather'] } }),
    'the model chat': input({ operator: { models: ['chat'] } }),
  }

  test.each(things)('[runner.grant.intersection] $thing needs every part', ({ thing, allowed, without }) => {
    expect(allowed(given[thing] ?? input())).toBe(true)
    for (const [part, less] of Object.entries(without)) expect(allowed(less), `without ${part}`).toBe(false)
  })

  test('[runner.grant.minimum-declaration] tool_calling and tools are enough to reply and to call tools', () => {
    const { manifest } = descriptor({
      capabilities: { tool_calling: true },
      permissions: { tools: ['detail', 'call'] },
    })
    const { grant, available_apis } = computeGrant(input({ manifest, operator: { tools: true } }))
    expect([grant.tool('event_reply', 'call'), grant.tool('get_weather', 'call'), available_apis.reply_stream]).toEqual(
      [null, null, true],
    )
    for (const less of [{ capabilities: {} }, { permissions: {} }]) {
      const lacking = descriptor({
        capabilities: { tool_calling: true },
        permissions: { tools: ['detail', 'call'] },
        ...less,
      }).manifest
      expect(names(input({ manifest: lacking, operator: { tools: true } }))).toEqual([])
    }
  })

  test.each([
    ['history', 'page', 'search'],
    ['events', 'get', 'page'],
  ] as const)(
    '[runner.grant.permission.history] [runner.grant.permission.events] %s: each operation by itself',
    (group, one, other) => {
      const flag = (name: string) => `${group === 'history' ? 'history' : 'event'}_${name}`
      for (const [declared, missing] of [
        [one, other],
        [other, one],
      ] as const) {
        const { grant, available_apis } = computeGrant(input({ manifest: permissions({ [group]: [declared] }) }))
        expect(grant.flag(flag(declared))).toBeNull()
        expect(grant.flag(flag(missing))?.message).toContain(`permissions.${group} with "${missing}"`)
        expect(Reflect.get(available_apis, flag(missing))).toBe(false)
      }
    },
  )

  test('[runner.grant.permission.tools] detail and call each by itself', () => {
    for (const [declared, missing] of [
      ['detail', 'call'],
      ['call', 'detail'],
    ] as const) {
      const { grant, resources } = computeGrant(
        input({ manifest: permissions({ tools: [declared] }), operator: { tools: true } }),
      )
      expect(grant.tool('get_weather', declared)).toBeNull()
      expect(grant.tool('get_weather', missing)).toMatchObject({
        reason: 'permission_denied',
        details: { by: 'manifest' },
      })
      expect(resources.tools.find(({ tool_name }) => tool_name === 'get_weather')?.operations).toEqual([declared])
    }
  })

  test('[runner.grant.permission.storage] plugin and workspace each by itself', () => {
    const operator = { storage: { plugin: true, workspace: true } }
    for (const [declared, missing] of [
      ['plugin', 'workspace'],
      ['workspace', 'plugin'],
    ] as const) {
      const { grant, resources } = computeGrant(input({ manifest: permissions({ storage: [declared] }), operator }))
      expect([grant.storage(declared), grant.storage(missing)?.reason]).toEqual([null, 'permission_denied'])
      expect(resources.storage).toEqual({
        plugin_storage: declared === 'plugin',
        workspace_storage: declared === 'workspace',
      })
    }
  })

  test('[runner.grant.permission.interactions] each missing part refuses; with all of them this version can not show one yet', () => {
    const said = (given: GrantInput) => computeGrant(given).grant.interaction()
    expect(said(input({ manifest: permissions({ interactions: [] }) }))).toMatchObject({
      reason: 'permission_denied',
      details: { by: 'manifest' },
    })
    expect(said(input({ manifest: descriptor({ capabilities: {} }).manifest }))).toMatchObject({
      reason: 'permission_denied',
      details: { by: 'manifest' },
    })
    expect(said(input({ operator: { interactions: false } }))).toMatchObject({
      reason: 'permission_denied',
      details: { by: 'operator' },
    })
    expect(said(input())).toMatchObject({ reason: 'not_available', details: { by: 'host' } })
  })

  test('[runner.grant.flag-not-by-permission-alone] the operator’s no is enough', () => {
    const off: OperatorGrants = {
      history: false,
      events: false,
      prompt: false,
      run_records: false,
      state: [],
      steering: false,
    }
    const { available_apis } = computeGrant(input({ operator: off }))
    const on = computeGrant(input()).available_apis
    const flags = [
      'history_page',
      'history_search',
      'event_get',
      'event_page',
      'prompt_get',
      'run_get',
      'run_list',
      'run_events_page',
      'run_cancel',
      'state',
      'steering_pull',
    ] as const
    for (const flag of flags) expect([flag, on[flag], available_apis[flag]]).toEqual([flag, true, false])
  })
})

describe('what is offered', () => {
  test('the default is one tool: event_reply; what was wanted and is not there says why', () => {
    expect(names(input({ tools: [] }))).toEqual(['event_reply'])
    const operator = {
      event_tools: ['event_kick_member', 'event_respond_friend_request', 'event_delete_message'],
      platform_tools: ['platform_get_group_list', 'no_such_tool'],
    }
    const { resources } = computeGrant(input({ operator }, { reply_target: null, subject: null }))
    expect(resources.platform_capabilities).toEqual({
      authorized_tools: [],
      unavailable_tools: [
        { name: 'event_kick_member', reason: 'event_target_unavailable' },
        { name: 'event_respond_friend_request', reason: 'event_incompatible' },
        { name: 'event_delete_message', reason: 'event_target_unavailable' },
        { name: 'platform_get_group_list', reason: 'adapter_api_unsupported' },
        { name: 'no_such_tool', reason: 'unknown_tool' },
      ],
    })
    const { manifest } = descriptor({ capabilities: {} })
    expect(computeGrant(input({ manifest })).resources.platform_capabilities).toMatchObject({
      unavailable_tools: [{ name: 'event_reply', reason: 'runner_call_permission_missing' }],
    })
  })

  test('[runner.tools.filtered-by-event] a group member’s tool is not offered in a private chat', () => {
    const operator = { event_tools: true } as const
    const person = {
      subject: { subject_type: 'message', subject_id: 'm-1', data: {} },
      reply_target: { target_type: 'person', target_id: 'u-1' },
    } as const
    expect(names(input({ operator }))).toContain('event_mute_member')
    expect(names(input({ operator }, person))).not.toContain('event_mute_member')
    expect(names(input({ operator }, person))).toContain('event_get_actor')
  })

  test('an answer to the event has a way also while the bot is down; other calls have none', () => {
    expect(names(input({ operator: EVERYTHING, platform: undefined, tools: [] }))).toEqual(['event_reply'])
  })

  test('targets are frozen from the event', () => {
    const { grant } = computeGrant(input({ operator: { event_tools: true } }))
    expect(grant.granted('event_mute_member')).toMatchObject({
      api: 'mute_member',
      fixed: { group_id: 'g-1', user_id: 'u-1' },
      effect: 'outside',
    })
    expect(grant.granted('event_reply')?.fixed).toEqual({ target_type: 'group', target_id: 'g-1' })
    const request = computeGrant(
      input(
        { operator: { event_tools: true }, platform: { ...CAPABILITIES, apis: ['approve_friend_request'] } },
        { event_type: 'friend.request_received', request_id: 'r-1' },
      ),
    )
    expect(request.grant.granted('event_respond_friend_request')?.fixed).toEqual({ request_id: 'r-1' })
  })

  test('models chosen in the Runner’s settings are granted, for the operations of their kind', () => {
    const { manifest } = descriptor({
      config_schema: [
        { type: 'llm-model-selector', name: 'model' },
        { type: 'model-fallback-selector', name: 'chain' },
        { type: 'rerank-model-selector', name: 'ranker' },
        { type: 'string', name: 'note' },
      ],
    })
    const granted = (config: JsonObject) =>
      computeGrant(input({ manifest, config })).resources.models.map(({ model_id, operations }) => [
        model_id,
        operations,
      ])
    expect(granted({ model: 'chat' })).toEqual([['chat', ['invoke', 'stream', 'count_tokens']]])
    expect(granted({ chain: { primary: 'none', fallbacks: ['chat'] }, ranker: 'rank' })).toEqual([
      ['chat', ['invoke', 'stream', 'count_tokens']],
      ['rank', ['rerank']],
    ])
    expect(granted({ model: '__none__', note: 'chat' })).toEqual([])
  })
})

describe('for every manifest, operator and event', () => {
  const subset = <T>(values: readonly T[]) => fc.subarray([...values])
  const manifests = fc
    .record({
      tool_calling: fc.boolean(),
      steering: fc.boolean(),
      interactions: fc.boolean(),
      tools: subset(PERMISSIONS.tools),
      models: subset(PERMISSIONS.models),
      history: subset(PERMISSIONS.history),
      events: subset(PERMISSIONS.events),
      storage: subset(PERMISSIONS.storage),
    })
    .map(
      ({ tool_calling, steering, interactions, ...rest }) =>
        descriptor({ capabilities: { tool_calling, steering, interactions }, permissions: rest }).manifest,
    )
  const operators: fc.Arbitrary<OperatorGrants> = fc.record(
    {
      event_tools: fc.oneof(fc.constant(true as const), subset(Object.keys(PLATFORM_TOOLS))),
      platform_tools: subset(Object.keys(PLATFORM_TOOLS)),
      tools: fc.oneof(fc.constant(true as const), subset(['get_weather'])),
      models: fc.oneof(fc.constant(true as const), subset(['chat', 'rank'])),
      storage: fc.record({ plugin: fc.boolean(), workspace: fc.boolean() }),
      state: subset(STATE_SCOPES),
      history: fc.boolean(),
      events: fc.boolean(),
      prompt: fc.boolean(),
      run_records: fc.boolean(),
      run_admin: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  const events: fc.Arbitrary<Partial<RunFacts>> = fc.record(
    {
      event_type: fc.constantFrom(...EVENT_IDS),
      conversation_key: fc.constantFrom(null, 'key'),
      reply_target: fc.constantFrom(null, { target_type: 'person', target_id: 'u-1' } as const),
      actor: fc.constant(null),
      subject: fc.constant(null),
      bot_uuid: fc.constant(null),
      simulate: fc.constantFrom(null, {}),
    },
    { requiredKeys: [] },
  )

  test('[runner.grant.available-apis] [runner.context.resources] [runner.context.resources.tools] the context says exactly what the checks answer', () => {
    fc.assert(
      fc.property(manifests, operators, events, fc.boolean(), (manifest, operator, facts, up) => {
        const { grant, resources, available_apis, lines } = computeGrant(
          input({ manifest, operator, platform: up ? CAPABILITIES : undefined }, facts),
        )
        expect(AgentResourcesSchema.parse(resources)).toEqual(resources)
        expect(ContextAPICapabilitiesSchema.parse(available_apis)).toEqual(available_apis)
        for (const flag of AVAILABLE_APIS) expect(grant.flag(flag) === null, flag).toBe(available_apis[flag])
        for (const name of [...Object.keys(PLATFORM_TOOLS), 'get_weather', 'unknown']) {
          const listed = resources.tools.find(({ tool_name }) => tool_name === name)
          for (const operation of PERMISSIONS.tools) {
            expect(grant.tool(name, operation) === null).toBe(listed?.operations.includes(operation) ?? false)
          }
        }
        for (const { model_id } of MODELS) {
          const listed = resources.models.find((model) => model.model_id === model_id)
          for (const operation of PERMISSIONS.models) {
            expect(grant.model(model_id, operation) === null).toBe(listed?.operations.includes(operation) ?? false)
          }
        }
        expect(grant.storage('plugin') === null).toBe(resources.storage.plugin_storage)
        expect(grant.storage('workspace') === null).toBe(resources.storage.workspace_storage)
        // An empty list means "all operations" to the SDK.
        for (const { operations } of [...resources.tools, ...resources.models]) expect(operations).not.toEqual([])
        // Every refusal says who refused and why; nothing is explained twice.
        expect(new Set(lines.map(({ thing }) => thing)).size).toBe(lines.length)
        for (const line of lines) expect(line.allowed || (line.by !== undefined && line.why !== undefined)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
