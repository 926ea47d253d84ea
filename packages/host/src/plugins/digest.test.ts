/** What an approval recognises: the same manifest whatever its order, every byte of a package, and nothing that could change. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { canonicalJson, manifestDigest, PACKAGE_LIMITS, packageDigest, packageFiles } from './digest.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'runbound-digest-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = (path: string, text = 'x') => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}

describe('canonical JSON', () => {
  test('sorts the keys of every object, keeps lists as they are, leaves undefined out', () => {
    const value = { b: [{ z: 1, a: 2 }, 'é'], a: { d: null, c: undefined }, '': true }
    expect(canonicalJson(value)).toBe('{"":true,"a":{"d":null},"b":[{"a":2,"z":1},"é"]}')
  })

  test('gives the same digest for the same value, and another for another', () => {
    expect(manifestDigest({ a: 1, b: { c: 2, d: 3 } })).toBe(manifestDigest({ b: { d: 3, c: 2 }, a: 1 }))
    expect(manifestDigest({ a: [1, 2] })).not.toBe(manifestDigest({ a: [2, 1] }))
    expect(manifestDigest({ a: '1' })).not.toBe(manifestDigest({ a: 1 }))
    expect(manifestDigest({ a: { b: 1 } })).not.toBe(manifestDigest({ a: {}, b: 1 }))
  })
})

describe('the digest of a package', () => {
  test('changes with any byte, any name and any place, and not with the time', () => {
    put('index.ts', 'one')
    put('lib/a.ts', 'two')
    const first = packageDigest(folder)
    put('index.ts', 'one')
    expect(packageDigest(folder)).toBe(first)
    put('index.ts', 'onf')
    expect(packageDigest(folder)).not.toBe(first)
    put('index.ts', 'one')
    renameSync(join(folder, 'lib/a.ts'), join(folder, 'lib/b.ts'))
    const renamed = packageDigest(folder)
    expect(renamed).not.toBe(first)
    renameSync(join(folder, 'lib/b.ts'), join(folder, 'a.ts'))
    expect([first, renamed]).not.toContain(packageDigest(folder))
  })

  test('tells the end of one file from the beginning of the next', () => {
    put('a', 'xy')
    put('b', 'z')
    const first = packageDigest(folder)
    put('a', 'x')
    put('b', 'yz')
    expect(packageDigest(folder)).not.toBe(first)
  })

  test('leaves out what tools make', () => {
    put('index.ts')
    const first = packageDigest(folder)
    for (const path of ['node_modules/left/index.js', '.git/HEAD', '.DS_Store', 'lib/node_modules/x']) put(path)
    expect(packageDigest(folder)).toBe(first)
    expect(packageFiles(folder).map(({ path }) => path)).toEqual(['index.ts'])
  })
})

describe('a package is refused', () => {
  test('with a symbolic link, wherever it leads', () => {
    put('index.ts')
    symlinkSync('index.ts', join(folder, 'same.ts'))
    expect(() => packageFiles(folder)).toThrow(/"same.ts" is a symbolic link; put the file itself there/)
    rmSync(join(folder, 'same.ts'))
    mkdirSync(join(folder, 'lib'))
    symlinkSync('/etc', join(folder, 'lib/etc'))
    expect(() => packageFiles(folder)).toThrow(/"lib\/etc" is a symbolic link/)
  })

  test('with a special file', () => {
    if (spawnSync('mkfifo', [join(folder, 'pipe')]).status !== 0) return
    expect(() => packageFiles(folder)).toThrow(/"pipe" is a special file/)
  })

  test('over its limits of files, bytes and depth', () => {
    put('big')
    truncateSync(join(folder, 'big'), PACKAGE_LIMITS.bytes + 1)
    expect(() => packageFiles(folder)).toThrow(`larger than ${PACKAGE_LIMITS.bytes} bytes`)
    rmSync(join(folder, 'big'))
    put(join(...Array.from({ length: PACKAGE_LIMITS.depth }, () => 'd'), 'deep'))
    expect(packageFiles(folder)).toHaveLength(1)
    put(join(...Array.from({ length: PACKAGE_LIMITS.depth + 1 }, () => 'd'), 'deeper'))
    expect(() => packageFiles(folder)).toThrow(`lies deeper than ${PACKAGE_LIMITS.depth} folders`)
    rmSync(join(folder, 'd'), { recursive: true })
    for (let n = 0; n <= PACKAGE_LIMITS.files; n++) writeFileSync(join(folder, String(n)), '')
    expect(() => packageFiles(folder)).toThrow(`more than ${PACKAGE_LIMITS.files} files`)
  })
})
