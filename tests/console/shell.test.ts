/** The frame around every page: where one can go, by mouse and keyboard; what it says when host or session are gone. */
import { expect, test } from 'vitest'
import { accessible, consoleBench, everyView, PATIENCE, settled } from './harness.ts'

const bench = consoleBench()

everyView(bench, 'palette', '/chats', async (page) => {
  await settled(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to anything' }).waitFor()
  await page.keyboard.type('e')
  await page.getByRole('option', { name: 'Events' }).waitFor()
})

test(
  'every page of the rail opens by its word, names the tab, and is accessible',
  async () => {
    const page = await bench.open('/')
    await page.waitForURL('**/console/chats')
    const rail = page.getByRole('navigation', { name: 'Pages' }).first()
    await rail.getByRole('link', { name: 'Settings' }).waitFor()
    const names = await rail.getByRole('link').allInnerTexts()
    expect(names).toEqual(['Chats', 'Runs', 'Events', 'Bots', 'Agents', 'Plugins', 'Settings'])
    for (const name of names) {
      await rail.getByRole('link', { name }).click()
      await page.waitForFunction((title) => document.title.startsWith(title), name)
      await settled(page)
      await accessible(page)
      expect(await rail.locator('[aria-current=page]').innerText()).toBe(name)
    }
  },
  PATIENCE,
)

test(
  'by keyboard alone: skip link, palette, page and back',
  async () => {
    const page = await bench.open('/chats')
    await page.getByRole('heading', { name: 'Chats' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the page')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('plu')
    await page.getByRole('option', { name: 'Plugins' }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/plugins')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('team')
    await page
      .getByRole('option', { name: /Team bot/ })
      .first()
      .click()
    await page.waitForURL(`**/console/bots/${bench.botUuid}`)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to anything' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Go to anything' }).waitFor({ state: 'detached' })
    // The focus goes back to where it was.
    const search = page.getByRole('button', { name: 'Search' }).first()
    await search.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Go to anything' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => search.evaluate((node) => node === document.activeElement)).toBe(true)
    await page.getByRole('combobox', { name: 'Go to anything' }).waitFor({ state: 'detached' })
  },
  PATIENCE,
)

test(
  'theme and language are chosen once and kept, without a flash and without a script of the page',
  async () => {
    const page = await bench.open('/settings')
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(await ground()).toBe('rgb(255, 255, 255)')
    await page.getByLabel('Theme', { exact: true }).selectOption('dark')
    expect(await ground()).toBe('rgb(20, 22, 27)')
    await page.getByLabel('Language', { exact: true }).selectOption('ja')
    await page.getByRole('heading', { name: '設定', exact: true }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: '設定', exact: true }).waitFor()
    expect(await ground()).toBe('rgb(20, 22, 27)')
    expect(await page.evaluate('document.documentElement.lang')).toBe('ja')
  },
  PATIENCE,
)

test(
  'a browser that prefers Chinese reads Chinese',
  async () => {
    const page = await bench.open('/runs', { locale: 'zh-CN' })
    await page.getByRole('heading', { name: '运行' }).waitFor()
  },
  PATIENCE,
)

test(
  'without a session the address asks to sign in; a page that does not exist says so and keeps the rail',
  async () => {
    const page = await bench.open('/runs', { signedIn: false })
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const inside = await bench.open('/nowhere/at/all')
    await inside.getByText('There is no such page').waitFor()
    await inside.getByRole('link', { name: 'Go to chats' }).click()
    await inside.waitForURL('**/console/chats')
  },
  PATIENCE,
)

test(
  'it says that it is live, and that it is not when the connection is cut; it comes back by itself',
  async () => {
    const page = await bench.open('/plugins')
    await page.locator('[data-live=live]').first().waitFor()
    await page.route('**/api/v1/live', (route) => route.abort())
    await page.reload()
    await page.locator('[data-live=cut]').first().waitFor()
    await page.getByText("The host can't be reached.").waitFor()
    await page.unroute('**/api/v1/live')
    await page.locator('[data-live=live]').first().waitFor()
    await page.getByText("The host can't be reached.").waitFor({ state: 'detached' })
  },
  PATIENCE,
)
