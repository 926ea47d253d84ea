/** Loads the module of a plugin and says in one sentence what is wrong with it. */
import { existsSync, realpathSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isPlugin, type Plugin } from '../define/plugin.ts'
import { SdkError } from '../errors.ts'
import { majorOf, SDK_NAME, SDK_VERSION } from '../version.ts'

function refuse(file: string, why: string, cause?: unknown): never {
  throw new SdkError('load_failed', `Cannot load the plugin from ${file}: ${why}`, { cause })
}

/**
 * Imports `entry` (relative to `folder`) and gives its default export. Throws SdkError `load_failed`, naming the file and
 * what to do, when there is none, when it is no plugin, or when it was made with another major version of the SDK.
 */
export async function loadPlugin(folder: string, entry: string): Promise<Plugin> {
  const file = entryFile(folder, entry)
  let loaded: { readonly default?: unknown }
  try {
    loaded = await import(pathToFileURL(file).href)
  } catch (error) {
    return refuse(
      file,
      `${firstLine(error)}${placeOf(error, folder)}. Fix the module; \`runbound dev\` loads each save.`,
      error,
    )
  }
  return pluginOf(file, loaded)
}

function entryFile(folder: string, entry: string): string {
  const asked = resolve(folder, entry)
  if (!existsSync(folder)) refuse(asked, `there is no folder ${folder}. Name the plugin's folder.`)
  if (!existsSync(asked))
    refuse(asked, 'there is no such file. Name the module whose default export is definePlugin(...).')
  const [root, file] = [realpathSync.native(folder), realpathSync.native(asked)]
  const inside = relative(root, file)
  if (inside.startsWith(`..${sep}`) || isAbsolute(inside))
    refuse(asked, 'it lies outside the folder of the plugin. Move it inside.')
  return file
}

function pluginOf(file: string, loaded: { readonly default?: unknown }): Plugin {
  if (loaded.default === undefined)
    refuse(file, 'it has no default export. Write: export default definePlugin({ ... }).')
  if (!isPlugin(loaded.default)) {
    refuse(file, 'its default export is not what definePlugin returns. Write: export default definePlugin({ ... }).')
  }
  const { version } = loaded.default.packageManifest.sdk
  if (majorOf(version) !== majorOf(SDK_VERSION)) {
    refuse(
      file,
      `it was made with ${SDK_NAME} ${version}, and this host has ${SDK_VERSION}. Update the older of the two.`,
    )
  }
  return loaded.default
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.split('\n', 1)[0] ?? text
}

/** The first place in the plugin's own code, as ` (at file:line:column)`. */
function placeOf(error: unknown, folder: string): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const root = pathToFileURL(existsSync(folder) ? realpathSync.native(folder) : folder).href
  const line = stack.split('\n').find((candidate) => candidate.includes(root))
  const place = line?.slice(line.indexOf(root) + root.length + 1).replace(/\)$/, '')
  return place ? ` (at ${place})` : ''
}
