import { expect, test } from 'vitest'
import { comparePins, outdatedPins, readSurfaces } from '../../tools/src/export-pins.ts'
import { findExports } from '../../tools/src/sources/exports.ts'

test('the public entries give exactly the pinned names (on purpose? npm run validate -- --fix)', () => {
  expect(outdatedPins()).toEqual([])
})

test('the surfaces are really read', () => {
  const surfaces = readSurfaces()
  expect(surfaces['packages/sdk']?.names['.']).toContain('defineRunner')
  expect(surfaces['packages/sdk']?.names['.']).toContain('type RunnerContext')
  expect(surfaces['packages/protocol']?.names['./schemas']).toContain('METHODS')
})

test.each([
  ["export { a, type B, c as d } from './x.ts'", ['a', 'd', 'type B']],
  ["export type { A,\n  B } from './x.ts'", ['type A', 'type B']],
  ["export * as schemas from './x.ts'", ['schemas']],
  ['export const a = 1\nexport async function b() {}\nexport class C {}', ['C', 'a', 'b']],
  ['export interface A {}\nexport type B = A', ['type A', 'type B']],
  ['export default definePlugin({})', ['default']],
  ["// export const a = 1\nconst text = 'export const b = 1'", []],
])('%s', (text, names) => {
  expect(findExports(text)).toEqual(names)
})

test('a name or an entry that comes or goes is named', () => {
  const pins = (names: string[], path = './src/index.ts') => ({
    'packages/a': { exports: { '.': path }, names: { '.': names } },
  })
  expect(comparePins(pins(['a', 'b']), pins(['a', 'c']))).toEqual([
    'packages/a entry ".": + c',
    'packages/a entry ".": - b',
  ])
  expect(comparePins(pins([]), pins([], './src/main.ts'))).toHaveLength(1)
  expect(comparePins({}, pins(['a']))).toHaveLength(2)
  expect(comparePins(pins(['a']), pins(['a']))).toEqual([])
})
