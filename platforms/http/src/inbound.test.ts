/** Requests to an http bot: signatures, sizes, shapes, duplicates, each with its code. */
import { type RecordingServices, recordingServices } from '@runbound/platform-kit/scriptable'
import type { JsonObject } from '@runbound/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { serve, signed } from './http-fixture.ts'
import { httpPlatform, MAX_BODY } from './index.ts'

const SECRET = 'inbound-secret'
const BOT = 'bot-1'
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

async function bot(settings: JsonObject = {}, services: RecordingServices = recordingServices(BOT)) {
  const adapter = httpPlatform.create({ inbound_secret: SECRET, ...settings }, services)
  await adapter.start()
  if (adapter.http === undefined) throw new Error('the http platform has no route')
  const server = await serve(adapter.http.handle)
  opened.push({ close: () => adapter.stop().then(() => server.close()) })
  const call = async (body: string, headers: Record<string, string>, path = '') => {
    const response = await fetch(`${server.origin}/bots/${BOT}${path}`, { method: 'POST', body, headers })
    const { code, msg, data } = await response.json()
    return { status: response.status, code, msg, data }
  }
  const post = (body: unknown, extra: Record<string, string> = {}, path = '') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return call(text, { ...signed(SECRET, text), ...extra }, path)
  }
  return { services, adapter, call, post, origin: server.origin }
}

const hello = { session_id: 's-1', message: [{ type: 'Plain', text: 'hello' }] }

describe('signatures', () => {
  test('a signed message is accepted once it is stored', async () => {
    const { post, services } = await bot()
    const release = services.hold()
    let answered = false
    const posting = post(hello).then((answer) => {
      answered = true
      return answer
    })
    await expect.poll(() => services.emitted.length).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(answered).toBe(false)
    release()
    expect(await posting).toMatchObject({
      status: 202,
      code: 0,
      msg: 'ok',
      data: { accepted_message_id: expect.any(String), duplicate: false },
    })
  })

  const at = (offset: number) => Math.floor(Date.now() / 1000) + offset
  const body = JSON.stringify(hello)
  test.each([
    ['unsigned', {}],
    ['wrong', { ...signed('other-secret', body) }],
    ['ten minutes old', signed(SECRET, body, at(-600))],
    ['ten minutes ahead', signed(SECRET, body, at(600))],
    ['without a timestamp', { 'x-lb-signature': 'sha256=00' }],
    ['without a signature', { 'x-lb-timestamp': String(at(0)) }],
    ['with words as time', { ...signed(SECRET, body), 'x-lb-timestamp': 'now' }],
    ['with a shortened signature', { ...signed(SECRET, body), 'x-lb-signature': 'sha256=' }],
    ['with another time than signed', { ...signed(SECRET, body, at(-10)), 'x-lb-timestamp': String(at(0)) }],
  ])('[D106] a post that is %s gets 401 and is no event', async (_name, headers) => {
    const { call, services } = await bot()
    expect(await call(body, headers)).toMatchObject({ status: 401, code: 40101, data: { reason: 'unauthorized' } })
    expect(await call(body, headers, '/sync')).toMatchObject({ status: 401, code: 40101 })
    expect(await call(body, headers, '/reset')).toMatchObject({ status: 401, code: 40101 })
    expect(services.emitted).toEqual([])
  })

  test('[D106] the signature is checked before anything is parsed, over the bytes as they came', async () => {
    const { call, services } = await bot()
    expect(await call('{ this is no json', {})).toMatchObject({ code: 40101 })
    const spaced = `{ "session_id": "s-1" ,\n "message": "天气" }`
    expect(await call(spaced, signed(SECRET, spaced))).toMatchObject({ status: 202 })
    expect(await call(`${spaced} `, signed(SECRET, spaced))).toMatchObject({ code: 40101 })
    expect(services.emitted).toHaveLength(1)
  })

  test('a clock that is off by less than the window passes', async () => {
    const { call } = await bot()
    expect(await call(body, signed(SECRET, body, at(-290)))).toMatchObject({ status: 202 })
    expect(await call(body, signed(SECRET, body, at(290)))).toMatchObject({ status: 202 })
  })

  test('where signatures are optional a wrong one is still refused, and the operator is warned', async () => {
    const { call, services } = await bot({ signature_required: false })
    expect(await call(body, {})).toMatchObject({ status: 202 })
    expect(await call(body, signed('other', body))).toMatchObject({ status: 401 })
    expect(services.logs).toContainEqual(
      expect.objectContaining({ level: 'warning', text: expect.stringContaining('signature_required') }),
    )
  })
})

describe('duplicates', () => {
  test('[D106] [D38] the same signed post three times at once is one event, and each is answered alike', async () => {
    const { call, services } = await bot()
    const body = JSON.stringify(hello)
    const headers = signed(SECRET, body)
    const answers = await Promise.all([call(body, headers), call(body, headers), call(body, headers)])
    expect(services.accepted).toHaveLength(1)
    expect(new Set(answers.map((answer) => answer.data.accepted_message_id)).size).toBe(1)
    expect(answers.map((answer) => answer.status)).toEqual([202, 202, 202])
    expect(answers.map((answer) => answer.data.duplicate).sort()).toEqual([false, true, true])
  })

  test('[D38] an idempotency key makes a newly signed post a duplicate, in its own session only', async () => {
    const { post, services } = await bot()
    const key = { 'x-lb-idempotency-key': 'order-7' }
    const first = await post(hello, key)
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const again = await post(hello, key)
    expect(again.data).toEqual({ ...first.data, duplicate: true })
    expect(await post({ ...hello, session_id: 's-2' }, key)).toMatchObject({ data: { duplicate: false } })
    expect(services.accepted).toHaveLength(2)
  })

  test('[D40] keys and message ids are the same after a restart, so that the host can know them', async () => {
    const body = JSON.stringify(hello)
    const headers = { ...signed(SECRET, body), 'x-lb-idempotency-key': 'k' }
    const before = await bot()
    const after = await bot()
    const [first, second] = [await before.call(body, headers), await after.call(body, headers)]
    expect(first.data.accepted_message_id).toBe(second.data.accepted_message_id)
    expect(before.services.emitted[0]?.dedupe_key).toBe(after.services.emitted[0]?.dedupe_key)
  })

  test('[D106] a captured post sent later under another idempotency key is the same event', async () => {
    let now = Date.now()
    const { call, services } = await bot({}, recordingServices(BOT, { now: () => now }))
    const body = JSON.stringify(hello)
    const headers = signed(SECRET, body)
    await call(body, { ...headers, 'x-lb-idempotency-key': 'a' })
    // The same words twice in one second, told apart by their keys, are two messages.
    await call(body, { ...headers, 'x-lb-idempotency-key': 'b' })
    expect(services.accepted).toHaveLength(2)
    now += 20_000
    await call(body, { ...headers, 'x-lb-idempotency-key': 'c' })
    await call(body, headers)
    expect(services.emitted).toHaveLength(4)
    expect(services.accepted).toHaveLength(2)
  })

  test('unsigned posts without a key are never taken for one another', async () => {
    const { call, services } = await bot({ signature_required: false })
    await call(JSON.stringify(hello), {})
    await call(JSON.stringify(hello), {})
    expect(services.emitted.map((event) => event.dedupe_key)).toEqual([null, null])
    expect(services.accepted).toHaveLength(2)
  })
})

describe('messages', () => {
  test('[runner.context.platform-event] components and plain text become message.received', async () => {
    const { post, services } = await bot()
    await post({
      session_id: 'ticket-1',
      session_type: 'group',
      sender: { id: 7, name: 'Ann' },
      message: [
        { type: 'Plain', text: 'look: ' },
        { type: 'Image', url: 'https://example.org/a.png' },
      ],
    })
    await post({ session_id: 'ticket-2', message: 'just text' })
    const [group, person] = services.emitted
    expect(group).toMatchObject({
      reply_target: { target_type: 'group', target_id: 'ticket-1', message_id: expect.any(String) },
      event: {
        type: 'message.received',
        chat_type: 'group',
        chat_id: 'ticket-1',
        group: { id: 'ticket-1' },
        sender: { id: 7, nickname: 'Ann' },
        message_chain: [
          { type: 'Source' },
          { type: 'Plain', text: 'look: ' },
          { type: 'Image', url: 'https://example.org/a.png', path: '' },
        ],
      },
    })
    expect(person).toMatchObject({
      reply_target: { target_type: 'person', target_id: 'ticket-2' },
      event: {
        chat_type: 'private',
        group: null,
        sender: { id: 'ticket-2' },
        message_chain: [{ type: 'Source' }, { type: 'Plain', text: 'just text' }],
      },
    })
  })

  test("the default session type is the operator's", async () => {
    const { post, services } = await bot({ default_session_type: 'group' })
    await post(hello)
    expect(services.emitted[0]?.reply_target?.target_type).toBe('group')
  })

  const deep = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
  test.each([
    ['body', '[]'],
    ['body', 'nothing'],
    ['body', JSON.stringify({ ...hello, extra: deep(64) })],
    ['session_id', { message: 'x' }],
    ['session_id', { session_id: '', message: 'x' }],
    ['session_id', { session_id: 5, message: 'x' }],
    ['session_id', { session_id: 's'.repeat(257), message: 'x' }],
    ['session_type', { ...hello, session_type: 'room' }],
    ['sender.id', { ...hello, sender: { id: {} } }],
    ['message', { session_id: 's-1' }],
    ['message', { session_id: 's-1', message: ' \n' }],
    ['message', { session_id: 's-1', message: [] }],
    ['message', { session_id: 's-1', message: [{ type: 'Source', id: 1, timestamp: 1 }] }],
    ['message', { session_id: 's-1', message: { type: 'Plain' } }],
    ['message', { session_id: 's-1', message: Array.from({ length: 1_001 }, () => ({ type: 'Plain', text: 'x' })) }],
    ['message[0]', { session_id: 's-1', message: ['x'] }],
    ['message[1].text', { session_id: 's-1', message: [{ type: 'Plain', text: 'x' }, { type: 'Plain' }] }],
    ['message[0].type', { session_id: 's-1', message: [{ type: 'Sticker' }] }],
    ['message[0].path', { session_id: 's-1', message: [{ type: 'Image', path: '/etc/passwd' }] }],
    ['message[0].file_path', { session_id: 's-1', message: [{ type: 'WeChatFile', file_path: '/etc/passwd' }] }],
    ['message[0].url', { session_id: 's-1', message: [{ type: 'Image', url: 'file:///etc/passwd' }] }],
    [
      'message[0].origin[0].path',
      { session_id: 's-1', message: [{ type: 'Quote', origin: [{ type: 'Image', path: '/etc/passwd' }] }] },
    ],
    [
      'message[0].node_list[0].message_chain[0].type',
      { session_id: 's-1', message: [{ type: 'Forward', node_list: [{ message_chain: [{ type: 'Nope' }] }] }] },
    ],
  ])('a wrong %s gets 40001 that names it, and is no event', async (field, body) => {
    const { post, services } = await bot()
    const answer = await post(body)
    expect(answer).toMatchObject({ status: 400, code: 40001, data: { field } })
    expect(answer.msg).toContain(field)
    expect(services.emitted).toEqual([])
  })

  test('an invalid text encoding and a long idempotency key are refused', async () => {
    const { origin, post } = await bot({ signature_required: false })
    const response = await fetch(`${origin}/bots/${BOT}`, { method: 'POST', body: Buffer.from([0x7b, 0xff, 0x7d]) })
    expect(await response.json()).toMatchObject({ code: 40001, data: { field: 'body' } })
    expect(await post(hello, { 'x-lb-idempotency-key': 'k'.repeat(257) })).toMatchObject({
      code: 40001,
      data: { field: 'X-LB-Idempotency-Key' },
    })
  })
})

describe('limits and states', () => {
  test('a body over one MiB is refused before it is read, one below it is taken', async () => {
    const { post, services, adapter } = await bot({ signature_required: false })
    const frame = JSON.stringify({ session_id: 's-1', message: '' }).length
    expect(await post({ session_id: 's-1', message: 'x'.repeat(MAX_BODY - frame + 1) })).toMatchObject({
      status: 413,
      code: 41301,
    })
    expect(services.emitted).toEqual([])
    expect(await post({ session_id: 's-1', message: 'x'.repeat(MAX_BODY - frame) })).toMatchObject({ status: 202 })
    // Without a declared length the stream is cut off while it is read.
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(65_536).fill(0x20))
      },
    })
    const response = await adapter.http?.handle(
      new Request(`http://host/bots/${BOT}`, { method: 'POST', body: endless, duplex: 'half' } as RequestInit),
    )
    expect(await response?.json()).toMatchObject({ code: 41301 })
    expect(pulled).toBeLessThan(20)
  })

  test('a full host is 503 with its reason, an event that it finds invalid is 400', async () => {
    const { post, services } = await bot()
    services.refuse(
      { status: 'refused', reason: 'backlog_full', message: 'Too much is waiting.', retry: true },
      { status: 'refused', reason: 'invalid_event', message: 'No.', retry: false },
    )
    expect(await post({ ...hello, session_id: 'a' })).toMatchObject({
      status: 503,
      code: 50301,
      msg: 'Too much is waiting.',
      data: { reason: 'backlog_full', retry: true },
    })
    expect(await post({ ...hello, session_id: 'b' })).toMatchObject({
      status: 400,
      code: 40001,
      data: { reason: 'invalid_event' },
    })
  })

  test('a fault inside is 50001 without particulars, and logged', async () => {
    const services = recordingServices(BOT)
    const broken = { ...services, emit: () => Promise.reject(new Error('disk /data/x is full')) }
    const { post } = await bot({}, broken)
    const answer = await post(hello)
    expect(answer).toMatchObject({ status: 500, code: 50001 })
    expect(JSON.stringify(answer)).not.toContain('disk')
    expect(services.logs).toContainEqual(
      expect.objectContaining({ level: 'error', text: expect.stringContaining('disk /data/x') }),
    )
  })

  test('other paths, other methods and a stopped bot', async () => {
    const { post, origin, adapter, services } = await bot()
    expect(await post(hello, {}, '/other')).toMatchObject({ status: 404, code: 40401 })
    expect(await (await fetch(`${origin}/bots/${BOT}`)).json()).toMatchObject({ code: 40501 })
    expect(await post(hello, {}, '/')).toMatchObject({ status: 202 })
    await adapter.stop()
    expect(await post(hello)).toMatchObject({ status: 503, code: 50301, data: { reason: 'stopped' } })
    expect(services.emitted).toHaveLength(1)
  })

  test("/reset starts a new conversation and is no event; a host that can't says so", async () => {
    const resets: unknown[] = []
    const able = await bot(
      {},
      recordingServices(BOT, { resetConversation: async (target) => void resets.push(target) }),
    )
    expect(await able.post({ session_id: 's-1' }, {}, '/reset')).toMatchObject({
      status: 200,
      code: 0,
      data: { session_id: 's-1', reset: true },
    })
    expect(resets).toEqual([{ target_type: 'person', target_id: 's-1' }])
    expect(await able.post({}, {}, '/reset')).toMatchObject({ code: 40001, data: { field: 'session_id' } })
    const unable = await bot()
    expect(await unable.post({ session_id: 's-1' }, {}, '/reset')).toMatchObject({ status: 501, code: 50101 })
    expect([...able.services.emitted, ...unable.services.emitted]).toEqual([])
  })
})
