import { describe, expect, test } from 'vitest'
import { checkLayering } from '../../tools/src/layering/check.ts'
import { checkEntries } from '../../tools/src/layering/entries.ts'
import { allowedFrom, checkPackages, readPackageFiles } from '../../tools/src/layering/packages.ts'
import { checkRooms, ROOM_ARROWS } from '../../tools/src/layering/rooms.ts'
import { checkShape } from '../../tools/src/layering/shape.ts'
import { checkTestBorder } from '../../tools/src/layering/test-border.ts'
import { violationText, withoutExceptions } from '../../tools/src/layering/violation.ts'
import { packageFolders, readSources, sourceFile } from '../../tools/src/sources/tree.ts'

const HEAD = '/** What it owns. */\n'
const packageFiles = readPackageFiles(packageFolders())
const folderOf = new Map([...packageFiles].map(([folder, file]) => [file.name, folder]))

test('the sources keep every arrow of the house', () => {
  expect(checkLayering(readSources()).map(violationText)).toEqual([])
})

describe('planted violations are found: packages', () => {
  const rulesOf = (path: string, text: string) =>
    checkPackages([sourceFile(path, HEAD + text)], packageFiles).map(({ rule, line }) => `${rule}@${line}`)

  test.each([
    [
      'packages/sdk/src/a.ts',
      "import { createHost } from '@runbound/host'",
      ['package arrows@2', 'undeclared dependency@2'],
    ],
    [
      'packages/host/src/a.ts',
      "import type { Plugin } from '@runbound/sdk'",
      ['package arrows@2', 'undeclared dependency@2'],
    ],
    [
      'packages/host/src/a.ts',
      "const a = await import('@runbound/platform-webchat')",
      ['package arrows@2', 'undeclared dependency@2'],
    ],
    [
      'platforms/http/src/a.ts',
      "export { x } from '@runbound/platform-webchat'",
      ['package arrows@2', 'undeclared dependency@2'],
    ],
    [
      'packages/protocol/src/a.ts',
      "import type { Peer } from '@runbound/link'",
      ['package arrows@2', 'undeclared dependency@2'],
    ],
    [
      'apps/console/src/a.tsx',
      "import { startHost } from '@runbound/host'",
      ['package arrows@2', 'undeclared dependency@2'],
    ],
    ['apps/console/src/a.tsx', "import { createClient } from '@runbound/api'", []],
    ['packages/link/src/a.ts', "import { METHODS } from '@runbound/protocol/schemas'", ['protocol entry@2']],
    ['packages/sdk/src/a.ts', "import type { METHODS } from '@runbound/protocol/schemas'", ['protocol entry@2']],
    ['packages/link/src/a.ts', "import { readFileSync } from 'fs'", ['node prefix@2', 'undeclared dependency@2']],
    ['packages/link/src/a.ts', "import leftPad from 'left-pad'", ['undeclared dependency@2']],
    ['packages/link/src/a.test.ts', "import { test } from 'vitest'", []],
    ['packages/link/src/a.ts', "import { test } from 'vitest'", ['undeclared dependency@2']],
    ['packages/link/src/a.ts', "import { a } from '../../protocol/src/names.ts'", ['package border@2']],
    ['packages/host/src/a.test.ts', "import { a } from '../../../tests/needs.ts'", ['package border@2']],
    ['tests/a.test.ts', "import { a } from '../tools/src/sources/tree.ts'", []],
    ['packages/unheard-of/src/a.ts', '', ['package arrows@0']],
    ['packages/host/src/a.ts', "import { createPeer } from '@runbound/link'", []],
    ['packages/cli/src/a.ts', "import { createHost } from '@runbound/host'", []],
  ])('%s: %s', (path, text, rules) => {
    expect(rulesOf(path, text)).toEqual(rules)
  })

  test('arrows are transitive and one-way', () => {
    expect([...allowedFrom('packages/testing')].sort()).toEqual(
      ['api', 'host', 'link', 'platform-kit', 'protocol', 'sdk', 'store'].map((name) => `packages/${name}`),
    )
    expect([...allowedFrom('packages/protocol')]).toEqual([])
    expect([...allowedFrom('apps/console')].sort()).toEqual(['packages/api', 'packages/protocol'])
    expect([...allowedFrom('examples/echo')]).not.toContain('packages/testing')
    expect([...allowedFrom('examples/echo', true)]).toContain('packages/testing')
  })
})

describe('planted violations are found: rooms', () => {
  const host = 'packages/host/src'
  const saysOf = (path: string, text: string) =>
    checkRooms([sourceFile(`${host}/${path}`, HEAD + text)]).map(({ says }) => says.split(/[;,]/)[0])

  test.each([
    ['gateway/a.ts', "import { start } from '../plugins/plugins.ts'", ['gateway may not load plugins']],
    ['gateway/a.ts', "import { start } from '../plugins/types.ts'", ['gateway may not load plugins']],
    ['gateway/a.ts', "const x = await import('../runs/runs.ts')", ['gateway may not load runs']],
    ['plugins/a.ts', "export { open } from '../gateway/gateway.ts'", ['plugins may not load gateway']],
    ['runs/a.ts', "import { plan } from '../conversations/lane.ts'", ['runs may not load conversations']],
    [
      'runs/a.ts',
      "import type { Plan } from '../conversations/lane.ts'",
      ['types of conversations are taken from its types.ts'],
    ],
    ['delivery/a.ts', "import { createRuns } from '../runs/runs.ts'", ['delivery may not load runs']],
    ['signals.ts', "import { createRuns } from './runs/runs.ts'", ['only host.ts and index.ts load rooms']],
    ['new-room/a.ts', '', ['the room new-room has no row in ROOM_ARROWS']],
    ['runs/a.ts', "import type { Plan } from '../conversations/types.ts'", []],
    ['runs/a.ts', "import { open } from '../gateway/gateway.ts'", []],
    ['gateway/a.ts', "import { TRAIL_CODES } from '../trail/codes.ts'", ['gateway may not load trail']],
    ['host.ts', "import { createRuns } from './runs/runs.ts'", []],
  ])('%s: %s', (path, text, says) => {
    expect(saysOf(path, text)).toEqual(says)
  })

  test('files that load each other in a circle', () => {
    const circle = [
      sourceFile('packages/link/src/a.ts', "import { b } from './b.ts'"),
      sourceFile('packages/link/src/b.ts', "import { c } from './c/c.ts'"),
      sourceFile('packages/link/src/c/c.ts', "import { a } from '../a.ts'"),
    ]
    expect(checkRooms(circle).map(({ rule }) => rule)).toEqual(['cycle'])
    const typeOnly = sourceFile('packages/link/src/c/c.ts', "import type { a } from '../a.ts'")
    expect(checkRooms([...circle.slice(0, 2), typeOnly])).toEqual([])
  })

  test('the table of rooms has no circle itself', () => {
    const reaches = (room: string, goal: string): boolean =>
      (ROOM_ARROWS[room] ?? []).some((next) => next === goal || reaches(next, goal))
    expect(Object.keys(ROOM_ARROWS).filter((room) => reaches(room, room))).toEqual([])
  })
})

describe('planted violations are found: entries', () => {
  const rule = { entry: 'packages/sdk/src/index.ts', never: /^(zod|node:)/, why: 'none' }
  const check = (text: string) =>
    checkEntries(
      [sourceFile(rule.entry, "export { a } from './a.ts'"), sourceFile('packages/sdk/src/a.ts', text)],
      folderOf,
      [rule],
    ).map(({ file }) => file)

  test.each([
    ["import * as z from 'zod'", 1],
    ["import { readFile } from 'node:fs/promises'", 1],
    ["import type { z } from 'zod'", 0],
    ["const fs = () => import('node:fs')", 0],
  ])('%s in a file behind the entry', (text, count) => {
    expect(check(text)).toHaveLength(count)
  })

  test('through another package', () => {
    const files = [
      sourceFile(rule.entry, "import { LIMITS } from '@runbound/protocol'"),
      sourceFile('packages/protocol/src/index.ts', "import * as z from 'zod'"),
    ]
    expect(checkEntries(files, folderOf, [rule]).map(({ file }) => file)).toEqual(['packages/protocol/src/index.ts'])
  })

  test('a rule for an entry that is gone', () => {
    expect(checkEntries([], folderOf, [rule])).toHaveLength(1)
  })
})

describe('planted violations are found: names, headers, database', () => {
  const rulesOf = (path: string, text: string) => checkShape([sourceFile(path, text)]).map(({ rule }) => rule)

  test.each([
    ['packages/link/src/someFile.ts', HEAD, ['file name']],
    ['packages/link/src/utils/a.ts', HEAD, ['folder name']],
    ['packages/link/src/Frames/a.ts', HEAD, ['folder name']],
    ['packages/link/src/a.ts', 'export const a = 1', ['header']],
    ['packages/link/src/index.ts', `${HEAD}export * from './a.ts'`, ['star export']],
    ['packages/link/src/index.ts', `${HEAD}export * as a from './a.ts'`, []],
    ['packages/link/src/a.ts', `${HEAD}export default 1`, ['default export']],
    [
      'examples/echo/src/a.ts',
      `${HEAD}import { definePlugin } from '@runbound/sdk'\nexport default definePlugin({})`,
      [],
    ],
    ['packages/cli/src/a.ts', `${HEAD}import { DatabaseSync } from 'node:sqlite'`, ['database']],
    ['packages/store/src/reader.ts', `${HEAD}import { DatabaseSync } from 'node:sqlite'`, ['database']],
    ['packages/store/src/sqlite/a.ts', `${HEAD}import { DatabaseSync } from 'node:sqlite'`, []],
    ['packages/store/src/sqlite/a.ts', `${HEAD}await db.transaction().execute(run)`, ['database']],
    ['packages/host/src/trail/types.ts', '/** The trail. */', ['room header']],
    ['packages/host/src/trail/types.ts', '/** trail/ owns the table `trail`. */', []],
    ['packages/host/src/trail/codes.ts', HEAD, ['room header']],
  ])('%s', (path, text, rules) => {
    expect(rulesOf(path, text)).toEqual(rules)
  })

  test('what ships does not load what is for tests', () => {
    const check = (path: string) => checkTestBorder([sourceFile(path, "import { pair } from './fixtures/pairs.ts'")])
    expect(check('packages/link/src/a.ts')).toHaveLength(1)
    expect(check('packages/link/src/a.test.ts')).toHaveLength(0)
  })
})

test('an exception excuses only its own rule, and one that excuses nothing is reported', () => {
  const found = [{ file: 'a.ts', line: 3, rule: 'cycle', says: 'round' }]
  expect(withoutExceptions(found, [{ file: 'a.ts', rule: 'cycle', why: 'x' }])).toEqual([])
  expect(withoutExceptions(found, [{ file: 'a.ts', rule: 'header', why: 'x' }]).map(({ rule }) => rule)).toEqual([
    'cycle',
    'stale exception',
  ])
})
