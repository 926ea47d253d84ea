/** A copy of the whole database while it is in use. */
import { existsSync } from 'node:fs'
import { chmod, rm } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { StoreError } from '../error.ts'
import { storeError } from './engine-error.ts'
import { removeDatabase, replace } from './files.ts'

/** Pages per step (4 KiB each): a step is what a stop of the process waits for. */
const PAGES_PER_STEP = 512

/**
 * Writes `database` as it is now to `target`, which must not exist. The name appears only when the copy is whole.
 * Throws StoreError `backup` (the name is taken, the folder can't be written), `full`.
 */
export async function backupDatabase(
  database: string,
  target: string,
  progress?: (done: number, total: number) => void,
): Promise<void> {
  if (existsSync(target)) throw new StoreError('backup', `${target} exists already: choose another name`)
  const unfinished = `${target}.unfinished`
  // Its own connection inside a read transaction: it sees one moment, and commits meanwhile do not make it start again.
  const source = new DatabaseSync(database, { readOnly: true })
  try {
    source.exec('begin')
    source.prepare('select count(*) from sqlite_schema').get()
    await removeDatabase(unfinished)
    await backup(source, unfinished, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) => progress?.(totalPages - remainingPages, totalPages),
    })
    makeSingleFile(unfinished)
    await chmod(unfinished, 0o600)
    await replace(unfinished, target)
  } catch (error) {
    await removeDatabase(unfinished)
    throw backupError(error, target)
  } finally {
    source.close()
  }
}

/** The same for a store in memory, which has no second connection: at once, on the main thread. */
export async function backupMemory(source: DatabaseSync, target: string): Promise<void> {
  if (existsSync(target)) throw new StoreError('backup', `${target} exists already: choose another name`)
  const unfinished = `${target}.unfinished`
  try {
    await rm(unfinished, { force: true })
    source.prepare('vacuum into ?').run(unfinished)
    await chmod(unfinished, 0o600)
    await replace(unfinished, target)
  } catch (error) {
    await removeDatabase(unfinished)
    throw backupError(error, target)
  }
}

/** Without the WAL mark in its header a copy can be read where nothing may be written beside it. */
function makeSingleFile(file: string): void {
  const copy = new DatabaseSync(file)
  try {
    copy.exec('pragma journal_mode = delete')
  } finally {
    copy.close()
  }
}

function backupError(error: unknown, target: string): StoreError {
  const cause = storeError(error, `writing the backup ${target}`)
  return cause.code === 'full' ? cause : new StoreError('backup', cause.message, { cause: error })
}
