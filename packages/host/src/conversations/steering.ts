/** Rows that were given to an active run. What it has not pulled when it ends goes back to the mailbox. */
import type { MailboxRow } from './rows.ts'

/** Long enough for decisions that were made while the run still lived. */
const ENDED_RUNS_MAX = 2_000

export class Steering {
  readonly #rows = new Map<string, MailboxRow[]>()
  readonly #ended = new Set<string>()

  /** False: the run has ended meanwhile (its end and the decision shared a commit), so the row is free at once. */
  give(row: MailboxRow, runId: string): boolean {
    if (this.#ended.has(runId)) return false
    const rows = this.#rows.get(runId)
    if (rows === undefined) this.#rows.set(runId, [row])
    else rows.push(row)
    return true
  }

  /** The run has ended: its rows, whether it has pulled them or not. The table knows which. */
  end(runId: string): readonly MailboxRow[] {
    this.#ended.add(runId)
    const [oldest] = this.#ended
    if (this.#ended.size > ENDED_RUNS_MAX && oldest !== undefined) this.#ended.delete(oldest)
    const rows = this.#rows.get(runId) ?? []
    this.#rows.delete(runId)
    return rows
  }
}
