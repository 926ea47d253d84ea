import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStore, query, restoreStore, statement } from '../index.ts'
import { Connection } from './connection.ts'

const put = statement<{ name: string; value: string }>((db, p) =>
  db.insertInto('settings').values({ name: p('name'), value: p('value') }),
)
const names = query((db) => db.selectFrom('settings').select('name').orderBy('name'))

let base: string
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'runbound-backup-'))
})
afterEach(() => rm(base, { recursive: true }))

function at(name: string): string {
  return join(base, name)
}

async function fill(folder: string, ...keys: readonly string[]): Promise<void> {
  const store = await openStore({ folder })
  await store.commit(keys.map((name) => put({ name, value: '' })))
  await store.close()
}

async function contents(folder: string): Promise<readonly string[]> {
  const store = await openStore({ folder })
  try {
    return (await store.all(names())).map((row) => row.name)
  } finally {
    await store.close()
  }
}

describe('backup', () => {
  test('copies one moment while units are committed, and reports its progress', async () => {
    const store = await openStore({ folder: at('data') })
    // Each unit writes a pair: a copy of half a unit would hold an odd number.
    const value = 'x'.repeat(2_000)
    let written = 0
    const write = () => store.commit(['a', 'b'].map((side) => put({ name: `${written}-${side}`, value })))
    for (; written < 1_000; written++) await write()
    const steps: [number, number][] = []
    let running = true
    const backup = store
      .backup(at('copy.db'), (done, total) => steps.push([done, total]))
      .finally(() => {
        running = false
      })
    let during = 0
    for (; running; written++, during++) await write()
    await backup
    await store.close()
    expect(during).toBeGreaterThan(0)
    expect(steps.length).toBeGreaterThan(1)
    for (const [done, total] of steps) expect(done).toBeLessThanOrEqual(total)

    const copy = new Connection({ file: at('copy.db'), readOnly: true })
    const count = Number(copy.first({ sql: 'select count(*) as n from settings', params: [] })?.n)
    expect(copy.first({ sql: 'pragma integrity_check', params: [] })).toEqual({ integrity_check: 'ok' })
    copy.close()
    expect(count % 2).toBe(0)
    expect(count).toBeGreaterThanOrEqual(2_000)
    expect(readdirSync(base).sort()).toEqual(['copy.db', 'data'])
  })

  test('of a store in memory can be restored into a folder', async () => {
    const store = await openStore({ folder: ':memory:' })
    await store.commit([put({ name: 'm', value: '' })])
    await store.backup(at('m.db'))
    await store.close()
    await restoreStore(at('m.db'), at('data'))
    expect(await contents(at('data'))).toEqual(['m'])
  })

  test('never overwrites, and leaves nothing where it can not write', async () => {
    const store = await openStore({ folder: at('data') })
    writeFileSync(at('there.db'), 'mine')
    await expect(store.backup(at('there.db'))).rejects.toMatchObject({ code: 'backup' })
    await expect(store.backup(join(at('data'), 'runbound.db'))).rejects.toMatchObject({ code: 'backup' })
    await expect(store.backup(join(base, 'no', 'folder.db'))).rejects.toMatchObject({ code: 'backup' })
    await store.commit([put({ name: 'still', value: '' })])
    await store.close()
    expect(readdirSync(base).sort()).toEqual(['data', 'there.db'])
  })
})

describe('restore', () => {
  async function backupOf(...keys: readonly string[]): Promise<string> {
    const folder = at(`source-${keys.join('-')}`)
    await fill(folder, ...keys)
    const store = await openStore({ folder })
    const file = at(`${keys.join('-')}.db`)
    await store.backup(file)
    await store.close()
    return file
  }

  test('puts the backup in place and keeps what was there', async () => {
    const file = await backupOf('old')
    await fill(at('data'), 'newer')
    const { replaced, schemaVersion } = await restoreStore(file, at('data'))
    expect(schemaVersion).toBeGreaterThan(0)
    expect(await contents(at('data'))).toEqual(['old'])
    // The kept one is a backup like any other.
    await restoreStore(replaced ?? '', at('data'))
    expect(await contents(at('data'))).toEqual(['newer'])
  })

  test('a log that a killed host left behind is kept, and never applied to the new database', async () => {
    const file = await backupOf('old')
    await fill(at('data'), 'first')
    const store = await openStore({ folder: at('data') })
    await store.commit([put({ name: 'only-in-the-log', value: '' })])
    // What the disk holds while the host runs is what a kill leaves.
    await fill(at('killed'), 'x')
    for (const name of ['runbound.db', 'runbound.db-wal']) {
      await copyFile(join(at('data'), name), join(at('killed'), name))
    }
    await store.close()
    const { replaced } = await restoreStore(file, at('killed'))
    expect(await contents(at('killed'))).toEqual(['old'])
    await restoreStore(replaced ?? '', at('killed'))
    expect(await contents(at('killed'))).toEqual(['first', 'only-in-the-log'])
  })

  test('works over a damaged database, whose log is kept with it and never applied to the new one', async () => {
    const file = await backupOf('old')
    await fill(at('data'), 'lost')
    const store = await openStore({ folder: at('data') })
    await store.commit([put({ name: 'in-the-log', value: '' })])
    await copyFile(join(at('data'), 'runbound.db-wal'), at('wal'))
    await store.close()
    writeFileSync(join(at('data'), 'runbound.db'), 'z'.repeat(10_000))
    await copyFile(at('wal'), join(at('data'), 'runbound.db-wal'))
    const { replaced } = await restoreStore(file, at('data'))
    expect(await contents(at('data'))).toEqual(['old'])
    expect(readFileSync(replaced ?? '', 'utf8')).toMatch(/^z+$/)
    expect(readFileSync(`${replaced}-wal`)).toEqual(readFileSync(at('wal')))
  })

  test('refuses a folder in use, and changes nothing', async () => {
    const file = await backupOf('old')
    const store = await openStore({ folder: at('data') })
    await expect(restoreStore(file, at('data'))).rejects.toMatchObject({ code: 'locked' })
    await store.close()
    expect(await contents(at('data'))).toEqual([])
  })

  test.each([
    ['that does not exist', () => {}],
    ['that is none', (file: string) => writeFileSync(file, 'not a database at all'.repeat(100))],
    ['that is empty', (file: string) => writeFileSync(file, '')],
    ['that is cut off', (file: string, good: string) => copyFile(good, file).then(() => truncateSync(file, 100_000))],
  ])('refuses a file %s, and changes nothing', async (_, make) => {
    await make(at('bad.db'), await backupOf('good'))
    await fill(at('data'), 'mine')
    await expect(restoreStore(at('bad.db'), at('data'))).rejects.toMatchObject({ code: 'backup' })
    expect(await contents(at('data'))).toEqual(['mine'])
    expect(readdirSync(at('data')).sort()).toEqual(['runbound.db', 'runbound.lock'])
  })

  test('refuses a database of someone else, or of a newer version', async () => {
    const theirs = new Connection({ file: at('theirs.db') })
    theirs.exec('create table theirs (a)')
    theirs.close()
    await expect(restoreStore(at('theirs.db'), at('data'))).rejects.toMatchObject({ code: 'schema' })
    const file = await backupOf('newer')
    const newer = new Connection({ file })
    newer.exec("insert into migrations select max(id) + 1, 'later', 0, 1, 'x' from migrations")
    newer.close()
    await expect(restoreStore(file, at('data'))).rejects.toMatchObject({ code: 'schema' })
  })
})
