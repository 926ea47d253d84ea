/** The deadline of a run: at its time host calls end; a moment later, if the plugin did not end by itself, so does the run. */
import { WireError } from '@runbound/protocol'
import type { Clock } from '../clock.ts'
import type { Session } from './session.ts'

/** In this time a plugin may still report its own end, and close its streams. */
const GRACE_MS = 1_000
/** Longer timers overflow; such a run is looked at again then. */
const LONGEST_TIMER_MS = 2_000_000_000

/** Watches the deadline; the returned function stops watching. */
export function startDeadline(session: Session, deadlineAt: number | null, clock: Clock): () => void {
  if (deadlineAt === null) return () => undefined
  let timer: NodeJS.Timeout
  const wait = (until: number, then: () => void): void => {
    const ms = until - clock.now()
    timer =
      ms > LONGEST_TIMER_MS ? setTimeout(() => wait(until, then), LONGEST_TIMER_MS) : setTimeout(then, Math.max(0, ms))
  }
  wait(deadlineAt, () => {
    const over = new WireError('deadline', `The time of run ${session.run_id} is over.`)
    session.run.calls.abort(over)
    wait(clock.now() + GRACE_MS, () => session.run.stream.abort(over))
  })
  return () => clearTimeout(timer)
}
