/**
 * The link against the real Python SDK: an unmodified plugin process over stdio. Runs where RUNBOUND_SDK_PYTHON (a Python
 * with langbot-plugin 0.7.18) and RUNBOUND_INTEROP (the folder of interop fixtures) say where these are.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@runbound/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { createPeer, type LinkFault, type Peer } from './index.ts'
import { stdioTransport } from './transports/stdio.ts'

const { RUNBOUND_SDK_PYTHON: python = '', RUNBOUND_INTEROP: interop = '' } = process.env

interface Plugin {
  readonly peer: Peer
  readonly child: ChildProcess
  readonly noise: string[]
  readonly faults: LinkFault[]
}

let cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  const all = cleanups
  cleanups = []
  for (const cleanup of all.reverse()) await cleanup()
})

async function start(name: string): Promise<Plugin> {
  const folder = await mkdtemp(join(tmpdir(), 'runbound-python-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  await cp(join(interop, 'plugins', name), folder, { recursive: true })
  const child = spawn(python, ['-m', 'langbot_plugin.cli.__init__', 'run', '-s', '--prod'], {
    cwd: folder,
    env: {
      LANGBOT_PLUGIN_REGISTRATION_CAPABILITY: 'c'.repeat(48),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONUNBUFFERED: '1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const exited = once(child, 'exit')
  const registered = Promise.withResolvers<void>()
  const noise: string[] = []
  const faults: LinkFault[] = []
  const peer = createPeer({
    transport: stdioTransport({ input: child.stdout ?? undefined, output: child.stdin ?? undefined }),
    handler: ({ action, data }) => {
      if (action === 'register_plugin') registered.resolve()
      return action === 'get_langbot_version' ? { version: '4.11.2', api_features: [] } : { ...data }
    },
    onNoise: (text) => noise.push(text),
    onFault: (met) => faults.push(met),
  })
  cleanups.push(async () => {
    await peer.close()
    expect(await exited).toEqual([0, null])
  })
  await registered.promise
  const settings = { enabled: true, priority: 0, plugin_config: {} }
  await peer.call('initialize_plugin', { plugin_settings: settings })
  return { peer, child, noise, faults }
}

async function runContext(input: string): Promise<JsonObject> {
  const answers = JSON.parse(await readFile(join(interop, 'answers.json'), 'utf8'))
  const event = {
    event_id: 'ev-1',
    event_type: 'message.received',
    source: 'platform',
    event_time: 1_700_000_000,
    data: {},
  }
  return {
    ...answers.$run_context,
    run_id: 'run-1',
    trigger: { type: 'message.received', source: 'platform', timestamp: 1_700_000_000 },
    event,
    input: { text: input, contents: [{ type: 'text', text: input }], attachments: [] },
  }
}

const tool = (tool_name: string, tool_parameters: JsonObject): JsonObject => ({
  tool_name,
  tool_parameters,
  session: { launcher_type: 'person', launcher_id: 'u-1', sender_id: 'u-1' },
  query_id: 7,
})

describe.skipIf(python === '' || interop === '')('with the Python SDK', () => {
  test('tools with every kind of result, large ones too, and errors', async () => {
    const { peer, noise, faults } = await start('tools')
    const result = async (kind: string): Promise<unknown> =>
      (await peer.call('call_tool', tool('result', { kind }))).tool_response
    expect(await result('nan')).toBeNaN()
    expect(await result('big')).toBe(2n ** 70n)
    expect(await result('surrogate')).toBe('\ud83d')
    expect(await result('unicode')).toBe('café 你好 😀 \u2028')
    expect(await result('large')).toBe('x'.repeat(40_000))
    expect(await result('object')).toEqual({ a: { b: [1, null] } })
    const text = '漢"\\😀'.repeat(20_000)
    expect(await peer.call('call_tool', tool('plain', { text }))).toEqual({ tool_response: `plain: ${text}` })
    await expect(peer.call('call_tool', tool('fail', { how: 'value' }))).rejects.toMatchObject({ code: 'remote_error' })
    expect(await peer.call('__ping', {})).toEqual({ alive: true })
    expect(noise).toEqual(['Running plugin in current directory'])
    expect(faults).toEqual([])
  })

  test('a run is a stream of acknowledged frames; leaving it cancels it there', async () => {
    const { peer, faults } = await start('runner-run')
    const context = await runContext('delta 40')
    const frames: JsonObject[] = []
    for await (const frame of peer.stream('run_runner', { runner_name: 'run', context })) frames.push(frame)
    expect(frames.length).toBeGreaterThanOrEqual(40)
    expect(frames.at(-1)).toMatchObject({ type: 'run.completed' })
    for await (const frame of peer.stream('run_runner', { runner_name: 'run', context })) if (frame !== undefined) break
    expect(await peer.call('__ping', {})).toEqual({ alive: true })
    expect(faults).toEqual([])
  })

  test('128 calls at once are taken; an aborted call is cancelled there and gets no answer', async () => {
    const { peer, faults } = await start('tools')
    const controller = new AbortController()
    const slow = Array.from({ length: 128 }, () =>
      peer.call('call_tool', tool('slow', { seconds: 60 }), { signal: controller.signal }).catch(() => 'gone'),
    )
    await peer.call('__ping', {})
    await expect(peer.call('call_tool', tool('plain', { text: 'x' }))).rejects.toMatchObject({ name: 'RemoteError' })
    controller.abort()
    expect(new Set(await Promise.all(slow))).toEqual(new Set(['gone']))
    const deadline = performance.now() + 5000
    let answer: JsonObject | undefined
    while (answer === undefined && performance.now() < deadline) {
      answer = await peer.call('call_tool', tool('plain', { text: 'x' })).catch(() => undefined)
    }
    expect(answer).toEqual({ tool_response: 'plain: x' })
    expect(faults).toEqual([])
  })

  test('files both ways', async () => {
    const { peer } = await start('parser')
    const text = `${'line é\n'.repeat(10_000)}last`
    const bytes = new TextEncoder().encode(text)
    const file_key = await peer.sendFile(bytes, { extension: 'txt' })
    const context = { file_key, mime_type: 'text/plain', filename: 'a.txt', metadata: {} }
    expect(await peer.call('parse_document', { context })).toMatchObject({
      text: text.slice(0, 1000),
      metadata: { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    })
    const icon = await peer.call('get_plugin_icon', {})
    const received = await peer.takeFile(String(icon.plugin_icon_file_key))
    expect(new TextDecoder().decode(received)).toContain('<svg')
  })

  test('[D13] an author who prints everything everywhere loses no call', async () => {
    const { peer, noise } = await start('noisy')
    for (const what of [
      'line',
      'glue',
      'json',
      'chunk',
      'request',
      'long',
      'flood',
      'binary',
      'braces',
      'blank',
      'return',
    ]) {
      const answer = await peer.call('call_tool', tool('print', { what, n: what === 'long' ? 70_000 : 5 }))
      expect(answer).toEqual({ tool_response: { printed: what } })
    }
    expect(noise).toContain('a line')
    expect(noise).toContain('no line end')
  })
})
