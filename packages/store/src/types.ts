/** The contract of the store: units in, rows out. Rooms know this file and the table types, never an engine. */
import type { Compilable, Kysely } from 'kysely'
import type { Tables } from './schema/index.ts'

export type SqlValue = null | number | bigint | string | Uint8Array

/** Builds statements of the host's schema; never executes. */
export type Builder = Kysely<Tables>

/** One write with everything bound. Made by {@link import('./statement.ts').statement}. */
export interface Statement {
  readonly sql: string
  readonly params: readonly SqlValue[]
  /** Rows that must change (or come back by RETURNING). Another count undoes the unit. Absent: any. */
  readonly expect?: number
}

/** A list of statements that hold together: all or none (DESIGN §4). Ids are made by the caller; there is no await inside. */
export type Unit = readonly Statement[]

export interface StatementResult {
  /** Rows that the statement changed. */
  readonly changes: number
  /** Rows of RETURNING; empty otherwise. */
  readonly rows: readonly Row[]
}
export type Row = Readonly<Record<string, SqlValue>>

/** One bound read; `Row` is the shape of its rows. */
export interface Query<R> {
  readonly sql: string
  readonly params: readonly SqlValue[]
  /** Never set: carries the row type. */
  readonly row?: R
}

export interface Store {
  /** For building statements and queries with {@link import('./statement.ts').statement} and `query`. */
  readonly builder: Builder
  /**
   * Writes a unit. Units of one tick share one commit, each in its own savepoint; resolves after the commit.
   * Rejects with StoreError `refused` (a row count was not met: only this unit is undone; `statement` is its index),
   * `full` (disk full), `failed` (the engine ended the transaction: every unit of the batch fails), `closed`.
   */
  commit(unit: Unit): Promise<readonly StatementResult[]>
  /** Indexed point reads on the main thread. */
  all<R>(query: Query<R>): Promise<readonly R[]>
  first<R>(query: Query<R>): Promise<R | undefined>
  /** Search, exports, retention look-ups: on a reader thread, so that they never hold a message up. */
  slow<R>(query: Query<R>): Promise<readonly R[]>
  /** Copies the whole database to a file while it is in use. Progress in pages. */
  backup(file: string, progress?: (done: number, total: number) => void): Promise<void>
  /** `PRAGMA integrity_check`, schema version, sizes: for `doctor`. */
  inspect(): Promise<StoreFacts>
  close(): Promise<void>
}

export interface StoreFacts {
  readonly engine: 'sqlite'
  readonly file: string
  readonly schemaVersion: number
  readonly integrity: 'ok' | string
  readonly bytes: number
  readonly rows: Readonly<Record<string, number>>
}

export interface OpenOptions {
  /** The data folder; `:memory:` keeps everything in memory (tests, the author's kit). */
  readonly folder: string
  /** `normal` (default): safe against a killed process. `full`: also against lost power. */
  readonly synchronous?: 'normal' | 'full'
  /** Called before migrations change an existing database; gets the path of the copy made for safety. */
  readonly onBackup?: (file: string) => void
}

export type { Compilable }
