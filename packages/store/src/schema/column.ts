/** How a table's columns are declared: once, for Kysely's types and for the test that compares them with the database. */
import type { ColumnType } from 'kysely'

/** One column. `Select` is what comes back, `Insert` what may be given (undefined: the engine fills it in). */
export interface Column<Select, Insert = Select> {
  readonly type: 'text' | 'integer' | 'blob'
  readonly nullable: boolean
  /** The engine fills it in when an insert leaves it out. */
  readonly filled: boolean
  /** The only values that the schema's check lets in. */
  readonly values?: readonly string[]
  /** Never set: carries the types. */
  readonly kysely?: ColumnType<Select, Insert, Select>
}

/** Any column, whatever its types. */
export type AnyColumn = Column<never, never> | Column<unknown, unknown>
export type Columns = Readonly<Record<string, Pick<AnyColumn, 'type' | 'nullable' | 'filled' | 'values'>>>

/** Kysely's table type of a declaration. */
export type TableOf<T extends Columns> = {
  [K in keyof T]: T[K] extends Column<infer S, infer I> ? ColumnType<S, I, S> : never
}

export const text: Column<string> = { type: 'text', nullable: false, filled: false }
/** Whole numbers; those beyond 2^53 come back as bigint, and no column of ours gets that far. */
export const integer: Column<number> = { type: 'integer', nullable: false, filled: false }
/** 0 or 1: the engine has no boolean, and binding `true` is an error. */
export const flag: Column<0 | 1, 0 | 1> = { type: 'integer', nullable: false, filled: false }
export const blob: Column<Uint8Array> = { type: 'blob', nullable: false, filled: false }
/** `integer primary key`: given by the engine unless the caller has its own. */
export const rowId: Column<number, number | undefined> = { type: 'integer', nullable: false, filled: true }

/** Text that the schema restricts to these values. */
export function oneOf<const V extends string>(...values: readonly V[]): Column<V> {
  return { type: 'text', nullable: false, filled: false, values }
}

export function orNull<S, I>(column: Column<S, I>): Column<S | null, I | null | undefined> {
  return { type: column.type, nullable: true, filled: column.filled, values: column.values }
}

/** The column has a default in the schema. */
export function filled<S>(column: Column<S>): Column<S, S | undefined> {
  return { type: column.type, nullable: column.nullable, filled: true, values: column.values }
}
