/** One lane: what waits, what is active, and what is held, of one conversation (or subject, actor) at one processor. */
import type { MailboxRow } from './rows.ts'

export interface Lane {
  readonly key: string
  readonly processor_id: string
  /** To be admitted. */
  readonly waiting: MailboxRow[]
  /** Admitted to run. */
  readonly ready: MailboxRow[]
  /** Commands and cancels. */
  readonly beside: MailboxRow[]
  active: MailboxRow | null
  admitting: boolean
  besideBusy: boolean
  /** Until an alarm: something could not be done now, and those behind keep their order. */
  admissionHeld: boolean
  runHeld: boolean
}

export function newLane(row: MailboxRow): Lane {
  return {
    key: row.lane,
    processor_id: row.processor_id,
    waiting: [],
    ready: [],
    beside: [],
    active: null,
    admitting: false,
    besideBusy: false,
    admissionHeld: false,
    runHeld: false,
  }
}

/** True when a new row would be the next one to start. */
function isFree(lane: Lane): boolean {
  return lane.active === null && lane.ready.length + lane.waiting.length === 0
}

/** True when nothing of the lane is left or in flight. */
export function isEmpty(lane: Lane): boolean {
  const flying = lane.admitting || lane.besideBusy || lane.admissionHeld || lane.runHeld
  return !flying && isFree(lane) && lane.beside.length === 0
}
