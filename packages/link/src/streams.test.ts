/** Streams frame by frame, both ends: numbering, acknowledgements, windows, limits, silence, lies of the other side. */
import type { JsonObject } from '@runbound/protocol'
import { describe, expect, test } from 'vitest'
import { type RawEnd, rawEnd } from './fixtures/raw-end.ts'

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

describe('streams that we read', () => {
  const frame = (seq_id: number, index: number | null, data: JsonObject = {}): JsonObject =>
    index === null ? ok(seq_id, data) : { ...ok(seq_id, data), stream_index: index }

  function reading(end: RawEnd): { seqId: number; first: Promise<unknown>; next: () => Promise<unknown> } {
    const items = end.peer.stream('x', {}, { timeoutMs: Number.POSITIVE_INFINITY })
    let first: Promise<unknown> = Promise.resolve()
    const seqId = asked(end, () => {
      first = items.next()
    })
    return { seqId, first, next: () => items.next() }
  }

  test('asks with flow control, acknowledges frames 4, 8, 12 once they are processed', async () => {
    const end = rawEnd()
    const { seqId, first, next } = reading(end)
    expect(end.sent[0]).toMatchObject({ stream_flow_control: 1 })
    for (let index = 1; index <= 13; index++) end.give(frame(seqId, index, { index }))
    expect(await first).toEqual({ done: false, value: { index: 1 } })
    for (let n = 2; n <= 4; n++) await next()
    expect(end.sent.length).toBe(1)
    for (let n = 5; n <= 13; n++) await next()
    expect(end.sent.slice(1).map(({ action, data }) => ({ action, data }))).toEqual(
      [4, 8, 12].map((index) => ({ action: '__stream_ack', data: { seq_id: seqId, index } })),
    )
  })

  test('without numbers nothing is acknowledged', async () => {
    const end = rawEnd()
    const { seqId, next } = reading(end)
    for (let n = 0; n < 20; n++) end.give(frame(seqId, null, { n }))
    end.give({ ...frame(seqId, null), chunk_status: 'end' })
    for (let n = 1; n < 20; n++) expect(await next()).toEqual({ done: false, value: { n } })
    expect(await next()).toEqual({ done: true, value: undefined })
    expect(end.sent.length).toBe(1)
    expect(end.peer.pending).toBe(0)
  })

  test.each([
    ['a gap', [1, 3]],
    ['a repeated number', [1, 1]],
    ['a wrong start', [2]],
    ['a number in the middle', [null, 2]],
    ['a missing number', [1, null]],
  ] as [string, (number | null)[]][])('%s fails the stream and cancels it', async (_, indexes) => {
    const end = rawEnd()
    const { seqId, first, next } = reading(end)
    for (const index of indexes) end.give(frame(seqId, index))
    const errors = (await Promise.allSettled([first, next()])).flatMap((met) =>
      met.status === 'rejected' ? [met.reason] : [],
    )
    expect(errors).toMatchObject([{ code: 'protocol', message: expect.stringContaining('out of order') }])
    expect(end.sent.at(-1)).toMatchObject({ action: '__cancel_action', data: { seq_id: seqId } })
  })

  test('frame 129 that waits fails the stream: the consumer is too slow', async () => {
    const end = rawEnd()
    const { seqId, next } = reading(end)
    for (let index = 1; index <= 129; index++) end.give(frame(seqId, index))
    expect(end.sent.length).toBe(1)
    end.give(frame(seqId, 130))
    expect(await failure(next())).toMatchObject({ code: 'slow_consumer', limit: 'streamFrames' })
    expect(end.sent.at(-1)).toMatchObject({ action: '__cancel_action' })
    expect(await next()).toEqual({ done: true, value: undefined })
  })

  test('bytes that wait, and bytes of one frame, have their limits', async () => {
    const small = rawEnd({ limits: { streamBytes: 10_000 } })
    const one = reading(small)
    for (let index = 1; index <= 3; index++) small.give(frame(one.seqId, index, { text: 'x'.repeat(6000) }))
    expect(await failure(one.next())).toMatchObject({ code: 'slow_consumer', limit: 'streamBytes' })
    const end = rawEnd()
    const two = reading(end)
    end.give(frame(two.seqId, 1, { text: 'x'.repeat(1 << 20) }))
    expect(await failure(two.first)).toMatchObject({ code: 'too_large', limit: 'frameBytes' })
    expect(end.sent.at(-1)).toMatchObject({ action: '__cancel_action' })
  })

  test('silence counts only while we wait for a frame', async () => {
    const end = rawEnd()
    const items = end.peer.stream('x', {}, { idleMs: 40 })
    const first = items.next()
    const seqId = Number(end.sent[0]?.seq_id)
    end.give(frame(seqId, 1, { n: 1 }))
    expect(await first).toMatchObject({ value: { n: 1 } })
    await new Promise((resolve) => setTimeout(resolve, 80))
    end.give(frame(seqId, 2, { n: 2 }))
    expect(await items.next()).toMatchObject({ value: { n: 2 } })
    expect(await failure(items.next())).toMatchObject({
      code: 'timeout',
      message: 'The stream x was silent for 40 ms.',
    })
    expect(end.sent.at(-1)).toMatchObject({ action: '__cancel_action', data: { seq_id: seqId } })
  })

  test('the total deadline and an abort end it at once, whatever still waits', async () => {
    const end = rawEnd()
    const items = end.peer.stream('x', {}, { timeoutMs: 30 })
    void items.next().catch(() => {})
    end.give(frame(Number(end.sent[0]?.seq_id), 1))
    end.give(frame(Number(end.sent[0]?.seq_id), 2))
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(await failure(items.next())).toMatchObject({
      code: 'timeout',
      message: 'The stream x did not end within 30 ms.',
    })
    const controller = new AbortController()
    const aborted = end.peer.stream('x', {}, { signal: controller.signal })
    const waiting = failure(aborted.next())
    controller.abort(new Error('enough'))
    expect(await waiting).toMatchObject({ message: 'enough' })
    expect(await aborted.next()).toEqual({ done: true, value: undefined })
  })

  test('what was received before the connection went can still be read', async () => {
    const end = rawEnd()
    const { seqId, first, next } = reading(end)
    end.give(frame(seqId, 1, { n: 1 }))
    end.give(frame(seqId, 2, { n: 2 }))
    end.close({ why: 'remote', detail: 'gone' })
    expect(await first).toMatchObject({ value: { n: 1 } })
    expect(await next()).toMatchObject({ value: { n: 2 } })
    expect(await failure(next())).toMatchObject({ code: 'closed' })
  })
})

describe('streams that we answer with', () => {
  async function* numbers(): AsyncGenerator<JsonObject> {
    for (let n = 1; ; n++) yield { n }
  }

  test('stop after 8 frames without acknowledgement, and go on with one', async () => {
    const end = rawEnd({ handler: numbers })
    end.give({ seq_id: 1, action: 'x', data: {}, stream_flow_control: 1 })
    await settled()
    expect(end.sent.map(({ stream_index }) => stream_index)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    end.give({ seq_id: 2, action: '__stream_ack', data: { seq_id: 1, index: 4 } })
    await settled()
    expect(end.sent.slice(8)).toMatchObject([
      ok(2, { accepted: true }),
      ...[9, 10, 11, 12].map((stream_index) => ({ stream_index })),
    ])
    end.give({ seq_id: 3, action: '__cancel_action', data: { seq_id: 1 } })
    await settled()
    expect(end.sent.length).toBe(14)
    end.give({ seq_id: 4, action: '__stream_ack', data: { seq_id: 1, index: 12 } })
    expect(end.sent.at(-1)).toEqual(ok(4, { accepted: false }))
  })

  test.each([
    ['beyond what was sent', { seq_id: 1, index: 9 }],
    ['backwards', { seq_id: 1, index: 3 }],
    ['not a number', { seq_id: 1, index: '4' }],
    ['true', { seq_id: 1, index: true }],
    ['without stream', { index: 4 }],
  ] as [string, JsonObject][])('an acknowledgement %s is an error and moves nothing', async (_, data) => {
    const end = rawEnd({ handler: numbers })
    end.give({ seq_id: 1, action: 'x', data: {}, stream_flow_control: 1 })
    await settled()
    end.give({ seq_id: 2, action: '__stream_ack', data: { seq_id: 1, index: 4 } })
    await settled()
    const before = end.sent.length
    end.give({ seq_id: 3, action: '__stream_ack', data: data.index === 9 ? { seq_id: 1, index: 13 } : data })
    await settled()
    expect(end.sent.slice(before)).toMatchObject([{ seq_id: 3, code: 1 }])
  })

  test('without flow control frames carry no number and do not wait', async () => {
    const end = rawEnd({
      handler: async function* () {
        for (let n = 1; n <= 20; n++) yield { n }
      },
    })
    end.give({ seq_id: 1, action: 'x', data: {} })
    await settled()
    expect(end.sent.length).toBe(21)
    expect(end.sent.every((frame) => !('stream_index' in frame))).toBe(true)
    expect(end.sent[20]).toMatchObject({ chunk_status: 'end', data: {} })
  })

  test('a producer that fails to stop does not keep the cancel from counting', async () => {
    const end = rawEnd({
      handler: () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise<IteratorResult<JsonObject>>(() => {}),
          return: () => Promise.reject(new Error('cannot stop')),
        }),
      }),
    })
    end.give({ seq_id: 1, action: 'x', data: {}, stream_flow_control: 1 })
    end.give({ seq_id: 2, action: '__cancel_action', data: { seq_id: 1 } })
    await settled()
    expect(end.sent).toEqual([ok(2, { cancelled: true })])
  })
})
