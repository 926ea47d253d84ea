/** Plugins: how each is and why, approval, settings, live log, steps, installation, debug key. Packages are real processes. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deriveManifest, MANIFEST_FILE } from '@runbound/host'
import { manifestOf, type Plugin } from '@runbound/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RUNTIME } from '../requirements/transports.ts'
import crashing from './crashing-plugin.ts'
import { CHROMIUM, consoleBench, everyView, PATIENCE, settled } from './harness.ts'
import packed from './packed-plugin.ts'

/** Machines may be busy. */
const SOON = { timeout: 20_000 }
const bench = consoleBench({ runtime: RUNTIME, seeded: false })
const HERE = fileURLToPath(new URL('.', import.meta.url))
let folder: string

/** As `pack` leaves it: the module and its manifest in a folder. */
function pack(plugin: Plugin, file: string): string {
  const target = join(folder, basename(file, '.ts'))
  mkdirSync(target)
  cpSync(join(HERE, file), join(target, file))
  writeFileSync(join(target, MANIFEST_FILE), JSON.stringify(manifestOf(plugin, { entry: file })))
  return target
}

beforeAll(async () => {
  if (CHROMIUM === undefined) return
  folder = mkdtempSync(join(tmpdir(), 'runbound-packages-'))
  await bench.client.installPlugin({ body: { path: pack(packed, 'packed-plugin.ts') } })
  const storm = await bench.client.installPlugin({ body: { path: pack(crashing, 'crashing-plugin.ts') } })
  const { manifest_digest, package_digest } = storm
  await bench.client.approvePlugin({
    params: storm,
    body: { manifest_digest, package_digest, accept_not_isolated: true },
  })
}, PATIENCE)
afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

async function uuidOf(name: string): Promise<string> {
  const { items } = await bench.client.listPlugins()
  return items.find(({ plugin_id }) => plugin_id === `acme/${name}`)?.installation_uuid ?? ''
}
async function openPlugin(name: string, tab = ''): Promise<Page> {
  return bench.open(`/plugins/${await uuidOf(name)}${tab === '' ? '' : `?tab=${tab}`}`)
}

everyView(bench, 'plugins', '/plugins', async (page) => {
  const list = page.getByRole('list', { name: 'Plugins' })
  await list.getByRole('link', { name: /acme\/umbrella.*Waits for approval/s }).waitFor()
  await list
    .getByRole('link', { name: /acme\/storm/ })
    .getByText(/restart/)
    .waitFor()
})

everyView(bench, 'plugins-approve', '/plugins', async (page) => {
  await page.getByRole('link', { name: /acme\/umbrella/ }).click()
  await page.getByRole('status').getByRole('button', { name: 'Review and approve' }).click()
  const dialog = page.getByRole('dialog', { name: 'Approve acme/umbrella 2.0.0?' })
  await dialog.getByRole('switch').first().waitFor()
})

everyView(bench, 'plugins-permissions', '/plugins', async (page) => {
  await page.getByRole('link', { name: /acme\/umbrella/ }).click()
  await page.getByRole('tab', { name: 'Permissions' }).click()
  await page.getByRole('list', { name: 'answer' }).getByText('history:page').waitFor()
})

test(
  'a plugin is approved as it is shown, is ready by itself, and its log is live, paused, narrowed and kept in the address',
  async () => {
    const page = await openPlugin('umbrella')
    await page.getByRole('status').getByRole('button', { name: 'Review and approve' }).click()
    const dialog = page.getByRole('dialog', { name: 'Approve acme/umbrella 2.0.0?' })
    const { manifest_digest, package_digest } = await bench.client.getPlugin({
      params: { installation_uuid: await uuidOf('umbrella') },
    })
    await dialog.getByText(manifest_digest).waitFor()
    await dialog.getByText(package_digest).waitFor()
    const bare = dialog.getByRole('switch', { name: 'Run it without isolation' })
    await dialog.getByRole('switch').first().waitFor()
    if (await bare.isVisible()) await bare.click()
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('header').getByText('Ready').waitFor()

    await page.getByRole('tab', { name: 'Logs' }).click()
    const log = page.getByRole('log', { name: 'Log' })
    await log.getByText(/beat 1$/).waitFor()
    const beats = log.getByText(/beat \d+/)
    const seen = await beats.count()
    await expect.poll(() => beats.count(), SOON).toBeGreaterThan(seen)
    await page.getByRole('button', { name: 'Pause' }).click()
    const held = await beats.count()
    await page.getByRole('button', { name: /Resume · \d+ new line/ }).waitFor()
    expect(await beats.count()).toBe(held)
    await page.getByRole('button', { name: /Resume/ }).click()
    await expect.poll(() => beats.count(), SOON).toBeGreaterThan(held)
    await page.getByLabel('Level').selectOption('error')
    await expect.poll(() => beats.count(), SOON).toBe(0)
    await page.reload()
    await log.getByText('answered 503').waitFor()
    expect(await beats.count()).toBe(0)
    await page.getByLabel('Level').selectOption('debug')
    await page.getByRole('searchbox', { name: 'Filter lines' }).fill('slow')
    await expect.poll(() => beats.count(), SOON).toBe(0)
    await log.getByText('slow today').waitFor()
  },
  PATIENCE,
)

test(
  '[D109] settings show what is stored with the defaults, a save that is refused keeps the input, a secret is never shown',
  async () => {
    const params = { installation_uuid: await uuidOf('umbrella') }
    const page = await openPlugin('umbrella', 'settings')
    const city = page.getByLabel('City')
    await city.waitFor()
    expect(await city.inputValue()).toBe('Oslo')
    await city.fill('Bergen')
    await page.route('**/settings', (route) => route.abort())
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').first().waitFor()
    expect(await city.inputValue()).toBe('Bergen')
    await page.unroute('**/settings')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(async () => (await bench.client.getPlugin({ params })).settings, SOON)
      .toMatchObject({ city: 'Bergen', hourly: false })
    await page.reload()
    await expect.poll(() => city.inputValue(), SOON).toBe('Bergen')

    await bench.client.setPluginSettings({ params, body: { city: 'Bergen', api_key: 'sk-umbrella' } })
    await page.reload()
    await city.waitFor()
    await settled(page)
    expect(await page.content()).not.toContain('sk-umbrella')
    await city.fill('Voss')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(async () => (await bench.client.getPlugin({ params })).settings, SOON)
      .toMatchObject({ city: 'Voss' })
    expect((await bench.client.getPlugin({ params })).settings.api_key).toBe('(set)')
  },
  PATIENCE,
)

everyView(bench, 'plugins-settings', '/plugins', async (page) => {
  await page.getByRole('link', { name: /acme\/umbrella/ }).click()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByLabel('City').waitFor()
})

everyView(bench, 'plugins-overview', '/plugins', async (page) => {
  await page.getByRole('link', { name: /acme\/umbrella/ }).click()
  await page.getByRole('list', { name: 'Components' }).getByText('Umbrella answer').waitFor()
})

everyView(bench, 'plugins-logs', '/plugins', async (page) => {
  await page.getByRole('link', { name: /acme\/umbrella/ }).click()
  await page.getByRole('tab', { name: 'Logs' }).click()
  await page
    .getByRole('log')
    .getByText(/beat \d+/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
})

test(
  '[D25] a field that a new version brings is there in a form that is open, and what was typed is kept',
  async () => {
    const page = await openPlugin('umbrella', 'settings')
    await page.getByLabel('City').fill('Narvik')
    const next = join(folder, 'umbrella-next')
    mkdirSync(next)
    const source = readFileSync(join(HERE, 'packed-plugin.ts'), 'utf8')
      .replace("version: '2.0.0'", "version: '2.1.0'")
      .replace('hourly: field', "river: field.string({ label: 'River' }), hourly: field")
    writeFileSync(join(next, 'index.ts'), source)
    await deriveManifest({ runtime: RUNTIME, folder: next, entry: 'index.ts' })
    const installed = await bench.client.installPlugin({ body: { path: next } })
    await page.getByLabel('River').waitFor()
    expect(await page.getByLabel('City').inputValue()).toBe('Narvik')
    const { manifest_digest, package_digest } = installed
    const body = { manifest_digest, package_digest, accept_not_isolated: true }
    await bench.client.approvePlugin({ params: installed, body })
    await page.locator('header').getByText('Ready').waitFor()
  },
  PATIENCE,
)

test(
  'one in a crash loop says so and how often it was started; disable asks by name, ends it, and enable brings it back',
  async () => {
    const page = await openPlugin('storm')
    await page
      .getByRole('status')
      .getByText(/the next start is in/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'More steps' }).click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    const dialog = page.getByRole('dialog', { name: 'Disable acme/storm?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'More steps' }).click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await dialog.getByRole('button', { name: 'Disable' }).click()
    await page.locator('header').getByText('Disabled').waitFor()
    await page.getByRole('status').getByRole('button', { name: 'Enable' }).click()
    await page.locator('header').getByText('Disabled').waitFor({ state: 'detached' })
  },
  PATIENCE,
)

test(
  'what changes outside runs is sent as a grant, and nothing else is',
  async () => {
    const params = { installation_uuid: await uuidOf('umbrella') }
    const page = await openPlugin('umbrella', 'permissions')
    await page.getByRole('button', { name: 'Change' }).click()
    const dialog = page.getByRole('dialog', { name: 'What acme/umbrella may do outside runs' })
    const workspace = dialog.getByRole('listitem').filter({ hasText: 'storage:workspace' }).getByRole('switch')
    await workspace.first().waitFor()
    expect(await workspace.first().getAttribute('aria-checked')).toBe('false')
    await workspace.first().click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const after = await bench.client.getPlugin({ params })
    expect(after.installation_grant.storage).toEqual({ plugin: true, workspace: true })
    const { items } = await bench.client.pluginPermissions({ params })
    expect(items.find(({ thing }) => thing === 'storage:workspace')?.allowed).toBe(true)
  },
  PATIENCE,
)

test(
  'installation from a folder of the host: a wrong one is refused at the field with the cause, a right one is reviewed next; removal names it',
  async () => {
    const page = await bench.open('/plugins?add=install')
    const field = page.getByLabel('Folder on the host')
    await field.fill(join(folder, 'nowhere'))
    await field.press('Enter')
    await page.getByText(/is no folder/).waitFor()
    expect(await field.inputValue()).toContain('nowhere')
    const { installation_uuid } = { installation_uuid: await uuidOf('storm') }
    await bench.client.removePlugin({ params: { installation_uuid }, query: { data: 'true' } })
    await field.fill(join(folder, 'crashing-plugin'))
    await field.press('Enter')
    await page.waitForURL('**/plugins/*tab=permissions*')
    await page.locator('header').getByText('Waits for approval').waitFor()
    await page.getByRole('button', { name: 'More steps' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove acme/storm?' })
    const data = dialog.getByRole('switch', { name: 'Delete what it has stored, too' })
    expect(await data.getAttribute('aria-checked')).toBe('false')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.waitForURL(/\/plugins$/)
    expect(await uuidOf('storm')).toBe('')
  },
  PATIENCE,
)

test(
  'a debug key is shown once, with its address and its end',
  async () => {
    const page = await bench.open('/plugins')
    await page.getByRole('button', { name: 'Debug key' }).click()
    const dialog = page.getByRole('dialog', { name: 'A key for debug connections' })
    await dialog.getByRole('button', { name: 'Make a key' }).click()
    const key = await dialog.locator('code').first().innerText()
    expect(await bench.test.host.plugins.knowsDebugKey(key)).toBe(true)
    await dialog.getByText(/in 2 hours/).waitFor()
    // [D104] Over every page, until the key ends.
    await page.getByText(/Debugging is on: .*debug keys: 1/).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Debug key' }).click()
    await dialog.getByRole('button', { name: 'Make a key' }).waitFor()
    expect(await page.content()).not.toContain(key)
  },
  PATIENCE,
)
