/** A plugin process from outside: what it loads, what it prints where, what ends it and how. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPeer, type Peer } from '@runbound/link'
import { stdioTransport } from '@runbound/link/stdio'
import type { JsonObject } from '@runbound/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { contextOf, initialize } from '../fake-host.ts'
import { SDK_VERSION } from '../index.ts'

const MAIN = fileURLToPath(new URL('./process.ts', import.meta.url))

let folder: string
let child: ChildProcessWithoutNullStreams | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runbound-sdk-'))
})
afterEach(async () => {
  if (child?.exitCode === null) child.kill('SIGKILL')
  child = undefined
  await rm(folder, { recursive: true })
})

interface Started {
  readonly peer: Peer
  readonly noise: string[]
  readonly registered: Promise<JsonObject>
  readonly exited: Promise<number | null>
  stderr(): string
}

async function start(source: string, options: { entry?: string; refuse?: boolean } = {}): Promise<Started> {
  await writeFile(join(folder, 'index.ts'), source)
  const started = spawn(process.execPath, [MAIN, folder, options.entry ?? 'index.ts'], {
    env: { LANGBOT_PLUGIN_REGISTRATION_CAPABILITY: 'one-use' },
  })
  child = started
  let stderr = ''
  started.stderr.on('data', (chunk) => {
    stderr += String(chunk)
  })
  const noise: string[] = []
  const registered = Promise.withResolvers<JsonObject>()
  const peer = createPeer({
    transport: stdioTransport({ input: started.stdout, output: started.stdin }),
    handler: ({ action, data }) => {
      if (action !== 'register_plugin') throw new Error(`no answer to ${action}`)
      if (options.refuse) throw new Error('not approved')
      registered.resolve(data)
      return {}
    },
    onNoise: (text) => void noise.push(text),
  })
  const exited = new Promise<number | null>((resolve) => started.on('exit', resolve))
  return { peer, noise, registered: registered.promise, exited, stderr: () => stderr }
}

const plugin = (runner: string, more = '') => `
  import { definePlugin, defineRunner } from '@runbound/sdk'
  const r = defineRunner({ name: 'r', usages: ['agent'], ${runner} })
  export default definePlugin({ author: 'acme', name: 'test', version: '1.0.0', components: [r], ${more} })
`
const run = (peer: Peer, run_id = 'run-1'): Promise<JsonObject[]> =>
  Array.fromAsync(peer.stream('run_runner', { runner_name: 'r', context: contextOf({ run_id }) }))

describe('a plugin at work', () => {
  test('it registers with its capability and entry, prints go to stderr with their level, stdout stays frames, closing stdin ends it with 0', async () => {
    const { peer, noise, registered, exited, stderr } = await start(
      plugin(
        `run(ctx) {
          console.log('plain', { a: 1 }); console.debug('fine'); console.warn('careful'); console.error('bad\\nworse')
          process.stdout.write('{"code": 0, "seq_id": 1}\\n')
          return process.env.LANGBOT_PLUGIN_REGISTRATION_CAPABILITY ?? 'hidden'
        }`,
        `dispose() { console.info('disposed') }`,
      ),
    )
    const data = await registered
    expect(data).toMatchObject({ prod_mode: true, registration_capability: 'one-use' })
    expect(data.plugin_container).toMatchObject({
      manifest: { manifest: { execution: { node: { path: 'index.ts' } } } },
      sdk: { version: SDK_VERSION },
    })
    await initialize(peer, {})
    expect((await run(peer))[0]).toMatchObject({ data: { message: { content: 'hidden' } } })
    await vi.waitFor(() => expect(stderr()).toContain('worse'))
    expect(stderr()).toBe(
      '[INFO] plain { a: 1 }\n[DEBUG] fine\n[WARNING] careful\n[ERROR] bad\nworse\n{"code": 0, "seq_id": 1}\n',
    )
    expect(noise).toEqual([])
    child?.stdin.end()
    expect(await exited).toBe(0)
    expect(stderr()).toContain('[INFO] disposed')
  })

  test('files of its folder and of nothing else', async () => {
    await mkdir(join(folder, 'assets'))
    await writeFile(join(folder, 'assets', 'a.svg'), '<svg/>')
    await writeFile(join(folder, 'README.md'), '# Hello')
    await writeFile(join(folder, 'secret.txt'), 'secret')
    await symlink('../secret.txt', join(folder, 'assets', 'link.txt'))
    await symlink('/etc', join(folder, 'assets', 'etc'))
    await writeFile(join(folder, 'assets', 'big.bin'), new Uint8Array(4_194_305))
    const { peer, registered } = await start(plugin(`run() {}`))
    await registered
    const asset = (file_key: string) => peer.call('get_plugin_assets_file', { file_key })
    const { file_file_key, mime_type } = await asset('a.svg')
    expect([mime_type, new TextDecoder().decode(await peer.takeFile(String(file_file_key)))]).toEqual([
      'image/svg+xml',
      '<svg/>',
    ])
    const none = { file_file_key: null, mime_type: null }
    for (const key of [
      '../secret.txt',
      'link.txt',
      'etc/hostname',
      '/etc/hostname',
      'missing',
      '',
      'assets',
      '../index.ts',
      'assets/../../README.md',
    ]) {
      expect([key, await asset(key)]).toEqual([key, none])
    }
    await expect(asset('big.bin')).rejects.toThrow('4194304')
    const { plugin_readme_file_key } = await peer.call('get_plugin_readme', { language: 'en' })
    expect(new TextDecoder().decode(await peer.takeFile(String(plugin_readme_file_key)))).toBe('# Hello')
  })
})

describe('errors that nobody caught', () => {
  test('a rejected promise is logged with its run, the run keeps it in its log, and other runs go on', async () => {
    const { peer, registered, stderr } = await start(
      plugin(
        `async run(ctx) { void Promise.reject(new Error('forgotten in ' + ctx.run_id)); await new Promise((r) => setTimeout(r, 50)); return 'hi' }`,
      ),
    )
    await registered
    await initialize(peer, {})
    const [one, two] = await Promise.all([run(peer, 'one'), run(peer, 'two')])
    for (const [id, results] of Object.entries({ one, two })) {
      expect(results).toMatchObject([
        {
          type: 'processor.log',
          data: { level: 'error', text: `A rejected promise was not handled: forgotten in ${id}` },
        },
        { type: 'message.completed' },
        { type: 'run.completed' },
      ])
      expect(stderr()).toContain(
        `[ERROR] A rejected promise was not handled in Runner "r", run ${id}: Error: forgotten in ${id}`,
      )
    }
  })

  test('an exception ends the process with 1, as Node asks for', async () => {
    const { peer, registered, exited, stderr } = await start(
      plugin(`run() { setTimeout(() => { throw new Error('loose') }, 10); return new Promise(() => {}) }`),
    )
    await registered
    await initialize(peer, {})
    await expect(run(peer)).rejects.toThrow()
    expect(await exited).toBe(1)
    expect(stderr()).toContain('[ERROR] An exception was not caught, the process ends: Error: loose')
  })
})

describe('what cannot be loaded: one line, exit 1', () => {
  const broken: [string, string, RegExp][] = [
    ['no default export', `export const plugin = 1`, /it has no default export\. Write: export default definePlugin/],
    [
      'a default export that is no plugin',
      `export default { author: 'acme' }`,
      /its default export is not what definePlugin returns/,
    ],
    ['a module that throws', `throw new TypeError('boom')`, /TypeError: boom \(at index\.ts:1:7\)\. Fix the module/],
    ['a syntax error', `export default (`, /SyntaxError|Error: .*(Expression|Unexpected)/],
    ['a missing import', `import './nowhere.ts'`, /Cannot find module/],
    [
      '[D133] another major version',
      `import { definePlugin } from '@runbound/sdk'\nconst p = definePlugin({ author: 'a', name: 'b', version: '1.0.0', components: [] })\np.packageManifest.sdk.version = '7.0.0'\nexport default p`,
      /made with @runbound\/sdk 7\.0\.0, and this host has 0\.1\.0/,
    ],
    [
      'a definition that cannot work',
      `import { definePlugin } from '@runbound/sdk'\nexport default definePlugin({ author: 'a b', name: 'b', version: '1.0.0', components: [] })`,
      /Plugin author "a b"/,
    ],
  ]
  test.each(broken)('%s', async (_what, source, says) => {
    const { exited, stderr } = await start(source)
    expect(await exited).toBe(1)
    expect(stderr()).toMatch(says)
    expect(stderr()).toMatch(/^\[ERROR\] Cannot load the plugin from .*index\.ts: .*\n$/)
  })

  test('an entry that is not there, or outside the folder', async () => {
    const missing = await start('', { entry: 'main.ts' })
    expect([await missing.exited, missing.stderr()]).toEqual([
      1,
      expect.stringContaining('main.ts: there is no such file'),
    ])
    const outside = await start('', { entry: MAIN })
    expect([await outside.exited, outside.stderr()]).toEqual([1, expect.stringContaining('outside the folder')])
  })

  test('a registration that the host refuses', async () => {
    const { exited, stderr } = await start(plugin('run() {}'), { refuse: true })
    expect(await exited).toBe(1)
    expect(stderr()).toMatch(/^\[ERROR\] The host did not take the registration: .*not approved\n$/)
  })
})
