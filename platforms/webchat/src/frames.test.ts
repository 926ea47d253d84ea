import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from './limits.ts'
import { openChat, type TestChat } from './testing/chat.ts'
import { FakePage } from './testing/fake-page.ts'

let chat: TestChat
let now = 1_700_000_000_000

beforeAll(async () => {
  // Each look at the clock is a second later, so that only the test about speed is ever too fast.
  chat = await openChat({ host: { now: () => (now += 1000) } })
})
afterAll(() => chat.remove())

const send = {
  type: 'send',
  uuid: 'uuid-0001',
  user_id: 'u-1',
  chat: 'private:u-1',
  text: 'x',
  quote_id: null,
  attachments: [],
}

async function answerTo(frame: unknown): Promise<unknown> {
  const page = await FakePage.open(chat.adapter)
  page.raw(typeof frame === 'string' ? frame : JSON.stringify(frame))
  const answer = await page.wait('error')
  // The connection lives on and is of use.
  page.send({ type: 'ping' })
  await page.wait('pong')
  page.drop()
  return answer
}

describe('frames that can not be read are answered and leave the connection open', () => {
  test.each([
    ['no JSON', '{"type":', 'invalid_frame', 'JSON'],
    ['no object', '[1]', 'invalid_frame', 'object'],
    ['no type', {}, 'invalid_frame', '"type"'],
    ['an unknown type', { type: 'drop_table' }, 'invalid_frame', 'drop_table'],
    ['a prototype as type', { type: '__proto__' }, 'invalid_frame', '__proto__'],
    ['no uuid', { ...send, uuid: undefined }, 'invalid_frame', '"uuid"'],
    ['a uuid with a path', { ...send, uuid: '../../etc/passwd' }, 'invalid_frame', '"uuid"'],
    ['a chat of another shape', { ...send, chat: 'u-1' }, 'invalid_frame', '"chat"'],
    ['a number as text', { ...send, text: 5 }, 'invalid_frame', '"text"'],
    ['nothing to say', { ...send, text: ' \n ' }, 'invalid_frame', 'text or a file'],
    ['attachments that are none', { ...send, attachments: [{ path: '/etc/passwd' }] }, 'invalid_frame', 'file_id'],
    [
      'a data URL without base64',
      { ...send, attachments: [{ name: 'a', data_url: 'data:text/plain,hi' }] },
      'invalid_frame',
      'base64',
    ],
    [
      'a file that is not here',
      { ...send, attachments: [{ file_id: 'f-00000000000000000000000000000000' }] },
      'not_found',
      'Attach it again',
    ],
    ['a message to quote that is not here', { ...send, quote_id: 'm-99' }, 'not_found', 'not in this chat'],
    [
      'a fraction as limit',
      { type: 'history', id: 'h', chat: 'private:u-1', before: null, limit: 1.5 },
      'invalid_frame',
      '"limit"',
    ],
    [
      'an event that can not be made',
      { type: 'fire', uuid: 'uuid-0002', event: 'message.received' },
      'invalid_frame',
      'message.received',
    ],
    [
      'a negative duration',
      { type: 'fire', uuid: 'uuid-0002', event: 'bot.muted', group_id: 'g-4', duration: -1 },
      'invalid_frame',
      '"duration"',
    ],
    [
      'a name that turns the text around',
      { type: 'create_person', uuid: 'uuid-0003', name: 'Ann\u202Etxt' },
      'invalid_frame',
      '"name"',
    ],
    ['a name that is taken', { type: 'create_person', uuid: 'uuid-0004', name: 'Ann' }, 'conflict', 'Ann'],
  ])('%s', async (_name, frame, code, says) => {
    expect(await answerTo(frame)).toMatchObject({ code, message: expect.stringContaining(says) })
  })

  test('each limit of a frame is named with its number', async () => {
    const over = (most: number) => 'x'.repeat(most + 1)
    const base64 = Buffer.alloc(LIMITS.maxInlineBytes + 1).toString('base64')
    const cases: [unknown, number][] = [
      [over(LIMITS.maxFrame), LIMITS.maxFrame],
      [{ ...send, text: over(LIMITS.maxText) }, LIMITS.maxText],
      [{ ...send, attachments: Array(LIMITS.maxAttachments + 1).fill({ file_id: 'f' }) }, LIMITS.maxAttachments],
      [{ ...send, attachments: [{ name: 'a', data_url: `data:a/b;base64,${base64}` }] }, LIMITS.maxInlineBytes],
      [{ type: 'create_person', uuid: 'uuid-0005', name: over(LIMITS.maxName) }, LIMITS.maxName],
      [
        {
          type: 'fire',
          uuid: 'uuid-0006',
          event: 'platform.specific',
          action: 'a',
          data: { a: over(LIMITS.maxEventData) },
        },
        LIMITS.maxEventData,
      ],
    ]
    for (const [frame, most] of cases) {
      expect(await answerTo(frame)).toMatchObject({ code: 'too_large', message: expect.stringContaining(String(most)) })
    }
  })

  test('an error names the command that it is about, even if the frame can not be read', async () => {
    expect(await answerTo({ ...send, text: 'x'.repeat(LIMITS.maxText + 1) })).toMatchObject({ uuid: 'uuid-0001' })
    expect(await answerTo({ ...send, uuid: 'no' })).toMatchObject({ uuid: null })
  })

  test('whatever JSON comes, the page gets one answer and the adapter goes on', async () => {
    const page = await FakePage.open(chat.adapter)
    const key = fc.constantFrom(
      'type',
      'uuid',
      'chat',
      'user_id',
      'event',
      'text',
      'message_id',
      'v',
      'id',
      'limit',
      'before',
    )
    const type = fc.constantFrom('hello', 'send', 'edit', 'react', 'fire', 'history', 'typing', 'create_group')
    const frames = fc
      .tuple(type, fc.dictionary(key, fc.jsonValue()))
      .map(([one, rest]) => JSON.stringify({ type: one, ...rest }))
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json(), frames), async (text) => {
        const before = page.frames.length
        page.raw(text)
        await Promise.resolve()
        page.send({ type: 'ping' })
        await page.wait('pong', () => true, before)
        expect(page.closed).toBe(null)
      }),
      { numRuns: 300 },
    )
  })
})

test('the first frame is hello, in a version that both speak', async () => {
  const page = new FakePage(chat.adapter)
  page.raw(JSON.stringify(send))
  expect(await page.wait('error')).toMatchObject({ message: 'Say hello first.' })
  page.send({ type: 'hello', v: 2 })
  expect(await page.wait('error', ({ code }) => code === 'version')).toMatchObject({
    message: expect.stringContaining('Reload'),
  })
})

test('a flood of frames is refused, and ends when the page waits', async () => {
  let clock = 1_700_000_000_000
  const quiet = await openChat({ host: { now: () => clock } })
  try {
    const page = await FakePage.open(quiet.adapter)
    for (let at = 0; at < LIMITS.frameBurst + 20; at++) page.send({ type: 'ping' })
    expect(page.frames.filter(({ type }) => type === 'pong').length).toBe(LIMITS.frameBurst - 1)
    expect(await page.wait('error')).toMatchObject({ code: 'too_fast', retry: true })
    clock += 1000
    const before = page.frames.length
    page.send({ type: 'ping' })
    await page.wait('pong', () => true, before)
  } finally {
    await quiet.remove()
  }
})

test('more pages than allowed are turned away; one that left makes room', async () => {
  const small = await openChat({ limits: { maxSockets: 2 } })
  try {
    const first = await FakePage.open(small.adapter)
    await FakePage.open(small.adapter)
    expect(new FakePage(small.adapter).closed).toBe(1013)
    first.drop()
    await FakePage.open(small.adapter)
  } finally {
    await small.remove()
  }
})
