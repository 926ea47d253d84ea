/** The operator's list of 100,000 runs: every filter is answered by one index, in well under a second. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type SqlValue, type Store } from '@runbound/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findSaid } from '../conversations/find.ts'
import { searchEvents } from '../events/listing.ts'
import * as events from '../events/listing-statements.ts'
import { searchRuns } from './listing.ts'
import * as sql from './listing-statements.ts'
import { pageOfTimeline } from './timeline/timeline.ts'
import type { RunSearch } from './types.ts'

const RUNS = 100_000
const LONG_RUN = 1_000
let store: Store
let folder: string

const idOf = (n: number) => createHash('sha256').update(`run ${n}`).digest('hex').slice(0, 32)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rb-listing-'))
  store = await openStore({ folder })
  // A grant as wide as real ones: what must not be read for each run that is passed over.
  const grant = JSON.stringify(Array.from({ length: 40 }, (_, n) => ({ thing: `tool:some_tool_${n}`, allowed: true })))
  const series = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${RUNS})`
  await write(
    `${series} insert into events (event_id, workspace_uuid, bot_uuid, event_type, event_time, source, conversation_key, actor_id,
      actor_name, message_id, input_summary, envelope, created_at)
     select 'e-' || i, 'w', 'b-' || (i % 10), case when i % 1000 = 0 then 'group.member_joined' else 'message.received' end, i, 'platform',
      'w/b/' || (i % 500), 'u-' || (i % 5000), 'Person', 'm-' || i, 'hello ' || i, '{}', i from n`,
  )
  await write(
    `${series} insert into runs (run_id, workspace_uuid, event_id, event_type, processor_id, processor_kind, runner_id,
      installation_uuid, bot_uuid, conversation_key, actor_id, status, owner, epoch, created_at, started_at, finished_at, updated_at,
      run_grant)
     select lower(hex(randomblob(16))), 'w', 'e-' || i, 'message.received', 'p-' || (i % 20), 'agent', 'plugin:acme/demo/talk',
      'i-' || (i % 7), 'b-' || (i % 10), 'w/b/' || (i % 500), 'u-' || (i % 5000),
      case when i % 9000 = 0 then 'failed' else 'completed' end, 'o', 1, i, i, i + 5, i, ? from n`,
    [grant],
  )
  await write(
    `${series} insert into transcript (transcript_id, workspace_uuid, conversation_key, seq, role, content, event_id, created_at)
     select 't-' || i, 'w', 'w/b/' || (i % 500), i, 'user', 'hello ' || i, 'e-' || i, i from n`,
  )
  await write(`insert into transcript_text (rowid, grams) select id, content || ' rbcx' || (id % 500) from transcript`)
  // A host that has just started opens its reader with the first view; that is not what is measured.
  await store.slow({ sql: 'select 1', params: [] })
  await write('update runs set run_id = ? where id = ?', [idOf(777), 777])
  const calls = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${LONG_RUN})`
  await write(
    `${calls} insert into run_trace (run_id, at, method, outcome, micros) select ?, 700 + i, 'state_get', 'ok', 10 from n`,
    [idOf(777)],
  )
}, 120_000)
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function write(text: string, params: readonly SqlValue[] = []): Promise<void> {
  await store.commit([{ sql: text, params }])
}

const EVERYTHING: RunSearch = {
  workspace_uuid: 'w',
  statuses: null,
  processor_id: null,
  installation_uuid: null,
  bot_uuid: null,
  actor_id: null,
  event_id: null,
  conversation_key: null,
  debug: null,
  from: null,
  until: null,
  q: null,
  before_cursor: null,
  after_cursor: null,
  limit: 50,
}
const text = (request: Parameters<typeof findSaid>[1]) => findSaid(store, request)
const search = (filter: Partial<RunSearch>) => searchRuns(store, text, { ...EVERYTHING, ...filter })

const FILTERS: readonly (readonly [name: string, filter: Partial<RunSearch>, found: number])[] = [
  ['none', {}, 50],
  ['bot', { bot_uuid: 'b-3' }, 50],
  ['processor', { processor_id: 'p-3' }, 50],
  ['plugin', { installation_uuid: 'i-3' }, 50],
  ['status', { statuses: ['failed'] }, 11],
  ['a status that none has', { statuses: ['timeout'] }, 0],
  ['person', { actor_id: 'u-17' }, 20],
  ['time', { from: 1_000, until: 1_020 }, 21],
  ['conversation', { conversation_key: 'w/b/17' }, 50],
  ['event', { event_id: 'e-17' }, 1],
  ['everything at once', { bot_uuid: 'b-0', statuses: ['failed'], processor_id: 'p-0', debug: false, from: 1 }, 11],
  ['the beginning of an id', { q: idOf(777).slice(0, 8) }, 1],
  ['an event id', { q: 'e-4711' }, 1],
  ['a word that one message has', { q: '99999' }, 1],
  ['a word that every message has', { q: 'hello' }, 50],
  ['words that none has', { q: 'nowhere' }, 0],
]

test.each(FILTERS)('filter by %s', async (_name, filter, found) => {
  const started = performance.now()
  const page = await search(filter)
  expect(performance.now() - started).toBeLessThan(1_000)
  expect(page.items).toHaveLength(found)
})

test('pages follow each other without a hole and without a repeat, forwards and back', async () => {
  const seen: number[] = []
  let cursor: string | null = null
  for (let index = 0; index < 5; index++) {
    const page = await search({ bot_uuid: 'b-3', before_cursor: cursor })
    seen.push(...page.items.map(({ created_at }) => created_at))
    cursor = page.next_cursor
  }
  expect(seen).toEqual(Array.from({ length: 250 }, (_, n) => 99_993 - 10 * n))
  const back = await search({ bot_uuid: 'b-3', after_cursor: cursor })
  expect(back.items.map(({ created_at }) => created_at)).toEqual(seen.slice(150, 200))
  await expect(search({ bot_uuid: 'b-4', before_cursor: cursor })).rejects.toMatchObject({ reason: 'invalid_cursor' })
})

test('text pages too', async () => {
  const first = await search({ q: 'hello', limit: 10 })
  const second = await search({ q: 'hello', limit: 10, before_cursor: first.next_cursor })
  expect([...first.items, ...second.items].map(({ created_at }) => created_at)).toEqual(
    Array.from({ length: 20 }, (_, n) => RUNS - n),
  )
})

test('events: by bot, type, text, message id and link', async () => {
  const needs = { said: text, bots: async () => Array.from({ length: 10 }, (_, n) => `b-${n}`) }
  const all = { workspace_uuid: 'w', bot_uuid: null, event_type: null, conversation_key: null, from: null, until: null, q: null, before_cursor: null, after_cursor: null, limit: 50 } // biome-ignore format: one line
  const ids = async (filter: object) => {
    const started = performance.now()
    const { items } = await searchEvents(store, needs, { ...all, ...filter })
    expect(performance.now() - started).toBeLessThan(1_000)
    return items.map(({ event_id }) => event_id)
  }
  expect(await ids({ event_type: 'group.*', limit: 2 })).toEqual(['e-100000', 'e-99000'])
  expect(await ids({ bot_uuid: 'b-3', limit: 1 })).toEqual(['e-99993'])
  expect(await ids({ q: 'm-4711' })).toEqual(['e-4711'])
  expect(await ids({ q: 'https://chat.example/channels/1234/m-4711?thread=9' })).toEqual(['e-4711'])
  expect(await ids({ q: '4711' })).toEqual(['e-4711'])
  expect(await ids({ q: 'e-4711' })).toEqual(['e-4711'])
})

const listFilter = { workspace_uuid: 'w', statuses: null, processor_id: null, installation_uuid: null, bot_uuid: null, actor_id: null, debug: null, from: null, until: null, above: 0, below: 9e15, limit: 51 } // biome-ignore format: one line
const eventFilter = { workspace_uuid: 'w', bot_uuid: null, event_type: null, from: null, until: null, above: 0, below: 9e15, limit: 51 } // biome-ignore format: one line

test.each([
  ['runs, newest first', 'COVERING INDEX runs_listed', sql.listedNewestFirst(listFilter)],
  ['runs, oldest first', 'COVERING INDEX runs_listed', sql.listedOldestFirst(listFilter)],
  ['runs of a chat', 'INDEX runs_by_conversation', sql.listedOfConversation({ ...listFilter, conversation_key: 'k' })],
  [
    'runs of events',
    'INDEX runs_by_event',
    sql.listedOfEvents({ ...listFilter, event_id: null, conversation_key: null, event_ids: '[]' }),
  ],
  ['events, newest first', 'COVERING INDEX events_listed', events.eventsNewestFirst(eventFilter)],
  [
    'events of a message',
    'INDEX events_by_message',
    events.eventsByMessage({ ...eventFilter, conversation_key: null, bot_uuids: '[]', message_id: 'm' }),
  ],
])('%s: %s', async (_name, index, bound) => {
  const rows = await store.all<{ readonly detail: string }>({
    sql: `explain query plan ${bound.sql}`,
    params: bound.params,
  })
  expect(rows.map(({ detail }) => detail).join('; ')).toContain(index)
})

test('a timeline of a thousand calls pages without a hole, from both ends', async () => {
  const run_id = idOf(777)
  const page = (more: object) =>
    pageOfTimeline(store, {
      run_id,
      lanes: null,
      before_cursor: null,
      after_cursor: null,
      limit: 300,
      direction: 'forward',
      ...more,
    })
  const ids: string[] = []
  let cursor: string | null = null
  const started = performance.now()
  do {
    const { items, next_cursor } = await page({ after_cursor: cursor })
    ids.push(...items.map(({ id }) => id))
    cursor = next_cursor
  } while (cursor !== null)
  expect(performance.now() - started).toBeLessThan(1_000)
  expect(new Set(ids).size).toBe(LONG_RUN + 2)
  const newest = await page({ direction: 'backward', limit: 3 })
  expect(newest.items.map(({ id }) => id)).toEqual(ids.slice(-3).reverse())
  const before = await page({ direction: 'backward', limit: 3, before_cursor: newest.next_cursor })
  expect(before.items.map(({ id }) => id)).toEqual(ids.slice(-6, -3).reverse())
  expect((await page({ lanes: ['grant'] })).items.map(({ lane }) => lane)).toEqual(['grant'])
})
