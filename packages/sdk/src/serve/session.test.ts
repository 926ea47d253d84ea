/** A served plugin beside its runs: registration, settings, setup, stop, what it does not have, its files (wire.md §3, §4). */
import { createPeer } from '@runbound/link'
import { memoryTransports } from '@runbound/link/memory'
import { HOST_METHODS, METHODS } from '@runbound/protocol/schemas'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type FakeHost, fakeHost, initialize, pluginOf } from '../fake-host.ts'
import { AgentAPIException, definePlugin, defineRunner, field, type JsonObject, type PluginSpec } from '../index.ts'

let host: FakeHost | undefined
afterEach(async () => {
  await host?.close()
  host = undefined
  vi.useRealTimers()
})

const identity = { author: 'acme', name: 'test', version: '1.2.3' } as const
const r = defineRunner({ name: 'r', usages: ['agent'], run: () => 'hi' })

function registering(options: { debugKey?: string; refuse?: string } = {}) {
  const [ours, theirs] = memoryTransports()
  const frames: JsonObject[] = []
  createPeer({
    transport: ours,
    handler: ({ data }) => {
      frames.push(data)
      if (options.refuse !== undefined) throw new Error(options.refuse)
      return {}
    },
  })
  const plugin = definePlugin({ ...identity, components: [r], config: { key: field.string({ default: 'x' }) } })
  const session = plugin.serve(theirs, { capability: 'one-use', debugKey: options.debugKey, log: () => {} })
  return { session, frames, plugin }
}

describe('registration', () => {
  test('an installed plugin brings its container and its capability', async () => {
    const { session, frames, plugin } = registering()
    await session.registered
    const [data] = frames
    expect(data).toMatchObject({ prod_mode: true, plugin_debug_key: '', registration_capability: 'one-use' })
    expect(data?.plugin_container).toMatchObject({
      debug: false,
      enabled: true,
      priority: 0,
      status: 'mounted',
      plugin_config: {},
      manifest: { owner: 'builtin', manifest: plugin.packageManifest.manifest },
      components: [{ manifest: { owner: 'builtin', manifest: plugin.packageManifest.components[0] } }],
      sdk: { name: '@runbound/sdk' },
    })
    METHODS.register_plugin.forms.installation.params.parse(data)
    await session.close()
  })

  test('a debug plugin brings its key', async () => {
    const { session, frames } = registering({ debugKey: 'k'.repeat(64) })
    await session.registered
    expect(frames[0]).toMatchObject({
      prod_mode: false,
      plugin_debug_key: 'k'.repeat(64),
      plugin_container: { debug: true },
    })
    await session.close()
  })

  test('a refusal closes the connection and says why', async () => {
    const { session } = registering({ refuse: 'wrong digest' })
    const error = await session.registered.catch((caught: unknown) => caught)
    expect(AgentAPIException.isInstance(error) && error.message).toContain('wrong digest')
    expect(await session.closed).toMatchObject({ why: 'local', detail: expect.stringContaining('wrong digest') })
  })
})

type Life = Pick<PluginSpec, 'setup' | 'onSettingsChanged' | 'dispose'>
async function living(life: Life, answers = {}): Promise<FakeHost> {
  host = await fakeHost(definePlugin({ ...identity, components: [r], ...life }), { answers, settings: null })
  return host
}
const container = async (): Promise<JsonObject | undefined> => host?.peer.call('get_plugin_container', {})

describe('settings and setup', () => {
  test('setup starts after the settings, with the host under the installation grant; runs do not wait for it', async () => {
    const hold = Promise.withResolvers<void>()
    const seen: unknown[] = []
    const { peer, asked, run } = await living(
      {
        async setup(api) {
          seen.push(api.getPluginConfig(), await api.getLangbotVersion())
          await hold.promise
        },
      },
      { get_langbot_version: () => ({ version: 'v1.0.0', api_features: [] }) },
    )
    expect(await container()).toMatchObject({ status: 'mounted', setup: { state: 'none' } })
    await initialize(peer, { key: 'k' })
    expect((await run())[0]).toMatchObject({ type: 'message.completed' })
    expect(seen).toEqual([{ key: 'k' }, 'v1.0.0'])
    expect(asked).toEqual([{ action: 'get_langbot_version', data: {} }])
    const running = await container()
    expect(running).toMatchObject({ status: 'initialized', plugin_config: { key: 'k' }, setup: { state: 'running' } })
    HOST_METHODS.get_plugin_container.forms.installation.result.parse(running)
    hold.resolve()
    await vi.waitFor(async () => expect(await container()).toMatchObject({ setup: { state: 'done', error: null } }))
  })

  test('a setup that throws is logged with its stack and shown; runs go on', async () => {
    const { peer, logged, run } = await living({
      setup() {
        throw new Error('no network')
      },
    })
    await initialize(peer, {})
    await vi.waitFor(async () =>
      expect(await container()).toMatchObject({
        status: 'initialized',
        setup: { state: 'failed', error: 'no network' },
      }),
    )
    expect(logged[0]).toMatch(/^error: acme\/test: setup failed: Error: no network\n/)
    expect((await run())[0]).toMatchObject({ type: 'message.completed' })
  })

  test('other settings: without onSettingsChanged setup ends and starts again', async () => {
    const seen: unknown[] = []
    const { peer } = await living({
      async setup(api, { signal }) {
        seen.push(api.getPluginConfig())
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
        seen.push('ended')
      },
    })
    await initialize(peer, { n: 1 })
    await initialize(peer, { n: 2 })
    await vi.waitFor(() => expect(seen).toEqual([{ n: 1 }, 'ended', { n: 2 }]))
  })

  test('other settings: onSettingsChanged gets them, one change after the other, and setup stays', async () => {
    const seen: unknown[] = []
    const { peer } = await living({
      setup(_api, { signal }) {
        signal.addEventListener('abort', () => seen.push('aborted'))
      },
      async onSettingsChanged(settings) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        seen.push(settings)
        if (seen.length === 1) throw new Error('first one fails')
      },
    })
    for (const n of [1, 2, 3]) await initialize(peer, { n })
    await vi.waitFor(() => expect(seen).toEqual([{ n: 2 }, { n: 3 }]))
  })

  test('settings without their documented keys are refused', async () => {
    const { peer } = await living({})
    await expect(peer.call('initialize_plugin', { plugin_settings: { plugin_config: {} } })).rejects.toThrow(
      'enabled, priority and plugin_config',
    )
    expect(await container()).toMatchObject({ status: 'mounted' })
  })
})

describe('the end', () => {
  test('shutdown aborts the signal of setup, then disposes, then answers; the end of the link does not dispose again', async () => {
    const seen: string[] = []
    const { peer } = await living({
      setup(_api, { signal }) {
        signal.addEventListener('abort', () => seen.push('aborted'))
      },
      async dispose() {
        await new Promise((resolve) => setTimeout(resolve, 20))
        seen.push('disposed')
      },
    })
    await initialize(peer, {})
    await container()
    expect(await peer.call('shutdown', {})).toEqual({})
    expect(seen).toEqual(['aborted', 'disposed'])
    await host?.close()
    expect(seen).toEqual(['aborted', 'disposed'])
  })

  test('a lost connection disposes too, before closed resolves', async () => {
    const seen: string[] = []
    const { peer } = await living({
      async dispose() {
        await new Promise((resolve) => setTimeout(resolve, 20))
        seen.push('disposed')
      },
    })
    await peer.close()
    await host?.session.closed
    expect(seen).toEqual(['disposed'])
  })

  test('a dispose that throws or never ends holds nobody up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { peer, logged } = await living({ dispose: () => new Promise<void>(() => {}) })
    const answered = peer.call('shutdown', {})
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(5000)
      expect(logged).toEqual(['warning: acme/test: dispose did not end within 5 s and is not waited for.'])
    })
    expect(await answered).toEqual({})
  })
})

describe('what this plugin does not have', () => {
  const refused: [string, JsonObject, string][] = [
    ['call_tool', { tool_name: 'weather', tool_parameters: {}, session: {}, query_id: 1 }, 'no Tool "weather"'],
    ['retrieve_knowledge', { retriever_name: '', retrieval_context: {} }, 'no KnowledgeEngine.'],
    ['ingest_document', { context: {} }, 'no KnowledgeEngine.'],
    ['get_rag_capabilities', {}, 'no KnowledgeEngine.'],
    ['parse_document', { context: {} }, 'no Parser.'],
  ]
  test.each(refused)('%s: a typed refusal', async (action, data, says) => {
    host = await fakeHost(r)
    const error = await host.peer.call(action, data).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ error: { details: { reason: 'not_found' } }, message: expect.stringContaining(says) })
  })

  test('execute_command: an error frame', async () => {
    host = await fakeHost(r)
    await expect(
      Array.fromAsync(host.peer.stream('execute_command', { command_context: { command: 'help' } })),
    ).rejects.toThrow('no Command "help"')
  })

  test('emit_event and page_api answer in their documented shape; an unknown action is an error', async () => {
    host = await fakeHost(r)
    const event_context = { event_name: 'PersonMessageReceived', query_id: 1 }
    expect(await host.peer.call('emit_event', { event_context })).toEqual({ emitted: false, event_context })
    expect(await host.peer.call('page_api', { page_id: 'p' })).toEqual({
      data: null,
      error: 'Plugin acme/test has no Page "p".',
    })
    await expect(host.peer.call('toString', {})).rejects.toThrow('no action toString')
  })

  test('a document that was sent for a missing parser does not stay in memory', async () => {
    host = await fakeHost(r)
    for (let i = 0; i < 130; i++) {
      const file_key = await host.peer.sendFile(new Uint8Array([1]))
      await expect(host.peer.call('parse_document', { context: { file_key } })).rejects.toThrow('no Parser')
    }
  })
})

describe('files of the package', () => {
  const files = {
    read: async (path: string) =>
      path.endsWith('missing.png') || path.includes('_ja')
        ? undefined
        : { bytes: new TextEncoder().encode(path), mime_type: 'image/png' },
  }
  const withIcon = (icon?: string) => definePlugin({ ...identity, icon, components: [r] })
  async function taken(key: unknown): Promise<string> {
    const bytes = await host?.peer.takeFile(String(key))
    return new TextDecoder().decode(bytes)
  }

  test('icon, readme by language, assets: chunks first, then the key', async () => {
    host = await fakeHost(withIcon('logo.png'), { serve: { files } })
    const { peer } = host
    const icon = await peer.call('get_plugin_icon', {})
    expect([icon.mime_type, await taken(icon.plugin_icon_file_key)]).toEqual(['image/png', 'logo.png'])
    const readme = async (language: string) =>
      taken((await peer.call('get_plugin_readme', { language })).plugin_readme_file_key)
    expect([await readme('en'), await readme('zh_Hans'), await readme('ja_JP')]).toEqual([
      'README.md',
      'readme/README_zh_Hans.md',
      'README.md',
    ])
    const asset = async (file_key: string) =>
      taken((await peer.call('get_plugin_assets_file', { file_key })).file_file_key)
    expect([await asset('a.png'), await asset('assets/a.png')]).toEqual(['assets/a.png', 'assets/a.png'])
    expect(await peer.call('get_plugin_assets_file', { file_key: 'missing.png' })).toEqual({
      file_file_key: null,
      mime_type: null,
    })
    await expect(peer.call('get_plugin_readme', { language: '../../etc' })).rejects.toThrow('needs a language')
  })

  test('no icon: empty strings; an icon that is not there, and an inline plugin without files: errors', async () => {
    host = await fakeHost(withIcon())
    expect(await host.peer.call('get_plugin_icon', {})).toEqual({ plugin_icon_file_key: '', mime_type: '' })
    await expect(host.peer.call('get_plugin_readme', { language: 'en' })).rejects.toThrow('no README.md')
    await host.close()
    host = await fakeHost(withIcon('missing.png'), { serve: { files } })
    await expect(host.peer.call('get_plugin_icon', {})).rejects.toThrow('not in the package')
  })

  test('the host reports a diagnostic: it goes to the log', async () => {
    host = await fakeHost(pluginOf(r))
    expect(await host.peer.call('plugin_diagnostic', { code: 'x.y', message: 'broken' })).toEqual({})
    expect(host.logged).toEqual(['error: The host reports x.y: broken'])
  })
})
