/** Who may import whom among the packages (DESIGN §3), and whether what is imported was declared. */
import { existsSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { isTestFile, packageOf, ROOT, resolveRelative, type SourceFile } from '../sources/tree.ts'
import type { Violation } from './violation.ts'

/** May import everything: where concrete parts meet, and what looks at the whole. */
const EVERYTHING = '*'

/**
 * Direct arrows, written from the importer's side; arrows are transitive. A key that ends in `/*` stands for each package of
 * that folder. Packages of one such folder never import each other.
 */
export const PACKAGE_ARROWS: Readonly<Record<string, readonly string[] | typeof EVERYTHING>> = {
  'packages/protocol': [],
  'packages/link': ['packages/protocol'],
  'packages/sdk': ['packages/link'],
  'packages/store': ['packages/protocol'],
  'packages/platform-kit': ['packages/protocol'],
  'packages/api': ['packages/protocol'],
  'packages/host': ['packages/link', 'packages/store', 'packages/platform-kit', 'packages/api'],
  'packages/testing': ['packages/host', 'packages/sdk'],
  'packages/cli': EVERYTHING,
  'engines/*': ['packages/host'],
  'platforms/*': ['packages/platform-kit'],
  'bundled/*': ['packages/sdk'],
  'examples/*': ['packages/sdk'],
  'apps/*': ['packages/api'],
  tests: EVERYTHING,
  bench: EVERYTHING,
  tools: EVERYTHING,
  interop: EVERYTHING,
}

/** What tests may import besides: the author's test kit, in what authors write. */
export const TEST_ARROWS: Readonly<Record<string, readonly string[]>> = {
  'bundled/*': ['packages/testing'],
  'examples/*': ['packages/testing'],
}

/** Of `protocol`, these may import the entry `.` only: names, types, codes and limits, without zod. */
export const WITHOUT_SCHEMAS = ['packages/link', 'packages/sdk', 'bundled/*', 'examples/*'] as const

const BUILT_IN = new Set(builtinModules)

interface PackageFile {
  readonly name: string
  readonly declared: ReadonlySet<string>
}

/** Reads what each package is called and what it declares. The root's devDependencies serve every package's tests. */
export function readPackageFiles(folders: readonly string[]): Map<string, PackageFile> {
  return new Map(['', ...folders].map((folder) => [folder, readPackageFile(folder)]))
}

function readPackageFile(folder: string): PackageFile {
  const file = join(ROOT, folder, 'package.json')
  if (!existsSync(file)) return { name: '', declared: new Set() }
  const json: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'))
  const groups = [json.dependencies, json.devDependencies, json.peerDependencies, json.optionalDependencies]
  return { name: String(json.name), declared: new Set(groups.flatMap((group) => Object.keys(group ?? {}))) }
}

/** All packages that a package may import, by folder; `*` for everything. */
export function allowedFrom(folder: string, forTests = false): ReadonlySet<string> | typeof EVERYTHING {
  const key = arrowKey(folder)
  const arrows = PACKAGE_ARROWS[key]
  if (arrows === EVERYTHING) return EVERYTHING
  const open = [...(arrows ?? []), ...(forTests ? (TEST_ARROWS[key] ?? []) : [])]
  const all = new Set<string>()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (all.has(next)) continue
    all.add(next)
    const further = PACKAGE_ARROWS[next]
    if (Array.isArray(further)) open.push(...further)
  }
  return all
}

/** Checks every import that leaves its package. */
export function checkPackages(
  files: readonly SourceFile[],
  packageFiles: ReadonlyMap<string, PackageFile>,
): Violation[] {
  const folderOf = new Map([...packageFiles].map(([folder, file]) => [file.name, folder]))
  const found: Violation[] = []
  for (const file of files) {
    const own = packageOf(file.path)
    if (own === undefined) continue
    const forTests = isTestFile(file.path)
    if (PACKAGE_ARROWS[arrowKey(own)] === undefined) {
      found.push({
        file: own,
        line: 0,
        rule: 'package arrows',
        says: 'this package has no row in PACKAGE_ARROWS; give it one.',
      })
      continue
    }
    for (const { specifier, kind, line } of file.imports) {
      const report = (rule: string, says: string) => found.push({ file: file.path, line, rule, says })
      if (specifier.startsWith('.')) {
        const target = packageOf(resolveRelative(file.path, specifier))
        if (kind !== 'url' && target !== own && !isSinglePackage(own))
          report('package border', `${specifier} leaves ${own}; import other packages by their names.`)
        continue
      }
      const name = packageName(specifier)
      const target = folderOf.get(name)
      if (target !== undefined && target !== '') {
        if (target !== own && !mayImport(own, target, forTests))
          report('package arrows', `${own} may not import ${target}.`)
        if (
          specifier.endsWith('/schemas') &&
          name === '@runbound/protocol' &&
          !forTests &&
          isOneOf(WITHOUT_SCHEMAS, own)
        )
          report('protocol entry', `${own} imports only the entry "." of protocol: the schemas bring zod.`)
      }
      if (BUILT_IN.has(name) && !specifier.startsWith('node:')) report('node prefix', `write node:${specifier}.`)
      if (specifier.startsWith('node:') || target === own) continue
      const declares = [own, ...(forTests || isSinglePackage(own) ? [''] : [])]
      if (!declares.some((folder) => packageFiles.get(folder)?.declared.has(name)))
        report(
          'undeclared dependency',
          `${name} is not in ${own}/package.json${forTests ? ' or the root devDependencies' : ''}.`,
        )
    }
  }
  return found
}

function mayImport(own: string, target: string, forTests: boolean): boolean {
  const allowed = allowedFrom(own, forTests)
  return allowed === EVERYTHING || allowed.has(target) || allowed.has(arrowKey(target))
}

/** Finds the row of a folder: its own, or that of its parent folder. */
function arrowKey(folder: string): string {
  return folder in PACKAGE_ARROWS ? folder : `${folder.split('/')[0]}/*`
}

function isOneOf(keys: readonly string[], folder: string): boolean {
  return keys.includes(folder) || keys.includes(arrowKey(folder))
}

function isSinglePackage(folder: string): boolean {
  return !folder.includes('/')
}

/** `@scope/name/entry` and `name/entry` without the entry. */
export function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
