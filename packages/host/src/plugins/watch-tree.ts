/** Says when something in an author's folder was saved. Editors replace files as often as they write into them. */
import { createHash } from 'node:crypto'
import { type Dirent, existsSync, type FSWatcher, readdirSync, readFileSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { MANIFEST_FILE } from './package.ts'

/** Editors write a file in several steps; one change for all of them. Milliseconds. */
const SETTLE_MS = 60
/** Made by tools or by ourselves, never by the author. */
const IGNORED = new Set(['node_modules', '.git', 'dist', MANIFEST_FILE])
/** Left beside a file while it is written: by editors, and by `plugin check` and `plugin pack`. */
const PASSING = /(\.tmp|\.part|\.swp|~)$/
/** Larger files are told apart by size and time, not by what they hold. Bytes. */
const READ_AT_MOST = 1024 * 1024

/**
 * Calls `changed` after each save below the folder that changed what a file holds, once for saves that come together;
 * returns what ends it. A folder that vanishes is no longer watched, which ends nothing else. Packages that `plugin pack`
 * made within the folder are none of its sources.
 *
 * Each folder is watched by itself: Node's recursive watch on Linux looks at files, and loses one that was replaced.
 */
export function watchTree(folder: string, changed: () => void): () => void {
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  let known = contents(treeOf(folder))

  function add(path: string): void {
    if (watchers.has(path)) return
    try {
      const watcher = watch(path, (_kind, name) => note(name))
      watcher.on('error', () => drop(path))
      watchers.set(path, watcher)
      for (const entry of foldersIn(path)) add(join(path, entry.name))
    } catch {
      drop(path) // gone between being listed and being watched
    }
  }

  function drop(path: string): void {
    watchers.get(path)?.close()
    watchers.delete(path)
  }

  function note(name: string | null): void {
    if (name !== null && isIgnored(name)) return
    clearTimeout(timer)
    timer = setTimeout(settled, SETTLE_MS)
  }

  function settled(): void {
    const there = new Set(treeOf(folder))
    for (const path of watchers.keys()) if (!there.has(path)) drop(path)
    for (const path of there) add(path)
    const now = contents(there)
    if (now === known) return
    known = now
    changed()
  }

  add(folder)
  return () => {
    clearTimeout(timer)
    for (const path of [...watchers.keys()]) drop(path)
  }
}

function treeOf(path: string): string[] {
  return [path, ...foldersIn(path).flatMap((entry) => treeOf(join(path, entry.name)))]
}

function foldersIn(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && !isIgnored(entry.name) && !existsSync(join(path, entry.name, MANIFEST_FILE)),
    )
  } catch {
    return [] // gone meanwhile
  }
}

function isIgnored(name: string): boolean {
  return IGNORED.has(name) || PASSING.test(name)
}

/** One text that differs whenever a file in these folders came, went or holds something else. */
function contents(folders: Iterable<string>): string {
  const hash = createHash('sha256')
  for (const folder of folders) {
    for (const name of filesIn(folder)) {
      const file = join(folder, name)
      try {
        const { size, mtimeMs } = statSync(file)
        hash.update(`\0${file}\0`).update(size > READ_AT_MOST ? `${size} ${mtimeMs}` : readFileSync(file))
      } catch {
        hash.update('gone') // between being listed and being read
      }
    }
  }
  return hash.digest('hex')
}

function filesIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && !isIgnored(entry.name))
      .map(({ name }) => name)
      .sort()
  } catch {
    return [] // gone meanwhile
  }
}
