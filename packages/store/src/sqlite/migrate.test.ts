import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Connection } from './connection.ts'
import { type Migration, migration, shippedMigrations } from './migration-files.ts'
import { openSqlite } from './sqlite-store.ts'

const V1 = migration(1, 'initial', 'create table people (id integer primary key, name text not null) strict;')
const V2 = migration(2, 'nick', 'alter table people add column nick text;')
const V3 = migration(
  3,
  'rebuild',
  '--! breaking\ncreate table people2 (id integer primary key, name text not null) strict;',
)
const LOSES_ROWS = 'delete from people where id = 1;'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runbound-migrate-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Opens and closes; gives the copies that were reported. */
async function migrate(...known: readonly Migration[]): Promise<readonly string[]> {
  const copies: string[] = []
  const store = await openSqlite({ folder, onBackup: (file) => copies.push(file) }, known)
  await store.close()
  return copies
}

function inside<T>(file: string, work: (connection: Connection) => T): T {
  const connection = new Connection({ file })
  try {
    return work(connection)
  } finally {
    connection.close()
  }
}

async function withPeople(...people: readonly string[]): Promise<void> {
  await migrate(V1)
  inside(database(), (connection) => {
    for (const name of people) connection.write({ sql: 'insert into people (name) values (?)', params: [name] })
  })
}

function database(): string {
  return join(folder, 'runbound.db')
}

function columns(file: string): readonly unknown[] {
  const query = { sql: "select name from pragma_table_info('people')", params: [] }
  return inside(file, (connection) => connection.all(query).map((row) => row.name))
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

describe('migrations', () => {
  test('make a new database without a copy, readable by its owner alone', async () => {
    expect(await migrate(V1, V2)).toEqual([])
    expect(columns(database())).toEqual(['id', 'name', 'nick'])
    expect((await stat(database())).mode & 0o077).toBe(0)
  })

  test('[D113] bring an older database forward, keep its rows and a copy of what was', async () => {
    await withPeople('Ann', 'Bo')
    const copies = await migrate(V1, V2)
    expect(copies).toHaveLength(1)
    expect(columns(database())).toEqual(['id', 'name', 'nick'])
    expect(columns(copies[0] ?? '')).toEqual(['id', 'name'])
    const count = { sql: 'select count(*) as n from people', params: [] }
    for (const file of [database(), copies[0] ?? '']) {
      expect(inside(file, (connection) => connection.first(count))).toEqual({ n: 2 })
    }
    expect(await migrate(V1, V2)).toEqual([])
  })

  test.each([
    ['a statement that fails', 'insert into nowhere values (1);', /nowhere/],
    ['rows that vanish', LOSES_ROWS, /table people had 2 rows and 1 are left.*--! rows: people/],
    ['a table that vanishes', 'drop table people;', /the table is gone/],
    [
      'a reference to nothing',
      'create table pets (owner integer references people (id)); insert into pets values (9);',
      /pets/,
    ],
    ['a transaction of its own', 'commit; create table x (a);', /must not begin or end/],
  ])('[D112] [D113] leave the database byte for byte as it was after %s', async (_, sql, message) => {
    await withPeople('Ann', 'Bo')
    const before = digestOf(database())
    const failing = migrate(V1, V2, migration(3, 'bad', sql))
    await expect(failing).rejects.toMatchObject({ code: 'migration', message: expect.stringMatching(message) })
    expect(digestOf(database())).toBe(before)
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['runbound.db', 'runbound.lock'])
    // The control: the version that was there before goes on as if nothing had been.
    expect(await migrate(V1)).toEqual([])
  })

  test('a failing copy report undoes everything too', async () => {
    await withPeople('Ann')
    const before = digestOf(database())
    const onBackup = () => {
      throw new Error('no')
    }
    await expect(openSqlite({ folder, onBackup }, [V1, V2])).rejects.toThrow('no')
    expect(digestOf(database())).toBe(before)
    expect(readdirSync(join(folder, 'backups'))).toEqual([])
  })

  test('may change the number of rows where they say so, and rebuild a table that others refer to', async () => {
    const base = migration(
      1,
      'initial',
      `create table people (id integer primary key, name text not null) strict;
       create table pets (owner integer not null references people (id) on delete cascade);
       insert into people values (1, 'Ann'), (2, 'Bo'); insert into pets values (2);`,
    )
    await migrate(base)
    const rebuild = `--! rows: people, people_old
      alter table people rename to people_old;
      create table people (id integer primary key, name text not null, nick text) strict;
      insert into people select id, name, null from people_old where id > 1;
      drop table people_old;
      alter table pets rename to pets_old;
      create table pets (owner integer not null references people (id) on delete cascade);
      insert into pets select owner from pets_old;
      drop table pets_old;`
    await migrate(base, migration(2, 'rebuild', rebuild))
    const rows = (table: string) => inside(database(), (c) => c.all({ sql: `select * from ${table}`, params: [] }))
    expect(rows('people')).toEqual([{ id: 2, name: 'Bo', nick: null }])
    expect(rows('pets')).toEqual([{ owner: 2 }])
  })

  test('an older version works on after an addition, and refuses after a breaking change', async () => {
    await migrate(V1, V2)
    expect(await migrate(V1)).toEqual([])
    await migrate(V1, V2, V3)
    await expect(migrate(V1)).rejects.toMatchObject({
      code: 'schema',
      message: expect.stringMatching(/newer version.*"rebuild"/),
    })
    expect(await migrate(V1, V2, V3)).toEqual([])
  })

  test('a step whose text has changed since is refused; line ends do not count', async () => {
    await migrate(V1, migration(2, 'nick', '-- a\nalter table people add column nick text;'))
    expect(await migrate(V1, migration(2, 'nick', '-- a\r\nalter table people add column nick text;'))).toEqual([])
    await expect(migrate(V1, migration(2, 'nick', '-- b'))).rejects.toMatchObject({ code: 'schema' })
  })

  test('a database of someone else is left alone', async () => {
    inside(database(), (connection) => connection.exec('create table theirs (a)'))
    await expect(migrate(V1)).rejects.toMatchObject({
      code: 'schema',
      message: expect.stringContaining('none of Runbound'),
    })
  })

  test('what is no database says so', async () => {
    const { writeFileSync } = await import('node:fs')
    writeFileSync(database(), 'x'.repeat(5_000))
    await expect(migrate(V1)).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('restore a backup'),
    })
    expect(existsSync(join(folder, 'runbound.lock.owner'))).toBe(false)
  })

  test('a work copy that a crash left behind is not used', async () => {
    await withPeople('Ann')
    inside(join(folder, 'runbound.db.migrating'), (connection) => connection.exec('create table half (a)'))
    await migrate(V1, V2)
    expect(columns(database())).toEqual(['id', 'name', 'nick'])
    expect(existsSync(join(folder, 'runbound.db.migrating'))).toBe(false)
  })

  test('the shipped ones are numbered without holes, and unknown headers are refused', () => {
    expect(shippedMigrations().map((step) => step.id)).toEqual(shippedMigrations().map((_, index) => index + 1))
    expect(() => migration(2, 'x', '--! braking\nselect 1;')).toThrow(/unknown header/)
  })
})
