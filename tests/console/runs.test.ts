/** Runs: the list of a hundred thousand, and the timeline that shows why a run did what it did. */
import { availableParallelism, loadavg } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import type { Processor } from '@runbound/host'
import type { ScriptedBot } from '@runbound/platform-kit/scriptable'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessible, CHROMIUM, consoleBench, everyView, PATIENCE, picture, settled } from './harness.ts'
import plugin from './runs-plugin.ts'

const bench = consoleBench()
let worker: Processor
let bot: ScriptedBot

beforeAll(async () => {
  if (CHROMIUM === undefined) return
  await bench.test.host.plugins.inline(plugin)
  worker = await bench.test.addAgent({
    runner_id: 'plugin:acme/workshop/worker',
    name: 'Workshop',
    grants: { event_tools: true, history: true, state: ['conversation'] },
  })
  bot = await bench.test.addBot({ name: 'Workshop bot', agent: worker })
}, PATIENCE)

/** Says something to the worker; gives the id of the run that came of it, ended unless `alive`. */
async function run(text: string, { alive = false, sender = 'Ann' } = {}): Promise<string> {
  await bot.say(text, { sender })
  for (let tries = 0; tries < 600; tries++) {
    const { items } = await bench.client.listRuns({ query: { processor_id: worker.processor_id, limit: 5 } })
    const found = items.find(({ view }) => view.input === text)
    if (found !== undefined && (alive || found.status !== 'running')) return found.run_id
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`No run of “${text}”.`)
}

const rows = (page: Page) => page.getByRole('list', { name: 'Runs' })
const timeline = (page: Page) => page.getByRole('list', { name: 'Timeline' })

everyView(bench, 'runs', '/runs', async (page) => {
  await rows(page)
    .getByRole('link', { name: /Will it rain in Oslo/ })
    .first()
    .waitFor()
})

everyView(bench, 'runs-empty', '/runs?status=timeout', async (page) => {
  await page.getByText('No run fits').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).first().waitFor()
})

describe('a run with all sorts of entries', () => {
  const TEXT = 'a picture, something unsent, something denied and a long answer'
  let id = ''
  beforeAll(async () => {
    if (CHROMIUM !== undefined) id = await run(TEXT)
  }, PATIENCE)

  everyView(
    bench,
    'run',
    () => `/runs/${id}`,
    async (page) => {
      await timeline(page).getByText('Produced, not sent').first().waitFor()
      await timeline(page).getByText('permission_denied').first().waitFor()
    },
  )

  everyView(
    bench,
    'run-entry',
    () => `/runs/${id}`,
    async (page) => {
      await timeline(page)
        .getByRole('link', { name: /Here it is/ })
        .first()
        .click()
      await page.getByRole('img', { name: 'Image' }).first().waitFor()
      await page.getByRole('figure', { name: 'JSON' }).first().waitFor()
    },
  )

  everyView(
    bench,
    'run-grant',
    () => `/runs/${id}?entry=run`,
    async (page) => {
      await page.locator('[data-thing="state:actor"]').waitFor()
    },
  )

  test(
    'says what was refused and who must act, which lanes there are, how answers went out, and links to what is near',
    async () => {
      const page = await bench.open(`/runs/${id}`)
      await timeline(page).getByText('split', { exact: false }).first().waitFor()
      // What the plugin says of its answers stands with the answers that the host sent.
      expect(
        await timeline(page)
          .getByText(/tool\.call\.\w+ event_reply/)
          .count(),
      ).toBe(0)
      await timeline(page).locator('[data-entry^="outbox:"]').last().click()
      await page.getByRole('region', { name: 'Input, as the plugin tells it' }).waitFor()
      await page.keyboard.press('Escape')
      const refused = timeline(page).locator('[data-news=bad]').first()
      expect(await refused.innerText()).toMatch(/must act\./)
      await page.getByRole('button', { name: /\d problems?/ }).click()
      await page.waitForURL('**only=problems**')
      expect(await timeline(page).locator('[data-news=plain]').count()).toBe(0)
      await page.getByRole('button', { name: /\d problems?/ }).click()
      await page.locator('[data-lane=reply]').click()
      await page.waitForURL('**lanes=reply**')
      await page.reload()
      await timeline(page).getByText('Split').first().waitFor()
      expect(await timeline(page).getByText('Waited for its turn').count()).toBe(0)
      await page.locator('[data-lane=reply]').click()
      await timeline(page).getByText('Waited for its turn').waitFor()
      for (const name of ['Conversation', 'Its event', 'acme/workshop', 'conversation', 'plugin'])
        expect(await page.getByRole('link', { name, exact: true }).count(), name).toBe(1)
      await page.getByRole('link', { name: 'plugin', exact: true }).click()
      await rows(page)
        .getByRole('link', { name: new RegExp(TEXT) })
        .waitFor()
      expect(await rows(page).getByRole('link', { name: /Oslo/ }).count()).toBe(0)
    },
    PATIENCE,
  )

  test(
    'an entry has its own address: opened from it, closed by Escape, walked by keyboard; the id is copied, the run saved as JSON',
    async () => {
      const page = await bench.open(`/runs/${id}`)
      await timeline(page).getByRole('link').first().focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL('**entry=**')
      const open = page.url()
      await page.keyboard.press('Escape')
      await page.waitForURL((url) => !url.search.includes('entry'))
      await page.goto(open)
      await page.getByRole('complementary').getByText('Stored as').waitFor()
      await page.getByRole('button', { name: 'Copy the run id' }).click()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(id)
      await page.getByRole('button', { name: 'More' }).first().click()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'Download as JSON' }).click(),
      ])
      const saved = JSON.parse(await text(await file.createReadStream()))
      expect(saved.run.run_id).toBe(id)
      expect(saved.timeline.map(({ lane }: { lane: string }) => lane)).toContain('grant')
    },
    PATIENCE,
  )
})

test(
  'a run of more than 1,000 entries opens at its beginning and scrolls with less than 100 ms of work in any frame',
  async () => {
    const id = await run('a thousand calls, please', { sender: 'Hana' })
    const { items, has_more } = await bench.client.runTimeline({ params: { run_id: id }, query: { limit: 500 } })
    expect([items.length, has_more]).toEqual([500, true])
    const page = await bench.open(`/runs/${id}`)
    await timeline(page).locator('[aria-posinset="1"]').waitFor()
    await page.getByText(/^1,?\d{3} entries$/).waitFor({ state: 'attached' })
    await settled(page)
    await picture(page, 'run-thousand-1280-light')
    expect(await widest(page, 'Timeline', -240), 'ms of work in one frame').toBeLessThan(100)
    await page.getByRole('button', { name: 'To the newest' }).waitFor()
    expect(await timeline(page).getByRole('link').count()).toBeLessThan(80)
  },
  PATIENCE,
)

test(
  'a living run grows on the page, the newest in view, until it is cancelled there; asked once, by name',
  async () => {
    const id = await run('work steadily until told otherwise', { alive: true, sender: 'Emil' })
    const page = await bench.open(`/runs/${id}`)
    await timeline(page).getByText('still at it: 80', { exact: true }).waitFor()
    expect(await timeline(page).getByText('still at it: 1', { exact: true }).count()).toBe(0)
    await settled(page)
    await picture(page, 'run-alive-1280-light')
    await page.getByRole('button', { name: 'Cancel run' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel this run of “Workshop”?' })
    await dialog.getByText('What was sent to Emil stays').waitFor()
    await accessible(page)
    await dialog.getByRole('button', { name: 'Cancel run' }).click()
    await page.locator('[data-status=cancelled]').waitFor()
    expect((await bench.client.getRun({ params: { run_id: id } })).status).toBe('cancelled')
    await timeline(page).locator('[data-entry^="ledger:"]').getByText('Cancelled', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Cancel run' }).count()).toBe(0)
  },
  PATIENCE,
)

test(
  'an answer whose arrival is unknown says so first of all; it is sent again, or given up, after asking once by its words',
  async () => {
    for (const step of ['Send again', 'Discard'] as const) {
      bot.script('send', { do: 'error', kind: 'unknown_outcome', taken: false })
      const said = `tell me about ${step}`
      const id = await run(said, { sender: 'Gil' })
      const page = await bench.open(`/runs/${id}`)
      const open = page.locator('[data-open-delivery]')
      await open.getByText(`Done: ${said}`).waitFor()
      await timeline(page).getByText('Arrival unknown').waitFor()
      if (step === 'Discard') await settled(page).then(() => picture(page, 'run-unknown-1280-light'))
      await open.getByRole('button', { name: step }).click()
      const dialog = page.getByRole('dialog', { name: new RegExp(`Done: ${said}`) })
      await dialog.getByText(/Gil/).waitFor()
      await dialog.getByRole('button', { name: step }).click()
      await open.waitFor({ state: 'detached' })
      if (step === 'Send again') {
        await timeline(page).getByText('Sent again').waitFor()
        expect(bot.texts().filter((shown) => shown === `Done: ${said}`)).toHaveLength(1)
      } else expect(bot.texts()).not.toContain(`Done: ${said}`)
    }
  },
  PATIENCE,
)

test(
  'the list is narrowed by chips and by what is typed, all in the address; keyboard goes through it and opens a run',
  async () => {
    const page = await bench.open('/runs')
    await rows(page).getByRole('link', { name: /Oslo/ }).first().waitFor()
    await page.getByRole('button', { name: 'Bot', exact: true }).click()
    await page
      .getByRole('dialog', { name: 'Bot' })
      .getByRole('button', { name: /Team bot/ })
      .click()
    await page.waitForURL(`**bot=${bench.botUuid}**`)
    await rows(page)
      .getByRole('link', { name: /picture/ })
      .waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Status', exact: true }).click()
    await page.getByRole('dialog', { name: 'Status' }).getByRole('button', { name: 'Failed' }).click()
    await page.keyboard.press('Escape')
    await rows(page)
      .getByRole('link', { name: /umbrella/ })
      .first()
      .waitFor({ state: 'detached' })
    await rows(page)
      .getByRole('link', { name: /fail today/ })
      .waitFor()
    await page.reload()
    await rows(page)
      .getByRole('link', { name: /fail today/ })
      .waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('button', { name: 'Person', exact: true }).click()
    await page.getByRole('dialog', { name: 'Person' }).getByRole('textbox').fill('chen')
    await page.keyboard.press('Enter')
    await page.waitForURL('**person=**')
    await rows(page).getByRole('link', { name: /北京/ }).first().waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('button', { name: 'Time', exact: true }).click()
    await page.getByRole('button', { name: 'Last hour' }).click()
    await page.waitForURL('**range=hour**')
    const search = page.getByRole('searchbox')
    await search.fill('北京')
    await page.waitForURL('**q=**')
    await rows(page)
      .getByRole('link', { name: /umbrella/ })
      .first()
      .waitFor({ state: 'detached' })
    const [found] = (await bench.client.listRuns({ query: { q: '北京', limit: 1 } })).items
    await search.fill(found?.run_id ?? '')
    // Both runs of the message stood there before: the one that was named stays.
    await expect.poll(() => rows(page).getByRole('link').count(), { timeout: 15_000 }).toBe(1)
    await search.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/runs/${found?.run_id.slice(0, 12)}*`)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('umbrella')
    await page
      .getByRole('option', { name: /umbrella/ })
      .first()
      .click()
    await page.waitForURL('**/console/runs/*')
  },
  PATIENCE,
)

test(
  'new runs come on top by themselves, statuses change in place, and what is looked at does not move',
  async () => {
    const page = await bench.open('/runs')
    await rows(page).getByRole('link').first().waitFor()
    await page.locator('[data-live=live]').first().waitFor()
    const id = await run('hold until cancelled', { alive: true, sender: 'Fay' })
    const row = rows(page).locator(`a[href$="${id}"]`)
    await row.locator('[data-status=running]').waitFor()
    await bench.client.cancelRun({ params: { run_id: id }, body: { reason: null } })
    await row.locator('[data-status=cancelled]').waitFor()
  },
  PATIENCE,
)

describe('100,000 runs', () => {
  beforeAll(async () => {
    if (CHROMIUM === undefined) return
    const { file } = await bench.client.inspect({})
    await insertRuns(file, await run('one of very many', { sender: 'Ida' }), 100_000)
  }, PATIENCE)

  test(
    'open in under a second, scroll page after page with less than 100 ms of work in any frame, and stay put while new ones come',
    async () => {
      const page = await bench.open('/chats')
      await settled(page)
      const before = Date.now()
      const worked = await work(page)
      await page.getByRole('navigation', { name: 'Pages' }).first().getByRole('link', { name: 'Runs' }).click()
      await rows(page)
        .getByRole('link', { name: /one of very many/ })
        .first()
        .waitFor()
      // Where others take the processor away, the clock says nothing of the page: then its work alone is held to the second.
      const took = isCrowded() ? (await work(page)) - worked : Date.now() - before
      expect(took, 'ms until the list is there').toBeLessThan(1_000)
      await settled(page)
      await picture(page, 'runs-many-1280-light')
      expect(await widest(page, 'Runs', 240), 'ms of work in one frame').toBeLessThan(100)
      const place = await rows(page).getByRole('link').nth(12).getAttribute('href')
      const at = rows(page).locator(`a[href="${place}"]`)
      const top = (await at.boundingBox())?.y
      await run('one more on top', { sender: 'Ida' })
      await page.getByRole('button', { name: /new runs?$/ }).waitFor()
      expect((await at.boundingBox())?.y).toBe(top)
      await page.getByRole('button', { name: /new runs?$/ }).click()
      await rows(page)
        .getByRole('link', { name: /one more on top/ })
        .waitFor()
    },
    PATIENCE,
  )
})

const isCrowded = (): boolean => (loadavg()[0] ?? 0) > availableParallelism() * 1.5

/** Milliseconds that the page's own thread has worked so far: unlike the clock, not a matter of who else is on the machine. */
async function work(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
}

/** Frames of one way: 240 px each, which no thumb does, are a thousand entries. */
const FRAMES = 140

/** The longest frame of a way through a list; of three ways the best, for the first ones are also the engine's warming up. */
async function widest(page: Page, list: string, step: number): Promise<number> {
  let found = Number.POSITIVE_INFINITY
  for (let way = 0; way < 3 && found >= 100; way++) {
    if (step < 0) await page.evaluate(`document.querySelector('ul[aria-label=${list}]').parentElement.scrollTop = 1e9`)
    found = Math.min(found, Math.max(...(await scrolled(page, list, step, FRAMES))))
  }
  return found
}

/**
 * Scrolls a list, one step each frame, and gives the work of each frame in ms. A frame comes as late as the work for it takes,
 * so the longest is the widest gap that the page itself makes. Fails when the list did not move all the way.
 */
async function scrolled(page: Page, list: string, step: number, frames: number): Promise<readonly number[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spent: number[] = []
  const move = `new Promise((done) => {
    const list = document.querySelector('ul[aria-label=${list}]').parentElement
    const from = list.scrollTop
    list.scrollTop += ${step}
    requestAnimationFrame(() => requestAnimationFrame(() => done(Math.abs(list.scrollTop - from))))
  })`
  let moved = 0
  let last = Number.NaN
  for (let at = 0; at <= frames; at++) {
    if (at > 0) moved += await page.evaluate<number>(move)
    const { metrics } = await session.send('Performance.getMetrics')
    const now = (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
    if (at > 0) spent.push(now - last)
    last = now
  }
  await session.detach()
  expect(moved, 'px scrolled through').toBeGreaterThan(Math.abs(step) * frames * 0.9)
  return spent
}

/** Copies of a run under ids of their own, a second apart: what a year leaves behind. */
async function insertRuns(file: string, like: string, count: number): Promise<void> {
  const db = new DatabaseSync(file)
  try {
    db.exec('pragma busy_timeout = 10000')
    const columns = (db.prepare('select name from pragma_table_info(?)').all('runs') as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => name !== 'id' && name !== 'run_id')
    db.prepare(
      `with recursive n(at) as (select 1 union all select at + 1 from n where at < ?)
       insert into runs (run_id, ${columns.join(', ')})
       select printf('%08x-0000-4000-8000-%012x', at, at), ${columns.map((name) => `r.${name}`).join(', ')}
       from n cross join runs r where r.run_id = ?`,
    ).run(count, like)
  } finally {
    db.close()
  }
}

async function text(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}
