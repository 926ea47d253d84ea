import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { dumpSchema } from '../sqlite/dump.ts'
import { shippedMigrations } from '../sqlite/migration-files.ts'
import { openSqlite } from '../sqlite/sqlite-store.ts'
import type { Columns } from './column.ts'
import { declaredTables } from './index.ts'

const store = await openSqlite({ folder: ':memory:' }, shippedMigrations())
afterAll(() => store.close())
const declared: Readonly<Record<string, Columns>> = declaredTables

const tables = store.connection
  .all({
    sql: "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite%'",
    params: [],
  })
  .map((row) => String(row.name))
  .filter((name) => name !== 'migrations')

describe('the declared tables', () => {
  test('are those of the migrated database', () => {
    expect(Object.keys(declared).sort()).toEqual(tables.sort())
  })

  test.each(tables)('%s has the declared columns', (table) => {
    const rows = store.connection.all({ sql: 'select * from pragma_table_info(?)', params: [table] })
    const columns = rows.map((row) => ({
      name: row.name,
      type: String(row.type).toLowerCase(),
      nullable: row.notnull === 0 && row.pk === 0,
      filled: row.dflt_value !== null || (row.pk === 1 && row.type === 'INTEGER' && row.notnull === 0),
    }))
    const expected = Object.entries(declared[table] ?? {}).map(([name, { type, nullable, filled }]) => ({
      name,
      type,
      nullable,
      filled,
    }))
    expect(columns).toEqual(expected)
  })

  test.each(tables)('%s lets in the declared values', (table) => {
    const found = store.connection.first({ sql: 'select sql from sqlite_schema where name = ?', params: [table] })
    const checks = new Map(
      [...String(found?.sql).matchAll(/check \((\w+) in \(([^)]*)\)\)/g)].map(([, column, list]) => [
        column,
        list?.split(',').map((value) => value.trim().replaceAll("'", '')),
      ]),
    )
    const expected = Object.entries(declared[table] ?? {}).filter(([, { values }]) => values !== undefined)
    expect(Object.fromEntries(checks)).toEqual(Object.fromEntries(expected.map(([name, { values }]) => [name, values])))
  })
})

test('the schema is the pinned one (`node packages/store/src/dump-schema.ts` writes it anew)', () => {
  expect(dumpSchema(store.connection)).toBe(readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8'))
})
