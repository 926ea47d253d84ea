/** `host.json` in the data folder: written whole when the host is ready, removed when it stops. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOST_FILE, type HostFile, HostFileSchema } from '@runbound/api'
import { CliError } from '../errors.ts'

/** Writes it so that a reader sees all of it or nothing. */
export function writeHostFile(folder: string, content: HostFile): void {
  const file = join(folder, HOST_FILE)
  const fresh = `${file}.${process.pid}.tmp`
  writeFileSync(fresh, `${JSON.stringify(content)}\n`, { mode: 0o600 })
  renameSync(fresh, file)
}

/** Removes it, unless another host has written its own meanwhile. */
export function removeHostFile(folder: string, pid: number): void {
  if (readHostFile(folder)?.pid === pid) rmSync(join(folder, HOST_FILE), { force: true })
}

/** Undefined: no host has written one. CliError `invalid_file` when it can't be read. */
export function readHostFile(folder: string): HostFile | undefined {
  const file = join(folder, HOST_FILE)
  if (!existsSync(file)) return undefined
  try {
    return HostFileSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new CliError('invalid_file', `${file} can't be read. Remove it if no host runs on that data folder.`, {
      cause,
    })
  }
}
