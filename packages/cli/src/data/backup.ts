/** `runbound backup FILE`: the database and everything that belongs to it, also while the host runs. */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openStore } from '@runbound/store'
import { CliError } from '../errors.ts'
import { type HostChoice, reachHost } from '../place/connect.ts'
import { dataFolder } from '../place/installation.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Packed, writeArchive } from './archive.ts'

/** The database's name in a data folder and in a backup. */
export const DATABASE = 'runbound.db'
/** Not part of a backup: what belongs to one start, and what can be made again. */
const LEFT_OUT = /^(runbound\.(db|lock)|host\.json|cli\.key|backups$|replaced-|.*\.(part|tmp)$)/
const LEFT_OUT_BELOW = new Set(['compile-cache'])

/** Options as they were written; `force` replaces a file that is there. */
export interface BackupOptions extends Pick<HostChoice, 'data'> {
  readonly force?: boolean
}

/** Writes FILE whole or not at all. CliError `failed` when it is there already. */
export async function backup(terminal: Terminal, options: BackupOptions, given: string): Promise<void> {
  const file = resolve(given)
  if (existsSync(file) && options.force !== true)
    throw new CliError('failed', `${file} is there already. Choose another name, or --force.`)
  const folder = dataFolder(options.data)
  if (!existsSync(join(folder, DATABASE))) throw new CliError('failed', `There is no database in ${folder}.`)
  const copy = join(folder, `backup-${process.pid}.db.part`)
  const fresh = `${file}.${process.pid}.part`
  try {
    await copyDatabase(folder, copy)
    const bytes = await writeArchive(fresh, contents(folder, copy))
    renameSync(fresh, file)
    terminal.result({ file, bytes }, () => `${file} (${bytes} bytes)`)
    terminal.note('It holds the key of all stored secrets: keep it as you keep a password.')
  } finally {
    for (const left of [copy, fresh]) rmSync(left, { force: true })
  }
}

/** A consistent copy: by the host while it runs, else from the file. */
async function copyDatabase(folder: string, copy: string): Promise<void> {
  const host = await reachHost({ data: folder }, {})
  if (host !== undefined) {
    await host.client.backup({ body: { file: copy } })
    return
  }
  const store = await openStore({ folder })
  try {
    await store.backup(copy)
  } finally {
    await store.close()
  }
}

function* contents(folder: string, copy: string): Iterable<Packed> {
  yield packed(copy, DATABASE)
  for (const name of readdirSync(folder).sort()) {
    if (!LEFT_OUT.test(name)) yield* below(folder, name)
  }
}

function* below(folder: string, name: string): Iterable<Packed> {
  const path = join(folder, name)
  const facts = statSync(path, { throwIfNoEntry: false })
  if (facts?.isFile() === true) yield packed(path, name)
  if (facts?.isDirectory() !== true) return
  for (const child of readdirSync(path).sort()) {
    if (!LEFT_OUT_BELOW.has(child)) yield* below(folder, `${name}/${child}`)
  }
}

function packed(file: string, name: string): Packed {
  const { size, mode } = statSync(file)
  return { file, name, size, mode: mode & 0o777 }
}
