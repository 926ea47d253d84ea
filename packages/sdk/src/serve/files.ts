/** Reads files of a package from its folder, and never anything outside it. */
import { readFile, realpath, stat } from 'node:fs/promises'
import { extname, isAbsolute, join, sep } from 'node:path'
import { LIMITS, WireError } from '@runbound/protocol'
import type { PackageFiles, ReadFile } from './surroundings.ts'

const MIME_TYPES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.css': 'text/css',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.mjs': 'text/javascript',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

/**
 * Gives the files of the package in this folder. Links are followed before the place is checked: what leads out of the
 * folder, or out of `assets/` for an asset, is not there. Files above 4 MiB are refused.
 */
export function packageFiles(folder: string): PackageFiles {
  return {
    async read(path: string): Promise<ReadFile | undefined> {
      if (isAbsolute(path) || path.includes('\0')) return undefined
      const place = path.startsWith('assets/') ? join(folder, 'assets') : folder
      const [root, target] = await Promise.all([realPath(place), realPath(join(folder, path))])
      if (root === undefined || target === undefined || !target.startsWith(root + sep)) return undefined
      const found = await stat(target)
      if (!found.isFile()) return undefined
      if (found.size > LIMITS.asset_file.value) {
        throw new WireError(
          'too_large',
          `${path} has ${found.size} bytes; a file of a plugin has at most ${LIMITS.asset_file.value}.`,
        )
      }
      const mime_type = MIME_TYPES[extname(target).toLowerCase()] ?? 'application/octet-stream'
      return { bytes: await readFile(target), mime_type }
    },
  }
}

/** The path without links; undefined for what is not there or may not be seen. */
async function realPath(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
