/** A hostile or broken other side: every limit of the peer, bad envelopes, lies; nothing crashes, hangs or leaks. */
import type { JsonObject } from '@runbound/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type RawEnd, rawEnd } from './fixtures/raw-end.ts'
import { DEFAULT_LIMITS, LinkError, resolveLimits } from './index.ts'

const ok = (seqId: unknown, data: JsonObject = {}): JsonObject => ({
  seq_id: seqId as number,
  code: 0,
  message: 'success',
  data,
  chunk_status: 'continue',
})

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => expect.fail(`resolved with ${String(value)}`),
    (error) => error,
  )
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Asks, and returns the number under which the request went out. */
function asked(end: RawEnd, start: () => unknown): number {
  start()
  return Number(end.sent.at(-1)?.seq_id)
}

describe('bad requests that can be answered are answered (wire.md §1.5)', () => {
  test.each([
    ['no seq_id', { action: 'x', data: {} }, -1],
    ['a text as seq_id', { seq_id: 'abc', action: 'x', data: {} }, 'abc'],
    ['true as seq_id', { seq_id: true, action: 'x', data: {} }, true],
    ['a fraction as seq_id', { seq_id: 1.5, action: 'x', data: {} }, 1.5],
    ['no data', { seq_id: 3, action: 'x' }, 3],
    ['a list as data', { seq_id: 4, action: 'x', data: [] }, 4],
    ['null as data', { seq_id: 5, action: 'x', data: null }, 5],
    ['a number as action', { seq_id: 7, action: 5, data: {} }, 7],
    ['another flow control', { seq_id: 8, action: 'x', data: {}, stream_flow_control: 2 }, 8],
  ] as [string, JsonObject, unknown][])('%s', (_, envelope, seqId) => {
    const end = rawEnd()
    end.give(envelope)
    expect(end.sent).toMatchObject([
      { seq_id: seqId, code: 1, data: { error: { details: { reason: 'invalid_params' } } } },
    ])
    expect(end.faults).toMatchObject([{ kind: 'invalid_request' }])
  })

  test('extra keys and nulls are fine, a message with a code is an answer whatever else it holds', () => {
    const end = rawEnd()
    end.give({ seq_id: 1, action: 'x', data: { a: 1 }, extra: 1, context: null, stream_flow_control: null })
    expect(end.sent).toEqual([ok(1, { a: 1 })])
    end.give({ seq_id: 2, action: 'x', data: {}, code: 0 })
    expect(end.sent.length).toBe(1)
    expect(end.faults).toMatchObject([{ kind: 'unknown_answer' }])
  })
})

test('request 129 is refused at once as busy; ping, cancel and acknowledgements still work', () => {
  const end = rawEnd({ handler: () => new Promise(() => {}) })
  for (let seq_id = 0; seq_id < 128; seq_id++) end.give({ seq_id, action: 'x', data: {} })
  expect(end.sent).toEqual([])
  end.give({ seq_id: 128, action: 'x', data: {} })
  expect(end.sent.pop()).toMatchObject({
    seq_id: 128,
    code: 1,
    message: 'Limit requests (128) exceeded: too many requests in work.',
  })
  end.give({ seq_id: 129, action: '__ping', data: {} })
  expect(end.sent.pop()).toEqual(ok(129, { alive: true }))
  end.give({ seq_id: 130, action: '__cancel_action', data: { seq_id: 5 } })
  expect(end.sent.pop()).toEqual(ok(130, { cancelled: true }))
  end.give({ seq_id: 131, action: '__stream_ack', data: { seq_id: 6, index: 4 } })
  expect(end.sent.pop()).toEqual(ok(131, { accepted: false }))
  // A handler that ignores the cancel keeps its place: cancelling is no way around the limit.
  end.give({ seq_id: 132, action: 'x', data: {} })
  expect(end.sent.pop()).toMatchObject({ seq_id: 132, code: 1, data: { error: { details: { reason: 'busy' } } } })
})

test('a place is free again when its handler is through', async () => {
  const end = rawEnd({ limits: { requests: 2 }, handler: async () => ({}) })
  for (let seq_id = 0; seq_id < 10; seq_id++) {
    end.give({ seq_id, action: 'x', data: {} })
    await settled()
  }
  expect(end.sent.every(({ code }) => code === 0)).toBe(true)
})

test('a seq_id in use is refused and its first request goes on', async () => {
  const first = Promise.withResolvers<JsonObject>()
  const end = rawEnd({ handler: () => first.promise })
  end.give({ seq_id: 1, action: 'x', data: {} })
  end.give({ seq_id: 1, action: 'x', data: {} })
  expect(end.sent).toMatchObject([{ seq_id: 1, code: 1, data: { error: { details: { reason: 'conflict' } } } }])
  first.resolve({ first: true })
  await settled()
  expect(end.sent[1]).toEqual(ok(1, { first: true }))
})

test('a cancelled request gets no answer, not even a late one', async () => {
  const late = Promise.withResolvers<JsonObject>()
  let reason: unknown
  const end = rawEnd({
    handler: ({ signal }) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason
      })
      return late.promise
    },
  })
  end.give({ seq_id: 1, action: 'x', data: {} })
  end.give({ seq_id: 2, action: '__cancel_action', data: { seq_id: 1 } })
  end.give({ seq_id: 3, action: '__cancel_action', data: { seq_id: 1 } })
  end.give({ seq_id: 4, action: '__cancel_action', data: { seq_id: true } })
  late.resolve({ late: true })
  await settled()
  expect(end.sent).toMatchObject([ok(2, { cancelled: true }), ok(3, { cancelled: false }), { seq_id: 4, code: 1 }])
  expect(reason).toMatchObject({ reason: 'cancelled' })
})

test('a handler that asks for its signal only after the cancel finds it aborted', async () => {
  const gate = Promise.withResolvers<void>()
  const seen: boolean[] = []
  const end = rawEnd({
    handler: async (request) => {
      await gate.promise
      seen.push(request.signal.aborted)
      return {}
    },
  })
  end.give({ seq_id: 1, action: 'x', data: {} })
  end.give({ seq_id: 2, action: '__cancel_action', data: { seq_id: 1 } })
  gate.resolve()
  await settled()
  expect(seen).toEqual([true])
})

test('when the connection goes, the signals of all handlers abort and nothing is sent any more', async () => {
  const gate = Promise.withResolvers<JsonObject>()
  const reasons: unknown[] = []
  const end = rawEnd({
    handler: ({ signal }) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason))
      return gate.promise
    },
  })
  end.give({ seq_id: 1, action: 'x', data: {} })
  end.give({ seq_id: 2, action: 'x', data: {} })
  end.close({ why: 'remote', detail: 'gone' })
  gate.resolve({})
  await settled()
  expect(reasons).toMatchObject([{ code: 'closed' }, { code: 'closed' }])
  expect(end.sent).toEqual([])
  expect(await end.peer.closed).toEqual({ why: 'remote', detail: 'gone' })
})

describe('answers', () => {
  test.each([
    ['no message', { code: 0, data: {} }],
    ['null as data', { code: 0, message: 'success', data: null }],
    ['a list as data', { code: 0, message: 'success', data: [] }],
    ['an unknown chunk_status', { code: 0, message: 'success', data: {}, chunk_status: 'more' }],
    ['a text as code', { code: '0', message: 'success', data: {} }],
  ] as [string, JsonObject][])('%s: the call fails at once instead of waiting', async (_, envelope) => {
    const end = rawEnd()
    let error: Promise<unknown> | undefined
    const seq_id = asked(end, () => {
      error = failure(end.peer.call('x', {}))
    })
    end.give({ seq_id, ...envelope })
    expect(await error).toMatchObject({ code: 'protocol' })
    expect(end.faults).toMatchObject([{ kind: 'invalid_answer' }])
  })

  test('to unknown numbers and late ones are ignored, and told apart', async () => {
    const end = rawEnd()
    const calls: Promise<unknown>[] = []
    const seq_id = asked(end, () => calls.push(end.peer.call('x', {})))
    end.give(ok(seq_id + 1))
    end.give(ok(-5))
    end.give(ok('__proto__'))
    end.give(ok(seq_id, { yes: 1 }))
    end.give(ok(seq_id, { again: 1 }))
    expect(await calls[0]).toEqual({ yes: 1 })
    const kinds = end.faults.map(({ kind }) => kind)
    expect(kinds).toEqual(['unknown_answer', 'unknown_answer', 'unknown_answer', 'late_answer'])
  })

  test('any code but 0 is an error; data itself may be the structure', async () => {
    const end = rawEnd()
    let error: Promise<unknown> | undefined
    const seq_id = asked(end, () => {
      error = failure(end.peer.call('x', {}))
    })
    end.give({ seq_id, code: 7, message: 'no', data: { code: 'permission_denied', message: 'no', retryable: true } })
    expect(await error).toMatchObject({
      code: 'permission_denied',
      error: { retryable: true, details: {} },
      action: 'x',
    })
  })
})

describe('unreadable messages', () => {
  const bomb = '['.repeat(200) + ']'.repeat(200)

  test.each([
    ['depth', `{"seq_id": 9, "action": "x", "data": {"a": ${bomb}}}`],
    ['digits', `{"seq_id": 9, "action": "x", "data": {"a": ${'7'.repeat(2000)}}}`],
  ])('a request beyond %s is answered with the name of the limit', (limit, text) => {
    const end = rawEnd()
    end.give(text)
    expect(end.sent).toMatchObject([
      {
        seq_id: 9,
        code: 1,
        message: expect.stringContaining(limit),
        data: { error: { details: { reason: 'too_large' } } },
      },
    ])
    expect(end.faults).toMatchObject([{ kind: 'unreadable', detail: expect.stringContaining(limit) }])
  })

  test('an answer beyond a limit fails its call at once, on a stream too', async () => {
    const end = rawEnd()
    let error: Promise<unknown> | undefined
    const seqId = asked(end, () => {
      error = failure(end.peer.call('x', {}))
    })
    end.give(`{"seq_id": ${seqId}, "code": 0, "message": "", "data": {"a": ${bomb}}}`)
    expect(await error).toMatchObject({ code: 'too_large', limit: 'depth' })
    const second = asked(end, () => {
      error = failure(end.peer.stream('x', {}).next())
    })
    end.give(`{"stream_index": 1, "seq_id": ${second}, "code": 0, "message": "", "data": {"a": ${bomb}}}`)
    expect(await error).toMatchObject({ code: 'too_large', limit: 'depth' })
  })

  test('beyond messageBytes, in case the transport let it through', () => {
    const end = rawEnd({ limits: { messageBytes: 1000 } })
    end.give({ seq_id: 1, action: 'x', data: { text: 'x'.repeat(2000) } })
    expect(end.sent).toMatchObject([{ seq_id: 1, code: 1, message: expect.stringContaining('messageBytes') }])
  })

  test('no message at all: a fault, or a print where authors may print', () => {
    const socket = rawEnd({ kind: 'websocket' })
    const stdio = rawEnd({ kind: 'stdio' })
    for (const text of ['{not json}', '[]', '5', 'null', '{"level": "info"}', '"text"']) {
      socket.give(text)
      stdio.give(text)
    }
    expect(socket.faults.map(({ kind }) => kind)).toEqual(Array(6).fill('not_a_message'))
    expect(stdio.noise.length).toBe(6)
    expect([...socket.sent, ...stdio.sent, ...stdio.faults]).toEqual([])
  })

  test('a frame glued to a print that looks like JSON is found', async () => {
    const end = rawEnd({ kind: 'stdio' })
    end.give('{"looks": "like JSON"}{"seq_id": 4, "action": "x", "data": {"n": NaN}}')
    expect(end.noise).toEqual(['{"looks": "like JSON"}'])
    expect(end.sent).toEqual([ok(4, { n: Number.NaN })])
  })
})

test('random messages never throw out of the peer, and every answer is well formed', () => {
  const key = fc.constantFrom(
    'seq_id',
    'action',
    'code',
    'data',
    'message',
    'chunk_status',
    'stream_index',
    'stream_flow_control',
  )
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      0,
      1,
      -1,
      'x',
      '__stream_ack',
      '__cancel_action',
      '__file_chunk',
      '__ping',
      '__proto__',
      'continue',
    ),
    fc.constantFrom<unknown>({}, [], null, true, { seq_id: 1, index: 4 }, { file_key: 'a', chunk_index: 0 }),
    fc.jsonValue(),
  )
  const end = rawEnd()
  fc.assert(
    fc.property(fc.dictionary(key, value), (envelope) => end.give(JSON.stringify(envelope))),
    { numRuns: 3000 },
  )
  for (const answer of end.sent) expect(answer).toMatchObject({ code: expect.any(Number), data: expect.any(Object) })
  expect(end.sent.length).toBeGreaterThan(100)
})

test('limits are checked when they are given, and all have defaults', () => {
  expect(resolveLimits()).toEqual(DEFAULT_LIMITS)
  expect(resolveLimits({ depth: 5 }).depth).toBe(5)
  for (const depth of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => resolveLimits({ depth })).toThrow(LinkError)
  }
})
