/** A mailbox row as the scheduler holds it. The table is the truth: a row here only saves looking it up. */
import type { EventEnvelope } from '../events/types.ts'

export interface MailboxRow {
  readonly row_id: string
  readonly workspace_uuid: string
  readonly event_id: string
  readonly bot_uuid: string | null
  readonly processor_id: string
  readonly lane: string
  readonly conversation_key: string | null
  readonly scope: 'chat' | 'member'
  readonly gives_position: boolean
  readonly accepted_at: number
  readonly attempt: number
  /** Place in the order, for good. */
  readonly position: number
  /** What admission said; null: not asked yet. */
  kind: 'run' | 'command' | 'cancel' | 'steer' | null
  /** The run that it steers. */
  run_id: string | null
  /** Parked until, in milliseconds. */
  due_at: number | null
  /** Kept while few rows wait; those of a long backlog are read again when their turn comes. */
  envelope: EventEnvelope | null
  /** How often its turn could not start. */
  failures: number
}

/** Puts a row at its place: nearly always the end. */
export function insertInOrder(rows: MailboxRow[], row: MailboxRow): void {
  let at = rows.length
  while (at > 0 && (rows[at - 1]?.position ?? 0) > row.position) at--
  if (at === rows.length) rows.push(row)
  else rows.splice(at, 0, row)
}
