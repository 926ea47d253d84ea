/** Spans find their event's trace by ids alone, as after a restart, and say how things ended. */
import { expect, test } from 'vitest'
import type { Processor } from '../runs/types.ts'
import { callSpan, deliverySpan, eventSpan, leftRunSpan, runSpan } from './spans.ts'

const processor: Processor = {
  processor_id: 'p-1',
  workspace_uuid: 'w',
  kind: 'agent',
  name: 'helper',
  runner_id: 'plugin:acme/x/helper',
  config: { api_key: 'planted' },
  grants: {},
  options: {},
  enabled: true,
}
const received = { eventId: 'e-1', type: 'message.received', reason: null, start: 10, end: 12 } as const
const event = eventSpan({ ...received, outcome: 'accepted' })
const ended = { run_id: 'r-1', reason: null, code: null, effect: true } as const
const run = (status: 'completed' | 'failed' | 'cancelled', code: string | null = null) =>
  runSpan({ eventId: 'e-1', processor, outcome: { ...ended, status, code }, attempt: 2, start: 20, end: 30, waitMs: 8 })

test('everything of an event is one trace: run below event, calls and deliveries below the run', () => {
  expect(event).toMatchObject({ parentId: null, name: 'receive message.received', start: 10, end: 12 })
  expect(event.traceId).toMatch(/^[0-9a-f]{32}$/)
  const answered = run('completed')
  expect(answered).toMatchObject({ traceId: event.traceId, parentId: event.spanId, error: null })
  const call = callSpan('e-1', 'r-1', {
    at: 21,
    method: 'call_tool',
    target: 'event_reply',
    outcome: 'ok',
    reason: null,
    micros: 1_500,
  })
  expect(call).toMatchObject({ traceId: event.traceId, parentId: answered.spanId, start: 21, end: 22.5 })
  const way = { eventId: 'e-1', deliveryId: 'd', way: 'message', reason: null, start: 1, end: 2 } as const
  expect(deliverySpan({ ...way, runId: 'r-1', status: 'sent' })).toMatchObject({
    parentId: answered.spanId,
    error: null,
  })
  expect(deliverySpan({ ...way, runId: null, status: 'sent' })).toMatchObject({ parentId: event.spanId })
  // Nothing but the ids is needed: what another process sent is met.
  expect(leftRunSpan('e-1', 'r-1', 'p-1', 99)).toMatchObject({ traceId: event.traceId, spanId: answered.spanId })
})

test('a second delivery of an event hangs below the first; a refused one is a trace of its own', () => {
  const again = eventSpan({ ...received, outcome: 'duplicate' })
  expect(again).toMatchObject({ traceId: event.traceId, parentId: event.spanId, error: null })
  expect(again.spanId).not.toBe(event.spanId)
  const refused = eventSpan({ ...received, eventId: null, outcome: 'refused', reason: 'storage_full' })
  expect(refused).toMatchObject({ parentId: null, error: 'storage_full' })
  expect(refused.traceId).not.toBe(event.traceId)
})

test('failures carry their reason code, cancelled runs are none, and settings are in no span', () => {
  expect(run('failed', 'plugin_gone')).toMatchObject({
    error: 'plugin_gone',
    attributes: { 'error.type': 'plugin_gone' },
  })
  expect(run('cancelled', 'cancelled')).toMatchObject({ error: null, attributes: { 'runbound.reason': 'cancelled' } })
  const denied = {
    at: 1,
    method: 'state_get',
    target: 'actor/ann',
    outcome: 'denied',
    reason: 'permission_denied',
    micros: 3,
  } as const
  const call = callSpan('e-1', 'r-1', denied)
  expect(call.error).toBe('permission_denied')
  expect(JSON.stringify([run('failed', 'x'), call])).not.toMatch(/planted|ann/)
})
