/** Searches of the operator's lists by words: nothing twice, nothing left out, and what is named by id comes first. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { grams, openStore, type SqlValue, type Store } from '@runbound/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findSaid } from '../conversations/find.ts'
import { searchRuns } from './listing.ts'
import type { RunSearch } from './types.ts'

const EVENTS = 30
const MANY = 1_200
let store: Store
let folder: string

const write = (sql: string, params: readonly SqlValue[] = []) => store.commit([{ sql, params }])

const run = (run_id: string, event_id: string, key = 'w/b/1') =>
  write(
    `insert into runs (run_id, workspace_uuid, event_id, event_type, processor_id, processor_kind, runner_id, installation_uuid,
      conversation_key, status, owner, epoch, created_at, updated_at, run_grant)
     values (?, 'w', ?, 'message.received', 'p', 'agent', 'plugin:a/b/c', 'i', ?, 'completed', 'o', 1, 1, 1, '[]')`,
    [run_id, event_id, key],
  )

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
  folder = mkdtempSync(join(tmpdir(), 'rb-words-'))
  store = await openStore({ folder })
  for (let n = 0; n < EVENTS; n++) {
    await run(`run-${n}`, `e-${n}`)
    await say(`e-${n}`, `weather ${n}`)
  }
  // Answers come later, and repeat the word.
  for (let n = 0; n < EVENTS; n++) await say(`e-${n}`, 'the weather is fine')
  await run('face0001', 'e-x')
  await run('face0002', 'e-y', 'w/b/2')
  await run('run-face', 'e-face')
  await say('e-face', 'a face in the crowd')
  await say('e-x', 'my face is mine')
  await write(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${MANY})
     insert into runs (run_id, workspace_uuid, event_id, event_type, processor_id, processor_kind, runner_id, installation_uuid,
      status, owner, epoch, created_at, updated_at, run_grant)
     select 'many-' || i, 'w', 'e-many', 'message.received', 'p', 'agent', 'plugin:a/b/c', 'i', 'completed', 'o', 1, 1, 1, '[]' from n`,
  )
  await say('e-many', 'everybody answers')
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const search = (filter: Partial<RunSearch>) =>
  searchRuns(store, (request) => findSaid(store, request), {
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
    ...filter,
  })

async function pagesOf(filter: Partial<RunSearch>, between?: () => Promise<void>): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | null = null
  do {
    const { items, next_cursor, has_more }: Awaited<ReturnType<typeof search>> = await search({
      ...filter,
      before_cursor: cursor,
    })
    pages.push(items.map(({ record: { run_id } }) => run_id))
    expect(has_more).toBe(next_cursor !== null)
    cursor = next_cursor
    await between?.()
  } while (cursor !== null)
  return pages
}

const newestFirst = Array.from({ length: EVENTS }, (_, n) => `run-${EVENTS - 1 - n}`)

test('question and answer hold the word: each run comes once over all pages, and the last page is the last', async () => {
  const pages = await pagesOf({ q: 'weather', limit: 10 })
  expect(pages).toHaveLength(3)
  expect(pages.flat()).toEqual(newestFirst)
})

test('what is said while somebody pages neither hides a run nor repeats one', async () => {
  const pages = await pagesOf({ q: 'weather', limit: 10 }, () => say('e-3', 'more weather'))
  expect(pages.flat()).toEqual(newestFirst)
})

test('no run of an event is dropped, however many it has', async () => {
  expect((await search({ q: 'everybody' })).items).toHaveLength(MANY)
})

test.each([50, 3, 2, 1])('ids first, then words, nothing twice; pages of %d', async (limit) => {
  expect((await pagesOf({ q: 'face', limit })).flat()).toEqual(['face0002', 'face0001', 'run-face'])
})

test('what is named by id goes through the filters too', async () => {
  expect((await pagesOf({ q: 'face', conversation_key: 'w/b/2' })).flat()).toEqual(['face0002'])
  expect((await pagesOf({ q: 'e-y', event_id: 'e-x' })).flat()).toEqual([])
})

test('a search has no newer pages', async () => {
  const { next_cursor } = await search({ q: 'face', limit: 1 })
  await expect(search({ q: 'face', after_cursor: next_cursor })).rejects.toMatchObject({ reason: 'invalid_cursor' })
})
