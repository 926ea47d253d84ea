/** The operator's search for events: nothing twice, what is named first, and one budget for what no column holds. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { grams, openStore, type SqlValue, type Store } from '@runbound/store'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findSaid } from '../conversations/find.ts'
import { searchEvents } from './listing.ts'
import type { EventOnly, EventSearch, FoundEvent } from './types.ts'

const EVENTS = 5_000
let store: Store
let folder: string

const write = (sql: string, params: readonly SqlValue[] = []) => store.commit([{ sql, params }])

let said = 0
async function say(event_id: string, text: string): Promise<void> {
  said += 1
  await write(
    `insert into transcript (transcript_id, workspace_uuid, conversation_key, seq, role, content, event_id, created_at)
     values (?, 'w', 'w/b/1', ?, 'user', ?, ?, 1)`,
    [`t-${said}`, said, text, event_id],
  )
  await write('insert into transcript_text (rowid, grams) values ((select max(id) from transcript), ?)', [grams(text)])
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rb-events-'))
  store = await openStore({ folder })
  await write(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${EVENTS})
     insert into events (event_id, workspace_uuid, bot_uuid, event_type, event_time, source, conversation_key, message_id, envelope,
      created_at)
     select 'e-' || i, 'w', 'b-' || (i % 2), 'message.received', i, 'platform', 'w/b/1', case when i = 7 then '2024' else 'm-' || i end,
      '{}', i from n`,
  )
  await say('e-7', 'the message of that id')
  for (let n = 10; n < 30; n++) await say(`e-${n}`, `plans for 2024, ${n}`)
  for (let n = 10; n < 30; n++) await say(`e-${n}`, `2024 will be fine, ${n}`)
  await say('e-40', 'e-41 is the other one')
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const needs = { said: (request: Parameters<typeof findSaid>[1]) => findSaid(store, request), bots: async () => ['b-0', 'b-1'] } // biome-ignore format: one line
const search = (filter: Partial<EventSearch>, only?: EventOnly) =>
  searchEvents(
    store,
    needs,
    {
      workspace_uuid: 'w',
      bot_uuid: null,
      event_type: null,
      conversation_key: null,
      from: null,
      until: null,
      q: null,
      before_cursor: null,
      after_cursor: null,
      limit: 50,
      ...filter,
    },
    only,
  )

async function pagesOf(filter: Partial<EventSearch>, only?: EventOnly): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof search>> = await search({ ...filter, before_cursor: cursor }, only)
    pages.push(page.items.map(({ event_id }) => event_id))
    expect(page.has_more).toBe(page.next_cursor !== null)
    cursor = page.next_cursor
  } while (cursor !== null)
  return pages
}

const PLANS = Array.from({ length: 20 }, (_, n) => `e-${29 - n}`)

test.each([50, 21, 7, 1])(
  'the message of the id first, then the words, each event once; pages of %d',
  async (limit) => {
    const pages = await pagesOf({ q: '2024', limit })
    expect(pages.flat()).toEqual(['e-7', ...PLANS])
    expect(pages).toHaveLength(Math.ceil(21 / limit))
  },
)

test('an event found by its id goes through the filters', async () => {
  expect((await pagesOf({ q: 'e-41' })).flat()).toEqual(['e-41', 'e-40'])
  expect((await pagesOf({ q: 'e-41', bot_uuid: 'b-0' })).flat()).toEqual(['e-40'])
  expect((await pagesOf({ q: 'e-41', conversation_key: 'w/b/2' })).flat()).toEqual([])
  expect((await pagesOf({ q: 'e-41', from: 42 })).flat()).toEqual([])
  expect((await pagesOf({ workspace_uuid: 'other', q: 'e-41' })).flat()).toEqual([])
})

const only = (fits: (event: FoundEvent) => boolean) => ({
  scope: 'test',
  pick: vi.fn(async (found: readonly FoundEvent[]) => new Set(found.filter(fits).map(({ event_id }) => event_id))),
})

test('what no column holds: one budget of looks of one size, and more only where there is more', async () => {
  const rare = only(({ seq }) => seq % 1000 === 0)
  const first = await search({ limit: 3 }, rare)
  expect(first.items.map(({ event_id }) => event_id)).toEqual(['e-5000', 'e-4000'])
  expect(first.has_more).toBe(true)
  expect(rare.pick.mock.calls.map(([found]) => found.length)).toEqual(Array.from({ length: 10 }, () => 200))
  expect((await pagesOf({ limit: 3 }, rare)).flat()).toEqual(['e-5000', 'e-4000', 'e-3000', 'e-2000', 'e-1000'])

  const few = only(({ seq }) => seq > EVENTS - 100)
  const pages = await pagesOf({ from: EVENTS - 500, limit: 33 }, few)
  expect(pages.map((page) => page.length)).toEqual([33, 33, 33, 1].slice(0, pages.length))
  expect(pages.flat()).toHaveLength(100)
})

test('with words too, and to newer ones', async () => {
  const odd = only(({ seq }) => seq % 2 === 1)
  expect((await pagesOf({ q: '2024', limit: 4 }, odd)).flat()).toEqual(['e-7', ...PLANS.filter((_, n) => n % 2 === 0)])
  const page = await search({ until: 10, limit: 2 }, odd)
  expect(page.items.map(({ event_id }) => event_id)).toEqual(['e-9', 'e-7'])
  const older = await search({ until: 10, limit: 2, before_cursor: page.next_cursor }, odd)
  const newer = await search({ until: 10, limit: 2, after_cursor: older.prev_cursor }, odd)
  expect(newer.items.map(({ event_id }) => event_id)).toEqual(['e-9', 'e-7'])
  expect(newer.has_more).toBe(false)
})

test('the newer events of a chat come next to the page, not from the newest end', async () => {
  const oldest = await search({ conversation_key: 'w/b/1', until: 3, limit: 3 })
  expect(oldest.items.map(({ event_id }) => event_id)).toEqual(['e-3', 'e-2', 'e-1'])
  const chat = { conversation_key: 'w/b/1', limit: 3 }
  const newest = await search(chat)
  const second = await search({ ...chat, before_cursor: newest.next_cursor })
  const third = await search({ ...chat, before_cursor: second.next_cursor })
  const back = await search({ ...chat, after_cursor: third.prev_cursor })
  expect(back.items).toEqual(second.items)
})
