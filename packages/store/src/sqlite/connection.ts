/** One connection to the database: settings, a bounded cache of prepared statements, and running them. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { StoreError } from '../error.ts'
import type { Query, Row, SqlValue, Statement, StatementResult } from '../types.ts'
import { isOutOfRange, storeError } from './engine-error.ts'

/** Prepared statements kept per connection; more texts than that means that somebody builds SQL from values. */
const PREPARED_MAX = 512
/** How long a write waits for a foreign program that holds the database. It blocks the thread, hence short. */
const BUSY_MS = 2_000
const CACHE_KIB = 16_384
/**
 * The reader thread checkpoints early and often (checkpoints.ts); past this many pages a commit does it itself, which also
 * ends a log that the thread can't catch up with under steady load.
 */
const WAL_PAGES_MAX = 8_000
/** A checkpoint leaves at most this much of the log on the disk. */
const WAL_KEPT_BYTES = 64 * 1024 * 1024

interface Prepared {
  readonly handle: StatementSync
  /** It gives rows: a read, or a write with RETURNING. */
  readonly returns: boolean
  /** How its integers are read now; set only when that changes. */
  bigInts: boolean
}

export interface ConnectionOptions {
  /** A file, or `:memory:`. */
  readonly file: string
  readonly readOnly?: boolean
  readonly synchronous?: 'normal' | 'full'
}

/** Opens the file. Throws StoreError: `failed` (damaged, not a database), `locked`, `full`. */
export class Connection {
  readonly db: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()

  constructor(options: ConnectionOptions) {
    const { file, readOnly = false, synchronous = 'normal' } = options
    try {
      this.db = new DatabaseSync(file, { readOnly, timeout: BUSY_MS, enableForeignKeyConstraints: true })
    } catch (error) {
      throw storeError(error, `opening ${file}`)
    }
    try {
      if (!readOnly) {
        this.db.exec('pragma journal_mode = wal')
        this.db.exec(`pragma synchronous = ${synchronous === 'full' ? 'full' : 'normal'}`)
        this.db.exec(`pragma wal_autocheckpoint = ${WAL_PAGES_MAX}`)
        this.db.exec(`pragma journal_size_limit = ${WAL_KEPT_BYTES}`)
      }
      // No mmap: reads outside the cache would gain a fifth, but an I/O error of a mapped file is a signal that kills the host.
      this.db.exec(`pragma cache_size = -${CACHE_KIB}; pragma temp_store = memory`)
      // The file is read for the first time here: what is not a database says so now.
      this.db.prepare('select count(*) from sqlite_schema').get()
    } catch (error) {
      this.db.close()
      throw storeError(error, `opening ${file}`)
    }
  }

  /** True inside a transaction: also what tells whether the engine has ended one by itself. */
  get inTransaction(): boolean {
    return this.db.isTransaction
  }

  /** Text without values; throws the engine's own errors. */
  exec(text: string): void {
    this.db.exec(text)
  }

  /** Runs a write and gives its rows and count; throws the engine's own errors, for the caller knows what to undo. */
  write(statement: Statement): StatementResult {
    const prepared = this.#prepare(statement.sql)
    const { handle } = prepared
    if (!prepared.returns) return { changes: Number(handle.run(...statement.params).changes), rows: NO_ROWS }
    // Read as bigint and narrowed: an error for a large number would come when the write has already happened.
    readBigInts(prepared, true)
    const rows = handle.all(...statement.params).map(narrowed)
    return { changes: rows.length, rows }
  }

  /** All rows. Throws StoreError `invalid` or `failed`. */
  all(query: Query<unknown>): readonly Row[] {
    return this.#read(query, (handle, params) => handle.all(...params))
  }

  /** The first row. Throws as `all`. */
  first(query: Query<unknown>): Row | undefined {
    return this.#read(query, (handle, params) => {
      const row = handle.get(...params)
      return row === undefined ? [] : [row]
    })[0]
  }

  /** As `all`, but refuses (`invalid`) to gather more than `max` rows. */
  allUpTo(query: Query<unknown>, max: number): readonly Row[] {
    return this.#read(query, (handle, params) => {
      const rows: Row[] = []
      for (const row of handle.iterate(...params)) {
        if (rows.length === max) throw new StoreError('invalid', `more than ${max} rows: read them in pages`)
        rows.push(row)
      }
      return rows
    })
  }

  close(): void {
    this.#prepared.clear()
    this.db.close()
  }

  #read(query: Query<unknown>, step: (handle: StatementSync, params: readonly SqlValue[]) => Row[]): readonly Row[] {
    try {
      const prepared = this.#prepare(query.sql)
      const { handle } = prepared
      readBigInts(prepared, false)
      try {
        return step(handle, query.params)
      } catch (error) {
        if (!isOutOfRange(error)) throw error
        readBigInts(prepared, true)
        return step(handle, query.params).map(narrowed)
      }
    } catch (error) {
      throw storeError(error, `reading with ${query.sql}`)
    }
  }

  #prepare(text: string): Prepared {
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    const handle = this.db.prepare(text)
    const prepared = { handle, returns: handle.columns().length > 0, bigInts: false }
    if (this.#prepared.size >= PREPARED_MAX) {
      for (const oldest of this.#prepared.keys()) {
        this.#prepared.delete(oldest)
        break
      }
    }
    this.#prepared.set(text, prepared)
    return prepared
  }
}

const NO_ROWS: readonly Row[] = []

function readBigInts(prepared: Prepared, bigInts: boolean): void {
  if (prepared.bigInts === bigInts) return
  prepared.handle.setReadBigInts(bigInts)
  prepared.bigInts = bigInts
}

/** Integers that fit a number become one; only those beyond 2^53 stay bigint. */
function narrowed(row: Row): Row {
  const out: Record<string, SqlValue> = {}
  for (const [name, value] of Object.entries(row)) {
    const fits = typeof value === 'bigint' && value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
    out[name] = fits ? Number(value) : value
  }
  return out
}
