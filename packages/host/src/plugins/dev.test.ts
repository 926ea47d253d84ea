/** Development sessions over real processes: what is saved is served, what is broken is told, and nothing is left of the old. */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { alive, PATIENCE_MS, type PluginHost, pluginHost, type Source, sourceOf } from './fixtures.ts'
import type { DevSession } from './types.ts'

let t: PluginHost
beforeAll(async () => {
  t = await pluginHost()
}, PATIENCE_MS)
afterAll(() => t.close(), PATIENCE_MS)

const TIMEOUT = { timeout: 60_000 }

interface Developed {
  readonly session: DevSession
  /** What was said after each reload. */
  readonly told: { readonly ok: boolean; readonly message: string }[]
  /** Saves the source and waits for what is said. */
  save(source: Source | string): Promise<{ readonly ok: boolean; readonly message: string }>
}

async function develop(source: Source): Promise<Developed> {
  const folder = t.folder(source.name, { 'index.ts': sourceOf(source) })
  const session = await t.host.plugins.dev(folder)
  const told: Developed['told'] = []
  session.onReload(({ ok, message }) => told.push({ ok, message }))
  return {
    session,
    told,
    async save(next) {
      const known = told.length
      writeFileSync(join(folder, 'index.ts'), typeof next === 'string' ? next : sourceOf(next))
      await expect.poll(() => told.length, { timeout: PATIENCE_MS }).toBe(known + 1)
      const said = told[known]
      if (said === undefined) throw new Error('nothing was said')
      return said
    },
  }
}

const says = (name: string, word: string): Source => ({ name, run: `await ctx.reply('${word}')` })

test(
  '[D23] saved good, broken, good: versions served are 1, 1, 2, with one readable error in between',
  TIMEOUT,
  async () => {
    const { session, told, save } = await develop(says('mended', '1'))
    const bot = await t.chat('mended')
    expect(await t.ask(bot, 'go')).toBe('1')
    const { pid } = t.status(session.installation)
    const broken = await save(sourceOf(says('mended', 'x')).replace('definePlugin({ author', 'definePlugin({{ author'))
    expect(broken.ok).toBe(false)
    expect(broken.message).toMatch(/index\.ts: SyntaxError: .*Fix the module.*the version before goes on serving/)
    expect(broken.message).not.toMatch(/\n {4}at /)
    expect(await t.ask(bot, 'go')).toBe('1')
    expect(t.status(session.installation)).toMatchObject({ state: 'ready', pid })
    expect(await save(says('mended', '2'))).toMatchObject({ ok: true })
    expect(await t.ask(bot, 'go')).toBe('2')
    expect(told.map(({ ok }) => ok)).toEqual([false, true])
    expect(alive(pid ?? 0)).toBe(false)
    await session.close()
  },
)

test('a version that hangs while it loads is given up when the file is saved again', TIMEOUT, async () => {
  const { session, save } = await develop(says('patient', '1'))
  const bot = await t.chat('patient')
  writeFileSync(
    join(session.installation.folder ?? '', 'index.ts'),
    'setInterval(() => {}, 1000); await new Promise(() => {}); export default 1',
  )
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await t.ask(bot, 'go')).toBe('1')
  const began = performance.now()
  expect(await save(says('patient', '2'))).toMatchObject({ ok: true })
  expect(performance.now() - began).toBeLessThan(15_000)
  expect(await t.ask(bot, 'go')).toBe('2')
  await session.close()
})

test(
  'a version that registers and dies while it is initialised: nobody says that another one serves',
  TIMEOUT,
  async () => {
    const { session, save } = await develop(says('fragile', '1'))
    const bot = await t.chat('fragile')
    const { pid } = t.status(session.installation)
    const failed = await save({
      ...says('fragile', '2'),
      top: `process.stdin.on('data', (chunk) => String(chunk).includes('initialize_plugin') && process.exit(3))`,
    })
    expect(failed.ok).toBe(false)
    expect(failed.message).toMatch(/its initialisation failed: .*\(no version serves until one loads\)$/s)
    expect(alive(pid ?? 0)).toBe(false)
    expect(t.status(session.installation).state).not.toBe('ready')
    expect(await save(says('fragile', '3'))).toMatchObject({ ok: true })
    expect(await t.ask(bot, 'go')).toBe('3')
    await session.close()
  },
)

test(
  '[D19] after three reloads there is one process, and what the old ones did at intervals has stopped',
  TIMEOUT,
  async () => {
    const ticking = (n: number): Source => ({
      name: 'ticking',
      top: `setInterval(() => console.log('tick ' + process.pid), 100) // ${n}`,
      run: `await ctx.reply('here')`,
    })
    const { session, save } = await develop(ticking(0))
    for (const n of [1, 2, 3]) expect(await save(ticking(n))).toMatchObject({ ok: true })
    const { pid } = await t.until(session.installation, ({ state }) => state === 'ready')
    const before = t.host.plugins.logs(session.installation.installation_uuid, 1_000).length
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const ticks = t.host.plugins
      .logs(session.installation.installation_uuid, 1_000)
      .slice(before)
      .filter(({ text }) => text.includes('tick'))
    expect(ticks.length).toBeGreaterThan(2)
    expect(ticks.length).toBeLessThan(13)
    expect(new Set(ticks.map(({ text }) => text.replace(/.*tick /, ''))).size).toBe(1)
    await session.close()
    expect(alive(pid ?? 0)).toBe(false)
    expect(t.host.plugins.runner('plugin:acme/ticking/answer')).not.toHaveProperty('manifest')
  },
)

test(
  '[D21] a plugin that owns a port can be reloaded: the old one lets go before the new one listens',
  TIMEOUT,
  async () => {
    const port = await freePort()
    const owner = (word: string): Source => ({
      name: 'owner',
      top: `import { createServer } from 'node:net'
const server = createServer((socket) => socket.end('${word}'))`,
      run: `await ctx.reply('fine')`,
      more: `async setup() {
    await new Promise((resolve, reject) => server.once('error', reject).listen(${port}, '127.0.0.1', resolve))
  },`,
    })
    const { session, save } = await develop(owner('one'))
    await expect.poll(() => heard(port), { timeout: PATIENCE_MS }).toBe('one')
    expect(await save(owner('two'))).toMatchObject({ ok: true })
    await expect.poll(() => heard(port), { timeout: PATIENCE_MS }).toBe('two')
    expect(t.status(session.installation)).toMatchObject({ state: 'ready', message: null })
    await session.close()
  },
)

test('[D24] registrations after a reload are those of a fresh start', TIMEOUT, async () => {
  const source: Source = { ...says('same', '1'), more: `config: { url: field.string({ default: 'x' }) },` }
  const { session, save } = await develop(source)
  const snapshot = () => {
    const { installation_uuid, manifest, manifest_digest } = session.installation
    const runners = t.host.plugins.runners().filter(({ plugin_id }) => plugin_id === 'acme/same')
    return structuredClone({ installation_uuid, manifest, manifest_digest, runners })
  }
  const fresh = snapshot()
  expect(fresh.runners).toHaveLength(1)
  expect(await save({ ...source, run: `await ctx.reply('2')` })).toMatchObject({ ok: true })
  expect(snapshot()).toEqual(fresh)
  await session.close()
  const again = await t.host.plugins.dev(session.installation.folder ?? '')
  expect(snapshot()).toEqual(fresh)
  expect(again.installation.installation_uuid).toBe(fresh.installation_uuid)
  await again.close()
})

test('a plugin that does not load at first says why, and leaves nothing', TIMEOUT, async () => {
  const folder = t.folder('never', { 'index.ts': 'export default 1' })
  await expect(t.host.plugins.dev(folder)).rejects.toMatchObject({
    code: 'plugin_failed',
    message: expect.stringMatching(/its default export is not what definePlugin returns/),
  })
  expect(t.host.plugins.installations().some((one) => one.folder === folder)).toBe(false)
  await expect(t.host.plugins.dev(t.folder('empty', {}))).rejects.toMatchObject({
    code: 'invalid_manifest',
    message: expect.stringMatching(/There is no index.ts in/),
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** What a port says to a visitor; empty when nobody listens. */
async function heard(port: number): Promise<string> {
  const { connect } = await import('node:net')
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1')
    socket.setEncoding('utf8').on('data', (part) => {
      text += part
    })
    socket.on('error', () => resolve(''))
    socket.on('close', () => resolve(text))
  })
}
