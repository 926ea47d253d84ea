/**
 * Statements and queries that are compiled once and afterwards only bind values. Kysely builds the text over a driver that
 * can't execute: the store's `commit`, `all`, `first` and `slow` are the only way to the database.
 */
import {
  type Compilable,
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { StoreError } from './error.ts'
import type { Tables } from './schema/index.ts'
import type { Builder, Query, SqlValue, Statement } from './types.ts'

/** What a slot may take: one value or, for `p.list`, many. */
export type SlotValue = SqlValue | readonly (string | number)[]
/** The values of a statement: `{ event_id: string; ids: readonly string[] }`. */
export type SlotValues<P> = { readonly [K in keyof P]: SlotValue }

type SingleKey<P> = { [K in keyof P]-?: P[K] extends readonly unknown[] ? never : K }[keyof P] & string
type ListKey<P> = { [K in keyof P]-?: P[K] extends readonly unknown[] ? K : never }[keyof P] & string
type Element<T> = T extends readonly (infer E)[] ? E : never

/** Makes the slots of a statement; annotate the callback's parameter with it so that values and rows are both inferred. */
export interface Slots<P> {
  <K extends SingleKey<P>>(name: K): RawBuilder<P[K]>
  /** A list of any length for `in`: `where('run_id', 'in', p.list('ids'))`. */
  list<K extends ListKey<P>>(name: K): RawBuilder<Element<P[K]>>
}

/** Fills the slots. Takes nothing where there are no slots. */
export type Bind<P, T> = keyof P extends never ? () => T : (values: P) => T

export interface StatementOptions {
  /** Rows that must change or come back; another count undoes the unit (`refused`). Default: any number. */
  readonly expect?: number
}

class Slot {
  readonly name: string
  readonly list: boolean
  constructor(name: string, list: boolean) {
    this.name = name
    this.list = list
  }
}

/** Refuses instead of answering nothing, as Kysely's own dummy does. */
class NoDriver extends DummyDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    return { executeQuery: () => Promise.reject(onlyBuilds()), streamQuery: () => refusedStream() }
  }

  override beginTransaction(): Promise<void> {
    return Promise.reject(onlyBuilds())
  }
}

// biome-ignore lint/correctness/useYield: the stream refuses at its first step.
async function* refusedStream(): AsyncGenerator<never> {
  throw onlyBuilds()
}

function onlyBuilds(): StoreError {
  return new StoreError('invalid', 'Kysely only builds here: run it with commit, all, first or slow')
}

/** Builds text for the schema's tables; executing anything with it is an error. */
export const builder: Builder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new NoDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

function slots<P>(): Slots<P> {
  const single = <K extends SingleKey<P>>(name: K): RawBuilder<P[K]> => sql<P[K]>`${new Slot(name, false)}`
  const list = <K extends ListKey<P>>(name: K): RawBuilder<Element<P[K]>> =>
    sql<Element<P[K]>>`(select value from json_each(${new Slot(name, true)}))`
  return Object.assign(single, { list })
}

/**
 * A write with slots: `statement((db, p: Slots<{ run_id: string }>) => db.deleteFrom('runs').where('run_id', '=', p('run_id')))`.
 * Compiled at its first use. Binding throws StoreError `invalid` for a value that is missing or of the wrong kind.
 */
export function statement<P extends SlotValues<P>>(
  build: (db: Builder, p: Slots<P>) => Compilable<unknown>,
  options: StatementOptions = {},
): Bind<P, Statement> {
  return binder<P, Statement>(() => build(builder, slots<P>()).compile(), options.expect)
}

/** A read with slots, typed by Kysely: `query((db, p: Slots<{ run_id: string }>) => db.selectFrom('runs').select('status')...)`. */
export function query<P extends SlotValues<P>, R>(
  build: (db: Builder, p: Slots<P>) => Compilable<R>,
): Bind<P, Query<R>> {
  return binder<P, Query<R>>(() => build(builder, slots<P>()).compile(), undefined)
}

/** A write in SQL text, where Kysely can't say it: ``sqlStatement((p: Slots<{ id: number }>) => sql`delete ... ${p('id')}`)``. */
export function sqlStatement<P extends SlotValues<P>>(
  build: (p: Slots<P>) => RawBuilder<unknown>,
  options: StatementOptions = {},
): Bind<P, Statement> {
  return binder<P, Statement>(() => build(slots<P>()).compile(builder), options.expect)
}

/** A read in SQL text; the row type is the tag's: ``sqlQuery((p: Slots<{ q: string }>) => sql<{ id: number }>`select ...`)``. */
export function sqlQuery<P extends SlotValues<P>, R>(build: (p: Slots<P>) => RawBuilder<R>): Bind<P, Query<R>> {
  return binder<P, Query<R>>(() => build(slots<P>()).compile(builder), undefined)
}

/** `Bind` is a conditional type, which no implementation can satisfy by inference: hence the one cast. */
function binder<P, T extends Statement | Query<unknown>>(compile: () => CompiledQuery, expect: number | undefined) {
  let compiled: Compiled | undefined
  const bind = (values: Readonly<Record<string, unknown>> = {}) => {
    compiled ??= withConstants(compile())
    const { sql: text, slots } = compiled
    const params = slots.map((slot) => fill(slot, values[slot.name], text))
    return expect === undefined ? { sql: text, params } : { sql: text, params, expect }
  }
  return bind as unknown as Bind<P, T>
}

interface Compiled {
  readonly sql: string
  /** In the order of the text's question marks. */
  readonly slots: readonly Slot[]
}

/** Names and texts in quotes, which may hold question marks of their own, or a place for a value. */
const PLACES = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g

/**
 * Writes constants into the text. Bound ones would hide from the engine that a partial index fits, and where a bound value
 * might have decided about one, it prepares the statement anew for each value.
 */
function withConstants({ sql: text, parameters }: CompiledQuery): Compiled {
  const slots: Slot[] = []
  let next = 0
  const written = text.replace(PLACES, (place) => {
    if (place !== '?') return place
    const input = parameters[next++]
    if (!(input instanceof Slot)) return literal(input, text)
    slots.push(input)
    return place
  })
  return { sql: written, slots }
}

function fill(slot: Slot, value: unknown, text: string): SqlValue {
  if (!slot.list) {
    if (isSqlValue(value)) return value
  } else if (Array.isArray(value)) {
    return JSON.stringify(value)
  }
  const kind = value === undefined ? 'missing' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
  throw new StoreError('invalid', `the value "${slot.name}" is ${kind}, which can't be bound in: ${text}`)
}

function literal(value: unknown, text: string): string {
  if (value === null) return 'null'
  if (typeof value === 'string' && !value.includes('\0')) return `'${value.replaceAll("'", "''")}'`
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) return String(value)
  throw new StoreError('invalid', `a constant of type ${typeof value} can't be written in: ${text}`)
}

function isSqlValue(value: unknown): value is SqlValue {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
      return true
    default:
      return value === null || value instanceof Uint8Array
  }
}
