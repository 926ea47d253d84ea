/**
 * The ledger of one run: entries are gathered for a moment and written together, numbered inside the statement. What could
 * not be written stays at the front, so that no entry is lost and none overtakes another.
 */
import { stringify } from '@runbound/link'
import type { AgentRunEvent } from '@runbound/protocol'
import type { Statement, StatementResult } from '@runbound/store'
import { seconds } from '../clock.ts'
import * as sql from './statements.ts'
import type { LedgerEntry } from './types.ts'

/** An entry with its time, ready to be written. */
export interface TimedEntry extends LedgerEntry {
  readonly at: number
}

/** The statements of entries that stand one after another; the run's counter has been raised by their number. */
export function entryStatements(runId: string, entries: readonly TimedEntry[]): Statement[] {
  return entries.map((entry, index) =>
    sql.insertEvent({ run_id: runId, back: entries.length - 1 - index, ...columnsOf(entry) }),
  )
}

/** One entry of another room, for its own unit: it changes nothing when the run is no longer running. */
export function looseEntry(runId: string, entry: TimedEntry): readonly Statement[] {
  return [
    sql.numberWhileRunning({ run_id: runId }),
    sql.insertEventWhileRunning({ run_id: runId, ...columnsOf(entry) }),
  ]
}

function columnsOf({ type, data, usage, source, at, metadata }: TimedEntry) {
  return {
    type,
    data: stringify(data),
    usage: usage == null ? null : stringify(usage),
    source,
    now: at,
    metadata: metadata === undefined ? '{}' : stringify(metadata),
  }
}

/** The number that `guardAndNumber` or `endRun` gave the last entry of its unit. */
export function lastSequence(result: StatementResult | undefined): number {
  const value = result?.rows[0]?.last_sequence
  if (typeof value !== 'number') throw new TypeError('the counter of a run did not come back')
  return value
}

/** The entries as they were written; the last one got the number `last`. */
export function writtenEvents(runId: string, entries: readonly TimedEntry[], last: number): AgentRunEvent[] {
  return entries.map((entry, index) => ({
    id: null,
    run_id: runId,
    sequence: last - (entries.length - 1 - index),
    type: entry.type,
    data: entry.data,
    usage: entry.usage ?? null,
    created_at: seconds(entry.at),
    source: entry.source,
    metadata: entry.metadata ?? {},
  }))
}
