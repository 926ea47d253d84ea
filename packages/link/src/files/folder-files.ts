/** Received files in a folder, for hosts that must not hold them in memory. Needs Node. */
import { appendFile, readFile, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileStore } from '../types.ts'

/**
 * Makes a store in an existing, empty folder of its own. File names are counted and never the other side's keys.
 * Operations reject with the errors of node:fs.
 */
export function folderFiles(folder: string): FileStore {
  const files = new Map<string, { readonly path: string; tail: Promise<void> }>()
  let made = 0
  return {
    append(key, bytes) {
      let file = files.get(key)
      if (file === undefined) {
        file = { path: join(folder, `received-${made++}`), tail: Promise.resolve() }
        files.set(key, file)
      }
      const { path } = file
      // Chunks of one file are written in the order in which they came.
      file.tail = file.tail.then(() => appendFile(path, bytes))
      return file.tail
    },
    async take(key) {
      const file = files.get(key)
      if (file === undefined) return new Uint8Array(0)
      files.delete(key)
      await file.tail
      const bytes = await readFile(file.path)
      await unlink(file.path)
      return bytes
    },
    async clear() {
      const paths = [...files.values()].map(async (file) => {
        await file.tail.catch(() => {})
        await rm(file.path, { force: true })
      })
      files.clear()
      await Promise.all(paths)
    },
  }
}
