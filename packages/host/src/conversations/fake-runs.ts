/** Runs that a test holds in its hand: real records, so that they survive a crash, and an end when the test says so. */
import { randomUUID } from 'node:crypto'
import {
  query,
  type Slots,
  type Statement,
  type Store,
  StoreError,
  sql,
  sqlStatement,
  statement,
} from '@runbound/store'
import type { LeftRun, RunOutcome, RunRequest } from '../runs/types.ts'

const WORKSPACE = 'w-1'

const insertRun = sqlStatement(
  (
    p: Slots<{ run_id: string; row_id: string; processor_id: string; event_id: string; attempt: number; now: number }>,
  ) => sql`
    insert into runs (run_id, workspace_uuid, event_id, row_id, processor_id, processor_kind, runner_id, installation_uuid,
      status, attempt, owner, epoch, created_at, updated_at, run_grant)
    values (${p('run_id')}, ${WORKSPACE}, ${p('event_id')}, ${p('row_id')}, ${p('processor_id')}, 'agent', 'r', 'i',
      'running', ${p('attempt')}, 'o', 1, ${p('now')}, ${p('now')}, '{}')`,
)
const endRun = statement(
  (db, p: Slots<{ run_id: string; status: 'completed' | 'failed' | 'cancelled' | 'timeout'; reason: string | null }>) =>
    db
      .updateTable('runs')
      .set({ status: p('status'), reason_code: p('reason') })
      .where('run_id', '=', p('run_id'))
      .where('status', '=', 'running'),
  { expect: 1 },
)
const setEffect = statement((db, p: Slots<{ run_id: string }>) =>
  db.updateTable('runs').set({ effect: 1 }).where('run_id', '=', p('run_id')),
)
const leftRuns = query((db) =>
  db
    .selectFrom('runs')
    .select(['run_id', 'row_id', 'effect', 'attempt', 'processor_id', 'event_id'])
    .where('status', '=', 'running'),
)

/** One run that has started and waits for its test. */
export interface HeldRun {
  readonly run_id: string
  readonly request: RunRequest
  readonly text: string
  effect(): Promise<void>
  end(over?: Partial<Pick<RunOutcome, 'status' | 'code' | 'reason'>>): Promise<void>
}

/** Runs that end when a test says so, or by themselves (`auto`). Their records are real, so they survive a crash. */
export class FakeRuns {
  readonly started: HeldRun[] = []
  readonly held = new Map<string, HeldRun>()
  mostAtOnce = 0
  /** Set: the next starts are refused with this code. */
  refuse: { readonly code: string; readonly message: string } | null = null
  auto: ((run: HeldRun) => Partial<Pick<RunOutcome, 'status' | 'code' | 'reason'>> | Promise<void>) | null = null
  #waiting: (() => void)[] = []
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  readonly start = async (request: RunRequest) => {
    if (this.refuse !== null) return { status: 'not_started' as const, ...this.refuse }
    const run_id = randomUUID()
    const { row_id, processor, envelope, attempt } = request
    try {
      await this.#store.commit([
        insertRun({
          run_id,
          row_id,
          processor_id: processor.processor_id,
          event_id: envelope.event_id,
          attempt,
          now: 1,
        }),
        ...request.opening({ run_id, owner: 'o', epoch: 1 }),
      ])
    } catch (error) {
      if (!StoreError.is(error)) throw error
      return { status: 'not_started' as const, code: error.code, message: error.message }
    }
    return new Promise<RunOutcome>((resolve, reject) => {
      const run: HeldRun = {
        run_id,
        request,
        text: envelope.input.text ?? '',
        effect: async () => {
          await this.#store.commit([setEffect({ run_id })])
        },
        end: async (over = {}) => {
          if (!this.held.delete(run_id)) return
          const outcome: RunOutcome = { run_id, status: 'completed', reason: null, code: null, effect: false, ...over }
          try {
            await this.#store.commit([
              endRun({ run_id, status: outcome.status, reason: outcome.code }),
              ...request.closing(outcome),
            ])
            resolve(outcome)
          } catch (error) {
            reject(error)
          }
        },
      }
      this.held.set(run_id, run)
      this.started.push(run)
      this.mostAtOnce = Math.max(this.mostAtOnce, this.held.size)
      for (const wake of this.#waiting.splice(0)) wake()
      if (this.auto !== null) void Promise.resolve(this.auto(run)).then((over) => run.end(over ?? {}))
    })
  }

  async leftovers(): Promise<readonly LeftRun[]> {
    const rows = await this.#store.all(leftRuns())
    return rows.map((row) => ({ ...row, effect: row.effect === 1 }))
  }

  endLeft(run: LeftRun): readonly Statement[] {
    return [endRun({ run_id: run.run_id, status: 'failed', reason: 'host_restarted' })]
  }

  /** Waits until so many runs have started in all. */
  async until(count: number): Promise<void> {
    while (this.started.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  get texts(): readonly string[] {
    return this.started.map(({ text }) => text)
  }
}
