import { expect, test } from 'vitest'
import { judgeSizes, readSizeExceptions, readSizes } from '../../tools/src/size.ts'

test('no file is over the limit without a reason', () => {
  expect(judgeSizes(readSizes(), readSizeExceptions()).failures).toEqual([])
})

test('a file over the limit fails until it has a reason; a reason that nothing needs fails too', () => {
  const sizes = [
    { path: 'packages/link/src/long.ts', lines: 501 },
    { path: 'packages/link/src/short.ts', lines: 500 },
  ]
  expect(judgeSizes(sizes, {}).failures).toHaveLength(1)
  expect(judgeSizes(sizes, { 'packages/link/src/long.ts': 'a table' }).failures).toEqual([])
  expect(judgeSizes(sizes, { 'packages/link/src/long.ts': ' ' }).failures).toHaveLength(1)
  expect(
    judgeSizes(sizes, { 'packages/link/src/long.ts': 'a table', 'packages/link/src/short.ts': 'x' }).failures,
  ).toHaveLength(1)
})

test('the report names the largest and the median of what ships, not of tests', () => {
  const sizes = [10, 210, 220].map((lines) => ({ path: `packages/link/src/a${lines}.ts`, lines }))
  const report = judgeSizes([...sizes, { path: 'packages/link/src/a.test.ts', lines: 400 }], {})
  expect(report).toMatchObject({ median: 210, files: 3, largest: { lines: 220 } })
  expect(report.long.map(({ lines }) => lines)).toEqual([220, 210])
})
