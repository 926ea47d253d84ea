/** A look at a database file that changes nothing: for a doctor, who must not migrate what he examines. */
import { DatabaseSync } from 'node:sqlite'

/** Faults that the engine's integrity check finds, at most five; empty: the file is whole. Throws when it can't be read. */
export function lookAt(file: string): readonly string[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const found = database
      .prepare('pragma integrity_check(5)')
      .all()
      .map((row) => String(row.integrity_check))
    return found.join() === 'ok' ? [] : found
  } finally {
    database.close()
  }
}
