/** How a row ends without a completed run: its statements, its trail, and what the chat user reads. */
import type { Statement } from '@runbound/store'
import type { Clock } from '../clock.ts'
import type { DeliveryScope } from '../delivery/types.ts'
import type { EventEnvelope } from '../events/types.ts'
import type { Processor } from '../runs/types.ts'
import type { TrailCode } from '../trail/codes.ts'
import type { Trail } from '../trail/types.ts'
import { dropRow } from './mailbox-statements.ts'
import { inboundStatements } from './transcript.ts'
import type { ConversationNeeds } from './types.ts'

/** Statements for a unit, and what to call once it is committed. */
export interface Ending {
  readonly statements: readonly Statement[]
  readonly wake: () => void
}

export const NO_ENDING: Ending = { statements: [], wake: () => undefined }

/** Events after which a person waits for an answer. */
const ANSWERED: ReadonlySet<string> = new Set(['message.received', 'interaction.submitted'])
/** Ends of which the user should hear: what was said was neither answered nor refused by a rule. */
const SPOKEN: ReadonlySet<TrailCode> = new Set(['not_started', 'plugin_down', 'admission_failed'])

export interface EndingParts {
  readonly clock: Clock
  readonly trail: Trail
  readonly delivery: ConversationNeeds['delivery']
  readonly busySentence: string
  readonly failedSentence: string
}

/** What an ending says of a row; a NewRow and a MailboxRow both fit. */
export interface EndedRow {
  readonly row_id: string
  readonly workspace_uuid: string
  readonly event_id: string
  readonly processor_id: string
  readonly lane: string
  readonly conversation_key: string | null
  readonly gives_position: boolean
}

export class Endings {
  readonly #parts: EndingParts

  constructor(parts: EndingParts) {
    this.#parts = parts
  }

  /** A waiting row ends without a turn. Its message gets its place in history now, since no turn will give it one. */
  drop(
    row: EndedRow,
    envelope: EventEnvelope | undefined,
    processor: Processor | undefined,
    why: { readonly code: TrailCode; readonly details?: Readonly<Record<string, unknown>> },
  ): Ending {
    const { clock } = this.#parts
    const sentence = SPOKEN.has(why.code) ? this.failed(row, envelope, processor, row.row_id) : NO_ENDING
    return {
      statements: [
        dropRow({ row_id: row.row_id, reason: why.code, now: clock.now() }),
        this.because(row, why.code, why.details),
        ...this.inbound(row, envelope, null),
        ...sentence.statements,
      ],
      wake: sentence.wake,
    }
  }

  because(row: EndedRow, code: TrailCode, details?: Readonly<Record<string, unknown>>): Statement {
    const { workspace_uuid, event_id, processor_id } = row
    return this.#parts.trail.because(code, { workspace_uuid, event_id, processor_id, details: details ?? {} })
  }

  /** The message's place in history, if this row gives it. */
  inbound(row: EndedRow, envelope: EventEnvelope | undefined, runId: string | null): readonly Statement[] {
    if (!row.gives_position || envelope === undefined) return []
    const by = { run_id: runId, processor_id: row.processor_id }
    return inboundStatements(envelope, row.conversation_key, by, this.#parts.clock)
  }

  /** The processor's sentence, once per run (the key is delivery's own for a run's sentence). */
  failed(row: EndedRow, envelope: EventEnvelope | undefined, processor: Processor | undefined, runId: string): Ending {
    const own = processor?.options.sentence
    // Plugin processors listen beside the one that answers: their failure is the operator's business, unless told otherwise.
    const text = own ?? (processor?.kind === 'plugin_processor' ? '' : this.#parts.failedSentence)
    return this.#say(row, envelope, text, `sentence:${runId}`, runId)
  }

  /** A backlog is full. One sentence a minute: whoever floods a chat is not flooded back. */
  busy(row: EndedRow, envelope: EventEnvelope): Ending {
    const minute = Math.floor(this.#parts.clock.now() / 60_000)
    return this.#say(row, envelope, this.#parts.busySentence, `busy:${row.lane}:${minute}`, null)
  }

  #say(row: EndedRow, envelope: EventEnvelope | undefined, text: string, once: string, runId: string | null): Ending {
    if (text === '' || envelope === undefined || !ANSWERED.has(envelope.event_type)) return NO_ENDING
    const scope = scopeOf(row, envelope, runId)
    return scope === null ? NO_ENDING : this.#parts.delivery.sentence(scope, text, once)
  }
}

function scopeOf(row: EndedRow, envelope: EventEnvelope, run_id: string | null): DeliveryScope | null {
  const { bot_uuid, reply_target, conversation } = envelope
  if (bot_uuid === null || reply_target === null) return null
  return {
    workspace_uuid: envelope.workspace_uuid,
    bot_uuid,
    target: reply_target,
    run_id,
    event_id: envelope.event_id,
    processor_id: row.processor_id,
    conversation_id: conversation?.conversation_id ?? null,
    conversation_key: row.conversation_key,
    thread_id: conversation?.thread_id ?? null,
    origin_message_id: envelope.message_id,
    message_event: envelope.event_type === 'message.received',
    debug: envelope.debug !== null,
  }
}
