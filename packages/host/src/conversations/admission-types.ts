/** What the rules before a run (pipelines/) decide about a row, and what they are asked with. */
import type { Statement } from '@runbound/store'
import type { EventEnvelope } from '../events/types.ts'
import type { Processor } from '../runs/types.ts'
import type { TrailCode } from '../trail/codes.ts'

export interface AdmissionRequest {
  readonly row_id: string
  readonly lane: string
  readonly conversation_key: string | null
  readonly attempt: number
  /** Milliseconds. */
  readonly accepted_at: number
  readonly envelope: EventEnvelope
  readonly processor: Processor
  readonly signal: AbortSignal
}

interface Decided {
  /** Joined to the unit of the decision (tx 1b): counters, variables, guards. */
  readonly statements?: readonly Statement[]
}

/** The code goes to the trail and ends the row. */
interface WithCode {
  readonly code: TrailCode
  readonly details?: Readonly<Record<string, unknown>>
}

export type Verdict =
  | (Decided & { readonly kind: 'run' })
  /** Executed beside the run lane, one after another. */
  | (Decided & { readonly kind: 'command' | 'cancel' })
  /** Given to an active run; `statements` refuse the unit when that run has ended, and the row is decided anew. */
  | (Decided & { readonly kind: 'steer'; readonly run_id: string })
  | (Decided & WithCode & { readonly kind: 'drop' })
  /** Asked again at `due_at` (milliseconds); the lane goes on. */
  | (Decided & { readonly kind: 'park'; readonly due_at: number })

export interface Admission {
  /** False: rows of this processor are run without asking. */
  handles(processor: Processor): boolean
  /** Serial per lane. An error ends the row with `admission_failed`: what could not be checked is not run. */
  admit(request: AdmissionRequest): Promise<Verdict>
  /** Executes a command or a cancel. The statements end the row together with it. */
  beside(kind: 'command' | 'cancel', request: AdmissionRequest): Promise<Decided & WithCode>
}
