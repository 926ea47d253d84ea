/** What is asked at each run or each start reads what is open, never the whole table: an index that is not used shows here. */
import { openStore, type SqlValue } from '@runbound/store'
import { afterAll, expect, test } from 'vitest'
import { activeRows, releaseAllSteering, releaseSteering, waitingRows } from './conversations/mailbox-statements.ts'
import { discardStale, openParts } from './delivery/statements.ts'
import { leftRuns } from './runs/queries.ts'

const store = await openStore({ folder: ':memory:' })
afterAll(() => store.close())

interface Bound {
  readonly sql: string
  readonly params: readonly SqlValue[]
}

async function plan({ sql, params }: Bound): Promise<string> {
  const rows = await store.all<{ readonly detail: string }>({ sql: `explain query plan ${sql}`, params })
  return rows.map(({ detail }) => detail).join('; ')
}

const OPEN: readonly [name: string, index: string, bound: Bound][] = [
  ['waiting rows', 'mailbox_open', waitingRows({ after: 0, limit: 10 })],
  ['active rows', 'mailbox_open', activeRows()],
  ['steering of a run', 'mailbox_steering', releaseSteering({ run_id: 'r' })],
  ['steering of all runs', 'mailbox_steering', releaseAllSteering()],
  ['runs left behind', 'runs_by_status', leftRuns({ owner: 'o' })],
  ['open parts', 'outbox_open', openParts()],
  ['stale parts', 'outbox_open', discardStale({ before: 1, now: 2 })],
]

test.each(OPEN)('%s are found by %s', async (_name, index, bound) => {
  expect(await plan(bound)).toContain(`INDEX ${index}`)
})
