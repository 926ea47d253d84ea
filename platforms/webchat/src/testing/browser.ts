/** The system's Chromium, closed to the network, for tests of the page. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface TestBrowser {
  readonly context: BrowserContext
  /** Addresses outside of 127.0.0.1 that a page asked for. */
  readonly foreign: string[]
  /** Errors that a page threw, and violations of its policy. */
  readonly errors: string[]
  open(url: string, options?: { width?: number; height?: number; dark?: boolean }): Promise<Page>
  close(): Promise<void>
}

/** Starts Chromium with an empty profile. */
export async function startBrowser(): Promise<TestBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium',
    headless: true,
    args: ARGS,
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const foreign: string[] = []
  const errors: string[] = []
  await context.route(
    (url) => url.hostname !== '127.0.0.1',
    (route) => {
      foreign.push(route.request().url())
      return route.abort()
    },
  )
  return {
    context,
    foreign,
    errors,
    open: async (url, { width = 1280, height = 800, dark = false } = {}) => {
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      page.on('pageerror', (error) => errors.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().includes('WebSocket')) errors.push(message.text())
      })
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' })
      await page.goto(url)
      return page
    },
    close: async () => {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}
