/** How much a browser loads before the console shows its first page: the index and everything that it names, compressed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { CONSOLE_DIST } from './console-build.ts'

/** Most bytes of the first load, compressed. */
export const FIRST_LOAD_BYTES = 300_000

export interface FirstLoad {
  readonly bytes: number
  /** Names from the folder of built files. */
  readonly files: readonly string[]
}

interface ManifestEntry {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}

/** The index, its scripts and styles, and the page that a person lands on (chats), with all that they load. */
export function firstLoad(folder: string = CONSOLE_DIST): FirstLoad {
  const manifest: Record<string, ManifestEntry> = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
  const index = readFileSync(join(folder, 'index.html'), 'utf8')
  const named = [...index.matchAll(/(?:src|href)="\/console\/([^"]+)"/g)].map(([, name = '']) => name)
  const files = new Set(['index.html', ...named])
  const follow = (key: string): void => {
    const entry = manifest[key]
    if (entry === undefined) throw new Error(`The manifest of the console does not know ${key}.`)
    if (files.has(entry.file) && !named.includes(entry.file)) return
    for (const name of [entry.file, ...(entry.css ?? [])]) files.add(name)
    for (const next of entry.imports ?? []) if (!files.has(manifest[next]?.file ?? '')) follow(next)
  }
  follow('index.html')
  follow('src/pages/chats/chats-page.tsx')
  let bytes = 0
  for (const name of files) bytes += gzipSync(readFileSync(join(folder, name)), { level: 9 }).length
  return { bytes, files: [...files] }
}
