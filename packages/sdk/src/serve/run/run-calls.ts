/** Calls bound to a run: they carry its id, stop at its deadline, and end with it. What is granted, the host decides. */
import type { Json } from '@runbound/protocol'
import {
  answerOf,
  dataOf,
  type RunAnswer,
  type RunMethod,
  type RunParams,
  type SharedCalls,
  secondsToMs,
  type WaitOptions,
  type Wire,
  waitOf,
} from '../calls/wire.ts'
import type { Grants } from './grants.ts'
import type { RunLife } from './life.ts'

/** Calls of one run. */
export interface RunCalls extends SharedCalls {
  run<N extends RunMethod>(action: N, params: RunParams<N>, options?: WaitOptions): Promise<RunAnswer<N>>
}

/** Binds the connection to a run. */
export function runCalls(wire: Wire, life: RunLife, grants: Grants): RunCalls {
  const ms = (action: string, wait: number | undefined): number =>
    Math.max(1, Math.min(secondsToMs(wait ?? waitOf(action, 'run')), life.remaining()))

  async function send(action: string, params: unknown, bound: { readonly run_id?: Json }, wait?: number) {
    life.check(action)
    const leave = life.enter()
    try {
      return await wire.send(action, { ...bound, ...dataOf(params) }, { ms: ms(action, wait), signal: life.signal })
    } catch (error) {
      throw grants.failure(action, dataOf(params), error)
    } finally {
      leave()
    }
  }

  const bound = { run_id: life.run_id }
  const run: RunCalls['run'] = async (action, params, options) =>
    answerOf(await send(action, params, bound, options?.wait))
  return {
    inRun: true,
    run,
    call: async (action, params, options) => answerOf(await send(action, params, bound, options?.wait)),
    free: async (action, params) => answerOf(await send(action, params, {})),
    features: () => {
      life.check('get_langbot_version')
      return wire.features()
    },
    async *stream(action, params, options) {
      life.check(action)
      const leave = life.enter()
      try {
        const idleMs = ms(action, options?.wait)
        const data = { ...bound, ...dataOf(params) }
        const frames = wire.frames(action, data, { ms: Math.max(1, life.remaining()), idleMs, signal: life.signal })
        for await (const frame of frames) yield answerOf(frame)
      } catch (error) {
        throw grants.failure(action, dataOf(params), error)
      } finally {
        leave()
      }
    },
  }
}
