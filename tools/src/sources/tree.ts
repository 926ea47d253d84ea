/** The sources of the repository: which files there are, and what each imports. Read once, used by every house test. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { type FoundImport, findImports } from './imports.ts'

export const ROOT = resolve(import.meta.dirname, '../../..')

/** Folders that hold packages, one per child. */
export const PACKAGE_FOLDERS = ['packages', 'engines', 'platforms', 'bundled', 'apps', 'examples'] as const
/** Folders that are one package each. */
export const SINGLE_PACKAGES = ['tests', 'bench', 'tools', 'interop'] as const

const SKIPPED = new Set(['node_modules', 'dist', '.peer', 'artifacts', 'fixtures', '.git', '.runbound'])

/** A source file with its path from the root (always with `/`), its text and its imports. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly imports: readonly FoundImport[]
}

/** Makes a source file from text, for planted violations. */
export function sourceFile(path: string, text: string): SourceFile {
  return { path, text, imports: findImports(text) }
}

/** Folders of all packages that exist, such as `packages/host` or `tests`. */
export function packageFolders(): string[] {
  const many = PACKAGE_FOLDERS.filter((folder) => existsSync(join(ROOT, folder))).flatMap((folder) =>
    readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${folder}/${entry.name}`),
  )
  return [...many, ...SINGLE_PACKAGES].filter((folder) => existsSync(join(ROOT, folder, 'package.json')))
}

/** Every file under a folder whose name fits, sorted; never `node_modules`, `dist`, `fixtures` or artifacts. */
export function filesUnder(folder: string, fits: (path: string) => boolean): string[] {
  const files: string[] = []
  const walk = (at: string) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name)
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) walk(path)
      } else if (fits(entry.name)) files.push(relative(ROOT, path).split(sep).join('/'))
    }
  }
  if (existsSync(join(ROOT, folder))) walk(join(ROOT, folder))
  return files.sort()
}

/** Every TypeScript file of the repository. */
export function readSources(): SourceFile[] {
  return packageFolders()
    .flatMap((folder) => filesUnder(folder, (name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts')))
    .map((path) => sourceFile(path, readFileSync(join(ROOT, path), 'utf8')))
}

/** Only tests load these, though their names don't say so. */
const TEST_ONLY = new Set(['packages/sdk/src/fake-host.ts', 'packages/sdk/src/serve/run/in-run.ts'])

/** Tests and what only they use (`x.test.ts`, `fixtures.ts`, `x-fixture.ts`, `testing/`); rules of rooms don't bind them. */
export function isTestFile(path: string): boolean {
  return (
    TEST_ONLY.has(path) ||
    /\.test(-d)?\.ts$/.test(path) ||
    /(^|\/)(fixtures?|testing|[\w-]+-fixtures?)(\.ts$|\/)/.test(path.replace(/^packages\/testing\//, '')) ||
    /\.child\.ts$/.test(path) ||
    /^(packages|platforms|engines)\/[^/]+\/bench\//.test(path)
  )
}

/** The package folder that a path lies in, such as `packages/host`; undefined for files of the root. */
export function packageOf(path: string): string | undefined {
  const [first = '', second = ''] = path.split('/')
  if ((SINGLE_PACKAGES as readonly string[]).includes(first)) return first
  return (PACKAGE_FOLDERS as readonly string[]).includes(first) && second !== '' ? `${first}/${second}` : undefined
}

/** The path that a relative import names, from the root. */
export function resolveRelative(from: string, specifier: string): string {
  return relative(ROOT, resolve(ROOT, dirname(from), specifier))
    .split(sep)
    .join('/')
}
