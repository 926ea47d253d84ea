/** One call that passed every check, as its handler sees it. Allocated per request: everything costly is lazy. */
import type { IncomingRequest } from '@runbound/link'
import type { Effect, FormName } from '@runbound/protocol'
import type { Statement, StatementResult, Store } from '@runbound/store'
import type { Clock } from '../clock.ts'
import type { Living, Registry } from './registry.ts'
import type { Call, Caller, Invocation, LivingQuery } from './types.ts'

/** Time kept back so that the answer arrives before the other side stops waiting. */
const TO_GET_THERE_MS = 1_000

export interface CallParts {
  readonly store: Pick<Store, 'commit'>
  readonly clock: Clock
  readonly registry: Registry
}

export interface CallFacts {
  readonly form: FormName
  readonly method: string
  readonly caller: Caller
  readonly request: IncomingRequest
  readonly effect: Effect
  readonly waits: number
  readonly living: Living | undefined
  readonly query: LivingQuery | undefined
}

/** The one implementation for all forms; `invocation` and `query` are there in their form only. */
export class RunningCall {
  readonly form: FormName
  readonly method: string
  readonly caller: Caller
  readonly effect: Effect
  readonly invocation: Invocation | undefined
  readonly query: LivingQuery | undefined
  readonly #parts: CallParts
  readonly #facts: CallFacts
  #signal: AbortSignal | undefined

  constructor(parts: CallParts, facts: CallFacts) {
    this.#parts = parts
    this.#facts = facts
    this.form = facts.form
    this.method = facts.method
    this.caller = facts.caller
    this.effect = facts.effect
    this.invocation = facts.living?.invocation
    this.query = facts.query
  }

  get signal(): AbortSignal {
    const { living, request } = this.#facts
    this.#signal ??=
      living === undefined ? request.signal : AbortSignal.any([request.signal, living.invocation.signal, living.signal])
    return this.#signal
  }

  get patienceMs(): number {
    const wire = this.#facts.waits * 1_000 - TO_GET_THERE_MS
    const deadline = this.invocation?.deadlineAt
    if (deadline == null) return wire
    return Math.max(0, Math.min(wire, deadline - this.#parts.clock.now() - TO_GET_THERE_MS))
  }

  async commit(statements: readonly Statement[]): Promise<readonly StatementResult[]> {
    const owner = this.invocation?.owner
    if (owner !== undefined) return owner.commit(statements, { effect: this.effect !== 'none' })
    if (this.effect !== 'none') await this.#markInstallation()
    return this.#parts.store.commit(statements)
  }

  async intend(): Promise<void> {
    const owner = this.invocation?.owner
    if (owner !== undefined) await owner.markEffect()
    else await this.#markInstallation()
  }

  /**
   * A write without a run may still have been made by one: nobody can tell, so each active run of the installation
   * counts as having had an effect (DESIGN §4). A run that ends meanwhile is no reason to refuse the write.
   */
  async #markInstallation(): Promise<void> {
    const running = this.#parts.registry.of(this.caller.installation_uuid)
    if (running.length > 0) await Promise.allSettled(running.map((invocation) => invocation.owner.markEffect()))
  }
}

/** The edge where the one implementation becomes the call of a form. */
export function asCall(call: RunningCall): Call<never> {
  return call as unknown as Call<never>
}
