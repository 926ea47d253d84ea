/** What really loads when an entry is imported: follows value imports through files and packages. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, resolveRelative, type SourceFile } from '../sources/tree.ts'
import { packageName } from './packages.ts'
import type { Violation } from './violation.ts'

/** A promise of an entry about what it loads, with everything it loads in turn. */
export interface EntryRule {
  readonly entry: string
  readonly never: RegExp
  readonly why: string
}

export const ENTRY_RULES: readonly EntryRule[] = [
  {
    entry: 'packages/protocol/src/index.ts',
    never: /^(zod|node:)/,
    why: 'the names half of protocol loads no zod and no Node part',
  },
  { entry: 'packages/protocol/src/schemas.ts', never: /^node:/, why: 'protocol does no I/O' },
  { entry: 'packages/link/src/index.ts', never: /^zod/, why: 'the link carries, it does not judge' },
  {
    entry: 'packages/sdk/src/index.ts',
    never: /^(zod|node:)/,
    why: "authors' code loads no zod and, by itself, no Node part",
  },
  {
    entry: 'packages/sdk/src/serve/process.ts',
    never: /^zod/,
    why: 'a plugin process loads no zod: the host validates',
  },
  { entry: 'packages/api/src/index.ts', never: /^node:/, why: 'the client also runs in browsers' },
]

/** Where a package's entry lies, by its `exports`; undefined when it has no such entry. */
export function entryFile(folder: string, entry: string): string | undefined {
  const file = join(ROOT, folder, 'package.json')
  if (!existsSync(file)) return undefined
  const exports: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8')).exports ?? {}
  const path = exports[entry]
  return typeof path === 'string' ? `${folder}/${path.replace(/^\.\//, '')}` : undefined
}

/** Follows value imports from each entry and reports the first way to something it must never load. */
export function checkEntries(
  files: readonly SourceFile[],
  folderOf: ReadonlyMap<string, string>,
  rules: readonly EntryRule[] = ENTRY_RULES,
): Violation[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const resolve = (from: string, specifier: string): string | undefined => {
    if (specifier.startsWith('.')) return resolveRelative(from, specifier)
    const name = packageName(specifier)
    const folder = folderOf.get(name)
    return folder === undefined ? undefined : entryFile(folder, `.${specifier.slice(name.length)}`)
  }
  return rules.flatMap((rule) => follow(rule, byPath, resolve))
}

function follow(
  rule: EntryRule,
  byPath: ReadonlyMap<string, SourceFile>,
  resolve: (from: string, specifier: string) => string | undefined,
): Violation[] {
  if (!byPath.has(rule.entry))
    return [{ file: rule.entry, line: 0, rule: 'entry', says: 'no such entry; correct ENTRY_RULES.' }]
  const ways = new Map<string, readonly string[]>([[rule.entry, [rule.entry]]])
  const found: Violation[] = []
  for (const [path, way] of ways) {
    for (const { specifier, kind, line } of byPath.get(path)?.imports ?? []) {
      if (kind !== 'value') continue
      if (rule.never.test(specifier))
        found.push({ file: path, line, rule: 'entry', says: `${specifier}: ${rule.why} (${way.join(' -> ')}).` })
      const next = resolve(path, specifier)
      if (next !== undefined && !ways.has(next)) ways.set(next, [...way, next])
    }
  }
  return found
}
