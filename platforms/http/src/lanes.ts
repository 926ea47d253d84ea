/** One thing after another per session; sessions never wait for each other. */
import { AdapterError } from '@runbound/platform-kit'

/** Most callbacks of one session that wait; more are refused, newest first. */
export const MAX_WAITING = 100

export class Lanes {
  readonly #tails = new Map<string, { last: Promise<unknown>; waiting: number }>()

  /** Runs `work` after everything that this session has queued before. Rejects with `rate_limited` when the queue is full. */
  run<T>(session_id: string, work: () => Promise<T>): Promise<T> {
    const lane = this.#tails.get(session_id)
    if (lane !== undefined && lane.waiting >= MAX_WAITING) {
      return Promise.reject(
        new AdapterError('rate_limited', `${MAX_WAITING} callbacks of this session are waiting already.`, {
          retryAfterMs: 1_000,
        }),
      )
    }
    const result = lane === undefined ? work() : lane.last.then(work)
    const tail = { last: result.catch(() => {}), waiting: (lane?.waiting ?? 0) + 1 }
    this.#tails.set(session_id, tail)
    tail.last = tail.last.then(() => {
      const now = this.#tails.get(session_id)
      if (now === undefined) return
      now.waiting--
      if (now.waiting === 0) this.#tails.delete(session_id)
    })
    return result
  }
}
