/** Files that only the host's user may read: written whole (temporary file, sync, rename), mode 0600. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { HostError } from '../errors.ts'

/** Reads a private file, or makes it first. Refuses one that other users can read. */
export function readOrCreatePrivate(folder: string, name: string, make: () => string): string {
  const file = join(folder, name)
  if (!existsSync(file)) createPrivate(folder, name, make())
  const mode = statSync(file).mode & 0o777
  if ((mode & 0o077) !== 0) {
    throw new HostError(
      'invalid_config',
      `${name} in the data folder can be read by other users (mode ${mode.toString(8)}). Run: chmod 600 "${file}"`,
      { at: file },
    )
  }
  return readFileSync(file, 'utf8').trim()
}

/** Writes or replaces a private file; a crash leaves the old or the new content, never half of it. */
export function writePrivate(folder: string, name: string, content: string): void {
  const file = join(folder, name)
  renameSync(temporary(file, content), file)
}

function createPrivate(folder: string, name: string, content: string): void {
  const file = join(folder, name)
  const fresh = temporary(file, content)
  try {
    linkSync(fresh, file) // never replaces: of two starts at once one wins and both read the same
  } catch (cause) {
    if (!existsSync(file)) throw cause
  } finally {
    rmSync(fresh, { force: true })
  }
}

function temporary(file: string, content: string): string {
  const fresh = `${file}.${process.pid}.${Date.now()}.tmp`
  const handle = openSync(fresh, 'wx', 0o600)
  try {
    writeSync(handle, `${content}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  return fresh
}
