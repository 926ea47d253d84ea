/** What a person does first: `npm start`, the printed link, the web chat, an answer that is written before their eyes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@runbound/api'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually, newFolder, PATIENCE } from './harness.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Git does not keep it; CI does. */
const PICTURE = join(ROOT, 'tests/artifacts/cli/chat.png')

/** Where systems put it; undefined: this machine has none. */
const CHROMIUM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((file) => existsSync(file))

let browser: Browser | undefined
let host: ChildProcess | undefined

beforeEach(({ skip }) => skip(CHROMIUM === undefined, 'there is no Chromium on this machine (apt install chromium)'))
afterEach(async () => {
  await browser?.close()
  await ended(host)
})

test(
  'npm start prints a link; it signs a browser in, once; the web chat answers, streamed',
  async () => {
    const data = newFolder()
    const started = await npmStart(data)
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox', '--disable-gpu'] })
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' })
    const foreign: string[] = []
    await context.route(
      (url) => url.hostname !== '127.0.0.1',
      (route) => {
        foreign.push(route.request().url())
        return route.abort()
      },
    )
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))

    await signIn(page, started.link)
    await page.goto(`${started.url}/bots/${await webchatOf(data, started.url)}/`)
    await page.waitForSelector('.status[data-state=open]', { state: 'attached' })
    await page.fill('#composer-text', 'Is anybody there?')
    const states = await statesOfAnswer(page, () => page.press('#composer-text', 'Enter'))

    expect(states.at(-1)).toContain('You said: "Is anybody there?"')
    expect(states.at(-1)).toContain('runbound plugin new hello')
    expect(states.length).toBeGreaterThan(4)
    // Each one goes on where the one before stood; marks of a code block go when the block is closed.
    const letters = states.map((state) => state.replace(/[^\p{L}\p{N}]/gu, ''))
    for (const [at, state] of letters.entries()) expect(state.startsWith(letters[at - 1] ?? '')).toBe(true)

    mkdirSync(dirname(PICTURE), { recursive: true })
    await page.screenshot({ path: PICTURE })
    expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })

    // The link has been used up: whoever finds it later gets nothing.
    const stranger = await (await browser.newContext()).newPage()
    await stranger.goto(started.link)
    await stranger.waitForSelector('text=This link no longer works')
  },
  PATIENCE,
)

/** The form sends itself where scripts run; a person presses the button where they don't. */
async function signIn(page: Page, link: string): Promise<void> {
  await page.route('**/login.js', (route) => route.abort())
  await page.goto(link)
  const answered = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.status() === 303,
  )
  await page.getByRole('button', { name: 'Sign in' }).click()
  await answered
  await page.waitForURL((url) => !url.pathname.startsWith('/login/'))
}

/** Every text that the bot's message had while it was written, in their order. */
async function statesOfAnswer(page: Page, send: () => Promise<void>): Promise<readonly string[]> {
  const states: string[] = []
  await page.exposeFunction('sawText', (text: string) => {
    if (text !== '' && text !== states.at(-1)) states.push(text)
  })
  await page.evaluate(`
    const thread = document.querySelector('.thread')
    new MutationObserver(() => {
      const texts = [...thread.querySelectorAll('article.message .markdown')]
      if (texts.length === 2) sawText(texts[1].innerText)
    }).observe(thread, { childList: true, subtree: true, characterData: true })
  `)
  await send()
  await eventually(async () => expect(states.at(-1)).toContain('changes the next answer'))
  return states
}

async function webchatOf(data: string, url: string): Promise<string> {
  const client = createClient({ url, key: readFileSync(join(data, 'cli.key'), 'utf8').trim() })
  const bot = (await client.status()).bots.find(({ platform }) => platform === 'webchat')
  if (bot === undefined) throw new Error('A fresh host has no web chat.')
  return bot.bot_uuid
}

/** The command behind `npm start`, on a free port and a data folder of its own; what it printed. */
async function npmStart(data: string): Promise<{ readonly url: string; readonly link: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'tools/run.mjs'), 'start', '--port', '0', '--data', data], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: data, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  host = child
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  return eventually(async () => {
    const url = /^Runbound is ready at (\S+)/m.exec(said)?.[1]
    const link = /^Sign in\s+(\S+)/m.exec(said)?.[1]
    if (url === undefined || link === undefined) throw new Error(`npm start has not printed its address: ${said}`)
    return { url, link }
  }, 120_000)
}

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null) return
  const closed = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  await closed
}
