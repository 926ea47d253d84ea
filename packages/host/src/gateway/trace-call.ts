/** Measures one call of a run and says in the trace how it went. */
import type { Reason, WireError } from '@runbound/protocol'
import type { Clock } from '../clock.ts'
import type { GatewayWatch, Invocation, TraceEntry } from './types.ts'

/** Reasons that mean "the gateway or a handler said no", not "it was tried and went wrong". */
const DENIALS = new Set<Reason>([
  'permission_denied',
  'target_denied',
  'actor_denied',
  'invalid_params',
  'unknown_form',
  'too_large',
  'not_available',
  'invalid_cursor',
])

export class CallTrace {
  readonly #invocation: Invocation | undefined
  readonly #method: string
  readonly #startedAt: number
  readonly #watch: GatewayWatch | undefined
  readonly #started = performance.now()
  target: string | null = null

  constructor(invocation: Invocation | undefined, method: string, clock: Clock, watch?: GatewayWatch) {
    this.#invocation = invocation
    this.#watch = watch
    this.#method = method
    this.#startedAt = clock.now()
  }

  ok(): void {
    this.#write('ok', null)
  }

  failed(error: WireError): void {
    const { reason } = error
    const cancelled = reason === 'cancelled' || reason === 'deadline' || reason === 'run_ended'
    this.#write(cancelled ? 'cancelled' : DENIALS.has(reason) ? 'denied' : 'failed', reason)
  }

  cancelled(): void {
    this.#write('cancelled', null)
  }

  #write(outcome: TraceEntry['outcome'], reason: string | null): void {
    if (this.#invocation === undefined && this.#watch === undefined) return
    const micros = Math.round((performance.now() - this.#started) * 1_000)
    const entry = { at: this.#startedAt, method: this.#method, target: this.target, outcome, reason, micros }
    this.#invocation?.owner.trace(entry)
    this.#watch?.(entry, this.#invocation)
  }
}
