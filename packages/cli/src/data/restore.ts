/** `runbound restore FILE`: puts a backup in the place of a data folder's content; what was there is kept beside it. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { prepareFolder, restoreStore } from '@runbound/store'
import { CliError } from '../errors.ts'
import { type HostChoice, reachHost } from '../place/connect.ts'
import { dataFolder } from '../place/installation.ts'
import { confirmed } from '../terminal/confirm.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { readArchive } from './archive.ts'
import { DATABASE } from './backup.ts'

/** Options as they were written. */
export interface RestoreOptions extends Pick<HostChoice, 'data'> {
  readonly yes?: boolean
}

/** CliError `failed` while a host runs; `invalid_file` for what is no backup; StoreError for a newer or damaged database. */
export async function restore(terminal: Terminal, options: RestoreOptions, given: string): Promise<void> {
  const file = resolve(given)
  if (!existsSync(file)) throw new CliError('usage', `There is no file ${file}.`)
  const folder = dataFolder(options.data)
  if ((await reachHost({ data: folder }, {})) !== undefined)
    throw new CliError('failed', `A host runs on ${folder}. Stop it first.`)
  const question = `Replace the content of ${folder} by ${file}?`
  if (existsSync(join(folder, DATABASE)) && !(await confirmed(terminal, options.yes, question)))
    throw new CliError('refused', 'Nothing was changed.')
  prepareFolder(folder)
  const fresh = join(folder, `restore-${process.pid}.part`)
  try {
    const names = await readArchive(file, fresh)
    if (!names.includes(DATABASE)) throw new CliError('invalid_file', `${file} holds no database.`)
    const restored = await restoreStore(join(fresh, DATABASE), folder)
    rmSync(join(fresh, DATABASE))
    const kept = place(fresh, folder)
    const value = {
      folder,
      schema: restored.schemaVersion,
      files: names.length,
      kept,
      replaced: restored.replaced ?? null,
    }
    terminal.result(value, () => `${folder} holds ${file} (${names.length} files).`)
    if (value.replaced !== null) terminal.note(`The database before is ${value.replaced}.`)
    if (kept !== null) terminal.note(`The files before are in ${kept}.`)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Moves what was unpacked to its place, and what stood there aside. */
function place(fresh: string, folder: string): string | null {
  const aside = join(folder, `replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`)
  let moved = false
  for (const name of readdirSync(fresh)) {
    const target = join(folder, name)
    if (existsSync(target)) {
      mkdirSync(aside, { recursive: true, mode: 0o700 })
      renameSync(target, join(aside, name))
      moved = true
    }
    renameSync(join(fresh, name), target)
  }
  return moved ? aside : null
}
