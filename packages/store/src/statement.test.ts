import { afterAll, describe, expect, expectTypeOf, test } from 'vitest'
import {
  openStore,
  type Query,
  query,
  type Slots,
  StoreError,
  sql,
  sqlQuery,
  sqlStatement,
  statement,
} from './index.ts'

const store = await openStore({ folder: ':memory:' })
afterAll(() => store.close())

const setValue = statement<{ name: string; value: string }>(
  (db, p) =>
    db
      .insertInto('settings')
      .values({ name: p('name'), value: p('value') })
      .onConflict((oc) => oc.column('name').doUpdateSet({ value: p('value') })),
  { expect: 1 },
)
const getValues = query((db, p: Slots<{ names: readonly string[]; limit: number }>) =>
  db.selectFrom('settings').select(['name', 'value']).where('name', 'in', p.list('names')).limit(p('limit')),
)

describe('statement and query', () => {
  test('bind values at each place of their slot, in order', async () => {
    const bound = setValue({ name: 'a', value: '1' })
    expect(bound.params).toEqual(['a', '1', '1'])
    expect(bound.expect).toBe(1)
    await store.commit([bound, setValue({ name: 'a', value: '2' }), setValue({ name: 'b', value: '3' })])
    const rows = await store.all(getValues({ names: ['a', 'b', 'c'], limit: 10 }))
    expect(rows.map((row) => [row.name, row.value])).toEqual([
      ['a', '2'],
      ['b', '3'],
    ])
  })

  test('share one text, whatever the values and the length of a list', () => {
    expect(getValues({ names: [], limit: 1 }).sql).toBe(getValues({ names: ['x', 'y'], limit: 2 }).sql)
    expect(setValue({ name: 'a', value: '' }).sql).toBe(setValue({ name: 'b', value: '' }).sql)
  })

  test('a list may be empty or hold quotes', async () => {
    expect(await store.all(getValues({ names: [], limit: 10 }))).toEqual([])
    await store.commit([setValue({ name: `q"'[,]`, value: 'quoted' })])
    expect(await store.all(getValues({ names: [`q"'[,]`], limit: 10 }))).toHaveLength(1)
  })

  test('write constants into the text, so that partial indexes are seen to fit', async () => {
    const constant = query((db) => db.selectFrom('settings').select('value').where('name', '=', 'a'))
    expect(await store.first(constant())).toEqual({ value: '2' })
    expect(constant().params).toEqual([])
    const OPEN = ['created', 'queued', 'claimed', 'running'] as const
    const open = query((db, p: Slots<{ owner: string }>) =>
      db.selectFrom('runs').select('run_id').where('owner', '=', p('owner')).where('status', 'in', OPEN),
    )
    const { sql: text, params } = open({ owner: 'o' })
    expect(params).toEqual(['o'])
    const plan = await store.all<{ readonly detail: string }>({ sql: `explain query plan ${text}`, params })
    expect(plan.map(({ detail }) => detail).join()).toContain('runs_by_status')
  })

  test('a constant may hold quotes and question marks, of which none is taken for a slot', async () => {
    const odd = `it's "really"? ''`
    await store.commit([setValue({ name: 'odd', value: odd })])
    const find = sqlQuery(
      (p: Slots<{ name: string }>) =>
        sql<{ sure: number }>`select value = ${odd} and 'a?' = ${'a?'} as sure from settings where name = ${p('name')}`,
    )
    expect(await store.first(find({ name: 'odd' }))).toEqual({ sure: 1 })
  })

  test.each([
    ['an object', {}],
    ['no number', Number.NaN],
    ['text that ends early', 'a\0b'],
  ])('a constant that is %s is refused', (_what, value) => {
    const failing = sqlQuery(() => sql`select ${value}`)
    expect(() => failing()).toThrow(expect.objectContaining({ code: 'invalid' }))
  })

  test('SQL text computes inside the statement and gives rows back', async () => {
    const append = sqlStatement(
      (p: Slots<{ run_id: string; data: string }>) => sql`
        insert into run_events (run_id, sequence, type, data, source, created_at)
        values (${p('run_id')}, (select coalesce(max(sequence), 0) + 1 from run_events where run_id = ${p('run_id')}),
          'log', ${p('data')}, 'host', 0)
        returning sequence`,
      { expect: 1 },
    )
    const results = await store.commit(['x', 'y', 'z'].map((data) => append({ run_id: 'r', data })))
    expect(results.map((result) => result.rows)).toEqual([[{ sequence: 1 }], [{ sequence: 2 }], [{ sequence: 3 }]])
    const read = sqlQuery(
      (p: Slots<{ run_id: string }>) =>
        sql<{ all_data: string }>`select group_concat(data) as all_data from run_events where run_id = ${p('run_id')}`,
    )
    expect(await store.first(read({ run_id: 'r' }))).toEqual({ all_data: 'x,y,z' })
  })

  test('a value that is missing or of the wrong kind is refused by name', () => {
    const bad: readonly unknown[] = [{ name: 'a' }, { name: 'a', value: true }, { name: 'a', value: ['x'] }]
    for (const values of bad) {
      const failing = () => Reflect.apply(setValue, undefined, [values])
      expect(failing).toThrow(expect.objectContaining({ code: 'invalid' }))
      expect(failing).toThrow(/"value"/)
    }
    expect(() => Reflect.apply(getValues, undefined, [{ names: 'a', limit: 1 }])).toThrow(StoreError)
  })

  test('nothing executes through Kysely', async () => {
    const { builder } = store
    await expect(builder.selectFrom('settings').selectAll().execute()).rejects.toMatchObject({ code: 'invalid' })
    await expect(builder.deleteFrom('settings').execute()).rejects.toMatchObject({ code: 'invalid' })
    const transaction = builder.transaction().execute((trx) => trx.deleteFrom('settings').execute())
    await expect(transaction).rejects.toMatchObject({ code: 'invalid' })
    expect(await store.all(query((db) => db.selectFrom('settings').select('name'))())).not.toEqual([])
  })
})

// Compiled by the type check; what must not compile is marked.
export function types() {
  expectTypeOf(getValues({ names: [], limit: 1 })).toEqualTypeOf<Query<{ name: string; value: string }>>()
  const status = query((db, p: Slots<{ run_id: string }>) =>
    db.selectFrom('runs').select(['status', 'finished_at', 'effect']).where('run_id', '=', p('run_id')),
  )
  expectTypeOf(status({ run_id: '' }).row?.effect).toEqualTypeOf<0 | 1 | undefined>()
  expectTypeOf(status({ run_id: '' }).row?.finished_at).toEqualTypeOf<number | null | undefined>()
  // @ts-expect-error a value is missing
  setValue({ name: 'a' })
  // @ts-expect-error a value is misspelt
  setValue({ name: 'a', valeu: 'b' })
  // @ts-expect-error a value has the wrong type
  status({ run_id: 1 })
  // @ts-expect-error a slot is misspelt
  query((db, p: Slots<{ run_id: string }>) => db.selectFrom('runs').select('id').where('run_id', '=', p('run')))
  // @ts-expect-error a slot has another type than its column
  query((db, p: Slots<{ id: string }>) => db.selectFrom('runs').select('run_id').where('id', '=', p('id')))
  // @ts-expect-error a list needs p.list
  query((db, p: Slots<{ ids: readonly string[] }>) => db.selectFrom('runs').select('id').where('run_id', '=', p('ids')))
  // @ts-expect-error a column is misspelt
  statement((db) => db.updateTable('runs').set({ staus: 'failed' }))
  // @ts-expect-error a value is none of the column's
  statement((db) => db.updateTable('runs').set({ status: 'done' }))
  // @ts-expect-error booleans can't be bound
  statement<{ on: boolean }>((db) => db.updateTable('bots').set({ enabled: 1 }))
}
