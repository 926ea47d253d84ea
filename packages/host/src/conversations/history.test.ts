import { LIMITS, WireError } from '@runbound/protocol'
import { HistoryPageSchema, HistorySearchResultSchema } from '@runbound/protocol/schemas'
import { query } from '@runbound/store'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { envelopeWith, openWorld, type World } from './fixtures.ts'
import type { HistoryRequest, SaidMessage } from './types.ts'

const CHAT = 'w-1/b-1/person_u-1'
const OTHER = 'w-1/b-1/person_u-2'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

let made = 0
function said(content: string, over: Partial<SaidMessage> = {}): SaidMessage {
  made += 1
  return {
    transcript_id: `t-${made}`,
    workspace_uuid: 'w-1',
    conversation_key: CHAT,
    bot_uuid: 'b-1',
    conversation_id: 'person_u-1',
    thread_id: null,
    role: 'assistant',
    content,
    content_json: null,
    attachment_refs: [],
    event_id: `e-${made}`,
    run_id: 'r-1',
    processor_id: 'p-1',
    delivery_id: `d-${made}`,
    message_id: `m-${made}`,
    actor_id: null,
    ...over,
  }
}

async function fill(key: string, count: number): Promise<void> {
  const units = Array.from({ length: count }, (_, index) =>
    world.conversations.said(said(`entry ${index + 1}`, { conversation_key: key })),
  )
  await Promise.all(units.map((unit) => world.store.commit(unit)))
}

function page(over: Partial<HistoryRequest> = {}) {
  return world.conversations.page({
    conversation_key: CHAT,
    up_to: null,
    before_cursor: null,
    after_cursor: null,
    limit: 50,
    direction: 'backward',
    include_attachments: false,
    ...over,
  })
}

const seqs = (items: readonly { readonly seq: number | null }[]) => items.map(({ seq }) => seq)

describe('pages', () => {
  beforeAll(async () => {
    await fill(CHAT, 120)
    await fill(OTHER, 3)
  })

  test('[runner.history-page] [runner.history-page.defaults] the newest 50, newest first, each with the documented fields', async () => {
    const first = await page()
    expect(HistoryPageSchema.parse(first)).toEqual(first)
    expect(seqs(first.items)).toEqual(Array.from({ length: 50 }, (_, index) => 120 - index))
    expect(first.items[0]).toMatchObject({
      content: 'entry 120',
      role: 'assistant',
      item_type: 'message',
      conversation_id: 'person_u-1',
      bot_id: 'b-1',
      workspace_id: 'w-1',
      created_at: 1_700_000_000,
      metadata: { run_id: 'r-1' },
      attachment_refs: [],
    })
    expect(first).toMatchObject({ has_more: true, next_cursor: expect.any(String), prev_cursor: expect.any(String) })
  })

  test('[runner.history-page.after-cursor] forward with after_cursor: the newer ones, oldest of them first', async () => {
    const oldest = await page({ direction: 'forward', limit: 10 })
    expect(seqs(oldest.items)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    const next = await page({ direction: 'forward', limit: 3, after_cursor: oldest.next_cursor })
    expect(seqs(next.items)).toEqual([11, 12, 13])
    // The cursor of a backward page leads to what is newer than all of it.
    const newest = await page({ limit: 5, before_cursor: next.prev_cursor })
    expect(seqs(newest.items)).toEqual([10, 9, 8, 7, 6])
    const newer = await page({ direction: 'forward', limit: 2, after_cursor: newest.prev_cursor })
    expect(seqs(newer.items)).toEqual([11, 12])
    const item = newer.items[0]?.cursor ?? null
    expect(seqs((await page({ direction: 'forward', limit: 1, after_cursor: item })).items)).toEqual([12])
  })

  test('both bounds at once, and backward above a cursor', async () => {
    const low = (await page({ direction: 'forward', limit: 10 })).prev_cursor
    const high = (await page({ limit: 10 })).prev_cursor
    const between = await page({ limit: 100, after_cursor: low, before_cursor: high })
    expect([between.items[0]?.seq, between.items.at(-1)?.seq, between.has_more]).toEqual([110, 11, false])
    const newest = await page({ limit: 3, after_cursor: low })
    expect(seqs(newest.items)).toEqual([120, 119, 118])
  })

  test('[runner.history-page.before-cursor] [runner.pages.fields] any limit, either cursor, both directions: each entry once, has_more exact', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100 }),
        fc.constantFrom('prev_cursor' as const, 'next_cursor' as const),
        fc.constantFrom('backward' as const, 'forward' as const),
        fc.option(fc.integer({ min: 0, max: 130 })),
        async (limit, which, direction, up_to) => {
          const visible = Math.min(up_to ?? 120, 120)
          const seen: (number | null)[] = []
          let cursor: string | null = null
          for (;;) {
            const bound: Partial<HistoryRequest> =
              direction === 'backward' ? { before_cursor: cursor } : { after_cursor: cursor }
            const found = await page({ limit, direction, up_to, ...bound })
            seen.push(...seqs(found.items))
            expect(found.has_more).toBe(seen.length < visible)
            cursor = found[which]
            if (cursor === null || found.items.length === 0) break
          }
          const all = Array.from({ length: visible }, (_, index) => index + 1)
          expect(seen).toEqual(direction === 'backward' ? all.reverse() : all)
        },
      ),
      { numRuns: 60 },
    )
  })

  test.each([
    [0, 1],
    [-2, 1],
    [1_000, 100],
    [Number.NaN, 50],
    [2.7, 2],
  ])('a limit of %d gives %d entries', async (limit, count) => {
    expect((await page({ limit })).items.length).toBe(count)
  })

  test('an empty conversation, and a page beyond the last entry', async () => {
    const empty = await page({ conversation_key: 'w-1/b-1/person_nobody' })
    expect(empty).toMatchObject({ items: [], has_more: false, prev_cursor: null, next_cursor: null })
    const oldest = await page({ direction: 'forward', limit: 1 })
    expect(await page({ before_cursor: oldest.prev_cursor })).toMatchObject({
      items: [],
      has_more: false,
      prev_cursor: null,
    })
  })

  test('[runner.history.other-conversation] a cursor of another conversation, or of nobody, is refused', async () => {
    const other = (await page({ conversation_key: OTHER })).prev_cursor ?? ''
    const own = (await page()).prev_cursor ?? ''
    const turned = own.replace(/^(.*)\.(.*)\.(.*)$/, '$1.$3.$2')
    for (const cursor of [other, turned, '41', '', 'null', `${own}0000000000`, own.toUpperCase()]) {
      for (const bound of [{ before_cursor: cursor }, { after_cursor: cursor }]) {
        await expect(page(bound)).rejects.toSatisfy((error) => WireError.is(error) && error.reason === 'invalid_cursor')
      }
    }
  })

  test('[runner.context.context] a run ends where its own message stands: its cursor is the entry before', async () => {
    const key = 'w-1/b-1/person_cursor'
    expect(await world.conversations.cursor(key)).toEqual({
      latest_cursor: null,
      transcript_seq: null,
      has_history_before: false,
    })
    const chat = { chat: 'cursor' }
    const first = envelopeWith('M1', chat)
    await world.post(first)
    await world.runs.until(1)
    expect(await world.conversations.cursor(key, first.event_id)).toMatchObject({ has_history_before: false })
    expect(await world.conversations.position(first.event_id, key)).toBe(1)
    await world.store.commit(world.conversations.said(said('A1', { conversation_key: key })))
    const second = envelopeWith('M2', chat)
    await world.post(second)
    // Its turn has not come: the newest of all is what it will see.
    expect(await world.conversations.position(second.event_id, key)).toBeNull()
    expect(await world.conversations.cursor(key, second.event_id)).toMatchObject({ transcript_seq: 2 })
    await world.runs.started[0]?.end()
    await world.runs.until(2)
    await world.store.commit(world.conversations.said(said('A2', { conversation_key: key })))
    const end = await world.conversations.cursor(key, second.event_id)
    expect(end).toMatchObject({ transcript_seq: 2, has_history_before: true })
    const up_to = await world.conversations.position(second.event_id, key)
    expect(up_to).toBe(3)
    expect((await page({ conversation_key: key, up_to })).items.map(({ content }) => content)).toEqual([
      'M2',
      'A1',
      'M1',
    ])
    const before = await page({ conversation_key: key, up_to, before_cursor: end.latest_cursor })
    expect(before.items.map(({ content }) => content)).toEqual(['M1'])
  })

  test('what a reset hid does not come back on any page or search', async () => {
    const key = 'w-1/b-1/person_reset'
    await fill(key, 5)
    await world.store.commit([
      { sql: 'update conversations set reset_after_seq = 3 where conversation_key = ?', params: [key] },
    ])
    expect(seqs((await page({ conversation_key: key })).items)).toEqual([5, 4])
    expect(seqs((await page({ conversation_key: key, direction: 'forward' })).items)).toEqual([4, 5])
    const found = await world.conversations.search(searchFor('entry', { conversation_key: key }))
    expect(seqs(found.items)).toEqual([5, 4])
  })
})

describe('entries', () => {
  test('positions have no holes, whatever is committed or undone at the same time', async () => {
    const key = 'w-1/b-1/person_holes'
    const refused = { sql: 'delete from transcript where transcript_id = ?', params: ['nothing'], expect: 1 }
    const units = Array.from({ length: 40 }, (_, index) => {
      const unit = world.conversations.said(said(`entry ${index}`, { conversation_key: key }))
      return world.store.commit(index % 3 === 0 ? [...unit, refused] : unit).catch(() => null)
    })
    const kept = (await Promise.all(units)).filter((result) => result !== null).length
    const found = await page({ conversation_key: key, direction: 'forward', limit: 100 })
    expect(seqs(found.items)).toEqual(Array.from({ length: kept }, (_, index) => index + 1))
  })

  test('[runner.history-page.include-attachments] references without bytes, and only where asked for', async () => {
    const key = 'w-1/b-1/person_files'
    const envelope = envelopeWith('look', { chat: 'files' })
    const image = {
      type: 'image_base64',
      text: null,
      image_url: null,
      image_base64: 'QUJD',
      file_url: null,
      file_base64: null,
      file_name: null,
    }
    const file = {
      ref: 'attachment-0',
      type: 'file',
      mime_type: null,
      size: 3,
      name: 'a.txt',
      source: 'message_chain',
      url: null,
      path: null,
      content: 'QUJD'.repeat(100),
      id: null,
    }
    await world.post({ ...envelope, input: { ...envelope.input, contents: [image], attachments: [file] } })
    await world.runs.until(3)
    const [plain] = (await page({ conversation_key: key })).items
    expect(plain).toMatchObject({
      role: 'user',
      content: 'look [file: a.txt]',
      attachment_refs: [],
      content_json: { role: 'user', content: [{ type: 'image_base64', image_base64: null, content_redacted: true }] },
      metadata: { actor_id: 'files', actor_type: 'user' },
    })
    const [full] = (await page({ conversation_key: key, include_attachments: true })).items
    expect(full?.attachment_refs).toMatchObject([
      { ref: 'attachment-0', name: 'a.txt', content: null, content_redacted: true },
    ])
  })

  test('a long text is cut for the entry, without tearing a character, and can still be searched to its end', async () => {
    const key = 'w-1/b-1/person_long'
    const text = `${'x'.repeat(3_996)}😀${'y'.repeat(100)} needle`
    await world.store.commit(world.conversations.said(said(text, { conversation_key: key })))
    const [entry] = (await page({ conversation_key: key })).items
    expect(entry?.content).toBe(`${'x'.repeat(3_996)}...`)
    const found = await world.conversations.search(searchFor('needle', { conversation_key: key }))
    expect(found.items.length).toBe(1)
  })

  test('a delivered chain stands in content_json under its name', async () => {
    const key = 'w-1/b-1/person_chain'
    const chain = [
      { type: 'Plain', text: 'hi' },
      { type: 'Image', base64: 'QUJD' },
    ]
    await world.store.commit(world.conversations.said(said('hi', { conversation_key: key, content_json: chain })))
    const [entry] = (await page({ conversation_key: key })).items
    expect(entry?.content_json).toEqual({
      message_chain: [
        { type: 'Plain', text: 'hi' },
        { type: 'Image', base64: null, content_redacted: true },
      ],
    })
  })
})

function searchFor(words: string, over: object = {}) {
  return { conversation_key: CHAT, up_to: null, query: words, roles: null, item_types: null, top_k: 10, ...over }
}

describe('search', () => {
  const key = 'w-1/b-1/person_search'
  const texts = ['今天天气很好', 'The weather is fine', '100% of snake_case', 'weather again', 'fine and dandy']
  beforeAll(async () => {
    for (const [index, text] of texts.entries()) {
      const role = index % 2 === 0 ? 'user' : 'assistant'
      await world.store.commit(world.conversations.said(said(text, { conversation_key: key, role })))
    }
    await world.store.commit(world.conversations.said(said('weather elsewhere', { conversation_key: OTHER })))
  })
  const search = async (words: string, over: object = {}) =>
    (await world.conversations.search(searchFor(words, { conversation_key: key, ...over }))).items.map(
      ({ content }) => content,
    )

  test.each([
    ['weather', ['weather again', 'The weather is fine']],
    ['WEATHER fine', ['The weather is fine']],
    ['天气', ['今天天气很好']],
    ['很好 今天', ['今天天气很好']],
    ['100%', ['100% of snake_case']],
    ['snake_case', ['100% of snake_case']],
    ['snake%case', ['100% of snake_case']],
    ['%', []],
    ['_', []],
    ['', []],
    ['wea_her', []],
    ['weather" OR "fine', []],
    ['weather NOT again', []],
  ])('[runner.history-search] %j', async (words, found) => {
    expect(await search(words)).toEqual(found)
  })

  test('[runner.history-search] narrowed by roles and kinds, up to a position, at most top_k', async () => {
    expect(await search('weather', { roles: ['assistant'] })).toEqual(['weather again', 'The weather is fine'])
    expect(await search('weather', { roles: ['user'] })).toEqual([])
    expect(await search('fine', { roles: ['user', 'system'] })).toEqual(['fine and dandy'])
    expect(await search('weather', { roles: [] })).toEqual([])
    expect(await search('weather', { item_types: ['tool_call'] })).toEqual([])
    expect(await search('weather', { item_types: ['message'] })).toHaveLength(2)
    expect(await search('weather', { up_to: 3 })).toEqual(['The weather is fine'])
    expect(await search('weather', { top_k: 1 })).toEqual(['weather again'])
    expect(await search('weather', { top_k: -1 })).toHaveLength(1)
  })

  test('the answer has the documented fields; its total is said only where it is known', async () => {
    const found = await world.conversations.search(searchFor('weather', { conversation_key: key, top_k: 1 }))
    expect(HistorySearchResultSchema.parse(found)).toEqual(found)
    expect(found).toMatchObject({ query: 'weather', total_count: null })
    expect(await world.conversations.search(searchFor('weather', { conversation_key: key }))).toMatchObject({
      total_count: 2,
    })
  })

  test('[runner.history.other-conversation] the words of another conversation are not found', async () => {
    expect(await search('elsewhere')).toEqual([])
  })

  test('a query over the limit is refused', async () => {
    await expect(search('x'.repeat(LIMITS.search_query.value + 1))).rejects.toSatisfy(
      (error) => WireError.is(error) && error.reason === 'too_large',
    )
  })
})

test('a page costs the same in a short and in a long conversation', async () => {
  const long = 'w-1/b-1/person_long-history'
  await world.store.commit([
    {
      sql: `insert into conversations (conversation_key, workspace_uuid, conversation_id, last_seq, created_at, last_event_at)
        values (?, 'w-1', 'person_x', 200000, 1, 1)`,
      params: [long],
    },
    {
      sql: `insert into transcript (transcript_id, workspace_uuid, conversation_key, seq, role, content, event_id, created_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 200000)
        select 'long-' || i, 'w-1', ?, i, 'user', 'entry ' || i, 'e', 1 from n`,
      params: [long],
    },
  ])
  const middle = await world.store.all(
    query((db) => db.selectFrom('transcript').select('seq').where('transcript_id', '=', 'long-100000'))(),
  )
  expect(middle[0]?.seq).toBe(100_000)
  const deep = async (key: string, skip: number) => {
    const first = await page({ conversation_key: key, limit: 1, direction: 'forward' })
    const cursor = first.prev_cursor?.replace(/\.[^.]+\.[^.]+$/, `.${skip.toString(36)}.${skip.toString(36)}`) ?? null
    return time(() => page({ conversation_key: key, before_cursor: cursor }))
  }
  const short = { first: await time(() => page()), deep: await deep(CHAT, 100) }
  const big = { first: await time(() => page({ conversation_key: long })), deep: await deep(long, 100_000) }
  console.log('history page of 50, us: 120 entries', short, '200,000 entries', big)
  // Generous: a scan would be hundreds of times slower, a busy machine is not.
  expect(big.deep).toBeLessThan(short.deep * 10 + 2_000)
})

async function time(work: () => Promise<unknown>): Promise<number> {
  for (let warm = 0; warm < 50; warm++) await work()
  const started = performance.now()
  for (let count = 0; count < 100; count++) await work()
  return Math.round(((performance.now() - started) * 1_000) / 100)
}
