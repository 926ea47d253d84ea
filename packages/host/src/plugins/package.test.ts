/** Reading and placing packages: every fault names the file and the field; what is placed is there whole or not at all. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { packageDigest } from './digest.ts'
import { MANIFEST_FILE, placePackage, readPackage } from './package.ts'

let base: string
let folder: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'runbound-package-'))
  folder = join(base, 'plugin')
  mkdirSync(folder)
  writeFileSync(join(folder, 'index.ts'), 'export default 1')
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const metadata = { author: 'acme', name: 'demo', version: '1.0.0', label: { en_US: 'Demo' } }
const runner = {
  apiVersion: 'v1',
  kind: 'Runner',
  metadata: { name: 'answer', label: { en_US: 'Answer' } },
  spec: { usages: ['agent'] },
}
const good = {
  manifest: {
    apiVersion: 'v1',
    kind: 'Plugin',
    metadata,
    spec: { config: [], components: {} },
    execution: { node: { path: 'index.ts' } },
  },
  components: [runner],
  sdk: { name: '@runbound/sdk', version: '0.1.0' },
}
const write = (manifest: unknown) => writeFileSync(join(folder, MANIFEST_FILE), JSON.stringify(manifest))

/** What is said of a package that is not taken, and where. */
function refused(): { readonly code: unknown; readonly message: string; readonly at: unknown } {
  try {
    readPackage(folder)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { code: Reflect.get(error, 'code'), message: error.message, at: Reflect.get(error, 'at') }
  }
  throw new Error('it was taken')
}

test('a good package is read with its names and digests', () => {
  write(good)
  expect(readPackage(folder)).toMatchObject({
    plugin_id: 'acme/demo',
    version: '1.0.0',
    package_digest: packageDigest(folder),
  })
})

describe('a package that', () => {
  test.each([
    ['has no manifest', undefined, /There is no runbound.manifest.json in .*Run `runbound plugin pack`/],
    ['has a manifest that is no object', [], /runbound.manifest.json/],
    ['has no plugin manifest', { ...good, manifest: undefined }, /^runbound.manifest.json: manifest: /],
    [
      'has no name',
      { ...good, manifest: { ...good.manifest, metadata: { ...metadata, name: 7 } } },
      /^runbound.manifest.json: manifest.metadata.name: /,
    ],
    [
      'has a name that leads elsewhere',
      { ...good, manifest: { ...good.manifest, metadata: { ...metadata, name: '../../../up' } } },
      /manifest.metadata.name: "..\/..\/..\/up" must be made of letters, digits, _ and -/,
    ],
    [
      'has an author that could be taken for another plugin',
      { ...good, manifest: { ...good.manifest, metadata: { ...metadata, author: 'acme/demo' } } },
      /manifest.metadata.author: "acme\/demo" must be made of letters/,
    ],
    [
      'has a version that leads elsewhere',
      { ...good, manifest: { ...good.manifest, metadata: { ...metadata, version: '1/../../../x' } } },
      /manifest.metadata.version: "1\/..\/..\/..\/x" must be like 1.2.3/,
    ],
    ['has no list of components', { ...good, components: {} }, /"components" must be a list/],
    [
      'has a component of no kind',
      { ...good, components: [runner, { ...runner, kind: 'Magic' }] },
      /^runbound.manifest.json: components\[1\].kind: /,
    ],
    ['has two components of one name', { ...good, components: [runner, runner] }, /two components Runner\/answer/],
    ['names no SDK', { ...good, sdk: {} }, /"sdk" must name the SDK and its version/],
    [
      'names no module',
      { ...good, manifest: { ...good.manifest, execution: undefined } },
      /manifest.execution.node.path: it names no module/,
    ],
    [
      'names a module outside',
      { ...good, manifest: { ...good.manifest, execution: { node: { path: '../index.ts' } } } },
      /manifest.execution.node.path: .*inside the plugin folder/,
    ],
    [
      'names a module that is not there',
      { ...good, manifest: { ...good.manifest, execution: { node: { path: 'main.ts' } } } },
      /manifest.execution.node.path: there is no file "main.ts". Run `runbound plugin pack` again/,
    ],
  ])('%s says so and where', (_what, manifest, message) => {
    if (manifest !== undefined) write(manifest)
    const fault = refused()
    expect(fault.code).toBe('invalid_manifest')
    expect(fault.message).toMatch(message)
    expect(fault.at).toMatch(/runbound.manifest.json/)
  })

  test('is no folder, has a manifest that is no JSON, or a huge one', () => {
    writeFileSync(join(folder, MANIFEST_FILE), '{ "manifest": ')
    expect(refused().message).toMatch(/runbound.manifest.json is no JSON: .*Run `runbound plugin pack` again/)
    writeFileSync(join(folder, MANIFEST_FILE), JSON.stringify({ ...good, padding: 'x'.repeat(1024 * 1024) }))
    expect(refused().message).toMatch(/larger than 1048576 bytes/)
    folder = join(folder, 'index.ts')
    expect(refused().message).toMatch(/is no folder. Give the folder that `runbound plugin pack` made/)
  })
})

describe('placing', () => {
  test('copies every file, read-only, and nothing that tools have made', () => {
    write(good)
    mkdirSync(join(folder, 'node_modules'))
    mkdirSync(join(folder, 'lib'))
    writeFileSync(join(folder, 'lib', 'a.ts'), 'a')
    const target = join(base, 'placed')
    placePackage(folder, target, packageDigest(folder))
    expect(readdirSync(target).sort()).toEqual(['index.ts', 'lib', MANIFEST_FILE])
    expect(statSync(join(target, 'lib', 'a.ts')).mode & 0o777).toBe(0o444)
    expect(packageDigest(target)).toBe(packageDigest(folder))
  })

  test('that fails leaves nothing, also of an attempt that was killed', () => {
    const target = join(base, 'placed')
    mkdirSync(`${target}.${process.pid}.part`)
    writeFileSync(join(`${target}.${process.pid}.part`, 'half'), '')
    symlinkSync('/etc/passwd', join(folder, 'passwd'))
    expect(() => placePackage(folder, target, '')).toThrow(/symbolic link/)
    expect(readdirSync(base)).toEqual(['plugin'])
  })

  test('puts right what was changed since, and leaves alone what is as it was', () => {
    write(good)
    const target = join(base, 'placed')
    const digest = packageDigest(folder)
    placePackage(folder, target, digest)
    const placed = statSync(join(target, 'index.ts')).ino
    placePackage(folder, target, digest)
    expect(statSync(join(target, 'index.ts')).ino).toBe(placed)
    writeFileSync(join(target, 'extra.ts'), 'x')
    placePackage(folder, target, digest)
    expect(existsSync(join(target, 'extra.ts'))).toBe(false)
    expect(packageDigest(target)).toBe(digest)
  })
})
