/** `runbound plugin pack|install|approve|set|list|remove`: nothing runs that was not approved, settings survive, one never stops another. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, json, newFolder, PATIENCE, type RunningHost, runbound, startHost, stopHost } from './harness.ts'
import { type PluginText, writePlugin } from './plugins-of-tests.ts'

let host: RunningHost
let data = ''
beforeAll(async () => {
  data = newFolder()
  host = await startHost(data)
}, PATIENCE)
afterAll(() => stopHost(host).then(() => undefined), PATIENCE)

/** Packs a plugin with this text; the folder of the package. */
async function packed(text: PluginText): Promise<string> {
  const folder = writePlugin(join(newFolder(), 'plugin'), text)
  await json(['plugin', 'pack', folder])
  return join(folder, 'dist')
}
const install = (folder: string) => runbound(['plugin', 'install', folder, '--yes', '--accept-not-isolated'], { data })
async function lineOf(name: string) {
  const { items } = await host.client.listPlugins()
  return items.find((one) => one.plugin_id === `test/${name}`)
}
async function shown(name: string) {
  const line = await lineOf(name)
  return host.client.getPlugin({ params: { installation_uuid: line?.installation_uuid ?? '' } })
}

test(
  'pack bundles what is imported; install shows, asks, approves exactly that; other bytes need a new approval',
  async () => {
    const folder = writePlugin(join(newFolder(), 'packed'), { name: 'packed', before: "import { words } from 'words'" })
    const library = join(folder, 'node_modules', 'words')
    mkdirSync(library, { recursive: true })
    writeFileSync(join(library, 'package.json'), '{ "name": "words", "version": "1.0.0", "main": "index.js" }')
    writeFileSync(join(library, 'index.js'), "exports.words = ['from a library']")
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'assets', 'list.txt'), 'a\n')
    writePlugin(folder, { name: 'packed', before: "import { words } from 'words'", run: 'await ctx.reply(words[0])' })
    const made = await json(['plugin', 'pack', folder])
    const out = join(folder, 'dist')
    expect(made).toMatchObject({ folder: out, plugin_id: 'test/packed', version: '1.0.0' })
    expect(readdirSync(out).sort()).toEqual(['assets', 'index.mjs', 'runbound.manifest.json'])
    expect(readFileSync(join(out, 'index.mjs'), 'utf8')).toContain('from a library')

    const asked = await runbound(['plugin', 'install', out], { data })
    expect(asked).toMatchObject({ code: 2, stdout: '' })
    expect(asked.stderr).toMatch(/test\/packed 1\.0\.0[\s\S]*Runner talk: agent; asks for tools:call[\s\S]*--yes/)
    expect(await lineOf('packed')).toBeUndefined()

    const installed = await install(out)
    expect(installed.code).toBe(0)
    expect(installed.stdout).toContain('approved and ready')
    const first = await shown('packed')
    expect(first.folder).toContain(data)

    // The same version with other bytes: nothing of it runs until somebody has said yes to it.
    writePlugin(folder, {
      name: 'packed',
      before: "import { words } from 'words'",
      run: "await ctx.reply(words[0] + '!')",
    })
    await json(['plugin', 'pack', folder])
    const changed = await host.client.installPlugin({ body: { path: out } })
    expect(changed).toMatchObject({ installation_uuid: first.installation_uuid, approved: false })
    expect(await lineOf('packed')).toMatchObject({ state: 'not_approved', pid: null })
    const stale = host.client.approvePlugin({
      params: { installation_uuid: first.installation_uuid },
      body: { manifest_digest: first.manifest_digest, package_digest: first.package_digest },
    })
    await expect(stale).rejects.toMatchObject({ code: 'conflict' })
    expect((await runbound(['plugin', 'approve', 'packed', '--yes'], { data })).code).toBe(0)
    expect(await lineOf('packed')).toMatchObject({ state: 'ready', approved: true })

    // Bytes that changed on the disk were not approved either.
    const place = (await shown('packed')).folder ?? ''
    chmodSync(join(place, 'index.mjs'), 0o644)
    writeFileSync(join(place, 'index.mjs'), `${readFileSync(join(place, 'index.mjs'), 'utf8')}\n`)
    expect((await runbound(['plugin', 'restart', 'packed'], { data })).code).toBe(0)
    expect((await lineOf('packed'))?.message).toContain('files have changed')

    expect((await runbound(['plugin', 'remove', 'packed'], { data })).code).toBe(2)
    expect((await runbound(['plugin', 'remove', 'packed', '--yes'], { data })).code).toBe(0)
    expect(await lineOf('packed')).toBeUndefined()
  },
  PATIENCE,
)

test(
  'what can not be packed or installed says why, and changes nothing',
  async () => {
    const folder = writePlugin(join(newFolder(), 'wrong'), { name: 'wrong', before: "import 'not-there'" })
    const missing = await runbound(['plugin', 'pack', folder])
    expect(missing).toMatchObject({ code: 1, stdout: '' })
    expect(missing.stderr).toMatch(/index\.ts:2:\d+: .*not-there/)

    writePlugin(folder, { name: 'wrong', before: "throw new Error('no luck')" })
    expect((await runbound(['plugin', 'pack', folder])).stderr).toContain('no luck')
    expect(readdirSync(folder).sort()).toEqual(['index.ts', 'package.json'])

    writePlugin(folder, { name: 'wrong' })
    expect((await runbound(['plugin', 'pack', folder, '-o', folder])).code).toBe(2)
    const full = newFolder()
    writeFileSync(join(full, 'mine'), '')
    expect((await runbound(['plugin', 'pack', folder, '-o', full])).stderr).toContain('holds something else')
    expect(readdirSync(full)).toEqual(['mine'])

    mkdirSync(join(folder, 'assets'))
    symlinkSync('/etc/hostname', join(folder, 'assets', 'link'))
    const linked = await runbound(['plugin', 'pack', folder])
    expect(linked.stderr).toContain('"assets/link" is a symbolic link')
    const checked = await runbound(['plugin', 'check', folder])
    expect(checked.code).toBe(1)
    expect(checked.stdout).toContain('symbolic link')

    for (const [path, why] of [
      [newFolder(), /There is no runbound\.manifest\.json/],
      [join(folder, 'nowhere'), /is no folder/],
      [folder, /symbolic link/],
    ] as const) {
      const refused = await install(path)
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toMatch(why)
    }
    expect((await runbound(['plugin', 'show', 'nobody'], { data })).stderr).toContain('There is no plugin "nobody"')
  },
  PATIENCE,
)

test(
  '[D109] [D111] settings are shown with defaults, checked, and kept over upgrade and downgrade',
  async () => {
    const v1: PluginText = {
      name: 'kept',
      plugin:
        "config: { url: field.string({ default: 'none' }), token: field.secret(), old: field.integer({ default: 7 }) },",
    }
    const v2: PluginText = {
      ...v1,
      version: '2.0.0',
      plugin:
        "config: { url: field.string({ default: 'none' }), token: field.secret(), retries: field.integer({ default: 3 }) },",
    }
    const [one, two] = [await packed(v1), await packed(v2)]
    expect((await install(one)).code).toBe(0)
    expect((await shown('kept')).settings).toEqual({ url: 'none', old: 7 })

    const saved = await json(['plugin', 'set', 'kept', 'url=x', 'token=hush', 'old=8'], { data })
    expect(saved).toMatchObject({ settings: { url: 'x', token: '(set)', old: 8 } })
    const show = await runbound(['plugin', 'show', 'kept'], { data })
    expect(show.stdout).toContain('"url":"x"')
    expect(show.stdout + show.stderr).not.toContain('hush')
    const wrong = await runbound(['plugin', 'set', 'kept', 'old=many'], { data })
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain('expected a number')
    expect((await runbound(['plugin', 'set', 'kept', 'nope=1'], { data })).stderr).toContain('there is no such setting')

    // Saved again as shown: nothing changes, the secret stays.
    const params = { installation_uuid: (await shown('kept')).installation_uuid }
    const again = await host.client.setPluginSettings({ params, body: (await shown('kept')).settings })
    expect(again.settings).toEqual({ url: 'x', token: '(set)', old: 8 })

    const upgrade = await install(two)
    expect(upgrade.code).toBe(0)
    expect(upgrade.stderr).toMatch(
      /takes the place of 1\.0\.0[\s\S]*new settings: retries[\s\S]*kept for the way back: old/,
    )
    expect(await shown('kept')).toMatchObject({
      version: '2.0.0',
      settings: { url: 'x', token: '(set)', retries: 3 },
      kept_settings: ['old'],
    })
    expect((await runbound(['plugin', 'set', 'kept', 'retries=5'], { data })).code).toBe(0)

    expect((await install(one)).code).toBe(0)
    expect(await shown('kept')).toMatchObject({
      version: '1.0.0',
      settings: { url: 'x', token: '(set)', old: 8 },
      kept_settings: ['retries'],
    })
    expect(await json(['plugin', 'set', 'kept', '--unset', 'url'], { data })).toMatchObject({
      settings: { url: 'none' },
    })
  },
  PATIENCE,
)

test(
  '[D9] of three plugins the middle one throws on import: the others run, it shows its own error',
  async () => {
    for (const name of ['left', 'right']) expect((await install(await packed({ name }))).code).toBe(0)
    // It packs, and fails later: as with a file that is missing on this machine only.
    const middle = await packed({ name: 'middle' })
    writeFileSync(join(middle, 'index.mjs'), "throw new Error('no luck today')\n")
    const installed = await install(middle)
    expect(installed.code).toBe(1)
    expect(installed.stderr).toContain('no luck today')

    for (const name of ['left', 'middle', 'right']) {
      const { installation_uuid } = await shown(name)
      await host.client.restartPlugin({ params: { installation_uuid } })
    }
    await eventually(async () => {
      expect(await lineOf('left')).toMatchObject({ state: 'ready' })
      expect(await lineOf('right')).toMatchObject({ state: 'ready' })
      expect((await lineOf('middle'))?.message).toMatch(/no luck today.*index\.mjs:1/)
    })
    const logs = await runbound(['plugin', 'logs', 'middle', '-n', '5'], { data })
    expect(logs.stdout).toContain('no luck today')
  },
  PATIENCE,
)

test(
  'plugins are switched off and on, and a debug key is given',
  async () => {
    expect((await install(await packed({ name: 'switched' }))).code).toBe(0)
    expect(await json(['plugin', 'disable', 'switched'], { data })).toMatchObject({ state: 'disabled' })
    expect(await json(['plugin', 'enable', 'test/switched'], { data })).toMatchObject({ state: 'ready' })
    const list = await runbound(['plugin', 'list'], { data })
    expect(list.stdout).toMatch(/test\/switched +1\.0\.0 +package +ready/)
    const key = await json(['plugin', 'debug-key'], { data })
    expect(key).toMatchObject({ url: `${host.url.replace('http', 'ws')}/plugin/debug/ws` })
  },
  PATIENCE,
)
