import { expect, test } from 'vitest'
import { checkLockFile, compareWorkspaces, findMissing } from '../../tools/src/lock-file.ts'

test('npm ci would take the lock file', () => {
  expect(checkLockFile()).toEqual([])
})

test('a workspace that the lock file does not know, or knows otherwise, is named', () => {
  const declared = new Map([
    ['packages/a', { dependencies: { zod: '4.0.0', ws: '8.0.0' } }],
    ['packages/b', {}],
  ])
  expect(compareWorkspaces(declared, { 'packages/a': { dependencies: { ws: '8.0.0', zod: '4.0.0' } } })).toEqual([
    'package-lock.json does not know packages/b. Run: npm install --package-lock-only',
  ])
  expect(compareWorkspaces(declared, { 'packages/a': { dependencies: { ws: '8.0.0' } }, 'packages/b': {} })).toEqual([
    'package-lock.json has other dependencies of packages/a. Run: npm install --package-lock-only',
  ])
})

test('what is asked for is looked up as Node does; an optional package that is not there counts', () => {
  const locked = {
    '': { dependencies: { a: '1' } },
    'node_modules/a': { dependencies: { b: '1', c: '1' }, optionalDependencies: { 'only-windows': '1' } },
    'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
    'node_modules/c': {},
  }
  expect(findMissing(locked)).toEqual([
    'package-lock.json has no only-windows, which node_modules/a asks for. Run: npm install --package-lock-only',
  ])
})
