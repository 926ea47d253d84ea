/** A plugin package on disk: its derived manifest file, checked, and its installation as read-only files. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PackageManifest } from '@runbound/link'
import type { JsonObject } from '@runbound/protocol'
import { ComponentManifestSchema, PluginManifestSchema } from '@runbound/protocol/schemas'
import { HostError } from '../errors.ts'
import { manifestDigest, packageDigest, packageFiles } from './digest.ts'

/** Written by `pack`, `check` and `dev` beside the code; an installation without it is refused. */
export const MANIFEST_FILE = 'runbound.manifest.json'
const MANIFEST_BYTES = 1024 * 1024

/** They become folder names and parts of Runner ids: one that could lead elsewhere is refused, whoever wrote it. */
const NAME = { pattern: /^[a-zA-Z0-9_-]+$/, says: 'must be made of letters, digits, _ and -' } as const
const IDENTITY = {
  author: NAME,
  name: NAME,
  version: { pattern: /^[0-9a-zA-Z][0-9a-zA-Z.+_-]*$/, says: 'must be like 1.2.3' },
} as const
const IDENTITY_LENGTH = 100

export interface ReadPackage {
  readonly plugin_id: string
  readonly version: string
  readonly manifest: PackageManifest
  readonly manifest_digest: string
  readonly package_digest: string
}

/** Reads and checks a package folder. HostError `invalid_manifest` names the file, the field and the cure. */
export function readPackage(folder: string): ReadPackage {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new HostError(
      'invalid_manifest',
      `"${folder}" is no folder. Give the folder that \`runbound plugin pack\` made.`,
      { at: folder },
    )
  }
  const file = join(folder, MANIFEST_FILE)
  if (!existsSync(file)) {
    throw new HostError(
      'invalid_manifest',
      `There is no ${MANIFEST_FILE} in "${folder}". Run \`runbound plugin pack\` in the plugin's folder and install its result.`,
      { at: file },
    )
  }
  if (statSync(file).size > MANIFEST_BYTES)
    throw new HostError('invalid_manifest', `${MANIFEST_FILE} is larger than ${MANIFEST_BYTES} bytes.`, { at: file })
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new HostError(
      'invalid_manifest',
      `${MANIFEST_FILE} is no JSON: ${cause instanceof Error ? cause.message : cause}. Run \`runbound plugin pack\` again.`,
      { at: file, cause },
    )
  }
  const manifest = checkManifest(json, MANIFEST_FILE)
  checkEntry(folder, manifest)
  return {
    ...identityOf(manifest),
    manifest,
    manifest_digest: manifestDigest(manifest),
    package_digest: packageDigest(folder),
  }
}

/** The module that the package starts with is named and there; the schema has seen that it lies inside. */
function checkEntry(folder: string, { manifest }: PackageManifest): void {
  const entry = entryOf(manifest)
  const where = 'manifest.execution.node.path'
  const refuse = (problem: string) =>
    new HostError('invalid_manifest', `${MANIFEST_FILE}: ${where}: ${problem}. Run \`runbound plugin pack\` again.`, {
      at: `${MANIFEST_FILE}#${where}`,
    })
  if (entry === undefined) throw refuse('it names no module that the plugin starts with')
  const file = join(folder, entry)
  if (!existsSync(file) || !statSync(file).isFile()) throw refuse(`there is no file "${entry}"`)
}

/** The module that a manifest starts with; undefined when it names none. */
export function entryOf(manifest: JsonObject): string | undefined {
  const at = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Reflect.get(value, name) : undefined
  const path = at(at(at(manifest, 'execution'), 'node'), 'path')
  return typeof path === 'string' && path !== '' ? path : undefined
}

/** Checks what a plugin says about itself, whether from a file or from a registration. */
export function checkManifest(json: unknown, from: string): PackageManifest {
  if (typeof json !== 'object' || json === null)
    throw new HostError('invalid_manifest', `${from} must hold an object.`, { at: from })
  const { manifest, components, sdk } = json as { manifest?: unknown; components?: unknown; sdk?: unknown }
  const plugin = PluginManifestSchema.safeParse(manifest)
  if (!plugin.success) throw fault(from, 'manifest', plugin.error.issues[0])
  for (const [key, rule] of Object.entries(IDENTITY)) {
    const value = plugin.data.metadata[key as keyof typeof IDENTITY]
    if (value.length > IDENTITY_LENGTH || !rule.pattern.test(value))
      throw fault(from, 'manifest.metadata', { path: [key], message: `${JSON.stringify(value)} ${rule.says}` })
  }
  if (!Array.isArray(components))
    throw new HostError('invalid_manifest', `${from}: "components" must be a list.`, { at: `${from}#components` })
  const names = new Set<string>()
  for (const [index, component] of components.entries()) {
    const parsed = ComponentManifestSchema.safeParse(component)
    if (!parsed.success) throw fault(from, `components[${index}]`, parsed.error.issues[0])
    const key = `${parsed.data.kind}/${parsed.data.metadata.name}`
    if (names.has(key))
      throw new HostError('invalid_manifest', `${from}: there are two components ${key}; give one another name.`, {
        at: `${from}#components[${index}]`,
      })
    names.add(key)
  }
  if (
    typeof sdk !== 'object' ||
    sdk === null ||
    typeof (sdk as { name?: unknown }).name !== 'string' ||
    typeof (sdk as { version?: unknown }).version !== 'string'
  ) {
    throw new HostError('invalid_manifest', `${from}: "sdk" must name the SDK and its version.`, { at: `${from}#sdk` })
  }
  return json as PackageManifest
}

export function identityOf(manifest: PackageManifest): { plugin_id: string; version: string } {
  const { author, name, version } = PluginManifestSchema.parse(manifest.manifest).metadata
  return { plugin_id: `${author}/${name}`, version }
}

/** Copies a package below `target` so that it is there whole or not at all, and read-only. What is there and differs goes. */
export function placePackage(folder: string, target: string, digest: string): void {
  if (existsSync(target)) {
    if (packageDigest(target) === digest) return
    rmSync(target, { recursive: true })
  }
  const fresh = `${target}.${process.pid}.part`
  rmSync(fresh, { recursive: true, force: true })
  try {
    for (const file of packageFiles(folder)) {
      const to = join(fresh, file.path)
      mkdirSync(dirname(to), { recursive: true })
      copyFileSync(join(folder, file.path), to)
      chmodSync(to, 0o444)
    }
    renameSync(fresh, target)
  } catch (cause) {
    rmSync(fresh, { recursive: true, force: true })
    throw cause
  }
}

function fault(
  from: string,
  where: string,
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): HostError {
  const path = [where, ...(issue?.path ?? []).map(String)].join('.')
  return new HostError('invalid_manifest', `${from}: ${path}: ${issue?.message ?? 'is not valid'}.`, {
    at: `${from}#${path}`,
  })
}
