import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { brokenLinks, pathsIn } from '../../tools/src/doc-links.ts'
import { PACKAGE_ARROWS } from '../../tools/src/layering/packages.ts'
import { packageFolders, ROOT } from '../../tools/src/sources/tree.ts'

const ARCHITECTURE = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')

test('every path that the documents name exists', () => {
  expect(brokenLinks()).toEqual([])
})

test('ARCHITECTURE.md names its files whole, or beside one that it named in full', () => {
  const full = pathsIn('ARCHITECTURE.md', ARCHITECTURE).map(({ path }) => path)
  const short = [...ARCHITECTURE.matchAll(/`([a-z-]+\.ts)`/g)].map((match) => match[1] ?? '')
  expect(full.length).toBeGreaterThan(20)
  const folders = new Set(full.map((path) => path.slice(0, path.lastIndexOf('/'))))
  expect(short.filter((name) => ![...folders].some((folder) => existsSync(join(ROOT, folder, name))))).toEqual([])
})

test('ARCHITECTURE.md has a row for each package, and is one page', () => {
  const folders = packageFolders()
  const rows = Object.keys(PACKAGE_ARROWS).filter((row) =>
    folders.some((folder) => folder.startsWith(row.replace('*', ''))),
  )
  const named = (folder: string) => ARCHITECTURE.includes(`\`${folder}`)
  expect(rows.filter((folder) => !named(folder))).toEqual([])
  expect(ARCHITECTURE.split('\n').length).toBeLessThan(100)
})

test('paths are found in links and in code marks; patterns, addresses and blocks of code are not paths', () => {
  const text = [
    '[a](../b.md#part) [c](https://example.org/d.ts)',
    '`packages/host/src/host.ts` `packages/*` `on.ts` `GET /api/x`',
    '```',
    '`tests/gone.ts`',
    '```',
    '`tests/gone.ts`',
  ].join('\n')
  expect(pathsIn('docs/x.md', text)).toEqual([
    { path: 'b.md', line: 1 },
    { path: 'packages/host/src/host.ts', line: 2 },
    { path: 'tests/gone.ts', line: 6 },
  ])
})
