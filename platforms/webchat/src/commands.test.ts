import { PlatformEventSchema } from '@runbound/protocol/schemas'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { plainText } from './chains.ts'
import { never, openChat, outgoing, type TestChat, type TestChatOptions } from './testing/chat.ts'
import { FakePage } from './testing/fake-page.ts'

const chats: TestChat[] = []
const mine = 'private:u-1'
const lounge = 'group:g-4'

async function open(options?: TestChatOptions): Promise<{ chat: TestChat; page: FakePage }> {
  const chat = await openChat(options)
  chats.push(chat)
  return { chat, page: await FakePage.open(chat.adapter) }
}

async function history(page: FakePage, chat: `private:${string}` | `group:${string}`) {
  const from = page.frames.length
  page.send({ type: 'history', id: 'h', chat, before: null, limit: 100 })
  return (await page.wait('history', () => true, from)).messages
}

const texts = async (page: FakePage, chat: `private:${string}` | `group:${string}`) =>
  (await history(page, chat)).map(({ parts }) => plainText(parts))

afterEach(async () => {
  for (const chat of chats.splice(0)) await chat.remove()
})

describe('messages', () => {
  test('[D38] a message that is repeated with the same uuid is said once, handed over once, answered each time', async () => {
    const { chat, page } = await open()
    const [first, second] = await Promise.all([
      page.say('u-1', mine, 'hello', 'uuid-0001'),
      page.say('u-1', mine, 'hello', 'uuid-0001'),
    ])
    page.drop()
    const again = await FakePage.open(chat.adapter)
    const third = await again.say('u-1', mine, 'hello', 'uuid-0001')
    expect([first.type, second.type, third.type]).toEqual(['ack', 'ack', 'ack'])
    if (first.type === 'ack' && third.type === 'ack') expect(third.message_id).toBe(first.message_id)
    expect(await texts(again, mine)).toEqual(['hello'])
    expect(chat.services.accepted.length).toBe(1)
    // Another uuid with the same words is another message.
    await again.say('u-1', mine, 'hello', 'uuid-0002')
    expect(await texts(again, mine)).toEqual(['hello', 'hello'])
    expect(chat.services.accepted.map(({ dedupe_key }) => dedupe_key)).toEqual(['uuid-0001', 'uuid-0002'])
  })

  test('a message is confirmed only after the host has taken it', async () => {
    const { chat, page } = await open()
    const release = chat.services.hold()
    const answer = page.say('u-1', mine, 'hello', 'uuid-0001')
    const shown = await page.wait('message')
    expect(shown.message.status).toBe('waiting')
    expect(page.frames.filter(({ type }) => type === 'ack')).toEqual([])
    release()
    expect((await answer).type).toBe('ack')
    expect((await history(page, mine))[0]?.status).toBe('sent')
  })

  test('what the host refuses says why, and can be tried again with the same uuid', async () => {
    const { chat, page } = await open()
    const refusal = {
      status: 'refused',
      reason: 'backlog_full',
      message: 'Too many messages wait. Try later.',
      retry: true,
    } as const
    chat.services.refuse(refusal)
    expect(await page.say('u-1', mine, 'hello', 'uuid-0001')).toMatchObject({
      type: 'error',
      code: 'refused',
      reason: 'backlog_full',
      message: refusal.message,
      retry: true,
    })
    expect((await history(page, mine))[0]).toMatchObject({ status: 'refused', refusal: { message: refusal.message } })
    // A restart does not hand it over behind the person's back.
    await chat.restart()
    const again = await FakePage.open(chat.adapter)
    expect(chat.services.accepted.length).toBe(0)
    expect((await again.say('u-1', mine, 'hello', 'uuid-0001')).type).toBe('ack')
    expect(await history(again, mine)).toMatchObject([{ status: 'sent', refusal: null }])
  })

  test('a message whose hand-over was cut off reaches the host after a restart, under the same key', async () => {
    let broken = true
    const { chat, page } = await open({
      services: {
        emit: async (event) => {
          if (broken) throw new Error('the host is gone')
          return chats[0]?.services.emit(event) ?? Promise.reject(new Error('no chat'))
        },
      },
    })
    expect(await page.say('u-1', mine, 'first', 'uuid-0001')).toMatchObject({
      type: 'error',
      code: 'unavailable',
      retry: true,
    })
    expect((await page.say('u-1', mine, 'second', 'uuid-0002')).type).toBe('error')
    broken = false
    await chat.restart()
    const again = await FakePage.open(chat.adapter)
    await vi.waitFor(() => expect(chat.services.accepted.length).toBe(2))
    expect(chat.services.accepted.map(({ dedupe_key }) => dedupe_key)).toEqual(['uuid-0001', 'uuid-0002'])
    await vi.waitFor(async () =>
      expect((await history(again, mine)).map(({ status }) => status)).toEqual(['sent', 'sent']),
    )
  })

  test('messages of one page reach the host in their order, also behind a slow attachment', async () => {
    const { chat, page } = await open()
    const data_url = `data:text/plain;base64,${Buffer.alloc(300_000, 'x').toString('base64')}`
    const frame = { type: 'send', user_id: 'u-1', chat: mine, quote_id: null } as const
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        page.command({ ...frame, text: `n${at}`, attachments: at % 4 === 0 ? [{ name: 'a.txt', data_url }] : [] }),
      ),
    )
    const order = chat.services.accepted.map(({ event }) =>
      event.type === 'message.received' ? event.message_chain : [],
    )
    expect(order.map((chain) => chain.find((part) => part.type === 'Plain')?.text)).toEqual(
      Array.from({ length: 12 }, (_, at) => `n${at}`),
    )
    // The file travels with its bytes, under a name that is only a label.
    expect(order[0]?.find((part) => part.type === 'File')).toMatchObject({
      name: 'a.txt',
      size: 300_000,
      base64: expect.stringMatching(/^data:application\/octet-stream;base64,eHh4/),
    })
  })

  test('a restart shows the conversation as it was: quotes, edits, reactions, deletions, answers', async () => {
    const { chat, page } = await open()
    const said = await page.say('u-1', mine, 'one')
    if (said.type !== 'ack' || said.message_id === null) throw new Error('not said')
    const by = { user_id: 'u-1', chat: mine, message_id: said.message_id } as const
    await page.command({ type: 'edit', ...by, text: 'one, edited' })
    await page.command({ type: 'react', ...by, reaction: '👍', add: true })
    await chat.adapter.send(outgoing('answer', { quote_message_id: said.message_id }), never)
    const gone = await page.say('u-1', mine, 'regret')
    if (gone.type === 'ack') await page.command({ type: 'delete', ...by, message_id: gone.message_id ?? '' })
    const before = await history(page, mine)
    expect(before).toMatchObject([
      { version: 2, reactions: [{ reaction: '👍', user_ids: ['u-1'] }] },
      { sender_id: 'bot', quote_id: said.message_id },
      { deleted_at: expect.any(Number), parts: [] },
    ])
    await chat.restart()
    expect(await history(await FakePage.open(chat.adapter), mine)).toEqual(before)
  })

  test('added, removed and added again are three events; what is so already is none', async () => {
    const { chat, page } = await open()
    const said = await page.say('u-1', mine, 'one')
    const by = {
      type: 'react',
      user_id: 'u-1',
      chat: mine,
      message_id: said.type === 'ack' ? (said.message_id ?? '') : '',
    } as const
    for (const add of [true, true, false, false, true]) {
      expect((await page.command({ ...by, reaction: '👍', add })).type).toBe('ack')
    }
    const reactions = chat.services.accepted.filter(({ event }) => event.type === 'message.reaction')
    expect(reactions.map(({ event }) => event.type === 'message.reaction' && event.is_add)).toEqual([true, false, true])
    expect(new Set(reactions.map(({ dedupe_key }) => dedupe_key)).size).toBe(3)
  })

  test('each edit is an event with its version in the key; only who wrote it may edit', async () => {
    const { chat, page } = await open()
    const said = await page.say('u-1', lounge, 'one')
    const by = { user_id: 'u-1', chat: lounge, message_id: said.type === 'ack' ? (said.message_id ?? '') : '' } as const
    await page.command({ type: 'edit', ...by, text: 'two' })
    await page.command({ type: 'edit', ...by, text: 'one' })
    expect(await page.command({ type: 'edit', ...by, user_id: 'u-2', text: 'no' })).toMatchObject({
      code: 'not_allowed',
    })
    const edits = chat.services.accepted.filter(({ event }) => event.type === 'message.edited')
    expect(edits.map(({ dedupe_key }) => dedupe_key)).toEqual([`${by.message_id}:v2`, `${by.message_id}:v3`])
    // An administrator of the group may delete it all the same, a plain member may not.
    expect(await page.command({ type: 'delete', ...by, user_id: 'u-2' })).toMatchObject({ code: 'not_allowed' })
    expect((await page.command({ type: 'delete', ...by })).type).toBe('ack')
    expect(chat.services.accepted.at(-1)?.event).toMatchObject({ type: 'message.deleted', operator: { id: 'u-1' } })
  })

  test('names after an @ become mentions; the bot learns that it was meant', async () => {
    const { chat, page } = await open({ services: { bot_name: 'Echo' } })
    await page.command({ type: 'create_person', name: 'Anna' })
    await page.say('u-1', lounge, '@Echo ask @Ben, not @Echoes or mail@Ben.example @all')
    const event = chat.services.accepted[0]?.event
    const chain = event?.type === 'message.received' ? event.message_chain : []
    expect(chain.slice(1)).toEqual([
      { type: 'At', target: 'bot', display: 'Echo' },
      { type: 'Plain', text: ' ask ' },
      { type: 'At', target: 'u-2', display: 'Ben' },
      { type: 'Plain', text: ', not @Echoes or mail@Ben.example ' },
      { type: 'AtAll' },
    ])
    expect(chat.adapter.selfId).toBe('bot')
  })
})

describe('who may do what', () => {
  test('nobody writes into a chat of others', async () => {
    const { page } = await open()
    expect(await page.say('u-2', mine, 'not mine')).toMatchObject({ code: 'not_allowed', retry: false })
    expect(await page.say('bot', mine, 'I am the bot')).toMatchObject({ code: 'not_found' })
    expect(await texts(page, mine)).toEqual([])
  })

  test('a muted person is refused until the mute ends', async () => {
    let now = 1_700_000_000_000
    const { chat, page } = await open({ host: { now: () => now } })
    await chat.adapter.api?.('mute_member', { group_id: 'g-4', user_id: 'u-2', duration: 60 }, never)
    expect(await page.say('u-2', lounge, 'hm')).toMatchObject({
      code: 'not_allowed',
      message: expect.stringContaining('muted'),
    })
    now += 61_000
    expect((await page.say('u-2', lounge, 'hm')).type).toBe('ack')
  })

  test('a group without the bot goes on, and the bot hears nothing of it', async () => {
    const { chat, page } = await open()
    await chat.adapter.api?.('leave_group', { group_id: 'g-4' }, never)
    expect(await page.say('u-1', lounge, 'are we alone?')).toMatchObject({ type: 'ack', event_id: null })
    expect(chat.services.emitted).toEqual([])
    await expect(
      chat.adapter.send(outgoing('hi', { target: { target_type: 'group', target_id: 'g-4' } }), never),
    ).rejects.toMatchObject({ kind: 'refused' })
  })

  test('a new conversation is begun by the host, or refused where it cannot', async () => {
    const reset: string[] = []
    const { page } = await open({
      host: {
        resetConversation: async ({ target_id }) => {
          reset.push(target_id)
        },
      },
    })
    expect((await page.command({ type: 'new_conversation', user_id: 'u-1', chat: mine })).type).toBe('ack')
    expect(reset).toEqual(['u-1'])
    const { page: other } = await open()
    expect(await other.command({ type: 'new_conversation', user_id: 'u-1', chat: mine })).toMatchObject({
      code: 'not_allowed',
    })
  })

  test('why a message got no answer stands at the message', async () => {
    const { page } = await open({
      host: { settled: async () => ({ status: 'silent', reason: 'route_not_found', message: 'No route takes this.' }) },
    })
    await page.say('u-1', mine, 'anybody?')
    const { message } = await page.wait('message', ({ message }) => message.outcome !== null)
    expect(message.outcome).toEqual({ status: 'silent', reason: 'route_not_found', message: 'No route takes this.' })
  })
})

test('every event of a page is valid as documented', async () => {
  const { chat, page } = await open()
  const said = await page.say('u-1', lounge, 'one @Ben')
  const by = { user_id: 'u-1', chat: lounge, message_id: said.type === 'ack' ? (said.message_id ?? '') : '' } as const
  await page.command({ type: 'edit', ...by, text: 'two' })
  await page.command({ type: 'react', ...by, reaction: 'ok', add: true })
  await page.command({ type: 'delete', ...by })
  expect(chat.services.accepted.length).toBe(4)
  for (const { event } of chat.services.accepted) expect(PlatformEventSchema.parse(event)).toEqual(event)
})
