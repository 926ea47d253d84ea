/** Whether `npm ci` would take the lock file: it has every workspace as it is declared, and everything that anything asks for. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolders, ROOT } from './sources/tree.ts'

const GROUPS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const

type Declared = { readonly [G in (typeof GROUPS)[number]]?: Readonly<Record<string, string>> } & {
  readonly name?: string
  readonly link?: boolean
}
/** `packages` of a lock file: path to what is there. */
export type LockedPackages = Readonly<Record<string, Declared>>

const FIX = 'Run: npm install --package-lock-only'

/** Compares the lock file with every package.json; one sentence per difference. */
export function checkLockFile(): string[] {
  const read = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
  const lock = read('package-lock.json') as { readonly packages: LockedPackages }
  const declared = ['', ...packageFolders()].map((folder): [string, Declared] => [
    folder,
    read(join(folder, 'package.json')) as Declared,
  ])
  return [...compareWorkspaces(new Map(declared), lock.packages), ...findMissing(lock.packages)]
}

/** Workspaces that the lock file does not have as they are declared. */
export function compareWorkspaces(declared: ReadonlyMap<string, Declared>, locked: LockedPackages): string[] {
  return [...declared].flatMap(([folder, own]) => {
    const known = locked[folder]
    if (known === undefined) return [`package-lock.json does not know ${folder}. ${FIX}`]
    return GROUPS.filter((group) => sorted(own[group]) !== sorted(known[group])).map(
      (group) => `package-lock.json has other ${group} of ${folder === '' ? 'the root' : folder}. ${FIX}`,
    )
  })
}

/** What a package of the lock file asks for and the lock file does not have: `npm ci` refuses it, even if it is optional. */
export function findMissing(locked: LockedPackages): string[] {
  return Object.entries(locked).flatMap(([path, own]) => {
    const wanted = { ...own.dependencies, ...own.optionalDependencies }
    return Object.keys(wanted)
      .filter((name) => !isFound(locked, path, name))
      .map((name) => `package-lock.json has no ${name}, which ${path || 'the root'} asks for. ${FIX}`)
  })
}

/** Looks where Node would: in the package's own `node_modules`, then in those of each folder above. */
function isFound(locked: LockedPackages, path: string, name: string): boolean {
  for (let at = path; ; at = at.slice(0, Math.max(at.lastIndexOf('/'), 0))) {
    if (locked[at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`] !== undefined) return true
    if (at === '') return false
  }
}

function sorted(group: Readonly<Record<string, string>> | undefined): string {
  return JSON.stringify(Object.entries(group ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)))
}
