/**
 * Which trace a thing belongs to. Ids follow from the event's and the run's, so that a run that starts after a restart, or an
 * answer that goes out a day later, stands in the trace of its event although nothing of it was kept.
 */
import { hash } from 'node:crypto'

/** W3C ids: 32 and 16 hex digits. */
export interface EventTrace {
  readonly traceId: string
  /** Of the event's own span, the root. */
  readonly spanId: string
}

/** The trace of an event. */
export function traceOfEvent(eventId: string): EventTrace {
  const digits = hash('sha256', eventId)
  return { traceId: digits.slice(0, 32), spanId: digits.slice(32, 48) }
}

/** The span of a run. */
export const spanOfRun = (runId: string): string => hash('sha256', runId).slice(0, 16)

/** An id for a span that nobody has to find again. Not a secret. */
export function freshSpanId(): string {
  const half = (): string =>
    Math.floor(Math.random() * 0xffff_ffff + 1)
      .toString(16)
      .padStart(8, '0')
      .slice(-8)
  const id = half() + half()
  return id === '0000000000000000' ? '0000000000000001' : id
}
