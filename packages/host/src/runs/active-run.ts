/**
 * One run while it lives: every write of it goes through here, guarded by "still running, this epoch"; its ledger is gathered
 * and numbered here; and here it ends, once.
 */
import { type AgentRunEvent, WireError } from '@runbound/protocol'
import { type Statement, type StatementResult, type Store, StoreError } from '@runbound/store'
import type { Clock } from '../clock.ts'
import type { InvocationOwner, TraceEntry } from '../gateway/types.ts'
import type { Logger } from '../logger.ts'
import { entryStatements, lastSequence, type TimedEntry, writtenEvents } from './ledger.ts'
import * as sql from './statements.ts'
import { TraceBuffer } from './trace.ts'
import type { LedgerEntry } from './types.ts'

/** How long entries wait for others: a short run writes its whole ledger with its end. */
const GATHER_MS = 5

export interface ActiveRunParts {
  readonly store: Pick<Store, 'commit'>
  readonly clock: Clock
  readonly logger: Logger
  readonly run_id: string
  readonly epoch: number
  /** Told after each commit of ledger entries, in order. */
  readonly onEvents: (events: readonly AgentRunEvent[]) => void
}

/** How a run ends in its record. */
export interface RecordedEnd {
  readonly status: 'completed' | 'failed' | 'cancelled' | 'timeout'
  readonly reason: string | null
  readonly code: string | null
  readonly usage: string | null
  readonly cost: string | null
  /** The last entry of the ledger. */
  readonly entry: LedgerEntry
}

export class ActiveRun implements InvocationOwner {
  readonly run_id: string
  /** Aborts the host calls of the run: at its deadline, when it is cancelled, when it ends. */
  readonly calls = new AbortController()
  /** Aborts `run_runner` at the plugin. */
  readonly stream = new AbortController()
  readonly #parts: ActiveRunParts
  readonly #trace = new TraceBuffer()
  #waiting: TimedEntry[] = []
  #scheduled = false
  #effect = false
  #lost = false

  constructor(parts: ActiveRunParts) {
    this.#parts = parts
    this.run_id = parts.run_id
  }

  /** The run has written, consumed or sent something. */
  get effect(): boolean {
    return this.#effect
  }

  /** Somebody else has ended or taken over this run: nothing can be written any more. */
  get lost(): boolean {
    return this.#lost
  }

  /** Ledger entries that are not written yet. */
  get waiting(): number {
    return this.#waiting.length
  }

  get firstDenied(): TraceEntry | null {
    return this.#trace.firstDenied
  }

  /** Ledger entries that wait go along, before what the statements may add to the ledger: one guard for all. */
  async commit(
    statements: readonly Statement[],
    { effect }: { readonly effect: boolean },
  ): Promise<readonly StatementResult[]> {
    const marks = effect && !this.#effect
    const entries = this.#waiting
    if (entries.length === 0) {
      const guard = marks ? sql.guardWithEffect(this.#guard()) : sql.guard(this.#guard())
      const results = await this.#guarded([guard, ...statements])
      if (marks) this.#effect = true
      return results.slice(1)
    }
    this.#waiting = []
    const numbered = sql.guardAndNumber({ ...this.#guard(), count: entries.length, effect: marks ? 1 : 0 })
    try {
      const results = await this.#guarded([numbered, ...entryStatements(this.run_id, entries), ...statements])
      if (marks) this.#effect = true
      this.#written(entries, lastSequence(results[0]))
      return results.slice(1 + entries.length)
    } catch (error) {
      this.#waiting = [...entries, ...this.#waiting]
      throw fromGiven(error, entries.length)
    }
  }

  async markEffect(): Promise<void> {
    if (this.#effect) return
    await this.#guarded([sql.guardWithEffect(this.#guard())])
    this.#effect = true
  }

  trace(entry: TraceEntry): void {
    if (this.#trace.add(entry)) this.#schedule()
  }

  /** Puts an entry into the ledger; those of a few milliseconds are written together, or with the next write of the run. */
  append(entry: LedgerEntry): void {
    this.#waiting.push({ ...entry, at: this.#parts.clock.now() })
    this.#schedule()
  }

  /**
   * Writes an entry together with what it stands for: both or neither. The entries that wait go along, before it.
   * Rejects with WireError `run_ended`, or StoreError `refused` whose `statement` counts from the given ones.
   */
  async write(statements: readonly Statement[], entry: LedgerEntry, effect: boolean): Promise<AgentRunEvent> {
    const before = this.#waiting
    const entries = [...before, { ...entry, at: this.#parts.clock.now() }]
    this.#waiting = []
    const numbered = sql.guardAndNumber({ ...this.#guard(), count: entries.length, effect: effect ? 1 : 0 })
    try {
      const results = await this.#guarded([numbered, ...statements, ...entryStatements(this.run_id, entries)])
      if (effect) this.#effect = true
      const event = this.#written(entries, lastSequence(results[0])).at(-1)
      if (event === undefined) throw new TypeError('a written entry has no event')
      return event
    } catch (error) {
      this.#waiting = [...before, ...this.#waiting]
      throw error
    }
  }

  /** Writes what waits. What can't be written now stays in front and is tried again with the next. */
  async flush(): Promise<void> {
    const entries = this.#waiting
    const trace = this.#trace.take(false)
    if (entries.length === 0 && trace === null) return
    this.#waiting = []
    const traced = trace === null ? [] : [sql.insertTrace({ run_id: this.run_id, entries: trace })]
    if (entries.length === 0) {
      // The trace may be lost; it never holds a run up.
      await this.#parts.store.commit(traced).catch((error: unknown) => this.#log(error, 'a trace could not be written'))
      return
    }
    const numbered = sql.guardAndNumber({ ...this.#guard(), count: entries.length, effect: 0 })
    try {
      const results = await this.#guarded([numbered, ...entryStatements(this.run_id, entries), ...traced])
      this.#written(entries, lastSequence(results[0]))
    } catch (error) {
      this.#waiting = [...entries, ...this.#waiting]
      throw error
    }
  }

  /**
   * Ends the run in one unit with everything that waits and the statements of other rooms. Rejects with WireError
   * `run_ended` when it has ended already, and with StoreError otherwise; `statement` counts from `more`.
   */
  async end(end: RecordedEnd, more: readonly Statement[]): Promise<void> {
    const entries = [...this.#waiting, { ...end.entry, at: this.#parts.clock.now() }]
    const trace = this.#trace.take(true)
    this.#waiting = []
    const ending = sql.endRun({
      ...this.#guard(),
      status: end.status,
      status_reason: end.reason,
      reason_code: end.code,
      usage: end.usage,
      cost: end.cost,
      count: entries.length,
    })
    try {
      const results = await this.#guarded([
        ending,
        ...more,
        ...entryStatements(this.run_id, entries),
        ...(trace === null ? [] : [sql.insertTrace({ run_id: this.run_id, entries: trace })]),
      ])
      this.#written(entries, lastSequence(results[0]))
    } catch (error) {
      this.#waiting = [...entries.slice(0, -1), ...this.#waiting]
      throw error
    }
  }

  /** The cancel request in the record. */
  async noteCancel(): Promise<void> {
    await this.#guarded([sql.requestCancel(this.#guard())])
  }

  #guard() {
    return { run_id: this.run_id, epoch: this.#parts.epoch, now: this.#parts.clock.now() }
  }

  /** Commits a unit whose first statement is the guard. */
  async #guarded(unit: readonly Statement[]): Promise<readonly StatementResult[]> {
    try {
      return await this.#parts.store.commit(unit)
    } catch (error) {
      if (!StoreError.is(error) || error.code !== 'refused' || error.statement === undefined) throw error
      if (error.statement > 0)
        throw new StoreError('refused', error.message, { statement: error.statement - 1, cause: error })
      this.#lost = true
      throw new WireError('run_ended', `Run ${this.run_id} has ended; nothing was written.`, { cause: error })
    }
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setTimeout(() => {
      this.#scheduled = false
      this.flush().catch((error: unknown) => this.#log(error, 'ledger entries wait because they could not be written'))
    }, GATHER_MS)
  }

  #written(entries: readonly TimedEntry[], last: number): readonly AgentRunEvent[] {
    const events = writtenEvents(this.run_id, entries, last)
    try {
      this.#parts.onEvents(events)
    } catch (error) {
      // They are written: whoever fails to hear of it must not have them written again.
      this.#parts.logger.warn({ err: error, run_id: this.run_id }, 'ledger entries could not be shown')
    }
    return events
  }

  #log(error: unknown, message: string): void {
    // A run that has ended writes nothing any more, and that is no news.
    if (WireError.is(error)) return
    this.#parts.logger.warn({ err: error, run_id: this.run_id }, message)
  }
}

/** The same refusal, with `statement` counted from those that the caller gave. */
function fromGiven(error: unknown, before: number): unknown {
  if (!StoreError.is(error) || error.code !== 'refused' || error.statement === undefined) return error
  if (error.statement < before) return error
  return new StoreError('refused', error.message, { statement: error.statement - before, cause: error })
}
