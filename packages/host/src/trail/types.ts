/** trail/ owns the table `trail`: why an event got an answer or none, one reason code per step. A leaf room. */
import type { Statement } from '@runbound/store'

export type TrailStep = 'intake' | 'route' | 'admission' | 'run' | 'delivery'

export interface TrailEntry {
  readonly workspace_uuid: string
  readonly event_id: string
  readonly processor_id?: string | null
  readonly step: TrailStep
  /** A key of TRAIL_CODES. */
  readonly code: string
  /** One sentence for the operator; without secrets. */
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

export interface TrailRecord extends TrailEntry {
  readonly at: number
}

export interface Trail {
  /** A statement for another room's unit. */
  entry(entry: TrailEntry): Statement
  of(eventId: string): Promise<readonly TrailRecord[]>
  /** "Why no answer?": the deciding entry, as one sentence with its code. */
  why(eventId: string): Promise<{ readonly code: string; readonly sentence: string; readonly entries: readonly TrailRecord[] } | null>
}
