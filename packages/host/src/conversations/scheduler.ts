/**
 * The scheduler of both lanes. Admission is serial per lane; of each lane one turn is active, the rest waits in order;
 * different lanes never wait for each other, except for a free place of all turns.
 */
import type { Clock } from '../clock.ts'
import type { Admitting } from './admitting.ts'
import { Alarm } from './alarm.ts'
import type { Backlog } from './backlog.ts'
import { FairQueue } from './fair-queue.ts'
import { isEmpty, type Lane, newLane } from './lane.ts'
import { insertInOrder, type MailboxRow } from './rows.ts'
import { Steering } from './steering.ts'
import type { TurnResult, Turns } from './turn.ts'

export interface SchedulerParts {
  readonly clock: Clock
  readonly backlog: Backlog
  readonly turns: Pick<Turns, 'take'>
  /** Null: every row is run without asking. */
  readonly admitting: Pick<Admitting, 'decide' | 'beside'> | null
  readonly maxActive: number
  readonly maxActivePerProcessor: number
  readonly retryMs: number
}

const RETRY_FACTOR_MAX = 60

export class Scheduler {
  readonly #parts: SchedulerParts
  readonly #rows = new Map<string, MailboxRow>()
  readonly #lanes = new Map<string, Lane>()
  readonly #steering = new Steering()
  readonly #queue: FairQueue<Lane>
  readonly #alarm: Alarm
  #running = false
  #active = 0
  /** Admissions and commands in flight. */
  #busy = 0
  #parked = 0
  #idle: (() => void)[] = []

  constructor(parts: SchedulerParts) {
    this.#parts = parts
    this.#queue = new FairQueue(parts.maxActivePerProcessor)
    this.#alarm = new Alarm(() => parts.clock.now())
  }

  get active(): number {
    return this.#active
  }

  get parked(): number {
    return this.#parked
  }

  knows(rowId: string): boolean {
    return this.#rows.has(rowId)
  }

  /** A committed row that waits, already counted in the backlog. */
  add(row: MailboxRow): void {
    if (this.#rows.has(row.row_id)) return
    this.#rows.set(row.row_id, row)
    if (this.#rows.size > 2 * this.#parts.maxActive) row.envelope = null
    this.#place(this.#laneOf(row), row)
  }

  start(): void {
    this.#running = true
    for (const lane of this.#lanes.values()) this.#stir(lane)
  }

  /** Takes no new rows; resolves when nothing is active any more. */
  async drain(): Promise<void> {
    this.#running = false
    this.#alarm.stop()
    if (this.#active + this.#busy === 0) return
    await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  #place(lane: Lane, row: MailboxRow): void {
    if (row.kind === null && this.#parts.admitting === null) row.kind = 'run'
    if (row.kind === null) this.#await(lane, row)
    else if (row.kind === 'steer') {
      if (!this.#steering.give(row, row.run_id ?? '')) this.#release(row)
    } else if (row.kind === 'run') {
      insertInOrder(lane.ready, row)
      this.#offer(lane)
    } else {
      insertInOrder(lane.beside, row)
      void this.#besides(lane)
    }
  }

  #await(lane: Lane, row: MailboxRow): void {
    if (row.due_at !== null && row.due_at > this.#parts.clock.now()) this.#park(row, row.due_at)
    else {
      insertInOrder(lane.waiting, row)
      void this.#admit(lane)
    }
  }

  #stir(lane: Lane): void {
    void this.#admit(lane)
    this.#offer(lane)
    void this.#besides(lane)
  }

  #park(row: MailboxRow, due: number): void {
    this.#parked++
    this.#alarm.set(due, () => {
      this.#parked--
      row.due_at = null
      this.#place(this.#laneOf(row), row)
    })
  }

  async #admit(lane: Lane): Promise<void> {
    const { admitting } = this.#parts
    if (admitting === null || lane.admitting || lane.admissionHeld || !this.#running) return
    lane.admitting = true
    this.#busy++
    while (this.#running && !lane.admissionHeld) {
      const row = lane.waiting.shift()
      if (row === undefined) break
      const decided = await admitting.decide(row)
      if (decided === 'later') {
        insertInOrder(lane.waiting, row)
        this.#holdAdmission(lane, row)
      } else if (decided === 'done') this.#forget(lane, row)
      else if (decided === 'parked') this.#park(row, row.due_at ?? 0)
      else this.#place(lane, row)
    }
    lane.admitting = false
    this.#busy--
    this.#settle(lane)
  }

  #offer(lane: Lane): void {
    if (!this.#running || lane.active !== null || lane.runHeld || lane.ready.length === 0) return
    this.#queue.add(lane)
    this.#pump()
  }

  #pump(): void {
    while (this.#running && this.#active < this.#parts.maxActive) {
      const lane = this.#queue.take()
      if (lane === undefined) return
      const row = lane.ready.shift()
      if (row === undefined) {
        this.#queue.done(lane)
        continue
      }
      lane.active = row
      this.#active++
      void this.#parts.turns.take(row).then((result) => this.#ended(lane, row, result))
    }
  }

  #ended(lane: Lane, row: MailboxRow, result: TurnResult): void {
    lane.active = null
    this.#active--
    this.#queue.done(lane)
    if (result.kind === 'later') {
      insertInOrder(lane.ready, row)
      this.#holdRun(lane, row)
    } else {
      this.#forget(lane, row)
      if (result.run_id !== null && this.#parts.admitting !== null) {
        for (const steered of this.#steering.end(result.run_id)) this.#release(steered)
      }
    }
    this.#offer(lane)
    this.#pump()
    this.#settle(lane)
  }

  async #besides(lane: Lane): Promise<void> {
    const { admitting } = this.#parts
    if (admitting === null || lane.besideBusy || !this.#running) return
    lane.besideBusy = true
    this.#busy++
    while (this.#running) {
      const row = lane.beside.shift()
      if (row === undefined) break
      const done = await admitting.beside(row)
      if (done === 'done') this.#forget(lane, row)
      else {
        insertInOrder(lane.beside, row)
        this.#alarm.set(this.#retryAt(row), () => void this.#besides(lane))
        break
      }
    }
    lane.besideBusy = false
    this.#busy--
    this.#settle(lane)
  }

  /** What a run did not pull goes back to its old place and is decided anew. */
  #release(row: MailboxRow): void {
    row.kind = null
    row.run_id = null
    this.#place(this.#laneOf(row), row)
  }

  #holdAdmission(lane: Lane, row: MailboxRow): void {
    lane.admissionHeld = true
    this.#alarm.set(this.#retryAt(row), () => {
      lane.admissionHeld = false
      void this.#admit(lane)
    })
  }

  #holdRun(lane: Lane, row: MailboxRow): void {
    lane.runHeld = true
    this.#alarm.set(this.#retryAt(row), () => {
      lane.runHeld = false
      this.#offer(lane)
    })
  }

  #retryAt(row: MailboxRow): number {
    const factor = Math.min(2 ** row.failures, RETRY_FACTOR_MAX)
    row.failures++
    return this.#parts.clock.now() + this.#parts.retryMs * factor
  }

  #forget(lane: Lane, row: MailboxRow): void {
    this.#rows.delete(row.row_id)
    this.#parts.backlog.remove(row)
    this.#settle(lane)
  }

  #laneOf(row: MailboxRow): Lane {
    const known = this.#lanes.get(row.lane)
    if (known !== undefined) return known
    const lane = newLane(row)
    this.#lanes.set(lane.key, lane)
    return lane
  }

  /** Lanes come and go with conversations: an empty one leaves nothing behind. */
  #settle(lane: Lane): void {
    if (isEmpty(lane)) this.#lanes.delete(lane.key)
    if (this.#running || this.#active + this.#busy > 0) return
    for (const resolve of this.#idle) resolve()
    this.#idle = []
  }
}
