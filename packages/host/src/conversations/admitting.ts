/** Asks the rules before a run about a row and writes down what they said (tx 1b). */
import { type Statement, type Store, StoreError } from '@runbound/store'
import type { Clock } from '../clock.ts'
import type { EventEnvelope } from '../events/types.ts'
import type { Logger } from '../logger.ts'
import type { Processor } from '../runs/types.ts'
import type { Admission, AdmissionRequest, Verdict } from './admission-types.ts'
import type { Ending, Endings } from './endings.ts'
import { activateRow, admitRow, endTurn, parkRow } from './mailbox-statements.ts'
import type { MailboxRow } from './rows.ts'
import { refusalOf } from './turn.ts'
import type { ConversationNeeds } from './types.ts'

/** What became of a row; the row's `kind`, `run_id` and `due_at` say the rest. */
export type Admitted = 'admitted' | 'parked' | 'done' | 'later'

/** A steered row whose run has just ended is decided anew, but not for ever. */
const DECISIONS_MAX = 5

export interface AdmittingParts {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly endings: Endings
  readonly needs: ConversationNeeds
  readonly admission: Admission
  readonly timeoutMs: number
  /** This start of the host: commands are active rows of it. */
  readonly owner: string
}

export class Admitting {
  readonly #parts: AdmittingParts

  constructor(parts: AdmittingParts) {
    this.#parts = parts
  }

  /** Decides one row. Never rejects. */
  async decide(row: MailboxRow): Promise<Admitted> {
    const { needs, admission, clock, endings, logger } = this.#parts
    try {
      const processor = await needs.processors.get(row.processor_id)
      if (processor !== undefined && !admission.handles(processor)) {
        row.kind = 'run'
        return 'admitted'
      }
      const envelope = row.envelope ?? (await needs.envelope(row.event_id))
      const refusal =
        envelope === undefined ? { code: 'event_missing' as const } : refusalOf(row, processor, clock.now())
      if (refusal !== null || envelope === undefined || processor === undefined) {
        const why = refusal ?? { code: 'processor_not_found' as const }
        return settled(await this.#commit(row, endings.drop(row, envelope, processor, why), 'done'))
      }
      return await this.#ask(row, envelope, processor)
    } catch (error) {
      if (!StoreError.is(error)) logger.error({ err: error, row_id: row.row_id }, 'A row could not be admitted')
      return 'later'
    }
  }

  async #ask(row: MailboxRow, envelope: EventEnvelope, processor: Processor): Promise<Admitted> {
    for (let round = 0; round < DECISIONS_MAX; round++) {
      const verdict = await this.#verdict(row, envelope, processor)
      const decided = await this.#write(row, envelope, processor, verdict)
      if (decided !== 'again') return decided
    }
    return 'later'
  }

  /** Rules that fail end the row: what could not be checked is not run. */
  async #verdict(row: MailboxRow, envelope: EventEnvelope, processor: Processor): Promise<Verdict> {
    const { admission, timeoutMs, logger } = this.#parts
    const signal = AbortSignal.timeout(timeoutMs)
    const late = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error(`the rules took longer than ${timeoutMs} ms`)), {
        once: true,
      })
    })
    try {
      return await Promise.race([admission.admit(requestOf(row, envelope, processor, signal)), late])
    } catch (error) {
      logger.error({ err: error, row_id: row.row_id, event_id: row.event_id }, 'The rules before a run failed')
      const fault = error instanceof Error ? error.message : String(error)
      return { kind: 'drop', code: 'admission_failed', details: { fault } }
    }
  }

  async #write(
    row: MailboxRow,
    envelope: EventEnvelope,
    processor: Processor,
    verdict: Verdict,
  ): Promise<Admitted | 'again'> {
    const { row_id } = row
    const { clock, endings } = this.#parts
    const own = verdict.statements ?? []
    const unit = (...statements: readonly Statement[]): Ending => ({
      statements: [...statements, ...own],
      wake: () => undefined,
    })
    switch (verdict.kind) {
      case 'drop': {
        const ending = endings.drop(row, envelope, processor, verdict)
        return this.#commit(row, { statements: [...ending.statements, ...own], wake: ending.wake }, 'done')
      }
      case 'park':
        row.due_at = verdict.due_at
        return this.#commit(row, unit(parkRow({ row_id, due_at: verdict.due_at })), 'parked')
      case 'steer': {
        const { run_id } = verdict
        const trail = endings.because(row, 'steered', { run_id })
        const admit = admitRow({ row_id, kind: 'steer', run_id, now: clock.now() })
        const decided = await this.#commit(row, unit(admit, trail), 'admitted')
        if (decided === 'admitted') {
          row.kind = 'steer'
          row.run_id = run_id
        }
        return decided
      }
      default: {
        const admit = admitRow({ row_id, kind: verdict.kind, run_id: null, now: clock.now() })
        const decided = await this.#commit(row, unit(admit), 'admitted')
        if (decided === 'admitted') row.kind = verdict.kind
        return decided
      }
    }
  }

  /** Executes a command or a cancel, beside the run lane. Never rejects. */
  async beside(row: MailboxRow): Promise<'done' | 'later'> {
    const { needs, admission, clock, store, endings, owner, timeoutMs, logger } = this.#parts
    const kind = row.kind === 'cancel' ? 'cancel' : 'command'
    const { row_id } = row
    try {
      const envelope = row.envelope ?? (await needs.envelope(row.event_id))
      const processor = await needs.processors.get(row.processor_id)
      if (envelope === undefined || processor === undefined) {
        const code = envelope === undefined ? 'event_missing' : 'processor_not_found'
        const ended = await this.#commit(row, endings.drop(row, envelope, processor, { code }), 'done')
        return ended === 'done' ? 'done' : 'later'
      }
      // Active before it acts: after a crash nobody knows what it did, so it is not repeated.
      const active = activateRow({ row_id, kind, run_id: null, owner, epoch: 0, now: clock.now() })
      await store.commit([active, ...endings.inbound(row, envelope, null)])
      const request = requestOf(row, envelope, processor, AbortSignal.timeout(timeoutMs))
      const { code, details, statements } = await admission.beside(kind, request).catch((error: unknown) => {
        logger.error({ err: error, row_id }, 'A command failed')
        const fault = error instanceof Error ? error.message : String(error)
        return { code: 'admission_failed' as const, details: { fault }, statements: [] }
      })
      const end = endTurn({ row_id, reason: code, now: clock.now() })
      await store.commit([end, endings.because(row, code, details), ...(statements ?? [])])
      return 'done'
    } catch (error) {
      if (StoreError.is(error) && error.code === 'refused') return 'done'
      logger.warn({ err: error, row_id }, 'A command could not be taken up')
      return 'later'
    }
  }

  /** The row's own statement comes first: refused there, the row waits no more; refused by another, it is decided anew. */
  async #commit(row: MailboxRow, ending: Ending, then: Admitted): Promise<Admitted | 'again'> {
    try {
      await this.#parts.store.commit(ending.statements)
    } catch (error) {
      if (StoreError.is(error) && error.code === 'refused') return error.statement === 0 ? 'done' : 'again'
      this.#parts.logger.warn({ err: error, row_id: row.row_id }, 'A decision could not be written; it is made again')
      return 'later'
    }
    ending.wake()
    return then
  }
}

function settled(decided: Admitted | 'again'): Admitted {
  return decided === 'again' ? 'later' : decided
}

function requestOf(
  row: MailboxRow,
  envelope: EventEnvelope,
  processor: Processor,
  signal: AbortSignal,
): AdmissionRequest {
  const { row_id, lane, conversation_key, attempt, accepted_at } = row
  return { row_id, lane, conversation_key, attempt, accepted_at, envelope, processor, signal }
}
