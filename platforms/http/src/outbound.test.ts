/** Callbacks and /sync: order, retries, lost answers, waiting callers, each over real servers. */
import { createHmac } from 'node:crypto'
import type { AdapterInstance, OutgoingMessage } from '@runbound/platform-kit'
import { type RecordingServices, recordingServices } from '@runbound/platform-kit/scriptable'
import type { JsonObject, MessageChain } from '@runbound/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { Receiver, serve } from './http-fixture.ts'
import { httpPlatformWith } from './index.ts'

const BOT = 'bot-1'
const never = new AbortController().signal
const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

async function setUp(
  settings: JsonObject = {},
  services: RecordingServices = recordingServices(BOT),
  firstPauseMs = 20,
) {
  const receiver = await new Receiver().open()
  const all = {
    signature_required: false,
    callback_url: receiver.url,
    callback_timeout: 2,
    outbound_secret: 'out',
    ...settings,
  }
  const adapter = httpPlatformWith({ firstPauseMs }).create(all, services)
  await adapter.start()
  const server = await serve(adapter.http?.handle ?? (() => Promise.reject(new Error('no route'))))
  opened.push(async () => {
    await adapter.stop()
    await server.close()
    await receiver.close()
  })
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) => {
    const response = await fetch(`${server.origin}/bots/${BOT}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers,
      signal: signal ?? null,
    })
    return { status: response.status, ...(await response.json()) }
  }
  return { receiver, adapter, services, post }
}

let count = 0
function message(session_id: string, text: string, changes: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    target: { target_type: 'person', target_id: session_id, message_id: null },
    chain: [{ type: 'Plain', text }],
    delivery_key: `d-${++count}`,
    conversation_id: null,
    run_id: null,
    part: 1,
    parts: 1,
    ...changes,
  }
}

/** Answers each event as a host would, after `think`. */
function answering(
  services: RecordingServices,
  adapter: AdapterInstance,
  think: (text: string) => Promise<readonly string[]>,
) {
  let seen = 0
  const timer = setInterval(() => {
    for (; seen < services.accepted.length; seen++) {
      const incoming = services.accepted[seen]
      if (incoming?.event.type !== 'message.received' || incoming.reply_target == null) continue
      const target = incoming.reply_target
      const text = incoming.event.message_chain
        .map((component) => (component.type === 'Plain' ? component.text : ''))
        .join('')
      void think(text).then(async (answers) => {
        for (const [index, one] of answers.entries()) {
          await adapter
            .send(message(target.target_id, one, { target, part: index + 1, parts: answers.length }), never)
            .catch(() => {})
        }
      })
    }
  }, 2)
  opened.unshift(async () => clearInterval(timer))
}

const texts = (receiver: Receiver) =>
  receiver.received.map(({ body }) => body.message.map((part) => part.text ?? '').join(''))
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

describe('callbacks', () => {
  test('a callback has the documented shape, signature and delivery key', async () => {
    const { adapter, receiver, post, services } = await setUp()
    const accepted = await post('', { session_id: 's-1', message: 'hi' })
    const target = services.emitted[0]?.reply_target ?? { target_type: 'person', target_id: '' }
    const chain: MessageChain = [
      { type: 'Source', id: 'own', timestamp: 1 },
      { type: 'Plain', text: '天气 <b>' },
      { type: 'At', target: 12345678901234567890n, display: '' },
    ]
    const first = message('s-1', '', { target, chain, part: 1, parts: 2 })
    await adapter.send(first, never)
    await adapter.send(message('s-1', 'two', { target, part: 2, parts: 2, quote_message_id: 'm-9' }), never)
    const [one, two] = receiver.received
    expect(one?.body).toEqual({
      session_id: 's-1',
      reply_to: accepted.data.accepted_message_id,
      sequence: 1,
      is_final: false,
      stream: false,
      message: [
        { type: 'Plain', text: '天气 <b>' },
        { type: 'At', target: '12345678901234567890', display: '' },
      ],
      timestamp: expect.any(Number),
    })
    expect(two?.body).toMatchObject({
      sequence: 2,
      is_final: true,
      message: [
        { type: 'Quote', id: 'm-9' },
        { type: 'Plain', text: 'two' },
      ],
    })
    const stamp = String(one?.headers['x-lb-timestamp'])
    expect(Math.abs(Number(stamp) - Date.now() / 1000)).toBeLessThan(5)
    expect(one?.headers['x-lb-signature']).toBe(
      `sha256=${createHmac('sha256', 'out').update(`${stamp}.${one?.raw}`).digest('hex')}`,
    )
    expect(one?.headers['x-rb-delivery-key']).toBe(first.delivery_key)
  })

  test('500, 500, 200: taken once, with the same delivery key and growing pauses', async () => {
    const { adapter, receiver } = await setUp({}, undefined, 60)
    receiver.plan({ status: 500 }, { status: 500 })
    const begin = Date.now()
    await adapter.send(message('s-1', 'a'), never)
    expect(Date.now() - begin).toBeGreaterThanOrEqual(60 + 120 - 5)
    expect(texts(receiver)).toEqual(['a'])
  })

  test('after three retries it is unavailable, so that the host may try later', async () => {
    const { adapter, receiver } = await setUp()
    receiver.plan({ status: 500 }, { status: 502 }, { status: 503 }, { status: 500 })
    await expect(adapter.send(message('s-1', 'a'), never)).rejects.toMatchObject({ kind: 'unavailable' })
    await adapter.send(message('s-1', 'b'), never)
    expect(texts(receiver)).toEqual(['b'])
  })

  test('nobody listening is unavailable, retried and never unknown', async () => {
    const { adapter, receiver } = await setUp({ callback_max_retries: 1 })
    await receiver.close()
    const begin = Date.now()
    await expect(adapter.send(message('s-1', 'a'), never)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(Date.now() - begin).toBeGreaterThanOrEqual(15)
  })

  test('[errors.timed-out-send] an answer that does not come in time is unknown, and the callback is not repeated', async () => {
    const { adapter, receiver } = await setUp({ callback_timeout: 0.2 })
    receiver.plan({ delayMs: 400 })
    await expect(adapter.send(message('s-1', 'slow'), never)).rejects.toMatchObject({ kind: 'unknown_outcome' })
    receiver.plan({ breakAfterReading: true })
    await expect(adapter.send(message('s-1', 'broken'), never)).rejects.toMatchObject({ kind: 'unknown_outcome' })
    await pause(300)
    expect(texts(receiver).filter((text) => text === 'broken')).toHaveLength(1)
  })

  test('a receiver that deduplicates gets it again, under the same key', async () => {
    const { adapter, receiver } = await setUp({ callback_deduplicates: true })
    receiver.plan({ breakAfterReading: true })
    const sent = message('s-1', 'a')
    await adapter.send(sent, never)
    expect(receiver.received.map(({ headers }) => headers['x-rb-delivery-key'])).toEqual([
      sent.delivery_key,
      sent.delivery_key,
    ])
    expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1)
  })

  test('redirects are not followed', async () => {
    const { adapter, receiver } = await setUp()
    const other = await new Receiver().open()
    opened.push(() => other.close())
    receiver.plan({ status: 307, headers: { location: other.url } })
    await expect(adapter.send(message('s-1', 'secret'), never)).rejects.toMatchObject({ kind: 'refused' })
    expect(other.received).toEqual([])
  })

  test('[D33] one session is in order whatever the delays, and sessions do not wait for each other', async () => {
    const { adapter, receiver } = await setUp()
    const sessions = Array.from({ length: 8 }, (_, index) => `s-${index}`)
    receiver.plan(...Array.from({ length: 20 }, (_, index) => ({ delayMs: (index * 37) % 60 })))
    receiver.plan({ status: 500 })
    await Promise.all(
      sessions.flatMap((session) =>
        Array.from({ length: 10 }, (_, index) => adapter.send(message(session, `${session}:${index}`), never)),
      ),
    )
    for (const session of sessions) {
      const own = receiver.received.filter(({ body }) => body.session_id === session)
      expect(own.map(({ body }) => body.message[0]?.text)).toEqual(
        Array.from({ length: 10 }, (_, index) => `${session}:${index}`),
      )
      const sequences = own.map(({ body }) => body.sequence)
      expect(sequences).toEqual([...sequences].sort((a, b) => a - b))
      expect(new Set(sequences).size).toBe(10)
    }
    receiver.plan({ delayMs: 500 })
    const slow = adapter.send(message('slow', 'slow'), never)
    await pause(20)
    await adapter.send(message('fast', 'fast'), never)
    expect(texts(receiver).slice(-1)).toEqual(['fast'])
    await slow
  })

  test('a session with 100 callbacks waiting takes no more', async () => {
    const { adapter, receiver } = await setUp()
    receiver.plan({ delayMs: 300 })
    const sends = Array.from({ length: 101 }, (_, index) => adapter.send(message('s-1', String(index)), never))
    await expect(sends[100]).rejects.toMatchObject({ kind: 'rate_limited', retryAfterMs: 1_000 })
    await adapter.send(message('s-2', 'other'), never)
    await Promise.all(sends.slice(0, 100))
    expect(receiver.received).toHaveLength(101)
  })

  test('without a callback_url a message is refused with the reason', async () => {
    const { adapter } = await setUp({ callback_url: '' })
    await expect(adapter.send(message('s-1', 'a'), never)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('callback_url'),
    })
  })

  test('a path of this host is never told', async () => {
    const { adapter, receiver } = await setUp()
    const chain: MessageChain = [{ type: 'Image', image_id: '', url: '', path: '/data/secret.png', base64: '' }]
    await expect(adapter.send(message('s-1', '', { chain }), never)).rejects.toMatchObject({ kind: 'invalid' })
    expect(receiver.received).toEqual([])
  })

  test('a stop ends pauses at once', async () => {
    const { adapter, receiver } = await setUp({}, undefined, 20_000)
    receiver.plan({ status: 500 })
    const sending = adapter.send(message('s-1', 'a'), never)
    sending.catch(() => {})
    await pause(50)
    await adapter.stop()
    await expect(sending).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

describe('streams', () => {
  test('[runner.reply-stream.full-text] each callback has the whole text so far, the last one is final', async () => {
    const { adapter, receiver, post, services } = await setUp({ stream_replies: true })
    await post('', { session_id: 's-1', message: 'hi' })
    const target = services.emitted[0]?.reply_target ?? { target_type: 'person', target_id: '' }
    const { chain: _chain, ...opening } = message('s-1', '', { target })
    const opened = await adapter.openStream?.(opening, 'a', never)
    await opened?.stream.update('a b')
    receiver.plan({ breakAfterReading: true })
    await opened?.stream.update('a b c')
    await opened?.stream.finish('a b c d')
    expect(
      receiver.received.map(({ body }) => [body.sequence, body.stream, body.is_final, body.message[0]?.text]),
    ).toEqual([
      [1, true, false, 'a'],
      [2, true, false, 'a b'],
      // Lost answers of a growing text are repeated: the receiver sees the same number and key again.
      [3, true, false, 'a b c'],
      [3, true, false, 'a b c'],
      [4, true, true, 'a b c d'],
    ])
  })

  test('another process can finish a stream, with a higher sequence', async () => {
    const first = await setUp({ stream_replies: true })
    const { chain: _chain, ...opening } = message('s-1', '')
    const shown = await first.adapter.openStream?.(opening, 'a', never)
    const next = await setUp({ stream_replies: true, callback_url: first.receiver.url })
    const resumed = await next.adapter.resumeStream?.({ message: opening, message_id: shown?.message_id ?? null })
    await resumed?.finish('a b')
    const [one, two] = first.receiver.received
    expect(two?.body).toMatchObject({ is_final: true, stream: true, message: [{ text: 'a b' }] })
    expect(two?.body.sequence).toBeGreaterThanOrEqual(one?.body.sequence ?? Number.POSITIVE_INFINITY)
  })
})

describe('/sync', () => {
  const hello = (session_id: string, text = 'hello') => ({ session_id, message: [{ type: 'Plain', text }] })

  test('the answer is in the response and not called back', async () => {
    const { post, adapter, services, receiver } = await setUp()
    answering(services, adapter, async (text) => [`echo: `, text])
    const answer = await post('/sync', hello('s-1'))
    expect(answer).toMatchObject({
      status: 200,
      code: 0,
      data: { session_id: 's-1', accepted_message_id: expect.any(String), status: 'answered' },
    })
    expect(answer.data.message).toEqual([
      { type: 'Plain', text: 'echo: ' },
      { type: 'Plain', text: 'hello' },
    ])
    expect(receiver.received).toEqual([])
  })

  test('a host that says when all has ended is waited for: several replies are one answer', async () => {
    const ended = Promise.withResolvers<void>()
    const settled = () => ended.promise.then(() => ({ status: 'answered', reason: null, message: null }) as const)
    const { post, services, adapter } = await setUp({ stream_replies: true }, recordingServices(BOT, { settled }))
    const waiting = post('/sync', hello('s-1'))
    await expect.poll(() => services.accepted.length).toBe(1)
    const target = services.accepted[0]?.reply_target ?? { target_type: 'person', target_id: '' }
    const { chain: _chain, ...opening } = message('s-1', '', { target })
    const stream = await adapter.openStream?.(opening, 'draft', never)
    await stream?.stream.finish('first. ')
    await adapter.send(message('s-1', 'second. ', { target }), never)
    await adapter.send(message('s-1', 'third.'), never)
    ended.resolve()
    const answer = await waiting
    expect(answer.data.message.map((part: { text: string }) => part.text).join('')).toBe('first. second. third.')
  })

  test('silence and failure are told as such', async () => {
    const silent = await setUp(
      {},
      recordingServices(BOT, { settled: async () => ({ status: 'silent', reason: 'route_not_found', message: null }) }),
    )
    expect(await silent.post('/sync', hello('s-1'))).toMatchObject({
      status: 200,
      data: { message: [], status: 'silent', status_reason: 'route_not_found' },
    })
    const failed = await setUp(
      {},
      recordingServices(BOT, {
        settled: async () => ({ status: 'failed', reason: 'runner_failed', message: 'The bot failed.' }),
      }),
    )
    expect(await failed.post('/sync', hello('s-1'))).toMatchObject({
      status: 500,
      code: 50001,
      msg: 'The bot failed.',
      data: { reason: 'runner_failed' },
    })
  })

  test('[D45] of three parallel calls to one session each gets an answer: the reply or session_busy', async () => {
    const { post, adapter, services } = await setUp()
    answering(services, adapter, async (text) => {
      await pause(200)
      return [text]
    })
    const answers = await Promise.all(['a', 'b', 'c'].map((text) => post('/sync', hello('s-1', text))))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409])
    for (const answer of answers.filter((one) => one.status === 409))
      expect(answer).toMatchObject({ code: 40901, data: { reason: 'session_busy' } })
    expect(services.emitted).toHaveLength(1)
    expect(await post('/sync', hello('s-1', 'd'))).toMatchObject({ status: 200 })
    const others = await Promise.all(['x', 'y', 'z'].map((session) => post('/sync', hello(session, session))))
    expect(others.map((answer) => answer.data.message[0].text)).toEqual(['x', 'y', 'z'])
  })

  test('a timeout says so, gives what there is, and later messages go to the callback', async () => {
    const { post, adapter, services, receiver } = await setUp({ callback_timeout: 0.1 })
    const begin = Date.now()
    const waiting = post('/sync', hello('s-1'))
    await expect.poll(() => services.accepted.length).toBe(1)
    const target = services.accepted[0]?.reply_target ?? { target_type: 'person', target_id: '' }
    await adapter.send(message('s-1', 'part', { target, part: 1, parts: 2 }), never)
    const answer = await waiting
    expect(Date.now() - begin).toBeGreaterThanOrEqual(390)
    expect(answer).toMatchObject({
      status: 504,
      code: 50401,
      data: { reason: 'timeout', message: [{ text: 'part' }], accepted_message_id: expect.any(String) },
    })
    await adapter.send(message('s-1', 'late', { target, part: 2, parts: 2 }), never)
    expect(texts(receiver)).toEqual(['late'])
  })

  test('answers to other messages of the session are called back', async () => {
    const { post, adapter, services, receiver } = await setUp({ callback_timeout: 0.1 })
    const earlier = await post('', hello('s-1', 'earlier'))
    const waiting = post('/sync', hello('s-1', 'now'))
    await expect.poll(() => services.accepted.length).toBe(2)
    const target = {
      target_type: 'person',
      target_id: 's-1',
      message_id: String(earlier.data.accepted_message_id),
    } as const
    await adapter.send(message('s-1', 'to the earlier one', { target }), never)
    expect((await waiting).data.message).toEqual([])
    expect(texts(receiver)).toEqual(['to the earlier one'])
  })

  test('a caller who leaves frees the session, and what was said for him is called back', async () => {
    const { post, adapter, services, receiver } = await setUp()
    const leaving = new AbortController()
    const waiting = post('/sync', hello('s-1'), {}, leaving.signal)
    waiting.catch(() => {})
    await expect.poll(() => services.accepted.length).toBe(1)
    const target = services.accepted[0]?.reply_target ?? { target_type: 'person', target_id: '' }
    await adapter.send(message('s-1', 'half', { target, part: 1, parts: 2 }), never)
    leaving.abort()
    await expect.poll(() => texts(receiver)).toEqual(['half'])
    await adapter.send(message('s-1', 'rest', { target, part: 2, parts: 2 }), never)
    expect(texts(receiver)).toEqual(['half', 'rest'])
  })

  test('a refused, repeated or stopped call is answered and frees the session', async () => {
    const { post, services, adapter } = await setUp()
    services.refuse({ status: 'refused', reason: 'backlog_full', message: 'Full.', retry: true })
    expect(await post('/sync', hello('s-1'))).toMatchObject({ status: 503, code: 50301 })
    const key = { 'x-lb-idempotency-key': 'once' }
    await post('', hello('s-1'), key)
    expect(await post('/sync', hello('s-1'), key)).toMatchObject({
      status: 409,
      code: 40901,
      data: { reason: 'duplicate' },
    })
    const waiting = post('/sync', hello('s-1', 'last'))
    await expect.poll(() => services.accepted.length).toBe(2)
    await adapter.stop()
    expect(await waiting).toMatchObject({ status: 503, code: 50301, data: { reason: 'stopped' } })
  })
})
