/**
 * Typed calls to the host. Names, parameters and answers come from the protocol's method records; this file is the one
 * place where an answer gets its type, because the host's records have checked it before it was sent.
 */
import type { Peer } from '@runbound/link'
import type { FormsOf, JsonObject, MethodName, ParamsInput, Result } from '@runbound/protocol'
import { PLUGIN_CALL_WAITS } from '@runbound/protocol'
import { AgentAPIException } from '../../errors.ts'
import { authorError } from './failures.ts'

type With<F extends string> = { [N in MethodName]: F extends FormsOf<N> ? N : never }[MethodName]
/** Methods that can be called in a run. */
export type RunMethod = With<'run'>
/** Methods that can be called outside runs. */
export type InstallationMethod = With<'installation'>
/** Methods with both forms. */
export type SharedMethod = RunMethod & InstallationMethod

/** Parameters of the run's form; its id is added by the call. */
export type RunParams<N extends RunMethod> = Omit<ParamsInput<N, FormsOf<N> & 'run'>, 'run_id'>
export type RunAnswer<N extends RunMethod> = Result<N, FormsOf<N> & 'run'>
export type OutsideParams<N extends InstallationMethod> = ParamsInput<N, FormsOf<N> & 'installation'>
export type OutsideAnswer<N extends InstallationMethod> = Result<N, FormsOf<N> & 'installation'>

/** How long to wait, in seconds, instead of what the method's record says. */
export interface WaitOptions {
  readonly wait?: number | undefined
}

/** What works the same in a run and outside: who calls decides which form is sent. */
export interface SharedCalls {
  /** True inside a run. */
  readonly inRun: boolean
  call<N extends SharedMethod>(action: N, params: OutsideParams<N>, options?: WaitOptions): Promise<OutsideAnswer<N>>
  stream<N extends SharedMethod>(
    action: N,
    params: OutsideParams<N>,
    options?: WaitOptions,
  ): AsyncIterable<OutsideAnswer<N>>
  /** A call without `run_id` that either side may make: version and uploaded files. */
  free<N extends 'get_langbot_version' | 'get_config_file'>(
    action: N,
    params: OutsideParams<N>,
  ): Promise<OutsideAnswer<N>>
  /** Optional features of this host, asked once per connection. */
  features(): Promise<HostFeatures>
}

/** Calls under the installation grant. */
export interface OutsideCalls extends SharedCalls {
  outside<N extends InstallationMethod>(action: N, params: OutsideParams<N>): Promise<OutsideAnswer<N>>
}

/** What the host says about itself. */
export interface HostFeatures {
  readonly version: string
  readonly api_features: readonly string[]
}

/** One connection, without types: sends, waits, and maps failures. */
export class Wire {
  readonly #peer: Peer
  #features: Promise<HostFeatures> | undefined

  constructor(peer: Peer) {
    this.#peer = peer
  }

  async send(
    action: string,
    data: JsonObject,
    options: { readonly ms: number; readonly signal?: AbortSignal },
  ): Promise<JsonObject> {
    try {
      return await this.#peer.call(action, data, { timeoutMs: options.ms, signal: options.signal })
    } catch (error) {
      throw authorError(action, error)
    }
  }

  async *frames(
    action: string,
    data: JsonObject,
    options: { readonly ms: number; readonly idleMs: number; readonly signal?: AbortSignal },
  ): AsyncGenerator<JsonObject> {
    try {
      yield* this.#peer.stream(action, data, { timeoutMs: options.ms, idleMs: options.idleMs, signal: options.signal })
    } catch (error) {
      throw authorError(action, error)
    }
  }

  features(): Promise<HostFeatures> {
    // A failed question is asked again: the failure may have been the caller's own deadline.
    this.#features ??= outsideCalls(this)
      .free('get_langbot_version', {})
      .catch((error: unknown) => {
        this.#features = undefined
        throw error
      })
    return this.#features
  }
}

/** Seconds that the method's record says for this form. */
export function waitOf(action: string, form: 'run' | 'installation'): number {
  const waits: { readonly [form: string]: number } = PLUGIN_CALL_WAITS[action as keyof typeof PLUGIN_CALL_WAITS]
  return waits[form] ?? waits.installation ?? 15
}

/** Gives an answer or frame the type of its method: see the header of this file. */
export function answerOf<T>(answer: JsonObject): T {
  return answer as unknown as T
}

/** Parameters are plain JSON by their types; only the index signature is added here. */
export function dataOf(params: unknown): JsonObject {
  return params as JsonObject
}

/** Calls under the installation grant, for `setup` and what else works outside runs. */
export function outsideCalls(wire: Wire): OutsideCalls {
  const outside: OutsideCalls['outside'] = async (action, params) =>
    answerOf(await wire.send(action, dataOf(params), { ms: waitOf(action, 'installation') * 1000 }))
  return {
    inRun: false,
    outside,
    free: outside,
    call: async (action, params, options) =>
      answerOf(
        await wire.send(action, dataOf(params), { ms: secondsToMs(options?.wait ?? waitOf(action, 'installation')) }),
      ),
    async *stream(action, params, options) {
      const idleMs = secondsToMs(options?.wait ?? waitOf(action, 'installation'))
      for await (const frame of wire.frames(action, dataOf(params), { ms: Number.POSITIVE_INFINITY, idleMs }))
        yield answerOf(frame)
    },
    features: () => wire.features(),
  }
}

/** A wait in milliseconds. Throws AgentAPIException for a wait that is no time. */
export function secondsToMs(seconds: number): number {
  if (seconds > 0) return seconds * 1000
  throw AgentAPIException.of('invalid_params', `timeout must be above 0 seconds, not ${String(seconds)}.`)
}
