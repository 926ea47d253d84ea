import { AdapterError, type AdapterInstance } from '@runbound/platform-kit'
import { type Json, type JsonObject, platformTool, WireError } from '@runbound/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryResult, ReplyRequest, StreamRequest } from '../delivery/types.ts'
import { caller, FACTS, handClock, installationGrant, invocation, memoryLogger, request } from '../gateway/fixtures.ts'
import { createGateway } from '../gateway/gateway.ts'
import { computeGrant } from '../gateway/grants/compute.ts'
import { installationGrant as grantOf } from '../gateway/grants/installation-grant.ts'
import type { Caller, Gateway, RunFacts } from '../gateway/types.ts'
import type { Bot } from '../platforms/types.ts'
import type { Installation } from '../plugins/types.ts'
import { CAPABILITIES, descriptor } from '../runs/fixtures.ts'
import type { OperatorGrants } from '../runs/types.ts'
import { createTools } from './tools.ts'
import type { ToolInfo, ToolSource, Tools } from './types.ts'

const BOT: Bot = {
  bot_uuid: 'b-1',
  workspace_uuid: 'w-1',
  name: 'Bot',
  platform: 'demo',
  settings: { token: 'SECRET' },
  admins: [],
  enabled: true,
}
const INSTALLATION = {
  installation_uuid: 'mine',
  workspace_uuid: 'w-1',
  plugin_id: 'acme/mine',
  manifest: {
    manifest: { kind: 'Plugin', metadata: { name: 'mine' } },
    components: [
      { kind: 'Runner', metadata: { name: 'r' } },
      { kind: 'Command', metadata: { name: 'help' } },
    ],
    sdk: { name: 'x', version: '1' },
  },
  settings: { avatar: { file_key: 'own-file', mimetype: 'image/png' }, nested: [{ file_key: 'deep' }] },
} as unknown as Installation

const WEATHER: ToolInfo = {
  name: 'get_weather',
  type: 'plugin',
  description: 'Weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', minLength: 1, pattern: '^[a-z]+$' }, days: { type: 'integer', minimum: 1 } },
    required: ['city'],
    additionalProperties: false,
  },
  effect: 'none',
  source: 'table',
}

let tools: Tools
let gateway: Gateway
let replies: ReplyRequest[]
let streams: StreamRequest[]
let apiCalls: { bot: string; action: string; params: JsonObject }[]
let apiAnswer: () => Json
let delivered: Partial<DeliveryResult>
let toolCalls: { name: string; parameters: JsonObject }[]
let toolAnswer: () => Json

const table = (list: readonly ToolInfo[], source = 'table'): ToolSource => ({
  source,
  list: () => list,
  call: async ({ name, parameters }) => {
    toolCalls.push({ name, parameters })
    return toolAnswer()
  },
})

beforeEach(() => {
  replies = []
  streams = []
  apiCalls = []
  toolCalls = []
  delivered = {}
  apiAnswer = () => ({ id: 'u-1', nickname: 'Ann' })
  toolAnswer = () => ({ sky: 'blue' })
  tools = createTools({
    logger: memoryLogger(),
    version: 'v0.1.0',
    needs: {
      delivery: {
        reply: async (reply) => {
          await reply.commit?.([])
          replies.push(reply)
          return {
            status: reply.scope.debug ? 'simulated' : 'sent',
            delivery_id: 'd-1',
            message_id: 'sent-1',
            parts: 1,
            ...delivered,
          }
        },
        stream: async (stream) => {
          streams.push(stream)
          return { stream_id: stream.stream_id, status: 'open', delivery: 'streaming', mock: stream.scope.debug }
        },
      },
      platforms: {
        bots: async () => [BOT, { ...BOT, bot_uuid: 'b-9', workspace_uuid: 'w-9' }],
        bot: async (id) =>
          id === 'b-1' ? BOT : id === 'b-9' ? { ...BOT, bot_uuid: 'b-9', workspace_uuid: 'w-9' } : undefined,
        adapter: () => ({ selfId: 'bot-account' }) as AdapterInstance,
        capabilities: () => CAPABILITIES,
        api: async (bot, action, params) => {
          apiCalls.push({ bot, action, params })
          return apiAnswer()
        },
      },
      installations: () => [INSTALLATION],
      conversationKey: ({ bot_uuid, target }) => `${bot_uuid}/${target.target_type}_${target.target_id}`,
      configFile: async (_uuid, key) => (key === 'own-file' ? new Uint8Array([1, 2, 3]) : undefined),
    },
  })
  gateway = createGateway({
    store: { commit: async () => [] },
    clock: handClock(),
    logger: memoryLogger(),
    checkAnswers: true,
  })
  gateway.register(tools.handlers)
})

/** A run with a grant that is really computed. */
function run(operator: OperatorGrants = {}, facts: Partial<RunFacts> = {}, list: readonly ToolInfo[] = []) {
  const all = { ...FACTS, ...facts }
  const { manifest } = descriptor()
  const computed = computeGrant({
    manifest,
    operator,
    config: {},
    facts: all,
    platform: CAPABILITIES,
    tools: list,
    models: [],
  })
  const living = invocation('run-1', 'mine', { grant: computed.grant, facts: all })
  gateway.open(living)
  return { living, computed }
}

async function call(action: string, data: JsonObject, by: Caller = caller('mine')): Promise<JsonObject> {
  const answer = await gateway.handle(by, request(action, data))
  if (Symbol.asyncIterator in answer) throw new Error('a stream was not expected')
  return answer
}
const tool = (tool_name: string, parameters: JsonObject = {}) =>
  call('call_tool', { run_id: 'run-1', tool_name, parameters })
const platform = (data: JsonObject) => call('call_platform_api', { run_id: 'run-1', ...data })

async function reasonOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    if (WireError.is(error)) return error.reason
    throw error
  }
  return 'no error'
}

describe('replies', () => {
  test('[runner.reply] [runner.reply.equals-event-reply] a text goes to the event’s target, by either call', async () => {
    const { living } = run()
    const byTool = await tool('event_reply', { text: 'hi' })
    const byChain = await platform({
      action: 'send_message',
      context_tool: 'event_reply',
      params: { message: [{ type: 'Plain', text: 'hi' }], quote_origin: false },
    })
    expect(byTool).toEqual({ result: { status: 'sent', delivery_id: 'd-1', message_id: 'sent-1', parts: 1 } })
    expect(byChain).toEqual(byTool)
    expect(replies.map(({ scope, chain, quote_origin }) => ({ target: scope.target, chain, quote_origin }))).toEqual(
      Array(2).fill({
        target: { target_type: 'group', target_id: 'g-1' },
        chain: [{ type: 'Plain', text: 'hi' }],
        quote_origin: false,
      }),
    )
    expect(replies[0]?.scope).toMatchObject({
      run_id: 'run-1',
      event_id: 'e-1',
      processor_id: 'p-1',
      conversation_key: FACTS.conversation_key,
      debug: false,
    })
    expect(replies[0]?.waitMs).toBe(179_000)
    expect(living.marks.count).toBe(2)
  })

  test('[runner.reply.quote-origin] quotes only where the event has a message', async () => {
    run()
    const message = [{ type: 'Plain', text: 'hi' }]
    await platform({ action: 'send_message', context_tool: 'event_reply', params: { message, quote_origin: true } })
    expect(replies[0]?.quote_origin).toBe(true)
    await gateway.close('run-1', 'ended')
    gateway.open({ ...run2({ message_id: null, event_type: 'group.member_joined' }), run_id: 'run-2' })
    const quoted = call('call_platform_api', {
      run_id: 'run-2',
      action: 'send_message',
      context_tool: 'event_reply',
      params: { message, quote_origin: true },
    })
    expect(await reasonOf(quoted)).toBe('invalid_params')
    expect(replies).toHaveLength(1)
  })
  function run2(facts: Partial<RunFacts>) {
    const all = { ...FACTS, ...facts }
    const { manifest } = descriptor()
    const { grant } = computeGrant({
      manifest,
      operator: {},
      config: {},
      facts: all,
      platform: CAPABILITIES,
      tools: [],
      models: [],
    })
    return invocation('run-2', 'mine', { grant, facts: all })
  }

  test('[runner.reply.needs-target] without a target nothing is sent, whichever way', async () => {
    run({}, { reply_target: null })
    expect(await reasonOf(tool('event_reply', { text: 'hi' }))).toBe('no_reply_target')
    expect(
      await reasonOf(
        platform({
          action: 'send_message',
          context_tool: 'event_reply',
          params: { message: [{ type: 'Plain', text: 'x' }] },
        }),
      ),
    ).toBe('no_reply_target')
    expect(
      await reasonOf(call('reply_stream', { run_id: 'run-1', stream_id: 's', operation: 'update', text: 'x' })),
    ).toBe('no_reply_target')
    expect([replies, streams]).toEqual([[], []])
  })

  test('[errors.timed-out-send] what the platform refused or may have taken is an error, and was sent once', async () => {
    run()
    delivered = { status: 'failed', reason: 'refused', error: 'blocked' }
    expect(await reasonOf(tool('event_reply', { text: 'hi' }))).toBe('delivery_failed')
    delivered = { status: 'unknown', reason: 'unknown_outcome' }
    expect(await reasonOf(tool('event_reply', { text: 'hi' }))).toBe('delivery_unknown')
    expect(replies).toHaveLength(2)
    delivered = { status: 'queued', message_id: null }
    expect(await tool('event_reply', { text: 'hi' })).toMatchObject({ result: { status: 'queued' } })
  })

  test('a chain that does not fit names the component; files need a box', async () => {
    run()
    const bad = platform({
      action: 'send_message',
      context_tool: 'event_reply',
      params: { message: [{ type: 'Plain' }] },
    })
    await expect(bad).rejects.toMatchObject({ details: { reason: 'invalid_params', field: 'params.message.0.text' } })
    const files = platform({
      action: 'send_message',
      context_tool: 'event_reply',
      params: { message: [] },
      file_ids: ['f'],
    })
    expect(await reasonOf(files)).toBe('not_available')
    expect(replies).toEqual([])
  })

  test('streams go to the event’s target with the whole text', async () => {
    run()
    expect(await call('reply_stream', { run_id: 'run-1', stream_id: 's-1', operation: 'update', text: 'Hel' })).toEqual(
      {
        result: { stream_id: 's-1', status: 'open', delivery: 'streaming', mock: false },
      },
    )
    expect(streams).toMatchObject([
      { stream_id: 's-1', operation: 'update', text: 'Hel', scope: { target: { target_id: 'g-1' } } },
    ])
    expect(
      await reasonOf(
        call('reply_stream', { run_id: 'run-1', stream_id: 's', operation: 'update', text: 'x'.repeat(200_001) }),
      ),
    ).toBe('invalid_params')
  })

  test('[runner.reply.needs-event-reply] [runner.reply-stream.requires] without event_reply nothing is sent', async () => {
    run({ event_tools: [] })
    const message = [{ type: 'Plain', text: 'x' }]
    expect(await reasonOf(tool('event_reply', { text: 'hi' }))).toBe('permission_denied')
    expect(await reasonOf(platform({ action: 'send_message', context_tool: 'event_reply', params: { message } }))).toBe(
      'permission_denied',
    )
    expect(
      await reasonOf(platform({ action: 'send_message', params: { message, target_type: 'group', target_id: 'g-1' } })),
    ).toBe('permission_denied')
    expect(
      await reasonOf(call('reply_stream', { run_id: 'run-1', stream_id: 's', operation: 'update', text: 'x' })),
    ).toBe('permission_denied')
    expect([replies, streams]).toEqual([[], []])
  })
})

describe('platform tools', () => {
  test('[run-api.event-tools-fixed-target] an event tool acts on the event’s own target, whatever the caller says', async () => {
    const { living } = run({ event_tools: ['event_get_actor', 'event_mute_member'] })
    expect(await tool('event_get_actor')).toEqual({ result: { id: 'u-1', nickname: 'Ann' } })
    expect(apiCalls).toEqual([{ bot: 'b-1', action: 'get_user_info', params: { user_id: 'u-1' } }])
    expect(living.marks.count).toBe(0)
    await tool('event_mute_member', { duration: 60 })
    expect(apiCalls[1]).toEqual({
      bot: 'b-1',
      action: 'mute_member',
      params: { duration: 60, group_id: 'g-1', user_id: 'u-1' },
    })
    expect(living.marks.count).toBe(1)
    expect(await reasonOf(tool('event_get_actor', { user_id: 'u-2' }))).toBe('invalid_params')
    expect(await reasonOf(tool('event_mute_member', { duration: 1, user_id: 'u-2' }))).toBe('invalid_params')
    expect(apiCalls).toHaveLength(2)
  })

  test('[runner.grant.self-plugin.platform] the raw call reaches the event’s target and no other', async () => {
    run({ event_tools: ['event_mute_member'] })
    const mute = (params: JsonObject, more: JsonObject = {}) =>
      platform({ bot_uuid: 'b-1', action: 'mute_member', params, ...more })
    expect(await mute({ group_id: 'g-1', user_id: 'u-1', duration: 5 })).toMatchObject({ result: {} })
    expect(await reasonOf(mute({ group_id: 'g-1', user_id: 'u-2' }))).toBe('target_denied')
    expect(await reasonOf(mute({ user_id: 'u-1' }))).toBe('target_denied')
    expect(await reasonOf(mute({ group_id: 'g-1', user_id: 'u-1' }, { bot_uuid: 'b-9' }))).toBe('target_denied')
    expect(await reasonOf(mute({ group_id: 'g-1', user_id: 'u-1', force: true }))).toBe('invalid_params')
    expect(
      await reasonOf(platform({ bot_uuid: 'b-1', action: 'kick_member', params: { group_id: 'g-1', user_id: 'u-1' } })),
    ).toBe('permission_denied')
    expect(apiCalls).toHaveLength(1)
  })

  test('[run-api.platform-tools-free-target] [runner.tools.kind-platform-apis] a platform tool takes the caller’s target, by name and raw', async () => {
    run({ platform_tools: ['platform_get_group_info', 'platform_send_message'] })
    await tool('platform_get_group_info', { group_id: 'g-7' })
    await platform({ bot_uuid: 'b-1', action: 'get_group_info', params: { group_id: 'g-8' } })
    expect(apiCalls.map(({ params }) => params)).toEqual([{ group_id: 'g-7' }, { group_id: 'g-8' }])
    await tool('platform_send_message', { target_type: 'person', target_id: 'u-7', text: 'hi' })
    await platform({
      bot_uuid: 'b-1',
      action: 'send_message',
      params: { target_type: 'group', target_id: 9, message: [{ type: 'Plain', text: 'yo' }] },
    })
    expect(replies.map(({ scope }) => [scope.target, scope.conversation_key, scope.conversation_id])).toEqual([
      [{ target_type: 'person', target_id: 'u-7', thread_id: null }, 'b-1/person_u-7', 'person_u-7'],
      [{ target_type: 'group', target_id: '9', thread_id: null }, 'b-1/group_9', 'group_9'],
    ])
  })

  test('[runner.tools.call] answers of any kind become an object or null', async () => {
    run({ event_tools: ['event_get_actor'] })
    for (const [answer, result] of [
      [null, null],
      [{ a: 1 }, { a: 1 }],
      [[1, 2], { items: [1, 2] }],
      ['text', { value: 'text' }],
      [7n, { value: 7n }],
      [false, { value: false }],
    ] as const) {
      apiAnswer = () => answer
      expect(await tool('event_get_actor')).toEqual({ result })
    }
  })

  test('a platform’s no has its reason', async () => {
    run({ event_tools: ['event_get_actor'] })
    apiAnswer = () => {
      throw new AdapterError('refused', 'no rights')
    }
    expect(await reasonOf(tool('event_get_actor'))).toBe('platform_failed')
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
    run(
      { event_tools: names, platform_tools: ['platform_get_group_list', 'platform_send_message'] },
      { simulate: {}, bot_uuid: null },
    )
    for (const name of names) {
      const args = name === 'event_reply' ? { text: 'hi' } : {}
      const { result } = await tool(name, args)
      expect(result).toMatchObject({
        ok: true,
        mock: true,
        delivery: 'simulated',
        tool: name,
        api: platformTool(name)?.api,
      })
    }
    expect(await tool('platform_get_group_list')).toMatchObject({ result: { result: [{ name: 'Sample group' }] } })
    await tool('platform_send_message', { target_type: 'person', target_id: 'u-7', text: 'hi' })
    await call('reply_stream', { run_id: 'run-1', stream_id: 's', operation: 'finish', text: 'x' })
    expect(apiCalls).toEqual([])
    expect(replies.map(({ scope }) => [scope.debug, scope.conversation_key])).toEqual([
      [true, FACTS.conversation_key],
      [true, null],
    ])
    expect(streams.map(({ scope }) => scope.debug)).toEqual([true])
  })

  test('samples and errors of the debugger take the place of the built-in ones', async () => {
    run(
      { event_tools: ['event_get_actor', 'event_get_group'] },
      { simulate: { results: { event_get_actor: { id: 'x' } }, errors: { event_get_group: 'gone' } } },
    )
    expect(await tool('event_get_actor')).toMatchObject({ result: { result: { id: 'x' } } })
    await expect(tool('event_get_group')).rejects.toMatchObject({
      message: 'gone',
      details: { reason: 'platform_failed' },
    })
  })
})

describe('tools of other sources', () => {
  beforeEach(() => {
    tools.register(table([WEATHER]))
  })

  test('[run-api.get-tool-detail] [runner.tools.call] a granted tool is described and called', async () => {
    const { living } = run({ tools: ['get_weather'] }, {}, tools.list('w-1'))
    expect(await call('get_tool_detail', { run_id: 'run-1', tool_name: 'get_weather' })).toEqual({
      tool: {
        name: 'get_weather',
        description: 'Weather of a city',
        human_desc: 'Weather of a city',
        parameters: WEATHER.parameters,
      },
    })
    expect(await tool('get_weather', { city: 'bern', days: 2 })).toEqual({ result: { sky: 'blue' } })
    expect(toolCalls).toEqual([{ name: 'get_weather', parameters: { city: 'bern', days: 2 } }])
    expect(living.marks.count).toBe(0)
  })

  test.each<[JsonObject, string]>([
    [{}, 'parameters.city'],
    [{ city: '' }, 'parameters.city'],
    [{ city: 'Bern' }, 'parameters.city'],
    [{ city: 7 }, 'parameters.city'],
    [{ city: 'bern', days: 0 }, 'parameters.days'],
    [{ city: 'bern', days: 1.5 }, 'parameters.days'],
    [{ city: 'bern', extra: 1 }, 'parameters.extra'],
  ])(
    '[run-api.call-tool.parameters-checked] %j is refused at %s before anything is done',
    async (parameters, field) => {
      run({ tools: true }, {}, tools.list('w-1'))
      await expect(tool('get_weather', parameters)).rejects.toMatchObject({
        details: { reason: 'invalid_params', field },
      })
      expect(toolCalls).toEqual([])
    },
  )

  test('[runner.tools.not-listed-refused] a tool that is there and not granted is not called', async () => {
    run({ tools: [] }, {}, tools.list('w-1'))
    expect(await reasonOf(tool('get_weather', { city: 'bern' }))).toBe('permission_denied')
    expect(await reasonOf(call('get_tool_detail', { run_id: 'run-1', tool_name: 'get_weather' }))).toBe(
      'permission_denied',
    )
    expect(await reasonOf(tool('no_such_tool'))).toBe('permission_denied')
    expect(toolCalls).toEqual([])
  })

  test('a tool with an effect is noted before it is called; its failure is its own', async () => {
    const order: string[] = []
    tools.register({
      source: 'other',
      list: () => [
        {
          ...WEATHER,
          name: 'book',
          source: 'other',
          effect: 'outside',
          parameters: { type: 'object', properties: {} },
        },
      ],
      call: async () => {
        order.push(`marks ${living.marks.count}`)
        throw new RangeError('sold out')
      },
    })
    const { living } = run({ tools: true }, {}, tools.list('w-1'))
    await expect(tool('book', { _call: 'note of a model' })).rejects.toMatchObject({
      message: 'The tool book failed: sold out',
      details: { reason: 'tool_failed' },
    })
    expect(order).toEqual(['marks 1'])
  })

  test('what was granted is never another tool of the same name', async () => {
    const takeAway = tools.register(table([{ ...WEATHER, name: 'moved', source: 'second' }], 'second'))
    run({ tools: ['moved'] }, {}, tools.list('w-1'))
    takeAway()
    expect(await reasonOf(tool('moved', { city: 'bern' }))).toBe('not_available')
    tools.register(table([{ ...WEATHER, name: 'moved', source: 'third' }], 'third'))
    expect(await reasonOf(tool('moved', { city: 'bern' }))).toBe('not_available')
    expect(toolCalls).toEqual([])
  })

  test('a doubled name is refused: the older source keeps it, and the platform’s names are taken', async () => {
    tools.register(
      table(
        [
          { ...WEATHER, description: 'Another', source: 'second' },
          { ...WEATHER, name: 'event_reply', source: 'second' },
        ],
        'second',
      ),
    )
    expect(tools.list('w-1').map(({ name, source }) => [name, source])).toEqual([['get_weather', 'table']])
    expect(() => tools.register(table([], 'second'))).toThrow(/already/)
  })

  test('a hostile pattern does not hold the host up', async () => {
    const parameters = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } }
    tools.register(table([{ ...WEATHER, name: 'slow', parameters, source: 'slow' }], 'slow'))
    run({ tools: true }, {}, tools.list('w-1'))
    const at = performance.now()
    expect(await reasonOf(tool('slow', { text: `${'a'.repeat(60)}!` }))).toBe('invalid_params')
    expect(performance.now() - at).toBeLessThan(1_000)
  })
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
    expect(await call('send_message', { ...target, message_chain }, sender)).toMatchObject({
      result: { status: 'sent' },
    })
    expect(
      await call(
        'call_platform_api',
        { bot_uuid: 'b-1', action: 'send_message', params: { ...target, message: message_chain } },
        sender,
      ),
    ).toMatchObject({ result: { status: 'sent' } })
    expect(
      await call('call_platform_api', { bot_uuid: 'b-1', action: 'get_user_info', params: { user_id: 'u-1' } }, sender),
    ).toEqual({ result: { id: 'u-1', nickname: 'Ann' } })
    expect(replies[0]).toMatchObject({
      waitMs: 14_000,
      scope: { run_id: null, target: { target_id: 'u-7' }, conversation_key: 'b-1/person_u-7' },
    })

    expect(await reasonOf(call('send_message', { ...target, bot_uuid: 'b-9', message_chain }, sender))).toBe(
      'not_found',
    )
    expect(await reasonOf(call('send_message', { ...target, message_chain }, outside([])))).toBe('permission_denied')
    expect(
      await reasonOf(
        call(
          'call_platform_api',
          { bot_uuid: 'b-1', action: 'send_message', params: {} },
          outside(['platform:get_user_info']),
        ),
      ),
    ).toBe('permission_denied')
    expect(
      await reasonOf(call('call_platform_api', { bot_uuid: 'b-1', action: 'kick_member', params: {} }, sender)),
    ).toBe('permission_denied')
    expect(await reasonOf(call('send_message', { ...target, message_chain: [] }, sender))).not.toBe('permission_denied')
    expect(apiCalls).toHaveLength(1)
  })

  test('lists show the workspace and no secret', async () => {
    const all = { ...caller('mine'), grant: installationGrant(null) }
    const { bots } = await call('get_bots', {}, all)
    expect(bots).toMatchObject([{ uuid: 'b-1', name: 'Bot', adapter: 'demo', enable: true }])
    const { bot } = await call('get_bot_info', { bot_uuid: 'b-1' }, all)
    expect(bot).toMatchObject({ uuid: 'b-1', adapter_runtime_values: { bot_account_id: 'bot-account' } })
    expect(JSON.stringify([bots, bot])).not.toContain('SECRET')
    expect(await reasonOf(call('get_bot_info', { bot_uuid: 'b-9' }, all))).toBe('not_found')
    expect(await call('get_langbot_version', {}, all)).toEqual({
      version: 'v0.1.0',
      api_features: ['llm.reasoning_level'],
    })
    expect(await call('list_plugins_manifest', {}, all)).toMatchObject({ plugins: [{ owner: 'acme/mine' }] })
    expect(await call('list_commands', {}, all)).toMatchObject({
      commands: [{ owner: 'acme/mine', manifest: { metadata: { name: 'help' } } }],
    })
    tools.register(table([WEATHER]))
    expect(await call('list_tools', {}, all)).toMatchObject({
      tools: [{ name: 'get_weather', spec: { parameters: WEATHER.parameters } }],
    })
    expect(await call('get_tool_detail', { tool_name: 'get_weather' }, all)).toMatchObject({
      tool: { name: 'get_weather' },
    })
    expect(await reasonOf(call('get_tool_detail', { tool_name: 'none' }, all))).toBe('not_found')
  })

  test('files are read only when the plugin’s own settings name them', async () => {
    const all = { ...caller('mine'), grant: installationGrant(null) }
    expect(await call('get_config_file', { file_key: 'own-file' }, all)).toEqual({ file_base64: 'AQID' })
    expect(await reasonOf(call('get_config_file', { file_key: 'foreign' }, all))).toBe('not_found')
    expect(await reasonOf(call('get_config_file', { file_key: 'deep' }, all))).toBe('not_found')
    expect(
      await reasonOf(call('get_config_file', { file_key: 'own-file' }, { ...all, installation_uuid: 'another' })),
    ).toBe('not_found')
  })
})
