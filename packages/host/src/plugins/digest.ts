/** Digests by which an approval recognises what it approved: the manifest as canonical JSON, the package byte for byte. */
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HostError } from '../errors.ts'

/** What a package may hold; larger ones are refused before anything is copied. */
export const PACKAGE_LIMITS = { files: 2_000, bytes: 64 * 1024 * 1024, depth: 16 } as const
/** Never part of a package: made by tools, or by the host itself. */
const LEFT_OUT = new Set(['node_modules', '.git', '.DS_Store', 'tsconfig.tsbuildinfo'])

/** JSON with sorted keys and no spaces: the same value gives the same text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  )
}

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

export const manifestDigest = (manifest: unknown): string => sha256(canonicalJson(manifest))

export interface PackageFile {
  /** Relative, with `/`. */
  readonly path: string
  readonly bytes: number
}

/** The files of a plugin folder in a fixed order. HostError `invalid_manifest` for links, devices and what is over a limit. */
export function packageFiles(folder: string): PackageFile[] {
  const files: PackageFile[] = []
  let bytes = 0
  const visit = (relative: string, depth: number): void => {
    if (depth > PACKAGE_LIMITS.depth) throw refused(`"${relative}" lies deeper than ${PACKAGE_LIMITS.depth} folders`)
    for (const name of readdirSync(join(folder, relative)).sort()) {
      if (LEFT_OUT.has(name)) continue
      const path = relative === '' ? name : `${relative}/${name}`
      const facts = lstatSync(join(folder, path))
      if (facts.isDirectory()) {
        visit(path, depth + 1)
      } else if (facts.isFile()) {
        bytes += facts.size
        files.push({ path, bytes: facts.size })
        if (files.length > PACKAGE_LIMITS.files) throw refused(`it has more than ${PACKAGE_LIMITS.files} files`)
        if (bytes > PACKAGE_LIMITS.bytes) throw refused(`it is larger than ${PACKAGE_LIMITS.bytes} bytes`)
      } else {
        throw refused(
          `"${path}" is a ${facts.isSymbolicLink() ? 'symbolic link' : 'special file'}; put the file itself there`,
        )
      }
    }
  }
  visit('', 0)
  return files
}

/** SHA-256 over every path and content. */
export function packageDigest(folder: string): string {
  const hash = createHash('sha256')
  for (const file of packageFiles(folder)) {
    hash.update(`${file.path}\0${file.bytes}\0`)
    hash.update(readFileSync(join(folder, file.path)))
  }
  return hash.digest('hex')
}

function refused(what: string): HostError {
  return new HostError('invalid_manifest', `This package can't be installed: ${what}.`)
}
