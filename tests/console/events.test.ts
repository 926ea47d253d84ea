/** Events: what came in, why it was answered or not, found by words, link or id; the ways to stay silent. */
import { sampleEvent } from '@runbound/platform-kit/scriptable'
import { expect, test } from 'vitest'
import { consoleBench, everyView, PATIENCE } from './harness.ts'

/** Machines may be busy. */
const SOON = { timeout: 20_000 }
const bench = consoleBench()
const eventOf = async (q: string): Promise<string> =>
  (await bench.client.listEvents({ query: { q } })).items[0]?.event_id ?? ''

everyView(bench, 'events', '/events', async (page) => {
  await page
    .getByRole('list', { name: 'Events' })
    .getByRole('link', { name: /silent please/ })
    .waitFor()
  await page
    .getByRole('combobox', { name: 'Bot' })
    .getByRole('option', { name: 'Team bot' })
    .waitFor({ state: 'attached' })
})

everyView(bench, 'events-detail', '/events?q=silent', async (page) => {
  await page.getByRole('link', { name: /silent please/ }).click()
  await page.getByRole('region', { name: 'Why no answer?' }).getByText('run_completed').waitFor()
  await page.getByRole('list', { name: 'Trail' }).getByText('Routing').waitFor()
})

everyView(bench, 'events-silence', '/events/silence', async (page) => {
  const ways = page.getByRole('list', { name: 'Ways to stay silent' }).getByRole('listitem')
  await ways.first().waitFor()
  expect(await ways.count()).toBe(15)
})

test(
  'each row says why in one sentence with its code; filters and search stand in the address and survive a reload',
  async () => {
    const page = await bench.open('/events')
    const list = page.getByRole('list', { name: 'Events' })
    const failed = list.getByRole('link', { name: /seems to fail/ })
    await failed.getByText('run_failed').waitFor()
    // The agent's failure is told, although the processor that only watches was content.
    await failed.getByText(/of "Weather helper" failed: .*The weather service does not answer/).waitFor()
    await page.getByLabel('Outcome').selectOption('failed')
    await page.waitForURL('**outcome=failed*')
    await expect.poll(() => list.getByRole('link').count(), SOON).toBe(1)
    await page.getByLabel('Outcome').selectOption('silent')
    await list.getByRole('link', { name: /silent please/ }).waitFor()
    await expect.poll(() => list.getByRole('link').count(), SOON).toBe(1)
    await page.reload()
    await expect.poll(() => list.getByRole('link').count(), SOON).toBe(1)
    await page.getByLabel('Bot').selectOption({ label: 'Shop API' })
    await page.getByText('Nothing fits').waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await list.getByRole('link', { name: /umbrella/ }).waitFor()
    await page.getByLabel('Time').selectOption('hour')
    await page.waitForURL('**range=hour*')
    await list.getByRole('link', { name: /umbrella/ }).waitFor()
  },
  PATIENCE,
)

test(
  'found by words, by a pasted message link, by a message id and by an event id',
  async () => {
    const [event] = (await bench.client.listEvents({ query: { q: 'umbrella' } })).items
    const { event_id = '', message_id = '' } = event ?? {}
    const page = await bench.open('/events')
    const list = page.getByRole('list', { name: 'Events' })
    const search = page.getByRole('searchbox')
    for (const text of [
      'brings an umbrella',
      `https://chat.example/c/lounge/${message_id}`,
      `${message_id}`,
      event_id,
    ]) {
      await search.fill('')
      await expect.poll(() => list.getByRole('link').count(), SOON).toBeGreaterThan(1)
      await search.fill(text)
      await expect.poll(() => list.getByRole('link').count(), { ...SOON, message: text }).toBe(1)
      await list.getByRole('link', { name: /Who brings an umbrella/ }).waitFor()
    }
  },
  PATIENCE,
)

test(
  'what comes in now appears by itself; arrow keys move, Enter opens',
  async () => {
    const page = await bench.open('/events')
    await page.locator('[data-live=live]').first().waitFor()
    await bench.bot.say('Is it live?', { sender: 'Ben' })
    const row = page.getByRole('link', { name: /Is it live/ })
    await row.waitFor()
    await bench.quiet()
    await row.getByText('delivered', { exact: true }).waitFor()
    await row.focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.evaluate('document.activeElement.textContent'), SOON).not.toContain('Is it live')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/events/*')
    await page.getByRole('list', { name: 'Trail' }).waitFor()
  },
  PATIENCE,
)

test(
  'the detail tells the trail, shows the event as JSON, and leads to run, conversation, dry run and debugger',
  async () => {
    const event_id = await eventOf('umbrella')
    const page = await bench.open(`/events/${encodeURIComponent(event_id)}`)
    const trail = page.getByRole('list', { name: 'Trail' })
    await trail.getByText('delivered', { exact: true }).waitFor()
    expect(await trail.getByText(/\+\d/).count()).toBeGreaterThan(0)
    await page.getByRole('tab', { name: 'JSON' }).click()
    await page.getByText('"Who brings an umbrella?"').first().waitFor()
    await page.reload()
    await page.getByText('"Who brings an umbrella?"').first().waitFor()
    const hrefs = await page.locator('main a, aside a').evaluateAll((links) => links.map((a) => a.getAttribute('href')))
    const [event] = (await bench.client.listEvents({ query: { q: event_id } })).items
    for (const { run_id } of event?.runs ?? []) expect(hrefs).toContain(`/console/runs/${run_id}`)
    await page.getByRole('link', { name: 'Dry run with this event' }).click()
    await page.waitForURL(`**/bots/${bench.botUuid}?event=**`)
    await page.goBack()
    await page.getByRole('link', { name: 'Debug Weather helper with this event' }).click()
    await page.waitForURL(`**/agents/${bench.helper.processor_id}?**from=**`)
    await page.goBack()
    await page.getByRole('link', { name: 'Open the conversation' }).click()
    await page.getByRole('log').getByText('Who brings an umbrella?', { exact: true }).waitFor()
  },
  PATIENCE,
)

test(
  'an event that nobody takes says so; one that is no message is read in words',
  async () => {
    const bot = await bench.test.addBot({ name: 'Quiet bot' })
    await bot.say('nobody listens')
    const page = await bench.open(`/events?bot=${bot.bot_uuid}`)
    const row = page.getByRole('link', { name: /nobody listens/ })
    await row.getByText('no_route').waitFor()
    await row.click()
    const why = page.getByRole('region', { name: 'Why no answer?' })
    await why.getByText(/No route of the bot and no plugin processor takes message.received/).waitFor()
    await why.getByText('The operator').waitFor()
    await page.getByText('No run was started.').waitFor()
    const event = sampleEvent('group.member_joined', { bot_uuid: bot.bot_uuid, timestamp: Date.now() / 1_000 })
    const joined = await bot.emit({ event, thread_id: null })
    if (joined.status !== 'accepted') throw new Error(joined.status)
    await page.goto(`${bench.url}/console/events/${encodeURIComponent(joined.event_id)}`)
    await page.getByRole('heading', { name: 'group.member_joined' }).waitFor()
    await page.getByRole('tabpanel').getByText('member', { exact: true }).waitFor()
    expect(await page.getByRole('tabpanel').innerText()).not.toContain('{')
  },
  PATIENCE,
)
