/** Debug connections over the host's WebSocket: keys, what an expired one may still do, coming back, standing in for a plugin. */
import { createPeer, type Peer } from '@runbound/link'
import { websocketTransport } from '@runbound/link/websocket'
import type { JsonObject } from '@runbound/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { PATIENCE_MS, type PluginHost, pluginHost } from './fixtures.ts'

const HOUR_MS = 3_600_000
let t: PluginHost
let later = 0
beforeAll(async () => {
  t = await pluginHost({ http: { port: 0 }, clock: { now: () => Date.now() + later } })
}, PATIENCE_MS)
afterAll(() => t.close(), PATIENCE_MS)

const TIMEOUT = { timeout: 60_000 }

function container(name: string): JsonObject {
  const owned = (manifest: JsonObject) => ({ owner: 'builtin', rel_path: '', manifest })
  return {
    debug: true,
    install_source: '',
    install_info: {},
    plugin_instance: null,
    enabled: true,
    priority: 0,
    plugin_config: {},
    status: 'mounted',
    manifest: owned({
      apiVersion: 'v1',
      kind: 'Plugin',
      metadata: { author: 'acme', name, version: '1.0.0', label: { en_US: name } },
      spec: { config: [], components: {} },
    }),
    components: [
      {
        component_instance: null,
        component_config: {},
        manifest: owned({
          apiVersion: 'v1',
          kind: 'Runner',
          metadata: { name: 'answer', label: { en_US: 'Answer' } },
          spec: { usages: ['agent'], capabilities: { tool_calling: true }, permissions: { tools: ['call'] } },
        }),
      },
    ],
  }
}

interface Debugged {
  readonly peer: Peer
  call(action: string, data?: JsonObject): Promise<JsonObject>
  close(): Promise<void>
}

/** An author's process: connects, registers, answers each run with `word`. */
async function attach(name: string, key: string, word = 'debugged', registeredKey = key): Promise<Debugged> {
  const url = (t.host.http?.url ?? '').replace('http', 'ws')
  const socket = new WebSocket(`${url}/plugin/debug/ws`, {
    headers: key === '' ? {} : { 'x-langbot-plugin-debug-key': key },
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_request, response) => reject(new Error(`refused with ${response.statusCode}`)))
    socket.once('error', reject)
  })
  const peer = createPeer({
    transport: websocketTransport(socket),
    handler: (request) => {
      if (request.action === 'initialize_plugin' || request.action === 'shutdown') return {}
      if (request.action === 'get_plugin_container') return container(name)
      if (request.action === 'run_runner') return answer(request.data)
      throw new Error(`no ${request.action}`)
    },
  })
  async function* answer(data: JsonObject): AsyncGenerator<JsonObject> {
    const { run_id } = data.context as { readonly run_id: string }
    await peer.call('call_tool', { run_id, tool_name: 'event_reply', parameters: { text: word } })
    yield { type: 'run.completed', run_id, data: { finish_reason: 'stop' } }
  }
  const registration = {
    plugin_container: container(name),
    prod_mode: false,
    plugin_debug_key: registeredKey,
    registration_capability: '',
  }
  try {
    await peer.call('register_plugin', registration)
  } catch (error) {
    await peer.close()
    throw error
  }
  const close = async () => {
    // An answer is there before its run has ended: what runs is let finish.
    await expect.poll(() => t.host.runs.active, { timeout: PATIENCE_MS }).toBe(0)
    await peer.close()
  }
  await expect.poll(() => attached(name)?.approved, { timeout: PATIENCE_MS }).toBe(true)
  return { peer, call: (action, data = {}) => peer.call(action, data), close }
}

const attached = (name: string) =>
  t.host.plugins.installations().find(({ plugin_id, source }) => plugin_id === `acme/${name}` && source === 'debug')

const installed = (name: string) => {
  const one = attached(name)
  if (one === undefined) throw new Error(`${name} is not attached`)
  return one
}

test('without a key, with a wrong one, with one that has expired: refused before the upgrade', TIMEOUT, async () => {
  await expect(attach('nokey', '')).rejects.toThrow('refused with 401')
  await expect(attach('nokey', 'x'.repeat(64))).rejects.toThrow('refused with 401')
  const { key, expires_at } = await t.host.plugins.newDebugKey()
  expect(Buffer.from(key, 'base64url')).toHaveLength(48)
  expect(expires_at - (Date.now() + later)).toBeGreaterThan(1.9 * HOUR_MS)
  later += 2 * HOUR_MS + 1_000
  await expect(attach('nokey', key)).rejects.toThrow('refused with 401')
  expect(t.host.plugins.installations().some(({ plugin_id }) => plugin_id === 'acme/nokey')).toBe(false)
})

test(
  'a key that register_plugin does not repeat, or a manifest that does not fit, is refused with the reason',
  TIMEOUT,
  async () => {
    const { key } = await t.host.plugins.newDebugKey()
    await expect(attach('other', key, 'x', 'another')).rejects.toThrow(
      /debug key of register_plugin is not the one of the connection/,
    )
    await expect(attach('../up', key)).rejects.toThrow(/manifest.metadata.name: "..\/up" must be made of letters/)
    expect(t.host.plugins.installations().filter(({ source }) => source === 'debug')).toEqual([])
  },
)

test(
  'a debug plugin serves under an installation of its own; expired, every action of it is refused with the reason',
  TIMEOUT,
  async () => {
    const { key } = await t.host.plugins.newDebugKey()
    const plugin = await attach('debugged', key)
    await t.until(installed('debugged'), ({ state }) => state === 'ready')
    const bot = await t.chat('debugged')
    expect(await t.ask(bot, 'go')).toBe('debugged')
    expect(await plugin.call('get_langbot_version')).toMatchObject({ version: expect.stringMatching(/^v/) })
    later += 2 * HOUR_MS + 1_000
    for (const action of ['get_langbot_version', 'get_plugin_storage_keys', 'get_bots']) {
      await expect(plugin.call(action)).rejects.toThrow(/debug key of this connection has expired. Make a new one/)
    }
    await plugin.close()
  },
)

test(
  'it comes back with a new key as the same installation; gone, its Runner is no longer there',
  TIMEOUT,
  async () => {
    const first = await attach('returning', (await t.host.plugins.newDebugKey()).key, 'one')
    await t.until(installed('returning'), ({ state }) => state === 'ready')
    const { installation_uuid } = installed('returning')
    const bot = await t.chat('returning')
    expect(await t.ask(bot, 'go')).toBe('one')
    await first.close()
    const status = await t.until(installed('returning'), ({ state }) => state === 'stopped')
    expect(status.message).toMatch(/the debug connection is gone .*; start the plugin again to connect/)
    expect(t.host.plugins.runner('plugin:acme/returning/answer')).not.toHaveProperty('manifest')
    const second = await attach('returning', (await t.host.plugins.newDebugKey()).key, 'two')
    await t.until(installed('returning'), ({ state }) => state === 'ready')
    expect(installed('returning').installation_uuid).toBe(installation_uuid)
    expect(await t.ask(bot, 'go')).toBe('two')
    await second.close()
  },
)

test('it stands in for an installed plugin only with the operator`s yes for that name', TIMEOUT, async () => {
  await t.install({ name: 'stood', run: `await ctx.reply('installed')` })
  const bot = await t.chat('stood')
  const plugin = await attach('stood', (await t.host.plugins.newDebugKey()).key, 'debugged')
  await t.until(installed('stood'), ({ state }) => state === 'ready')
  expect(await t.ask(bot, 'go')).toBe('installed')
  const one = installed('stood')
  await t.host.plugins.approve(one.installation_uuid, { ...one, grant: { shadow: true } })
  // The connection stays: only its author could make it anew.
  expect(t.status(one)).toMatchObject({ state: 'ready', restarts: 0 })
  expect(await t.ask(bot, 'go')).toBe('debugged')
  await plugin.close()
  await t.until(one, ({ state }) => state === 'stopped')
  expect(await t.ask(bot, 'go')).toBe('installed')
  // The yes was for this name, and stands when it comes back.
  const again = await attach('stood', (await t.host.plugins.newDebugKey()).key, 'back')
  await t.until(installed('stood'), ({ state }) => state === 'ready')
  expect(await t.ask(bot, 'go')).toBe('back')
  // Nor is it a yes for another name, and it can be taken back.
  await t.install({ name: 'other', run: `await ctx.reply('installed')` })
  const otherBot = await t.chat('other')
  const other = await attach('other', (await t.host.plugins.newDebugKey()).key, 'debugged')
  await t.until(installed('other'), ({ state }) => state === 'ready')
  expect(await t.ask(otherBot, 'go')).toBe('installed')
  await other.close()
  await t.host.plugins.approve(one.installation_uuid, { ...installed('stood'), grant: {} })
  expect(await t.ask(bot, 'go')).toBe('installed')
  await again.close()
})
