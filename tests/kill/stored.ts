/** Reads what a host left in its data folder: from a copy, so that the next start finds the folder as the kill left it. */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '@runbound/store'

export interface StoredRow {
  readonly position: number
  readonly row_id: string
  readonly event_id: string
  readonly processor_id: string
  readonly state: string
  readonly reason: string | null
  readonly attempt: number
  readonly run_id: string | null
}

export interface StoredRun {
  readonly run_id: string
  readonly event_id: string
  readonly processor_id: string
  readonly status: string
  readonly reason_code: string | null
  readonly effect: number
  readonly attempt: number
  readonly last_sequence: number
  readonly conversation_key: string | null
}

export interface StoredPart {
  readonly part_id: string
  readonly bot_uuid: string
  readonly event_id: string | null
  readonly run_id: string | null
  readonly state: string
  readonly reason: string | null
}

export interface Stored {
  readonly rows: readonly StoredRow[]
  readonly runs: readonly StoredRun[]
  readonly parts: readonly StoredPart[]
  readonly ledgers: readonly { readonly run_id: string; readonly entries: number; readonly last: number }[]
  readonly transcript: readonly {
    readonly conversation_key: string
    readonly seq: number
    readonly role: string
    readonly event_id: string
    readonly content: string | null
  }[]
  readonly counts: readonly { readonly object_id: string; readonly value: string }[]
  readonly integrity: string
}

/** Copies the database of a folder whose host is gone, and reads all of it. */
export async function readStored(folder: string): Promise<Stored> {
  const copy = mkdtempSync(join(tmpdir(), 'runbound-kill-copy-'))
  try {
    // The write-ahead log belongs to the database: without it the last commits would be missing.
    for (const name of ['runbound.db', 'runbound.db-wal'])
      if (existsSync(join(folder, name))) cpSync(join(folder, name), join(copy, name))
    const store = await openStore({ folder: copy })
    const all = <R>(sql: string): Promise<readonly R[]> => store.all<R>({ sql, params: [] })
    try {
      return {
        rows: await all(
          'select position, row_id, event_id, processor_id, state, reason, attempt, run_id from mailbox order by position',
        ),
        runs: await all(
          'select run_id, event_id, processor_id, status, reason_code, effect, attempt, last_sequence, conversation_key from runs order by id',
        ),
        parts: await all('select part_id, bot_uuid, event_id, run_id, state, reason from outbox order by position'),
        ledgers: await all('select run_id, count(*) as entries, max(sequence) as last from run_events group by run_id'),
        transcript: await all(
          'select conversation_key, seq, role, event_id, content from transcript order by conversation_key, seq',
        ),
        counts: await all(`select object_id, value from state where key = 'external.count'`),
        integrity: (await store.inspect()).integrity,
      }
    } finally {
      await store.close()
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Parts that a killed host was sending: nobody knows what became of them but the platform. */
export const inFlight = ({ parts }: Stored): ReadonlySet<string> =>
  new Set(parts.filter(({ state }) => state === 'sending' || state === 'streaming').map(({ part_id }) => part_id))
