/**
 * The one choke point (DESIGN §5). For each request, in this order: known method; which form; size and shape; the named
 * run or query lives and belongs to the caller of this link; the grant allows it; the deadline; then the handler.
 */
import type { IncomingRequest } from '@runbound/link'
import { type Denial, type JsonObject, type MethodRecord, WireError } from '@runbound/protocol'
import { METHODS } from '@runbound/protocol/schemas'
import type { Store } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { HostError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { type Answer, Answers } from './answers.ts'
import { asCall, type CallParts, RunningCall } from './call.ts'
import { wireFailure } from './failures.ts'
import { withoutIdentity } from './identity-fields.ts'
import { Queries } from './queries.ts'
import { type Living, Registry } from './registry.ts'
import { sealProblems } from './seal.ts'
import { formOf, readParams } from './shape.ts'
import { targetOf } from './targets.ts'
import { CallTrace } from './trace-call.ts'
import type { Call, Caller, CloseWhy, Gateway, GatewayWatch, HandlerTable, Invocation } from './types.ts'

/** How long handlers get to let go of a closing invocation, unless the room that closes says otherwise. */
const GRACE_MS = 2_000

export interface GatewayOptions {
  readonly store: Pick<Store, 'commit'>
  readonly clock: Clock
  readonly logger: Logger
  /** Default: the records of the protocol. */
  readonly methods?: Readonly<Record<string, MethodRecord>>
  /** Methods that another room answers before a link reaches the gateway (`register_plugin`). */
  readonly elsewhere?: readonly string[]
  /** Checks every answer against its record: for tests and development. Default false. */
  readonly checkAnswers?: boolean
  /** Hears of every call, refused ones too. */
  readonly watch?: GatewayWatch
}

export function createGateway(options: GatewayOptions): Gateway {
  return new HostGateway(options)
}

class HostGateway implements Gateway {
  readonly #methods: Readonly<Record<string, MethodRecord>>
  readonly #elsewhere: readonly string[]
  readonly #handlers: Record<string, HandlerTable[string]> = Object.create(null)
  readonly #registry = new Registry()
  readonly #queries = new Queries()
  readonly #parts: CallParts
  readonly #logger: Logger
  readonly #answers: Answers
  readonly #watch: GatewayWatch | undefined

  constructor(options: GatewayOptions) {
    this.#methods = options.methods ?? METHODS
    this.#elsewhere = options.elsewhere ?? []
    this.#parts = { store: options.store, clock: options.clock, registry: this.#registry }
    this.#logger = options.logger
    this.#watch = options.watch
    this.#answers = new Answers(options.logger, options.checkAnswers ?? false)
  }

  register(table: HandlerTable): void {
    for (const [name, forms] of Object.entries(table)) {
      const known = this.#handlers[name]
      const doubled = Object.keys(forms).find((form) => known !== undefined && form in known)
      if (doubled !== undefined) throw new HostError('programming', `two handlers for ${name} in form ${doubled}`)
      this.#handlers[name] = { ...known, ...forms }
    }
  }

  seal(): void {
    const problems = sealProblems(this.#methods, this.#handlers, this.#elsewhere)
    if (problems.length > 0) throw new HostError('programming', `the gateway is not complete: ${problems.join('; ')}`)
  }

  open(invocation: Invocation): void {
    this.#registry.open(invocation)
  }

  async close(runId: string, why: CloseWhy, graceMs = GRACE_MS, closer?: Call): Promise<void> {
    await this.#registry.end(runId, why)?.close(why, graceMs, closer)
  }

  living(runId: string): Invocation | undefined {
    return this.#registry.get(runId)?.invocation
  }

  livingOf(installationUuid: string): readonly Invocation[] {
    return this.#registry.of(installationUuid)
  }

  handQuery(query: Parameters<Gateway['handQuery']>[0]): () => void {
    return this.#queries.hand(query)
  }

  handle(caller: Caller, request: IncomingRequest): Answer {
    const { action } = request
    const record = Object.hasOwn(this.#methods, action) ? this.#methods[action] : undefined
    if (record === undefined || record.from !== 'plugin') {
      throw new WireError('unknown_method', `There is no method "${action}". Check its name and the SDK's version.`)
    }
    const data = withoutIdentity(request.data)
    // Looked up before the checks only so that a refused call stands in the trace of its own run.
    const runId = typeof data.run_id === 'string' ? data.run_id : null
    const named = runId === null ? undefined : this.#registry.get(runId)
    const own = named?.invocation.installation_uuid === caller.installation_uuid ? named : undefined
    const trace = new CallTrace(own?.invocation, action, this.#parts.clock, this.#watch)
    try {
      return this.#admit(record, caller, request, data, trace)
    } catch (error) {
      throw this.#failure(error, action, caller, runId, trace)
    }
  }

  #admit(record: MethodRecord, caller: Caller, request: IncomingRequest, data: JsonObject, trace: CallTrace): Answer {
    const name = formOf(record, data)
    const form = record.forms[name]
    if (form === undefined) throw new HostError('programming', `${record.name} lost its form ${name}`)
    const params = readParams(record.name, form, data)
    trace.target = targetOf(params)

    const living = name === 'run' ? this.#registry.require(String(data.run_id), caller.installation_uuid) : undefined
    const queryId = typeof data.query_id === 'number' ? data.query_id : Number.NaN
    const query = name === 'query' ? this.#queries.get(queryId, caller.installation_uuid) : undefined

    const denial = form.authorize({
      params,
      grant: living?.invocation.grant,
      query: name === 'query' ? this.#queries.grantOf(caller.installation_uuid) : undefined,
      installation: caller.grant,
    } as never)
    if (denial !== null) throw deniedError(denial)

    if (living !== undefined) this.#checkDeadline(living)
    const handler = this.#handlers[record.name]?.[name]
    if (handler === undefined) throw new HostError('programming', `${record.name} has no handler in form ${name}`)
    const { effect, waits } = form
    const call = new RunningCall(this.#parts, {
      form: name,
      method: record.name,
      caller,
      request,
      effect,
      waits,
      living,
      query,
    })
    return this.#answers.follow(handler(asCall(call), params), { call, form, living, trace })
  }

  #checkDeadline(living: Living): void {
    const { run_id, deadlineAt } = living.invocation
    if (deadlineAt === null || this.#parts.clock.now() < deadlineAt) return
    throw new WireError('deadline', `The time of run ${run_id} is over.`)
  }

  #failure(error: unknown, method: string, caller: Caller, runId: string | null, trace: CallTrace): WireError {
    const failure = wireFailure(error, { method, plugin_id: caller.plugin_id, run_id: runId }, this.#logger)
    trace.failed(failure)
    return failure
  }
}

/** The error of a refusal. */
export function deniedError(denial: Denial): WireError {
  return new WireError(
    denial.reason,
    denial.message,
    denial.details === undefined ? {} : { details: { ...denial.details } },
  )
}
