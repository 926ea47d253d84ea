/** When an event is over: no row of it waits or runs, and no message of it is on its way. For platforms whose request waits. */
import type { Settled } from '@runbound/platform-kit'
import { query, type Slots, type Store } from '@runbound/store'
import type { Signals } from './signals.ts'
import type { Trail } from './trail/types.ts'

const openRows = query((db, p: Slots<{ event_id: string }>) =>
  db.selectFrom('mailbox').select('row_id').where('event_id', '=', p('event_id')).where('state', '<>', 'done').limit(1),
)
const openParts = query((db, p: Slots<{ event_id: string }>) =>
  db
    .selectFrom('outbox')
    .innerJoin('runs', 'runs.run_id', 'outbox.run_id')
    .select('outbox.part_id')
    .where('runs.event_id', '=', p('event_id'))
    .where('outbox.state', 'in', ['streaming', 'queued', 'sending'])
    .limit(1),
)

/** Signals wake; the poll is for what another process may do one day. Milliseconds. */
const POLL_MS = 250

export interface SettledParts {
  readonly store: Store
  readonly signals: Signals
  readonly trail: Trail
}

/** Rejects with the signal's reason when it aborts first. */
export function createSettled({
  store,
  signals,
  trail,
}: SettledParts): (eventId: string, signal: AbortSignal) => Promise<Settled> {
  const waiting = new Set<() => void>()
  let scheduled = false
  signals.onView(({ kind }) => {
    if (scheduled || waiting.size === 0 || (kind !== 'run' && kind !== 'delivery' && kind !== 'event')) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      for (const look of [...waiting]) look()
    })
  })

  async function isOver(eventId: string): Promise<boolean> {
    return (
      (await store.first(openRows({ event_id: eventId }))) === undefined &&
      (await store.first(openParts({ event_id: eventId }))) === undefined
    )
  }

  async function verdict(eventId: string): Promise<Settled> {
    const why = await trail.why(eventId)
    if (why === null) return { status: 'silent', reason: null, message: null }
    if (why.answered) return { status: 'answered', reason: null, message: null }
    return { status: why.outcome === 'failed' ? 'failed' : 'silent', reason: why.code, message: null }
  }

  return async (eventId, signal) => {
    for (;;) {
      signal.throwIfAborted()
      if (await isOver(eventId)) return verdict(eventId)
      await new Promise<void>((resolve, reject) => {
        const done = (): void => {
          clearTimeout(timer)
          waiting.delete(done)
          signal.removeEventListener('abort', aborted)
          resolve()
        }
        const aborted = (): void => {
          clearTimeout(timer)
          waiting.delete(done)
          reject(signal.reason)
        }
        const timer = setTimeout(done, POLL_MS)
        waiting.add(done)
        signal.addEventListener('abort', aborted, { once: true })
      })
    }
  }
}
