/** Collects the lines of a grant, and turns a refused one into the Denial that a call gets. */
import type { Denial, Reason } from '@runbound/protocol'
import type { GrantLine, RefusedBy } from './types.ts'

/** A refusal while the grant is computed; null allows. */
export interface Refusal {
  readonly by: RefusedBy
  readonly why: string
  /** Default `permission_denied`. */
  readonly reason?: Reason
}

export class Explanation {
  readonly #lines: GrantLine[] = []
  readonly #denials = new Map<string, Denial | null>()

  get lines(): readonly GrantLine[] {
    return this.#lines
  }

  /** Notes one thing; true when it is allowed. */
  note(thing: string, refusal: Refusal | null): boolean {
    if (refusal === null) this.#lines.push({ thing, allowed: true })
    else this.#lines.push({ thing, allowed: false, by: refusal.by, why: refusal.why })
    this.#denials.set(thing, refusal === null ? null : denialOf(thing, refusal))
    return refusal === null
  }

  /** What a call of the thing hears. What was never noted is not granted. */
  denial(thing: string): Denial | null {
    const noted = this.#denials.get(thing)
    return noted === undefined ? denialOf(thing, NOT_OFFERED) : noted
  }
}

const NOT_OFFERED: Refusal = { by: 'operator', why: 'it is not among what the operator granted' }

function denialOf(thing: string, refusal: Refusal): Denial {
  return {
    reason: refusal.reason ?? 'permission_denied',
    message: `${thing} is not granted to this run: ${refusal.why}.`,
    details: { thing, by: refusal.by },
  }
}

/** The first refusal of several, in the order manifest, operator, event, platform. */
export function firstRefusal(...refusals: readonly (Refusal | null)[]): Refusal | null {
  return refusals.find((refusal) => refusal !== null) ?? null
}

/** A refusal unless the condition holds. */
export function unless(allowed: boolean, by: RefusedBy, why: string, reason?: Reason): Refusal | null {
  return allowed ? null : { by, why, ...(reason === undefined ? {} : { reason }) }
}
