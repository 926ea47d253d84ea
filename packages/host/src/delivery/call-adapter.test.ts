import { AdapterError } from '@runbound/platform-kit'
import { afterEach, expect, test, vi } from 'vitest'
import { bounded, failureOf } from './call-adapter.ts'
import { SEND_MS } from './room.ts'

afterEach(() => vi.useRealTimers())

test('a platform that gives no answer: its call is aborted and nobody knows the outcome', async () => {
  vi.useFakeTimers()
  let aborted = false
  const call = bounded(
    (signal) =>
      new Promise<never>(() => {
        signal.addEventListener('abort', () => {
          aborted = true
        })
      }),
  )
  const failed = expect(call).rejects.toMatchObject({ kind: 'unknown_outcome', message: /no answer in 30 seconds/ })
  await vi.advanceTimersByTimeAsync(SEND_MS - 1)
  expect(aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await failed
  expect(aborted).toBe(true)
})

test('only what surely was not sent is tried again, at the pause that the platform asks for or a growing one', () => {
  const of = (kind: AdapterError['kind'], attempt = 0, retryAfterMs?: number) =>
    failureOf(new AdapterError(kind, 'x', retryAfterMs === undefined ? {} : { retryAfterMs }), attempt)
  expect(of('rate_limited', 0, 1_234)).toMatchObject({ kind: 'retry', afterMs: 1_234 })
  expect([0, 1, 2, 99].map((attempt) => of('unavailable', attempt))).toMatchObject([
    { kind: 'retry', afterMs: 500 },
    { kind: 'retry', afterMs: 1_000 },
    { kind: 'retry', afterMs: 2_000 },
    { kind: 'retry', afterMs: 60_000 },
  ])
  expect(of('unknown_outcome').kind).toBe('unknown')
  expect(of('stream_lost').kind).toBe('lost')
  for (const kind of ['too_long', 'refused', 'not_supported', 'invalid'] as const) expect(of(kind).kind).toBe('failed')
  // A bug of an adapter says nothing about what the platform has.
  expect(failureOf(new TypeError('x is undefined'), 0)).toMatchObject({ kind: 'unknown', reason: 'adapter_failed' })
})
