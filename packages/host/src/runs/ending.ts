/** Every way in which a run ends, and what its record, its ledger and the next room hear of it. */
import { LinkError, RemoteError, stringify } from '@runbound/link'
import type { JsonObject, RunCompletedPayload, RunFailedPayload } from '@runbound/protocol'
import { WireError } from '@runbound/protocol'
import type { CloseWhy } from '../gateway/types.ts'
import type { RecordedEnd } from './active-run.ts'
import type { LedgerEntry } from './types.ts'

export interface Ending extends RecordedEnd {
  /** What the gateway tells late callers. */
  readonly why: CloseWhy
}

/** Longest text of a failure in the record; a Runner may put whole documents into its message. */
const REASON_LENGTH = 2_000

/** The Runner said that it is done. Its own result is the last entry. */
export function completedEnding(data: JsonObject, payload: RunCompletedPayload, usage: JsonObject | null): Ending {
  const entry: LedgerEntry = { type: 'run.completed', data, usage, source: 'runner' }
  return { status: 'completed', reason: payload.finish_reason, code: null, ...costs(usage), entry, why: 'ended' }
}

/** The Runner said that it failed; `timedOut`: because its time was over. */
export function failedEnding(
  data: JsonObject,
  { error, code }: RunFailedPayload,
  usage: JsonObject | null,
  timedOut: boolean,
): Ending {
  const entry: LedgerEntry = { type: 'run.failed', data, usage, source: 'runner' }
  const reason = short(error)
  if (timedOut) return { status: 'timeout', reason, code: 'deadline', ...costs(usage), entry, why: 'deadline' }
  return { status: 'failed', reason, code: code === '' ? 'runner.error' : code, ...costs(usage), entry, why: 'ended' }
}

/** The stream ended without a terminal result. */
export function silentEnding(): Ending {
  const entry: LedgerEntry = { type: 'run.completed', data: { finish_reason: 'stop' }, source: 'host' }
  return { status: 'completed', reason: null, code: null, ...NO_COSTS, entry, why: 'ended' }
}

export function cancelledEnding(reason: string | null): Ending {
  const entry: LedgerEntry = { type: 'run.cancelled', data: { reason }, source: 'host' }
  return { status: 'cancelled', reason, code: 'cancelled', ...NO_COSTS, entry, why: 'cancelled' }
}

export function timeoutEnding(seconds: number): Ending {
  const reason = `The run passed its deadline of ${seconds} s.`
  const data = { error: reason, code: 'runner.timeout', retryable: true }
  const entry: LedgerEntry = { type: 'run.failed', data, source: 'host' }
  return { status: 'timeout', reason, code: 'deadline', ...NO_COSTS, entry, why: 'deadline' }
}

/** The host ends the run as failed. */
export function hostFailedEnding(code: string, reason: string, why: CloseWhy = 'ended'): Ending {
  const text = short(reason)
  const entry: LedgerEntry = { type: 'run.failed', data: { error: text, code, retryable: false }, source: 'host' }
  return { status: 'failed', reason: text, code, ...NO_COSTS, entry, why }
}

/** What a broken stream means: the plugin is gone, said no, or broke the rules of the link. */
export function brokenEnding(error: unknown): Ending {
  if (RemoteError.is(error)) return hostFailedEnding('runner_failed', error.message)
  if (LinkError.is(error)) {
    if (error.code === 'closed') {
      return hostFailedEnding('plugin_gone', 'The plugin went away while the run was active.', 'plugin_gone')
    }
    return hostFailedEnding(
      error.code === 'too_large' ? 'runner.result_too_large' : 'runner.link_failed',
      error.message,
    )
  }
  if (WireError.is(error)) return hostFailedEnding(error.reason, error.message)
  return hostFailedEnding('internal', 'The host failed while it ran this. Its log has the cause.')
}

/** Somebody with the right to do so ended the run from outside the stream. */
export function finalizedEnding(
  status: RecordedEnd['status'],
  reason: string | null,
  source: 'runner' | 'admin',
  extra: {
    readonly usage?: JsonObject | null
    readonly cost?: JsonObject | null
    readonly metadata?: JsonObject | null
  } = {},
): Ending {
  const type = status === 'completed' ? 'run.completed' : status === 'cancelled' ? 'run.cancelled' : 'run.failed'
  const data: JsonObject =
    type === 'run.failed'
      ? { error: reason ?? status, code: 'finalized', retryable: false }
      : { finish_reason: reason ?? 'stop' }
  const entry: LedgerEntry = { type, data, usage: extra.usage ?? null, source, metadata: extra.metadata ?? {} }
  const why: CloseWhy = status === 'cancelled' ? 'cancelled' : status === 'timeout' ? 'deadline' : 'ended'
  return { status, reason, code: 'finalized', usage: textOf(extra.usage), cost: textOf(extra.cost), entry, why }
}

const NO_COSTS = { usage: null, cost: null } as const

function costs(usage: JsonObject | null) {
  return { usage: textOf(usage), cost: null }
}

function textOf(value: object | null | undefined): string | null {
  return value == null ? null : stringify(value)
}

function short(text: string): string {
  return text.length <= REASON_LENGTH ? text : `${text.slice(0, REASON_LENGTH - 1)}…`
}
