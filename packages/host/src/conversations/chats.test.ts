/** The operator's search for conversations: by everything that the list shows of them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type SqlValue, type Store } from '@runbound/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listChats } from './chats.ts'

const CHATS = 1_500
let store: Store
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rb-chats-'))
  store = await openStore({ folder })
  const write = (sql: string, params: readonly SqlValue[] = []) => store.commit([{ sql, params }])
  const chat = (key: string, type: string, title: string | null, at: number) =>
    write(
      `insert into conversations (conversation_key, workspace_uuid, bot_uuid, conversation_id, chat_type, chat_id, title, last_seq,
        created_at, last_event_at) values (?, 'w', 'b', ?, ?, ?, ?, 1, 1, ?)`,
      [`w/b/${key}`, `${type}_${key}`, type, `id-${key}`, title, at],
    )
  const said = async (key: string, name: string) => {
    await write(
      `insert into events (event_id, workspace_uuid, event_type, event_time, source, conversation_key, actor_name, envelope, created_at)
       values (?, 'w', 'message.received', 1, 'platform', ?, ?, '{}', 1)`,
      [`e-${key}`, `w/b/${key}`, name],
    )
    await write(
      `insert into transcript (transcript_id, workspace_uuid, conversation_key, seq, role, content, event_id, created_at)
       values (?, 'w', ?, 1, 'user', 'hi', ?, 1)`,
      [`t-${key}`, `w/b/${key}`, `e-${key}`],
    )
  }
  await write(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${CHATS})
     insert into conversations (conversation_key, workspace_uuid, bot_uuid, conversation_id, chat_type, chat_id, created_at, last_event_at)
     select 'w/b/many-' || i, 'w', 'b', 'group_many-' || i, 'group', 'many-' || i, 1, 1000 from n`,
  )
  await chat('1', 'person', null, 10)
  await said('1', 'Zoë Ångström')
  await chat('2', 'group', 'Привет всем', 9)
  await said('2', 'Zoë Ångström')
  await chat('3', 'group', 'Die Ärzte', 8)
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const search = (q: string, more: { limit?: number; before_cursor?: string | null } = {}) =>
  listChats(store, { workspace_uuid: 'w', bot_uuid: null, debug: null, q, before_cursor: null, limit: 50, ...more })
const found = async (q: string) => (await search(q)).items.map(({ conversation_key }) => conversation_key)

test.each([
  ['ångström', ['w/b/1']],
  ['ID-1', ['w/b/1']],
  ['привет', ['w/b/2']],
  ['ПРИВЕТ', ['w/b/2']],
  ['ärzte', ['w/b/3']],
  ['A\u0308RZTE', ['w/b/3']],
  ['group_2', ['w/b/2']],
  ['nobody', []],
])('a chat is found by what is shown of it: %s', async (q, keys) => {
  expect(await found(q)).toEqual(keys)
})

test('pages of a search follow each other over more chats than one look takes', async () => {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof search>> = await search('MANY-', { limit: 400, before_cursor: cursor })
    seen.push(...page.items.map(({ conversation_key }) => conversation_key))
    cursor = page.next_cursor
  } while (cursor !== null)
  expect(seen).toHaveLength(CHATS)
  expect(new Set(seen).size).toBe(CHATS)
})
