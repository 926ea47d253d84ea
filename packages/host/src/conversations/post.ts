/** Puts the rows of an event into the mailbox: bounds, place in history, statements, and what happens after the commit. */
import type { Statement, StatementResult } from '@runbound/store'
import type { Clock } from '../clock.ts'
import type { EventEnvelope } from '../events/types.ts'
import type { Backlog } from './backlog.ts'
import type { Endings } from './endings.ts'
import { conversationKey } from './keys.ts'
import { insertRow } from './mailbox-statements.ts'
import type { MailboxRow } from './rows.ts'
import type { Scheduler } from './scheduler.ts'
import { inboundStatements } from './transcript.ts'
import type { NewRow, Posting, RefusedRow } from './types.ts'

export interface PostParts {
  readonly clock: Clock
  readonly backlog: Backlog
  readonly endings: Endings
  readonly scheduler: Pick<Scheduler, 'add' | 'knows'>
}

/** See `Conversations.post`. Counts the rows at once, so that rows of one tick see each other. */
export function postRows(parts: PostParts, rows: readonly NewRow[], envelope: EventEnvelope): Posting {
  const { clock, backlog, endings, scheduler } = parts
  const taken: NewRow[] = []
  const refused: RefusedRow[] = []
  const keysTaken = new Set<string | null>()
  const statements: Statement[] = []
  const wakes: (() => void)[] = []
  const now = clock.now()
  for (const row of rows) {
    const full = backlog.full(row)
    if (full !== null) {
      refused.push({ row, ...full })
      continue
    }
    backlog.add(row)
    taken.push(row)
    // The first row of a conversation, which is the routed one, gives the message its place in history.
    const gives_position = keysTaken.has(row.conversation_key) ? 0 : 1
    keysTaken.add(row.conversation_key)
    statements.push(insertRow({ ...row, gives_position, accepted_at: now }))
  }
  const inserts = statements.length
  for (const { row, bound, limit } of refused) {
    const ended = { ...row, gives_position: !keysTaken.has(row.conversation_key) }
    keysTaken.add(row.conversation_key)
    const busy = endings.busy(ended, envelope)
    statements.push(endings.because(ended, 'backlog_full', { bound, limit }))
    statements.push(...endings.inbound(ended, envelope, null), ...busy.statements)
    wakes.push(busy.wake)
  }
  if (rows.length === 0) {
    const key = conversationKey(envelope, 'chat')
    statements.push(...inboundStatements(envelope, key, { run_id: null, processor_id: null }, clock))
  }

  return {
    statements,
    refused,
    settled(results) {
      if (results === null) {
        for (const row of taken) backlog.remove(row)
        return
      }
      const positions = results.slice(0, inserts).map(positionOf)
      for (const [index, row] of taken.entries()) {
        // A row that `start` has read from the table meanwhile is counted there.
        if (scheduler.knows(row.row_id)) backlog.remove(row)
        else scheduler.add(mailboxRow(row, index, positions[index] ?? 0, now, taken, envelope))
      }
      for (const wake of wakes) wake()
    },
  }
}

function positionOf(result: StatementResult): number {
  return Number(result.rows[0]?.position ?? 0)
}

function mailboxRow(
  row: NewRow,
  index: number,
  position: number,
  accepted_at: number,
  taken: readonly NewRow[],
  envelope: EventEnvelope,
): MailboxRow {
  return {
    ...row,
    gives_position: taken.findIndex((other) => other.conversation_key === row.conversation_key) === index,
    accepted_at,
    attempt: 1,
    position,
    kind: null,
    run_id: null,
    due_at: null,
    envelope,
    failures: 0,
  }
}
