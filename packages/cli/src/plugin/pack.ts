/** `runbound plugin pack DIR`: one module with all that it imports, its assets and its manifest, in a folder of their own. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { deriveManifest, devEntry, MANIFEST_FILE, packageFiles } from '@runbound/host'
import type { BuildFailure, Message } from 'esbuild'
import { at, list } from '../dev/runners.ts'
import { CliError } from '../errors.ts'
import { nodeRuntime } from '../index.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'

/** The module of every packed plugin. */
const ENTRY = 'index.mjs'
/** Copied when they are there; package.json may name more in "files". */
const BESIDE = ['README.md', 'LICENSE', 'LICENSE.md', 'assets', 'readme']
/** What CommonJS packages expect, inside one ES module. */
const BANNER = `import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);`

/** Options as they were written; `out` is a folder, by default `dist` in the plugin. */
export interface PackOptions {
  readonly out?: string
}

/**
 * Writes the package, whole or not at all. CliError `failed` with file and line when a module can't be bundled;
 * HostError `plugin_failed` when the result does not load.
 */
export async function packPlugin(terminal: Terminal, options: PackOptions, directory: string): Promise<void> {
  const folder = resolve(directory)
  const entry = devEntry(folder)
  const out = resolve(options.out ?? join(folder, 'dist'))
  mayReplace(folder, out)
  const fresh = `${out}.${process.pid}.part`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  try {
    await bundle(join(folder, entry), join(fresh, ENTRY))
    for (const name of [...BESIDE, ...namedFiles(folder)]) copy(folder, fresh, name, out)
    const derived = await deriveManifest({ runtime: nodeRuntime(), folder: fresh, entry: ENTRY })
    const icon = at(at(derived.manifest.manifest, 'metadata'), 'icon')
    if (typeof icon === 'string') {
      copy(folder, fresh, icon, out)
      if (!existsSync(join(fresh, icon))) throw new CliError('failed', `The icon ${icon} is not in ${folder}.`)
    }
    const files = packageFiles(fresh)
    rmSync(out, { recursive: true, force: true })
    renameSync(fresh, out)
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    const value = { folder: out, plugin_id: derived.plugin_id, version: derived.version, files: files.length, bytes }
    terminal.result(value, () =>
      [
        `${paint('green', `${value.plugin_id} ${value.version}`)} is packed in ${out} (${value.files} files, ${bytes} bytes)`,
        `Next: runbound plugin install ${relative(process.cwd(), out) || '.'}   (shows what it asks for; you approve it, then it runs)`,
      ].join('\n'),
    )
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

async function bundle(from: string, to: string): Promise<void> {
  const { build } = await import('esbuild')
  try {
    await build({
      entryPoints: [from],
      outfile: to,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      // The host gives its own copy of the SDK.
      external: ['@runbound/sdk'],
      banner: { js: BANNER },
      legalComments: 'inline',
      logLevel: 'silent',
    })
  } catch (error) {
    const failure = error as Partial<BuildFailure>
    const [first] = failure.errors ?? []
    if (first === undefined) throw error
    throw new CliError('failed', `The plugin can't be bundled: ${placeOf(first)}${first.text}`, { cause: error })
  }
}

function placeOf({ location }: Message): string {
  return location === null ? '' : `${location.file}:${location.line}:${location.column + 1}: `
}

/** Only a folder that is empty, or that an earlier `pack` made, is written over. */
function mayReplace(folder: string, out: string): void {
  const within = relative(out, folder)
  if (within === '' || (!within.startsWith('..') && !isAbsolute(within)))
    throw new CliError('usage', `The package can't be written over the plugin itself: choose another folder with -o.`)
  if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(join(out, MANIFEST_FILE)))
    throw new CliError('failed', `${out} holds something else. Choose another folder with -o, or empty it.`)
}

/** "files" of package.json: names and folders, without patterns. */
function namedFiles(folder: string): string[] {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return []
  const names = list(at(JSON.parse(readFileSync(file, 'utf8')), 'files')).map(String)
  for (const name of names) {
    if (/[*?{}[\]!]/.test(name) || isAbsolute(name) || name.split(/[/\\]/).includes('..'))
      throw new CliError(
        'invalid_file',
        `"files" in ${file} holds "${name}": name files and folders inside the plugin.`,
      )
    if (!existsSync(join(folder, name)))
      throw new CliError('invalid_file', `"files" in ${file} names ${name}, which is not there.`)
  }
  return names
}

function copy(folder: string, to: string, name: string, out: string): void {
  const source = join(folder, name)
  const target = join(to, name)
  if (!existsSync(source) || existsSync(target) || source === out || out.startsWith(source + sep)) return
  mkdirSync(dirname(target), { recursive: true })
  // Links are copied as links, so that they are refused and not followed out of the folder.
  cpSync(source, target, { recursive: true, verbatimSymlinks: true })
}
