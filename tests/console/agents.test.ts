/** Agents and plugin processors: created from the form of their Runner, granted by switches, debugged with made-up events. */
import { expect, test } from 'vitest'
import { consoleBench, everyView, PATIENCE, settled } from './harness.ts'

const bench = consoleBench()

everyView(bench, 'agents', '/agents', async (page) => {
  await page.getByRole('link', { name: 'Weather helper' }).waitFor()
})

everyView(
  bench,
  'agents-settings',
  () => `/agents/${bench.helper.processor_id}`,
  async (page) => {
    await page.getByLabel('Greeting').waitFor()
  },
)

everyView(
  bench,
  'agents-grants',
  () => `/agents/${bench.helper.processor_id}?tab=grants`,
  async (page) => {
    await page.getByRole('switch').first().waitFor()
  },
)

everyView(
  bench,
  'agents-debug',
  () => `/agents/${bench.helper.processor_id}?tab=debug`,
  async (page) => {
    await page.getByRole('button', { name: 'Send the event' }).click()
    await page
      .getByRole('region', { name: 'Replies' })
      .getByText(/You wrote/)
      .waitFor()
  },
)

test(
  'an agent is created from the form of its Runner; a value that the host refuses is kept, and its sentence stands at the field',
  async () => {
    const page = await bench.open('/agents')
    await page.getByRole('link', { name: 'Add an agent' }).click()
    await page
      .getByRole('link', { name: /Helper/ })
      .first()
      .click()
    expect(await page.getByLabel('Greeting').inputValue()).toBe('Hello')
    await page.getByLabel('Greeting').fill('Welcome')
    await page.getByLabel('Key of the weather service').fill('sk-of-the-new-one')
    await page.getByLabel('Name', { exact: false }).first().fill('n'.repeat(101))
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Expected 1 to 100 characters.', { exact: true }).waitFor()
    expect(await page.getByLabel('Greeting').inputValue()).toBe('Welcome')
    await page.getByLabel('Name', { exact: false }).first().fill('Second helper')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(/console\/agents\/[0-9a-f-]{36}/)
    await page.getByText('Is set').waitFor()
    expect(await page.content()).not.toContain('sk-of-the-new-one')

    await page.getByLabel('Sentence for failures').fill('Something went wrong.')
    await page.getByLabel('Deadline in seconds').fill('soon')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Write a number.').waitFor()
    await page.getByLabel('Deadline in seconds').fill('12.5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    const { items } = await bench.client.listProcessors()
    expect(items.find(({ name }) => name === 'Second helper')).toMatchObject({
      config: { greeting: 'Welcome', api_key: '(set)' },
      options: { sentence: 'Something went wrong.', deadline_seconds: 12.5 },
    })

    await page.getByRole('button', { name: 'More' }).last().click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('dialog', { name: 'Remove “Second helper”?' }).getByRole('button', { name: 'Remove' }).click()
    await page.waitForURL('**/console/agents')
  },
  PATIENCE,
)

test(
  'a grant is switched off and on: each says its part, the operator’s no decides, and the host stores it',
  async () => {
    const processor_id = bench.helper.processor_id
    const page = await bench.open(`/agents/${processor_id}?tab=grants`)
    const row = page.getByRole('row').filter({ hasText: 'tool:event_reply' }).first()
    await row.getByText('Allowed').last().waitFor()
    await row.getByRole('switch').click()
    await row.getByText('By operator').last().waitFor()
    expect(await row.getByRole('switch').getAttribute('aria-checked')).toBe('false')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    expect((await bench.client.getProcessor({ params: { processor_id } })).grants).toMatchObject({ event_tools: [] })
    await row.getByRole('switch').click()
    await row.getByText('Allowed').last().waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    expect((await bench.client.getProcessor({ params: { processor_id } })).grants).toMatchObject({
      event_tools: ['event_reply'],
    })
  },
  PATIENCE,
)

test(
  'an event is debugged with a tool that fails: what the tool said is in its call, and the run’s timeline is a click away',
  async () => {
    const page = await bench.open(`/agents/${bench.helper.processor_id}?tab=debug`)
    await page.getByLabel('Text', { exact: true }).fill('Is it raining?')
    await page.getByRole('button', { name: 'Send the event' }).click()
    await page
      .getByRole('region', { name: 'Replies' })
      .getByText(/You wrote: "Is it raining\?"/)
      .waitFor()
    const sent = new URL(page.url()).searchParams.get('sent')
    await page.getByRole('button', { name: 'Add a tool' }).click()
    await page.getByLabel('Tool 1', { exact: true }).fill('event_reply')
    await page.getByLabel('How tool 1 answers').selectOption({ label: 'With an error' })
    await page.getByLabel('What the error says').fill('The platform sleeps.')
    await page.getByRole('button', { name: 'Send the event' }).click()
    await page.waitForFunction((before) => new URL(location.href).searchParams.get('sent') !== before, sent)
    await page
      .getByText(/The platform sleeps/)
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Timeline of the run' }).click()
    await page.waitForURL('**/console/runs/**')
    await settled(page)
  },
  PATIENCE,
)
