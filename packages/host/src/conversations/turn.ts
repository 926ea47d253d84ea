/** One turn: looks once more whether the row may run, and takes it from tx 2 to tx 5. */
import { type Statement, type Store, StoreError } from '@runbound/store'
import type { Clock } from '../clock.ts'
import type { EventEnvelope } from '../events/types.ts'
import type { Logger } from '../logger.ts'
import type { Processor, RunOutcome } from '../runs/types.ts'
import type { TrailCode } from '../trail/codes.ts'
import type { Ending, Endings } from './endings.ts'
import { activateRow, endTurn, releaseSteering, rowState } from './mailbox-statements.ts'
import type { MailboxRow } from './rows.ts'
import type { ConversationNeeds } from './types.ts'

/** `done`: the row has ended. `later`: it could not start and waits. `run_id`: the run whose steering is free again. */
export type TurnResult = { readonly kind: 'done'; readonly run_id: string | null } | { readonly kind: 'later' }

export interface TurnParts {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly endings: Endings
  readonly needs: ConversationNeeds
}

const DONE: TurnResult = { kind: 'done', run_id: null }
const LATER: TurnResult = { kind: 'later' }
/** Default of `max_age_seconds`. */
const MAX_AGE_SECONDS = 86_400
/** Codes of a Runner whose plugin is not there: the operator finds it by the plugin. */
const PLUGIN_AWAY = /^runner\.plugin_/
/** What is wrong with the host and not with the row: the row waits, bounded by its age. */
const TEMPORARY: ReadonlySet<string> = new Set([
  'storage_full',
  'storage_failed',
  'storage_closed',
  'busy',
  'shutting_down',
])
/** A plugin that is just starting is waited for, but not as long as a row may wait. */
const STARTING = 'runner.plugin_not_initialized'
const STARTING_FAILURES_MAX = 8

export class Turns {
  readonly #parts: TurnParts

  constructor(parts: TurnParts) {
    this.#parts = parts
  }

  /** Never rejects. */
  async take(row: MailboxRow): Promise<TurnResult> {
    try {
      return await this.#take(row)
    } catch (error) {
      if (!StoreError.is(error)) this.#parts.logger.error({ err: error, row_id: row.row_id }, 'A turn could not start')
      return LATER
    }
  }

  async #take(row: MailboxRow): Promise<TurnResult> {
    const { needs, endings, clock } = this.#parts
    const envelope = row.envelope ?? (await needs.envelope(row.event_id))
    row.envelope = null
    const processor = await needs.processors.get(row.processor_id)
    if (envelope === undefined)
      return this.#end(row, endings.drop(row, undefined, processor, { code: 'event_missing' }))
    const refusal = refusalOf(row, processor, clock.now())
    if (refusal !== null || processor === undefined) {
      return this.#end(row, endings.drop(row, envelope, processor, refusal ?? { code: 'processor_not_found' }))
    }
    return this.#run(row, envelope, processor)
  }

  async #run(row: MailboxRow, envelope: EventEnvelope, processor: Processor): Promise<TurnResult> {
    const { needs, endings, clock } = this.#parts
    const outcome = await needs.runs.start({
      row_id: row.row_id,
      envelope,
      processor,
      conversation_key: row.conversation_key,
      attempt: row.attempt,
      scope: row.scope,
      opening: ({ run_id, owner, epoch }) => [
        activateRow({ row_id: row.row_id, kind: 'run', run_id, owner, epoch, now: clock.now() }),
        ...endings.inbound(row, envelope, run_id),
      ],
      closing: (ended) => this.#closing(row, ended),
    })
    if (outcome.status === 'not_started') return this.#notStarted(row, envelope, processor, outcome)
    return { kind: 'done', run_id: outcome.run_id }
  }

  /** What the chat user reads of a failed run is said by runs/, in the same unit. */
  #closing(row: MailboxRow, outcome: RunOutcome): readonly Statement[] {
    const { endings, clock } = this.#parts
    const { run_id, status, code, reason } = outcome
    return [
      endTurn({ row_id: row.row_id, reason: status === 'completed' ? status : (code ?? status), now: clock.now() }),
      endings.because(row, `run_${status}`, { run_id, code, reason: reason ?? code ?? status }),
      releaseSteering({ run_id }),
    ]
  }

  async #notStarted(
    row: MailboxRow,
    envelope: EventEnvelope,
    processor: Processor,
    fault: { readonly code: string; readonly message: string },
  ): Promise<TurnResult> {
    // Somebody else may have ended the row meanwhile: then there is nothing left to do with it.
    const stored = await this.#parts.store.first(rowState({ row_id: row.row_id }))
    if (stored?.state !== 'accepted' && stored?.state !== 'admitted') return DONE
    if (TEMPORARY.has(fault.code)) return LATER
    if (fault.code === STARTING && row.failures < STARTING_FAILURES_MAX) return LATER
    const code = PLUGIN_AWAY.test(fault.code) ? ('plugin_down' as const) : ('not_started' as const)
    const why = { code, details: { fault: fault.message, code: fault.code } }
    return this.#end(row, this.#parts.endings.drop(row, envelope, processor, why))
  }

  async #end(row: MailboxRow, ending: Ending): Promise<TurnResult> {
    const { store, logger } = this.#parts
    try {
      await store.commit(ending.statements)
    } catch (error) {
      if (StoreError.is(error) && error.code === 'refused') return DONE
      logger.warn({ err: error, row_id: row.row_id }, 'A row could not be ended; it is tried again')
      return LATER
    }
    ending.wake()
    return DONE
  }
}

/** Why a row is not run, looked at when its turn comes: settings may have changed while it waited. */
export function refusalOf(
  row: MailboxRow,
  processor: Processor | undefined,
  now: number,
): { readonly code: TrailCode; readonly details?: Readonly<Record<string, unknown>> } | null {
  if (processor === undefined) return { code: 'processor_not_found' }
  if (!processor.enabled) return { code: 'processor_disabled' }
  const max_age_seconds = processor.options.max_age_seconds ?? MAX_AGE_SECONDS
  const age_seconds = Math.floor((now - row.accepted_at) / 1000)
  return age_seconds > max_age_seconds ? { code: 'too_old', details: { age_seconds, max_age_seconds } } : null
}
