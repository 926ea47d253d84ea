/** Follows a handler's answer to its end: one answer, a promise or a stream; measured, translated, and let go when its run closes. */
import type { AnyForm, JsonObject, WireError } from '@runbound/protocol'
import { HostError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { RunningCall } from './call.ts'
import { wireFailure } from './failures.ts'
import type { Living } from './registry.ts'
import type { CallTrace } from './trace-call.ts'

export type Answer = JsonObject | Promise<JsonObject> | AsyncIterable<JsonObject>

/** What an answer belongs to. */
export interface Followed {
  readonly call: RunningCall
  readonly form: AnyForm
  readonly living: Living | undefined
  readonly trace: CallTrace
}

export class Answers {
  readonly #logger: Logger
  readonly #checks: boolean

  /** `checks`: every answer is read with its record's schema, for tests and development. */
  constructor(logger: Logger, checks: boolean) {
    this.#logger = logger
    this.#checks = checks
  }

  follow(answer: Answer, followed: Followed): Answer {
    if (Symbol.asyncIterator in answer) return this.#frames(answer, followed)
    if (answer instanceof Promise) return this.#promised(answer, followed)
    this.#check(followed, answer)
    followed.trace.ok()
    return answer
  }

  /** The handler's answer, or the end of its run, whichever comes first. */
  #promised(answer: Promise<JsonObject>, followed: Followed): Promise<JsonObject> {
    const { call, living, trace } = followed
    return new Promise((resolve, reject) => {
      const pending = { call, abandon: (error: WireError) => settle(() => reject(error), error) }
      let settled = false
      const settle = (answerIt: () => void, error: WireError | null) => {
        if (settled) return
        settled = true
        if (error === null) trace.ok()
        else trace.failed(error)
        living?.leave(pending)
        answerIt()
      }
      const fail = (error: unknown) => {
        const failure = this.#failure(error, followed)
        settle(() => reject(failure), failure)
      }
      living?.enter(pending)
      answer.then((data) => {
        try {
          this.#check(followed, data)
        } catch (error) {
          fail(error)
          return
        }
        settle(() => resolve(data), null)
      }, fail)
    })
  }

  async *#frames(frames: AsyncIterable<JsonObject>, followed: Followed): AsyncGenerator<JsonObject> {
    const { call, living, trace } = followed
    // A stream is let go by its signal; there is no single answer that could be given in its place.
    const pending = { call, abandon: () => undefined }
    let outcome: WireError | 'ok' | 'cancelled' = 'cancelled'
    living?.enter(pending)
    try {
      for await (const frame of frames) {
        call.signal.throwIfAborted()
        this.#check(followed, frame)
        yield frame
      }
      outcome = 'ok'
    } catch (error) {
      outcome = this.#failure(error, followed)
      throw outcome
    } finally {
      living?.leave(pending)
      if (outcome === 'ok') trace.ok()
      else if (outcome === 'cancelled') trace.cancelled()
      else trace.failed(outcome)
    }
  }

  #check({ call, form }: Followed, answer: JsonObject): void {
    if (!this.#checks) return
    const read = form.result.safeParse(answer)
    if (read.success) return
    throw new HostError('programming', `the answer of ${call.method} does not fit: ${read.error.message}`)
  }

  #failure(error: unknown, { call }: Followed): WireError {
    const { method, caller, invocation } = call
    return wireFailure(error, { method, plugin_id: caller.plugin_id, run_id: invocation?.run_id ?? null }, this.#logger)
  }
}
