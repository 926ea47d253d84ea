/** Errors of the store. They never cross the wire: rooms translate them into a WireError or a sentence for the operator. */

/**
 * - `refused`: a row count was not met or a constraint failed; only this unit is undone. `statement` is its index.
 * - `full`: no room on the disk. `failed`: the engine ended the transaction or broke. `closed`: the store is closed.
 * - `locked`: another process has the data folder. `folder`: the data folder can't be used. `schema`: the database does
 *   not fit this version. `migration`: a migration failed and was undone. `backup`: the file is no usable backup.
 * - `invalid`: a programming mistake (a value that can't be bound, SQL that doesn't compile).
 */
export type StoreErrorCode =
  | 'refused'
  | 'full'
  | 'failed'
  | 'closed'
  | 'locked'
  | 'folder'
  | 'schema'
  | 'migration'
  | 'backup'
  | 'invalid'

const BRAND = Symbol.for('runbound.store-error')

export interface StoreErrorOptions {
  /** Index in the unit of the statement that was refused. */
  readonly statement?: number
  readonly cause?: unknown
}

/** What the store could not do, and what to do about it. Recognise it by `StoreError.is`, not by prototype. */
export class StoreError extends Error {
  readonly [BRAND] = true
  readonly code: StoreErrorCode
  /** Index of the refused statement in its unit; absent where no single statement is to blame. */
  readonly statement: number | undefined

  constructor(code: StoreErrorCode, message: string, options: StoreErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'StoreError'
    this.code = code
    this.statement = options.statement
  }

  static is(value: unknown): value is StoreError {
    return typeof value === 'object' && value !== null && BRAND in value && value[BRAND] === true
  }
}
