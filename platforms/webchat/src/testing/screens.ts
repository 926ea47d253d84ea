/** Walks through the page and takes pictures of it at both sizes, light and dark, to be looked at. */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { startBrowser } from './browser.ts'
import { openEchoChat } from './echo-chat.ts'
import { png } from './png.ts'

const out = fileURLToPath(new URL('../../../../tests/artifacts/webchat/', import.meta.url))
await mkdir(out, { recursive: true })
const LONG = `Here is what I found.

## Steps
1. Read the **config** with \`loadConfig()\`
2. Start the server:
   - on port *8080*
   - or any free one
3. Look at [the docs](https://example.org/docs)

\`\`\`ts
export async function start(port = 8080): Promise<Server> {
  const server = createServer(handler)
  await new Promise<void>((done) => server.listen(port, done))
  return server
}
\`\`\`

| Setting | Default | Meaning |
|---|---|---|
| port | 8080 | where it listens |
| host | 127.0.0.1 | who may reach it |

> Nothing leaves this machine.`
const echo = await openEchoChat({
  answer: (t) => (t.includes('how') ? LONG : t.includes('silent') ? null : `You said: ${t}`),
  stepMs: 15,
})
const browser = await startBrowser()
const wait = (ms: number) => new Promise((r) => setTimeout(r, ms))
try {
  const page = await browser.open(echo.server.url)
  await page.waitForSelector('.empty')
  await page.screenshot({ path: `${out}empty-1280-light.png` })
  const say = async (text: string) => {
    await page.fill('#composer-text', text)
    await page.keyboard.press('Enter')
  }
  await say('Hello there')
  await page.waitForSelector('text=You said: Hello there')
  await say('how do I start it?')
  await wait(500)
  await page.screenshot({ path: `${out}streaming-1280-light.png` })
  await page.waitForSelector('text=Nothing leaves this machine.')
  await wait(300)
  await say('silent please')
  await page.waitForSelector('text=No answer:')
  await page.evaluate(() => {})
  await page.locator('article.message:not(.mine)').first().hover()
  await page.screenshot({ path: `${out}chat-1280-light.png` })
  // group
  await page.click('text=Lounge')
  await page.waitForSelector('h1:has-text("Lounge")')
  await page.fill('#composer-text', 'Hi @')
  await page.locator('#composer-text').press('End')
  await page.keyboard.type('E')
  await wait(100)
  await page.screenshot({ path: `${out}names-1280-light.png` })
  await page.keyboard.press('Enter')
  await page.keyboard.type('what is up with a message that is quite a bit longer than the others, so that it wraps?')
  await page.keyboard.press('Enter')
  await page.waitForSelector('text=You said: Hi @Echo')
  await page.click('.persona')
  await wait(100)
  await page.screenshot({ path: `${out}persona-menu.png` })
  await page.click('[role=menuitemradio]:has-text("Ben")')
  await say('I am Ben, hello')
  await page.waitForSelector('text=You said: I am Ben')
  // upload picture
  await page.setInputFiles('input[type=file]', [
    { name: 'chart.png', mimeType: 'image/png', buffer: png(320, 200) },
    {
      name: 'report of the year 2025.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4 hello'.repeat(900)),
    },
  ])
  await page.waitForSelector('.upload:nth-child(2) .file-size:has-text("KiB")')
  const first = page.locator('article.message:has-text("I am Ben")').first()
  await first.hover()
  await first.locator('[aria-label=Quote]').click()
  await page.fill('#composer-text', 'See these')
  await page.screenshot({ path: `${out}composer-1280-light.png` })
  await page.keyboard.press('Enter')
  await page.waitForSelector('text=You said: See these')
  const own = page.locator('article.message:has-text("You said: See these")').last()
  await own.hover()
  await own.locator('[aria-label=React]').click()
  await wait(100)
  await page.screenshot({ path: `${out}react-1280-light.png` })
  await page.keyboard.press('Enter')
  await page.waitForSelector('.reaction')
  await page.click('button[aria-controls=panel]')
  await page.selectOption('.event-form select >> nth=0', 'group.member_left')
  await page.selectOption('.event-fields select >> nth=1', 'u-3')
  await page.click('text=Make it happen')
  await page.waitForSelector('.event-log li')
  await page.selectOption('.event-form select >> nth=0', 'group.member_joined')
  await page.click('text=Make it happen')
  await wait(200)
  await page.screenshot({ path: `${out}events-1280-light.png` })
  const hash = await page.evaluate(() => location.hash)
  const dark = await browser.open(echo.server.url + hash, { dark: true })
  await dark.waitForSelector('text=See these')
  await wait(200)
  await dark.screenshot({ path: `${out}group-1280-dark.png` })
  await dark.click('.chat >> nth=0')
  await wait(300)
  await dark.goto(`${echo.server.url}#as=u-1&chat=private%3Au-1`)
  await dark.waitForSelector('text=Nothing leaves')
  await wait(200)
  await dark.screenshot({ path: `${out}chat-1280-dark.png` })
  for (const d of [false, true]) {
    const phone = await browser.open(`${echo.server.url}#as=u-1&chat=private%3Au-1`, {
      width: 390,
      height: 844,
      dark: d,
    })
    await phone.waitForSelector('text=Nothing leaves')
    await wait(200)
    const n = d ? 'dark' : 'light'
    await phone.screenshot({ path: `${out}chat-390-${n}.png` })
    await phone.click('button[aria-label="People and chats"]')
    await wait(250)
    await phone.screenshot({ path: `${out}rail-390-${n}.png` })
    await phone.click('.chat >> nth=1')
    await wait(300)
    await phone.screenshot({ path: `${out}group-390-${n}.png` })
    await phone.click('button[aria-controls=panel]')
    await wait(200)
    await phone.screenshot({ path: `${out}events-390-${n}.png` })
  }
  await echo.server.down()
  await wait(200)
  await page.keyboard.press('Escape')
  await page.fill('#composer-text', 'Written while offline')
  await page.locator('#composer-text').press('Enter')
  await wait(200)
  await page.screenshot({ path: `${out}offline-1280-light.png` })
  await echo.server.up()
  await page.waitForSelector('text=You said: Written while offline', { timeout: 15000 })
  await page.click('[aria-label="New group"]')
  await wait(100)
  await page.screenshot({ path: `${out}dialog-1280-light.png` })
} finally {
  console.log('errors', browser.errors, 'foreign', browser.foreign)
  await browser.close()
  await echo.close()
}
