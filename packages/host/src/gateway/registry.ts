/** The registry of living invocations: by run, by installation, and what is in work for each. */
import { WireError } from '@runbound/protocol'
import { HostError } from '../errors.ts'
import { EndedRuns } from './ended.ts'
import type { CloseWhy, Invocation } from './types.ts'

/** A call in work; `abandon` answers it when its handler did not let go in time. */
export interface PendingCall {
  /** The call as its handler has it. */
  readonly call: object
  abandon(error: WireError): void
}

/** One living invocation and the calls that hang on it. */
export class Living {
  readonly invocation: Invocation
  readonly #pending = new Set<PendingCall>()
  #controller: AbortController | undefined
  #closed: CloseWhy | undefined
  /** The call that closes its own invocation. */
  #closer: object | undefined
  #idle: (() => void) | undefined

  constructor(invocation: Invocation) {
    this.invocation = invocation
  }

  /** Aborts when the invocation closes. Made when first read: most calls never look. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#closed !== undefined) this.#controller.abort(endedError(this.invocation.run_id, this.#closed))
    }
    return this.#controller.signal
  }

  enter(call: PendingCall): void {
    this.#pending.add(call)
  }

  leave(call: PendingCall): void {
    this.#pending.delete(call)
    // Set only while it closes: an ordinary call pays nothing for this.
    if (this.#idle !== undefined && this.#others().length === 0) this.#idle()
  }

  /**
   * Aborts what is in work, waits at most `graceMs` for it, then answers the rest in its place. `closer`: a call that ends its
   * own invocation goes on and is not waited for.
   */
  async close(why: CloseWhy, graceMs: number, closer?: object): Promise<void> {
    this.#closed = why
    this.#closer = closer
    // Most runs end with nothing in work: an error with its stack is made only for somebody who gets it.
    if (this.#pending.size === 0 && this.#controller === undefined) return
    const error = endedError(this.invocation.run_id, why)
    this.#controller?.abort(error)
    if (this.#others().length === 0) return
    await this.#settled(graceMs)
    for (const call of this.#others()) call.abandon(error)
  }

  #others(): readonly PendingCall[] {
    return [...this.#pending].filter(({ call }) => call !== this.#closer)
  }

  #settled(graceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, graceMs)
      this.#idle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** Why a run can't be called any more, in the words that its plugin reads. */
const ENDINGS: Record<CloseWhy, string> = {
  ended: 'has ended',
  cancelled: 'was cancelled',
  deadline: 'ran out of time',
  plugin_gone: 'ended when its plugin went away',
}

/** The refusal of a run that is over. */
export function endedError(runId: string, why: CloseWhy): WireError {
  const message = `Run ${runId} ${ENDINGS[why]}; its context is dead. Do not keep it beyond the handler.`
  return new WireError('run_ended', message, { details: { why } })
}

/** The refusal of a run that never was, or belongs to somebody else: the two are not told apart. */
export function unknownRunError(runId: string): WireError {
  return new WireError(
    'run_unknown',
    `No living run of this plugin has the id ${runId}. Use the run_id of the context.`,
  )
}

export class Registry {
  readonly #living = new Map<string, Living>()
  readonly #byInstallation = new Map<string, Set<Living>>()
  readonly #ended = new EndedRuns()

  open(invocation: Invocation): void {
    const { run_id, installation_uuid } = invocation
    if (this.#living.has(run_id)) throw new HostError('programming', `run ${run_id} is already open`)
    const living = new Living(invocation)
    this.#living.set(run_id, living)
    const siblings = this.#byInstallation.get(installation_uuid)
    if (siblings === undefined) this.#byInstallation.set(installation_uuid, new Set([living]))
    else siblings.add(living)
  }

  /** Takes the invocation out: from here on nothing new enters. Undefined when it is not living. */
  end(runId: string, why: CloseWhy): Living | undefined {
    const living = this.#living.get(runId)
    if (living === undefined) return undefined
    const { installation_uuid } = living.invocation
    this.#living.delete(runId)
    this.#ended.add(runId, { installation_uuid, why })
    const siblings = this.#byInstallation.get(installation_uuid)
    siblings?.delete(living)
    if (siblings?.size === 0) this.#byInstallation.delete(installation_uuid)
    return living
  }

  get(runId: string): Living | undefined {
    return this.#living.get(runId)
  }

  of(installationUuid: string): readonly Invocation[] {
    const siblings = this.#byInstallation.get(installationUuid)
    return siblings === undefined ? [] : Array.from(siblings, (living) => living.invocation)
  }

  /**
   * The living invocation of this installation; throws `run_unknown` for a run that never was or is another's,
   * `run_ended` for one of its own that is over.
   */
  require(runId: string, installationUuid: string): Living {
    const living = this.#living.get(runId)
    if (living !== undefined && living.invocation.installation_uuid === installationUuid) return living
    const ended = this.#ended.get(runId)
    if (ended?.installation_uuid === installationUuid) throw endedError(runId, ended.why)
    throw unknownRunError(runId)
  }
}
