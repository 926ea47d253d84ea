import { expect, test } from 'vitest'
import { LogBuffer } from './log-buffer.ts'
import type { LogLine } from './types.ts'

test('lines of one millisecond, and of a clock that went back, have growing sequences; told and kept alike', () => {
  const told: LogLine[] = []
  const log = new LogBuffer((line) => told.push(line))
  log.write('one\ntwo\nthree\n', 1_000)
  log.add('error', 'four', 400)
  const sequences = told.map(({ sequence }) => sequence)
  expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b))
  expect(log.last(10)).toEqual(told)
  expect(told.map(({ text }) => text)).toEqual(['one', 'two', 'three', 'four'])
})

test('lines after a restart of the host come after those before it', () => {
  const before = new LogBuffer(() => undefined)
  for (let line = 0; line < 50; line++) before.add('info', `line ${line}`, 1_000)
  const after = new LogBuffer(() => undefined)
  after.add('info', 'again', 2_000)
  expect(after.last(1)[0]?.sequence).toBeGreaterThan(before.last(1)[0]?.sequence ?? Number.POSITIVE_INFINITY)
})
