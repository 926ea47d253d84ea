/** What each package lets others import, as a committed list: a name comes or goes only on purpose. `--update` writes it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findExports } from './sources/exports.ts'
import { packageFolders, ROOT } from './sources/tree.ts'

export const PINS_FILE = join(ROOT, 'tests/house/exports.json')

/** A package: entry to its file, and entry to the names that it gives. */
export interface PackagePins {
  readonly exports: Readonly<Record<string, string>>
  readonly names: Readonly<Record<string, readonly string[]>>
}
export type Pins = Readonly<Record<string, PackagePins>>

/** The surfaces as they are now: every package that others can import. */
export function readSurfaces(): Pins {
  const published = packageFolders().filter((folder) => /^(packages|platforms|engines)\//.test(folder))
  return Object.fromEntries(published.map((folder) => [folder, surfaceOf(folder)]))
}

function surfaceOf(folder: string): PackagePins {
  const json: { exports?: Record<string, string> } = JSON.parse(
    readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
  )
  const exports = json.exports ?? {}
  const names = Object.entries(exports).map(([entry, path]): [string, string[]] => {
    const file = join(ROOT, folder, path)
    return [entry, existsSync(file) ? findExports(readFileSync(file, 'utf8')) : []]
  })
  return { exports, names: Object.fromEntries(names) }
}

/** The differences as sentences; none when the list is true. */
export function comparePins(pinned: Pins, now: Pins): string[] {
  const found: string[] = []
  for (const folder of new Set([...Object.keys(pinned), ...Object.keys(now)])) {
    const before = pinned[folder] ?? { exports: {}, names: {} }
    const after = now[folder] ?? { exports: {}, names: {} }
    for (const entry of new Set([...Object.keys(before.exports), ...Object.keys(after.exports)])) {
      const [was, is] = [before.exports[entry], after.exports[entry]]
      if (was !== is) found.push(`${folder} entry "${entry}": ${was ?? 'not there'} -> ${is ?? 'gone'}`)
      const [had, has] = [before.names[entry] ?? [], after.names[entry] ?? []]
      for (const name of has.filter((item) => !had.includes(item))) found.push(`${folder} entry "${entry}": + ${name}`)
      for (const name of had.filter((item) => !has.includes(item))) found.push(`${folder} entry "${entry}": - ${name}`)
    }
  }
  return found
}

/** What differs from the committed list. */
export function outdatedPins(): string[] {
  const pinned: Pins = existsSync(PINS_FILE) ? JSON.parse(readFileSync(PINS_FILE, 'utf8')) : {}
  return comparePins(pinned, readSurfaces())
}

/** Writes the list; answers what changed. */
export function writePins(): string[] {
  const changed = outdatedPins()
  if (changed.length > 0) writeFileSync(PINS_FILE, `${JSON.stringify(readSurfaces(), null, 1)}\n`)
  return changed
}

if (import.meta.main) {
  const update = process.argv.includes('--update')
  const changed = update ? writePins() : outdatedPins()
  for (const line of changed) process.stdout.write(`${line}\n`)
  process.exitCode = !update && changed.length > 0 ? 1 : 0
}
