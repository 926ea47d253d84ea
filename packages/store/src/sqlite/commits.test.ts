import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { query, type Slots, StoreError, statement, type Unit } from '../index.ts'
import { shippedMigrations } from './migration-files.ts'
import { openSqlite, type SqliteStore } from './sqlite-store.ts'

const put = statement<{ name: string; value: string }>(
  (db, p) => db.insertInto('settings').values({ name: p('name'), value: p('value') }),
  { expect: 1 },
)
const change = statement<{ name: string; value: string }>(
  (db, p) =>
    db
      .updateTable('settings')
      .set({ value: p('value') })
      .where('name', '=', p('name')),
  { expect: 1 },
)
const names = query((db) => db.selectFrom('settings').select('name').orderBy('name'))
const readValue = query((db, p: Slots<{ name: string }>) =>
  db.selectFrom('settings').select('value').where('name', '=', p('name')),
)

let folder: string
let store: SqliteStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runbound-store-'))
  store = await openSqlite({ folder }, shippedMigrations())
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

async function stored(): Promise<readonly string[]> {
  return (await store.all(names())).map((row) => row.name)
}

async function failure(unit: Unit): Promise<StoreError> {
  const error: unknown = await store.commit(unit).then(
    () => undefined,
    (reason) => reason,
  )
  if (!StoreError.is(error)) throw new Error(`expected a StoreError, got ${error}`)
  return error
}

describe('a unit', () => {
  test('is kept whole', async () => {
    const results = await store.commit([put({ name: 'a', value: '1' }), change({ name: 'a', value: '2' })])
    expect(results.map((result) => result.changes)).toEqual([1, 1])
    expect(await store.first(readValue({ name: 'a' }))).toEqual({ value: '2' })
  })

  test.each([
    ['an unmet row count', change({ name: 'nobody', value: '' })],
    ['a constraint', put({ name: 'first', value: 'again' })],
  ])('is undone whole by %s, which names its statement', async (_, bad) => {
    const error = await failure([put({ name: 'first', value: '1' }), put({ name: 'second', value: '1' }), bad])
    expect(error).toMatchObject({ code: 'refused', statement: 2 })
    expect(await stored()).toEqual([])
  })

  test('that counts rows of RETURNING is refused when none comes back', async () => {
    const taken = statement<{ name: string }>(
      (db, p) =>
        db
          .insertInto('settings')
          .values({ name: p('name'), value: '' })
          .onConflict((oc) => oc.doNothing())
          .returning('name'),
      { expect: 1 },
    )
    expect((await store.commit([taken({ name: 'a' })]))[0]?.rows).toEqual([{ name: 'a' }])
    expect(await failure([put({ name: 'b', value: '' }), taken({ name: 'a' })])).toMatchObject({ statement: 1 })
    expect(await stored()).toEqual(['a'])
  })

  test('with SQL that does not compile is undone, and says so without its values', async () => {
    const error = await failure([put({ name: 'a', value: 's3cret' }), { sql: 'updat x', params: ['s3cret'] }])
    expect(error).toMatchObject({ code: 'invalid', statement: 1 })
    expect(error.message).not.toContain('s3cret')
    expect(await stored()).toEqual([])
  })

  test('with a value that can not be bound is undone', async () => {
    const sql = 'insert into settings values (?, ?)'
    expect(await failure([put({ name: 'a', value: '' }), { sql, params: ['b'] }])).toMatchObject({ statement: 1 })
    expect(await stored()).toEqual([])
  })

  test('may be empty', async () => {
    expect(await store.commit([])).toEqual([])
  })

  test('resolves only when others can see it', async () => {
    await store.commit([put({ name: 'a', value: '1' })])
    expect(await store.slow(names())).toEqual([{ name: 'a' }])
  })
})

describe('units of one tick', () => {
  test('share one commit and give positions in the order of their calls', async () => {
    const append = statement<{ n: number }>(
      (db, p) =>
        db
          .insertInto('trail')
          .values({ workspace_uuid: 'w', event_id: 'e', at: p('n'), step: 's', code: 'c', message: '' })
          .returning(['id', 'at']),
      { expect: 1 },
    )
    const all = await Promise.all(Array.from({ length: 1_000 }, (_, n) => store.commit([append({ n })])))
    const rows = all.map((results) => results[0]?.rows[0])
    expect(rows).toEqual(rows.map((_, n) => ({ id: n + 1, at: n })))
  })

  test('are isolated: whichever are refused, exactly the others are kept', async () => {
    const unit = fc.record({
      size: fc.integer({ min: 0, max: 4 }),
      bad: fc.constantFrom('none', 'count', 'unique', 'sql'),
    })
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { minLength: 1, maxLength: 40 }), async (shapes) => {
        round += 1
        const before = await stored()
        const commits = shapes.map(({ size, bad }, at) => {
          const own = Array.from({ length: size }, (_, n) => `${round}-${at}-${n}`)
          const unit = own.map((name) => put({ name, value: '' }))
          const name = own[0] ?? 'absent'
          if (bad === 'count') unit.push(change({ name: 'absent', value: '' }))
          if (bad === 'unique') unit.push(put({ name, value: '' }), put({ name, value: '' }))
          if (bad === 'sql') unit.push({ sql: 'delete from nowhere', params: [] })
          return { own, bad, done: store.commit(unit) }
        })
        const kept: string[] = []
        for (const { own, bad, done } of commits) {
          if (bad !== 'none') await expect(done).rejects.toMatchObject({ statement: expect.any(Number) })
          else {
            await done
            kept.push(...own)
          }
        }
        expect(await stored()).toEqual([...before, ...kept].sort())
      }),
      { numRuns: 40 },
    )
  })

  test('fail together when a statement ends the transaction, and nothing runs outside of one', async () => {
    const ending = { sql: 'insert or rollback into settings values (?, ?)', params: ['a', ''] }
    const commits = await Promise.allSettled([
      store.commit([put({ name: 'a', value: '' })]),
      store.commit([put({ name: 'b', value: '' }), ending, put({ name: 'c', value: '' })]),
      store.commit([put({ name: 'd', value: '' })]),
    ])
    expect(commits.map((commit) => commit.status === 'rejected' && commit.reason.code)).toEqual([
      'failed',
      'refused',
      'failed',
    ])
    expect(await stored()).toEqual([])
    await store.commit([put({ name: 'later', value: '' })])
    expect(await stored()).toEqual(['later'])
  })

  test('a unit that commits by itself is an error and does not corrupt the order of others', async () => {
    expect(await failure([put({ name: 'a', value: '' }), { sql: 'commit', params: [] }])).toMatchObject({
      code: 'failed',
    })
    await store.commit([put({ name: 'b', value: '' })])
    expect(await stored()).toContain('b')
  })
})

describe('a full disk', () => {
  const blob = 'x'.repeat(200_000)

  function limit(morePages: number): void {
    const pages = store.connection.first({ sql: 'pragma page_count', params: [] })?.page_count
    store.connection.exec(`pragma max_page_count = ${Number(pages) + morePages}`)
  }

  test('rejects every unit of the batch with `full`, keeps what was confirmed, and takes units again after', async () => {
    await store.commit([put({ name: 'before', value: '' })])
    limit(20)
    const small = put({ name: 'small', value: '' })
    const commits = await Promise.allSettled([store.commit([small]), store.commit([put({ name: 'big', value: blob })])])
    expect(commits.map((commit) => commit.status === 'rejected' && commit.reason.code)).toEqual(['full', 'full'])
    expect(await failure([put({ name: 'alone', value: blob })])).toMatchObject({ code: 'full' })
    expect(await stored()).toEqual(['before'])
    await store.commit([small])
    limit(1_000)
    await store.commit([put({ name: 'big', value: blob })])
    expect(await stored()).toEqual(['before', 'big', 'small'])
  })
})

describe.skipIf(!canMount())('a disk that is really full', () => {
  test('confirms nothing that is not kept, and works on when there is room', { timeout: 60_000 }, async () => {
    const disk = join(folder, 'disk')
    mkdirSync(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk])
    try {
      const small = await openSqlite({ folder: join(disk, 'data') }, shippedMigrations())
      const value = 'x'.repeat(20_000)
      const codes = new Set<string>()
      const kept: string[] = []
      for (let n = 0; n < 100; n++) {
        const unit = (name: string) => small.commit([put({ name, value })]).then(() => kept.push(name))
        const outcomes = await Promise.allSettled([unit(`${n}-a`), unit(`${n}-b`), unit(`${n}-c`)])
        for (const outcome of outcomes) if (outcome.status === 'rejected') codes.add(outcome.reason.code)
      }
      expect([...codes]).toEqual(['full'])
      expect(kept.length).toBeGreaterThan(10)
      execFileSync('mount', ['-o', 'remount,size=64m', disk])
      await small.commit([put({ name: 'later', value })])
      expect((await small.all(names())).map((row) => row.name)).toEqual([...kept, 'later'].sort())
      await small.close()
    } finally {
      execFileSync('umount', [disk])
    }
  })
})

/** Needs the superuser and the right to mount, which containers often lack. */
function canMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'runbound-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', probe], { stdio: 'ignore' })
    execFileSync('umount', [probe])
    return true
  } catch {
    return false
  } finally {
    rmdirSync(probe)
  }
}

describe('large numbers', () => {
  test('beyond 2^53 come back as bigint, others as number, from reads and from RETURNING', async () => {
    const large = 2n ** 62n + 1n
    const sql = 'insert into debug_keys values (?, ?, ?, ?, null) returning created_at, expires_at'
    const [result] = await store.commit([{ sql, params: ['k', 'w', large, 7] }])
    expect(result?.rows).toEqual([{ created_at: large, expires_at: 7 }])
    const read = { sql: 'select created_at, expires_at from debug_keys', params: [] }
    expect(await store.all(read)).toEqual([{ created_at: large, expires_at: 7 }])
    expect(await store.first(read)).toEqual({ created_at: large, expires_at: 7 })
    expect(await store.slow(read)).toEqual([{ created_at: large, expires_at: 7 }])
    expect(await store.all({ sql: 'select 5 as five', params: [] })).toEqual([{ five: 5 }])
  })
})

describe('closing', () => {
  test('commits what waits and refuses what comes after', async () => {
    const waiting = Array.from({ length: 600 }, (_, n) => store.commit([put({ name: String(n), value: '' })]))
    await store.close()
    await Promise.all(waiting)
    await expect(store.commit([put({ name: 'late', value: '' })])).rejects.toMatchObject({ code: 'closed' })
    await expect(store.all(names())).rejects.toMatchObject({ code: 'closed' })
    await expect(store.slow(names())).rejects.toMatchObject({ code: 'closed' })
    expect(existsSync(join(folder, 'runbound.db-wal'))).toBe(false)
    store = await openSqlite({ folder }, shippedMigrations())
    expect(await stored()).toHaveLength(600)
  })
})
