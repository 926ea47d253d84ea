/** Events: what came in, why it was answered or not, found by words, link or id; the ways to stay silent. */
import { expect, test } from 'vitest'
import { consoleBench, everyView, PATIENCE, settled } from './harness.ts'

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
