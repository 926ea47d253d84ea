/** The store over SQLite: one connection for writes and point reads, one thread for the rest. */
import { statSync } from 'node:fs'
import { StoreError } from '../error.ts'
import { builder } from '../statement.ts'
import type { OpenOptions, Query, Row, Store, StoreFacts, Unit } from '../types.ts'
import { backupDatabase, backupMemory } from './backup.ts'
import { Checkpoints } from './checkpoints.ts'
import { CommitQueue } from './commits.ts'
import { Connection } from './connection.ts'
import { type FolderFiles, type FolderLock, folderFiles, lockFolder, prepareFolder } from './folder.ts'
import { applyMigrations, migrateFolder, pendingMigrations, TABLES } from './migrate.ts'
import { type Migration, shippedMigrations } from './migration-files.ts'
import { Reader } from './reader.ts'

const MEMORY = ':memory:'

interface Parts {
  readonly connection: Connection
  /** Absent in memory. */
  readonly files?: FolderFiles
  readonly lock?: FolderLock
  readonly synchronous?: 'normal' | 'full'
}

/** Opens a store with the given migrations; `openStore` gives it those that ship with this version. */
export async function openSqlite(options: OpenOptions, migrations: readonly Migration[]): Promise<SqliteStore> {
  const { folder, synchronous } = options
  if (folder === MEMORY) {
    const connection = new Connection({ file: MEMORY })
    applyMigrations(connection, pendingMigrations(connection, migrations), Date.now())
    return new SqliteStore({ connection })
  }
  prepareFolder(folder)
  const files = folderFiles(folder)
  const lock = lockFolder(files)
  try {
    await migrateFolder(files, migrations, options.onBackup)
    return new SqliteStore({
      connection: new Connection({ file: files.database, synchronous }),
      files,
      lock,
      synchronous,
    })
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Opens the store of a data folder, which belongs to this process until `close`: makes it if it is not there, migrates it
 * if it is older. `:memory:` keeps everything in memory, where `slow` runs on the main thread: for tests.
 * Throws StoreError `folder`, `locked`, `schema`, `migration`, `full`, `failed`, each with what to do.
 */
export function openStore(options: OpenOptions): Promise<Store> {
  return openSqlite(options, shippedMigrations())
}

export class SqliteStore implements Store {
  readonly builder = builder
  /** For tests of this package: the rooms go through the methods. */
  readonly connection: Connection
  readonly #parts: Parts
  readonly #commits: CommitQueue
  readonly #reader: Reader | undefined = undefined
  #closed = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.connection = parts.connection
    this.#commits = new CommitQueue(parts.connection)
    if (parts.files === undefined) return
    this.#reader = new Reader(parts.files.database)
    const checkpoints = new Checkpoints(this.#commits, this.#reader, parts.synchronous ?? 'normal')
    this.#commits.onCommitted((statements) => checkpoints.committed(statements))
  }

  commit(unit: Unit) {
    return this.#commits.commit(unit)
  }

  async all<R>(query: Query<R>): Promise<readonly R[]> {
    this.#mustBeOpen()
    return rowsOf(query, this.connection.all(query))
  }

  async first<R>(query: Query<R>): Promise<R | undefined> {
    this.#mustBeOpen()
    const row = this.connection.first(query)
    return row === undefined ? undefined : rowsOf(query, [row])[0]
  }

  async slow<R>(query: Query<R>): Promise<readonly R[]> {
    this.#mustBeOpen()
    return rowsOf(query, await (this.#reader ?? this.connection).all(query))
  }

  async backup(file: string, progress?: (done: number, total: number) => void): Promise<void> {
    this.#mustBeOpen()
    const { files, connection } = this.#parts
    if (files === undefined) await backupMemory(connection.db, file)
    else await backupDatabase(files.database, file, progress)
  }

  async inspect(): Promise<StoreFacts> {
    const tables = await this.slow<{ name: string }>({ sql: TABLES, params: [] })
    const rows: Record<string, number> = {}
    for (const { name } of tables) {
      const [count] = await this.slow<{ n: number }>({ sql: `select count(*) as n from "${name}"`, params: [] })
      rows[name] = count?.n ?? 0
    }
    const findings = await this.slow<{ integrity_check: string }>({ sql: 'pragma integrity_check(10)', params: [] })
    const version = await this.slow<{ id: number }>({ sql: 'select max(id) as id from migrations', params: [] })
    const file = this.#parts.files?.database ?? MEMORY
    return {
      engine: 'sqlite',
      file,
      schemaVersion: version[0]?.id ?? 0,
      integrity: findings.map((finding) => finding.integrity_check).join('; '),
      bytes: file === MEMORY ? await this.#memoryBytes() : sizeOf(file) + sizeOf(`${file}-wal`),
      rows,
    }
  }

  /** Commits what waits, ends the reader thread, gives the folder free. A second call does nothing. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#commits.close()
    // The reader goes first: the last connection to close brings the log into the main file.
    await this.#reader?.close()
    this.connection.close()
    this.#parts.lock?.release()
  }

  async #memoryBytes(): Promise<number> {
    const sql = 'select page_count * page_size as bytes from pragma_page_count, pragma_page_size'
    return (await this.first<{ bytes: number }>({ sql, params: [] }))?.bytes ?? 0
  }

  #mustBeOpen(): void {
    if (this.#closed) throw new StoreError('closed', 'the store is closed')
  }
}

/** The edge where rows of the engine get the type that Kysely inferred for the query. */
function rowsOf<R>(_query: Query<R>, rows: readonly Row[]): readonly R[] {
  return rows as unknown as readonly R[]
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
