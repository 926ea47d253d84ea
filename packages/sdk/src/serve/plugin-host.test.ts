/** The host of `setup`: every method in its form without a run (wire.md §5.3). */
import { formOf, METHODS } from '@runbound/protocol/schemas'
import { expect, test, vi } from 'vitest'
import { type Answer, fakeHost } from '../fake-host.ts'
import { AgentAPIException, definePlugin, type JsonObject, type PluginHost } from '../index.ts'

/** Runs one call in `setup`; gives its value or error and what was asked. */
async function inSetup(call: (host: PluginHost) => unknown, answers: Readonly<Record<string, Answer>>) {
  const done = Promise.withResolvers<unknown>()
  const plugin = definePlugin({
    author: 'acme',
    name: 'test',
    version: '1.0.0',
    components: [],
    setup: async (host) =>
      done.resolve(await Promise.resolve(call(host as PluginHost)).catch((error: unknown) => error)),
  })
  const host = await fakeHost(plugin, { answers })
  const value = await done.promise
  await host.close()
  for (const { action, data } of host.asked) {
    const { forms } = METHODS[action as keyof typeof METHODS]
    const { params } = Reflect.get(forms, formOf(data)) as { params: { parse(value: unknown): unknown } }
    params.parse(data)
  }
  return { value, asked: host.asked }
}

const message = { role: 'assistant', content: 'hi' }
const ask = [{ role: 'user', content: 'hi' }]
const cases: [string, (host: PluginHost) => unknown, string, JsonObject, JsonObject, unknown][] = [
  [
    'getLangbotVersion',
    (host) => host.getLangbotVersion(),
    'get_langbot_version',
    {},
    { version: 'v1', api_features: [] },
    'v1',
  ],
  ['getBots', (host) => host.getBots(), 'get_bots', {}, { bots: [{ uuid: 'b', name: 'B' }] }, ['b']],
  [
    'getBotInfo',
    (host) => host.getBotInfo('b'),
    'get_bot_info',
    { bot_uuid: 'b' },
    { bot: { uuid: 'b' } },
    { uuid: 'b' },
  ],
  [
    'getConfigFile',
    (host) => host.getConfigFile('f'),
    'get_config_file',
    { file_key: 'f' },
    { file_base64: 'AQ==' },
    new Uint8Array([1]),
  ],
  ['getLlmModels', (host) => host.getLlmModels(), 'get_llm_models', {}, { llm_models: ['m'] }, ['m']],
  ['listTools', (host) => host.listTools(), 'list_tools', {}, { tools: [{ name: 't' }] }, [{ name: 't' }]],
  ['listKnowledgeBases', (host) => host.listKnowledgeBases(), 'list_knowledge_bases', {}, { knowledge_bases: [] }, []],
  [
    'listPluginsManifest',
    (host) => host.listPluginsManifest(),
    'list_plugins_manifest',
    {},
    { plugins: [{ owner: 'a/b' }] },
    [{ owner: 'a/b' }],
  ],
  ['listCommands', (host) => host.listCommands(), 'list_commands', {}, { commands: [] }, []],
  [
    'listParsers',
    (host) => host.listParsers('text/plain'),
    'list_parsers',
    { mime_type: 'text/plain' },
    { parsers: [] },
    [],
  ],
  [
    'invokeParser',
    (host) =>
      host.invokeParser({ plugin_author: 'a', plugin_name: 'p', storage_path: 's', mime_type: 'm', filename: 'f' }),
    'invoke_parser',
    { plugin_author: 'a', plugin_name: 'p', storage_path: 's', mime_type: 'm', filename: 'f', metadata: {} },
    { text: 'x', sections: [], metadata: {} },
    { text: 'x', sections: [], metadata: {} },
  ],
  [
    'getToolDetail',
    (host) => host.getToolDetail('t'),
    'get_tool_detail',
    { tool_name: 't' },
    { tool: { name: 't' } },
    { name: 't' },
  ],
  [
    'callTool',
    (host) => host.callTool('t', { a: 1 }, { session: { launcher_id: 'u' }, query_id: 7 }),
    'call_tool',
    { tool_name: 't', tool_parameters: { a: 1 }, session: { launcher_id: 'u' }, query_id: 7 },
    { tool_response: [1] },
    [1],
  ],
  [
    'sendMessage',
    (host) => host.sendMessage('b', 'person', 'u', 'hi'),
    'send_message',
    { bot_uuid: 'b', target_type: 'person', target_id: 'u', message_chain: [{ type: 'Plain', text: 'hi' }] },
    {},
    null,
  ],
  [
    'callPlatformApi',
    (host) => host.callPlatformApi('b', 'get_group_list'),
    'call_platform_api',
    { bot_uuid: 'b', action: 'get_group_list', params: {} },
    { result: [{ id: 'g' }] },
    [{ id: 'g' }],
  ],
  [
    'retrieveKnowledge',
    (host) => host.retrieveKnowledge('k', 'q', { top_k: 1 }),
    'retrieve_knowledge',
    { kb_id: 'k', query_text: 'q', top_k: 1, filters: {} },
    { results: [] },
    [],
  ],
  [
    'invokeLlm',
    (host) => host.invokeLlm('m', ask, { timeout: 9, remove_think: true }),
    'invoke_llm',
    { llm_model_uuid: 'm', messages: ask, funcs: [], extra_args: {}, timeout: 9 },
    { message },
    message,
  ],
  [
    'invokeEmbedding',
    (host) => host.invokeEmbedding('m', ['a']),
    'invoke_embedding',
    { embedding_model_uuid: 'm', texts: ['a'] },
    { vectors: [[1]] },
    [[1]],
  ],
  [
    'invokeRerank',
    (host) => host.invokeRerank('m', 'q', ['a']),
    'invoke_rerank',
    { rerank_model_uuid: 'm', query: 'q', documents: ['a'], top_k: null, extra_args: {} },
    { results: [] },
    [],
  ],
  [
    'getBoxStatus',
    (host) => host.getBoxStatus(),
    'get_box_status',
    {},
    { available: false, enabled: false },
    { available: false, enabled: false },
  ],
  ['listBoxes', (host) => host.listBoxes(), 'list_boxes', {}, { items: [] }, []],
  [
    'acquireBox',
    (host) => host.acquireBox('k'),
    'acquire_box',
    { reuse_key: 'k', options: {} },
    { id: 'b', status: 'idle' },
    { id: 'b', status: 'idle' },
  ],
  [
    '[storage.same-as-self-plugin] setPluginStorage',
    (host) => host.setPluginStorage('k', new Uint8Array([1])),
    'set_plugin_storage',
    { key: 'k', value_base64: 'AQ==' },
    {},
    undefined,
  ],
  [
    'getWorkspaceStorage',
    (host) => host.getWorkspaceStorage('k'),
    'get_workspace_storage',
    { key: 'k' },
    { value_base64: 'AQ==' },
    new Uint8Array([1]),
  ],
]

test.each(cases)('%s', async (_name, call, action, data, answer, gives) => {
  const { value, asked } = await inSetup(call, { [action]: () => answer })
  expect(value).toEqual(gives)
  expect(asked).toEqual([{ action, data }])
})

test('model streams have no timeout of their own and carry no run', async () => {
  async function* frames() {
    yield { chunk: message }
  }
  const { value, asked } = await inSetup((host) => Array.fromAsync(host.invokeLlmStream('m', ask)), {
    invoke_llm_stream: frames,
  })
  expect(value).toEqual([message])
  expect(asked).toEqual([
    { action: 'invoke_llm_stream', data: { llm_model_uuid: 'm', messages: ask, funcs: [], extra_args: {} } },
  ])
})

test('a refusal and a lost connection are AgentAPIExceptions', async () => {
  const refused = await inSetup((host) => host.getBots(), {
    get_bots: () => {
      throw new Error('not approved')
    },
  })
  expect(AgentAPIException.isInstance(refused.value) && refused.value.message).toContain('not approved')

  let kept: PluginHost | undefined
  const plugin = definePlugin({
    author: 'a',
    name: 'b',
    version: '1.0.0',
    components: [],
    setup(host) {
      kept = host as PluginHost
    },
  })
  const host = await fakeHost(plugin)
  await vi.waitFor(() => expect(kept).toBeDefined())
  await host.close()
  const error = await kept?.getBots().catch((caught: unknown) => caught)
  expect(AgentAPIException.isInstance(error) && error.error).toMatchObject({
    code: 'runtime_error',
    retryable: true,
    details: { reason: 'link_closed' },
  })
})
