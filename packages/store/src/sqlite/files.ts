/** File operations that survive a crash: what was there stays until the new content is whole on the disk. */
import { copyFileSync, constants as fsConstants, linkSync } from 'node:fs'
import { copyFile, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Forces a file, or the names in a folder, to the disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Puts a finished file in the place of another: at any moment the name holds either the old content or the new. */
export async function replace(finished: string, target: string): Promise<void> {
  await sync(finished)
  await rename(finished, target)
  await sync(dirname(target))
}

/** A second name for a file that will be replaced (never written in place); a copy where there are no hard links. */
export function keep(file: string, as: string): void {
  try {
    linkSync(file, as)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error
    copyFileSync(file, as, fsConstants.COPYFILE_EXCL)
  }
}

/** Copies, sharing blocks where the file system can. */
export async function duplicate(file: string, as: string): Promise<void> {
  await copyFile(file, as, fsConstants.COPYFILE_FICLONE)
}

/** Removes a database with its log, none of which has to exist. */
export async function removeDatabase(file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(`${file}${suffix}`, { force: true })
}
