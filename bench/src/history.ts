/** A page of 50 in a conversation of 1,000 and of 1,000,000 messages, newest and oldest end, timed in the host. */
import { join } from 'node:path'
import { openStore, type Slots, sql, sqlStatement } from '@runbound/store'
import type { Bench } from './bench.ts'
import { startHostProcess } from './driver/bed.ts'
import { removeFolder, temporaryFolder } from './driver/folders.ts'
import { profiled } from './driver/profile.ts'
import { median } from './driver/statistics.ts'
import { atMost, row, sameAsRaw } from './row.ts'

const SMALL = 1_000
const LARGE = 1_000_000
const ROUNDS = 15
const PAGES = 20

export const history: Bench = {
  name: 'history',
  about: 'history page of 50 at 1,000 and 1,000,000 messages',
  async run(options) {
    const folder = temporaryFolder()
    const data = join(folder, 'data')
    const host = startHostProcess()
    try {
      options.note('filling')
      const first = await openStore({ folder: data })
      await first.commit([fill({ key: keyOf(SMALL), rows: SMALL }), fill({ key: keyOf(LARGE), rows: LARGE })])
      await first.close()
      await host.call('start', { folder: data, synchronous: 'normal' })
      const time = async (rows: number, where: 'first' | 'deep') =>
        median(await host.call('historyPages', { key: keyOf(rows), where, count: PAGES }))
      return await profiled(options, host, async () => {
        const rows = []
        for (const where of ['first', 'deep'] as const) {
          options.note(where)
          const small: number[] = []
          const large: number[] = []
          await time(SMALL, where)
          await time(LARGE, where)
          for (let round = 0; round < ROUNDS; round++) {
            small.push(await time(SMALL, where))
            large.push(await time(LARGE, where))
          }
          const ratio = median(large.map((one, index) => one / (small[index] ?? one)))
          rows.push(
            row({
              name: `history page of 50, 1,000 messages, ${where}`,
              unit: 'ms',
              ours: median(small),
              bar: atMost(2, 'ms'),
            }),
            row({
              name: `history page of 50, 1,000,000 messages, ${where}`,
              unit: 'ms',
              ours: median(large),
              raw: median(small),
              ratio,
              bar: sameAsRaw(2),
              note: 'yardstick: the same page at 1,000 messages',
            }),
          )
        }
        return rows
      })
    } finally {
      await host.stop()
      removeFolder(folder)
    }
  },
}

const keyOf = (rows: number): string => `bench/history/${rows}`

/** Messages as a chat leaves them: some 100 B of text, user and assistant in turn. */
const fill = sqlStatement(
  (p: Slots<{ key: string; rows: number }>) => sql`
    insert into transcript (transcript_id, workspace_uuid, conversation_key, seq, bot_uuid, conversation_id, role, content,
      content_json, event_id, created_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${p('rows')})
    select ${p('key')} || ':' || i, 'w', ${p('key')}, i, 'b', 'person_bench', iif(i % 2, 'user', 'assistant'),
      'row ' || i || ' ' || ${'x'.repeat(80)},
      '[{"type":"Plain","text":"row ' || i || ' ' || ${'x'.repeat(80)} || '"}]', 'event:' || ${p('key')} || i, 1700000000000 + i
    from n`,
)
