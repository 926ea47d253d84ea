/** Brings a database to this version's schema: forward only, all steps or none, counted before and after. */
import { existsSync } from 'node:fs'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreError } from '../error.ts'
import { Connection } from './connection.ts'
import { storeError } from './engine-error.ts'
import { duplicate, keep, removeDatabase, replace } from './files.ts'
import type { FolderFiles } from './folder.ts'
import type { Migration } from './migration-files.ts'

const RECORD = `create table if not exists migrations (
  id integer primary key,
  name text not null,
  applied_at integer not null,
  breaking integer not null,
  digest text not null
) strict`

interface Applied {
  readonly id: number
  readonly name: string
  readonly breaking: boolean
  readonly digest: string
}

/** The newest migration that a database has, 0 for an empty one. */
export function schemaVersion(connection: Connection): number {
  return appliedMigrations(connection).at(-1)?.id ?? 0
}

/**
 * What is still to do. Throws StoreError `schema` when the database is none of ours, was changed by a newer version in a
 * way that this one can't work with, or has a migration whose text has changed since.
 */
export function pendingMigrations(connection: Connection, known: readonly Migration[]): readonly Migration[] {
  const applied = appliedMigrations(connection)
  for (const [index, { id, name, breaking, digest }] of applied.entries()) {
    const mine = known[index]
    if (id !== index + 1) throw new StoreError('schema', `the database lacks migration ${index + 1}: restore a backup`)
    if (mine === undefined) {
      if (!breaking) continue
      const message = `the database was migrated by a newer version (${id} "${name}"), which this one can't work with: start that version, or restore a backup that was made before`
      throw new StoreError('schema', message)
    }
    if (mine.digest !== digest) {
      const message = `migration ${id} "${name}" was applied with another text than this version has: start the version that applied it, or restore a backup`
      throw new StoreError('schema', message)
    }
  }
  return known.slice(applied.length)
}

/** Applies the steps, one transaction each. Throws StoreError `migration`; the caller drops what it was applied to. */
export function applyMigrations(connection: Connection, steps: readonly Migration[], now: number): void {
  for (const step of steps) {
    const doing = `migration ${step.id} "${step.name}"`
    const before = rowCounts(connection)
    // Rebuilding a table drops it, which would delete what refers to it; the check below makes up for it.
    connection.exec('pragma foreign_keys = off')
    try {
      connection.exec('begin immediate')
      connection.exec(RECORD)
      connection.exec(step.sql)
      if (!connection.inTransaction) throw new StoreError('migration', 'it must not begin or end a transaction')
      const params = [step.id, step.name, now, step.breaking ? 1 : 0, step.digest]
      connection.write({ sql: 'insert into migrations values (?, ?, ?, ?, ?)', params })
      compareCounts(before, rowCounts(connection), step)
      const orphan = connection.first({ sql: 'pragma foreign_key_check', params: [] })
      if (orphan !== undefined) throw new StoreError('migration', `rows of ${orphan.table} refer to missing ones`)
      connection.exec('commit')
    } catch (error) {
      if (connection.inTransaction) connection.exec('rollback')
      const cause = storeError(error, doing)
      const code = cause.code === 'full' ? 'full' : 'migration'
      throw new StoreError(code, `${doing} failed and nothing was changed: ${cause.message}`, { cause: error })
    } finally {
      connection.exec('pragma foreign_keys = on')
    }
  }
}

/**
 * Migrates the folder's database, if there is anything to do. Works on a copy, which takes the original's place at the
 * end: a failure or a crash leaves the original as it was, byte for byte. Returns the kept original, if there was one.
 */
export async function migrateFolder(
  files: FolderFiles,
  known: readonly Migration[],
  onBackup: ((file: string) => void) | undefined,
): Promise<string | undefined> {
  const existing = existsSync(files.database)
  await removeDatabase(files.migrating)
  const version = existing ? versionToMigrate(files, known) : 0
  if (version === undefined) return undefined
  let kept: string | undefined
  try {
    if (existing) await duplicate(files.database, files.migrating)
    const copy = new Connection({ file: files.migrating })
    try {
      applyMigrations(copy, pendingMigrations(copy, known), Date.now())
    } finally {
      copy.close()
    }
    if (existing) kept = await keepOriginal(files, version)
    if (kept !== undefined) onBackup?.(kept)
    // It holds secrets and password hashes; the log takes its permissions over.
    await chmod(files.migrating, 0o600)
    await replace(files.migrating, files.database)
    return kept
  } catch (error) {
    await removeDatabase(files.migrating)
    // Still the same file as the original, under a second name.
    if (kept !== undefined) await rm(kept)
    throw storeError(error, 'migrating the database')
  }
}

/** The version of a database that has steps before it, undefined if it has none. Leaves everything in its main file. */
function versionToMigrate(files: FolderFiles, known: readonly Migration[]): number | undefined {
  const original = new Connection({ file: files.database })
  let version: number
  try {
    if (pendingMigrations(original, known).length === 0) return undefined
    version = schemaVersion(original)
    original.exec('pragma wal_checkpoint(truncate)')
  } finally {
    original.close()
  }
  if (existsSync(`${files.database}-wal`)) {
    throw new StoreError('locked', `another program has ${files.database} open: close it and start again`)
  }
  return version
}

async function keepOriginal(files: FolderFiles, version: number): Promise<string> {
  await mkdir(files.backups, { recursive: true, mode: 0o700 })
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const kept = join(files.backups, `schema-${version}-${stamp}.db`)
  keep(files.database, kept)
  return kept
}

function appliedMigrations(connection: Connection): readonly Applied[] {
  const tables = connection.all({ sql: "select name from sqlite_schema where type = 'table'", params: [] })
  if (tables.length === 0) return []
  if (!tables.some(({ name }) => name === 'migrations')) {
    throw new StoreError('schema', 'the database is none of Runbound: choose another data folder')
  }
  const rows = connection.all({ sql: 'select id, name, breaking, digest from migrations order by id', params: [] })
  return rows.map(({ id, name, breaking, digest }) => ({
    id: Number(id),
    name: String(name),
    breaking: breaking !== 0,
    digest: String(digest),
  }))
}

/** Rows of every ordinary table; those that FTS keeps for itself are left out. */
export function rowCounts(connection: Connection): ReadonlyMap<string, number> {
  const tables = connection.all({ sql: TABLES, params: [] })
  return new Map(
    tables.map(({ name }) => {
      const count = connection.first({ sql: `select count(*) as n from "${name}"`, params: [] })
      return [String(name), Number(count?.n)]
    }),
  )
}
export const TABLES =
  "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\' and name <> 'migrations' order by name"

function compareCounts(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>, step: Migration): void {
  for (const [table, count] of before) {
    const now = after.get(table)
    if (now === count || step.rows.includes(table)) continue
    const found = now === undefined ? 'the table is gone' : `${now} are left`
    throw new StoreError(
      'migration',
      `table ${table} had ${count} rows and ${found}; a migration that means to do that says "--! rows: ${table}"`,
    )
  }
}
