/** Bots: created by form or YAML, routes ordered by keyboard and by dragging, tried without running anything. */
import { expect, test } from 'vitest'
import { consoleBench, everyView, PATIENCE, settled } from './harness.ts'

const bench = consoleBench()

everyView(bench, 'bots', '/bots', async (page) => {
  await page.getByRole('link', { name: 'Team bot' }).waitFor()
})

everyView(
  bench,
  'bots-routes',
  () => `/bots/${bench.botUuid}`,
  async (page) => {
    await page.getByRole('button', { name: 'Try it' }).click()
    await page
      .getByRole('region', { name: 'Where it would go' })
      .getByText('To Weather helper', { exact: true })
      .waitFor()
  },
)

everyView(
  bench,
  'bots-yaml',
  () => `/bots/${bench.botUuid}?yaml=true`,
  async (page) => {
    await page.getByRole('textbox', { name: 'YAML' }).waitFor()
  },
)

everyView(bench, 'bots-new', '/bots/new?platform=http', async (page) => {
  await page.getByLabel('Name', { exact: false }).first().fill('')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('This is needed.').first().waitFor()
})

test(
  'a bot is created from the form of its platform; a value that the host refuses is kept, and the host’s sentence stands at its field',
  async () => {
    const page = await bench.open('/bots')
    await page.getByRole('link', { name: 'Add a bot' }).click()
    await page.getByRole('button', { name: /HTTP/ }).click()
    const name = page.getByLabel('Name', { exact: false }).first()
    await name.fill('x'.repeat(201))
    await page.locator('input[type=password]').first().fill('a-secret-of-the-orders')
    await page.getByLabel('Callback address').fill('http://127.0.0.1:9/orders')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('alert').getByText('Not saved.').waitFor()
    await page.getByText(/^Too big/).waitFor()
    expect(await name.inputValue()).toBe('x'.repeat(201))
    await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    await name.fill('Orders')
    await page.keyboard.press('Control+s')
    await page.waitForURL(/console\/bots\/[0-9a-f-]{36}/)
    await page.getByRole('heading', { name: 'Orders' }).waitFor()

    // The secret says that it is set and never what it is, in the form and in the YAML.
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByText('Is set').first().waitFor()
    await page.getByRole('button', { name: 'YAML', exact: true }).click()
    const yaml = page.getByRole('textbox', { name: 'YAML' })
    expect(await yaml.inputValue()).toContain('(set)')
    expect(await page.content()).not.toContain('a-secret-of-the-orders')

    // The YAML is typed: the form follows; what can't be read names its line and can't be saved.
    await yaml.fill((await yaml.inputValue()).replace('name: Orders', 'name: Orders and returns'))
    expect(await page.getByLabel('Name', { exact: false }).first().inputValue()).toBe('Orders and returns')
    await yaml.fill(`${await yaml.inputValue()}    colour: blue\n`)
    await page.getByText(/Line \d+: There is no key “colour” here/).waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await yaml.fill((await yaml.inputValue()).replace('    colour: blue\n', ''))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Orders and returns' }).waitFor()

    await page.getByRole('button', { name: 'More' }).last().click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('dialog', { name: 'Remove bot “Orders and returns”?' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.waitForURL('**/console/bots')
    const { items } = await bench.client.listBots()
    expect(items.map(({ name }) => name)).not.toContain('Orders and returns')
  },
  PATIENCE,
)

test(
  'routes are added, ordered by keyboard and by dragging, tried before they are saved, and stored in the order shown',
  async () => {
    const params = { bot_uuid: bench.webchatUuid }
    const page = await bench.open(`/bots/${bench.webchatUuid}`)
    await page.getByRole('button', { name: 'Add a route' }).click()
    await page.getByRole('combobox', { name: 'Goes to' }).selectOption({ label: 'Discard it' })
    await page.getByRole('button', { name: 'Add a filter' }).click()
    await page.getByLabel('Value of filter 1').fill('hello')
    await page.getByRole('button', { name: 'Try it' }).click()
    const verdict = page.getByRole('region', { name: 'Where it would go' })
    await verdict.getByText('To Weather helper', { exact: true }).waitFor()

    // By keyboard to the top: now it wins, without being saved.
    await page.getByRole('button', { name: 'Move route 2', exact: true }).focus()
    await page.keyboard.press('ArrowUp')
    await verdict.getByText('Discarded', { exact: true }).waitFor()
    await verdict
      .getByText('lower_priority')
      .or(verdict.getByText(/Gets the event/))
      .first()
      .waitFor()
    expect((await bench.client.getRoutes({ params })).routes).toHaveLength(1)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    const saved = await bench.client.getRoutes({ params })
    expect(saved.routes.toSorted((a, b) => a.position - b.position).map(({ target_type }) => target_type)).toEqual([
      'discard',
      'agent',
    ])

    // And back by dragging.
    await page
      .getByRole('button', { name: 'Move route 1', exact: true })
      .dragTo(page.getByRole('button', { name: 'Move route 2', exact: true }))
    await verdict.getByText('To Weather helper', { exact: true }).waitFor()

    // A plugin processor gets it as well.
    await page.getByRole('button', { name: 'Attach' }).click()
    await page.getByRole('menuitem', { name: 'Watcher' }).click()
    await page.getByText('Gets it as well').waitFor()

    // A filter that the host refuses says so at its place.
    await page.getByLabel('Comparison of filter 1').selectOption({ label: 'matches' })
    await page.getByLabel('Value of filter 1').fill('(')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('Not saved.').first().waitFor()
    expect(await page.getByLabel('Value of filter 1').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Value of filter 1').inputValue()).toBe('(')

    // Nothing of it is lost by a link in passing.
    await page.getByRole('navigation', { name: 'Pages' }).first().getByRole('link', { name: 'Runs' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByLabel('Value of filter 1').inputValue()).toBe('(')
  },
  PATIENCE,
)

test(
  'a recorded event is tried by its words, and the address keeps it',
  async () => {
    const page = await bench.open(`/bots/${bench.botUuid}`)
    await page.getByRole('button', { name: 'Recorded' }).click()
    await page.getByRole('searchbox').fill('umbrella')
    await page.getByRole('button', { name: /Who brings an umbrella/ }).click()
    const verdict = page.getByRole('region', { name: 'Where it would go' })
    await verdict.getByText('To Weather helper', { exact: true }).waitFor()
    await verdict.getByText(/As well: Watcher/).waitFor()
    await page.reload()
    await page
      .getByRole('region', { name: 'Where it would go' })
      .getByText('To Weather helper', { exact: true })
      .waitFor()
    await settled(page)
  },
  PATIENCE,
)
