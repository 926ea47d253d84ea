/** Takes up what a host that died was working on (DESIGN §4, rows 1b and 2 of the table). */
import { type Statement, type Store, StoreError } from '@runbound/store'
import type { Clock } from '../clock.ts'
import type { EventEnvelope } from '../events/types.ts'
import type { Logger } from '../logger.ts'
import type { LeftRun, Processor } from '../runs/types.ts'
import type { EndedRow, Endings } from './endings.ts'
import { activeRows, interruptRow, queueAgain, releaseAllSteering } from './mailbox-statements.ts'
import type { ConversationNeeds, RecoveryReport } from './types.ts'

/** A run is begun at most twice: an input that kills its host must not kill it for ever. */
const ATTEMPTS_MAX = 2

export interface RecoveryParts {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly endings: Endings
  readonly needs: ConversationNeeds
}

interface ActiveRow extends EndedRow {
  readonly run_id: string | null
  readonly attempt: number
}

/** See `Conversations.recover`. Each run is a unit of its own, so a second crash during recovery finds the rest as it was. */
export async function recoverMailbox(parts: RecoveryParts): Promise<RecoveryReport> {
  const { store, needs } = parts
  const left = await needs.runs.leftovers()
  const rows = new Map((await store.all(activeRows())).map((row) => [row.row_id, { ...row, gives_position: false }]))
  const work: Promise<Outcome>[] = []
  for (const run of left) {
    const row = rows.get(run.row_id ?? '')
    if (row?.run_id === run.run_id) rows.delete(row.row_id)
    work.push(recoverRun(parts, run, row?.run_id === run.run_id ? row : undefined))
  }
  // Active without a run: a command, or a run that ended without its row. Neither is repeated.
  for (const row of rows.values()) work.push(interrupt(parts, row, undefined, 'it may have acted already'))
  const outcomes = await Promise.all(work)
  await store.commit([releaseAllSteering()])
  const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length
  return { ended: left.length, queued_again: count('queued_again'), interrupted: count('interrupted') }
}

type Outcome = 'queued_again' | 'interrupted' | 'ended' | 'refused'

async function recoverRun(parts: RecoveryParts, run: LeftRun, row: ActiveRow | undefined): Promise<Outcome> {
  if (row === undefined) return write(parts, run.run_id, parts.needs.runs.endLeft(run), 'ended')
  const processor = await parts.needs.processors.get(row.processor_id)
  const envelope = await parts.needs.envelope(row.event_id)
  const why = whyNotAgain(run, row, processor, envelope)
  if (why !== null) return interrupt(parts, row, run, why)
  const attempt = row.attempt + 1
  const statements = [
    queueAgain({ row_id: row.row_id, attempt }),
    ...parts.needs.runs.endLeft(run),
    parts.endings.because(row, 'queued_again', { run_id: run.run_id, attempt }),
  ]
  return write(parts, run.run_id, statements, 'queued_again')
}

function whyNotAgain(
  run: LeftRun,
  row: ActiveRow,
  processor: Processor | undefined,
  envelope: EventEnvelope | undefined,
): string | null {
  if (run.effect) return 'it had already acted'
  if (row.attempt >= ATTEMPTS_MAX) return 'it was the last attempt'
  if (processor === undefined) return 'its processor is gone'
  if (processor.options.after_crash === 'report') return 'its processor is set to report (after_crash)'
  if (envelope === undefined) return 'its event is gone'
  return envelope.debug === null ? null : 'it was a debug run'
}

async function interrupt(
  parts: RecoveryParts,
  row: ActiveRow,
  run: LeftRun | undefined,
  why: string,
): Promise<Outcome> {
  const { endings, needs, clock } = parts
  const processor = await needs.processors.get(row.processor_id)
  const envelope = await needs.envelope(row.event_id)
  const run_id = run?.run_id ?? row.run_id
  // Not woken: `delivery.recover` comes after us and sends what is queued.
  const sentence = endings.failed(row, envelope, processor, run_id ?? row.row_id)
  const statements = [
    interruptRow({ row_id: row.row_id, reason: 'interrupted', now: clock.now() }),
    ...(run === undefined ? [] : needs.runs.endLeft(run)),
    endings.because(row, 'interrupted', { run_id, why }),
    ...sentence.statements,
  ]
  return write(parts, row.row_id, statements, 'interrupted')
}

async function write(
  { store, logger }: RecoveryParts,
  id: string,
  statements: readonly Statement[],
  outcome: Outcome,
): Promise<Outcome> {
  try {
    await store.commit(statements)
    return outcome
  } catch (error) {
    // Refused: it has ended by itself. Anything else means that the host can't start.
    if (!StoreError.is(error) || error.code !== 'refused') throw error
    logger.warn({ err: error, id }, 'A run of the former host had ended already')
    return 'refused'
  }
}
