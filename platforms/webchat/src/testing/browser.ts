/** The system's Chromium, closed to the network, for tests of the page. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

/** Where systems put it; undefined: this machine has none, and tests of the page are skipped. */
export const CHROMIUM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((file) => existsSync(file))

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
  if (CHROMIUM === undefined) throw new Error('There is no Chromium on this machine. Install it: apt install chromium')
  const profile = await mkdtemp(join(tmpdir(), 'chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
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
