/** Says when something in an author's folder was saved. Editors replace files as often as they write into them. */
import { type Dirent, type FSWatcher, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { MANIFEST_FILE } from './package.ts'

/** Editors write a file in several steps; one change for all of them. Milliseconds. */
const SETTLE_MS = 60
/** Made by tools or by ourselves, never by the author. */
const IGNORED = new Set(['node_modules', '.git', 'dist', MANIFEST_FILE])

/**
 * Calls `changed` after each save below the folder, once for saves that come together; returns what ends it. A folder
 * that vanishes is no longer watched, which ends nothing else.
 *
 * Each folder is watched by itself: Node's recursive watch on Linux looks at files, and loses one that was replaced.
 */
export function watchTree(folder: string, changed: () => void): () => void {
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined

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
    if (name !== null && (IGNORED.has(name) || name.endsWith('.tmp') || name.endsWith('~'))) return
    clearTimeout(timer)
    timer = setTimeout(settled, SETTLE_MS)
  }

  function settled(): void {
    const there = new Set(treeOf(folder))
    for (const path of watchers.keys()) if (!there.has(path)) drop(path)
    for (const path of there) add(path)
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
    return readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory() && !IGNORED.has(entry.name))
  } catch {
    return [] // gone meanwhile
  }
}
