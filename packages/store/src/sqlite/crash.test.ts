import { spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStore, query, statement } from '../index.ts'
import { Connection } from './connection.ts'
import { migration } from './migration-files.ts'
import { openSqlite } from './sqlite-store.ts'

const CHILD = fileURLToPath(new URL('./crash.child.ts', import.meta.url))
const names = query((db) => db.selectFrom('settings').select('name'))
const put = statement<{ name: string }>((db, p) =>
  db.insertInto('settings').values({ name: p('name'), value: 'x'.repeat(500) }),
)

let base: string
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'runbound-crash-'))
})
afterEach(() => rm(base, { recursive: true }))

/** Runs a child, kills it some time after its first line, and gives the lines that it had written to its log. */
async function killed(milliseconds: number, ...args: readonly string[]): Promise<readonly string[]> {
  const file = join(base, 'child.log')
  const log = openSync(file, 'w')
  const child = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', log, 'inherit'] })
  closeSync(log)
  const exited = new Promise((resolve) => child.once('exit', resolve))
  while (child.exitCode === null && readFileSync(file).length === 0) await wait(2)
  await wait(milliseconds)
  child.kill('SIGKILL')
  await exited
  if (child.signalCode !== 'SIGKILL') expect(child.exitCode).toBe(0)
  return readFileSync(file, 'utf8').split('\n').slice(0, -1)
}

/** What the folder holds when a host has started on it, after the check that it is whole. */
async function stored(folder: string): Promise<readonly string[]> {
  const store = await openStore({ folder })
  try {
    const findings = await store.all({ sql: 'pragma integrity_check', params: [] })
    expect(findings).toEqual([{ integrity_check: 'ok' }])
    return (await store.all(names())).map((row) => row.name)
  } finally {
    await store.close()
  }
}

async function fill(folder: string, marker: string): Promise<void> {
  const store = await openStore({ folder })
  await store.commit(Array.from({ length: 2_000 }, (_, n) => put({ name: `${marker}-${n}` })))
  await store.close()
}

describe('kill -9', () => {
  test('amid commits: every confirmed unit is there, and none is there by half', { timeout: 240_000 }, async () => {
    const folder = join(base, 'data')
    const confirmed: string[] = []
    for (let round = 0; round < 20; round++) {
      confirmed.push(...(await killed((round * 37) % 100, 'commit', folder, `r${round}`)))
      const units = new Map<string, number>()
      for (const name of await stored(folder)) {
        const unit = name.slice(0, name.lastIndexOf('-'))
        units.set(unit, (units.get(unit) ?? 0) + 1)
      }
      expect([...units].filter(([, parts]) => parts !== 3)).toEqual([])
      expect(confirmed.filter((unit) => !units.has(unit))).toEqual([])
    }
    expect(confirmed.length).toBeGreaterThan(200)
  })

  test('[D117] amid backups: what has the name of a backup is whole', { timeout: 120_000 }, async () => {
    const folder = join(base, 'data')
    const backups = join(base, 'backups')
    await mkdir(backups)
    await fill(folder, 'a')
    for (let round = 0; round < 4; round++) {
      await killed(round * 13, 'backup', folder, backups)
      const files = readdirSync(backups).filter((name) => name.endsWith('.db'))
      expect(files.length).toBeGreaterThan(0)
      for (const name of files) {
        const copy = new Connection({ file: join(backups, name), readOnly: true })
        expect(copy.first({ sql: 'pragma integrity_check', params: [] })).toEqual({ integrity_check: 'ok' })
        expect(copy.first({ sql: 'select count(*) as n from settings', params: [] })).toEqual({ n: 2_000 })
        copy.close()
      }
      for (const name of files) await rm(join(backups, name))
    }
  })

  test('[D117] amid restores: the folder holds one of the two whole', { timeout: 120_000 }, async () => {
    const backups: string[] = []
    for (const marker of ['a', 'b']) {
      await fill(join(base, marker), marker)
      const store = await openStore({ folder: join(base, marker) })
      backups.push(join(base, `${marker}.db`))
      await store.backup(join(base, `${marker}.db`))
      await store.close()
    }
    const seen = new Set<string>()
    for (let round = 0; round < 5; round++) {
      await killed((round * 11) % 50, 'restore', join(base, 'data'), ...backups)
      const found = await stored(join(base, 'data'))
      expect(found).toHaveLength(2_000)
      const markers = new Set(found.map((name) => name[0] ?? ''))
      expect(markers.size).toBe(1)
      for (const marker of markers) seen.add(marker)
    }
    expect(seen.size).toBeGreaterThan(0)
  })

  test('[D117] amid a migration: the folder holds the old schema or the new, with all rows', {
    timeout: 120_000,
  }, async () => {
    const first = `create table people (id integer primary key, name text) strict;
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
      insert into people (name) select 'person ' || i from n;`
    const second = `alter table people add column nick text;
      update people set nick = upper(name); create index people_by_nick on people (nick);`
    const known = [migration(1, 'initial', first), migration(2, 'more', second)]
    const versions: number[] = []
    for (let round = 0; round < 6; round++) {
      const folder = join(base, String(round))
      await (await openSqlite({ folder }, known.slice(0, 1))).close()
      await killed(round * 25, 'migrate', folder, first, second)
      // An old version can open both: the second step only adds.
      const store = await openSqlite({ folder }, known.slice(0, 1))
      const facts = await store.inspect()
      expect(facts).toMatchObject({ integrity: 'ok', rows: { people: 20_000 } })
      versions.push(facts.schemaVersion)
      await store.close()
      await (await openSqlite({ folder }, known)).close()
    }
    expect(versions.every((version) => version === 1 || version === 2)).toBe(true)
  })
})
