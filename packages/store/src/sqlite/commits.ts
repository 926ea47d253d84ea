/**
 * The commit queue: units of one tick share one transaction (DESIGN §4). They run one after another without savepoints; when
 * one of them is refused, all is rolled back and run again with each in its savepoint, so that only the refused are undone.
 */
import { StoreError } from '../error.ts'
import type { Statement, StatementResult, Unit } from '../types.ts'
import type { Connection } from './connection.ts'
import { storeError } from './engine-error.ts'

/** A commit holds the main thread: more than this waits for the next turn of the event loop. */
const UNITS_MAX = 256
const STATEMENTS_MAX = 2_048

interface Waiting {
  readonly unit: Unit
  readonly resolve: (results: readonly StatementResult[]) => void
  readonly reject: (error: StoreError) => void
}

type Outcome = readonly StatementResult[] | StoreError

export class CommitQueue {
  readonly #connection: Connection
  #committed: (statements: number) => void = () => {}
  #waiting: Waiting[] = []
  #scheduled = false
  #paused = false
  #closed = false

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Tells after each commit how many statements it kept. */
  onCommitted(listener: (statements: number) => void): void {
    this.#committed = listener
  }

  /** Units wait until the returned function is called (or `close`). */
  pause(): () => void {
    this.#paused = true
    return () => {
      this.#paused = false
      if (this.#waiting.length > 0) this.#schedule()
    }
  }

  /** See `Store.commit`. */
  commit(unit: Unit): Promise<readonly StatementResult[]> {
    if (this.#closed) return Promise.reject(closedError())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ unit, resolve, reject })
      this.#schedule()
    })
  }

  /** Commits what is waiting, and takes no more. */
  close(): void {
    this.#closed = true
    while (this.#waiting.length > 0) this.#runBatch(this.#takeBatch())
  }

  /** setImmediate and not a microtask: it also gathers the units of other callbacks of this turn (bench/commit.ts). */
  #schedule(): void {
    if (this.#scheduled || this.#paused) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      if (this.#paused || this.#waiting.length === 0) return
      this.#runBatch(this.#takeBatch())
      if (this.#waiting.length > 0) this.#schedule()
    })
  }

  #takeBatch(): readonly Waiting[] {
    let statements = 0
    let count = 0
    for (const { unit } of this.#waiting) {
      statements += unit.length
      if (count > 0 && (count >= UNITS_MAX || statements > STATEMENTS_MAX)) break
      count += 1
    }
    const batch = this.#waiting.slice(0, count)
    this.#waiting = this.#waiting.slice(count)
    return batch
  }

  #runBatch(batch: readonly Waiting[]): void {
    const outcomes = this.#transaction(batch)
    let statements = 0
    for (const [index, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes instanceof Ended ? outcomes.errorFor(index) : outcomes[index]
      if (outcome === undefined || outcome instanceof StoreError) reject(outcome ?? closedError())
      else {
        statements += outcome.length
        resolve(outcome)
      }
    }
    if (statements > 0) this.#committed(statements)
  }

  /** One outcome per unit, or `Ended` when nothing of the batch was kept. */
  #transaction(batch: readonly Waiting[]): readonly Outcome[] | Ended {
    const outcomes: Outcome[] = []
    const failed = this.#begin() ?? this.#together(batch, outcomes)
    if (failed !== undefined) return failed
    const refused = outcomes.at(-1) instanceof StoreError
    // The only unit of its batch needs no second attempt: rolling back has undone just that.
    if (refused && batch.length > 1) return this.#apart(batch)
    return this.#end(outcomes, refused ? ROLLBACK : COMMIT)
  }

  /** Runs units until one is refused, which is then the last outcome. Savepoints would copy every page that a unit touches. */
  #together(batch: readonly Waiting[], outcomes: Outcome[]): Ended | undefined {
    for (const [index, { unit }] of batch.entries()) {
      const outcome = this.#run(unit)
      if (!this.#connection.inTransaction) return new Ended(asError(outcome), index)
      outcomes.push(outcome)
      if (outcome instanceof StoreError) return undefined
    }
    return undefined
  }

  /** The batch once more from its start, so that the refused units are undone and the others kept. */
  #apart(batch: readonly Waiting[]): readonly Outcome[] | Ended {
    const outcomes: Outcome[] = []
    const failed = this.#end(outcomes, ROLLBACK)
    if (failed instanceof Ended) return failed
    const begun = this.#begin()
    if (begun !== undefined) return begun
    for (const [index, { unit }] of batch.entries()) {
      const outcome = this.#runInSavepoint(unit)
      // A full disk or a failing one makes the engine roll back everything by itself: a further statement would then
      // run outside any transaction and be kept at once.
      if (!this.#connection.inTransaction) return new Ended(asError(outcome), index)
      outcomes.push(outcome)
    }
    return this.#end(outcomes, COMMIT)
  }

  #begin(): Ended | undefined {
    try {
      this.#connection.write(BEGIN)
      return undefined
    } catch (error) {
      return new Ended(storeError(error, 'beginning a transaction'))
    }
  }

  #end(outcomes: readonly Outcome[], how: Statement): readonly Outcome[] | Ended {
    try {
      this.#connection.write(how)
      return outcomes
    } catch (error) {
      this.#rollback()
      return new Ended(storeError(error, 'committing'))
    }
  }

  #runInSavepoint(unit: Unit): Outcome {
    const connection = this.#connection
    try {
      connection.write(SAVEPOINT)
      const outcome = this.#run(unit)
      if (!connection.inTransaction) return outcome
      if (outcome instanceof StoreError) connection.write(ROLLBACK_TO)
      connection.write(RELEASE)
      return outcome
    } catch (error) {
      // The savepoint itself failed, so this unit can't be told from the others any more: give the whole batch up.
      this.#rollback()
      return storeError(error, 'setting a savepoint')
    }
  }

  #run(unit: Unit): Outcome {
    const results: StatementResult[] = []
    for (const statement of unit) {
      const index = results.length
      try {
        const result = this.#connection.write(statement)
        const { expect } = statement
        if (expect !== undefined && result.changes !== expect) return countError(statement, index, result.changes)
        results.push(result)
      } catch (error) {
        return storeError(error, `statement ${index} of the unit (${statement.sql})`, index)
      }
    }
    return results
  }

  #rollback(): void {
    if (this.#connection.inTransaction) this.#connection.write(ROLLBACK)
  }
}

/** The whole batch is undone. The unit that met the fault gets its error, the others learn that they went with it. */
class Ended {
  readonly #cause: StoreError
  readonly #culprit: number | undefined

  constructor(cause: StoreError, culprit?: number) {
    this.#cause = cause
    this.#culprit = culprit
  }

  errorFor(index: number): StoreError {
    const cause = this.#cause
    if (index === this.#culprit) return cause
    const code = cause.code === 'full' ? 'full' : 'failed'
    return new StoreError(code, `nothing of this commit was kept: ${cause.message}`, { cause })
  }
}

const BEGIN = plain('begin immediate')
const COMMIT = plain('commit')
const ROLLBACK = plain('rollback')
const SAVEPOINT = plain('savepoint unit')
const ROLLBACK_TO = plain('rollback to unit')
const RELEASE = plain('release unit')

function plain(text: string): Statement {
  return { sql: text, params: [] }
}

function asError(outcome: Outcome): StoreError {
  if (outcome instanceof StoreError) return outcome
  return new StoreError('failed', 'a statement of the unit ended the transaction; units must not do that')
}

function countError(statement: Statement, index: number, changes: number): StoreError {
  const message = `statement ${index} of the unit met ${changes} rows instead of ${statement.expect} (${statement.sql})`
  return new StoreError('refused', message, { statement: index })
}

function closedError(): StoreError {
  return new StoreError('closed', 'the store is closed')
}
