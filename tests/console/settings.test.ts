/** Settings: password, sessions, API keys; and signing in again with what was set there. */
import { createClient } from '@runbound/api'
import { expect, test } from 'vitest'
import { accessible, consoleBench, everyView, PATIENCE, picture, settled } from './harness.ts'

const bench = consoleBench({ seeded: false })
const PASSWORD = 'correct horse battery'

everyView(bench, 'settings', '/settings', async (page) => {
  await page.getByText('This browser', { exact: true }).waitFor()
})

everyView(bench, 'settings-keys', '/settings?tab=keys', async (page) => {
  await page.getByRole('button', { name: 'New key' }).first().click()
  await page.getByLabel('Name').fill('Nightly report')
})

everyView(bench, 'settings-host', '/settings?tab=host', async (page) => {
  await page.getByText('Integrity').waitFor()
})

test(
  'a key is made with scopes, shown once, works, and is refused once it is revoked',
  async () => {
    const page = await bench.open('/settings?tab=keys')
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name').fill('Nightly report')
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0)
    await page.getByRole('checkbox', { name: /Sees runs/ }).check()
    await page.getByRole('checkbox', { name: /operate/ }).check()
    await page.getByRole('button', { name: 'Make key' }).click()
    const key = (await page.getByRole('dialog').locator('pre').innerText()).trim()
    await accessible(page)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'Nightly report' })
    expect(await row.innerText()).toMatch(/read[\s\S]*operate[\s\S]*never used/)
    expect(await page.content()).not.toContain(key)
    const script = createClient({ url: bench.url, key })
    expect((await script.status()).version).not.toBe('')
    await expect(script.listKeys()).rejects.toMatchObject({ code: 'scope_missing' })
    await row.getByRole('button').click()
    await page
      .getByRole('dialog', { name: 'Revoke key “Nightly report”?' })
      .getByRole('button', { name: 'Revoke' })
      .click()
    await row.getByText('Revoked', { exact: true }).waitFor()
    await expect(script.status()).rejects.toMatchObject({ status: 401 })
  },
  PATIENCE,
)

test(
  'a password is set, refused where it is too short, and signs in again; other sessions can be ended',
  async () => {
    const page = await bench.open('/settings')
    await page.getByLabel('New password').fill('short')
    // The rule stands below the field, and the button waits for it.
    await page.getByText('10 characters or more.').waitFor()
    expect(await page.getByRole('button', { name: 'Set password' }).isDisabled()).toBe(true)
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('button', { name: 'Change password' }).waitFor()

    const other = await bench.open('/runs?q=anything', { signedIn: false })
    await other.getByLabel('Password').fill('not the password')
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.locator('#refused').waitFor()
    await other.getByLabel('Password').fill(PASSWORD)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByRole('heading', { name: 'Runs' }).waitFor()
    expect(other.url()).toContain('/console/runs')

    await page.reload()
    await settled(page)
    const session = page.getByRole('listitem').filter({ hasText: 'Signed in by password' })
    await session.getByRole('button', { name: 'End' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
    await session.waitFor({ state: 'detached' })

    // The other browser notices, keeps its page, and is back after the password.
    await other.evaluate(() => window.dispatchEvent(new Event('online')))
    await other.getByRole('navigation').first().getByRole('link', { name: 'Bots' }).click()
    await other.getByText('You are signed out.').waitFor()
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByRole('dialog').getByLabel('Password').fill(PASSWORD)
    await other.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
    await other.getByText('You are signed out.').waitFor({ state: 'detached' })
  },
  PATIENCE,
)

test.each(['light', 'dark'] as const)(
  'the page that asks to sign in is accessible at both sizes: %s',
  async (theme) => {
    for (const size of ['wide', 'phone'] as const) {
      const page = await bench.open('/runs', { size, theme, signedIn: false })
      await page.getByLabel('Password').waitFor()
      await picture(page, `sign-in-${size}-${theme}`)
      await accessible(page)
    }
    const page = await bench.open('/runs', { signedIn: false, locale: 'ja-JP' })
    await page.getByRole('heading', { name: 'サインイン' }).waitFor()
  },
  PATIENCE,
)

test(
  'a step that fails under a dialog says why on top of it, and keeps the dialog',
  async () => {
    const made = await bench.client.createKey({ body: { name: 'Short-lived', scopes: ['read'] } })
    const page = await bench.open('/settings?tab=keys')
    await page.getByRole('button', { name: 'Revoke key “Short-lived”?' }).click()
    await page.route('**/api/v1/keys/**', (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/json',
        body: JSON.stringify({ error: { code: 'conflict', message: 'Somebody else is at it.', at: null } }),
      }),
    )
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    const toast = page.getByText('Somebody else is at it.')
    await toast.waitFor()
    const onTop = await toast.evaluate((node) => {
      const { left, top } = node.getBoundingClientRect()
      return node.contains(document.elementFromPoint(left + 4, top + 8))
    })
    expect(onTop || (await page.locator('section:popover-open').count()) === 1).toBe(true)
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.unroute('**/api/v1/keys/**')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('The key is revoked.').waitFor()
    expect((await bench.client.listKeys()).items.find(({ key_id }) => key_id === made.key_id)?.revoked_at).not.toBe(
      null,
    )
  },
  PATIENCE,
)

test(
  'signing out leads back to the page that asks to sign in',
  async () => {
    const page = await bench.open('/settings')
    await page.getByRole('button', { name: 'Theme, language and account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  },
  PATIENCE,
)
