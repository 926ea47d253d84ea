import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { grams, matchExpression } from './grams.ts'
import { openStore, type Slots, type Store, sql, sqlQuery, statement } from './index.ts'

const index = statement<{ rowid: number; grams: string }>(
  (db, p) => db.insertInto('transcript_text').values({ rowid: p('rowid'), grams: p('grams') }),
  { expect: 1 },
)
const search = sqlQuery(
  (p: Slots<{ match: string }>) =>
    sql<{ rowid: number }>`select rowid from transcript_text where transcript_text match ${p('match')} order by rowid`,
)

const TEXTS = [
  '今天天气很好，我们去公园吧', // 0
  'Ｗｅａｔｈｅｒ report: 天气 is fine', // 1
  '東京タワーへ行きました。', // 2
  'I like 🍕 and 👨‍👩‍👧 time 🇩🇪', // 3
  "don't send an e-mail to Zoë", // 4
  '100% of snake_case, "quoted" AND (NOT) near*', // 5
  'สวัสดีครับ ยินดีต้อนรับ', // 6
  '오늘 날씨가 좋네요', // 7
  '甲乙，乙丙', // 8
  'नमस्ते दुनिया', // 9
  '𠮷野家で会う', // 10
  'cafe\u0301 im Straßencafé', // 11
]

let store: Store
beforeAll(async () => {
  store = await openStore({ folder: ':memory:' })
  await store.commit(TEXTS.map((text, rowid) => index({ rowid, grams: grams(text) })))
  return () => store.close()
})

async function found(query: string): Promise<readonly number[]> {
  return (await store.all(search({ match: matchExpression(query) }))).map((row) => row.rowid)
}

describe('full-text search', () => {
  test.each([
    ['天气', [0, 1]],
    ['今天天气', [0]],
    ['气', [0, 1]],
    ['公园 天气', [0]],
    ['天园', []],
    ['东京', []],
    ['東京', [2]],
    ['タワー', [2]],
    ['ﾀﾜｰ', [2]],
    ['行きました', [2]],
    ['weather', [1]],
    ['weather天气', [1]],
    ['🍕', [3]],
    ['👨‍👩‍👧', [3]],
    ['👩', [3]],
    ['🇩🇪', [3]],
    ['🇫🇷', []],
    ['🍔', []],
    ["DON'T", [4]],
    ['mail e', [4]],
    ['e-mail', [4]],
    ['mail-e', []],
    ['zoe', [4]],
    ['ยินดี', [6]],
    ['ครับ', [6]],
    ['날씨', [7]],
    ['दुनिया', [9]],
    ['दुन', []],
    ['𠮷', [10]],
    ['𠮷野', [10]],
    ['cafe', [11]],
    ['café', [11]],
  ])('finds %s', async (query, rows) => {
    expect(await found(query)).toEqual(rows)
  })

  test('a phrase never reaches from one run of characters into the next', async () => {
    expect(await found('甲乙')).toEqual([8])
    expect(await found('甲乙丙')).toEqual([])
  })

  test.each([
    ['100%', [5]],
    ['%', []],
    ['snake_case', [5]],
    ['snake case', [5]],
    ['"quoted', [5]],
    ['fine OR pizza', []],
    ['fine AND report', []],
    ['report NOT fine', []],
    ['nea*', []],
    ['near(', [5]],
    ['grams:fine', []],
    ['^I', [3]],
    ['', []],
    ['  ?!', []],
  ])('takes %j literally', async (query, rows) => {
    expect(await found(query)).toEqual(rows)
  })

  test('no query is an error, and every word of a text finds it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 40 }), async (text) => {
        const row = 1_000
        const put = statement<{ rowid: number }>((db, p) =>
          db.deleteFrom('transcript_text').where('rowid', '=', p('rowid')),
        )
        await store.commit([put({ rowid: row }), index({ rowid: row, grams: grams(text) })])
        const rows = await found(text)
        if (grams(text) !== '') expect(rows).toContain(row)
        else expect(rows).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('no letter of any script splits a word', async () => {
    const words: string[] = []
    for (let code = 0; code < 0x20000; code++) {
      const word = `q${String.fromCodePoint(code)}q`
      if (/^q[\p{L}\p{N}]q$/u.test(word.normalize('NFKC'))) words.push(grams(word))
    }
    await store.commit(words.map((text, at) => index({ rowid: 10_000 + at, grams: text })))
    const runs = words.filter((text) => text.split(' ').includes('q')).length
    expect((await found('q')).length).toBe(runs)
    expect(words.length - runs).toBeGreaterThan(10_000)
  })

  test('a query of a thousand words works', async () => {
    expect(await found(Array.from({ length: 1_000 }, (_, n) => `w${n}`).join(' '))).toEqual([])
  })
})
