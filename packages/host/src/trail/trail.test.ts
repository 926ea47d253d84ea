import { openStore, type Slots, type Store, statement } from '@runbound/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TRAIL_CODES, trailSentence } from './codes.ts'
import { named } from './named.ts'
import { createTrail } from './trail.ts'
import type { Trail } from './types.ts'

let store: Store
let trail: Trail
let now = 1_000
beforeEach(async () => {
  store = await openStore({ folder: ':memory:' })
  now = 1_000
  trail = createTrail({ store, clock: { now: () => now } })
})
afterEach(() => store.close())

const about = { workspace_uuid: 'w', event_id: 'e-1' }

test('entries come back oldest first, with time, sentence and details', async () => {
  await store.commit([trail.because('routed', { ...about, details: { processors: ['greeter', 'counter'] } })])
  now = 2_000
  await store.commit([
    trail.because('too_old', { ...about, processor_id: 'p-1', details: { age_seconds: 90, max_age_seconds: 60 } }),
  ])
  expect(await trail.of('e-1')).toEqual([
    {
      ...about,
      processor_id: null,
      at: 1_000,
      step: 'route',
      code: 'routed',
      message: 'The event was handed to greeter, counter.',
      details: { processors: ['greeter', 'counter'] },
    },
    {
      ...about,
      processor_id: 'p-1',
      at: 2_000,
      step: 'admission',
      code: 'too_old',
      message: 'The event waited 90 s, longer than the 60 s that p-1 allows, and was not run.',
      details: { age_seconds: 90, max_age_seconds: 60 },
    },
  ])
  expect(await trail.of('e-2')).toEqual([])
})

test('why: an answer decides before a failure, the furthest end before an earlier one, and the newest of equals', async () => {
  await store.commit([trail.because('routed', about)])
  expect(await trail.why('e-1')).toMatchObject({
    code: 'routed',
    answered: false,
    sentence: expect.stringContaining('Nothing has ended it yet'),
  })
  await store.commit([trail.because('backlog_full', { ...about, details: { bound: 'The conversation', limit: 100 } })])
  expect(await trail.why('e-1')).toMatchObject({ code: 'backlog_full', who: 'operator' })
  await store.commit([trail.because('run_failed', { ...about, details: { run_id: 'r', reason: 'boom' } })])
  await store.commit([trail.because('runner_unavailable', about)])
  expect(await trail.why('e-1')).toMatchObject({ code: 'run_failed', answered: false })
  await store.commit([trail.because('run_timeout', about)])
  expect(await trail.why('e-1')).toMatchObject({ code: 'run_timeout' })
  await store.commit([trail.because('delivered', about)])
  await store.commit([trail.because('run_completed', about)])
  expect(await trail.why('e-1')).toMatchObject({ code: 'delivered', answered: true })
  expect(await trail.why('e-unknown')).toBeNull()
})

test('why: a run that ended well without a word is silent, and what kept it from speaking decides', async () => {
  await store.commit([trail.because('run_completed', { ...about, details: { run_id: 'r' } })])
  expect(await trail.why('e-1')).toMatchObject({ code: 'run_completed', outcome: 'silent', answered: false })
  await store.commit([trail.because('call_denied', { ...about, details: { reason: 'call_tool event_reply' } })])
  expect(await trail.why('e-1')).toMatchObject({ code: 'call_denied', outcome: 'silent', who: 'operator' })
  await store.commit([trail.because('run_failed', { ...about, event_id: 'e-2' })])
  await store.commit([trail.because('sentence_delivered', { ...about, event_id: 'e-2' })])
  // The host's own sentence is no answer.
  expect(await trail.why('e-2')).toMatchObject({ code: 'run_failed', outcome: 'failed' })
})

test('why: a processor that was content does not hide that another failed', async () => {
  await store.commit([trail.because('run_failed', { ...about, details: { run_id: 'r', reason: 'it broke' } })])
  await store.commit([trail.because('run_completed', { ...about, processor_id: 'watcher', details: { run_id: 'w' } })])
  expect(await trail.why('e-1')).toMatchObject({ code: 'run_failed', outcome: 'failed' })
  await store.commit([trail.because('run_completed', { ...about, event_id: 'e-2', details: { run_id: 'w' } })])
  expect((await trail.why('e-2'))?.sentence).toMatch(/completed\. It sent no answer\.$/)
})

const processor = statement((db, p: Slots<{ processor_id: string; name: string }>) =>
  db.insertInto('processors').values({
    processor_id: p('processor_id'), name: p('name'), workspace_uuid: 'w', kind: 'agent', runner_id: 'r', config: '{}',
    grants: '{}', options: '{}', enabled: 1, created_at: 1, updated_at: 1,
  }),
) // biome-ignore format: a row

test('sentences call processors by the name that they have now; who is gone keeps the id', async () => {
  await store.commit([
    processor({ processor_id: 'agent-1', name: 'Support' }),
    trail.because('routed', { ...about, details: { processors: ['agent-1', 'agent-gone'] } }),
    trail.because('run_failed', { ...about, processor_id: 'agent-1', details: { run_id: 'r', reason: 'boom' } }),
  ])
  expect((await trail.of('e-1')).map(({ message }) => message)).toEqual([
    'The event was handed to "Support", agent-gone.',
    'The run r of "Support" failed: boom.',
  ])
  const sentence = 'The run r of "Support" failed: boom.'
  expect(await trail.why('e-1')).toMatchObject({ sentence })
  expect((await trail.verdicts(['e-1'])).get('e-1')).toMatchObject({ sentence })
})

test('only a whole id is replaced, and a name that looks like an id stays', () => {
  const names = new Map([
    ['guide', 'Guide $&'],
    ['Guide', 'wrong'],
    ['a-1', 'guide'],
  ])
  expect(named('The Runner plugin:runbound/guide/guide of guide and a-1, a-12.', ['guide', 'a-1'], names)).toBe(
    'The Runner plugin:runbound/guide/guide of "Guide $&" and "guide", a-12.',
  )
})

test('a code that this version does not know still decides, with its own message', async () => {
  const row = trail.because('routed', about)
  const params = row.params.map((value) => (value === 'routed' ? 'from_a_newer_host' : value))
  await store.commit([{ ...row, params }])
  expect(await trail.why('e-1')).toMatchObject({ code: 'from_a_newer_host', answered: false, who: 'host' })
})

test('the codes are pinned', () => {
  expect(Object.keys(TRAIL_CODES).sort()).toMatchInlineSnapshot(`
    [
      "accepted",
      "access_denied",
      "admission_failed",
      "aggregated",
      "approval_refused",
      "backlog_full",
      "budget_exceeded",
      "call_denied",
      "cancel_word",
      "command",
      "command_unknown",
      "content_filtered",
      "delivered",
      "delivery_discarded",
      "delivery_failed",
      "delivery_held",
      "delivery_unknown",
      "discarded",
      "duplicate",
      "event_missing",
      "filters_mismatch",
      "group_rules",
      "interrupted",
      "invalid_event",
      "lower_priority",
      "no_route",
      "not_started",
      "parked",
      "pattern_mismatch",
      "plugin_down",
      "prevented",
      "processor_disabled",
      "processor_incompatible",
      "processor_not_found",
      "produced_not_sent",
      "queued_again",
      "rate_limited",
      "route_disabled",
      "routed",
      "run_cancelled",
      "run_completed",
      "run_failed",
      "run_timeout",
      "runner_unavailable",
      "sentence_delivered",
      "shutting_down",
      "simulated",
      "steered",
      "storage_failed",
      "storage_full",
      "too_old",
      "unknown_bot",
    ]
  `)
})

test('every sentence ends, and a missing detail is shown as unknown instead of vanishing', () => {
  for (const [code, facts] of Object.entries(TRAIL_CODES)) expect(facts.says, code).toMatch(/^[A-Z{].*\.$/)
  expect(trailSentence('run_failed', { run_id: 'r', processor_id: null })).toBe('The run r of ? failed: ?.')
  expect(trailSentence('not_started', { fault: 'See the log.' })).toBe('The run could not start: See the log.')
})
