/**
 * How long a run's context lives. Every bound call passes here first: after the end nothing is sent any more, also by
 * background work that kept the context.
 */
import { AgentAPIException } from '../../errors.ts'

/** Why a run is over. */
export type EndReason = 'run_ended' | 'cancelled' | 'deadline' | 'link_closed'

const SENTENCES: { readonly [R in EndReason]: string } = {
  run_ended: 'the run has ended; do not keep its context for background work',
  cancelled: 'the run was cancelled',
  deadline: 'the deadline of the run has passed',
  link_closed: 'the connection to the host is gone',
}

/** Longest time that a timer takes, in milliseconds. */
const LONGEST_TIMER = 2_147_483_647

/** The life of one run. */
export class RunLife {
  readonly run_id: string
  /** Epoch milliseconds, or Infinity. */
  readonly deadline: number
  readonly #controller = new AbortController()
  #over: EndReason | undefined
  #returned = false
  #inFlight = 0
  #quiet: (() => void) | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `deadlineAt` in epoch seconds, null for none. */
  constructor(run_id: string, deadlineAt: number | null) {
    this.run_id = run_id
    this.deadline = deadlineAt === null ? Number.POSITIVE_INFINITY : deadlineAt * 1000
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get over(): boolean {
    return this.#over !== undefined
  }

  /** Milliseconds to the deadline, or Infinity. */
  remaining(): number {
    return this.deadline - Date.now()
  }

  /** Calls back once when the deadline passes, unless the run is over by then. */
  onDeadline(passed: () => void): void {
    if (this.deadline === Number.POSITIVE_INFINITY) return
    const wait = (): void => {
      const left = this.remaining()
      if (left <= 0) passed()
      else this.#timer = setTimeout(wait, Math.min(left, LONGEST_TIMER))
    }
    wait()
  }

  /** Refuses a call once the run is over. Throws AgentAPIException with the reason. */
  check(action: string): void {
    const over = this.#over ?? (this.#returned ? 'run_ended' : undefined)
    if (over !== undefined) throw this.#exception(over, action)
    if (this.remaining() <= 0) throw this.#exception('deadline', action)
  }

  /** Marks a call as under way until the returned function is called. */
  enter(): () => void {
    this.#inFlight++
    return () => {
      if (--this.#inFlight === 0) this.#quiet?.()
    }
  }

  /**
   * The author's code is through: no new call is taken, and those under way may finish, so that a forgotten `await` does
   * not cut off a reply.
   */
  async settle(): Promise<void> {
    this.#returned = true
    if (this.#inFlight > 0 && !this.over) {
      await new Promise<void>((resolve) => {
        this.#quiet = resolve
      })
    }
  }

  /** Ends the run; calls under way fail with the reason. Only the first end counts. */
  end(reason: EndReason): void {
    if (this.#over !== undefined) return
    this.#over = reason
    clearTimeout(this.#timer)
    this.#quiet?.()
    this.#controller.abort(this.#exception(reason))
  }

  #exception(reason: EndReason, action?: string): AgentAPIException {
    const what = action === undefined ? `Run ${this.run_id}` : `${action} of run ${this.run_id} was not sent`
    return AgentAPIException.of(reason, `${what}: ${SENTENCES[reason]}.`, {
      run_id: this.run_id,
      ...(action && { action }),
    })
  }
}
