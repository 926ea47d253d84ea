import { afterEach, describe, expect, test } from 'vitest'
import { plainText } from './chains.ts'
import type { ServerFrame } from './frames.ts'
import { LIMITS } from './limits.ts'
import { never, openChat, outgoing, type TestChat, type TestChatOptions } from './testing/chat.ts'
import { FakePage } from './testing/fake-page.ts'

const chats: TestChat[] = []
const mine = 'private:u-1'

async function open(options?: TestChatOptions): Promise<TestChat> {
  const chat = await openChat(options)
  chats.push(chat)
  return chat
}

async function shown(chat: TestChat, key: `private:${string}` | `group:${string}` = mine) {
  const page = await FakePage.open(chat.adapter)
  page.send({ type: 'history', id: 'h', chat: key, before: null, limit: 100 })
  const { messages } = await page.wait('history')
  page.drop()
  return messages
}

async function stream(chat: TestChat, target_id: string, run: string, text: string) {
  const { chain: _chain, ...opening } = outgoing('', {
    target: { target_type: 'person', target_id },
    conversation_id: `person_${target_id}`,
    run_id: run,
  })
  const opened = await chat.adapter.openStream?.(opening, text, never)
  if (opened === undefined) throw new Error('no streams')
  return { ...opened, delivery_key: opening.delivery_key, opening }
}

afterEach(async () => {
  for (const chat of chats.splice(0)) await chat.remove()
})

describe('sending', () => {
  test('the same delivery key is said once: at the same time, later, and after a restart', async () => {
    const chat = await open()
    const message = outgoing('once', { delivery_key: 'k-1' })
    const sent = await Promise.all([1, 2, 3].map(() => chat.adapter.send(message, never)))
    expect(new Set(sent.map(({ message_id }) => message_id)).size).toBe(1)
    await chat.restart()
    expect(await chat.adapter.send(message, never)).toEqual(sent[0])
    expect((await shown(chat)).map(({ parts }) => plainText(parts))).toEqual(['once'])
    expect(await chat.adapter.outcome?.('k-1')).toEqual({ status: 'sent', message_id: sent[0]?.message_id })
    expect(await chat.adapter.outcome?.('k-2')).toEqual({ status: 'not_sent' })
  })

  test('a key that may have been forgotten is unknown for a day, never "not sent"', async () => {
    let now = 1_700_000_000_000
    const chat = await open({ limits: { keepDeliveries: 3 }, host: { now: () => now } })
    for (let at = 0; at < 5; at++) await chat.adapter.send(outgoing('x', { delivery_key: `k-${at}` }), never)
    expect(await chat.adapter.outcome?.('k-4')).toMatchObject({ status: 'sent' })
    expect(await chat.adapter.outcome?.('k-0')).toEqual({ status: 'unknown' })
    await chat.restart()
    expect(await chat.adapter.outcome?.('k-0')).toEqual({ status: 'unknown' })
    now += 24 * 60 * 60 * 1000 + 1
    expect(await chat.adapter.outcome?.('k-9')).toEqual({ status: 'not_sent' })
  })

  test('pictures and files are kept with the chat; a picture elsewhere is a link that nobody loads', async () => {
    const chat = await open()
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(40)])
    const base64 = `data:image/png;base64,${png.toString('base64')}`
    const image = { type: 'Image', image_id: '', path: '' } as const
    const chain = [
      { type: 'Plain', text: 'See ' },
      { type: 'Plain', text: 'this' },
      { ...image, url: '', base64 },
      { ...image, url: 'https://example.org/cat.png', base64: '' },
      {
        type: 'File',
        id: '',
        name: '../../evil.html',
        size: 5,
        url: '',
        path: '',
        base64: Buffer.from('<b>x').toString('base64'),
      },
    ] as const
    await chat.adapter.send(outgoing('', { chain: [...chain] }), never)
    await chat.restart()
    expect((await shown(chat))[0]?.parts).toMatchObject([
      { kind: 'text', text: 'See this' },
      { kind: 'file', file: { mime: 'image/png', view: 'image', size: png.length } },
      { kind: 'link', url: 'https://example.org/cat.png' },
      { kind: 'file', file: { name: 'evil.html', mime: 'application/octet-stream', view: 'file' } },
    ])
  })

  test.each([
    ['nothing', [], 'invalid'],
    ['only a source', [{ type: 'Source' as const, id: 'm-1', timestamp: 1 }], 'invalid'],
    [
      'a picture without content',
      [{ type: 'Image' as const, image_id: 'x', url: '', path: '', base64: '' }],
      'invalid',
    ],
    [
      'a picture on the disk of the host',
      [{ type: 'Image' as const, image_id: '', url: '', path: '/etc/passwd', base64: '' }],
      'invalid',
    ],
    [
      'a file address',
      [{ type: 'Image' as const, image_id: '', url: 'file:///etc/passwd', path: '', base64: '' }],
      'invalid',
    ],
    [
      'a script address',
      [{ type: 'Image' as const, image_id: '', url: 'javascript:alert(1)', path: '', base64: '' }],
      'invalid',
    ],
    [
      'content that is no base64',
      [{ type: 'Image' as const, image_id: '', url: '', path: '', base64: 'data:image/png;base64,***' }],
      'invalid',
    ],
  ])('%s is refused and leaves nothing', async (_name, chain, kind) => {
    const chat = await open()
    await expect(chat.adapter.send(outgoing('', { chain, delivery_key: 'k' }), never)).rejects.toMatchObject({ kind })
    expect(await shown(chat)).toEqual([])
    expect(await chat.adapter.outcome?.('k')).toEqual({ status: 'not_sent' })
  })

  test('nobody is written to who is not there', async () => {
    const chat = await open()
    for (const target of [
      { target_type: 'person', target_id: 'u-99' },
      { target_type: 'group', target_id: 'g-99' },
    ] as const) {
      await expect(chat.adapter.send(outgoing('x', { target }), never)).rejects.toMatchObject({ kind: 'refused' })
    }
  })

  test('the chat keeps its newest messages, also on disk', async () => {
    const chat = await open({ limits: { keepMessagesPerChat: 10, compactBytes: 4000 } })
    for (let at = 0; at < 60; at++) await chat.adapter.send(outgoing(`n${at}`), never)
    const kept = Array.from({ length: 10 }, (_, at) => `n${at + 50}`)
    expect((await shown(chat)).map(({ parts }) => plainText(parts))).toEqual(kept)
    await chat.restart()
    expect((await shown(chat)).map(({ parts }) => plainText(parts))).toEqual(kept)
  })

  test('history pages go back without a gap and without a repetition', async () => {
    const chat = await open()
    for (let at = 0; at < 25; at++) {
      await chat.adapter.send(outgoing(`n${at}`), never)
      await chat.adapter.send(outgoing('other', { target: { target_type: 'person', target_id: 'u-2' } }), never)
    }
    const page = await FakePage.open(chat.adapter)
    const seen: string[] = []
    let before: number | null = null
    for (;;) {
      const from = page.frames.length
      page.send({ type: 'history', id: 'h', chat: mine, before, limit: 10 })
      const { messages, more } = await page.wait('history', () => true, from)
      seen.unshift(...messages.map(({ parts }) => plainText(parts)))
      before = messages[0]?.n ?? 0
      if (!more) break
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, at) => `n${at}`))
  })
})

describe('streams', () => {
  /** What a page shows that follows the frames of one chat. */
  function follow(frames: readonly ServerFrame[], chat: string): string[] {
    const texts = new Map<string, string>()
    for (const frame of frames) {
      if (frame.type === 'message' && frame.chat === chat) texts.set(frame.message.id, plainText(frame.message.parts))
      if (frame.type === 'stream' && frame.chat === chat) {
        texts.set(frame.message_id, (texts.get(frame.message_id) ?? '').slice(0, frame.from) + frame.text)
      }
    }
    return [...texts.values()]
  }

  test('[D48] two streams that run at the same time never mix; each frame names chat, message, conversation and run', async () => {
    const chat = await open()
    const page = await FakePage.open(chat.adapter)
    const [a, b] = [await stream(chat, 'u-1', 'run-a', 'A'), await stream(chat, 'u-2', 'run-b', 'B')]
    for (let at = 0; at < 20; at++) {
      await a.stream.update(`A${'a'.repeat(at)}`)
      await b.stream.update(`B${'b'.repeat(at)}`)
      expect(follow(page.frames, 'private:u-1')).toEqual([`A${'a'.repeat(at)}`])
      expect(follow(page.frames, 'private:u-2')).toEqual([`B${'b'.repeat(at)}`])
    }
    const frames = page.frames.filter((frame) => frame.type === 'stream')
    for (const frame of frames) {
      const one = frame.chat === 'private:u-1' ? a : b
      expect(frame).toMatchObject({
        message_id: one.message_id,
        conversation_id: one === a ? 'person_u-1' : 'person_u-2',
        run_id: one === a ? 'run-a' : 'run-b',
      })
    }
    await a.stream.finish('A done')
    await b.stream.abort('B half')
    // A page that comes late, or comes back to the chat, sees the same.
    expect((await shown(chat, 'private:u-1')).map(({ parts }) => plainText(parts))).toEqual(['A done'])
    expect((await shown(chat, 'private:u-2')).map(({ parts }) => plainText(parts))).toEqual(['B half'])
    expect(follow(page.frames, 'private:u-1')).toEqual(['A done'])
  })

  test('a page that opens in the middle of a stream resumes it live', async () => {
    const chat = await open()
    const one = await stream(chat, 'u-1', 'run-a', 'one')
    await one.stream.update('one two')
    const late = await FakePage.open(chat.adapter)
    late.send({ type: 'history', id: 'h', chat: mine, before: null, limit: 10 })
    const { messages } = await late.wait('history')
    expect(messages.map(({ parts }) => plainText(parts))).toEqual(['one two'])
    await one.stream.update('one two three')
    expect(await late.wait('stream')).toMatchObject({ from: 7, text: ' three' })
  })

  test('only the new end of the text travels, and half characters are put together again', async () => {
    const chat = await open()
    const page = await FakePage.open(chat.adapter)
    const one = await stream(chat, 'u-1', 'run-a', 'x😀')
    await one.stream.update('x😁')
    await one.stream.update('y')
    expect(page.frames.filter((frame) => frame.type === 'stream').map(({ from }) => from)).toEqual([2, 0])
    expect(follow(page.frames, mine)).toEqual(['y'])
  })

  test('after a restart a stream goes on in the same message, and ends there', async () => {
    const chat = await open()
    const one = await stream(chat, 'u-1', 'run-a', 'one')
    await chat.restart()
    const { opening, message_id } = one
    const resumed = await chat.adapter.resumeStream?.({ message: opening, message_id: null })
    await resumed?.finish('one, after all')
    expect(await shown(chat)).toMatchObject([{ id: message_id, streaming: false, parts: [{ text: 'one, after all' }] }])
    expect(await chat.adapter.resumeStream?.({ message: opening, message_id: 'm-99' })).toBe(null)
  })

  test('a finished stream stays as it is', async () => {
    const chat = await open()
    const { stream: one } = await stream(chat, 'u-1', 'run-a', 'one')
    const sent = await one.finish('the end')
    expect(await one.finish('another end')).toEqual(sent)
    await expect(one.update('more')).rejects.toMatchObject({ kind: 'invalid' })
    expect((await shown(chat)).map(({ parts }) => plainText(parts))).toEqual(['the end'])
  })

  test('text over the limit is refused as too long and what was shown stays', async () => {
    const chat = await open()
    const { stream: one } = await stream(chat, 'u-1', 'run-a', 'one')
    await expect(one.update('x'.repeat(LIMITS.maxText + 1))).rejects.toMatchObject({ kind: 'too_long' })
    await one.finish('x'.repeat(LIMITS.maxText))
  })

  test('a message that was deleted under the stream takes no more text', async () => {
    const chat = await open()
    const { stream: one, message_id } = await stream(chat, 'u-1', 'run-a', 'one')
    await chat.adapter.api?.('delete_message', { chat_type: 'person', chat_id: 'u-1', message_id }, never)
    await expect(one.update('one two')).rejects.toMatchObject({ kind: 'refused' })
    await expect(one.finish('one two')).rejects.toMatchObject({ kind: 'refused' })
    expect((await shown(chat))[0]?.parts).toEqual([])
  })
})
