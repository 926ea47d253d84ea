/** Puts a backup in the place of a data folder's database. */
import { existsSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { StoreError } from '../error.ts'
import { Connection } from './connection.ts'
import { storeError } from './engine-error.ts'
import { duplicate, keep, removeDatabase, replace, sync } from './files.ts'
import { type FolderFiles, folderFiles, lockFolder, prepareFolder } from './folder.ts'
import { pendingMigrations, schemaVersion } from './migrate.ts'
import { type Migration, shippedMigrations } from './migration-files.ts'

/** What a restore did. */
export interface Restored {
  /** Schema of the backup; an older one is migrated when the store is opened. */
  readonly schemaVersion: number
  /** The database that was there before, kept beside the new one; absent if there was none. */
  readonly replaced: string | undefined
}

/**
 * Checks the backup `file` (whole, of this version or older) and makes it the database of `folder`; the old one is kept
 * beside it. A crash leaves the old or the new. Throws StoreError `backup`, `schema`, `locked` (the folder is in use),
 * `folder`, `full`.
 */
export async function restoreStore(file: string, folder: string): Promise<Restored> {
  if (!existsSync(file) || !statSync(file).isFile()) throw new StoreError('backup', `there is no file ${file}`)
  prepareFolder(folder)
  const files = folderFiles(folder)
  const lock = lockFolder(files)
  try {
    await removeDatabase(files.restoring)
    await duplicate(file, files.restoring)
    const version = checkBackup(files.restoring, file, shippedMigrations())
    const replaced = await moveAside(files)
    await replace(files.restoring, files.database)
    return { schemaVersion: version, replaced }
  } catch (error) {
    await removeDatabase(files.restoring)
    throw storeError(error, `restoring ${file}`)
  } finally {
    lock.release()
  }
}

/** Works on the copy: a backup may lie where nothing can be written. */
function checkBackup(copy: string, file: string, known: readonly Migration[]): number {
  let connection: Connection
  try {
    connection = new Connection({ file: copy })
  } catch (error) {
    throw new StoreError('backup', `${file} is not a usable backup: ${storeError(error, 'opening it').message}`, {
      cause: error,
    })
  }
  try {
    const finding = connection.first({ sql: 'pragma integrity_check(1)', params: [] })?.integrity_check
    if (finding !== 'ok') throw new StoreError('backup', `${file} is damaged: ${finding}`)
    const orphan = connection.first({ sql: 'pragma foreign_key_check', params: [] })
    if (orphan !== undefined) throw new StoreError('backup', `${file} is damaged: rows of ${orphan.table} lack theirs`)
    const version = schemaVersion(connection)
    if (version === 0) throw new StoreError('backup', `${file} is an empty database`)
    pendingMigrations(connection, known)
    return version
  } finally {
    connection.close()
  }
}

/** Keeps the present database under another name. Its own name stays until the new one takes it. */
async function moveAside(files: FolderFiles): Promise<string | undefined> {
  if (!existsSync(files.database)) return undefined
  const kept = `${files.database}.replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  try {
    // Brings what is still in the log into the main file.
    new Connection({ file: files.database }).close()
  } catch {
    // It may be the damaged one that is to be replaced: then its log is kept beside it as it is.
  }
  keep(files.database, kept)
  // A log that stayed would be applied to the new database.
  const log = `${files.database}-wal`
  if (existsSync(log)) await rename(log, `${kept}-wal`)
  await rm(`${files.database}-shm`, { force: true })
  await sync(files.folder)
  return kept
}
