/** Reads the results of one run until it ends, one way or another. Never rejects: every end is an Ending. */
import type { JsonObject } from '@runbound/protocol'
import { judgeResult } from '../gateway/results.ts'
import type { HostRunGrant } from '../gateway/types.ts'
import type { Logger } from '../logger.ts'
import { carryOut, reject } from './carry-out.ts'
import { brokenEnding, cancelledEnding, type Ending, hostFailedEnding, silentEnding, timeoutEnding } from './ending.ts'
import { Frames } from './frames.ts'
import type { Session } from './session.ts'

/** Ledger entries that may wait for the disk before the stream is held back. */
const MOST_WAITING = 256
/** After its end a Runner has nothing to say; this long, and for so many results, the host listens what it says all the same. */
const AFTER_END_MS = 1_000
const AFTER_END_RESULTS = 16

/** `over` is called once the Runner has said its end, before the host listens whether it says more. */
export async function readResults(
  session: Session,
  grant: HostRunGrant,
  open: () => AsyncIterable<JsonObject>,
  logger: Logger,
  over: (ending: Ending) => Promise<void>,
): Promise<Ending> {
  try {
    const frames = new Frames(open(), session.run.stream.signal)
    try {
      return await read(session, grant, frames, over)
    } finally {
      frames.leave()
    }
  } catch (error) {
    const decided = decidedEnding(session)
    if (decided !== null) return decided
    const ending = brokenEnding(error)
    if (ending.code === 'internal') logger.error({ err: error, run_id: session.run_id }, 'a run failed inside the host')
    return ending
  }
}

/** What was decided outside the stream: finalized, cancelled, out of time. */
function decidedEnding(session: Session): Ending | null {
  if (session.ending !== null) return session.ending
  if (session.cancelled !== null) return cancelledEnding(session.cancelled.reason)
  if (session.run.stream.signal.aborted && session.timedOut('runner.timeout')) {
    return timeoutEnding(session.seconds)
  }
  return null
}

async function read(
  session: Session,
  grant: HostRunGrant,
  frames: Frames,
  over: (ending: Ending) => Promise<void>,
): Promise<Ending> {
  const { run } = session
  for (;;) {
    const frame = await frames.next()
    if (frame === undefined) return silentEnding()
    const judged = judgeResult(run.run_id, grant, frame)
    if (judged.kind === 'rejected') {
      reject(session, judged)
      continue
    }
    if (judged.kind === 'fatal') {
      reject(session, { type: judged.type, reason: 'invalid_result', message: judged.message })
      return hostFailedEnding(judged.code, judged.message)
    }
    const ending = await carryOut(session, judged)
    if (ending !== null) {
      // From here on a cancel comes too late: everything was delivered.
      session.ending ??= ending
      // A Runner that lingers after its end does nothing more with what it was granted.
      await over(session.ending)
      await refuseTheRest(session, frames)
      return session.ending
    }
    if (run.waiting > MOST_WAITING) await run.flush()
  }
}

/** Results after the end are refused and recorded [D129]. A stream that does not end is left. */
async function refuseTheRest(session: Session, frames: Frames): Promise<void> {
  const timeout = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => timeout.resolve(undefined), AFTER_END_MS)
  try {
    for (let count = 0; count < AFTER_END_RESULTS; count++) {
      const frame = await Promise.race([frames.next(), timeout.promise])
      if (frame === undefined) return
      const type = typeof frame.type === 'string' ? frame.type : 'unknown'
      reject(session, { type, reason: 'run_ended', message: 'The run had already ended with a terminal result.' })
    }
  } catch {
    // The end was said; how the stream broke afterwards changes nothing.
  } finally {
    clearTimeout(timer)
  }
}
