/** Where this installation of Runbound lies: its root, its Node, its SDK. Everything is found from the sources themselves. */
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)

/** The folder that holds `packages/` or, where the packages were installed, `node_modules/`. */
export const ROOT = rootOf(realpathSync(fileURLToPath(import.meta.url)))

/** True in a clone of the repository, where sources run as they are. */
export const IS_CLONE = existsSync(join(ROOT, 'tools', 'run.mjs'))

/** Folder of one of our packages, without links in its path. */
export function packageFolder(name: string): string {
  let folder = dirname(realpathSync(require.resolve(name)))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}

/** True when this installation brings the package: the test kit may be left out. */
export function hasPackage(name: string): boolean {
  try {
    require.resolve(name)
    return true
  } catch {
    return false
  }
}

/** Main module of an entry such as `@runbound/sdk/process`. */
export function moduleFile(entry: string): string {
  return realpathSync(require.resolve(entry))
}

/** Where the console is built to, built or not; null where this installation was made without one. */
export function consoleFolder(): string | null {
  return IS_CLONE && existsSync(join(ROOT, 'apps', 'console')) ? join(ROOT, 'apps', 'console', 'dist') : null
}

/** A tool of the installation, such as `tsc`; undefined when it was installed without. */
export function toolFile(name: string): string | undefined {
  const file = join(ROOT, 'node_modules', '.bin', name)
  return existsSync(file) ? file : undefined
}

/** The data folder: the option, else RUNBOUND_DATA, else `.runbound/data` of the clone or of the home folder. */
export function dataFolder(option: string | undefined, env: NodeJS.ProcessEnv = process.env): string {
  const chosen = option ?? (env.RUNBOUND_DATA === '' ? undefined : env.RUNBOUND_DATA)
  return chosen === undefined ? join(IS_CLONE ? ROOT : homedir(), '.runbound', 'data') : resolve(chosen)
}

/** ` --data FOLDER` for a command that is printed, ready for a shell; empty for the folder that is found without it. */
export function dataOption(folder: string): string {
  if (folder === dataFolder(undefined, {})) return ''
  return ` --data ${/^[\w./@:+-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`}`
}

function rootOf(file: string): string {
  let folder = dirname(file)
  while (!existsSync(join(folder, 'node_modules', '@runbound')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}
