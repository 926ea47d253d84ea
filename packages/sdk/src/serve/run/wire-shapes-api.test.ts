/** Methods of `ctx.api` and `ctx.host`: actions and parameters as documented, what comes back, what is never sent (wire.md §5.3). */
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../index.ts'
import { type Case, expectCase, inRun } from './in-run.ts'

const message = { role: 'assistant', content: 'hi' }
const entry = { id: 'x', content: [], metadata: {}, distance: 0.1, score: null }
const ask = [{ role: 'user', content: 'hi' }]
const request = { llm_model_uuid: 'llm-1', messages: ask, funcs: [], extra_args: {} }

const cases: Case[] = [
  {
    does: 'invokeLlm()',
    call: (ctx) => ctx.api.invokeLlm('llm-1', ask),
    action: 'invoke_llm',
    data: { ...request, timeout: 120 },
    answer: { message },
    gives: message,
  },
  {
    does: 'invokeLlmWithUsage(options)',
    call: (ctx) =>
      ctx.host.invokeLlmWithUsage('llm-1', ask, { timeout: 5, extra_args: { seed: 1 }, remove_think: true }),
    action: 'invoke_llm',
    data: { ...request, extra_args: { seed: 1 }, timeout: 5, remove_think: true },
    answer: { message },
    gives: { message, usage: null },
  },
  {
    does: 'countTokens()',
    call: (ctx) => ctx.api.countTokens('llm-1', ask),
    action: 'count_tokens',
    data: { ...request, timeout: 30 },
    answer: { tokens: 2 },
    gives: 2,
  },
  {
    does: 'invokeEmbedding()',
    call: (ctx) => ctx.api.invokeEmbedding('llm-1', ['a']),
    action: 'invoke_embedding',
    data: { embedding_model_uuid: 'llm-1', texts: ['a'] },
    answer: { vectors: [[1, 2]] },
    gives: [[1, 2]],
  },
  {
    does: 'invokeRerank()',
    call: (ctx) => ctx.api.invokeRerank('llm-1', 'q', ['a'], { top_k: 1 }),
    action: 'invoke_rerank',
    data: { rerank_model_uuid: 'llm-1', query: 'q', documents: ['a'], top_k: 1, extra_args: {} },
    answer: { results: [{ index: 0, relevance_score: 0.5 }] },
    gives: [{ index: 0, relevance_score: 0.5 }],
  },
  {
    does: 'retrieveKnowledge()',
    call: (ctx) => ctx.host.retrieveKnowledge('kb-1', 'q'),
    action: 'retrieve_knowledge_base',
    data: { kb_id: 'kb-1', query_text: 'q', top_k: 5, filters: {} },
    answer: { results: [entry] },
    gives: [entry],
  },
  {
    does: '[storage.plugin.set-get] [storage.bytes] setPluginStorage()',
    call: (ctx) => ctx.api.setPluginStorage('k', new Uint8Array([0, 255])),
    action: 'set_plugin_storage',
    data: { key: 'k', value_base64: 'AP8=' },
    answer: {},
    gives: undefined,
  },
  {
    does: '[storage.plugin.set-get] [storage.bytes] getPluginStorage()',
    call: (ctx) => ctx.host.getPluginStorage('k'),
    action: 'get_plugin_storage',
    data: { key: 'k' },
    answer: { value_base64: 'AP8=' },
    gives: new Uint8Array([0, 255]),
  },
  {
    does: '[storage.plugin.keys] getPluginStorageKeys()',
    call: (ctx) => ctx.api.getPluginStorageKeys(),
    action: 'get_plugin_storage_keys',
    data: {},
    answer: { keys: ['k'] },
    gives: ['k'],
  },
  {
    does: '[storage.plugin.delete] deletePluginStorage()',
    call: (ctx) => ctx.api.deletePluginStorage('k'),
    action: 'delete_plugin_storage',
    data: { key: 'k' },
    answer: {},
    gives: undefined,
  },
  {
    does: '[storage.workspace.set-get] setWorkspaceStorage()',
    call: (ctx) => ctx.host.setWorkspaceStorage('k', new Uint8Array()),
    action: 'set_workspace_storage',
    data: { key: 'k', value_base64: '' },
    answer: {},
    gives: undefined,
  },
  {
    does: '[storage.workspace.set-get] getWorkspaceStorage()',
    call: (ctx) => ctx.api.getWorkspaceStorage('k'),
    action: 'get_workspace_storage',
    data: { key: 'k' },
    answer: { value_base64: '' },
    gives: new Uint8Array(),
  },
  {
    does: '[storage.workspace.keys] getWorkspaceStorageKeys()',
    call: (ctx) => ctx.api.getWorkspaceStorageKeys(),
    action: 'get_workspace_storage_keys',
    data: {},
    answer: { keys: [] },
    gives: [],
  },
  {
    does: '[storage.workspace.delete] deleteWorkspaceStorage()',
    call: (ctx) => ctx.host.deleteWorkspaceStorage('k'),
    action: 'delete_workspace_storage',
    data: { key: 'k' },
    answer: {},
    gives: undefined,
  },
  {
    does: 'sendMessage()',
    call: (ctx) => ctx.host.sendMessage('b', 'group', 'g', 'hi'),
    action: 'call_platform_api',
    data: {
      bot_uuid: 'b',
      action: 'send_message',
      params: { target_type: 'group', target_id: 'g', message: [{ type: 'Plain', text: 'hi' }] },
    },
    answer: { result: null },
    gives: null,
  },
  {
    does: 'callPlatformApi()',
    call: (ctx) => ctx.api.callPlatformApi('b', 'get_group_list'),
    action: 'call_platform_api',
    data: { bot_uuid: 'b', action: 'get_group_list', params: {} },
    answer: { result: { items: [] } },
    gives: { items: [] },
  },
  {
    does: 'getBoxStatus()',
    call: (ctx) => ctx.host.getBoxStatus(),
    action: 'get_box_status',
    data: {},
    answer: { available: true, enabled: true },
    gives: { available: true, enabled: true },
  },
  {
    does: 'listBoxes()',
    call: (ctx) => ctx.api.listBoxes(),
    action: 'list_boxes',
    data: {},
    answer: { items: [{ id: 'b', status: 'idle' }] },
    gives: [{ id: 'b', status: 'idle' }],
  },
  {
    does: 'acquireBox()',
    call: (ctx) => ctx.host.acquireBox('k', { image: 'i' }),
    action: 'acquire_box',
    data: { reuse_key: 'k', options: { image: 'i' } },
    answer: { id: 'b', status: 'idle' },
    gives: { id: 'b', status: 'idle' },
  },
]

test.each(cases)('$does', expectCase)

describe('calls without run_id', () => {
  test('getLangbotVersion and getConfigFile', async () => {
    const answers = {
      get_langbot_version: () => ({ version: 'v1.2.3', api_features: [] }),
      get_config_file: () => ({ file_base64: 'AQ==' }),
    }
    const { value: given, asked } = await inRun(
      async (ctx) => [await ctx.api.getLangbotVersion(), await ctx.host.getConfigFile('f-1')],
      answers,
    )
    expect(given).toEqual(['v1.2.3', new Uint8Array([1])])
    expect(asked).toEqual([
      { action: 'get_langbot_version', data: {} },
      { action: 'get_config_file', data: { file_key: 'f-1' } },
    ])
  })

  test('reasoning_level is sent only to a host that knows it, asked once', async () => {
    const version = { version: 'v1.0.0', api_features: ['llm.reasoning_level'] }
    const answers = { get_langbot_version: () => version, invoke_llm: () => ({ message }) }
    const { asked } = await inRun(async (ctx) => {
      await ctx.api.invokeLlm('llm-1', ask, { reasoning_level: 'high' })
      await ctx.api.invokeLlm('llm-1', ask, { reasoning_level: 'low' })
    }, answers)
    expect(asked.map(({ action, data }) => [action, data.reasoning_level])).toEqual([
      ['get_langbot_version', undefined],
      ['invoke_llm', 'high'],
      ['invoke_llm', 'low'],
    ])
    version.api_features = []
    const refused = inRun((ctx) => ctx.api.invokeLlm('llm-1', ask, { reasoning_level: 'high' }), answers)
    // Nothing but the question was asked: the model call itself was not sent.
    await expect(refused).rejects.toThrow(/does not know reasoning_level.* after get_langbot_version$/)
  })
})

describe('answered from the grant, nothing is sent', () => {
  test('[runner.tools.list] [runner.tools.list-items] getAvailableTools: what may be called, as copies', async () => {
    const { value, asked } = await inRun(async (ctx) => {
      const tools = await ctx.getAvailableTools()
      tools.length = 0
      return [await ctx.getAvailableTools(), await ctx.getAvailableTools()]
    }, {})
    const [first, again] = value
    expect(first).toEqual([
      {
        name: 'event_reply',
        description: 'Reply',
        parameters: { type: 'object' },
        type: 'platform',
        operations: ['detail', 'call'],
      },
      { name: 'look', description: null, parameters: null, type: 'plugin', operations: ['call'] },
    ])
    expect(again).toEqual(first)
    expect(asked).toEqual([])
  })

  test('[run-api.get-allowed-tools] [run-api.ctx] getAllowed*, api.ctx, listings', async () => {
    const { value: given, asked } = await inRun(
      async (ctx) => ({
        models: ctx.api.getAllowedModels().map(({ model_id }) => model_id),
        tools: ctx.api.getAllowedTools().map(({ tool_name }) => tool_name),
        bases: ctx.api.getAllowedKnowledgeBases().map(({ kb_id }) => kb_id),
        same: ctx.api.ctx === ctx,
        listed: [
          await ctx.host.getLlmModels(),
          (await ctx.host.listTools()).map(({ name }) => name),
          await ctx.host.listKnowledgeBases(),
        ],
      }),
      {},
    )
    expect(given).toEqual({
      models: ['llm-1'],
      tools: ['event_reply', 'look', 'read'],
      bases: ['kb-1'],
      same: true,
      listed: [['llm-1'], ['event_reply', 'look', 'read'], [{ uuid: 'kb-1', name: 'K', description: null }]],
    })
    expect(asked).toEqual([])
  })

  test('[runner.context.config.plugin-level] getPluginConfig gives the plugin settings, frozen', async () => {
    const { value: settings } = await inRun((ctx) => ctx.host.getPluginConfig(), {})
    expect(settings).toEqual({ key: 'k', list: [1] })
    expect(Object.isFrozen(settings.list)).toBe(true)
  })
})

describe('model streams', () => {
  const frames = [
    { chunk: { role: 'assistant', content: 'h' } },
    { usage: null },
    { chunk: { role: 'assistant', content: 'i' }, usage: { total_tokens: 2 } },
  ]
  async function* stream() {
    yield* frames as JsonObject[]
  }

  test('events hold pieces and usage; frames that only keep awake are left out', async () => {
    const { value: events, asked } = await inRun(
      async (ctx) => Array.fromAsync(ctx.api.invokeLlmStreamEvents('llm-1', ask)),
      {
        invoke_llm_stream: stream,
      },
    )
    expect(events).toEqual([
      { chunk: frames[0]?.chunk, usage: null },
      { chunk: frames[2]?.chunk, usage: { total_tokens: 2 } },
    ])
    expect(asked).toEqual([{ action: 'invoke_llm_stream', data: { run_id: 'run-1', ...request } }])
  })

  test('leaving the loop early stops the model call', async () => {
    const stopped = Promise.withResolvers<void>()
    async function* endless(_data: JsonObject, signal: AbortSignal): AsyncGenerator<JsonObject> {
      signal.addEventListener('abort', () => stopped.resolve())
      for (;;) {
        yield { chunk: { role: 'assistant', content: 'x' } }
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    }
    const { value: got } = await inRun(
      async (ctx) => {
        for await (const chunk of ctx.host.invokeLlmStream('llm-1', ask)) return chunk.content
      },
      { invoke_llm_stream: endless },
    )
    expect(got).toBe('x')
    await stopped.promise
  })
})
