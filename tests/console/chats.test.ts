/** Chats: every conversation of every bot, live, with who said what by which run; a web chat tried in place. */
import { expect, test } from 'vitest'
import { consoleBench, everyView, PATIENCE, settled } from './harness.ts'

const bench = consoleBench()

everyView(bench, 'chats', '/chats', async (page, { size }) => {
  const list = page.getByRole('list', { name: 'Conversations' })
  await list.getByRole('link', { name: /^Lounge/ }).waitFor()
  if (size === 'phone') return
  await list.getByRole('link', { name: /^Lounge/ }).click()
  await page.getByRole('log').getByText('Who brings an umbrella?', { exact: true }).waitFor()
})

everyView(bench, 'chats-conversation', '/chats', async (page) => {
  await page.getByRole('link', { name: /^Ann/ }).first().click()
  await page.getByRole('log').getByText('Will it rain in Oslo tomorrow?', { exact: true }).waitFor()
})

everyView(
  bench,
  'chats-try',
  () => `/chats?try=${bench.webchatUuid}`,
  async (page) => {
    await page.frameLocator('iframe').locator('.status[data-state=open]').waitFor({ state: 'attached' })
  },
)

test(
  'what is said now appears by itself, in the list and in the open conversation, with a link to its run',
  async () => {
    const page = await bench.open('/chats')
    await page.getByRole('link', { name: /^Ben/ }).first().click()
    await page.locator('[data-live=live]').first().waitFor()
    await bench.bot.say('Is it live?', { sender: 'Ben' })
    await page.getByRole('log').getByText('Is it live?', { exact: true }).waitFor()
    await page
      .getByRole('log')
      .getByText(/You wrote: "Is it live\?"/)
      .waitFor()
    await bench.quiet()
    const run = page.getByRole('log').getByRole('link', { name: /^Run / }).last()
    await run.click()
    await page.waitForURL('**/console/runs/**')
    await page.goBack()
    await page.getByRole('log').getByText('Is it live?', { exact: true }).waitFor()
  },
  PATIENCE,
)

test(
  'a long conversation opens at its end; older messages come as one scrolls up, and nothing jumps',
  async () => {
    for (let at = 1; at <= 70; at++) await bench.bot.say(`line ${at}`, { sender: 'Zoe' })
    await bench.quiet()
    const page = await bench.open('/chats')
    await page.getByRole('link', { name: /^Zoe/ }).first().click()
    const log = page.getByRole('log')
    await log.getByText('line 70', { exact: true }).waitFor()
    const fromFoot = () => log.evaluate((node) => node.scrollHeight - node.scrollTop - node.clientHeight)
    expect(await fromFoot()).toBeLessThan(2)
    expect(await log.getByText('line 1', { exact: true }).count()).toBe(0)
    for (let tries = 0; tries < 40 && (await log.getByText('line 1', { exact: true }).count()) === 0; tries++) {
      const before = await log.locator('article').count()
      await log.evaluate((node) => node.scrollTo({ top: 0 }))
      await expect.poll(() => log.locator('article').count(), { timeout: 15_000 }).toBeGreaterThan(before)
      // What was at the top stays in view: the older ones are above it.
      expect(await log.evaluate((node) => node.scrollTop)).toBeGreaterThan(100)
    }
    await log.getByText('line 1', { exact: true }).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Newest' }).click()
    await expect.poll(fromFoot).toBeLessThan(2)
  },
  PATIENCE,
)

test(
  'the list is narrowed by name and by bot; the address keeps what is open through a reload',
  async () => {
    const page = await bench.open('/chats')
    await page.getByRole('link', { name: /^Chen/ }).first().waitFor()
    await page.getByRole('searchbox').fill('loun')
    await page.getByRole('link', { name: /^Chen/ }).first().waitFor({ state: 'detached' })
    await page
      .getByRole('link', { name: /^Lounge/ })
      .first()
      .click()
    await page.getByRole('searchbox').fill('nobody is called this')
    await page.getByText('Nothing fits').waitFor()
    await page.reload()
    await page.getByRole('log').getByText('Who brings an umbrella?', { exact: true }).waitFor()
    await page.getByLabel('Bot', { exact: true }).selectOption({ label: 'Web chat' })
    await page.getByText('No conversations yet').waitFor()
    expect(page.url()).toContain(bench.webchatUuid)
  },
  PATIENCE,
)

test(
  'a web chat is tried in place: what is said there is answered, listed, and shown in the theme of the console',
  async () => {
    const page = await bench.open(`/chats?try=${bench.webchatUuid}`, { theme: 'dark' })
    const chat = page.frameLocator('iframe')
    await chat.locator('#composer-text').fill('Hello from inside')
    await chat.locator('#composer-text').press('Enter')
    await chat
      .locator('article')
      .getByText(/You wrote: "Hello from inside"/)
      .waitFor()
    await page
      .getByRole('list', { name: 'Conversations' })
      .getByText(/Hello from inside/)
      .waitFor()
    await page.getByRole('button', { name: 'Theme, language and account' }).click()
    await page.getByRole('menuitemradio', { name: 'Light' }).click()
    await expect
      .poll(() => chat.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor))
      .toBe('rgb(255, 255, 255)')
    await settled(page)
  },
  PATIENCE,
)
