/** The numbered migrations that ship with this version: `0001-initial.sql`, `0002-...sql`, ... */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { StoreError } from '../error.ts'

/** One step of the schema. Never edited once released: its digest is recorded where it was applied. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly sql: string
  /** Older hosts can't work with the schema after it (header `--! breaking`). */
  readonly breaking: boolean
  /** Tables whose number of rows it may change, or that it removes (header `--! rows: outbox, trail`). */
  readonly rows: readonly string[]
  readonly digest: string
}

const FOLDER = new URL('../migrations/', import.meta.url)
const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/

/** Reads the migrations in order. Throws StoreError `migration` for a wrong name, a gap or an unknown header. */
export function shippedMigrations(folder: URL = FOLDER): readonly Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  return names.map((name, index) => {
    const match = FILE_NAME.exec(name)
    if (match === null) throw new StoreError('migration', `${name}: a migration is called like 0002-add-labels.sql`)
    if (Number(match[1]) !== index + 1) throw new StoreError('migration', `${name}: number ${index + 1} is missing`)
    return migration(index + 1, match[2] ?? '', readFileSync(new URL(name, folder), 'utf8'))
  })
}

/** A migration from its text; header lines start with `--!`. */
export function migration(id: number, name: string, text: string): Migration {
  // Line ends are git's business: they must not change the digest.
  const sql = text.replaceAll('\r\n', '\n')
  let breaking = false
  let rows: readonly string[] = []
  for (const line of sql.split('\n')) {
    if (!line.startsWith('--!')) continue
    const header = line.slice(3).trim()
    if (header === 'breaking') breaking = true
    else if (header.startsWith('rows:'))
      rows = header
        .slice(5)
        .split(',')
        .map((table) => table.trim())
    else throw new StoreError('migration', `migration ${id} (${name}): unknown header "${line}"`)
  }
  return { id, name, sql, breaking, rows, digest: createHash('sha256').update(sql).digest('hex') }
}
