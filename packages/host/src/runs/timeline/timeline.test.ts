/** A run of 20,000 entries pages in constant work: what a page reads does not grow with the run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type SqlValue, type Store } from '@runbound/store'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { keysBackward, keysForward } from './keys.ts'
import { pageOfTimeline } from './timeline.ts'
import type { TimelineRequest } from './types.ts'
import { EVERYTHING } from './window.ts'

const CALLS = 10_000
const ENTRIES = 10_000
let store: Store
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rb-timeline-'))
  store = await openStore({ folder })
  const series = (count: number) => `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
  await write(
    `insert into runs (run_id, workspace_uuid, event_id, event_type, processor_id, processor_kind, runner_id, installation_uuid,
      status, owner, epoch, created_at, updated_at, run_grant)
     values ('r', 'w', 'e', 'message.received', 'p', 'agent', 'plugin:a/b/c', 'i', 'running', 'o', 1, 50, 50, '[]')`,
  )
  await write(
    `${series(CALLS)} insert into run_trace (run_id, at, method, outcome, micros) select 'r', 100 + 2 * i, 'state_get', 'ok', 10 from n`,
  )
  // In the middle the clock was set back by a second.
  await write(
    `${series(ENTRIES)} insert into run_events (run_id, sequence, type, data, source, created_at)
     select 'r', i, case when i = 9000 then 'steering.pulled' else 'processor.log' end, '{}', 'runner',
      101 + 2 * i - case when i > 5000 then 1000 else 0 end from n`,
  )
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function write(text: string, params: readonly SqlValue[] = []): Promise<void> {
  await store.commit([{ sql: text, params }])
}

const page = (more: Partial<TimelineRequest>) =>
  pageOfTimeline(store, {
    run_id: 'r',
    lanes: null,
    before_cursor: null,
    after_cursor: null,
    limit: 500,
    direction: 'forward',
    ...more,
  })

test.each(['forward', 'backward'] as const)(
  '%s: every entry once, no page reads more than it needs',
  async (direction) => {
    const reads = vi.spyOn(store, 'slow')
    const ids = new Set<string>()
    let cursor: string | null = null
    let pages = 0
    do {
      reads.mockClear()
      const at: Partial<TimelineRequest> =
        direction === 'forward' ? { after_cursor: cursor } : { before_cursor: cursor }
      const { items, next_cursor }: Awaited<ReturnType<typeof page>> = await page({ direction, ...at })
      const rows = await Promise.all(reads.mock.results.map(({ value }) => value))
      // Two long tables, the rows of the page, the grant.
      expect(rows.flat().length).toBeLessThan(3 * 501 + 10)
      for (const { id } of items) expect(ids.size).toBeLessThan(ids.add(id).size)
      cursor = next_cursor
      pages++
    } while (cursor !== null)
    expect(ids.size).toBe(CALLS + ENTRIES + 1)
    expect(pages).toBe(41)
  },
)

test('from the newest page on: what comes later follows it, what was before precedes it', async () => {
  const newest = await page({ direction: 'backward', limit: 5 })
  expect((await page({ after_cursor: newest.prev_cursor })).items).toEqual([])
  const older = await page({ direction: 'backward', limit: 5, before_cursor: newest.prev_cursor })
  const again = await page({ after_cursor: older.prev_cursor, limit: 5 })
  expect(again.items.map(({ id }) => id)).toEqual(newest.items.map(({ id }) => id).reverse())
  await write(
    `insert into run_events (run_id, sequence, type, data, source, created_at) values ('r', 10001, 'run.completed', '{}', 'host', 90000)`,
  )
  const later = await page({ after_cursor: newest.prev_cursor })
  expect(later.items.map(({ id }) => id)).toEqual(['ledger:10001'])
  await write(`delete from run_events where sequence = 10001`)
})

test('one entry of a lane is found among all others', async () => {
  const { items, has_more } = await page({ lanes: ['steering'] })
  expect(items.map(({ id }) => id)).toEqual(['ledger:9000'])
  expect(has_more).toBe(false)
})

test.each([
  ['forward', keysForward],
  ['backward', keysBackward],
])('%s: each table gives its keys from an index, in their order', async (_way, keys) => {
  const { sql, params } = keys({ run_id: 'r', above: JSON.stringify(EVERYTHING.above), below: JSON.stringify(EVERYTHING.below), limit: 10 }) // biome-ignore format: one line
  const rows = await store.all<{ readonly detail: string }>({ sql: `explain query plan ${sql}`, params })
  const plan = rows.map(({ detail }) => detail).join('; ')
  for (const index of [
    'trail_by_event (event_id=? AND id',
    'run_trace_by_run (run_id=? AND id',
    'outbox_by_run (run_id=? AND',
  ])
    expect(plan).toContain(index)
  expect(plan).toContain('PRIMARY KEY (run_id=? AND sequence')
  expect(plan).not.toContain('TEMP B-TREE')
})
