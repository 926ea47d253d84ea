import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser, type TestBrowser } from './testing/browser.ts'
import { never, outgoing } from './testing/chat.ts'
import type { EchoOptions } from './testing/echo-bot.ts'
import { type EchoChat, openEchoChat } from './testing/echo-chat.ts'
import { png } from './testing/png.ts'

let browser: TestBrowser
const open: { echo: EchoChat; pages: Page[] }[] = []

beforeAll(async () => {
  if (CHROMIUM !== undefined) browser = await startBrowser()
}, 60_000)
beforeEach(({ skip }) => skip(CHROMIUM === undefined, 'there is no Chromium on this machine'))
afterAll(() => browser?.close())
afterEach(async () => {
  for (const { echo, pages } of open.splice(0)) {
    for (const page of pages) await page.close()
    await echo.close()
  }
  // No page may load anything from elsewhere, throw, or break its own policy.
  expect(browser.foreign.splice(0)).toEqual([])
  expect(browser.errors.splice(0).filter((text) => !/Failed to load resource|ERR_CONNECTION/.test(text))).toEqual([])
})

async function start(
  options: Partial<EchoOptions> = {},
  view: { width?: number; height?: number; hash?: string } = {},
) {
  const echo = await openEchoChat(options)
  const page = await browser.open(echo.server.url + (view.hash ?? ''), view)
  open.push({ echo, pages: [page] })
  await page.waitForSelector('.status[data-state=open]', { state: 'attached' })
  return { echo, page }
}

async function say(page: Page, text: string): Promise<void> {
  await page.fill('#composer-text', text)
  await page.press('#composer-text', 'Enter')
}

const messages = (page: Page) => page.locator('.thread article.message .markdown').allInnerTexts()

describe('talking', () => {
  test('Enter sends, Shift+Enter breaks the line, Enter of an input method does neither', {
    timeout: 60_000,
  }, async () => {
    const { page } = await start()
    await page.fill('#composer-text', 'first')
    await page.press('#composer-text', 'Shift+Enter')
    await page.locator('#composer-text').pressSequentially('second')
    await page.locator('#composer-text').dispatchEvent('keydown', { key: 'Enter', isComposing: true })
    expect(await page.inputValue('#composer-text')).toBe('first\nsecond')
    expect(await messages(page)).toEqual([])
    await page.press('#composer-text', 'Enter')
    await page.waitForSelector('text=You said: first')
    expect(await messages(page)).toEqual(['first\nsecond', 'You said: first\nsecond'])
    expect(await page.inputValue('#composer-text')).toBe('')
  })

  test('a reload and a restart of the host show the conversation again', { timeout: 60_000 }, async () => {
    const { page, echo } = await start()
    await say(page, 'remember me')
    await page.waitForSelector('text=You said: remember me')
    await Promise.all([...echo.bot.running])
    const before = await messages(page)
    await echo.chat.restart()
    echo.bot.adapter = echo.chat.adapter
    await page.reload()
    await page.waitForSelector('text=You said: remember me')
    expect(await messages(page)).toEqual(before)
  })

  test('what is written while offline waits, survives a reload, and is sent once', { timeout: 60_000 }, async () => {
    const { page, echo } = await start()
    await say(page, 'before')
    await page.waitForSelector('text=You said: before')
    await echo.server.down()
    await page.waitForSelector('.banner:has-text("connection is lost")')
    await say(page, 'while offline')
    await page.waitForSelector('text=waiting for the connection')
    // The page is loaded again while sending is still impossible.
    await echo.server.up()
    const release = echo.chat.services.hold()
    await page.reload()
    await page.waitForSelector('.mine:has-text("while offline") .waiting')
    release()
    await page.waitForSelector('text=You said: while offline')
    expect(await messages(page)).toEqual(['before', 'You said: before', 'while offline', 'You said: while offline'])
    await page.reload()
    await page.waitForSelector('text=You said: while offline')
    expect((await messages(page)).length).toBe(4)
    expect(echo.chat.services.accepted.length).toBe(2)
  })

  test('a stopped bot and an ended sign-in are told apart from a lost connection', { timeout: 60_000 }, async () => {
    const { page, echo } = await start()
    echo.server.refuse(404)
    await page.waitForSelector('.banner:has-text("The bot is not running")')
    echo.server.refuse(null)
    // It comes back by itself.
    await page.waitForSelector('.banner', { state: 'hidden' })
    echo.server.refuse(401)
    await page.waitForSelector('.banner:has-text("You are signed out")')
    await say(page, 'kept for later')
    echo.server.refuse(null)
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.waitForSelector('text=You said: kept for later')
  })

  test('quote, edit, react, delete, each by its button', { timeout: 60_000 }, async () => {
    const { page, echo } = await start({ answer: (text) => (text === 'hello' ? 'answer' : null) })
    await say(page, 'hello')
    await page.waitForSelector('article:not(.mine):not(.streaming):has-text("answer")')
    const bot = page.locator('article.message:not(.mine)').first()
    await bot.hover()
    await bot.getByLabel('Quote').click()
    await say(page, 'what do you mean?')
    await page.waitForSelector('.mine .quote-text:has-text("answer")')
    await page.waitForSelector('text=No answer: no route of this bot')
    await page.press('#composer-text', 'ArrowUp')
    await say(page, 'what did you mean?')
    await page.waitForSelector('text=edited')
    const mine = page.locator('article.mine').last()
    await mine.hover()
    await mine.getByLabel('React').click()
    await page.getByRole('menuitem', { name: 'React with 🎉' }).click()
    await page.waitForSelector('.reaction[aria-pressed=true]')
    await page.click('.reaction')
    await page.waitForSelector('.reaction', { state: 'detached' })
    await mine.hover()
    await mine.getByLabel('More').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForSelector('text=This message was deleted')
    expect(echo.chat.services.accepted.map(({ event }) => event.type)).toEqual([
      'message.received',
      'message.received',
      'message.edited',
      'message.reaction',
      'message.reaction',
      'message.deleted',
    ])
  })

  test('files go up, are shown, and come down under their name', { timeout: 60_000 }, async () => {
    const { page } = await start({ answer: () => null })
    await page.setInputFiles('input[type=file]', [
      { name: 'chart.png', mimeType: 'image/png', buffer: png(64, 48) },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
    ])
    await page.waitForSelector('.send:not([disabled])')
    await page.click('.send')
    const image = page.locator('.picture-button img')
    await image.waitFor()
    await expect.poll(() => image.evaluate((node: HTMLImageElement) => node.naturalWidth)).toBe(64)
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('a.file')])
    expect(download.suggestedFilename()).toBe('notes.txt')
    await page.click('.picture-button')
    await page.waitForSelector('dialog.picture[open]')
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog.picture', { state: 'detached' })
  })

  test('an upload that the server refuses says why and blocks the message', { timeout: 60_000 }, async () => {
    const { page } = await start()
    await page.setInputFiles('input[type=file]', [
      { name: 'big.bin', mimeType: 'a/b', buffer: Buffer.alloc(8 * 1024 * 1024 + 1) },
    ])
    await page.waitForSelector('.upload .failed:has-text("8.0 MiB")')
    expect(await page.isDisabled('.send')).toBe(true)
    await page.getByLabel('Remove big.bin').click()
    await say(page, 'without it')
    await page.waitForSelector('text=You said: without it')
  })

  test('a refused message stays with its reason and can be tried again', { timeout: 60_000 }, async () => {
    const { page, echo } = await start()
    echo.chat.services.refuse({
      status: 'refused',
      reason: 'backlog_full',
      message: 'Too many messages wait.',
      retry: true,
    })
    await say(page, 'hello')
    await page.waitForSelector('text=Not delivered. Too many messages wait.')
    await page.click('text=Try again')
    await page.waitForSelector('text=You said: hello')
    expect(await messages(page)).toEqual(['hello', 'You said: hello'])
  })
})

describe('streams', () => {
  test('[D48] two streams at once, the view switched there and back: each shows its own text, the first resumes live', {
    timeout: 60_000,
  }, async () => {
    const { page, echo } = await start({ answer: () => null })
    const begin = async (target_id: string, text: string) => {
      const { chain: _chain, ...opening } = outgoing('', { target: { target_type: 'person', target_id } })
      const opened = await echo.chat.adapter.openStream?.(opening, text, never)
      if (opened === undefined) throw new Error('no streams')
      return opened.stream
    }
    const a = await begin('u-1', 'alpha')
    const b = await begin('u-2', 'beta')
    await a.update('alpha one')
    await b.update('beta one')
    await page.waitForSelector('.thread :text("alpha one")')
    expect(await messages(page)).toEqual(['alpha one'])
    await page.getByRole('radio', { name: 'Ben' }).click()
    await page.waitForSelector('.thread :text("beta one")')
    await a.update('alpha one two')
    await b.update('beta one two')
    await page.waitForSelector('.thread :text("beta one two")')
    expect(await messages(page)).toEqual(['beta one two'])
    await page.getByRole('radio', { name: 'Ann' }).click()
    await page.waitForSelector('.thread :text("alpha one two")')
    await a.update('alpha one two three')
    await page.waitForSelector('.thread :text("alpha one two three")')
    await b.update('beta one two three')
    await a.finish('alpha is done')
    await b.finish('beta is done')
    await page.waitForSelector('.thread :text("alpha is done")')
    expect(await messages(page)).toEqual(['alpha is done'])
  })

  test('a growing answer keeps finished blocks, and does not move the reader who looks at something older', {
    timeout: 60_000,
  }, async () => {
    const { page, echo } = await start({ answer: () => null })
    for (let at = 0; at < 30; at++) await echo.chat.adapter.send(outgoing(`older ${at}`), never)
    const { chain: _chain, ...opening } = outgoing('')
    const opened = await echo.chat.adapter.openStream?.(opening, 'first block', never)
    await page.waitForSelector('.streaming :text("first block")')
    await page.locator('.streaming p').evaluate((node) => Reflect.set(window, 'kept', node))
    await opened?.stream.update('first block\n\nsecond')
    await page.waitForSelector('.streaming :text("second")')
    expect(await page.evaluate(() => document.contains(Reflect.get(window, 'kept')))).toBe(true)
    const thread = page.locator('#thread')
    // At the end the page follows.
    expect(await thread.evaluate((node) => node.scrollHeight - node.scrollTop - node.clientHeight)).toBeLessThan(2)
    await thread.evaluate((node) => node.scrollTo(0, 200))
    await page.waitForSelector('.jump:not([hidden])')
    await opened?.stream.finish(`first block\n\n${'line\n\n'.repeat(40)}`)
    await echo.chat.adapter.send(outgoing('newest'), never)
    await page.waitForSelector('.jump:has-text("1 new")')
    expect(await thread.evaluate((node) => node.scrollTop)).toBe(200)
    await page.click('.jump')
    await page.waitForSelector('.jump', { state: 'hidden' })
  })
})

/** Puts the renderer within reach of `evaluate`. As text: the test runner would rewrite an import. */
async function loadMarkdown(page: Page): Promise<void> {
  const load =
    "import(new URL('page/markdown.js', document.baseURI).href).then((all) => { window.MarkdownView = all.MarkdownView })"
  await page.evaluate(load)
}

describe('hostile text is text', () => {
  const ATTACKS = [
    '<img src=x onerror="window.pwned=1">',
    '<script>window.pwned=1</script>',
    '[click](javascript:window.pwned=1)',
    '[click]( JaVaScRiPt:window.pwned=1 )',
    '[click](data:text/html,<script>window.pwned=1</script>)',
    '![x](https://evil.example/track.png)',
    '<https://evil.example/"onmouseover="window.pwned=1>',
    '"><svg onload=window.pwned=1>',
    '```html"><img src=x onerror=window.pwned=1>\n<script>window.pwned=1</script>\n```',
    '| <img src=x onerror=window.pwned=1> | b |\n|---|---|\n| [c](vbscript:x) | d |',
    '> [q](javascript:window.pwned=1)\n\n# <b onclick=window.pwned=1>h</b>',
    '\uE0000\uE001 \uE000constructor\uE001 {{constructor}}',
  ]

  test('in messages of people and bot, in names, quotes, reactions, notices and file names', {
    timeout: 90_000,
  }, async () => {
    const { page, echo } = await start({ answer: () => null })
    const attack = ATTACKS.join('\n\n')
    await say(page, attack)
    await echo.chat.adapter.send(outgoing(attack), never)
    await page.waitForSelector('article:not(.mine) pre')
    await page.click('[aria-label="New person"]')
    await page.fill('dialog input', '<img src=x onerror=window.pwned=1>')
    await page.click('dialog .primary')
    await page.waitForSelector('.you:has-text("<img src=x")')
    await page.click('[aria-label="New group"]')
    await page.fill('dialog input[name=name]', '<b onclick=window.pwned=1>g</b>')
    await page.click('dialog .primary')
    await page.waitForSelector('h1:has-text("<b onclick")')
    await page.setInputFiles('input[type=file]', [
      { name: '<img src=x onerror=window.pwned=1>.txt', mimeType: 'a/b', buffer: Buffer.from('x') },
    ])
    await page.waitForSelector('.send:not([disabled])')
    await say(page, '@<img src=x onerror=window.pwned=1> <i>hi</i>')
    const sent = page.locator('article.mine').last()
    // The message is drawn anew when the host has taken it: what was hovered may be gone.
    const quote = async () => {
      await sent.hover()
      return sent.getByLabel('Quote').click({ timeout: 500 })
    }
    await expect
      .poll(
        () =>
          quote().then(
            () => true,
            () => false,
          ),
        { timeout: 15_000 },
      )
      .toBe(true)
    await say(page, 'quoting')
    await page.waitForSelector('.quote-text')
    await page.getByRole('radio', { name: 'Ann' }).click()
    await page.locator('.chat').first().click()
    await page.waitForSelector('article:not(.mine) pre')
    const found = await page.evaluate(() => ({
      pwned: Reflect.get(window, 'pwned'),
      handlers: [...document.querySelectorAll('*')].filter((node) =>
        [...node.attributes].some(({ name }) => name.startsWith('on')),
      ).length,
      scripts: document.scripts.length,
      addresses: [...document.querySelectorAll('a[href], img[src]')]
        .map((node) => node.getAttribute('href') ?? node.getAttribute('src') ?? '')
        .filter((address) => /^\s*(javascript|data|vbscript):/i.test(address)),
      images: [...document.images].filter((image) => !image.src.startsWith(location.origin)).length,
    }))
    expect(found).toEqual({ pwned: undefined, handlers: 0, scripts: 1, addresses: [], images: 0 })
    const text = await page.locator('.thread').innerText()
    expect(text).toContain('<img src=x onerror="window.pwned=1">')
    expect(text).toContain('[click](javascript:window.pwned=1)')
    const links = await page
      .locator('.thread .markdown a')
      .evaluateAll((nodes) => nodes.map((node) => [node.getAttribute('rel'), node.getAttribute('target')]))
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) expect(link).toEqual(['noopener noreferrer nofollow', '_blank'])
  })

  test('no text keeps the page busy', { timeout: 90_000 }, async () => {
    const { page } = await start()
    await loadMarkdown(page)
    const slow = await page.evaluate(() => {
      const MarkdownView = Reflect.get(window, 'MarkdownView')
      const length = 20_000
      const texts = [
        '**a ',
        '[[a]',
        '*_',
        '[',
        '![](',
        '`',
        '``` ',
        '# #',
        '> ',
        '- ',
        '1. ',
        '|-',
        'http://a.',
        '(((',
        '\\*',
        '~~ x',
        '_a_',
        '<http://',
        '*a **b ',
        '\uE0001\uE001',
        '\n\n- \n  ',
      ]
      return texts.flatMap((text) => {
        const begin = performance.now()
        new MarkdownView().update(text.repeat(length / text.length))
        const took = performance.now() - begin
        return took > 1500 ? [`${text}: ${Math.round(took)} ms`] : []
      })
    })
    expect(slow).toEqual([])
  })
})

describe('Markdown', () => {
  test('is shown as what it means', { timeout: 60_000 }, async () => {
    const { page } = await start()
    await loadMarkdown(page)
    const html = (text: string) =>
      page.evaluate((source) => {
        const MarkdownView = Reflect.get(window, 'MarkdownView')
        const view = new MarkdownView()
        // Character by character, as a stream: the end has to be the same as in one go.
        for (let at = 1; at <= source.length; at++) view.update(source.slice(0, at))
        const once = new MarkdownView()
        once.update(source)
        if (once.node.innerHTML !== view.node.innerHTML) return `grown: ${view.node.innerHTML}`
        return once.node.innerHTML.replace(/ (?:target|rel|title|tabindex|role|aria-label)="[^"]*"/g, '')
      }, text)
    const cases = [
      ['a **b** _c_ ~~d~~ `e*f*`', '<p>a <strong>b</strong> <em>c</em> <del>d</del> <code>e*f*</code></p>'],
      ['snake_case_name 2*3*4 a < b', '<p>snake_case_name 2<em>3</em>4 a &lt; b</p>'],
      ['one\ntwo\n\nthree', '<p>one<br>two</p><p>three</p>'],
      [
        '- a\n- b\n  - c\n\n1. x\n2. y',
        '<ul><li><span>a</span></li><li><span>b</span><ul><li><span>c</span></li></ul></li></ul><ol start="1"><li><span>x</span></li><li><span>y</span></li></ol>',
      ],
      [
        'see https://example.org/a_(b), or [this](https://example.org)',
        '<p>see <a href="https://example.org/a_(b)">https://example.org/a_(b)</a>, or <a href="https://example.org/">this</a></p>',
      ],
      ['\\*not\\* 天气很好', '<p>*not* 天气很好</p>'],
      ['# Big\n> quoted **x**', '<h3>Big</h3><blockquote><p>quoted <strong>x</strong></p></blockquote>'],
    ]
    for (const [source, expected] of cases) expect(await html(source ?? ''), source).toBe(expected)
    expect(await html('```js\nlet a\n\n# no heading\n```\nafter')).toContain(
      '<pre><code>let a\n\n# no heading</code></pre></div><p>after</p>',
    )
  })
})

test('the panel makes events happen, says what the host answered, and explains a refusal', {
  timeout: 60_000,
}, async () => {
  const { page, echo } = await start({ answer: () => null }, { hash: '#as=u-1&chat=group%3Ag-4' })
  await page.getByRole('button', { name: 'Events' }).click()
  const choose = (event: string) => page.locator('.event-form select').first().selectOption(event)
  const make = () => page.getByRole('button', { name: 'Make it happen' }).click()
  await choose('group.member_left')
  await page.locator('.event-fields select').nth(1).selectOption('u-3')
  await make()
  await page.waitForSelector('.event-log li:has-text("event-1")')
  await page.waitForSelector('.notice:has-text("Chen left the group")')
  await choose('friend.request_received')
  await make()
  await page.waitForSelector('.requests:has-text("Ann wants to be a friend")')
  await choose('bot.unmuted')
  await make()
  await page.waitForSelector('.event-log .failed:has-text("not muted")')
  await choose('platform.specific')
  await page.locator('.event-fields textarea').fill('{"a": [1, {"b": null}]}')
  await make()
  await page.waitForSelector('.event-log li:has-text("event-3")')
  expect(echo.chat.services.accepted.at(-1)?.event).toMatchObject({ action: 'poke', data: { a: [1, { b: null }] } })
  await page.keyboard.press('Escape')
  expect(await page.locator('#panel').isHidden()).toBe(true)
})

test('everything can be reached by keyboard and has a name', { timeout: 60_000 }, async () => {
  const { page } = await start()
  await say(page, 'hello')
  await page.waitForSelector('article:not(.mine):not(.streaming):has-text("You said: hello")')
  await page.getByRole('button', { name: 'Events' }).click()
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('button, input:not([type=file]), select, textarea, a[href]')]
      .filter((node) => {
        const label = node.getAttribute('aria-label') ?? node.textContent ?? ''
        const labels = 'labels' in node && node.labels instanceof NodeList ? node.labels.length : 0
        return label.trim() === '' && labels === 0
      })
      .map((node) => node.outerHTML.slice(0, 120)),
  )
  expect(nameless).toEqual([])
  await page.keyboard.press('Escape')
  // From the field back over the messages: arrow keys walk, Tab reaches what can be done with one.
  await page.locator('#thread').focus()
  await page.keyboard.press('ArrowUp')
  expect(await page.evaluate(() => document.activeElement?.className)).toContain('message')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('React')
  // A screen reader hears the finished answer once.
  expect(await page.locator('#live').innerText()).toBe('Echo: You said: hello')
})

test('on a phone the rail folds away and nothing sticks out', { timeout: 60_000 }, async () => {
  const { page, echo } = await start({ answer: () => null }, { width: 390, height: 844 })
  await echo.chat.adapter.send(
    outgoing(
      `| ${'wide | '.repeat(20)}\n|${'-|'.repeat(20)}\n\n\`\`\`\n${'x'.repeat(500)}\n\`\`\`\n\n${'y'.repeat(500)}`,
    ),
    never,
  )
  await page.waitForSelector('article pre')
  const sticksOut = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(await sticksOut()).toBe(0)
  expect(await page.locator('#rail').isVisible()).toBe(false)
  await page.locator('button[aria-label="People and chats"]').click()
  await page.locator('.chat', { hasText: 'Lounge' }).click()
  await page.waitForSelector('h1:has-text("Lounge")')
  expect(await page.locator('#rail').isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Events' }).click()
  expect(await sticksOut()).toBe(0)
})
