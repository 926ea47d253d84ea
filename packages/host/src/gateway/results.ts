/**
 * Each result of a Runner is a request of its own (DESIGN §5): known kind, shape, whose run, granted. What is refused is
 * handed back with its reason, so that the ledger shows it; it never vanishes and never leaves a hole in the sequence.
 */
import type { Denial, JsonObject, Reason, ResultPayloads, ResultType, WireError } from '@runbound/protocol'
import { type AnyResultRecord, RunnerResultSchema, resultRecord } from '@runbound/protocol/schemas'
import type { HostRunGrant } from './types.ts'

interface AcceptedOf<T extends ResultType> {
  readonly kind: 'accepted'
  readonly type: T
  /** As it came, for the ledger. */
  readonly data: JsonObject
  readonly payload: ResultPayloads[T]
  readonly usage: JsonObject | null
}

/** A result that may be carried out; `type` picks the payload. */
export type AcceptedResult = { [T in ResultType]: AcceptedOf<T> }[ResultType]

/** A kind of the author's own: kept in the ledger, without effect. */
export interface KeptResult {
  readonly kind: 'kept'
  readonly type: string
  readonly data: JsonObject
  readonly usage: JsonObject | null
}

export interface RejectedResult {
  readonly kind: 'rejected'
  readonly type: string
  readonly reason: Reason
  readonly message: string
}

/** A result after which the run can't go on: of another run, or an end that can't be read. */
export interface FatalResult {
  readonly kind: 'fatal'
  readonly type: string
  readonly code: 'runner.result_of_other_run' | 'runner.invalid_result'
  readonly message: string
}

export type JudgedResult = AcceptedResult | KeptResult | RejectedResult | FatalResult

/** Judges one frame of `run_runner`. Its size is already bounded: a frame of the link is no larger than LIMITS.result. */
export function judgeResult(runId: string, grant: HostRunGrant, frame: JsonObject): JudgedResult {
  const type = typeof frame.type === 'string' ? frame.type : 'unknown'
  if (typeof frame.run_id === 'string' && frame.run_id !== runId) {
    const message = `The Runner yielded a result of the run ${frame.run_id} in the run ${runId}.`
    return { kind: 'fatal', type, code: 'runner.result_of_other_run', message }
  }
  const record = resultRecord(type)
  const read = RunnerResultSchema.safeParse(frame)
  if (!read.success) return unfit(type, record, read.error.issues[0])
  const { data } = read.data
  // Counters of the provider are kept as they came; the link has read them as JSON.
  const usage = read.data.usage as JsonObject | null
  if (record === undefined) return { kind: 'kept', type, data, usage }

  const payload = record.payload.safeParse(data)
  if (!payload.success) return unfit(type, record, payload.error.issues[0], 'data')
  // The record forgot its payload's type when it was looked up by name.
  const denial: Denial | null = record.authorize({ grant, payload: payload.data } as never)
  if (denial !== null) return { kind: 'rejected', type, reason: denial.reason, message: denial.message }
  // By construction: the payload was read with the schema of this type.
  return { kind: 'accepted', type: record.type, data, payload: payload.data, usage } as AcceptedResult
}

/** What a refusal while a result is carried out becomes. */
export function rejectedBy(type: string, error: WireError): RejectedResult {
  return { kind: 'rejected', type, reason: error.reason, message: error.message }
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly code?: string | undefined
  readonly keys?: unknown
}

function unfit(
  type: string,
  record: AnyResultRecord | undefined,
  issue: Issue | undefined,
  below?: string,
): RejectedResult | FatalResult {
  const extra = Array.isArray(issue?.keys) ? issue.keys.slice(0, 1) : []
  const field = [...(below === undefined ? [] : [below]), ...(issue?.path ?? []), ...extra].map(String).join('.')
  const message = `A result of kind "${type}" does not fit: "${field}": ${issue?.message ?? 'unreadable'}.`
  // An end that can't be read still is an end: going on would let a run live that said it was over.
  if (record?.terminal === true) return { kind: 'fatal', type, code: 'runner.invalid_result', message }
  return { kind: 'rejected', type, reason: 'invalid_result', message }
}
