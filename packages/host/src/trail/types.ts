/** trail/ owns the table `trail`: why an event got an answer or none, one reason code per step. A leaf room. */
import type { Statement } from '@runbound/store'
import type { TrailActor, TrailCode, TrailOutcome } from './codes.ts'
import type { ReasonCode } from './reasons.ts'
import type { Silence } from './silence.ts'

export type TrailStep = 'intake' | 'route' | 'admission' | 'run' | 'delivery'

export interface TrailEntry {
  readonly workspace_uuid: string
  readonly event_id: string
  readonly processor_id?: string | null
  readonly step: TrailStep
  readonly code: TrailCode
  /** One sentence for the operator; without secrets. {@link import('./codes.ts').trailSentence} makes it from the code. */
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

export interface TrailRecord extends Omit<TrailEntry, 'code'> {
  /** A TrailCode; text, because an older or newer host may have written it. */
  readonly code: string
  /** Milliseconds. */
  readonly at: number
}

/** The answer to "why no answer?". */
export interface TrailVerdict {
  readonly code: string
  readonly sentence: string
  readonly answered: boolean
  /** Once nothing of the event is open any more: `failed` by a fault, `silent` because the rules or the plugin want it so. */
  readonly outcome: TrailOutcome
  /** Who has to act. */
  readonly who: TrailActor
  readonly entries: readonly TrailRecord[]
}

export interface Trail {
  /** A statement for another room's unit. */
  entry(entry: TrailEntry): Statement
  /** The same, with step and sentence taken from the code. */
  because(
    code: TrailCode,
    about: Pick<TrailEntry, 'workspace_uuid' | 'event_id' | 'processor_id' | 'details'>,
  ): Statement
  /** All entries of an event, oldest first. */
  of(eventId: string): Promise<readonly TrailRecord[]>
  /** "Why no answer?": the deciding entry as one sentence with its code; null for an event without a trail. */
  why(eventId: string): Promise<TrailVerdict | null>
  /** The same for many events at once; those without a trail are left out. */
  verdicts(eventIds: readonly string[]): Promise<ReadonlyMap<string, TrailVerdict>>
  /** Every reason code, and the ways to stay silent with the code of each: for the console and the docs. */
  reasons(): { readonly reasons: ReasonCode[]; readonly silence: Silence[] }
}
