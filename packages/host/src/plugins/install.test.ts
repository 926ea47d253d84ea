/** Installing, approving, changing and removing packages over a real host and real processes. */
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PATIENCE_MS, type PluginHost, pluginHost } from './fixtures.ts'
import { MANIFEST_FILE } from './package.ts'
import type { Installation } from './types.ts'

let t: PluginHost
beforeAll(async () => {
  t = await pluginHost()
}, PATIENCE_MS)
afterAll(() => t.close(), PATIENCE_MS)

const TIMEOUT = { timeout: 60_000 }
const says = (word: string) => `await ctx.reply('${word}')`
const approve = (one: Installation) => t.host.plugins.approve(one.installation_uuid, one)

describe('approval', () => {
  test(
    'nothing of a package runs before it is approved, and installing it twice is installing it once',
    TIMEOUT,
    async () => {
      const path = await t.pack({ name: 'fresh', run: says('one') })
      const first = await t.host.plugins.install({ path })
      expect(t.status(first)).toMatchObject({ state: 'not_approved', pid: null })
      expect(t.host.plugins.runner('plugin:acme/fresh/answer')).toMatchObject({ code: 'runner.plugin_not_initialized' })
      expect(await t.host.plugins.install({ path })).toEqual(first)
      expect(t.host.plugins.installations().filter(({ plugin_id }) => plugin_id === 'acme/fresh')).toHaveLength(1)
      await approve(first)
      expect(t.status(first).state).toBe('ready')
      const { pid } = t.status(first)
      await t.host.plugins.install({ path })
      expect(t.status(first).pid).toBe(pid)
    },
  )

  test('other bytes, or another manifest, under the same version need a new one', TIMEOUT, async () => {
    const one = await t.install({ name: 'changing', run: says('one') })
    const bot = await t.chat('changing')
    expect(await t.ask(bot, 'go')).toBe('one')

    const bytes = await t.host.plugins.install({ path: await t.pack({ name: 'changing', run: says('two') }) })
    expect(bytes).toMatchObject({ version: '1.0.0', approved: false, manifest_digest: one.manifest_digest })
    expect(t.status(bytes).state).toBe('not_approved')
    // The approval of what was there before is none of this.
    await expect(approve(one)).rejects.toMatchObject({
      code: 'conflict',
      message: /has changed meanwhile. Look at it again/,
    })
    await approve(bytes)
    expect(await t.ask(bot, 'go')).toBe('two')

    const manifest = await t.host.plugins.install({
      path: await t.pack({
        name: 'changing',
        run: says('two'),
        more: `config: { url: field.string({ default: 'x' }) },`,
      }),
    })
    expect(manifest).toMatchObject({ version: '1.0.0', approved: false })
    expect(manifest.manifest_digest).not.toBe(bytes.manifest_digest)
    // Back to what was approved last: the same manifest and the same bytes are still approved.
    const back = await t.host.plugins.install({ path: await t.pack({ name: 'changing', run: says('two') }) })
    expect(back.approved).toBe(true)
    expect(await t.ask(bot, 'go')).toBe('two')
  })

  test(
    'files that changed on the disk are refused at the next start; installing again puts them right',
    TIMEOUT,
    async () => {
      const path = await t.pack({ name: 'tampered', run: says('mine') })
      const one = await approve(await t.host.plugins.install({ path }))
      const file = join(one.folder ?? '', 'index.ts')
      chmodSync(file, 0o644)
      writeFileSync(file, readFileSync(file, 'utf8').replace('mine', 'theirs'))
      await t.host.plugins.restart(one.installation_uuid)
      expect(t.status(one).state).toBe('backing_off')
      expect(t.status(one).message).toMatch(/its files have changed since they were approved; install .*again/)
      await t.host.plugins.install({ path })
      await t.host.plugins.restart(one.installation_uuid)
      expect(await t.ask(await t.chat('tampered'), 'go')).toBe('mine')
    },
  )

  test('code that registers another manifest than the approved one is refused', TIMEOUT, async () => {
    const path = await t.pack({ name: 'liar', run: says('hello') })
    const file = join(path, MANIFEST_FILE)
    const manifest = JSON.parse(readFileSync(file, 'utf8'))
    // The operator is shown less than the code asks for.
    manifest.components[0].spec.permissions = {}
    writeFileSync(file, JSON.stringify(manifest))
    const one = await approve(await t.host.plugins.install({ path }))
    expect(t.status(one).state).toBe('backing_off')
    expect(t.status(one).message).toMatch(
      /registers another manifest than the approved one. Run `runbound plugin pack`/,
    )
  })
})

describe('versions', () => {
  const SETTINGS = `config: { url: field.string({ default: 'http://default' }) },`
  const MORE = `config: { url: field.string({ default: 'http://default' }), retries: field.integer({ default: 3 }) },`
  const run = `await ctx.reply(JSON.stringify(ctx.host.getPluginConfig()))`

  test(
    '[D111] an upgrade keeps settings and adds new ones; a downgrade finds the old ones as they were',
    TIMEOUT,
    async () => {
      const one = await t.install({ name: 'settled', run, more: SETTINGS })
      await t.host.plugins.setSettings(one.installation_uuid, { url: 'x' })
      const bot = await t.chat('settled')
      expect(JSON.parse(await t.ask(bot, 'go'))).toEqual({ url: 'x' })

      const two = await t.install({ name: 'settled', version: '2.0.0', run, more: MORE })
      expect(two.installation_uuid).toBe(one.installation_uuid)
      expect(JSON.parse(await t.ask(bot, 'go'))).toEqual({ url: 'x', retries: 3 })
      await t.host.plugins.setSettings(two.installation_uuid, { url: 'x', retries: 5 })

      const down = await t.install({ name: 'settled', run, more: SETTINGS })
      expect(down.version).toBe('1.0.0')
      expect(JSON.parse(await t.ask(bot, 'go'))).toEqual({ url: 'x' })
      // And up again: what the old version did not know was not thrown away.
      await t.install({ name: 'settled', version: '2.0.0', run, more: MORE })
      expect(JSON.parse(await t.ask(bot, 'go'))).toEqual({ url: 'x', retries: 5 })
    },
  )

  test('new settings reach the running process without a restart of it', TIMEOUT, async () => {
    const one = await t.install({ name: 'tuned', run, more: SETTINGS })
    const bot = await t.chat('tuned')
    expect(JSON.parse(await t.ask(bot, 'go'))).toEqual({ url: 'http://default' })
    const { pid, restarts } = t.status(one)
    await t.host.plugins.setSettings(one.installation_uuid, { url: 'http://new' })
    expect(JSON.parse(await t.ask(bot, 'go'))).toEqual({ url: 'http://new' })
    expect(t.status(one)).toMatchObject({ pid, restarts, state: 'ready' })
  })
})

describe('switching off and removing', () => {
  // Counts in the plugin's own storage, and leaves a file in its own folder.
  const counting = {
    top: `import { existsSync, writeFileSync } from 'node:fs'`,
    more: `async setup(host) {
    const keys = await host.getPluginStorageKeys()
    await host.setPluginStorage('start-' + keys.length, new Uint8Array([1]))
  },`,
    run: `const note = process.env.HOME + '/note'; const known = existsSync(note); writeFileSync(note, 'x')
    const keys = await ctx.host.getPluginStorageKeys()
    await ctx.reply([known, keys.length].join(' '))`,
  }

  test(
    'a disabled plugin does not run, also after a restart of the host; enabled it answers again',
    TIMEOUT,
    async () => {
      const one = await t.install({ name: 'switched', run: says('here') })
      const bot = await t.chat('switched')
      expect(await t.ask(bot, 'go')).toBe('here')
      await t.host.plugins.setEnabled(one.installation_uuid, false)
      expect(t.status(one)).toMatchObject({ state: 'disabled', pid: null })
      expect(t.host.plugins.runner('plugin:acme/switched/answer')).toMatchObject({ code: 'runner.plugin_disabled' })
      await t.restart()
      expect(t.status(one)).toMatchObject({ state: 'disabled', pid: null })
      await t.host.plugins.setEnabled(one.installation_uuid, true)
      expect(await t.ask(bot, 'go')).toBe('here')
    },
  )

  test('removed without its data it is gone, and finds its data when it is installed again', TIMEOUT, async () => {
    const one = await t.install({ name: 'kept', ...counting })
    const bot = await t.chat('kept')
    await expect.poll(() => t.ask(bot, 'go'), { timeout: PATIENCE_MS }).toBe('true 1')
    await t.host.plugins.remove(one.installation_uuid, { data: false })
    expect(t.host.plugins.status(one.installation_uuid)).toBeUndefined()
    expect(t.host.plugins.installations().some(({ plugin_id }) => plugin_id === 'acme/kept')).toBe(false)
    expect(t.host.plugins.runner('plugin:acme/kept/answer')).toMatchObject({ code: 'runner.plugin_not_found' })
    expect(existsSync(join(t.data, 'plugins', 'acme__kept'))).toBe(false)
    await t.restart()
    expect(t.host.plugins.installations().some(({ plugin_id }) => plugin_id === 'acme/kept')).toBe(false)

    const again = await t.host.plugins.install({ path: await t.pack({ name: 'kept', ...counting }) })
    // Its approval is not among what was kept.
    expect(again).toMatchObject({ approved: false, installation_uuid: one.installation_uuid })
    await approve(again)
    await expect.poll(() => t.ask(bot, 'go'), { timeout: PATIENCE_MS }).toBe('true 2')
  })

  test('removed with its data nothing of it is left', TIMEOUT, async () => {
    const one = await t.install({ name: 'erased', ...counting })
    await expect.poll(async () => t.ask(await t.chat('erased'), 'go'), { timeout: PATIENCE_MS }).toBe('true 1')
    await t.host.plugins.remove(one.installation_uuid, { data: true })
    expect(readdirSync(join(t.data, 'plugins-private'))).not.toContain(one.installation_uuid)
    const { store } = t.host
    for (const [table, column] of [
      ['installations', 'installation_uuid'],
      ['binary_storage', `replace(owner_key, 'plugin:', '')`],
    ]) {
      const left = await store.first<{ n: number }>({
        sql: `select count(*) as n from ${table} where ${column} = ?`,
        params: [one.installation_uuid],
      })
      expect([table, left?.n]).toEqual([table, 0])
    }
    const again = await t.install({ name: 'erased', ...counting })
    expect(again.installation_uuid).not.toBe(one.installation_uuid)
    await expect.poll(async () => t.ask(await t.chat('erased'), 'go'), { timeout: PATIENCE_MS }).toBe('true 1')
  })
})

test('after a restart of the host everything is as it was: approved plugins run, others do not', TIMEOUT, async () => {
  const running = await t.install({ name: 'lasting', run: says('still') })
  const waiting = await t.host.plugins.install({ path: await t.pack({ name: 'unapproved' }) })
  await t.restart()
  await t.until(running, ({ state }) => state === 'ready')
  expect(await t.ask(await t.chat('lasting'), 'go')).toBe('still')
  expect(t.status(waiting)).toMatchObject({ state: 'not_approved', pid: null })
})
