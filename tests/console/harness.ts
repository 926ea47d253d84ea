/**
 * The console against a real host in a real browser: started once per test file, seeded with real messages. A page's test
 * says what it does; size, theme, accessibility, overflow, errors, foreign requests and pictures are looked after here.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@runbound/api'
import { CLI_KEY_FILE } from '@runbound/host'
import { httpPlatform } from '@runbound/platform-http'
import { webchat } from '@runbound/platform-webchat'
import { type StartedTestHost, type StartTestHostOptions, startTestHost } from '@runbound/testing'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CONSOLE_DIST, ensureConsole } from '../../tools/src/console-build.ts'
import plugin from './plugin.ts'
import { type Seeded, seed } from './seed.ts'

/** Where systems put it; undefined: this machine has none, and tests with a browser are skipped. */
export const CHROMIUM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
].find((file) => existsSync(file))
const PICTURES = fileURLToPath(new URL('../artifacts/console/', import.meta.url))
const AXE = createRequire(new URL('../../apps/console/package.json', import.meta.url)).resolve('axe-core/axe.min.js')
/** Machines may be slow and busy; nothing here measures time. Milliseconds. */
export const PATIENCE = 120_000

export const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const
export type Size = keyof typeof SIZES
export type Theme = 'light' | 'dark'

export interface ViewOptions {
  readonly size?: Size
  readonly theme?: Theme
  /** The browser's language. Default `en-GB`. */
  readonly locale?: string
  /** False: nobody is signed in. */
  readonly signedIn?: boolean
}

/** A running host with the console, and a browser that looks at it. */
export interface Bench extends Seeded {
  readonly url: string
  readonly test: StartedTestHost
  /** May do everything. */
  readonly client: Client
  /** Opens a path of the console, such as `/runs`, in a browser of its own. Closed after the test. */
  open(path: string, options?: ViewOptions): Promise<Page>
}

/**
 * A bench for the tests of a file; read its fields inside of tests only. `seeded: false` leaves the host as a fresh one is; with
 * a `runtime` it starts plugin processes.
 * After each test it proves that no page threw, broke its own policy or asked for anything foreign.
 */
export function consoleBench(
  options: { readonly seeded?: boolean; readonly runtime?: StartTestHostOptions['runtime'] } = {},
): Bench {
  let started: { bench: Bench; browser: Browser; folder: string } | undefined
  const contexts: BrowserContext[] = []
  const faults: string[] = []

  beforeAll(async () => {
    if (CHROMIUM === undefined) return
    await ensureConsole()
    const folder = mkdtempSync(join(tmpdir(), 'runbound-console-'))
    const t = await startTestHost({
      folder,
      http: { port: 0, console: CONSOLE_DIST },
      platforms: { messenger: {} },
      adapters: { webchat: async () => webchat, http: async () => httpPlatform },
      ...(options.runtime === undefined ? {} : { runtime: options.runtime }),
    })
    await t.host.plugins.inline(plugin)
    const url = t.host.http?.url ?? ''
    const client = createClient({ url, key: readFileSync(join(folder, CLI_KEY_FILE), 'utf8').trim() })
    const seeded = await seed(t, options.seeded ?? true)
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
    })
    const bench: Bench = { ...seeded, url, test: t, client, open: (path, view) => open(path, view) }
    started = { bench, browser, folder }
  }, PATIENCE)
  beforeEach(({ skip }) => skip(CHROMIUM === undefined, 'there is no Chromium on this machine (apt install chromium)'))
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
    expect(faults.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await started?.browser.close()
    await started?.bench.test.stop()
    if (started !== undefined) rmSync(started.folder, { recursive: true, force: true })
  })

  function need(): NonNullable<typeof started> {
    if (started === undefined) throw new Error('The bench is there inside of tests only.')
    return started
  }

  async function open(path: string, view: ViewOptions = {}): Promise<Page> {
    const { bench, browser } = need()
    const { size = 'wide', theme = 'light', locale = 'en-GB', signedIn = true } = view
    const context = await browser.newContext({
      viewport: SIZES[size],
      hasTouch: size === 'phone',
      colorScheme: theme,
      reducedMotion: 'reduce',
      locale,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    contexts.push(context)
    if (signedIn) await signIn(context, bench)
    await context.route(
      (url) => url.origin !== bench.url,
      (route) => {
        faults.push(`asked for ${route.request().url()}`)
        return route.abort()
      },
    )
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    page.on('pageerror', (error) => faults.push(`threw: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error' && !EXPECTED.test(message.text())) faults.push(`said: ${message.text()}`)
    })
    await page.goto(`${bench.url}/console${path}`)
    return page
  }

  return new Proxy({} as Bench, { get: (_target, name) => Reflect.get(need().bench, name) })
}

/** What Chromium says of answers that a test causes on purpose. */
const EXPECTED = /Failed to load resource|ERR_CONNECTION|ERR_INCOMPLETE_CHUNKED|WebSocket connection/

async function signIn(context: BrowserContext, { test: { host }, url }: Bench): Promise<void> {
  const link = await host.identity.loginLink()
  const answer = await fetch(`${url}/login/${link.token}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0' },
  })
  const [name = '', value = ''] = (answer.headers.get('set-cookie') ?? '').split(';', 1)[0]?.split('=') ?? []
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }])
}

/**
 * Four tests: a page at both sizes in both themes. `act` does its main task and leaves it in the state of the picture,
 * which is kept as `tests/artifacts/console/<name>-<size>-<theme>.png`.
 */
export function everyView(
  bench: Bench,
  name: string,
  path: string | (() => string),
  act: (page: Page, view: { readonly size: Size; readonly theme: Theme }) => Promise<void>,
): void {
  describe(`${name} looks right and is accessible`, () => {
    for (const size of ['wide', 'phone'] as const)
      for (const theme of ['light', 'dark'] as const)
        test(
          `${size}, ${theme}`,
          async () => {
            const page = await bench.open(typeof path === 'string' ? path : path(), { size, theme })
            await act(page, { size, theme })
            await settled(page)
            await picture(page, `${name}-${SIZES[size].width}-${theme}`)
            await accessible(page)
            const sticksOut = 'document.documentElement.scrollWidth - window.innerWidth'
            expect(await page.evaluate(sticksOut), 'px that stick out at the right').toBe(0)
          },
          PATIENCE,
        )
  })
}

/** Nothing is loading any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector('main#page') !== null && document.querySelector('.skeleton') === null,
  )
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

/** Keeps a picture; git does not, CI does. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: join(PICTURES, `${name}.png`) })
}

interface AxeFinding {
  readonly id: string
  readonly impact: string | null
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly target: readonly string[] }[]
}

/** axe-core finds nothing serious or critical in the page itself (frames have their own tests). */
export async function accessible(page: Page): Promise<void> {
  await page.evaluate(readFileSync(AXE, 'utf8'))
  const findings = await page.evaluate<readonly AxeFinding[]>(
    'axe.run(document, { iframes: false, resultTypes: ["violations"] }).then((result) => result.violations)',
  )
  const grave = findings.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(
    grave.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html.slice(0, 200)).join('\n  ')}`),
  ).toEqual([])
}
