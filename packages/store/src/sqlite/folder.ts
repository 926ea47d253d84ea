/** The data folder: what is in it, whether it can be used, and the lock that gives it to one process. */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../error.ts'
import { resultCode } from './engine-error.ts'

const BUSY = 5

/** Names in the data folder. */
export interface FolderFiles {
  readonly folder: string
  readonly database: string
  /** Migrations work on this copy; it takes the database's place when all of them have succeeded. */
  readonly migrating: string
  readonly restoring: string
  readonly lock: string
  readonly owner: string
  /** Copies made before a migration. */
  readonly backups: string
}

export interface FolderLock {
  /** Gives the folder free. */
  release(): void
}

export function folderFiles(folder: string): FolderFiles {
  return {
    folder,
    database: join(folder, 'runbound.db'),
    migrating: join(folder, 'runbound.db.migrating'),
    restoring: join(folder, 'runbound.db.restoring'),
    lock: join(folder, 'runbound.lock'),
    owner: join(folder, 'runbound.lock.owner'),
    backups: join(folder, 'backups'),
  }
}

/** Makes the folder, readable by its owner alone, if it is not there. Throws StoreError `folder` with what to do. */
export function prepareFolder(folder: string): void {
  try {
    makeFolder(resolve(folder))
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw folderError(folder, error)
  }
}

/** One folder after the other: Node's own `recursive` never ends where a file system takes none, such as /proc. */
function makeFolder(folder: string): void {
  const missing: string[] = []
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.push(at)
  for (const one of missing.reverse()) {
    try {
      mkdirSync(one, { mode: 0o700 })
    } catch (error) {
      // Somebody else may have made it meanwhile.
      if (!existsSync(one)) throw error
    }
  }
}

/**
 * Takes the folder for this process. The lock is one of the kernel's on a second file, so that it is free again when its
 * process is gone, however it went. Throws StoreError `locked` with the process that has it, `folder`.
 */
export function lockFolder(files: FolderFiles): FolderLock {
  // SQLite's own locking, because Node has none. Nothing else may open this file: closing any other descriptor of it in
  // this process would drop the lock (POSIX), which is why the owner's name is in a file of its own.
  let lock: DatabaseSync
  try {
    lock = new DatabaseSync(files.lock, { timeout: 0 })
  } catch (error) {
    throw folderError(files.folder, error)
  }
  try {
    lock.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive')
    writeOwner(files.owner)
  } catch (error) {
    lock.close()
    if ((resultCode(error) & 0xff) !== BUSY) throw folderError(files.folder, error)
    const message = `${files.folder} is in use by ${readOwner(files.owner)}. One data folder serves one host: stop that one, or choose another folder.`
    throw new StoreError('locked', message, { cause: error })
  }
  return {
    release: () => {
      rmSync(files.owner, { force: true })
      lock.close()
    },
  }
}

function writeOwner(file: string): void {
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, JSON.stringify({ pid: process.pid, host: hostname(), since: new Date().toISOString() }))
  renameSync(unfinished, file)
}

function readOwner(file: string): string {
  try {
    const owner: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof owner === 'object' && owner !== null && 'pid' in owner && 'host' in owner && 'since' in owner) {
      return `process ${owner.pid} on ${owner.host} (since ${owner.since})`
    }
  } catch {
    // The owner writes its name just after taking the lock: it may not be there yet.
  }
  return 'another process'
}

const FOLDER_HELP: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there: change its owner or permissions, or choose another folder',
  EPERM: 'this user may not write there: change its owner or permissions, or choose another folder',
  EROFS: 'its file system is read-only: mount it writable, or choose another folder',
  ENOTDIR: 'it, or something on the way to it, is a file: choose another name',
  EEXIST: 'there is a file of that name: remove it, or choose another name',
  ENOENT: 'it can not be made: choose another folder',
}

function folderError(folder: string, error: unknown): StoreError {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  const text = error instanceof Error ? error.message : String(error)
  if (code === 'ENOSPC') {
    return new StoreError('full', `no room on the disk of ${folder}: make room and start again`, { cause: error })
  }
  return new StoreError('folder', `${folder} can't be the data folder: ${FOLDER_HELP[code] ?? text}`, { cause: error })
}
