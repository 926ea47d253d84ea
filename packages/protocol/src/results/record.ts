/** The shape of a result record: each kind of RunnerResult is a request of its own (DESIGN §5). */
import type { z } from 'zod'
import type { LimitName } from '../limits.ts'
import type { Denial, Effect, RunGrant } from '../method.ts'
import type { ResultType } from '../names.ts'

/** One kind of result: what its `data` must be, whether it ends the run, what it needs and does. */
export interface ResultRecord<T extends ResultType, P extends z.ZodType> {
  readonly type: T
  readonly summary: string
  /** Shape of `data`; unknown keys are refused. */
  readonly payload: P
  /** True for a kind after which nothing more is read. */
  readonly terminal: boolean
  readonly effect: Effect
  /** Names of the limits that it may run into. */
  readonly limits: readonly LimitName[]
  authorize(input: { readonly grant: RunGrant; readonly payload: z.output<P> }): Denial | null
}

/** A result record whose payload type was forgotten; what the gateway works with. */
export interface AnyResultRecord {
  readonly type: ResultType
  readonly summary: string
  readonly payload: z.ZodType
  readonly terminal: boolean
  readonly effect: Effect
  readonly limits: readonly LimitName[]
  authorize(input: never): Denial | null
}

/** Declares a result kind, so that `authorize` knows its payload. */
export function resultKind<const T extends ResultType, P extends z.ZodType>(
  record: ResultRecord<T, P>,
): ResultRecord<T, P> {
  return record
}
