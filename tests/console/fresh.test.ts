/** What a person sees first: a host in which nothing has happened. Every page says what would be there and what to do next. */
import { expect, test } from 'vitest'
import { accessible, consoleBench, everyView, PATIENCE, settled } from './harness.ts'

const bench = consoleBench({ seeded: false })

everyView(bench, 'fresh', '/', async (page, { size }) => {
  await page.getByText('No conversations yet').waitFor()
  // Where there is room, the web chat is open already.
  if (size === 'wide')
    await page.frameLocator('iframe').locator('.status[data-state=open]').waitFor({ state: 'attached' })
  else await page.getByRole('button', { name: 'Try Web chat' }).waitFor()
})

test(
  'runs and events are empty with a way on, and fill by themselves',
  async () => {
    const [runs, events] = [await bench.open('/runs'), await bench.open('/events')]
    for (const page of [runs, events]) {
      await page.getByRole('link', { name: 'Go to chats' }).waitFor()
      await settled(page)
      await accessible(page)
      await page.locator('[data-live=live]').first().waitFor()
    }
    await bench.bot.say('The first message', { sender: 'Ann' })
    for (const page of [runs, events]) await page.getByText('The first message').first().waitFor()
    expect(await runs.getByRole('link', { name: 'Go to chats' }).count()).toBe(0)
  },
  PATIENCE,
)
