import { expect, test } from 'vitest'
import type { TraceEntry } from '../gateway/types.ts'
import { TraceBuffer } from './trace.ts'

const call = (at: number): TraceEntry => ({
  at,
  method: 'state_get',
  target: null,
  outcome: 'ok',
  reason: null,
  micros: 1,
})

/** What the last batch says after so many calls, of which all that are kept were written before. */
function lastOf(calls: number): unknown {
  const trace = new TraceBuffer()
  for (let n = 1; n <= calls; n++) {
    trace.add(call(5_000 + n))
    if (n === 1_000) trace.take(false)
  }
  return JSON.parse(trace.take(true) ?? '[]').at(-1)
}

test('what is missing is told at the time of the last call, also when nothing else waits to be written', () => {
  expect(lastOf(1_005)).toMatchObject({ method: '(trace)', at: 6_005, reason: '5 more calls are not kept' })
  expect(lastOf(1_001)).toMatchObject({ at: 6_001, reason: '1 more call is not kept' })
  expect(lastOf(1_000)).toBeUndefined()
})
