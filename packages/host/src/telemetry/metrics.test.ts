/** Numbers: counted by labels, bounded, and written as Prometheus reads them. */
import { openStore, type SqlValue } from '@runbound/store'
import { afterAll, expect, test } from 'vitest'
import { mailboxDepth, outboxDepth } from './depth-statements.ts'
import { METRICS, type MetricName } from './metric-records.ts'
import { metricsText, type Sample, type Samples } from './metric-text.ts'
import { BUCKETS, Counter, Histogram, SERIES_MAX } from './metric-values.ts'

const store = await openStore({ folder: ':memory:' })
afterAll(() => store.close())

function samples(given: Partial<Record<MetricName, Iterable<Sample>>>): Samples {
  const none = Object.fromEntries(Object.keys(METRICS).map((name) => [name, []]))
  return { ...none, ...given } as Samples
}

test('a counter counts each combination of labels by itself', () => {
  const counter = new Counter()
  counter.add('ok', 'a')
  counter.add('ok', 'a')
  counter.by(3, 'ok', 'b')
  expect([...counter.samples()]).toEqual([
    [['ok', 'a'], 2],
    [['ok', 'b'], 3],
  ])
})

test('however many labels come, memory is bounded and nothing is left out of the sum', () => {
  const counter = new Counter()
  for (let index = 0; index < SERIES_MAX * 3; index++) counter.add(`processor ${index}`, 'completed')
  const all = [...counter.samples()]
  expect(all.length).toBe(SERIES_MAX + 1)
  expect(all.find(([labels]) => labels[0] === '(other)')).toEqual([['(other)', '(other)'], SERIES_MAX * 2])
})

test('a distribution is written in cumulative buckets, with sum and count', () => {
  const histogram = new Histogram()
  for (const seconds of [0.0005, 0.001, 0.02, 1_000]) histogram.observe(seconds, 'agent')
  const text = metricsText(samples({ runbound_run_duration_seconds: histogram.samples() }))
  const lines = text.split('\n').filter((line) => line.startsWith('runbound_run_duration_seconds'))
  expect(lines).toHaveLength(BUCKETS.length + 3)
  expect(lines).toContain('runbound_run_duration_seconds_bucket{processor_kind="agent",le="0.001"} 2')
  expect(lines).toContain('runbound_run_duration_seconds_bucket{processor_kind="agent",le="0.025"} 3')
  expect(lines).toContain('runbound_run_duration_seconds_bucket{processor_kind="agent",le="300"} 3')
  expect(lines).toContain('runbound_run_duration_seconds_bucket{processor_kind="agent",le="+Inf"} 4')
  expect(lines).toContain('runbound_run_duration_seconds_count{processor_kind="agent"} 4')
})

test('names of processors can not break the format', () => {
  const counter = new Counter()
  counter.add('completed', 'a "b"\\\nc', 'acme/x')
  const text = metricsText(samples({ runbound_runs_total: counter.samples() }))
  expect(text).toContain('runbound_runs_total{status="completed",processor="a \\"b\\"\\\\\\nc",plugin="acme/x"} 1\n')
})

test.each([
  ['mailbox_open', mailboxDepth()],
  ['outbox_open', outboxDepth()],
] as const)('depths are counted over the index %s, not over the table', async (index, bound) => {
  const params: readonly SqlValue[] = bound.params
  const rows = await store.all<{ readonly detail: string }>({ sql: `explain query plan ${bound.sql}`, params })
  expect(rows.map(({ detail }) => detail).join('; ')).toContain(`INDEX ${index}`)
})
