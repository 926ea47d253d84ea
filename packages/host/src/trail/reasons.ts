/** Every reason code as data: for the console, the docs and whoever reads trails. */
import { TRAIL_CODES, type TrailActor, type TrailCodeFacts, type TrailOutcome } from './codes.ts'
import type { TrailStep } from './types.ts'

export interface ReasonCode {
  readonly code: string
  readonly step: TrailStep
  /** With `{names}` that an entry's details fill. */
  readonly sentence: string
  readonly who: TrailActor
  readonly decides: TrailOutcome
  /** What will write it; null: written today. */
  readonly open_in: string | null
}

/** All codes, in the order of the steps. */
export function reasonCodes(): ReasonCode[] {
  return Object.entries<TrailCodeFacts>(TRAIL_CODES).map(([code, { step, says, who, decides, reserved }]) => ({
    code,
    step,
    sentence: says,
    who,
    decides,
    open_in: reserved ?? null,
  }))
}
